//! What a target cannot hold of the samples that it takes, and how much of it a recording had.

use std::sync::Arc;

use robolog_core::{
    Attributes, Clock, Column as PointColumn, Feature, GnssFix, PointCloud, Pose, Sample, Timestamp, Value,
    columns::Column,
};

use crate::{
    Advice, Note, Origin, Outcome, Result, Sink,
    numbered::Numbered,
    options::PointLayout,
    tracks::{Series, each_series, is_of_place, name_of},
};

/// What a target cannot hold of the samples that it takes: its declaration, from which losses are told.
///
/// ```
/// use robolog_sinks::Lacks;
/// let lacks = Lacks::MEASURED.and(Lacks::ATTRIBUTES);
/// assert!(lacks.has(Lacks::ATTRIBUTES) && !lacks.has(Lacks::TEXTS));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lacks(u16);

impl Lacks {
    /// It holds everything.
    pub const NOTHING: Self = Self(0);
    /// What was measured with a fix, such as the heart rate.
    pub const MEASURED: Self = Self(1);
    /// What is known of a fix without a date beside its position.
    pub const SERIES_WITHOUT_DATES: Self = Self(2);
    /// The talkers behind a fix, and its covariance.
    pub const RECEIVER: Self = Self(4);
    /// Names and other texts of features.
    pub const TEXTS: Self = Self(8);
    /// Attributes of channels, such as the name of a track.
    pub const ATTRIBUTES: Self = Self(16);
    /// Attributes of channels but their names.
    pub const FURTHER_ATTRIBUTES: Self = Self(32);
    /// Intensities of points.
    pub const INTENSITIES: Self = Self(64);
    /// Times of points within their cloud.
    pub const POINT_TIMES: Self = Self(128);
    /// Numbers of returns.
    pub const RETURNS: Self = Self(256);
    /// Tags of points, which have the number of the return, too.
    pub const TAGS: Self = Self(512);
    /// Rings or lines of points.
    pub const RINGS: Self = Self(1024);

    /// What messages with this layout of points cannot hold.
    pub const fn of_layout(layout: PointLayout) -> Self {
        match layout {
            PointLayout::Robolog => Self::NOTHING,
            PointLayout::Velodyne | PointLayout::Ouster | PointLayout::Hesai => Self::RETURNS.and(Self::TAGS),
            PointLayout::Autoware => Self::TAGS,
            PointLayout::Xyzi => Self::POINT_TIMES.and(Self::RETURNS).and(Self::TAGS).and(Self::RINGS),
            PointLayout::Livox | PointLayout::LivoxCustom | PointLayout::LivoxCustom1 => Self::RETURNS,
        }
    }

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it lacks this.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in both.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Calls `lost` with what a target without these loses of a sample, and with what has it.
    fn of(self, sample: &Sample, lost: &mut dyn FnMut(&str, &'static str)) {
        match &sample.value {
            Value::GnssFix(fix) => self.of_fix(sample, fix, lost),
            Value::Feature(feature) if self.has(Self::TEXTS) => texts(feature, lost),
            Value::PointCloud(cloud) => self.of_cloud(cloud, lost),
            _ => {}
        }
    }

    fn of_cloud(self, cloud: &PointCloud, lost: &mut dyn FnMut(&str, &'static str)) {
        for (lacks, column, name) in COLUMNS {
            // A tag has the number of the return, too.
            let is_in_tag = lacks == Self::RETURNS && !self.has(Self::TAGS) && !cloud.tag.is_empty();
            if self.has(lacks) && cloud.column_len(column) > 0 && !is_in_tag {
                lost(name, "point_cloud");
            }
        }
    }

    fn of_fix(self, sample: &Sample, fix: &GnssFix, lost: &mut dyn FnMut(&str, &'static str)) {
        let is_dated = sample.time.is_some_and(|time| time.clock() == Clock::Unix);
        if self.has(Self::SERIES_WITHOUT_DATES) && !is_dated {
            // A named point is a place of its own beside the line.
            let is_named = name_of(fix).is_some();
            each_series(fix, &mut |name, _, _| {
                if !(is_named && is_of_place(name)) {
                    lost(name, FIX);
                }
            });
        } else if self.has(Self::MEASURED)
            && let Some(row) = &fix.measured
        {
            let cells = row.iter().filter(|(_, cell)| **cell != robolog_core::Cell::Null);
            cells.for_each(|(field, _)| lost(&field.name, FIX));
        }
        if self.has(Self::RECEIVER) {
            each_series(fix, &mut |name, _, value| {
                if name == "talkers" && matches!(value, Series::Text(_)) {
                    lost(name, FIX);
                }
            });
            if fix.position_covariance.is_some() {
                lost("covariance", FIX);
            }
        }
    }

    fn of_attributes(self, attributes: &Attributes, lost: &mut dyn FnMut(&str, &'static str)) {
        let keys = attributes.iter().map(|(key, _)| key).filter(|key| OF_TRACKS.contains(key));
        let is_lost =
            |key: &str| self.has(Self::ATTRIBUTES) || self.has(Self::FURTHER_ATTRIBUTES) && key != "name";
        keys.filter(|key| is_lost(key)).for_each(|key| lost(key, "channel"));
    }
}

/// In words, for people.
impl std::fmt::Display for Lacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [
            (Self::MEASURED, "what was measured with a fix"),
            (Self::SERIES_WITHOUT_DATES, "what is known of a fix without a date beside its position"),
            (Self::RECEIVER, "talkers and covariance of a fix"),
            (Self::TEXTS, "names and properties of features"),
            (Self::ATTRIBUTES, "attributes of channels"),
            (Self::FURTHER_ATTRIBUTES, "attributes of channels but the names of tracks"),
            (Self::INTENSITIES, "intensities of points"),
            (Self::POINT_TIMES, "times of points"),
            (Self::RETURNS, "numbers of returns"),
            (Self::TAGS, "tags of points"),
            (Self::RINGS, "rings of points"),
        ];
        let words: Vec<_> = words.iter().filter(|(one, _)| self.has(*one)).map(|(_, words)| *words).collect();
        f.write_str(&words.join("; "))
    }
}

const FIX: &str = "gnss_fix";
/// Columns of points that a target may lack, and what they are called where they are left out.
const COLUMNS: [(Lacks, PointColumn, &str); 5] = [
    (Lacks::INTENSITIES, PointColumn::Intensity, "intensities"),
    (Lacks::POINT_TIMES, PointColumn::TimeOffset, "times"),
    (Lacks::RETURNS, PointColumn::ReturnNumber, "return_numbers"),
    (Lacks::TAGS, PointColumn::Tag, "tags"),
    (Lacks::RINGS, PointColumn::Ring, "rings"),
];
/// Attributes that tell what people named: others, such as the vehicle, are in the recording's origin.
const OF_TRACKS: [&str; 7] = ["name", "description", "comment", "source", "link", "number", "type"];

fn texts(feature: &Feature, lost: &mut dyn FnMut(&str, &'static str)) {
    let Feature { name, description, symbol, kind, link, properties, .. } = feature;
    let texts =
        [("name", name), ("description", description), ("symbol", symbol), ("type", kind), ("link", link)];
    for (what, _) in texts.iter().filter(|(_, text)| text.is_some()) {
        lost(what, "feature");
    }
    if properties.is_some() {
        lost("properties", "feature");
    }
}

/// Counts what a sink does not hold of the samples that it takes.
pub(crate) struct Fidelity {
    sink: Box<dyn Sink>,
    lacks: Lacks,
    /// What was lost, of what, how often.
    lost: Vec<(&'static str, &'static str, u64)>,
    channels: Numbered,
    /// Attributes of each channel that were counted last.
    attributes: Vec<Attributes>,
}

impl Fidelity {
    pub(crate) fn around(sink: Box<dyn Sink>, lacks: Lacks) -> Box<dyn Sink> {
        if lacks == Lacks::NOTHING {
            return sink;
        }
        let (channels, attributes) = (Numbered::default(), Vec::new());
        Box::new(Self { sink, lacks, lost: Vec::new(), channels, attributes })
    }

    /// Whether a sample has no attributes, or those of its channel that were counted.
    fn knows(&mut self, sample: &Sample) -> bool {
        let mut known = || self.attributes.get(self.channels.find(&sample.channel)?);
        sample.attributes.is_empty() || known().is_some_and(|known| known.is_same(&sample.attributes))
    }

    fn remember(&mut self, sample: &Sample) {
        let number = self.channels.number(&sample.channel, || Arc::clone(&sample.channel));
        self.attributes.resize_with(self.channels.list.len(), Attributes::default);
        if let Some(known) = self.attributes.get_mut(number) {
            *known = sample.attributes.clone();
        }
    }

    /// What the sink would lose of a sample.
    fn losses(&self, sample: &Sample, are_attributes_known: bool) -> Vec<(&'static str, &'static str)> {
        let mut losses = Vec::new();
        let mut lost = |what: &str, of| losses.push((known(what), of));
        self.lacks.of(sample, &mut lost);
        if !are_attributes_known {
            self.lacks.of_attributes(&sample.attributes, &mut lost);
        }
        // Several other measurements of a fix count once.
        losses.dedup();
        losses
    }
}

/// A name that notes have words for.
fn known(name: &str) -> &'static str {
    const KNOWN: [&str; 29] = [
        "intensities",
        "times",
        "return_numbers",
        "tags",
        "rings",
        "heart_rate",
        "cadence",
        "power",
        "temperature",
        "water_temperature",
        "depth",
        "speed",
        "course",
        "quality",
        "satellites",
        "hdop",
        "vdop",
        "pdop",
        "talkers",
        "covariance",
        "name",
        "description",
        "symbol",
        "type",
        "link",
        "number",
        "properties",
        "comment",
        "source",
    ];
    KNOWN.into_iter().find(|known| *known == name).unwrap_or("other values")
}

impl Sink for Fidelity {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.sink.origin(origin)
    }

    fn warn(&mut self, warning: &str) {
        self.sink.warn(warning);
    }

    fn begin_at(&mut self, start: Timestamp) {
        self.sink.begin_at(start);
    }

    fn pose(&mut self, pose: Option<Pose>) {
        self.sink.pose(pose);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let are_attributes_known = self.knows(sample);
        let losses = self.losses(sample, are_attributes_known);
        let outcome = self.sink.write(sample)?;
        if outcome != Outcome::LeftOut {
            for (what, of) in losses {
                match self.lost.iter_mut().find(|lost| (lost.0, lost.1) == (what, of)) {
                    Some((_, _, count)) => *count += 1,
                    None => self.lost.push((what, of, 1)),
                }
            }
            if !are_attributes_known {
                self.remember(sample);
            }
        }
        Ok(outcome)
    }

    fn advice(&self) -> Option<Advice> {
        self.sink.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        let mut notes = self.sink.notes()?;
        notes.extend(self.lost.drain(..).map(|(what, of, count)| Note::Lacking { count, what, of }));
        Ok(notes)
    }

    fn columns(&mut self) -> Result<Vec<Column>> {
        self.sink.columns()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sink.finish()
    }
}
