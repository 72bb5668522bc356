//! The first lines of `info`: format, time and state of the recording.

use robolog_core::{Clock, Severity, Timestamp, text::Escaped};

use crate::{
    command::check::fault,
    render,
    screen::{Screen, Tone},
};
use robolog_convert::Surveyed;

pub(super) fn head(info: &Surveyed, name: &str, screen: Screen) -> String {
    let s = &info.summary;
    let mut out = format!("{}\n", screen.paint(Tone::Head, name));
    let what = [
        Escaped(info.format_for_people().as_bytes()).to_string(),
        render::bytes(info.bytes),
        render::count(s.records, "record"),
    ];
    out.push_str(&screen.wrap("  ", &what));
    if let Some(span) = s.span {
        let clock = format!("{} clock", s.clock.map_or("unknown", Clock::name));
        out.push_str(&screen.wrap("  ", &[seconds(span), times(span), clock]));
    }
    let (tone, words) = state(info, name);
    out.extend(["  ", &screen.paint(tone, &words), "\n"]);
    out
}

/// Whether the recording is sound, and what to do if not.
fn state(info: &Surveyed, name: &str) -> (Tone, String) {
    let s = &info.summary;
    let count = |severity| s.findings.iter().filter(|f| f.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let file = render::quoted(name);
    if s.is_limited() {
        // A repair would leave out what does not fit.
        (Tone::Bad, format!("{}: {} left out; robolog check {file}", fault(s), render::bytes(s.lost_bytes)))
    } else if s.lost_bytes > 0 {
        let (lost, places) = (render::bytes(s.lost_bytes), render::count(s.losses.max(1), "place"));
        let recover = if info.format == "effibox" {
            format!("robolog check {file}")
        } else {
            format!("robolog recover {file} -o OUT")
        };
        (Tone::Bad, format!("damaged: {lost} lost in {places}; {recover}"))
    } else if !s.is_ok() {
        (Tone::Bad, format!("damaged: {}; robolog check {file}", render::count(errors.max(1), "error")))
    } else if info.reads_nothing() {
        (Tone::Bad, format!("nothing read; robolog check {file}"))
    } else if warnings > 0 {
        (Tone::Odd, format!("sound, {}; robolog check {file}", render::count(warnings, "warning")))
    } else {
        (Tone::Good, "sound".into())
    }
}

/// A short text for the state, for tables.
pub(super) fn state_word(info: &Surveyed) -> (Tone, String) {
    let s = &info.summary;
    let odd = s.findings.iter().any(|f| f.severity == Severity::Warning);
    match (s.is_ok(), odd) {
        (false, _) if s.lost_bytes > 0 => {
            (Tone::Bad, format!("{}, {} lost", fault(s), render::bytes(s.lost_bytes)))
        }
        (false, _) => (Tone::Bad, fault(s).into()),
        (true, _) if info.reads_nothing() => (Tone::Bad, "nothing read".into()),
        (true, true) => (Tone::Odd, "sound, warnings".into()),
        (true, false) => (Tone::Good, "sound".into()),
    }
}

/// Duration in seconds; from two minutes, also in minutes, hours, days or years.
pub(super) fn seconds((start, end): (Timestamp, Timestamp)) -> String {
    let Some(nanos) = end.since(start) else { return "unknown duration".into() };
    // Rounds like the channel table.
    let milliseconds = nanos.saturating_add(500_000) / 1_000_000;
    let seconds = milliseconds / 1000;
    let exact = format!("{seconds}.{:03} s", milliseconds.unsigned_abs() % 1000);
    match seconds {
        ..120 => exact,
        120..7200 => format!("{} min {:02} s ({exact})", seconds / 60, seconds % 60),
        7200..172_800 => format!("{} h {:02} min ({exact})", seconds / 3600, seconds / 60 % 60),
        172_800..63_072_000 => format!("{} days {} h ({exact})", seconds / 86_400, seconds / 3600 % 24),
        _ => format!("{} years ({exact})", seconds / 31_557_600),
    }
}

/// Start and end, to the millisecond. A common day is shown once.
fn times((start, end): (Timestamp, Timestamp)) -> String {
    let (start, end) = (moment(start), moment(end));
    match (start.split_once('T'), end.split_once('T')) {
        (Some((day, _)), Some((same, time))) if day == same => format!("{start} to {time}"),
        _ => format!("{start} to {end}"),
    }
}

/// A time to the millisecond, without a zero fraction.
pub(super) fn moment(time: Timestamp) -> String {
    let text = time.to_string();
    let Some((whole, fraction)) = text.split_once('.') else { return text };
    let (digits, zone) = fraction.split_at(fraction.find('Z').unwrap_or(fraction.len()));
    let unit = if zone.is_empty() { " s" } else { zone };
    match digits.get(..3) {
        Some("000") => format!("{whole}{unit}"),
        Some(three) => format!("{whole}.{three}{unit}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64, nanos: i64, clock: Clock) -> Timestamp {
        Timestamp::new(seconds * 1_000_000_000 + nanos, clock)
    }

    #[test]
    fn times_are_short_and_the_day_stands_once() {
        let start = at(1_726_588_075, 123_456_789, Clock::Unix);
        assert_eq!(moment(start), "2024-09-17T15:47:55.123Z");
        let end = at(1_726_588_175, 0, Clock::Unix);
        assert_eq!(times((start, end)), "2024-09-17T15:47:55.123Z to 15:49:35Z");
        assert_eq!(times((at(0, 0, Clock::Device), at(5, 0, Clock::Device))), "0 s to 5 s");
    }

    #[test]
    fn long_durations_are_told_in_minutes_and_hours_too() {
        let of = |s| seconds((at(0, 0, Clock::Relative), at(s, 500_000_000, Clock::Relative)));
        assert_eq!(of(10), "10.500 s");
        assert_eq!(of(125), "2 min 05 s (125.500 s)");
        assert_eq!(of(7_260), "2 h 01 min (7260.500 s)");
    }

    #[test]
    fn names_can_be_pasted_into_a_shell() {
        assert_eq!(render::quoted("a/b-1.lvx"), "a/b-1.lvx");
        assert_eq!(render::quoted("it's here.lvx"), r"'it'\''s here.lvx'");
    }
}
