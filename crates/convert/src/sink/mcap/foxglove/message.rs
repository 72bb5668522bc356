//! Values as messages of Foxglove's SDK.

use foxglove::{
    bytes::{Bytes, BytesMut},
    messages::{self as fg, packed_element_field::NumericType, scene_entity_deletion::Type as Deletion},
};
use robolog_core::{Encoding, GnssFix, Image, LaserScan, Odometry, PointCloud, Pose};

use super::super::{
    cloud::{Number, Packing},
    content::{self, row_step},
    encoder::Head,
    scene::{COLOR, Solid},
};

/// The log time, of which 32 bits of seconds are left.
#[expect(clippy::unnecessary_wraps, reason = "all fields of messages are optional")]
fn timestamp(head: Head<'_>) -> Option<fg::Timestamp> {
    const NANOS: u64 = 1_000_000_000;
    let nanos = u32::try_from(head.stamp.log_time % NANOS).unwrap_or_default();
    Some(match u32::try_from(head.stamp.log_time / NANOS) {
        Ok(seconds) => fg::Timestamp::new(seconds, nanos),
        Err(_) => fg::Timestamp::new(u32::MAX, 999_999_999),
    })
}

fn vector(v: [f64; 3]) -> fg::Vector3 {
    let [x, y, z] = v;
    fg::Vector3 { x, y, z }
}

fn rotation(pose: &Pose) -> fg::Quaternion {
    let q = pose.orientation;
    fg::Quaternion { x: q.i, y: q.j, z: q.k, w: q.w }
}

fn pose(pose: &Pose) -> fg::Pose {
    fg::Pose { position: Some(vector(pose.position.into())), orientation: Some(rotation(pose)) }
}

/// A cloud whose rows are laid in the memory of `rows`.
pub(super) fn cloud(head: Head<'_>, cloud: &PointCloud, mut rows: BytesMut) -> fg::PointCloud {
    let packing = Packing::of(cloud);
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let fields = packing.fields().map(|field| fg::PackedElementField {
        name: field.name.to_owned(),
        offset: number(field.offset),
        r#type: numeric_type(field.number).into(),
    });
    rows.clear();
    rows.resize(packing.len(), 0);
    packing.fill(&mut rows);
    fg::PointCloud {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        pose: Some(pose(&Pose::identity())),
        point_stride: number(packing.width()),
        fields: fields.collect(),
        data: rows.freeze(),
    }
}

const fn numeric_type(number: Number) -> NumericType {
    match number {
        Number::U8 => NumericType::Uint8,
        Number::U16 => NumericType::Uint16,
        Number::U32 => NumericType::Uint32,
        Number::F32 => NumericType::Float32,
        Number::F64 => NumericType::Float64,
    }
}

pub(super) fn laser_scan(head: Head<'_>, scan: &LaserScan) -> fg::LaserScan {
    let doubles = |values: &[f32]| values.iter().copied().map(f64::from).collect();
    fg::LaserScan {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        pose: Some(pose(&Pose::identity())),
        start_angle: scan.angle_min.into(),
        end_angle: scan.angle(scan.ranges.len().saturating_sub(1)).into(),
        ranges: doubles(&scan.ranges),
        intensities: doubles(&scan.intensities),
    }
}

pub(super) fn compressed_image(head: Head<'_>, image: &Image) -> fg::CompressedImage {
    fg::CompressedImage {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        data: image.data.clone(),
        format: image.encoding.name().to_owned(),
    }
}

/// Pixels; `None` where there are not as many as the image says, or Foxglove has no such pixels.
pub(super) fn image(head: Head<'_>, image: &Image) -> Option<fg::RawImage> {
    let data = match image.encoding {
        Encoding::Mono8 | Encoding::Rgb8 => image.data.clone(),
        // Little-endian there.
        Encoding::Mono16 => {
            let (pixels, _) = image.data.as_chunks::<2>();
            pixels.iter().flat_map(|[high, low]| [*low, *high]).collect::<Bytes>()
        }
        _ => return None,
    };
    Some(fg::RawImage {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        width: image.width,
        height: image.height,
        encoding: image.encoding.name().to_owned(),
        step: u32::try_from(row_step(image)?).ok()?,
        data,
    })
}

/// The altitude is that above the ellipsoid, NaN when it is not known.
pub(super) fn location_fix(head: Head<'_>, fix: &GnssFix) -> fg::LocationFix {
    let covariance = content::covariance(fix);
    fg::LocationFix {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        latitude: fix.latitude,
        longitude: fix.longitude,
        altitude: fix.altitude.unwrap_or(f64::NAN),
        position_covariance: covariance.map_or_else(Vec::new, |(rows, _)| rows.into()),
        position_covariance_type: covariance.map_or(0, |(_, kind)| kind).into(),
        ..fg::LocationFix::default()
    }
}

pub(super) fn pose_in_frame(head: Head<'_>, value: &Pose) -> fg::PoseInFrame {
    fg::PoseInFrame {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        pose: Some(pose(value)),
    }
}

pub(super) fn odometry(head: Head<'_>, odometry: &Odometry) -> fg::Odometry {
    fg::Odometry {
        timestamp: timestamp(head),
        frame_id: head.frame_id.to_owned(),
        body_frame_id: odometry.child_frame_id.clone(),
        pose: Some(pose(&odometry.pose)),
        linear_velocity: odometry.twist.map(|twist| vector(twist.linear.into())),
        angular_velocity: odometry.twist.map(|twist| vector(twist.angular.into())),
        ..fg::Odometry::default()
    }
}

pub(super) fn transform(head: Head<'_>, child_frame_id: &str, placed: &Pose) -> fg::FrameTransform {
    fg::FrameTransform {
        timestamp: timestamp(head),
        parent_frame_id: head.frame_id.to_owned(),
        child_frame_id: child_frame_id.to_owned(),
        translation: Some(vector(placed.position.into())),
        rotation: Some(rotation(placed)),
    }
}

/// A text of the channel. Viewers hide what has no level.
pub(super) fn log(head: Head<'_>, text: &str) -> fg::Log {
    fg::Log {
        timestamp: timestamp(head),
        level: fg::log::Level::Info.into(),
        message: text.to_owned(),
        name: head.channel.to_owned(),
        ..fg::Log::default()
    }
}

/// One cube that stays where its frame goes, or the removal of one.
pub(super) fn solid(head: Head<'_>, name: &str, solid: Option<&Solid>) -> fg::SceneUpdate {
    let id = name.to_owned();
    let timestamp = timestamp(head);
    let Some(Solid { pose: place, size }) = solid else {
        let r#type = Deletion::MatchingId.into();
        let deletions = vec![fg::SceneEntityDeletion { timestamp, r#type, id }];
        return fg::SceneUpdate { deletions, entities: Vec::new() };
    };
    let [r, g, b, a] = COLOR.map(f64::from);
    let cube = fg::CubePrimitive {
        pose: Some(pose(place)),
        size: Some(vector(*size)),
        color: Some(fg::Color { r, g, b, a }),
    };
    let entity = fg::SceneEntity {
        timestamp,
        frame_id: head.frame_id.to_owned(),
        id,
        // Until it is removed.
        lifetime: Some(fg::Duration::new(0, 0)),
        frame_locked: true,
        cubes: vec![cube],
        ..fg::SceneEntity::default()
    };
    fg::SceneUpdate { deletions: Vec::new(), entities: vec![entity] }
}
