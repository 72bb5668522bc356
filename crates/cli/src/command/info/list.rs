//! The table of several recordings.

use robolog_core::Clock;

use robolog_convert::Surveyed;

use super::head;
use crate::{
    render,
    screen::{Screen, Tone, columns, pad, pad_left},
};

/// A row of the table.
pub(super) struct Row {
    /// File, format, size, start, duration, channels.
    cells: [String; 6],
    state: (Tone, String),
}

const HEADS: [&str; 6] = ["FILE", "FORMAT", "SIZE", "START", "DURATION", "CHANNELS"];

impl Row {
    pub(super) fn new(name: &str, info: &Surveyed) -> Self {
        let s = &info.summary;
        let start = match (s.span, s.clock) {
            // Other clocks start anywhere.
            (Some((start, _)), Some(Clock::Unix)) => head::moment(start),
            (Some(_), Some(clock)) => format!("{clock} clock"),
            _ => "-".into(),
        };
        let duration = s.span.map_or_else(|| "-".into(), duration);
        let channels = s.channels.len().to_string();
        let cells = [name.into(), info.format.into(), render::bytes(info.bytes), start, duration, channels];
        Self { cells, state: head::state_word(info) }
    }
}

/// Seconds to the tenth.
fn duration((start, end): (robolog_core::Timestamp, robolog_core::Timestamp)) -> String {
    #[expect(clippy::cast_precision_loss, reason = "seconds for people")]
    end.since(start).map_or_else(|| "-".into(), |nanos| format!("{:.1} s", nanos as f64 / 1e9))
}

/// The table; empty without recordings.
pub(super) fn table(rows: &[Row], screen: Screen) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut widths = HEADS.map(columns);
    let mut state = columns("STATE");
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = columns(cell).max(*width);
        }
        state = columns(&row.state.1).max(state);
    }
    let others = widths.iter().skip(1).fold(state, |sum, width| sum + width + 2);
    if let Some(name) = widths.first_mut() {
        *name = screen.room(*name, others + 2).max(NARROWEST.min(*name));
    }
    let line = |cells: &[String; 6]| {
        let padded = cells.iter().zip(widths).enumerate().map(|(i, (cell, width))| match i {
            0 => pad(&screen.fit(cell, width), width),
            // Numbers are right-aligned.
            2 | 4 | 5 => pad_left(cell, width),
            _ => pad(cell, width),
        });
        padded.collect::<Vec<_>>().join("  ")
    };
    let heads = format!("{}  STATE", line(&HEADS.map(str::to_owned)));
    let mut out = format!("{}\n", screen.paint(Tone::Head, &heads));
    for row in rows {
        let state = screen.paint(row.state.0, &row.state.1);
        out.extend([&line(&row.cells), "  ", &state, "\n"]);
    }
    out
}

/// Minimum width of the file column.
const NARROWEST: usize = 12;
