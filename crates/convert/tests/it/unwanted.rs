//! Records skipped before decoding because nobody asked for their channels: the samples equal those of a full read.

use std::{collections::BTreeSet, io::Cursor};

use robolog_convert::{
    ChannelFilter, Feed, Input, Limit, NoChannel, Outcome, Report, Sink as _, deliver, sink,
    sink::jsonl::Jsonl,
};
use robolog_core::Sample;

fn read(bytes: &[u8], limit: Limit, mut take: impl FnMut(&mut Sample)) -> Report {
    let input = Input::new("log.alog", Box::new(Cursor::new(bytes.to_vec()))).unwrap();
    let feed = Feed::new(input).with_format(Some("alog")).with_limit(limit);
    let mut sink = sink::from_fn(|sample| {
        take(sample);
        Ok(Outcome::Written)
    });
    deliver(vec![feed], &mut sink, &mut |_| {}).unwrap()
}

fn told(report: &Report) -> impl PartialEq + std::fmt::Debug {
    let damage: Vec<_> = report.damage.iter().map(|d| (d.error.to_string(), d.lost.clone())).collect();
    (report.records, report.damages, report.lost_bytes, report.unjudged, damage)
}

/// Lines of the samples of one channel, and the report: from a full read, and from a read of this channel.
fn assert_same(name: &str, bytes: &[u8], channel: &str) {
    let (mut whole, mut part) = (Vec::new(), Vec::new());
    let (mut to_whole, mut to_part) = (Jsonl::new(&mut whole), Jsonl::new(&mut part));
    let all = read(bytes, Limit::default(), |sample| {
        if &*sample.channel == channel {
            to_whole.write(sample).unwrap();
        }
    });
    let wanted = channel.to_owned();
    let limit = Limit::default().with_channels(ChannelFilter::new(move |channel| channel == wanted));
    let one = read(bytes, limit, |sample| {
        to_part.write(sample).unwrap();
    });
    to_whole.flush().unwrap();
    to_part.flush().unwrap();
    assert!(whole == part, "{name}, {channel}: the samples differ");
    assert_eq!(told(&all), told(&one), "{name}, {channel}");
}

fn channels(bytes: &[u8]) -> BTreeSet<String> {
    let mut channels = BTreeSet::new();
    read(bytes, Limit::default(), |sample| {
        channels.insert(sample.channel.to_string());
    });
    channels
}

/// A byte of every sixteenth record becomes a control character, and the log ends within an entry.
fn damaged(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.get(..bytes.len().saturating_sub(5)).unwrap_or_default().to_vec();
    let lines: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    for at in lines.iter().skip(20).step_by(16) {
        if let Some(byte) = bytes.get_mut(at + 30) {
            *byte = 0;
        }
    }
    bytes
}

#[test]
fn one_channel_of_a_log_is_what_a_full_read_gives_of_it() {
    let mut pairs = 0;
    for testkit::Fixture { name, bytes, .. } in testkit::fixtures("alog", "alog") {
        for bytes in [damaged(&bytes), bytes] {
            let input = Input::new("log.alog", Box::new(Cursor::new(bytes.clone())));
            if !input.is_ok_and(|input| Feed::new(input).with_format(Some("alog")).pull().is_ok()) {
                continue;
            }
            for channel in channels(&bytes) {
                assert_same(&name, &bytes, &channel);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 100, "{pairs} pairs");
}

/// The error for an unmatched pattern lists all channels, however many records are skipped.
#[test]
fn a_pattern_that_no_channel_matches_is_told_with_all_channels() {
    let bytes = testkit::fixture("alog/moosivp.alog");
    let seen = std::sync::Arc::new(std::sync::Mutex::new(BTreeSet::new()));
    let (met, all) = (std::sync::Arc::clone(&seen), std::sync::Arc::clone(&seen));
    let missing = move || {
        let met = all.lock().unwrap().iter().cloned().collect();
        Some(NoChannel { pattern: "none".into(), nearest: None, met })
    };
    let filter = ChannelFilter::new(move |channel| {
        met.lock().unwrap().insert(channel.to_owned());
        false
    });
    read(&bytes, Limit::default().with_channels(filter.with_unmatched(missing)).unchecked(), |_| {});
    assert_eq!(*seen.lock().unwrap(), channels(&bytes));
}
