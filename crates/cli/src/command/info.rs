//! `robolog info`: what a recording holds.

use std::{collections::BTreeMap, fmt::Write as _, io::Write as _, path::Path};

use robolog_convert::Result;
use robolog_core::{Channel, Severity, text::Escaped};
use serde_json::Value as Json;

use super::summary::{Info, survey};
use crate::{Status, args::InfoArgs, progress::Context, render};

pub(crate) fn run(args: &InfoArgs, context: Context) -> Result<Status> {
    let mut out = render::Findings::new();
    super::each(args.files.iter().map(AsRef::as_ref), |path| {
        let info = survey(context.open(path)?, args.format.name.as_deref(), context)?;
        if args.json {
            render::json(&mut out, &info.to_json(path))?;
        } else {
            out.write_all(text(&info, path).as_bytes())?;
        }
        out.flush()?;
        let faults = || info.summary.findings.iter().filter(|f| f.severity == Severity::Error);
        for fault in faults().take(SHOWN) {
            render::note(path, Escaped(fault.message.as_bytes()));
        }
        if let more @ 1.. = faults().count().saturating_sub(SHOWN) {
            render::note(path, format_args!("{more} more faults: see robolog check"));
        }
        Ok(if info.summary.is_ok() { Status::Done } else { Status::Lossy })
    })
}

/// How many findings are shown: `check` lists them.
const SHOWN: usize = 5;

/// A block of lines, narrow enough for half a screen.
fn text(info: &Info, path: &Path) -> String {
    let s = &info.summary;
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    let state = if s.complete {
        "complete".into()
    } else {
        format!("damaged, {} lost", render::count(s.lost_bytes, "byte"))
    };
    line(format_args!("{}", render::path(path)));
    let variant = Escaped(s.variant.as_bytes());
    line(format_args!("  {variant}, {}, {} records, {state}", render::bytes(info.bytes), s.records));
    if let Some((start, end)) = s.span {
        let clock = s.clock.map_or("unknown", robolog_core::Clock::name);
        line(format_args!("  from {start} ({clock} clock)"));
        let seconds = end.since(start).unwrap_or_default() / 1_000_000;
        line(format_args!("  to   {end}, {}.{:03} s", seconds / 1000, seconds % 1000));
    }
    if s.channels.len() > MANY {
        families(&s.channels, &|channel| s.rate_hz(channel), &mut line);
    } else {
        for channel in &s.channels {
            line(format_args!("  {}", Escaped(channel.name.as_bytes())));
            let rate = s.rate_hz(channel);
            let rate = rate.map(|hz| format!(", {hz:.1} Hz")).unwrap_or_default();
            line(format_args!("    {} {}, {} values{rate}", channel.records, channel.kind, channel.values));
        }
    }
    details(&s.details, &mut line);
    let odd = || s.findings.iter().filter(|f| f.severity < Severity::Error);
    for finding in odd().take(SHOWN) {
        line(format_args!("  {}: {}", finding.code, Escaped(finding.message.as_bytes())));
    }
    if let more @ 1.. = odd().count().saturating_sub(SHOWN) {
        line(format_args!("  and {more} more: see robolog check"));
    }
    out
}

/// More channels than this are told by what they hold, not one by one.
const MANY: usize = 24;

/// Channels that are one but for what stands before the last slash, a line each.
fn families(
    channels: &[Channel],
    rate: &dyn Fn(&Channel) -> Option<f64>,
    line: &mut dyn FnMut(std::fmt::Arguments<'_>),
) {
    let mut families: BTreeMap<(&str, &str), (usize, u64, u64)> = BTreeMap::new();
    let by_name: BTreeMap<&str, &Channel> =
        channels.iter().map(|channel| (&*channel.name, channel)).collect();
    let hz = |family: &str| rate(by_name.get(family)?);
    for channel in channels {
        let family = channel.name.rsplit_once('/').map_or(&*channel.name, |(_, last)| last);
        let (count, records, values) = families.entry((family, channel.kind)).or_default();
        *count = count.saturating_add(1);
        *records = records.saturating_add(channel.records);
        *values = values.saturating_add(channel.values);
    }
    for ((family, kind), (count, records, values)) in families {
        let rate = hz(family).map(|hz| format!(", {hz:.1} Hz")).unwrap_or_default();
        let family = Escaped(family.as_bytes()).to_string();
        let several = if count > 1 { format!(" in {count} channels") } else { String::new() };
        line(format_args!("  {family:<20} {records} {kind}, {values} values{several}{rate}"));
    }
}

/// Numbers side by side, lists of things a line each, nothing for what is empty.
fn details(details: &Json, line: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    let Json::Object(fields) = details else { return };
    let plain: Vec<_> = fields
        .iter()
        .filter_map(|(key, value)| Some(format!("{} {}", Escaped(key.as_bytes()), scalar(value)?)))
        .collect();
    for few in plain.chunks(4) {
        line(format_args!("  {}", few.join(", ")));
    }
    for (key, value) in fields {
        // Longer ones repeat what the channels told: `--json` has them.
        if let Json::Object(counts) = value
            && counts.len() <= MANY
        {
            let parts: Vec<_> = counts
                .iter()
                .filter_map(|(k, v)| Some(format!("{} {}", Escaped(k.as_bytes()), scalar(v)?)))
                .collect();
            for few in parts.chunks(if parts.iter().any(|p| p.len() > 12) { 3 } else { 6 }) {
                line(format_args!("  {key}: {}", few.join(", ")));
            }
        }
    }
    for (key, value) in fields {
        let Json::Array(items) = value else { continue };
        let plain: Vec<_> = items.iter().filter_map(scalar).collect();
        if !plain.is_empty() && plain.iter().all(|text| text.len() <= 20) {
            let more = if plain.len() > SHOWN { ", ..." } else { "" };
            let few = plain.get(..SHOWN).unwrap_or(&plain).join(", ");
            line(format_args!("  {key}: {few}{more}"));
        } else {
            for text in plain.iter().take(SHOWN) {
                line(format_args!("  {key}: {text}"));
            }
        }
        for item in items {
            let Json::Object(item) = item else { continue };
            line(format_args!("  {}", key.strip_suffix('s').unwrap_or(key)));
            // The times stand above, as a person reads them.
            let shown = item.iter().filter(|(k, _)| !k.ends_with("_ns"));
            let parts: Vec<_> = shown.filter_map(|(k, v)| Some(format!("{k} {}", scalar(v)?))).collect();
            for few in parts.chunks(3) {
                line(format_args!("    {}", few.join(", ")));
            }
        }
    }
}

fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::Number(n) => Some(n.to_string()),
        Json::Bool(b) => Some(if *b { "yes" } else { "no" }.into()),
        Json::String(s) if !s.is_empty() => Some(Escaped(s.as_bytes()).to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_thousand_channels_take_no_longer_than_their_sum() {
        let channel =
            |n: u32| Channel { name: format!("V{n:06}"), kind: "scalar", records: 1, values: 1, span: None };
        let channels: Vec<_> = (0..100_000).map(channel).collect();
        let mut lines = 0;
        // A search of all channels for each would take minutes.
        families(&channels, &|_| None, &mut |_| lines += 1);
        assert_eq!(lines, 100_000);
    }
}
