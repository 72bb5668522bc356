//! Packages, the parts of a frame: each is one UDP packet of one device.

use robolog_core::{
    Error, PointCloud, Result, Timestamp,
    format::Step,
    layout::{FieldInfo, Layout as _, Packed as _, field},
    slices::{InRange as _, OrZero as _, Part as _, missing, past},
};

use crate::{
    DeviceId, Points, Status, TimestampType, Version,
    layout::{
        DualSpherical, FloatPoint, ImuData, LowPoint, PackageHeader1, PackageHeader2, RawPoint, RawSpherical,
        TaggedPoint, TaggedSpherical, TripleSpherical,
    },
};

/// Data type of a package, by its number in the file. LVX 1 and LVX2 number them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataType {
    /// LVX 1.0's 0 and 1, as floats in metres; always 100 per package.
    FloatCartesian,
    /// As [`FloatCartesian`](Self::FloatCartesian), angles in hundredths of a degree.
    FloatSpherical,
    /// 0: cartesian without tag, 100 per package.
    Cartesian,
    /// 1: spherical without tag, 100 per package.
    Spherical,
    /// 2, and LVX2's 1: cartesian with tag, 96 per package.
    TaggedCartesian,
    /// 3: spherical with tag, 96 per package.
    TaggedSpherical,
    /// 4: two returns per shot, 48 shots.
    DualCartesian,
    /// 5: two returns per shot, 48 shots.
    DualSpherical,
    /// 6, and LVX2's 0 of 24 bytes: one inertial measurement.
    Imu,
    /// 7: three returns per shot, 30 shots.
    TripleCartesian,
    /// 8: three returns per shot, 30 shots.
    TripleSpherical,
    /// LVX2's 2: cartesian in centimetres with tag.
    LowCartesian,
    /// LVX3: compressed by a closed codec.
    Closed,
    /// Any other number of LVX2, whose length is known nevertheless.
    Unknown(u8),
}

impl DataType {
    /// The meaning of `number` in a package of this version, if its layout is known.
    pub(crate) const fn of(version: Version, number: u8, lidar_type: u8, length: u32) -> Option<Self> {
        Some(match (version, number) {
            (Version::V1_0, 0) => Self::FloatCartesian,
            (Version::V1_0, 1) => Self::FloatSpherical,
            (Version::V1_1, 0) => Self::Cartesian,
            (Version::V1_1, 1) => Self::Spherical,
            (Version::V1_1, 2) | (Version::V2_0, 1) => Self::TaggedCartesian,
            (Version::V1_1, 3) => Self::TaggedSpherical,
            (Version::V1_1, 5) => Self::DualSpherical,
            (Version::V1_1, 6) => Self::Imu,
            (Version::V1_1, 8) => Self::TripleSpherical,
            // Livox's recorder writes SDK 1 LiDARs into LVX2 as 14-byte points; the number is the number of returns.
            (Version::V1_1, 4) => Self::DualCartesian,
            (Version::V2_0, 2) if lidar_type == 1 => Self::DualCartesian,
            (Version::V1_1, 7) => Self::TripleCartesian,
            (Version::V2_0, 3) if lidar_type == 1 => Self::TripleCartesian,
            (Version::V2_0, 2) => Self::LowCartesian,
            // As SDK 2 sends them; the specification has none.
            (Version::V2_0, 0) if length as usize == ImuData::LEN => Self::Imu,
            (Version::V2_0, other) => Self::Unknown(other),
            (Version::V2_4, _) => Self::Closed,
            (Version::V1_0 | Version::V1_1, _) => return None,
        })
    }

    /// Bytes of an entry, and its number of points; `None` if it has none.
    pub(crate) const fn entry(self) -> Option<(usize, usize)> {
        Some(match self {
            Self::FloatCartesian | Self::FloatSpherical => (FloatPoint::LEN, 1),
            Self::Cartesian => (RawPoint::LEN, 1),
            Self::Spherical => (RawSpherical::LEN, 1),
            Self::TaggedCartesian | Self::DualCartesian | Self::TripleCartesian => (TaggedPoint::LEN, 1),
            Self::TaggedSpherical => (TaggedSpherical::LEN, 1),
            Self::DualSpherical => (DualSpherical::LEN, 2),
            Self::TripleSpherical => (TripleSpherical::LEN, 3),
            Self::LowCartesian => (LowPoint::LEN, 1),
            Self::Imu | Self::Closed | Self::Unknown(_) => return None,
        })
    }

    /// Bytes after the package header; `None` if the header has the length.
    pub const fn payload_len(self) -> Option<usize> {
        Some(match self {
            Self::FloatCartesian | Self::FloatSpherical => 100 * FloatPoint::LEN,
            Self::Cartesian => 100 * RawPoint::LEN,
            Self::Spherical => 100 * RawSpherical::LEN,
            Self::TaggedCartesian | Self::DualCartesian => 96 * TaggedPoint::LEN,
            Self::TaggedSpherical => 96 * TaggedSpherical::LEN,
            Self::DualSpherical => 48 * DualSpherical::LEN,
            Self::TripleCartesian => 30 * 3 * TaggedPoint::LEN,
            Self::TripleSpherical => 30 * TripleSpherical::LEN,
            Self::Imu => ImuData::LEN,
            Self::Closed => 0,
            Self::LowCartesian | Self::Unknown(_) => return None,
        })
    }

    /// Number of returns per laser shot.
    pub const fn returns(self) -> usize {
        match self {
            Self::DualCartesian | Self::DualSpherical => 2,
            Self::TripleCartesian | Self::TripleSpherical => 3,
            _ => 1,
        }
    }
}

/// A package: points of one device over less than a millisecond, or one inertial measurement.
///
/// ```
/// # let file = lvx::doc::recording();
/// let reader = lvx::Reader::new(&file)?;
/// let frame = reader.records().next().expect("there is a frame")?;
/// let package = frame.packages().next().expect("there is a package")?;
/// assert_eq!((package.data_type(), package.point_count()), (lvx::DataType::TaggedCartesian, 96));
/// assert_eq!(package.time().unwrap().to_string(), "2024-09-17T15:47:55.299964555Z");
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Package<'a> {
    offset: u64,
    version: Version,
    head: Head,
    data_type: DataType,
    bytes: &'a [u8],
}

/// The header of a package.
#[derive(Clone, Copy)]
enum Head {
    V1(PackageHeader1),
    V2(PackageHeader2),
}

impl<'a> Package<'a> {
    /// Reads the package at the start of `input`, which is at `offset` of the file.
    pub(crate) fn parse(version: Version, input: &'a [u8], offset: u64) -> Result<Step<Self>> {
        let header_len = version.package_header_len();
        let head = match version {
            Version::V1_0 | Version::V1_1 => PackageHeader1::peek(input).map(Head::V1),
            Version::V2_0 | Version::V2_4 => PackageHeader2::peek(input).map(Head::V2),
        };
        let Some(head) = head else { return Ok(Step::Need(missing(header_len, input))) };
        let (number, lidar_type, length, field) = match &head {
            Head::V1(head) => (head.data_type, 0, 0, field!(PackageHeader1, data_type)),
            Head::V2(head) => {
                (head.data_type, head.lidar_type, head.length, field!(PackageHeader2, data_type))
            }
        };
        let Some(data_type) = DataType::of(version, number, lidar_type, length) else {
            let expected = if version == Version::V1_0 { "0 or 1" } else { "0 to 8" };
            return Err(Error::invalid("data type", number, expected, field.at(offset)).within("lvx package"));
        };
        let payload = match &head {
            // In 1.x each data type has a fixed length.
            Head::V1(_) => data_type.payload_len().unwrap_or_default(),
            Head::V2(_) if version == Version::V2_4 => 0,
            Head::V2(head) => usize::try_from(head.length).unwrap_or(usize::MAX),
        };
        let len = header_len.saturating_add(payload);
        Ok(match input.get(..len) {
            Some(bytes) => Step::Ready(Self { offset, version, head, data_type, bytes }, len),
            None => Step::Need(missing(len, input)),
        })
    }

    /// Parses `bytes` as one package, as sent by a device or made by [`wire`](crate::wire); `None` unless they are
    /// exactly one.
    pub fn read(version: Version, bytes: &'a [u8]) -> Option<Self> {
        match Self::parse(version, bytes, 0) {
            Ok(Step::Ready(package, len)) if len == bytes.len() => Some(package),
            _ => None,
        }
    }

    /// Offset of the package in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// All bytes of the package. In 1.x, all but the first are the UDP payload as sent by the device.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version of its file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The device it comes from.
    pub fn device(&self) -> DeviceId {
        self.head(|head| DeviceId::Index(head.device_index), |head| DeviceId::Lidar(head.lidar_id))
    }

    /// The type of its data.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The number of its data type in the file.
    pub fn data_type_number(&self) -> u8 {
        self.head(|head| head.data_type, |head| head.data_type)
    }

    /// Version of the device's protocol: 5 in LVX 1, 0 in LVX2.
    pub fn protocol_version(&self) -> u8 {
        self.head(|head| head.version, |head| head.version)
    }

    /// The type of its time stamp.
    pub fn timestamp_type(&self) -> TimestampType {
        self.head(|h| TimestampType::of_v1(h.timestamp_type), |h| TimestampType::of_v2(h.timestamp_type))
    }

    /// The number of its time stamp type in the file.
    pub fn timestamp_type_number(&self) -> u8 {
        self.head(|head| head.timestamp_type, |head| head.timestamp_type)
    }

    /// Time of the first point. `None` if the stamp is no valid date, or beyond i64 nanoseconds.
    pub fn time(&self) -> Option<Timestamp> {
        self.timestamp_type().decode(self.head(|head| head.timestamp, |head| head.timestamp.to_le_bytes()))
    }

    /// The bytes of this package with another time, for [`Writer::package`](crate::Writer::package). All other bytes
    /// are kept.
    ///
    /// Returns an error if its [time stamp](Self::timestamp_type) cannot hold that time: another clock, a time before
    /// zero, or for UTC a year before 2000 or a fraction of a microsecond.
    pub fn with_time(&self, time: Timestamp) -> Result<Vec<u8>> {
        let kind = self.timestamp_type();
        let mut bytes = self.bytes.to_vec();
        let place = self.stamp().of_mut(&mut bytes);
        let Some((place, stamp)) = place.zip(kind.encode(time)) else {
            let expected = format!("a time that a stamp of type {kind:?} can hold");
            return Err(
                Error::invalid("time of a package", time, expected, self.offset).within("lvx package")
            );
        };
        place.copy_from_slice(&stamp);
        Ok(bytes)
    }

    /// Location of its stamp, relative to its first byte.
    pub(crate) fn stamp(&self) -> FieldInfo {
        self.head(|_| field!(PackageHeader1, timestamp), |_| field!(PackageHeader2, timestamp))
    }

    /// The state of the device; LVX 1 only.
    pub fn status(&self) -> Option<Status> {
        self.head(|head| Some(Status(head.status_code)), |_| None)
    }

    /// Slot of the hub (1-9) and LiDAR id (on a Mid-100 1 left, 2 middle, 3 right); LVX 1 only.
    pub fn slot_and_lidar(&self) -> Option<(u8, u8)> {
        self.head(|head| Some((head.slot_id, head.lidar_id)), |_| None)
    }

    /// The device's package counter, which wraps at 65536; LVX2 only.
    pub fn udp_counter(&self) -> Option<u16> {
        self.head(|_| None, |head| Some(head.udp_counter))
    }

    /// The device family: 8 for LiDARs of SDK 2, 1 for those of SDK 1; LVX2 only.
    pub fn lidar_type(&self) -> Option<u8> {
        self.head(|_| None, |head| Some(head.lidar_type))
    }

    /// The bytes after the package header.
    pub fn payload(&self) -> &'a [u8] {
        self.bytes.part(self.version.package_header_len()..)
    }

    /// The points; empty for packages of other data.
    pub fn points(&self) -> Points<'a> {
        Points::new(self.data_type, self.payload())
    }

    /// Appends the [points](Self::points) with their times: nanoseconds from `start`, one value per point, in
    /// [`PointCloud::time_offset`]. The shots of a package are `shot_interval_ns` apart, see
    /// [`DeviceType::shot_interval_ns`](crate::DeviceType::shot_interval_ns).
    ///
    /// Returns an error and appends nothing if the package has no time, or one outside the 4.2 seconds from `start`.
    pub fn append_to(&self, cloud: &mut PointCloud, start: Timestamp, shot_interval_ns: u32) -> Result<()> {
        let points = self.points();
        let shots = points.len().div_or_zero(points.returns());
        let last = u32::try_from(shots).ok().and_then(|shots| shots.checked_mul(shot_interval_ns));
        let offset = self.time().and_then(|time| u32::try_from(time.since(start)?).ok());
        let offset = offset.filter(|offset| last.is_some_and(|last| offset.checked_add(last).is_some()));
        let Some(offset) = offset else {
            let found = self.time().map_or_else(|| "none".to_owned(), |time| time.to_string());
            let expected = format!("within 4.2 s from {start}");
            return Err(
                Error::invalid("time of a package", found, expected, self.offset).within("lvx package")
            );
        };
        points.append_to(cloud);
        let mut nanos = offset;
        for _ in 0..shots {
            cloud.time_offset.extend(std::iter::repeat_n(nanos, points.returns()));
            nanos = nanos.saturating_add(shot_interval_ns);
        }
        Ok(())
    }

    /// Number of points, counting every return. Available for LVX3, unlike the points.
    pub fn point_count(&self) -> usize {
        match self.head {
            Head::V2(head) if self.data_type == DataType::Closed => {
                let size = if head.data_type == 2 { LowPoint::LEN } else { TaggedPoint::LEN };
                let len = usize::try_from(head.length).unwrap_or(usize::MAX);
                len.div_or_zero(size)
            }
            _ => self.points().len(),
        }
    }

    /// The inertial measurement, if it is one.
    pub fn imu(&self) -> Option<ImuData> {
        ImuData::peek(self.payload()).filter(|_| self.data_type == DataType::Imu)
    }

    /// A header field, for either generation.
    #[inline]
    fn head<T>(&self, v1: impl Fn(&PackageHeader1) -> T, v2: impl Fn(&PackageHeader2) -> T) -> T {
        match &self.head {
            Head::V1(head) => v1(head),
            Head::V2(head) => v2(head),
        }
    }
}

impl std::fmt::Debug for Package<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Package")
            .field("offset", &self.offset)
            .field("device", &self.device())
            .field("data_type", &self.data_type)
            .field("time", &self.time())
            .field("points", &self.point_count())
            .finish_non_exhaustive()
    }
}

/// The packages of a frame. If they cannot be separated, returns one error, then ends.
#[derive(Debug, Clone)]
pub struct Packages<'a> {
    version: Version,
    rest: &'a [u8],
    offset: u64,
    /// Remaining number of packages, given in LVX3.
    left: Option<u64>,
}

impl<'a> Packages<'a> {
    pub(crate) fn new(version: Version, body: &'a [u8], offset: u64, left: Option<u64>) -> Self {
        Self { version, rest: body, offset, left }
    }

    /// Offset of the next package.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The unread bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Packages<'a> {
    type Item = Result<Package<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.left == Some(0) {
            return None;
        }
        let error = match Package::parse(self.version, self.rest, self.offset) {
            Ok(Step::Ready(package, len)) => {
                self.rest = self.rest.part(len..);
                self.offset = past(self.offset, len);
                self.left = self.left.map(|n| n.minus(1));
                return Some(Ok(package));
            }
            Ok(Step::Need(n)) => Error::truncated(n, self.offset).within("lvx package"),
            Err(error) => error,
        };
        self.rest = &[];
        Some(Err(error))
    }
}

impl std::iter::FusedIterator for Packages<'_> {}
