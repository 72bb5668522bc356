//! Compares samples of two recordings, channel by channel.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
    path::Path,
    sync::Arc,
};

use robolog_convert::{BoxSamples, Error, Result, Settings, weight_of};
use robolog_core::{ErrorKind, Sample, Timestamp};
use serde_json::{Value as Json, json};

use super::{channels::is_same_time, shown, values};
use crate::progress::Context;

/// Maximum bytes, about, of samples waiting for their counterparts.
const WAITING: usize = 16 << 20;

/// Two recordings to compare.
pub(super) struct Pairs<'a> {
    pub(super) paths: [&'a Path; 2],
    pub(super) format: Option<&'a str>,
    pub(super) context: Context,
    pub(super) tolerance: f64,
    /// Nanoseconds by which the second is later.
    pub(super) shift: i64,
    /// Channels of the first, with their names in the second.
    pub(super) renames: &'a [[String; 2]],
}

/// Result of the comparison.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Number of sample pairs compared.
    pub(super) compared: u64,
    /// The first difference found.
    pub(super) difference: Option<Difference>,
}

/// Two samples that differ.
#[derive(Debug)]
pub(super) struct Difference {
    channel: String,
    /// Index of the sample in its channel.
    index: u64,
    time: Option<Timestamp>,
    field: String,
    values: [Json; 2],
}

impl Difference {
    pub(super) fn channel(&self) -> &str {
        &self.channel
    }

    pub(super) fn to_json(&self) -> Json {
        json!({
            "channel": self.channel,
            "index": self.index,
            "t_ns": self.time.map(Timestamp::nanos),
            "field": self.field,
            "values": self.values,
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channel, index, time, field, values: [a, b] } = self;
        write!(f, "{channel}: sample {index} at {}: {field} is {a}, {b}", shown(*time))
    }
}

impl Pairs<'_> {
    /// Compares the samples of these channels.
    pub(super) fn compare(&self, channels: &[String]) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut left: HashSet<Arc<str>> = channels.iter().map(|channel| Arc::from(&**channel)).collect();
        while !left.is_empty() && outcome.difference.is_none() {
            let mut pass = Pass::new(left, (self.tolerance, self.shift));
            pass.run(self.samples()?, &mut outcome)?;
            left = pass.later;
        }
        Ok(outcome)
    }

    fn samples(&self) -> Result<[BoxSamples; 2]> {
        let open = |path| self.context.open(path)?.samples_with(self.format, &Settings::default());
        let [a, b] = self.paths;
        let names: HashMap<String, Arc<str>> =
            self.renames.iter().map(|[old, new]| (new.clone(), Arc::from(&**old))).collect();
        let second = open(b)?.map(move |sample| {
            let mut sample = sample?;
            if let Some(old) = names.get(&*sample.channel) {
                sample.channel = Arc::clone(old);
            }
            Ok(sample)
        });
        Ok([open(a)?, Box::new(second)])
    }
}

/// One pass over both recordings.
struct Pass {
    tolerance: f64,
    /// Nanoseconds by which the second is later.
    shift: i64,
    wanted: HashSet<Arc<str>>,
    queues: HashMap<Arc<str>, Queue>,
    /// Bytes of waiting samples of the first and of the second.
    waiting: [usize; 2],
    /// Channels left for another pass.
    later: HashSet<Arc<str>>,
}

/// Samples of a channel waiting for those of the other recording.
#[derive(Default)]
struct Queue {
    samples: VecDeque<Sample>,
    side: Side,
    bytes: usize,
    compared: u64,
}

/// One of the two recordings.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Side {
    #[default]
    First,
    Second,
}

impl Side {
    fn of<T>(self, both: &mut [T; 2]) -> &mut T {
        let [first, second] = both;
        match self {
            Self::First => first,
            Self::Second => second,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl Pass {
    fn new(wanted: HashSet<Arc<str>>, (tolerance, shift): (f64, i64)) -> Self {
        Self { tolerance, shift, wanted, queues: HashMap::new(), waiting: [0; 2], later: HashSet::new() }
    }

    fn run(&mut self, mut samples: [BoxSamples; 2], outcome: &mut Outcome) -> Result<()> {
        let mut is_over = [false; 2];
        while is_over != [true; 2] {
            // Read the recording with fewer waiting bytes.
            let [a, b] = self.waiting;
            let least = if b < a { Side::Second } else { Side::First };
            let side = if *least.of(&mut is_over) { least.other() } else { least };
            match side.of(&mut samples).next() {
                None => *side.of(&mut is_over) = true,
                Some(Ok(sample)) if self.wanted.contains(&sample.channel) => {
                    let is_alone = *side.other().of(&mut is_over);
                    outcome.difference = self.take(sample, side, is_alone, outcome);
                    if outcome.difference.is_some() {
                        return Ok(());
                    }
                    self.shed(outcome);
                }
                Some(Err(error)) if is_fatal(&error) => return Err(error),
                // Skip damage: everything else is compared.
                Some(Ok(_) | Err(_)) => {}
            }
        }
        Ok(())
    }

    /// Compares a sample with its counterpart, or queues it. Once the other recording has ended, no counterpart can
    /// come, and the difference in counts is already known.
    fn take(
        &mut self,
        sample: Sample,
        side: Side,
        is_alone: bool,
        outcome: &mut Outcome,
    ) -> Option<Difference> {
        let queue = self.queues.entry(Arc::clone(&sample.channel)).or_default();
        if queue.samples.is_empty() || queue.side == side {
            if !is_alone {
                let bytes = weight(&sample);
                queue.side = side;
                queue.bytes += bytes;
                let waiting = side.of(&mut self.waiting);
                *waiting += bytes;
                queue.samples.push_back(sample);
            }
            return None;
        }
        let other = queue.samples.pop_front()?;
        let bytes = weight(&other);
        queue.bytes -= bytes;
        let waiting = queue.side.of(&mut self.waiting);
        *waiting -= bytes;
        let index = queue.compared;
        queue.compared += 1;
        outcome.compared += 1;
        let [a, b] = if side == Side::Second { [other, sample] } else { [sample, other] };
        let (channel, time) = (a.channel.to_string(), a.time);
        let nanos = |sample: &Sample| json!(sample.time.map(Timestamp::nanos));
        let moved = a.time.and_then(|time| time.checked_add(self.shift));
        let (field, values) = if is_same_time([moved, b.time], self.tolerance) {
            values::difference(&a.value, &b.value, self.tolerance)?
        } else {
            ("t_ns".into(), [nanos(&a), nanos(&b)])
        };
        Some(Difference { channel, index, time, field, values })
    }

    /// Leaves channels for another pass, largest queue first, until the waiting samples fit. One channel always stays.
    fn shed(&mut self, outcome: &mut Outcome) {
        while self.waiting.iter().sum::<usize>() > WAITING && self.wanted.len() > 1 {
            let largest = self.queues.iter().max_by_key(|(_, queue)| queue.bytes);
            let Some(name) = largest.map(|(name, _)| Arc::clone(name)) else { return };
            let Some(queue) = self.queues.remove(&name) else { return };
            let waiting = queue.side.of(&mut self.waiting);
            *waiting -= queue.bytes;
            // These samples will be compared again.
            outcome.compared -= queue.compared;
            self.wanted.remove(&name);
            self.later.insert(name);
        }
    }
}

/// Whether reading cannot continue after this error.
fn is_fatal(error: &Error) -> bool {
    match error {
        Error::Recording(error) => matches!(error.kind(), ErrorKind::Io(_)),
        Error::DataSet { .. } => false,
        _ => true,
    }
}

/// Approximate memory of a sample, in bytes.
fn weight(sample: &Sample) -> usize {
    weight_of(&sample.value) + sample.channel.len()
}

#[cfg(test)]
mod tests {
    use robolog_core::{Clock, Value};

    use super::*;

    /// One megabyte of text each.
    fn sample(channel: &str, ns: i64) -> Sample {
        let time = Some(Timestamp::new(ns, Clock::Device));
        let value = Value::Text("x".repeat(1 << 20));
        Sample::new(channel, value).with_time(time)
    }

    fn stream(order: &'static [&'static str]) -> BoxSamples {
        Box::new(order.iter().flat_map(|channel| (0..20).map(|ns| Ok(sample(channel, ns)))))
    }

    #[test]
    fn channels_that_lie_far_apart_are_left_for_another_pass() {
        let names = ["a", "b", "c"];
        let mut left: HashSet<Arc<str>> = names.iter().map(|name| Arc::from(*name)).collect();
        let (mut outcome, mut passes) = (Outcome::default(), 0);
        while !left.is_empty() {
            let mut pass = Pass::new(left, (0.0, 0));
            pass.run([stream(&["a", "b", "c"]), stream(&["c", "b", "a"])], &mut outcome).unwrap();
            assert!(pass.waiting.iter().sum::<usize>() <= WAITING);
            (left, passes) = (pass.later, passes + 1);
        }
        assert!(outcome.difference.is_none() && outcome.compared == 60 && passes > 1, "{passes} passes");
    }

    #[test]
    fn the_first_sample_that_differs_is_told_with_its_channel_and_place() {
        let mut pass = Pass::new(HashSet::from(["a".into()]), (0.0, 0));
        let mut outcome = Outcome::default();
        let other = (0..3).map(|ns| Ok(sample("a", if ns == 2 { 7 } else { ns })));
        pass.run([stream(&["a"]), Box::new(other)], &mut outcome).unwrap();
        let difference = outcome.difference.unwrap();
        assert_eq!(
            (&*difference.field, difference.index, difference.values[1].clone()),
            ("t_ns", 2, json!(7))
        );
    }
}
