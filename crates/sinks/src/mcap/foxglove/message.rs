//! Values as Foxglove messages. Field numbers are those of the schemas in `descriptors`.

use std::borrow::Cow;

use robolog_core::{Cell, Encoding, Field, FieldKind, GnssFix, Image, LaserScan, Odometry, Pose, Row};

use super::{
    super::{
        cloud::{Number, Packing, PointField},
        content::{self, row_step},
        encoder::Head,
        scene::{COLOR, Solid},
    },
    proto::Proto,
};

/// The log time.
fn timestamp(out: &mut Proto<'_>, field: u32, head: Head<'_>) {
    moment(out, field, head.stamp.log_time);
}

/// A time in nanoseconds, limited to 32-bit seconds.
fn moment(out: &mut Proto<'_>, field: u32, time: u64) {
    const NANOS: u64 = 1_000_000_000;
    let (seconds, nanos) =
        u32::try_from(time / NANOS).map_or((u32::MAX, NANOS - 1), |seconds| (seconds, time % NANOS));
    out.message(field, |time| {
        time.varint(1, seconds.into());
        time.varint(2, nanos);
    });
}

/// Time and frame, the first fields of most messages.
fn stamped(out: &mut Proto<'_>, head: Head<'_>) {
    timestamp(out, 1, head);
    out.text(2, head.frame_id);
}

/// Numbers as fields from 1 on: `x`, `y`, `z`, …
fn numbers<const N: usize>(out: &mut Proto<'_>, field: u32, numbers: [f64; N]) {
    out.message(field, |it| {
        for (field, number) in (1..).zip(numbers) {
            it.double(field, number);
        }
    });
}

fn rotation(out: &mut Proto<'_>, field: u32, pose: &Pose) {
    let q = pose.orientation;
    numbers(out, field, [q.i, q.j, q.k, q.w]);
}

fn pose(out: &mut Proto<'_>, field: u32, pose: &Pose) {
    out.message(field, |it| {
        numbers::<3>(it, 1, pose.position.into());
        rotation(it, 2, pose);
    });
}

/// `foxglove.PointCloud`.
pub(super) fn cloud(out: &mut Proto<'_>, head: Head<'_>, packing: &Packing<'_>) {
    stamped(out, head);
    pose(out, 3, &Pose::identity());
    out.fixed32(4, small(packing.width()));
    for PointField { name, offset, number, .. } in packing.fields() {
        out.message(5, |it| {
            it.text(1, name);
            it.fixed32(2, small(offset));
            it.varint(3, numeric_type(number));
        });
    }
    out.filled(6, packing.len(), |rows| packing.fill(rows));
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// `foxglove.PackedElementField.NumericType`.
const fn numeric_type(number: Number) -> u64 {
    match number {
        Number::U8 => 1,
        Number::U16 => 3,
        Number::U32 => 5,
        Number::F32 => 7,
        Number::F64 => 8,
    }
}

/// `foxglove.LaserScan`.
pub(super) fn laser_scan(out: &mut Proto<'_>, head: Head<'_>, scan: &LaserScan) {
    stamped(out, head);
    pose(out, 3, &Pose::identity());
    out.double(4, scan.angle_min.into());
    out.double(5, scan.angle(scan.ranges.len().saturating_sub(1)).into());
    out.doubles(6, scan.ranges.iter().copied().map(f64::from));
    out.doubles(7, scan.intensities.iter().copied().map(f64::from));
}

/// `foxglove.CompressedImage`.
pub(super) fn compressed_image(out: &mut Proto<'_>, head: Head<'_>, image: &Image) {
    timestamp(out, 1, head);
    out.bytes(2, &image.data);
    out.text(3, image.encoding.name());
    out.text(4, head.frame_id);
}

/// `foxglove.RawImage`; `None` if the number of pixels is wrong, or Foxglove does not support the encoding.
pub(super) fn image(out: &mut Proto<'_>, head: Head<'_>, image: &Image) -> Option<()> {
    let known = matches!(image.encoding, Encoding::Mono8 | Encoding::Rgb8 | Encoding::Mono16);
    let step = known.then(|| row_step(image)).flatten()?;
    let step = u32::try_from(step).ok()?;
    timestamp(out, 1, head);
    out.fixed32(2, image.width);
    out.fixed32(3, image.height);
    out.text(4, image.encoding.name());
    out.fixed32(5, step);
    if image.encoding == Encoding::Mono16 {
        // Little-endian in Foxglove.
        out.filled(6, image.data.len(), |pixels| {
            for (to, [high, low]) in pixels.as_chunks_mut().0.iter_mut().zip(image.data.as_chunks::<2>().0) {
                *to = [*low, *high];
            }
        });
    } else {
        out.bytes(6, &image.data);
    }
    out.text(7, head.frame_id);
    Some(())
}

/// `foxglove.LocationFix`. The altitude is above the ellipsoid, NaN if unknown.
pub(super) fn location_fix(out: &mut Proto<'_>, head: Head<'_>, fix: &GnssFix) {
    out.double(1, fix.latitude);
    out.double(2, fix.longitude);
    out.double(3, fix.altitude.unwrap_or(f64::NAN));
    if let Some((covariance, kind)) = content::covariance(fix) {
        out.doubles(4, covariance.into_iter());
        out.varint(5, kind.into());
    }
    timestamp(out, 6, head);
    out.text(7, head.frame_id);
}

/// `foxglove.PoseInFrame`.
pub(super) fn pose_in_frame(out: &mut Proto<'_>, head: Head<'_>, value: &Pose) {
    stamped(out, head);
    pose(out, 3, value);
}

/// `foxglove.Odometry`.
pub(super) fn odometry(out: &mut Proto<'_>, head: Head<'_>, odometry: &Odometry) {
    stamped(out, head);
    out.text(3, &odometry.child_frame_id);
    pose(out, 4, &odometry.pose);
    if let Some(twist) = odometry.twist {
        numbers::<3>(out, 5, twist.linear.into());
        numbers::<3>(out, 6, twist.angular.into());
    }
}

/// `foxglove.FrameTransform`.
pub(super) fn transform(out: &mut Proto<'_>, head: Head<'_>, child_frame_id: &str, placed: &Pose) {
    stamped(out, head);
    out.text(3, child_frame_id);
    numbers::<3>(out, 4, placed.position.into());
    rotation(out, 5, placed);
}

/// `foxglove.Log`: a text of the channel. Viewers hide entries without a level.
pub(super) fn log(out: &mut Proto<'_>, head: Head<'_>, text: &str) {
    const INFO: u64 = 2;
    timestamp(out, 1, head);
    out.varint(2, INFO);
    out.text(3, text);
    out.text(4, head.channel);
}

/// Whether rows with these columns are events, which last from their time to that of the first column.
pub(super) fn is_event<'a>(mut fields: impl Iterator<Item = &'a Field>) -> bool {
    fields.next().is_some_and(|field| field.name == "end_ns" && field.kind == FieldKind::Int)
}

/// `foxglove.Event`.
pub(super) fn event(out: &mut Proto<'_>, head: Head<'_>, row: &Row) {
    let start = head.stamp.log_time;
    timestamp(out, 1, head);
    let mut cells = row.iter();
    let end = match cells.next() {
        Some((_, Cell::Int(end))) => u64::try_from(*end).map_or(start, |end| end.max(start)),
        _ => start,
    };
    moment(out, 2, end);
    for (field, cell) in cells {
        let value = match cell {
            Cell::Null => continue,
            Cell::Text(text) => Cow::Borrowed(text.as_str()),
            Cell::Bool(value) => value.to_string().into(),
            Cell::Int(value) => value.to_string().into(),
            Cell::Float(value) => value.to_string().into(),
        };
        out.message(3, |pair| {
            pair.text(1, &field.name);
            pair.text(2, &value);
        });
    }
}

/// `foxglove.SceneUpdate`: one cube fixed to its frame, or its removal.
pub(super) fn solid(out: &mut Proto<'_>, head: Head<'_>, name: &str, solid: Option<&Solid>) {
    let Some(Solid { pose: place, size }) = solid else {
        // `MATCHING_ID`, the kind of deletion, is zero.
        out.message(1, |deletion| {
            timestamp(deletion, 1, head);
            deletion.text(3, name);
        });
        return;
    };
    out.message(2, |entity| {
        stamped(entity, head);
        entity.text(3, name);
        // Zero lifetime: until removed.
        entity.message(4, |_| {});
        // Locked to its frame.
        entity.varint(5, 1);
        entity.message(8, |cube| {
            pose(cube, 1, place);
            numbers(cube, 2, *size);
            numbers(cube, 3, COLOR.map(f64::from));
        });
    });
}
