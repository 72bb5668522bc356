//! The names of columns: each once in a table, and the same in every kind of table.

use std::collections::HashSet;

use robolog_core::columns::Column;

/// Nanoseconds of the recording's clock.
pub(super) const TIME_NS: &str = "time_ns";
/// The same as a date.
pub(super) const TIME: &str = "time";
/// The channel.
pub(crate) const CHANNEL: &str = "channel";
/// What folders in Hive's layout say of their files: readers make columns of these.
pub(crate) const KIND: &str = "kind";
/// The group of channels that share a file.
pub(crate) const GROUP: &str = "group";

/// Columns under names of their own: a number follows a name that is taken, in capitals or not, for there are readers
/// that do not tell capitals apart. The names of the columns that all tables begin with are taken, and with `hive`
/// those of the folders.
pub(super) fn named(mut columns: Vec<Column>, hive: bool) -> Vec<Column> {
    let folders: &[&str] = if hive { &[KIND, GROUP] } else { &[] };
    let taken = [TIME_NS, TIME, CHANNEL].iter().chain(folders);
    let mut taken: HashSet<String> = taken.map(|name| (*name).to_owned()).collect();
    for column in &mut columns {
        let mut name = column.name.clone();
        let mut number = 2_u64;
        while !taken.insert(name.to_lowercase()) {
            name = format!("{}_{number}", column.name);
            number = number.saturating_add(1);
        }
        column.name = name;
    }
    columns
}
