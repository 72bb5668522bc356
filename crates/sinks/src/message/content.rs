//! Content of messages, independent of the schema.

use std::sync::{Arc, LazyLock};

use robolog_core::{
    Cell, Feature, Field, FieldKind, FixQuality, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud, Pose,
    Row, Satellites, Value,
};

use super::scene::Solid;

/// A value, or content written beside it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'a> {
    Cloud(&'a PointCloud),
    Scan(&'a LaserScan),
    Image(&'a Image),
    Imu(&'a Imu),
    Fix(&'a GnssFix),
    Odometry(&'a Odometry),
    Pose(&'a Pose),
    /// A child frame and its pose.
    Transform(&'a str, &'a Pose),
    Row(&'a Row),
    Number(f64),
    Text(&'a str),
    Satellites(&'a Satellites),
    /// A place, a line or an area on Earth.
    Feature(&'a Feature),
    /// A named box that appears or disappears.
    Solid(&'a str, Option<&'a Solid>),
}

/// The type of a topic's messages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type<'a> {
    Standard(Message),
    /// Made for the columns of a row.
    Row(&'a Arc<[Field]>),
}

/// Messages with a fixed type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Message {
    CompressedImage,
    Fix,
    GeoJson,
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
    pub(crate) const ALL: [Self; 14] = [
        Self::CompressedImage,
        Self::Fix,
        Self::GeoJson,
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
    /// The content of a sample's value; `None` for unknown kinds.
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
            Value::Feature(feature) => Self::Feature(feature),
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
            Self::Feature(_) => Message::GeoJson,
            Self::Solid(..) => Message::Scene,
        })
    }
}

/// Bytes per row of pixels; `None` for an image file, and if the number of pixels is wrong.
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

/// Values of a fix that messages have no field for; `None` if there are none.
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

/// Covariance of a position (m²; east, north, up) and its type, which `NavSatFix` and Foxglove's `LocationFix` number
/// alike.
///
/// If the receiver gives none, it is approximated from the dilution of precision, as ROS drivers do: the standard
/// deviation is the horizontal dilution times the position error for this quality. A missing vertical dilution is twice
/// the horizontal one.
pub(crate) fn covariance(fix: &GnssFix) -> Option<([f64; 9], u8)> {
    const APPROXIMATED: u8 = 1;
    const DIAGONAL_KNOWN: u8 = 2;
    const KNOWN: u8 = 3;
    if let Some(rows) = fix.position_covariance {
        // Every fourth of the nine elements is on the diagonal.
        let mut beside = rows.iter().enumerate().filter(|(i, _)| !i.is_multiple_of(4));
        let is_diagonal = beside.all(|(_, element)| *element == 0.0);
        return Some((rows, if is_diagonal { DIAGONAL_KNOWN } else { KNOWN }));
    }
    let hdop = fix.hdop.filter(|hdop| hdop.is_finite() && *hdop > 0.0)?;
    let vdop = fix.vdop.filter(|vdop| vdop.is_finite() && *vdop > 0.0).unwrap_or(2.0 * hdop);
    let off = position_error(fix.quality)?;
    let [across, up] = [hdop, vdop].map(|dop| (dop * off).powi(2));
    Some(([across, 0.0, 0.0, 0.0, across, 0.0, 0.0, 0.0, up], APPROXIMATED))
}

/// Position error with good satellite geometry, metres, as a standard deviation: the numbers of `nmea_navsat_driver`.
/// `None` without a position.
const fn position_error(quality: FixQuality) -> Option<f64> {
    match quality {
        FixQuality::Dgps => Some(0.1),
        FixQuality::RtkFixed => Some(0.02),
        FixQuality::Gps | FixQuality::Pps | FixQuality::RtkFloat | FixQuality::Unknown => Some(4.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariances_are_approximated_where_the_receiver_is_silent() {
        let fix = |quality, hdop, vdop| GnssFix { quality, hdop, vdop, ..GnssFix::default() };
        let diagonal =
            |fix: &GnssFix| covariance(fix).map(|(rows, kind)| ([rows[0], rows[4], rows[8]], kind));
        assert_eq!(diagonal(&fix(FixQuality::Gps, Some(1.5), None)), Some(([36.0, 36.0, 144.0], 1)));
        assert_eq!(diagonal(&fix(FixQuality::Unknown, Some(0.5), Some(0.75))), Some(([4.0, 4.0, 9.0], 1)));
        for (quality, hdop) in [
            (FixQuality::None, Some(1.0)),
            (FixQuality::Simulated, Some(1.0)),
            (FixQuality::Gps, None),
            (FixQuality::Gps, Some(0.0)),
            (FixQuality::Gps, Some(f64::NAN)),
        ] {
            assert_eq!(covariance(&fix(quality, hdop, Some(1.0))), None, "{quality:?} {hdop:?}");
        }
        let rows = [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0];
        let told = GnssFix { position_covariance: Some(rows), ..fix(FixQuality::Gps, Some(1.0), None) };
        assert_eq!(covariance(&told), Some((rows, 2)));
        let turned = GnssFix { position_covariance: Some([0.5; 9]), ..told };
        assert_eq!(covariance(&turned), Some(([0.5; 9], 3)));
    }

    #[test]
    fn a_fix_without_details_has_none() {
        assert_eq!(fix_details(&GnssFix { altitude: Some(1.0), ..GnssFix::default() }), None);
        let row = fix_details(&GnssFix { satellites: Some(7), ..GnssFix::default() }).unwrap();
        assert_eq!((row.get("satellites"), row.get("hdop")), (Some(&Cell::Int(7)), Some(&Cell::Null)));
    }
}
