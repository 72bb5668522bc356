//! The names of columns: each once in a table, and the same in every kind of table.

use std::collections::HashSet;

use robolog_core::columns::Column;

use super::options::{TableOptions, TimeColumn};

/// Nanoseconds of the recording's clock.
pub(super) const TIME_NS: &str = TimeColumn::Ns.column();
/// The same as a date.
pub(super) const TIME: &str = TimeColumn::Iso.column();
/// The channel.
pub(crate) const CHANNEL: &str = "channel";
/// What folders in Hive's layout say of their files: readers make columns of these.
pub(crate) const KIND: &str = "kind";
/// The group of channels that share a file.
pub(crate) const GROUP: &str = "group";

/// Columns under names of their own: a number follows a name that is taken, in capitals or not, for there are readers
/// that do not distinguish capitals. Taken are the names of the columns that all tables begin with, and those of Hive's
/// folders and of further time columns where there are such.
pub(super) fn named(mut columns: Vec<Column>, options: &TableOptions) -> Vec<Column> {
    let folders: &[&str] = if options.hive { &[KIND, GROUP] } else { &[] };
    let times = options.time_columns.iter().map(|column| column.column());
    let taken = [TIME_NS, TIME, CHANNEL].iter().chain(folders).copied().chain(times);
    let mut taken: HashSet<String> = taken.map(str::to_owned).collect();
    for column in &mut columns {
        let mut name = column.name.clone();
        let mut number = 2_u64;
        while !taken.insert(name.to_lowercase()) {
            name = format!("{}_{number}", column.name);
            number += 1;
        }
        column.name = name;
    }
    columns
}
