//! What a message can be made of, whatever its schema.

use std::sync::{Arc, LazyLock};

use robolog_core::{
    Cell, Field, FieldKind, FixQuality, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud, Pose, Row,
    Satellites, Value,
};

use super::scene::Solid;

/// A value, or what is written beside it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'a> {
    Cloud(&'a PointCloud),
    Scan(&'a LaserScan),
    Image(&'a Image),
    Imu(&'a Imu),
    Fix(&'a GnssFix),
    Odometry(&'a Odometry),
    Pose(&'a Pose),
    /// A child frame and where it lies.
    Transform(&'a str, &'a Pose),
    Row(&'a Row),
    Number(f64),
    Text(&'a str),
    Satellites(&'a Satellites),
    /// A box that appears under this name, or disappears.
    Solid(&'a str, Option<&'a Solid>),
}

/// The type of a topic's messages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type<'a> {
    Standard(Message),
    /// Made for the columns of a row.
    Row(&'a Arc<[Field]>),
}

/// The messages that are the same for all recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Message {
    CompressedImage,
    Fix,
    Image,
    Imu,
    Number,
    Odometry,
    PointCloud,
    Pose,
    Satellites,
    Scan,
    Scene,
    Text,
    Transforms,
}

#[cfg(test)]
impl Message {
    pub(crate) const ALL: [Self; 13] = [
        Self::CompressedImage,
        Self::Fix,
        Self::Image,
        Self::Imu,
        Self::Number,
        Self::Odometry,
        Self::PointCloud,
        Self::Pose,
        Self::Satellites,
        Self::Scan,
        Self::Scene,
        Self::Text,
        Self::Transforms,
    ];
}

impl<'a> Content<'a> {
    /// Of a sample's value; `None` for kinds that are not known here.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        Some(match value {
            Value::PointCloud(cloud) => Self::Cloud(cloud),
            Value::LaserScan(scan) => Self::Scan(scan),
            Value::Image(image) => Self::Image(image),
            Value::Imu(imu) => Self::Imu(imu),
            Value::GnssFix(fix) => Self::Fix(fix),
            Value::Odometry(odometry) => Self::Odometry(odometry),
            Value::Pose(pose) => Self::Pose(pose),
            Value::Transform(transform) => Self::Transform(&transform.child_frame_id, &transform.pose),
            Value::Row(row) => Self::Row(row),
            Value::Scalar(number) => Self::Number(*number),
            Value::Text(text) => Self::Text(text),
            Value::Satellites(satellites) => Self::Satellites(satellites),
            _ => return None,
        })
    }

    pub(crate) fn message(self) -> Type<'a> {
        Type::Standard(match self {
            Self::Row(row) => return Type::Row(&row.fields),
            Self::Cloud(_) => Message::PointCloud,
            Self::Scan(_) => Message::Scan,
            Self::Image(image) if image.encoding.bytes_per_pixel().is_none() => Message::CompressedImage,
            Self::Image(_) => Message::Image,
            Self::Imu(_) => Message::Imu,
            Self::Fix(_) => Message::Fix,
            Self::Odometry(_) => Message::Odometry,
            Self::Pose(_) => Message::Pose,
            Self::Transform(..) => Message::Transforms,
            Self::Number(_) => Message::Number,
            Self::Text(_) => Message::Text,
            Self::Satellites(_) => Message::Satellites,
            Self::Solid(..) => Message::Scene,
        })
    }
}

/// The bytes of a row of pixels; `None` for an image file, and for pixels that are not as many as the image says.
pub(crate) fn row_step(image: &Image) -> Option<usize> {
    let step = usize::try_from(image.width).ok()?.checked_mul(image.encoding.bytes_per_pixel()?)?;
    let height = usize::try_from(image.height).ok()?;
    (step.checked_mul(height) == Some(image.data.len())).then_some(step)
}

static FIX_DETAILS: LazyLock<Arc<[Field]>> = LazyLock::new(|| {
    [
        Field::new("quality", FieldKind::Text),
        Field::new("satellites", FieldKind::Int),
        Field::new("hdop", FieldKind::Float),
        Field::new("vdop", FieldKind::Float),
        Field::new("pdop", FieldKind::Float),
        Field::new("altitude_msl", FieldKind::Float).with_unit("m"),
        Field::new("speed", FieldKind::Float).with_unit("m/s"),
        Field::new("course", FieldKind::Float).with_unit("rad"),
        Field::new("age_of_corrections", FieldKind::Float).with_unit("s"),
        Field::new("station_id", FieldKind::Int),
        Field::new("talkers", FieldKind::Text),
    ]
    .into()
});

/// What a fix says that messages of fixes have no field for; `None` when it says nothing of that.
pub(crate) fn fix_details(fix: &GnssFix) -> Option<Row> {
    let quality = match fix.quality {
        FixQuality::Unknown => None,
        FixQuality::None => Some("none"),
        FixQuality::Gps => Some("gps"),
        FixQuality::Dgps => Some("dgps"),
        FixQuality::Pps => Some("pps"),
        FixQuality::RtkFixed => Some("rtk_fixed"),
        FixQuality::RtkFloat => Some("rtk_float"),
        FixQuality::Estimated => Some("estimated"),
        FixQuality::Manual => Some("manual"),
        FixQuality::Simulated => Some("simulated"),
        _ => Some("other"),
    };
    let cells = vec![
        quality.into(),
        fix.satellites.into(),
        fix.hdop.into(),
        fix.vdop.into(),
        fix.pdop.into(),
        fix.altitude_msl.into(),
        fix.speed.into(),
        fix.course.into(),
        fix.age_of_corrections_s.into(),
        fix.station_id.map(u32::from).into(),
        fix.talkers.as_deref().into(),
    ];
    cells.iter().any(|cell| *cell != Cell::Null).then(|| Row::new(Arc::clone(&FIX_DETAILS), cells))
}

/// How well the covariance of a position is known: the number that `NavSatFix` and Foxglove's `LocationFix` share.
pub(crate) fn covariance_type(fix: &GnssFix) -> u8 {
    const UNKNOWN: u8 = 0;
    const DIAGONAL_KNOWN: u8 = 2;
    const KNOWN: u8 = 3;
    let Some(rows) = fix.position_covariance else { return UNKNOWN };
    // Every fourth of the nine elements is on the diagonal.
    let mut beside = rows.iter().enumerate().filter(|(i, _)| !i.is_multiple_of(4));
    if beside.all(|(_, element)| *element == 0.0) { DIAGONAL_KNOWN } else { KNOWN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_without_details_has_none() {
        assert_eq!(fix_details(&GnssFix { altitude: Some(1.0), ..GnssFix::default() }), None);
        let row = fix_details(&GnssFix { satellites: Some(7), ..GnssFix::default() }).unwrap();
        assert_eq!((row.get("satellites"), row.get("hdop")), (Some(&Cell::Int(7)), Some(&Cell::Null)));
    }
}
