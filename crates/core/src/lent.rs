//! Samples that are lent again and again.

use std::{collections::HashMap, mem, sync::Arc};

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
    own: Names,
    sample: Sample,
}

/// What the samples of a channel share.
#[derive(Debug, Clone)]
struct Names {
    channel: Arc<str>,
    frame_id: Arc<str>,
    attributes: Attributes,
}

impl Names {
    fn new(channel: impl Into<Arc<str>>, frame_id: impl Into<Arc<str>>) -> Self {
        Self { channel: channel.into(), frame_id: frame_id.into(), attributes: Attributes::default() }
    }

    /// Whether a sample has the same in memory.
    #[inline]
    fn are_of(&self, sample: &Sample) -> bool {
        Arc::ptr_eq(&self.channel, &sample.channel)
            && Arc::ptr_eq(&self.frame_id, &sample.frame_id)
            && self.attributes.is_same(&sample.attributes)
    }

    #[inline]
    fn swap(&mut self, sample: &mut Sample) {
        mem::swap(&mut self.channel, &mut sample.channel);
        mem::swap(&mut self.frame_id, &mut sample.frame_id);
        mem::swap(&mut self.attributes, &mut sample.attributes);
    }
}

impl Lent {
    /// The sample of a channel in a frame.
    pub fn new(channel: impl Into<Arc<str>>, frame_id: impl Into<Arc<str>>) -> Self {
        let own = Names::new(channel, frame_id);
        let sample = Sample::new(Arc::clone(&own.channel), Value::Scalar(0.0));
        Self { sample: sample.with_frame(Arc::clone(&own.frame_id)), own }
    }

    /// Name of the channel.
    #[inline]
    pub fn channel(&self) -> &Arc<str> {
        &self.own.channel
    }

    /// The frame of the channel.
    #[inline]
    pub fn frame_id(&self) -> &Arc<str> {
        &self.own.frame_id
    }

    /// What the recording says of the channel.
    #[inline]
    pub fn attributes(&self) -> &Attributes {
        &self.own.attributes
    }

    /// Takes the values of this channel from now on.
    #[inline]
    pub fn in_channel(&mut self, channel: &Arc<str>) -> &mut Self {
        if !Arc::ptr_eq(&self.own.channel, channel) {
            self.own.channel = Arc::clone(channel);
        }
        self
    }

    /// Moves the channel into this frame, if it is in another.
    #[inline]
    pub fn in_frame(&mut self, frame_id: &Arc<str>) -> &mut Self {
        if !Arc::ptr_eq(&self.own.frame_id, frame_id) {
            self.own.frame_id = Arc::clone(frame_id);
        }
        self
    }

    /// Gives the channel these attributes, if it has others.
    #[inline]
    pub fn with_attributes(&mut self, attributes: &Attributes) -> &mut Self {
        if !self.own.attributes.is_same(attributes) {
            self.own.attributes = attributes.clone();
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

    /// Delivers a row with these columns, from this time and byte. `put` overwrites the cells of the previous row.
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
        let Self { own, sample } = self;
        if !own.are_of(sample) {
            own.clone().swap(sample);
        }
        (sample.time, sample.offset) = (time, offset);
        sample
    }
}

/// The names of a channel, for a sample that many channels share in turn.
///
/// ```
/// use robolog_core::{Sample, Value, format::LentNames};
/// let mut names = LentNames::of(&Sample::new("a", Value::Scalar(0.0)).with_frame("map"));
/// let mut shared = Sample::new("of all", Value::Scalar(1.5));
/// for _ in 0..2 {
///     names.lend(&mut shared, |sample| {
///         assert_eq!((&*sample.channel, &*sample.frame_id), ("a", "map"));
///         sample.channel = "changed".into();
///     });
/// }
/// assert_eq!(&*shared.channel, "of all");
/// ```
#[derive(Debug)]
pub struct LentNames {
    own: Names,
    /// The same; taken by a sample while it is lent.
    lent: Names,
}

impl LentNames {
    /// The names of this sample.
    pub fn of(sample: &Sample) -> Self {
        let Sample { channel, frame_id, attributes, .. } = sample.like(Value::Scalar(0.0));
        let own = Names { channel, frame_id, attributes };
        Self { lent: own.clone(), own }
    }

    /// Whether a sample has the same in memory.
    #[inline]
    pub fn are_of(&self, sample: &Sample) -> bool {
        self.own.are_of(sample)
    }

    /// Name of the channel.
    #[inline]
    pub fn channel(&self) -> &Arc<str> {
        &self.own.channel
    }

    /// Gives the channel these attributes.
    pub fn set_attributes(&mut self, attributes: &Attributes) {
        self.own.attributes = attributes.clone();
        self.lent = self.own.clone();
    }

    /// Gives them to a sample while `work` has it. What `work` changes in them is put back.
    #[inline]
    pub fn lend<T>(&mut self, sample: &mut Sample, work: impl FnOnce(&mut Sample) -> T) -> T {
        self.lent.swap(sample);
        let done = work(sample);
        if !self.own.are_of(sample) {
            self.own.clone().swap(sample);
        }
        self.lent.swap(sample);
        done
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
