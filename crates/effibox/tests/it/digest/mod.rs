//! The snapshots' texts, format by format.

pub(crate) mod table;
