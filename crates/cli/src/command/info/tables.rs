//! The columns of rows, for `info -v`.

use robolog_convert::Surveyed;
use robolog_core::{Channel, columns::Column, text::Escaped};

use crate::{render, screen::Screen};

/// The columns of each table with their units, and the channels that have them, one paragraph each.
pub(super) fn tables(info: &Surveyed, screen: Screen) -> String {
    let tables = info.summary.tables();
    if tables.is_empty() {
        return String::new();
    }
    let lines = tables.iter().map(|channels| format!("{}\n", screen.paragraph(&line(channels), 6)));
    format!("\n  columns\n{}", lines.collect::<String>())
}

fn line(channels: &[&Channel]) -> String {
    let Some(first) = channels.first() else { return String::new() };
    let more = match channels.len() {
        1 => String::new(),
        n => format!(" and {}", render::count((n - 1) as u64, "other")),
    };
    let columns: Vec<_> = first.columns.iter().map(column).collect();
    format!("    {}{more}: {}", Escaped(first.name.as_bytes()), columns.join(", "))
}

fn column(column: &Column) -> String {
    let name = Escaped(column.name.as_bytes());
    match &column.unit {
        Some(unit) => format!("{name} [{}]", Escaped(unit.as_bytes())),
        None => name.to_string(),
    }
}
