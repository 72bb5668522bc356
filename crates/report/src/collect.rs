//! One pass over the samples of a recording into summaries of bounded size.

pub(crate) mod cloud;
pub(crate) mod features;
pub(crate) mod image;
mod known;
mod layout;
pub(crate) mod numbers;
pub(crate) mod scan;
pub(crate) mod series;
pub(crate) mod shapes;
pub(crate) mod sky;
pub(crate) mod texts;
pub(crate) mod timeline;
pub(crate) mod track;
mod values;
pub(crate) mod voxels;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use robolog_convert::{
    Outcome, Result, Sink,
    journey::{Journey, Position, late_channels},
};
use robolog_core::{Channel, Row, Sample, Summary, Value, slices::OrZero as _};
use serde_json::Value as Json;

pub(crate) use self::values::{ROWS, hit};
use self::{
    cloud::{Cloud, Room},
    features::{Area, Measured, Named},
    image::Thumbs,
    known::Known,
    numbers::{Numbers, Quantity, Slots},
    scan::Scans,
    shapes::Shapes,
    sky::Sky,
    texts::{Events, States},
    timeline::Timeline,
    track::Track,
    values::TABLES,
};
use crate::axis::{Axis, AxisPosition};

/// Summaries of a recording's samples.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) axis: Axis,
    pub(crate) lanes: Vec<Timeline>,
    pub(crate) numbers: Numbers,
    pub(crate) tracks: Vec<Track>,
    pub(crate) clouds: Vec<Cloud>,
    pub(crate) scans: Vec<Scans>,
    pub(crate) thumbs: Vec<Thumbs>,
    pub(crate) skies: Vec<Sky>,
    pub(crate) states: Vec<States>,
    pub(crate) events: Events,
    /// What the detectors found.
    pub(crate) happened: Vec<robolog_events::Event>,
    pub(crate) shapes: Shapes,
    /// Named places on Earth.
    pub(crate) places: Vec<Named>,
    pub(crate) areas: Vec<Area>,
    /// Number of lines on Earth that were not measured.
    lines: usize,
    measured: Measured,
    /// Rows with their times, by table, for sections specific to one format.
    pub(crate) tables: BTreeMap<&'static str, Vec<(Option<f64>, Row)>>,
    /// Number of channels without a lane, and of their samples.
    pub(crate) beyond: (u64, u64),
    /// Channels of poses that are those of the previous frame: of vehicles, as CARLA's recorder 0.9.6 writes them.
    late: BTreeSet<String>,
}

impl Collected {
    /// Distance, climb, time in motion and speeds of its tracks.
    pub(crate) fn journey(&self) -> Option<Journey> {
        Journey::new(self.tracks.iter().map(|track| (&*track.name, &track.path)))
    }
}

/// Collects the samples.
#[derive(Debug)]
pub(crate) struct Collector {
    kept: Collected,
    channels: Known<State>,
    /// Lane of each channel in the survey.
    lane_of: HashMap<String, usize>,
    images: u64,
    /// Records and values of channels with too many or too large samples to draw all.
    expected: HashMap<String, (u64, u64)>,
}

/// Indices of the summaries of one channel.
#[derive(Debug, Default)]
struct State {
    lane: Option<usize>,
    slots: Slots,
    track: Option<usize>,
    cloud: Option<usize>,
    scans: Option<usize>,
    thumbs: Option<usize>,
    sky: Option<usize>,
    events: Option<usize>,
    states: HashMap<String, usize>,
    table: Option<&'static str>,
}

/// Maximum number of lanes, and of channels of clouds, scans, images and satellites.
const LANES: usize = 2000;
const CLOUDS: usize = 3;
const SCANS: usize = 6;
const IMAGES: usize = 12;
const SKIES: usize = 2;
/// Maximum number of separate channels.
const CHANNELS: usize = 20_000;
/// Space for the first channel of clouds, and for others.
const ROOM: (Room, Room) =
    (Room { space: 120_000, scan: 170_000, sweeps: 48 }, Room { space: 30_000, scan: 30_000, sweeps: 0 });

impl Collector {
    /// Prepares the lanes from a survey.
    pub(crate) fn new(axis: Axis, summary: &Summary<Json>) -> Self {
        let channels = &summary.channels;
        let mut lanes: Vec<Timeline> = Vec::new();
        let mut lane_of = HashMap::new();
        let mut alike: BTreeMap<(String, &'static str), Vec<&Channel>> = BTreeMap::new();
        for channel in channels {
            alike.entry((pattern(&channel.name), channel.kind)).or_default().push(channel);
        }
        for ((pattern, kind), members) in alike {
            let is_one = members.len() > 4;
            for (n, channel) in members.iter().enumerate() {
                let rate = summary.rate_hz(channel);
                if n == 0 || !is_one {
                    if lanes.len() >= LANES {
                        break;
                    }
                    let name = if is_one { pattern.clone() } else { channel.name.clone() };
                    lanes.push(Timeline::new(name, kind, 1, rate));
                } else if let Some(lane) = lanes.last_mut() {
                    lane.join(rate);
                }
                lane_of.insert(channel.name.clone(), lanes.len() - 1);
            }
        }
        let of_images = || channels.iter().filter(|channel| channel.kind == "image");
        let kept = Collected {
            axis,
            lanes,
            numbers: Numbers::default(),
            tracks: Vec::new(),
            clouds: Vec::new(),
            scans: Vec::new(),
            thumbs: Vec::new(),
            skies: Vec::new(),
            states: Vec::new(),
            events: Events::default(),
            happened: Vec::new(),
            shapes: Shapes::default(),
            places: Vec::new(),
            areas: Vec::new(),
            lines: 0,
            measured: Measured::new(),
            tables: BTreeMap::new(),
            beyond: (0, 0),
            late: late_channels(summary),
        };
        let images = of_images().count() as u64;
        let large = channels.iter().filter(|channel| matches!(channel.kind, "image" | "point_cloud"));
        let expected =
            large.map(|channel| (channel.name.clone(), (channel.records, channel.values))).collect();
        Self { kept, channels: Known::new(CHANNELS), lane_of, images, expected }
    }

    /// Finishes the pass.
    pub(crate) fn into_collected(mut self) -> Collected {
        let axis = self.kept.axis;
        self.kept.lanes.iter_mut().for_each(|lane| lane.finish(&axis));
        self.kept.tracks.iter_mut().for_each(Track::finish);
        self.kept
    }

    fn take(&mut self, sample: &Sample) {
        let Self { kept, channels, lane_of, images, expected } = self;
        let made = channels.get_or_insert_with(&sample.channel, || {
            let mut lane = lane_of.get(&*sample.channel).copied();
            if lane.is_none() && kept.lanes.len() < LANES {
                kept.lanes.push(Timeline::new(sample.channel.to_string(), sample.value.kind(), 1, None));
                lane = Some(kept.lanes.len() - 1);
            }
            kept.beyond.0 += u64::from(lane.is_none());
            let table = TABLES.iter().map(|table| table.0).find(|name| *name == &*sample.channel);
            State { lane, table, ..State::default() }
        });
        let Some(state) = made else {
            kept.beyond.1 += 1;
            return;
        };
        let place = kept.axis.place(sample.time);
        let t = if let AxisPosition::At(t) = place { Some(t) } else { None };
        if let Some(lane) = state.lane.and_then(|lane| kept.lanes.get_mut(lane)) {
            lane.samples += 1;
            match place {
                AxisPosition::At(t) => lane.add(t, &kept.axis),
                AxisPosition::Untimed => lane.untimed += 1,
                AxisPosition::Stray => lane.strays += 1,
            }
        } else {
            kept.beyond.1 += 1;
        }
        let name = || sample.channel.to_string();
        match &sample.value {
            Value::PointCloud(cloud) => {
                let room = if kept.clouds.is_empty() { ROOM.0 } else { ROOM.1 };
                let counts = expected.get(&*sample.channel).copied().unwrap_or_default();
                let made =
                    one(&mut state.cloud, &mut kept.clouds, CLOUDS, || Cloud::new(name(), room, counts));
                if let Some(clouds) = made {
                    clouds.add(t, kept.axis.seconds(), cloud);
                }
            }
            Value::LaserScan(scan) => {
                if let Some(scans) = one(&mut state.scans, &mut kept.scans, SCANS, || Scans::new(name())) {
                    scans.add(t, scan, &kept.axis);
                }
            }
            Value::Image(image) => {
                let wanted = (IMAGES as u64).div_or_zero(*images).max(1);
                let expected = expected.get(&*sample.channel).map_or(1, |expected| expected.0);
                let made = one(&mut state.thumbs, &mut kept.thumbs, IMAGES, || {
                    Thumbs::new(name(), wanted, expected)
                });
                if let Some(thumbs) = made {
                    thumbs.add(t, image);
                }
            }
            Value::Satellites(view) => {
                if let Some(sky) = one(&mut state.sky, &mut kept.skies, SKIES, || Sky::new(name())) {
                    sky.add(t, view, &kept.axis);
                }
            }
            Value::Imu(imu) => kept.imu(&sample.channel, state, t, imu),
            Value::GnssFix(fix) => kept.fix(&sample.channel, state, t, fix),
            Value::Feature(feature) => kept.feature(&sample.channel, state, t, feature),
            Value::Odometry(odometry) => kept.odometry(&sample.channel, state, t, odometry),
            Value::Pose(pose) => {
                kept.position(&sample.channel, state, t, &Position::of_pose(pose));
            }
            Value::Row(row) => kept.row(&sample.channel, state, t, row),
            Value::Scalar(value) => {
                if let Some(t) = t {
                    let quantity = Quantity { slot: 0, name: "", unit: "", lines: &[""] };
                    let channel = (&sample.channel, &mut state.slots);
                    kept.numbers.add(channel, &quantity, [(0, *value)], t, &kept.axis);
                }
            }
            Value::Text(text) => {
                kept.state(&sample.channel, state, "", t, text);
                kept.event(&sample.channel, state, t, text);
                kept.shapes.add(&sample.channel, text);
            }
            // Mounts, and kinds newer than this crate.
            _ => {}
        }
    }
}

impl Sink for Collector {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.take(sample);
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// The item of a channel, created on first use while there are fewer than `most`.
fn one<'a, T>(
    at: &mut Option<usize>,
    items: &'a mut Vec<T>,
    most: usize,
    make: impl FnOnce() -> T,
) -> Option<&'a mut T> {
    if at.is_none() && items.len() < most {
        items.push(make());
        *at = Some(items.len() - 1);
    }
    items.get_mut((*at)?)
}

/// The name with each number replaced by a star.
fn pattern(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '0'..='9' if pattern.ends_with('*') => {}
            '0'..='9' => pattern.push('*'),
            c => pattern.push(c),
        }
    }
    pattern
}
