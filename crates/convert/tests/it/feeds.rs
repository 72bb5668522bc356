//! Several recordings on one time axis, and the changes to their samples.

use std::{
    io::{self, Cursor},
    sync::atomic::{AtomicU64, Ordering},
};

use robolog_convert::{
    ChannelFilter, Error, Feed, FrameId, Input, Limit, Origin, Outcome, Report, Result, Settings, Sink,
    convert,
};
use robolog_core::{Clock, Sample, Timestamp, Value};

/// Keeps all samples.
#[derive(Default)]
struct Kept {
    samples: Vec<Sample>,
    origins: Vec<Origin>,
    starts: Vec<Timestamp>,
    warnings: Vec<String>,
}

impl Sink for Kept {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.origins.push(origin.clone());
        Ok(())
    }

    fn begin_at(&mut self, start: Timestamp) {
        if self.starts.last() != Some(&start) {
            self.starts.push(start);
        }
    }

    fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.samples.push(sample.clone());
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

fn run(feeds: Vec<Feed>) -> Result<(Kept, Report)> {
    let mut kept = Kept::default();
    let report = convert(feeds, &mut kept, &mut |_| {})?;
    Ok((kept, report))
}

fn log(name: &str, text: &str) -> Feed {
    Feed::new(Input::new(name, Box::new(Cursor::new(text.to_owned()))).unwrap())
}

const HEAD: &str = "%% LOG FILE:  ./a.alog\n%% LOGSTART 1000.0\n";

/// Time in nanoseconds, channel and value of each.
fn told(kept: &Kept) -> Vec<(i64, String, f64)> {
    let number = |sample: &Sample| match &sample.value {
        Value::Scalar(n) => *n,
        other => panic!("{other:?}"),
    };
    kept.samples.iter().map(|s| (s.time.unwrap().nanos(), s.channel.to_string(), number(s))).collect()
}

#[test]
fn recordings_are_put_in_order_of_time() {
    let a = format!("{HEAD}0.1 A src 1\n0.3 A src 2\n0.3 A src 3\n0.9 A src 4\n");
    let b = format!("{HEAD}0.2 A src 5\n0.3 B src 6\n0.8 B src 7\n");
    let (kept, report) = run(vec![log("a", &a).below("one"), log("b", &b).below("two")]).unwrap();
    let at = |tenths: i64| 1_000_000_000_000 + tenths * 100_000_000;
    let want = [
        (at(1), "one/A", 1.0),
        (at(2), "two/A", 5.0),
        (at(3), "one/A", 2.0),
        (at(3), "one/A", 3.0),
        (at(3), "two/B", 6.0),
        (at(8), "two/B", 7.0),
        (at(9), "one/A", 4.0),
    ];
    assert_eq!(told(&kept), want.map(|(time, channel, value)| (time, channel.to_owned(), value)));
    assert_eq!((report.records, report.written["scalar"].samples), (7, 7));
    let origins: Vec<_> = kept.origins.iter().map(|o| (o.name.as_str(), o.format)).collect();
    assert_eq!(origins, [("a", "alog"), ("b", "alog")]);
    assert!(kept.starts.len() == 1, "all count from one moment: {:?}", kept.starts);
}

#[test]
fn times_are_moved_and_frames_named_for_each_recording() {
    let text = format!("{HEAD}0.1 A src 1\n0.1 B src 2\n");
    let mut settings = Settings::default();
    settings.time_offset = 50_000_000;
    let frame = |glob: &'static str, name: &str| FrameId {
        channels: ChannelFilter::new(move |channel| channel == glob),
        frame_id: name.into(),
    };
    settings.frame_ids = vec![frame("B", "b_frame"), frame("B", "never")];
    let only_b = Limit::new(None, None, Some(ChannelFilter::new(|channel| channel == "B")));
    let moved = log("m", &text).below("m").with_settings(settings).with_limit(only_b);
    let (kept, _) = run(vec![moved, log("n", &text)]).unwrap();
    let told: Vec<_> = kept
        .samples
        .iter()
        .map(|s| (s.time.unwrap().nanos() - 1_000_000_000_000, &*s.channel, &*s.frame_id))
        .collect();
    assert_eq!(told, [(100_000_000, "A", "map"), (100_000_000, "B", "map"), (150_000_000, "m/B", "b_frame")]);
}

#[test]
fn samples_without_a_time_come_first_or_behind_their_neighbour() {
    let sample = |time: Option<i64>, value| {
        Sample::new("c", Value::Scalar(value)).with_time(time.map(|ns| Timestamp::new(ns, Clock::Unix)))
    };
    let a = Feed::of_samples(vec![sample(Some(5), 1.0), sample(None, 2.0), sample(Some(9), 3.0)]);
    let b = Feed::of_samples(vec![sample(None, 4.0), sample(Some(6), 5.0)]);
    let (kept, _) = run(vec![a, b]).unwrap();
    let values: Vec<_> = kept.samples.iter().map(|s| s.value.clone()).collect();
    assert_eq!(values, [4.0, 1.0, 2.0, 5.0, 3.0].map(Value::Scalar));
}

#[test]
fn clocks_that_do_not_compare_are_refused() {
    let of = |clock| {
        let value = Value::Scalar(1.0);
        let time = Some(Timestamp::new(1, clock));
        vec![Sample::new("c", value).with_time(time)]
    };
    let feeds = |settings: Settings| {
        let b = Feed::of_samples(of(Clock::Device)).with_settings(settings);
        vec![Feed::of_samples(of(Clock::Unix)), b]
    };
    let error = run(feeds(Settings::default())).err().unwrap();
    assert_eq!(error.advice(), Some(robolog_convert::Advice::SayClock));
    let mut settings = Settings::default();
    settings.clock = Some(Clock::Unix);
    assert_eq!(run(feeds(settings)).unwrap().0.samples.len(), 2);
    let mut settings = Settings::default();
    settings.epoch = Some(Timestamp::new(7, Clock::Unix));
    assert_eq!(run(feeds(settings)).unwrap().0.samples[1].time.unwrap().nanos(), 8);
}

#[test]
fn faults_are_those_of_their_recording() {
    let damaged = testkit::fixture("lvx/short_tail.lvx");
    let damaged = Feed::new(Input::new("damaged", Box::new(Cursor::new(damaged))).unwrap());
    let sound = testkit::fixture("lvx/room.lvx");
    let sound = Feed::new(Input::new("sound", Box::new(Cursor::new(sound))).unwrap());
    let mut settings = Settings::default();
    settings.clock = Some(Clock::Unix);
    let (kept, report) =
        run(vec![sound.with_settings(settings.clone()), damaged.with_settings(settings)]).unwrap();
    assert_eq!(report.damage.iter().map(|d| d.feed).collect::<Vec<_>>(), [1]);
    assert_eq!(kept.warnings, [report.damage[0].error.to_string()]);
}

/// Reads an endless log, and counts the bytes read.
struct Endless(&'static AtomicU64);

impl io::Read for Endless {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let line = b"0.1 A src 1\n";
        let n = buf.len() / line.len() * line.len();
        for (to, from) in buf[..n].iter_mut().zip(line.iter().cycle()) {
            *to = *from;
        }
        self.0.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Takes a number of samples, then fails.
struct Full(u32);

impl Sink for Full {
    fn write(&mut self, _: &mut Sample) -> Result<Outcome> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| Error::Write(io::ErrorKind::BrokenPipe.into()))?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_target_that_fails_ends_the_reading() {
    static READ: AtomicU64 = AtomicU64::new(0);
    let input = Input::new("endless", Box::new(io::Read::chain(Cursor::new(HEAD), Endless(&READ)))).unwrap();
    let error = convert(vec![Feed::new(input)], &mut Full(100_000), &mut |_| {}).unwrap_err();
    assert!(error.is_broken_pipe(), "{error}");
    assert!(READ.load(Ordering::Relaxed) < 10_000_000, "what was read ahead is bounded");
}

#[test]
fn a_recording_that_cannot_be_read_names_itself() {
    let unreadable = Feed::new(Input::new("odd", Box::new(Cursor::new(b"\x00\x01odd"))).unwrap());
    let error = run(vec![log("a", &format!("{HEAD}0.1 A src 1\n")), unreadable]).err().unwrap();
    assert!(error.to_string().starts_with("odd: unknown format"), "{error}");
}
