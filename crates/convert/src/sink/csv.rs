//! CSV: one kind of values, a row each.

use std::io::Write;

use robolog_core::{PointCloud, Sample, Timestamp, Value};
use serde::Serialize;

use crate::{Error, Result, Sink, Took};

/// Writes a table of the kind of values that comes first; of a recording with several kinds that is point clouds,
/// unless the channels were chosen.
///
/// | kind | columns behind `time_ns` and `channel` |
/// |---|---|
/// | points | `x, y, z` (m), `intensity`, `return_number`, `tag`, `ring` |
/// | imu | `wx, wy, wz` (rad/s), `ax, ay, az` (m/s²) |
/// | GNSS fixes | `latitude, longitude` (degrees), `altitude` (m above the ellipsoid) |
/// | poses | `x, y, z` (m), `qx, qy, qz, qw` |
/// | numbers, texts | `value` |
///
/// Times are nanoseconds of the recording's clock, for points those of the point. A field that is not known is empty;
/// NaN and the infinities are written as `NaN`, `inf`, `-inf`.
pub struct Csv<W: Write> {
    out: csv::Writer<W>,
    chosen: bool,
    kind: Option<&'static str>,
}

#[derive(Serialize)]
struct PointRow<'a> {
    time_ns: Option<i64>,
    channel: &'a str,
    x: f32,
    y: f32,
    z: f32,
    intensity: Option<f32>,
    return_number: Option<u8>,
    tag: Option<u8>,
    ring: Option<u16>,
}

#[derive(Serialize)]
struct ImuRow<'a> {
    time_ns: Option<i64>,
    channel: &'a str,
    wx: Option<f64>,
    wy: Option<f64>,
    wz: Option<f64>,
    ax: Option<f64>,
    ay: Option<f64>,
    az: Option<f64>,
}

#[derive(Serialize)]
struct FixRow<'a> {
    time_ns: Option<i64>,
    channel: &'a str,
    latitude: f64,
    longitude: f64,
    altitude: Option<f64>,
}

#[derive(Serialize)]
struct PoseRow<'a> {
    time_ns: Option<i64>,
    channel: &'a str,
    x: f64,
    y: f64,
    z: f64,
    qx: f64,
    qy: f64,
    qz: f64,
    qw: f64,
}

#[derive(Serialize)]
struct ValueRow<'a, T> {
    time_ns: Option<i64>,
    channel: &'a str,
    value: T,
}

impl<W: Write> Csv<W> {
    /// A table into `out`; `chosen` as in [`takes`](super::takes).
    pub fn new(out: W, chosen: bool) -> Self {
        Self { out: csv::Writer::from_writer(out), chosen, kind: None }
    }

    fn row(&mut self, row: impl Serialize) -> Result<()> {
        self.out.serialize(row).map_err(|e| Error::Write(e.into()))
    }

    fn points(&mut self, time: Option<Timestamp>, channel: &str, cloud: &PointCloud) -> Result<()> {
        for (i, ((x, y), z)) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z).enumerate() {
            let offset = cloud.time_offset.get(i).copied().unwrap_or_default();
            self.row(PointRow {
                time_ns: time.and_then(|t| t.checked_add(offset.into())).map(Timestamp::nanos),
                channel,
                x: *x,
                y: *y,
                z: *z,
                intensity: cloud.intensity.get(i).copied(),
                return_number: cloud.return_number.get(i).copied(),
                tag: cloud.tag.get(i).copied(),
                ring: cloud.ring.get(i).copied(),
            })?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for Csv<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        if !super::takes(super::TargetFormat::Csv, &sample.value, self.chosen) {
            return Ok(Took::LeftOut);
        }
        if *self.kind.get_or_insert(sample.value.kind()) != sample.value.kind() {
            return Ok(Took::LeftOut);
        }
        let (channel, time_ns) = (&*sample.channel, sample.time.map(Timestamp::nanos));
        match &sample.value {
            Value::PointCloud(cloud) => self.points(sample.time, channel, cloud)?,
            Value::Imu(imu) => {
                let (w, a) = (imu.angular_velocity, imu.linear_acceleration);
                self.row(ImuRow {
                    time_ns,
                    channel,
                    wx: w.map(|w| w.x),
                    wy: w.map(|w| w.y),
                    wz: w.map(|w| w.z),
                    ax: a.map(|a| a.x),
                    ay: a.map(|a| a.y),
                    az: a.map(|a| a.z),
                })?;
            }
            Value::GnssFix(fix) => {
                let (latitude, longitude, altitude) = (fix.latitude, fix.longitude, fix.altitude);
                self.row(FixRow { time_ns, channel, latitude, longitude, altitude })?;
            }
            Value::Pose(pose) => {
                let (p, q) = (pose.position, pose.orientation);
                let (qx, qy, qz, qw) = (q.i, q.j, q.k, q.w);
                self.row(PoseRow { time_ns, channel, x: p.x, y: p.y, z: p.z, qx, qy, qz, qw })?;
            }
            Value::Scalar(value) => self.row(ValueRow { time_ns, channel, value })?,
            Value::Text(value) => self.row(ValueRow { time_ns, channel, value })?,
            _ => return Ok(Took::LeftOut),
        }
        Ok(Took::Written)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

impl<W: Write> std::fmt::Debug for Csv<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Csv").field("kind", &self.kind).finish_non_exhaustive()
    }
}
