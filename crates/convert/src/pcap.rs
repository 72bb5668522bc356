//! Captured Livox packets as recordings. (Written next.)
