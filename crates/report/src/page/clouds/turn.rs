//! Clouds for the 3D view: points as 16-bit columns, as many as fit the page.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value as Json, json};

use crate::{
    collect::{
        cloud::{Cloud, SCAN},
        voxels::{Slot, Voxels},
    },
    page::Recording,
    quantiles::Quantiles,
    text::{count, digits, short, span},
};

/// A cloud of the page: its description and points.
pub(crate) struct Turned {
    pub(crate) about: Json,
    pub(crate) points: String,
}

/// The clouds of a page.
#[derive(Default)]
pub(crate) struct Turning {
    pub(crate) sets: Vec<Turned>,
    /// The clouds of the replay, one after the other.
    pub(crate) sweeps: Option<Turned>,
}

/// Description of a set.
struct About<'a> {
    name: String,
    voxels: &'a Voxels,
    /// Time span of its points in seconds.
    seconds: f64,
}

/// The clouds of a recording in at most `room` bytes: one scan of each channel, then a replay, then all clouds
/// together.
pub(in crate::page) fn all(recording: &Recording<'_>, room: usize) -> Turning {
    let clouds: Vec<&Cloud> = recording.kept.clouds.iter().filter(|cloud| cloud.space.len() > 0).collect();
    let seconds = recording.kept.axis.seconds();
    let mut left = room;
    let mut turning = Turning::default();
    let has_scan = |cloud: &Cloud| cloud.scan.len() > 100;
    for cloud in clouds.iter().filter(|cloud| has_scan(cloud)) {
        let what = match cloud.scan_at {
            _ if cloud.samples == 1 => "one cloud".to_owned(),
            Some(at) => format!("one scan, at {}", span(at)),
            None => "one scan".to_owned(),
        };
        let name = format!("{}: {what}", short(&cloud.name));
        let about = About { name, voxels: &cloud.scan, seconds: SCAN };
        turning.sets.extend(turned(cloud, &about, &mut left, room / 2));
    }
    if let Some(cloud) = clouds.first() {
        turning.sweeps = replay(cloud, &mut left, room * 2 / 5);
    }
    // A rotating sensor most likely moves, so one scan shows more than all clouds overlaid.
    let first = usize::from(!clouds.first().is_some_and(|cloud| !super::is_wide(cloud) && cloud.samples > 3));
    let mut at = if first == 0 { 0 } else { turning.sets.len() };
    for cloud in clouds.iter().filter(|cloud| cloud.samples > 1 || !has_scan(cloud)) {
        let name = format!("{}: all {} clouds", short(&cloud.name), count(cloud.samples));
        let about = About { name, voxels: &cloud.space, seconds };
        let most = left;
        if let Some(set) = turned(cloud, &about, &mut left, most) {
            turning.sets.insert(at.min(turning.sets.len()), set);
            at += 1;
        }
    }
    turning
}

/// Number of characters for this many bytes in Base64.
fn characters(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

fn turned(cloud: &Cloud, about: &About<'_>, left: &mut usize, most: usize) -> Option<Turned> {
    let frame = Frame::new(cloud, &[about.voxels].into_iter(), about.seconds)?;
    let slots = Frame::fitting(about.voxels, most.min(*left) / 4 * 3 / frame.bytes());
    if slots.len() < 100 && slots.len() < about.voxels.len() {
        return None;
    }
    let mut bytes = Vec::new();
    frame.write(&slots, &mut bytes);
    *left = left.saturating_sub(characters(bytes.len()));
    let thinned = match (about.voxels.points > about.voxels.len() as u64, about.voxels.len() - slots.len()) {
        (false, 0) => "every point".to_owned(),
        (true, 0) => {
            format!("one point per cube of {} cm", digits(f64::from(about.voxels.cell()) * 100.0, 2))
        }
        _ => format!("of {}, to keep the page small", count(about.voxels.points)),
    };
    let mut json = frame.about();
    let map = json.as_object_mut()?;
    map.insert("name".into(), about.name.clone().into());
    map.insert("n".into(), slots.len().into());
    map.insert("note".into(), format!("{} points ({thinned})", count(slots.len() as u64)).into());
    Some(Turned { about: json, points: STANDARD.encode(bytes) })
}

/// The sweeps of a channel, with fewer points each if space is short.
fn replay(cloud: &Cloud, left: &mut usize, most: usize) -> Option<Turned> {
    let sweeps: Vec<_> = cloud.sweeps.iter().filter(|sweep| sweep.points.len() > 0).collect();
    if sweeps.len() < 2 {
        return None;
    }
    let frame = Frame::new(cloud, &sweeps.iter().map(|sweep| &sweep.points), SCAN)?;
    let each = most.min(*left) / 4 * 3 / frame.bytes() / sweeps.len();
    if each < 200 {
        return None;
    }
    let (mut bytes, mut counts, mut moments) = (Vec::new(), Vec::new(), Vec::new());
    for sweep in &sweeps {
        let slots = Frame::fitting(&sweep.points, each);
        frame.write(&slots, &mut bytes);
        counts.push(slots.len());
        moments.push(round(sweep.at));
    }
    *left = left.saturating_sub(characters(bytes.len()));
    let total: usize = counts.iter().sum();
    let mut json = frame.about();
    let map = json.as_object_mut()?;
    map.insert("name".into(), format!("{}: at the cursor", short(&cloud.name)).into());
    let note = format!(
        "{} scans evenly over the recording, of {} points each",
        sweeps.len(),
        count((total / counts.len()) as u64)
    );
    map.insert("note".into(), note.into());
    map.insert("counts".into(), counts.into());
    map.insert("moments".into(), moments.into());
    Some(Turned { about: json, points: STANDARD.encode(bytes) })
}

/// Encoding of points: coordinates in steps of one unit, and one byte per further attribute.
struct Frame {
    low: [f64; 3],
    unit: f64,
    centre: [f64; 3],
    size: f64,
    height: [f64; 2],
    range: [f64; 2],
    /// Ends of the colour scale and maximum value, if the sensor has intensities.
    intensity: Option<([f64; 2], f64)>,
    ring: Option<f64>,
    seconds: f64,
}

impl Frame {
    fn new<'a>(
        cloud: &Cloud,
        voxels: &(impl Iterator<Item = &'a Voxels> + Clone),
        seconds: f64,
    ) -> Option<Self> {
        let slots = || voxels.clone().flat_map(Voxels::iter);
        slots().next()?;
        let axis = |k: usize| slots().filter_map(|slot| slot.at.get(k)).map(|v| f64::from(*v)).collect();
        let mut axes: [Quantiles; 3] = [axis(0), axis(1), axis(2)];
        let low = axes.each_mut().map(|axis| axis.at(0.0));
        let widths = axes.iter_mut().map(|axis| axis.at(1.0) - axis.at(0.0));
        let unit = (widths.fold(0.0, f64::max) / 65_535.0).max(1e-6);
        let centre = axes.each_mut().map(|axis| axis.at(0.5));
        let far = |from: [f64; 3]| -> Quantiles {
            let distance = |slot: &Slot| {
                let d = slot.at.iter().zip(from).map(|(v, from)| (f64::from(*v) - from).powi(2));
                d.sum::<f64>().sqrt()
            };
            slots().map(distance).collect()
        };
        let ends = |values: &mut Quantiles| [round(values.at(0.02)), round(values.at(0.98))];
        let intensity = cloud.has_intensity.then(|| {
            let mut all: Quantiles = slots().map(|slot| f64::from(slot.more.intensity)).collect();
            let most = all.at(1.0);
            // Most sensors count to 255, which fits a byte exactly.
            (ends(&mut all), if most > 0.0 && (most <= 1.0 || most > 255.0) { most } else { 255.0 })
        });
        let ring = cloud.has_ring.then(|| slots().map(|slot| f64::from(slot.more.ring)).fold(1.0, f64::max));
        Some(Self {
            low,
            unit,
            centre,
            size: round(far(centre).at(0.9).max(1e-3)),
            height: ends(&mut axes[2]),
            range: ends(&mut far([0.0; 3])),
            intensity,
            ring,
            seconds,
        })
    }

    /// Bytes per point.
    fn bytes(&self) -> usize {
        7 + usize::from(self.intensity.is_some()) + usize::from(self.ring.is_some())
    }

    /// At most `most` points, evenly spread in space.
    fn fitting(voxels: &Voxels, most: usize) -> Vec<&Slot> {
        let mut slots: Vec<&Slot> = voxels.iter().collect();
        // Sorted by position: the same points give the same bytes, and compress well in mail.
        slots.sort_unstable_by(|a, b| {
            a.at[0].total_cmp(&b.at[0]).then(a.at[1].total_cmp(&b.at[1])).then(a.at[2].total_cmp(&b.at[2]))
        });
        let (all, most) = (slots.len(), most.min(slots.len()));
        if most < all {
            let chosen = (0..most).filter_map(|n| slots.get(n * all / most.max(1)).copied());
            slots = chosen.collect();
        }
        slots
    }

    fn write(&self, slots: &[&Slot], bytes: &mut Vec<u8>) {
        for (k, low) in self.low.iter().enumerate() {
            let of = |slot: &Slot| slot.at.get(k).map_or(0.0, |v| (f64::from(*v) - low) / self.unit);
            bytes.extend(slots.iter().flat_map(|slot| whole(of(slot).round()).to_le_bytes()));
        }
        if let Some((_, most)) = self.intensity {
            bytes.extend(slots.iter().map(|slot| byte(f64::from(slot.more.intensity) / most * 255.0)));
        }
        if self.ring.is_some() {
            bytes.extend(slots.iter().map(|slot| slot.more.ring));
        }
        bytes.extend(slots.iter().map(|slot| slot.more.time));
    }

    /// Parameters for the script. Byte attributes have four numbers: ends of the scale, value of 0, and value of one
    /// step.
    fn about(&self) -> Json {
        json!({
            "unit": self.unit,
            "low": self.low,
            "centre": self.centre,
            "size": self.size,
            "height": self.height,
            "range": self.range,
            "intensity": self.intensity.map(|([low, high], most)| [low, high, 0.0, most / 255.0]),
            "ring": self.ring.map(|most| [0.0, most, 0.0, 1.0]),
            "time": [0.0, round(self.seconds), 0.0, self.seconds / 255.0],
        })
    }
}

/// Six decimals are enough for a picture.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped; NaN becomes 0")]
fn whole(value: f64) -> u16 {
    value.clamp(0.0, 65_535.0) as u16
}

fn byte(value: f64) -> u8 {
    u8::try_from(whole(value.round().min(255.0))).unwrap_or(u8::MAX)
}
