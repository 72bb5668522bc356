//! Fields of a scan's points.

use ::e57::{DateTime, RawValues, Record, RecordDataType, RecordName, RecordValue};
use robolog_core::{Clock, PointCloud, Timestamp, slices::value_at};

use crate::gps;

/// Namespace prefix of non-standard fields.
pub(super) const NAMESPACE: &str = "robolog";

/// A field of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    X,
    Y,
    Z,
    Invalid,
    Intensity,
    ReturnIndex,
    ReturnCount,
    Time,
    Ring,
    Tag,
}

/// The fields of a cloud's points.
#[derive(Debug)]
pub(super) struct Fields(Vec<Field>);

impl Fields {
    pub(super) fn of(cloud: &PointCloud) -> Self {
        let invalid = (0..cloud.len()).any(|i| !is_finite(cloud, i));
        let mut fields = vec![Field::X, Field::Y, Field::Z];
        let returns = !cloud.return_number.is_empty();
        for (field, there) in [
            (Field::Invalid, invalid),
            (Field::Intensity, !cloud.intensity.is_empty()),
            (Field::ReturnIndex, returns),
            (Field::ReturnCount, returns),
            (Field::Time, !cloud.time_offset.is_empty()),
            (Field::Ring, !cloud.ring.is_empty()),
            (Field::Tag, !cloud.tag.is_empty()),
        ] {
            if there {
                fields.push(field);
            }
        }
        Self(fields)
    }

    pub(super) fn prototype(&self, cloud: &PointCloud) -> Vec<Record> {
        let single = || RecordDataType::Single { min: None, max: None };
        let integer = |max| RecordDataType::Integer { min: 0, max };
        let own = |name: &str| RecordName::Unknown { namespace: NAMESPACE.into(), name: name.into() };
        let record = |field: &Field| {
            let (name, data_type) = match field {
                Field::X => (RecordName::CartesianX, single()),
                Field::Y => (RecordName::CartesianY, single()),
                Field::Z => (RecordName::CartesianZ, single()),
                Field::Invalid => (RecordName::CartesianInvalidState, integer(2)),
                Field::Intensity => {
                    let (min, max) = limits(&cloud.intensity);
                    (RecordName::Intensity, RecordDataType::Single { min: Some(min), max: Some(max) })
                }
                Field::ReturnIndex => (RecordName::ReturnIndex, integer(255)),
                Field::ReturnCount => (RecordName::ReturnCount, integer(255)),
                Field::Time => (RecordName::TimeStamp, RecordDataType::Double { min: None, max: None }),
                Field::Ring => (own("ring"), integer(65_535)),
                Field::Tag => (own("tag"), integer(255)),
            };
            Record { name, data_type }
        };
        self.0.iter().map(record).collect()
    }

    pub(super) fn values(&self, cloud: &PointCloud, i: usize) -> RawValues {
        let valid = is_finite(cloud, i);
        let coordinate = |column: &[f32]| RecordValue::Single(if valid { get(column, i) } else { 0.0 });
        let number = get(&cloud.return_number, i);
        let value = |field: &Field| match field {
            Field::X => coordinate(&cloud.x),
            Field::Y => coordinate(&cloud.y),
            Field::Z => coordinate(&cloud.z),
            Field::Invalid => RecordValue::Integer(if valid { 0 } else { 2 }),
            Field::Intensity => {
                let intensity = get(&cloud.intensity, i);
                RecordValue::Single(if intensity.is_finite() { intensity } else { 0.0 })
            }
            Field::ReturnIndex => RecordValue::Integer((number.max(1) - 1).into()),
            Field::ReturnCount => RecordValue::Integer(number.max(1).into()),
            Field::Time => RecordValue::Double(seconds(get(&cloud.time_offset, i))),
            Field::Ring => RecordValue::Integer(get(&cloud.ring, i).into()),
            Field::Tag => RecordValue::Integer(get(&cloud.tag, i).into()),
        };
        self.0.iter().map(value).collect()
    }
}

fn get<T: Copy + Default>(column: &[T], i: usize) -> T {
    value_at(column, i)
}

fn is_finite(cloud: &PointCloud, i: usize) -> bool {
    [&cloud.x, &cloud.y, &cloud.z].into_iter().all(|column| get(column, i).is_finite())
}

/// Intensity limits: 0 to 255, extended by the actual values.
fn limits(intensity: &[f32]) -> (f32, f32) {
    let finite = intensity.iter().copied().filter(|v| v.is_finite());
    finite.fold((0.0, 255.0), |(min, max): (f32, f32), v| (min.min(v), max.max(v)))
}

fn seconds(nanos: u32) -> f64 {
    f64::from(nanos) * 1e-9
}

/// Dates of the first and last point, for clocks with dates.
pub(super) fn dates(cloud: &PointCloud, time: Option<Timestamp>) -> Option<(DateTime, DateTime)> {
    let time = time?;
    let (secs, nanos) = gps::time(time)?;
    #[expect(clippy::cast_precision_loss, reason = "seconds of i64 nanoseconds have 34 bits")]
    let date = |offset: u32| DateTime {
        gps_time: secs as f64 + (f64::from(nanos) + f64::from(offset)) * 1e-9,
        atomic_reference: time.clock() == Clock::Gps,
    };
    Some((date(0), date(cloud.time_offset.iter().copied().max().unwrap_or(0))))
}
