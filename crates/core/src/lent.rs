//! Samples that are lent again and again.

use std::{collections::HashMap, sync::Arc};

use crate::{
    Attributes, Cell, Field, Result, Row, Sample, Timestamp, Value,
    channels::{RECENT, slot},
    format::Wanted,
};

/// The sample in which a decoder lends the values of a channel, one after another.
///
/// A new sample for each value would count the references to its names up and down, which takes as long as reading several
/// numbers.
#[derive(Debug)]
pub struct Lent {
    channel: Arc<str>,
    frame_id: Arc<str>,
    attributes: Attributes,
    sample: Sample,
}

impl Lent {
    /// The sample of a channel in a frame.
    pub fn new(channel: impl Into<Arc<str>>, frame_id: impl Into<Arc<str>>) -> Self {
        let (channel, frame_id) = (channel.into(), frame_id.into());
        let sample = Sample::new(Arc::clone(&channel), Value::Scalar(0.0)).with_frame(Arc::clone(&frame_id));
        Self { channel, frame_id, attributes: Attributes::default(), sample }
    }

    /// Name of the channel.
    #[inline]
    pub fn channel(&self) -> &Arc<str> {
        &self.channel
    }

    /// The frame of the channel.
    #[inline]
    pub fn frame_id(&self) -> &Arc<str> {
        &self.frame_id
    }

    /// What the recording says of the channel.
    #[inline]
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// Takes the values of this channel from now on.
    #[inline]
    pub fn in_channel(&mut self, channel: &Arc<str>) -> &mut Self {
        if !Arc::ptr_eq(&self.channel, channel) {
            self.channel = Arc::clone(channel);
        }
        self
    }

    /// Moves the channel into this frame, if it is in another.
    #[inline]
    pub fn in_frame(&mut self, frame_id: &Arc<str>) -> &mut Self {
        if !Arc::ptr_eq(&self.frame_id, frame_id) {
            self.frame_id = Arc::clone(frame_id);
        }
        self
    }

    /// Gives the channel these attributes, if it has others.
    #[inline]
    pub fn with_attributes(&mut self, attributes: &Attributes) -> &mut Self {
        if !self.attributes.is_same(attributes) {
            self.attributes = attributes.clone();
        }
        self
    }

    /// Delivers a value from this time and byte.
    #[inline]
    pub fn deliver(
        &mut self,
        time: Option<Timestamp>,
        offset: u64,
        value: Value,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let sample = self.at(time, offset);
        sample.value = value;
        let outcome = out.sample(sample);
        // There may be many channels with long values.
        sample.value = Value::Scalar(0.0);
        outcome
    }

    /// Delivers a row of these columns from this time and byte. `put` writes its cells over those of an earlier row.
    #[inline]
    pub fn deliver_row(
        &mut self,
        time: Option<Timestamp>,
        offset: u64,
        fields: &Arc<[Field]>,
        put: impl FnOnce(&mut [Cell]),
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let sample = self.at(time, offset);
        put(sample.value.row_cells(fields));
        out.sample(sample)
    }

    /// The sample from this time and byte, whatever the last consumer changed in it: for values in [other
    /// memory](Wanted::lend).
    #[inline]
    pub fn at(&mut self, time: Option<Timestamp>, offset: u64) -> &mut Sample {
        let Self { channel, frame_id, attributes, sample } = self;
        if !Arc::ptr_eq(&sample.channel, channel) {
            sample.channel = Arc::clone(channel);
        }
        if !Arc::ptr_eq(&sample.frame_id, frame_id) {
            sample.frame_id = Arc::clone(frame_id);
        }
        if !sample.attributes.is_same(attributes) {
            sample.attributes = attributes.clone();
        }
        (sample.time, sample.offset) = (time, offset);
        sample
    }
}

/// The samples of the channels that a recording names.
#[derive(Debug)]
pub struct LentByName {
    all: Vec<Lent>,
    places: HashMap<Vec<u8>, usize>,
    /// Places of those seen last, which are found without a search.
    recent: Vec<usize>,
    most: usize,
}

impl LentByName {
    /// Remembers up to `most` names: a log may invent one on every line.
    pub fn new(most: usize) -> Self {
        Self { all: Vec::new(), places: HashMap::new(), recent: Vec::new(), most }
    }

    /// The sample of a channel, a new one in this frame; there always is one. Invalid UTF-8 in its name becomes U+FFFD.
    #[inline]
    pub fn of(&mut self, name: &[u8], frame_id: impl FnOnce() -> Arc<str>) -> Option<&mut Lent> {
        let slot = slot(name);
        let is = |place: &usize| self.all.get(*place).is_some_and(|lent| lent.channel().as_bytes() == name);
        let recent = self.recent.get(slot).copied().filter(is);
        let place = recent.unwrap_or_else(|| self.search(name, slot, frame_id));
        self.all.get_mut(place)
    }

    fn search(&mut self, name: &[u8], slot: usize, frame_id: impl FnOnce() -> Arc<str>) -> usize {
        let place = self.places.get(name).copied().unwrap_or_else(|| self.add(name, frame_id()));
        self.recent.resize(RECENT, 0);
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = place;
        }
        place
    }

    fn add(&mut self, name: &[u8], frame_id: Arc<str>) -> usize {
        if self.all.len() >= self.most {
            self.all.clear();
            self.places.clear();
        }
        let place = self.all.len();
        self.all.push(Lent::new(String::from_utf8_lossy(name), frame_id));
        self.places.insert(name.to_vec(), place);
        place
    }
}

impl Value {
    /// Makes it a row of these columns, in the same memory if it is one. Returns the cells, with the content of any earlier
    /// row.
    #[inline]
    pub fn row_cells(&mut self, fields: &Arc<[Field]>) -> &mut [Cell] {
        if !matches!(self, Self::Row(_)) {
            *self = Self::Row(Row { fields: Arc::clone(fields), cells: Vec::with_capacity(fields.len()) });
        }
        let Self::Row(row) = self else { return &mut [] };
        if !Arc::ptr_eq(&row.fields, fields) {
            row.fields = Arc::clone(fields);
        }
        if row.cells.len() != fields.len() {
            row.cells.resize(fields.len(), Cell::Null);
        }
        &mut row.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, FieldKind, decode::deliver};

    /// Runs `work` for a consumer.
    fn run(mut each: impl FnMut(&mut Sample), work: impl FnOnce(&mut Wanted<'_>) -> Result<()>) {
        let mut sink = |sample: &mut Sample| {
            each(sample);
            Ok::<(), Error>(())
        };
        deliver(&mut sink, true, work).unwrap();
    }

    #[test]
    fn what_a_consumer_changes_is_put_back_and_what_it_leaves_is_used_again() {
        let fields: Arc<[Field]> = [Field::new("a", FieldKind::Text)].into();
        let mut lent = Lent::new("c", "f");
        lent.with_attributes(&[("k", "v".to_owned())].into_iter().collect());
        let mut seen = Vec::new();
        for n in 0..3 {
            let each = |sample: &mut Sample| {
                seen.push((sample.channel.to_string(), sample.frame_id.to_string(), sample.offset));
                assert_eq!(sample.attributes.get("k"), Some("v"));
                (sample.channel, sample.frame_id, sample.attributes) =
                    ("d".into(), "g".into(), Attributes::default());
            };
            run(each, |out| lent.deliver(None, n, Value::Scalar(1.0), out));
        }
        let names = ["c", "f"].map(str::to_owned);
        assert!(
            seen.iter().zip(0..).all(|(seen, n)| *seen == (names[0].clone(), names[1].clone(), n)),
            "{seen:?}"
        );
        let mut places = Vec::new();
        for text in ["long enough", "short"] {
            let each = |sample: &mut Sample| {
                let cell = &sample.value.row().unwrap().cells[0];
                assert_eq!(*cell, Cell::Text(text.to_owned()));
                places.push(std::ptr::from_ref(cell).addr());
            };
            run(each, |out| lent.deliver_row(None, 0, &fields, |cells| cells[0].set_text(text), out));
        }
        assert_eq!(places[0], places[1]);
        run(|_| (), |out| lent.deliver(None, 0, Value::Text("x".repeat(99)), out));
        assert_eq!(lent.at(None, 0).value, Value::Scalar(0.0), "long values are not kept");
    }

    #[test]
    fn a_channel_keeps_its_sample_until_there_are_too_many() {
        let mut names = LentByName::new(2);
        let frame: Arc<str> = "f".into();
        let mut of = |name: &[u8]| Arc::clone(names.of(name, || Arc::clone(&frame)).unwrap().channel());
        let first = of(b"NAV_X");
        assert!(Arc::ptr_eq(&first, &of(b"NAV_X")));
        assert_eq!((&*first, &*of(b"NAV\xff")), ("NAV_X", "NAV\u{fffd}"));
        assert!(Arc::ptr_eq(&first, &of(b"NAV_X")));
        assert_eq!(&*of(b"third"), "third");
        assert!(!Arc::ptr_eq(&first, &of(b"NAV_X")));
    }
}
