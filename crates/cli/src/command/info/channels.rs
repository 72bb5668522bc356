//! The table of channels.

use robolog_core::Timestamp;

use super::fold::Row;
use crate::screen::{Screen, Tone, columns, pad, pad_left};

/// The table, or a line that says there are no channels.
pub(super) fn table(rows: &[Row], span: Option<(Timestamp, Timestamp)>, screen: Screen) -> String {
    if rows.is_empty() {
        return "\n  no channels\n".into();
    }
    let decimals = decimals(span);
    let start = span.map(|span| span.0);
    let cells: Vec<[String; 6]> = rows.iter().map(|row| cells(row, start, decimals)).collect();
    let heads = ["CHANNEL", "TYPE", "COUNT", "RATE", "SPAN"];
    let width = |column: usize| {
        let head = heads.get(column).map_or(0, |head| columns(head));
        cells.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).fold(head, usize::max)
    };
    let [name, kind, count, rate] = [0, 1, 2, 3].map(width);
    let (from, to) =
        (width(4).max(1), cells.iter().map(|row| columns(row.get(5).map_or("", |c| c))).fold(0, usize::max));
    // Two blanks before each column; ` .. ` and ` s` in the last one.
    let others = [kind, count, rate, from, to].iter().sum::<usize>() + 16;
    // On a narrow terminal, names matter more than spans.
    let has_span = screen.room(name.min(LEGIBLE), others) == name.min(LEGIBLE);
    let others = if has_span { others } else { [kind, count, rate].iter().sum::<usize>() + 8 };
    let name = screen.room(name, others).max(NARROWEST.min(name));
    let mut out = String::from("\n");
    let head = format!(
        "  {}  {}  {}  {}{}",
        pad("CHANNEL", name),
        pad("TYPE", kind),
        pad_left("COUNT", count),
        pad_left("RATE", rate),
        if has_span { "  SPAN" } else { "" }
    );
    out.push_str(&screen.paint(Tone::Head, &head));
    out.push('\n');
    for [channel, type_name, n, hz, first, last] in &cells {
        let span = match (first.as_str(), last.as_str()) {
            _ if !has_span => String::new(),
            ("", "") => String::new(),
            (note, "") => note.to_owned(),
            (first, last) => format!("{} .. {} s", pad_left(first, from), pad_left(last, to)),
        };
        let line = format!(
            "  {}  {}  {}  {}  {span}",
            pad(&screen.fit(channel, name), name),
            pad(type_name, kind),
            pad_left(n, count),
            screen.paint(Tone::Dim, &pad_left(hz, rate))
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Minimum width of shortened names; narrower tables leave out the spans.
const LEGIBLE: usize = 24;
/// Minimum width of the channel column.
const NARROWEST: usize = 12;

/// Decimals of seconds for a recording of this length.
fn decimals(span: Option<(Timestamp, Timestamp)>) -> usize {
    match span.and_then(|(start, end)| end.since(start)) {
        Some(nanos) if nanos < 10_000_000_000 => 3,
        _ => 1,
    }
}

fn cells(row: &Row, start: Option<Timestamp>, decimals: usize) -> [String; 6] {
    #[expect(clippy::cast_precision_loss, reason = "seconds for people")]
    let since = |time: Timestamp| {
        let nanos = start.and_then(|start| time.since(start));
        nanos.map_or_else(|| "?".into(), |nanos| format!("{:.decimals$}", nanos as f64 / 1e9))
    };
    let (first, last) = match (row.channels, row.span) {
        (_, Some((first, last))) => (since(first), since(last)),
        (_, None) => (String::new(), String::new()),
    };
    let name = match row.channels {
        1 => row.name.clone(),
        n => format!("{}  {n} channels", row.name),
    };
    [name, row.kind.clone(), row.records.to_string(), row.rate_hz.map_or_else(String::new, rate), first, last]
}

/// A rate with three significant digits.
fn rate(hz: f64) -> String {
    match hz {
        100.0.. => format!("{hz:.0} Hz"),
        0.995.. => format!("{hz:.1} Hz"),
        _ => format!("{hz:.2} Hz"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::Clock;

    fn row(name: &str, channels: usize, rate_hz: Option<f64>, seconds: Option<(i64, i64)>) -> Row {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
        Row {
            name: name.into(),
            channels,
            kind: "odometry".into(),
            records: 460,
            rate_hz,
            span: seconds.map(|(from, to)| (at(from), at(to))),
        }
    }

    fn all() -> Vec<Row> {
        vec![
            row("actor_*/poses", 13, Some(28.93), Some((0, 100))),
            row("Bus_InterfaceCamera_2672909685359666/images", 1, None, Some((5, 9))),
            row("tf_static", 1, None, None),
        ]
    }

    fn span() -> Option<(Timestamp, Timestamp)> {
        row("", 1, None, Some((0, 100))).span
    }

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [
            "",
            "  CHANNEL                                      TYPE      COUNT     RATE  SPAN",
            "  actor_*/poses  13 channels                   odometry    460  28.9 Hz   0.0 .. 100.0 s",
            "  Bus_InterfaceCamera_2672909685359666/images  odometry    460            5.0 ..   9.0 s",
            "  tf_static                                    odometry    460",
            "",
        ];
        assert_eq!(table(&all(), span(), Screen::pipe()), rows.join("\n"));
    }

    #[test]
    fn the_table_fits_terminals_and_is_whole_in_a_pipe() {
        for width in [60, 80, 120] {
            let text = table(&all(), span(), Screen::terminal(width));
            assert!(text.lines().all(|line| columns(line) <= width), "{width}: {text}");
        }
        assert!(table(&all(), span(), Screen::terminal(60)).contains("…"));
        assert!(table(&all(), span(), Screen::pipe()).contains("Camera_2672909685359666/images"));
    }

    #[test]
    fn rates_have_the_digits_that_count() {
        assert_eq!([240_000.4, 28.93, 1.0, 0.18].map(rate), ["240000 Hz", "28.9 Hz", "1.0 Hz", "0.18 Hz"]);
    }
}
