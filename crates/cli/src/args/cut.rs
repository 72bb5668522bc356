//! Arguments of `cut`, including the events of `--around`.

use std::{ops::Range, path::PathBuf, time::Duration};

use clap::Args as ClapArgs;
use glob::Pattern;
use robolog_convert::Bound;
use robolog_events::Kind;

use super::{FormatArg, LimitArgs, MostArgs, OutArgs, TimeArgs};

/// Frame numbers `FIRST..END`, end excluded.
fn frames(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").and_then(|(a, b)| {
        let end = |text: &str, open| if text.is_empty() { Some(open) } else { text.parse().ok() };
        Some(end(a, 0)?..end(b, u64::MAX)?)
    });
    ends.filter(|range| !range.is_empty()).ok_or_else(|| "expected a range such as 100..200".into())
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Records are copied whole: --channel takes the channels of records, such as variables of a MOOS log or \
                  frames of a CARLA recording. For channels that cat makes from parts of records, use convert.\n\n\
                  Examples:\n  robolog cut drive.lvx --start 1m --duration 30s -o part.lvx\n  \
                  robolog cut drive.lvx --channel '3WEDH7600101501/*' -o one-device.lvx\n  \
                  robolog cut crash.log --around collision --before 5s --after 2s -o crash-only.log"
)]
pub(crate) struct CutArgs {
    /// A recording, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutArgs,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[arg(long, value_parser = frames)]
    pub(crate) frames: Option<Range<u64>>,
    #[command(flatten)]
    pub(crate) around: AroundArgs,
    #[command(flatten)]
    pub(crate) most: MostArgs,
    #[command(flatten)]
    pub(crate) limit: LimitArgs,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// A part around an event.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct AroundArgs {
    #[arg(long, value_parser = event, conflicts_with_all = ["start", "end", "duration", "frames"])]
    pub(crate) around: Option<Event>,
    #[arg(long, value_parser = Bound::duration, requires = "around")]
    pub(crate) before: Duration,
    #[arg(long, value_parser = Bound::duration, requires = "around")]
    pub(crate) after: Duration,
    #[arg(long, requires = "around")]
    pub(crate) nth: Option<std::num::NonZeroUsize>,
}

/// An event in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// An actor of a CARLA recording hits something.
    Collision,
    /// A channel, or a field of one, changes to this value.
    Value { channel: String, field: Option<String>, value: String },
    /// Kinds that the detectors find.
    Kind(String),
    /// The record at this offset.
    Offset(u64),
}

/// Parses an event.
pub(super) fn event(text: &str) -> Result<Event, String> {
    if text == "collision" {
        return Ok(Event::Collision);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16)
            .map(Event::Offset)
            .map_err(|_| "not a hexadecimal number".into());
    }
    let is_kind = |pattern: Pattern| Kind::ALL.iter().any(|kind| pattern.matches(kind.name()));
    if !text.contains('=') && Pattern::new(text).is_ok_and(is_kind) {
        return Ok(Event::Kind(text.to_owned()));
    }
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("expected a kind of event such as contact, NAME=VALUE, or an offset such as 0x1a2b")?;
    let (channel, field) = match name.split_once(':') {
        Some((channel, field)) => (channel, Some(field.to_owned())),
        None => (name, None),
    };
    Ok(Event::Value { channel: channel.to_owned(), field, value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_collisions_values_and_offsets() {
        let value = |channel: &str, field: Option<&str>, value: &str| {
            Ok(Event::Value { channel: channel.into(), field: field.map(Into::into), value: value.into() })
        };
        assert_eq!(event("collision"), Ok(Event::Collision));
        assert_eq!(event("near_miss"), Ok(Event::Kind("near_miss".into())));
        assert_eq!(event("0x1a2B"), Ok(Event::Offset(0x1a2b)));
        assert_eq!(event("DEPLOY=true"), value("DEPLOY", None, "true"));
        assert_eq!(event("a/b:gear=-1"), value("a/b", Some("gear"), "-1"));
        assert_eq!(event("X="), value("X", None, ""));
        for text in ["", "crash", "=1", "0x", "0xg"] {
            assert!(event(text).is_err(), "{text}");
        }
    }
}
