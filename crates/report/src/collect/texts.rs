//! Text over time: states and events.

use std::collections::HashMap;

/// States of a channel or a field: a few short words, each valid until the next.
#[derive(Debug)]
pub(crate) struct States {
    pub(crate) name: String,
    /// Start time of each word.
    pub(crate) runs: Vec<(f64, String)>,
    words: Vec<String>,
    /// Whether it has too many words or changes to draw.
    is_chatty: bool,
}

/// Maximum number of words of one channel, and of letters of a word.
const WORDS: usize = 8;
const LETTERS: usize = 32;
/// Maximum number of changes of one channel.
const CHANGES: usize = 60;

impl States {
    pub(crate) fn new(name: String) -> Self {
        Self { name, runs: Vec::new(), words: Vec::new(), is_chatty: false }
    }

    pub(crate) fn add(&mut self, t: f64, word: &str) {
        if self.is_chatty || self.runs.last().is_some_and(|(from, last)| last == word || t < *from) {
            return;
        }
        if !self.words.iter().any(|known| known == word) {
            self.words.push(word.chars().take(LETTERS + 1).collect());
        }
        self.runs.push((t, word.chars().take(LETTERS + 1).collect()));
        // Lists of keys and values are not states.
        let is_state = word.chars().count() <= LETTERS && !word.contains('=');
        if !is_state || self.words.len() > WORDS || self.runs.len() > CHANGES {
            self.is_chatty = true;
            (self.runs, self.words) = (Vec::new(), Vec::new());
        }
    }

    /// Whether it is worth a ribbon.
    pub(crate) fn is_drawn(&self) -> bool {
        let times = self.runs.first().zip(self.runs.last());
        !self.is_chatty && self.words.len() >= 2 && times.is_some_and(|(first, last)| last.0 > first.0)
    }
}

/// Texts and events; equal ones of a channel share a row.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) rows: Vec<Event>,
    known: HashMap<(usize, String), usize>,
    /// By channel: its name, number of texts, and number of texts without a row.
    pub(crate) counts: Vec<(String, u64, u64)>,
}

/// Equal texts of one channel.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Index of the channel in [`Events::counts`].
    pub(crate) channel: usize,
    pub(crate) text: String,
    pub(crate) first: Option<f64>,
    pub(crate) last: Option<f64>,
    pub(crate) times: u64,
    rows_of_channel: usize,
}

/// Maximum number of rows of the table, and of one channel in it.
pub(crate) const ROWS: usize = 1000;
const ROWS_OF_CHANNEL: usize = 100;
/// Maximum number of letters of a text.
const TEXT: usize = 240;

impl Events {
    /// Adds a channel of events.
    pub(crate) fn channel(&mut self, name: String) -> usize {
        self.counts.push((name, 0, 0));
        self.counts.len() - 1
    }

    pub(crate) fn add(&mut self, channel: usize, t: Option<f64>, text: &str) {
        let Some((_, count, beyond)) = self.counts.get_mut(channel) else { return };
        *count += 1;
        let mut text: String = text.trim().chars().take(TEXT + 1).collect();
        if text.chars().count() > TEXT {
            text.pop();
            text.push('…');
        }
        let key = (channel, text);
        if let Some(row) = self.known.get(&key).and_then(|row| self.rows.get_mut(*row)) {
            row.times += 1;
            row.first = [row.first, t].into_iter().flatten().reduce(f64::min);
            row.last = [row.last, t].into_iter().flatten().reduce(f64::max);
            return;
        }
        let of_channel =
            self.rows.iter().rev().find(|row| row.channel == channel).map_or(0, |row| row.rows_of_channel);
        if self.rows.len() >= ROWS || of_channel >= ROWS_OF_CHANNEL {
            *beyond += 1;
            return;
        }
        let rows_of_channel = of_channel + 1;
        let text = key.1.clone();
        self.rows.push(Event { channel, text, first: t, last: t, times: 1, rows_of_channel });
        self.known.insert(key, self.rows.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_are_states_and_many_are_not() {
        let mut states = States::new("a".into());
        for (t, word) in [(0.0, "red"), (1.0, "red"), (2.0, "green"), (3.0, "red")] {
            states.add(t, word);
        }
        assert!(states.is_drawn());
        assert_eq!(states.runs, [(0.0, "red".into()), (2.0, "green".into()), (3.0, "red".into())]);
        (0..20).for_each(|n| states.add(4.0 + f64::from(n), &n.to_string()));
        assert!(!states.is_drawn());
    }

    #[test]
    fn equal_events_are_one_row_and_a_chatty_channel_leaves_room() {
        let mut events = Events::default();
        let (a, b) = (events.channel("a".into()), events.channel("b".into()));
        (0..500).for_each(|n| events.add(a, Some(f64::from(n)), &format!("text {n}")));
        events.add(b, None, "hit");
        events.add(b, Some(3.0), "hit");
        assert_eq!(events.rows.len(), 101);
        let last = events.rows.last().unwrap();
        assert_eq!((last.times, last.first, last.last), (2, Some(3.0), Some(3.0)));
        assert_eq!(events.counts[0], ("a".into(), 500, 400));
    }
}
