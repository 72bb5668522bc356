//! Column names: unique in a table, and the same in all tables.

use std::collections::HashSet;

use robolog_core::columns::Column;

use super::options::{TableOptions, TimeColumn};

/// Nanoseconds of the recording's clock.
pub(super) const TIME_NS: &str = TimeColumn::Ns.column();
/// The time as a date.
pub(super) const TIME: &str = TimeColumn::Iso.column();
/// The channel.
pub const CHANNEL: &str = "channel";
/// Columns that readers take from the paths of Hive folders.
pub const KIND: &str = "kind";
/// The group of channels that share a file.
pub const GROUP: &str = "group";

/// Makes column names unique: a duplicate gets a number. Names are compared without case, as some readers do. Reserved
/// are the first columns of all tables, the columns of Hive folders, and further time columns.
pub(super) fn named(mut columns: Vec<Column>, options: &TableOptions) -> Vec<Column> {
    let folders: &[&str] = if options.hive { &[KIND, GROUP] } else { &[] };
    let times = options.time_columns.iter().map(|column| column.column());
    let taken = [TIME_NS, TIME, CHANNEL].iter().chain(folders).copied().chain(times);
    let mut taken: HashSet<String> = taken.map(str::to_owned).collect();
    for column in &mut columns {
        column.name = unused(&column.name, "_", |name| taken.insert(name.to_lowercase()));
    }
    columns
}

/// Returns `name`, with `between` and a number from 2 on, until `take` accepts it.
pub fn unused(name: &str, between: &str, mut take: impl FnMut(&str) -> bool) -> String {
    let mut unused = name.to_owned();
    let mut number = 2_u64;
    while !take(&unused) {
        unused = format!("{name}{between}{number}");
        number += 1;
    }
    unused
}
