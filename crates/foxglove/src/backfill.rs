//! The last messages before a time.

use std::collections::{BTreeMap, BTreeSet};

use robolog_convert::Result;

use crate::{
    Index, Owned,
    part::{Ignore, Part, Reading},
};

impl Index {
    /// The last message of each of these topics at or before `time`, if any. Reads the parts of the recording that may
    /// contain them.
    pub fn backfill(&self, topics: &[u16], time: u64) -> Result<Vec<Owned>> {
        let mut asked: BTreeMap<usize, BTreeSet<u16>> = BTreeMap::new();
        for topic in topics {
            for number in self.may_hold(*topic, time) {
                asked.entry(number).or_default().insert(*topic);
            }
        }
        let mut found: BTreeMap<u16, Owned> = BTreeMap::new();
        for (number, topics) in asked {
            let Some(part) = self.parts.get(number) else { continue };
            // Messages after that time are not needed.
            let last = topics.iter().filter_map(|topic| part.of(*topic)).map(|(_, last)| last).max();
            let last = last.map_or(time, |last| last.min(time));
            let mut reading = Reading::of(self, part)?;
            let mut is_over = false;
            while !is_over && reading.step(&mut Ignore)? {
                for message in reading.stream.messages() {
                    is_over |= part.is_sorted && message.log_time > last;
                    let is_later = |found: &Owned| message.log_time >= found.log_time;
                    if message.log_time <= time
                        && topics.contains(&message.topic)
                        && found.get(&message.topic).is_none_or(is_later)
                    {
                        let (topic, log_time) = (message.topic, message.log_time);
                        found.insert(topic, Owned { topic, log_time, data: message.data.to_vec() });
                    }
                }
            }
        }
        Ok(found.into_values().collect())
    }

    /// Parts that may contain the last message of a topic at or before `time`.
    fn may_hold(&self, topic: u16, time: u64) -> Vec<usize> {
        let of = |part: &Part| part.of(topic).filter(|(first, _)| *first <= time);
        let spans = self.parts.iter().enumerate().filter_map(|(number, part)| Some((number, of(part)?.1)));
        let spans: Vec<_> = spans.collect();
        // A part that ends by then has a message at its end, so earlier parts do not matter.
        let least = spans.iter().map(|(_, last)| *last).filter(|last| *last <= time).max().unwrap_or(0);
        spans.into_iter().filter(|(_, last)| *last >= least).map(|(number, _)| number).collect()
    }
}
