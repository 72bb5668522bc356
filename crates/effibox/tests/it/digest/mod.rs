//! The snapshots' texts, by format.

pub(crate) mod table;
