//! CSV: one kind of values, a row each.

use std::{io::Write, sync::Arc};

use robolog_core::{Field, PointCloud, Pose, Row, Sample, Timestamp, Value};

use super::text::Put;
use crate::{Result, Sink, TargetFormat, Took};

/// Writes a table of the kind of values that comes first; of a recording with several kinds that is point clouds,
/// unless the channels were chosen.
///
/// | kind | columns behind `time_ns` and `channel` |
/// |---|---|
/// | points | `x, y, z` (m), `intensity`, `return_number`, `tag`, `ring` |
/// | imu | `wx, wy, wz` (rad/s), `ax, ay, az` (m/s²) |
/// | GNSS fixes | `latitude, longitude` (degrees), `altitude` (m above the ellipsoid) |
/// | poses | `x, y, z` (m), `qx, qy, qz, qw` |
/// | odometry | the same, `vx, vy, vz` (m/s), `wx, wy, wz` (rad/s), `child_frame_id` |
/// | rows | the fields of the first row; rows of other fields are left out |
/// | numbers, texts | `value` |
///
/// Times are nanoseconds of the recording's clock, for points those of the point. A field that is not known is empty;
/// NaN and the infinities are written as `NaN`, `inf`, `-inf`. Text is quoted where it must be.
pub struct Csv<W> {
    out: W,
    buffer: Vec<u8>,
    chosen: bool,
    /// Something was left out that would have had a place in a table of its own.
    could_choose: bool,
    table: Option<Table>,
}

/// What the first sample decides.
struct Table {
    kind: &'static str,
    /// Those of rows.
    fields: Arc<[Field]>,
}

/// So much is gathered before it is written.
const BLOCK: usize = 8 << 10;

impl<W: Write> Csv<W> {
    /// A table into `out`; `chosen` as in [`takes`](super::takes).
    pub fn new(out: W, chosen: bool) -> Self {
        Self { out, buffer: Vec::new(), chosen, could_choose: false, table: None }
    }

    /// Completes the table and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        self.out.write_all(&self.buffer)?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Whether the value belongs into the table, which the first one begins.
    fn belongs(&mut self, value: &Value) -> bool {
        let row = if let Value::Row(row) = value { Some(row) } else { None };
        if let Some(table) = &self.table {
            let same = |row: &Row| Arc::ptr_eq(&row.fields, &table.fields) || row.fields == table.fields;
            return table.kind == value.kind() && row.is_none_or(same);
        }
        let columns = match value {
            Value::PointCloud(_) => "x,y,z,intensity,return_number,tag,ring",
            Value::Imu(_) => "wx,wy,wz,ax,ay,az",
            Value::GnssFix(_) => "latitude,longitude,altitude",
            Value::Pose(_) => "x,y,z,qx,qy,qz,qw",
            Value::Odometry(_) => "x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,child_frame_id",
            Value::Scalar(_) | Value::Text(_) => "value",
            Value::Row(_) => "",
            _ => return false,
        };
        let fields = row.map_or_else(|| [].as_slice().into(), |row| Arc::clone(&row.fields));
        self.buffer.extend_from_slice(b"time_ns,channel");
        if !columns.is_empty() {
            self.buffer.push(b',');
            self.buffer.extend_from_slice(columns.as_bytes());
        }
        self.put(fields.iter().map(|field| &*field.name));
        self.buffer.push(b'\n');
        self.table = Some(Table { kind: value.kind(), fields });
        true
    }

    /// Appends fields, each behind a comma.
    fn put<'a, T: Put + ?Sized + 'a>(&mut self, values: impl IntoIterator<Item = &'a T>) {
        for value in values {
            self.buffer.push(b',');
            value.put(&mut self.buffer);
        }
    }

    fn points(&mut self, time: Option<Timestamp>, channel: &str, cloud: &PointCloud) -> Result<()> {
        let mut name = Vec::new();
        channel.put(&mut name);
        for (i, ((x, y), z)) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z).enumerate() {
            let offset = cloud.time_offset.get(i).copied().unwrap_or_default();
            let out = &mut self.buffer;
            time.and_then(|t| t.checked_add(offset.into())).map(Timestamp::nanos).put(out);
            out.push(b',');
            out.extend_from_slice(&name);
            for value in [x, y, z] {
                out.push(b',');
                value.put(out);
            }
            out.push(b',');
            cloud.intensity.get(i).copied().put(out);
            out.push(b',');
            cloud.return_number.get(i).copied().put(out);
            out.push(b',');
            cloud.tag.get(i).copied().put(out);
            out.push(b',');
            cloud.ring.get(i).copied().put(out);
            out.push(b'\n');
            self.write_full()?;
        }
        Ok(())
    }

    /// What stands behind time and channel.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Imu(imu) => {
                for v in [imu.angular_velocity, imu.linear_acceleration] {
                    self.put(&[v.map(|v| v.x), v.map(|v| v.y), v.map(|v| v.z)]);
                }
            }
            Value::GnssFix(fix) => {
                self.put(&[fix.latitude, fix.longitude]);
                self.put(&[fix.altitude]);
            }
            Value::Pose(pose) => self.pose(pose),
            Value::Odometry(odometry) => {
                self.pose(&odometry.pose);
                for v in [odometry.twist.map(|t| t.linear), odometry.twist.map(|t| t.angular)] {
                    self.put(&[v.map(|v| v.x), v.map(|v| v.y), v.map(|v| v.z)]);
                }
                self.put([odometry.child_frame_id.as_str()]);
            }
            Value::Row(row) => self.put(&row.cells),
            Value::Scalar(value) => self.put([value]),
            Value::Text(value) => self.put([value.as_str()]),
            _ => {}
        }
    }

    fn pose(&mut self, pose: &Pose) {
        let (p, q) = (pose.position, pose.orientation);
        self.put(&[p.x, p.y, p.z, q.i, q.j, q.k, q.w]);
    }

    /// Writes what was gathered when it is enough.
    fn write_full(&mut self) -> Result<()> {
        if self.buffer.len() >= BLOCK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl<W: Write> Sink for Csv<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        if !super::takes(TargetFormat::Csv, sample, self.chosen) {
            self.could_choose |= super::takes(TargetFormat::Csv, sample, true);
            return Ok(Took::LeftOut);
        }
        if !self.belongs(&sample.value) {
            return Ok(Took::LeftOut);
        }
        if let Value::PointCloud(cloud) = &sample.value {
            self.points(sample.time, &sample.channel, cloud)?;
            return Ok(Took::Written);
        }
        sample.time.map(Timestamp::nanos).put(&mut self.buffer);
        self.put([&*sample.channel]);
        self.value(&sample.value);
        self.buffer.push(b'\n');
        self.write_full()?;
        Ok(Took::Written)
    }

    fn advice(&self) -> Option<&'static str> {
        self.could_choose.then_some(super::CHOOSE)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W> std::fmt::Debug for Csv<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.table.as_ref().map(|table| table.kind);
        f.debug_struct("Csv").field("kind", &kind).finish_non_exhaustive()
    }
}
