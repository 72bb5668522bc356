//! Writing recordings: frames copied byte for byte, or made from values.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what is written")]

use std::{fmt::Display, io::Write, path::Path};

use robolog_core::{
    Clock, Error, ErrorKind, Imu, PointCloud, Result, Timestamp,
    format::{CountingWriter, NewFile},
    layout::{Layout as _, Packed as _, field},
    slices::{Part as _, fitting, past, value_at},
};

use crate::{
    DataType, DeviceId, Header, Package, Record, Version,
    decode::closed_codec,
    layout::{
        DualSpherical, FrameHeader10, FrameHeader11, ImuData, PackageHeader1, PackageHeader2, RawPoint,
        RawSpherical, Return, TaggedPoint, TaggedSpherical, TripleSpherical,
    },
};

/// Writes a recording, frame by frame, with a right chain of offsets; all else in a copied frame stays as it was.
///
/// ```
/// # let file = std::fs::read("examples/room.lvx").unwrap();
/// let reader = lvx::Reader::new(&file)?;
/// let mut writer = lvx::Writer::new(Vec::new(), reader.header())?;
/// for frame in reader.records().take(3) {
///     writer.write(&frame?)?;
/// }
/// assert_eq!(lvx::Reader::new(&writer.finish()?)?.records().count(), 3);
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a recording is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    version: Version,
    frames: u64,
    frame: Vec<u8>,
    /// Whether a frame is open.
    pub(crate) is_open: bool,
    /// Number of the last frame copied, and its next offset.
    copied: Option<(u64, u64)>,
}

impl Writer<NewFile> {
    /// Starts a recording in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Starts a recording with this header.
    ///
    /// Returns an error, and writes nothing, for LVX 1.0 and LVX3, whose frames can only be copied
    /// ([`Copier`](crate::Copier), [`merge`](crate::merge)), and if a device id does not suit the version.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        match header.version() {
            Version::V1_1 | Version::V2_0 => {}
            Version::V1_0 => {
                let kind = ErrorKind::Unsupported {
                    what: "a new recording of LVX 1.0",
                    why: "it has no tags and no inertial measurements: write LVX 1.1",
                };
                return Err(Error::new(kind, 0).within("lvx writer"));
            }
            Version::V2_4 => return Err(closed_codec(0)),
        }
        Self::with_header_bytes(inner, header.version(), &header.to_bytes()?)
    }

    pub(crate) fn with_header_bytes(inner: W, version: Version, header_bytes: &[u8]) -> Result<Self> {
        let mut out = CountingWriter::new(inner);
        out.bytes(header_bytes)?;
        Ok(Self { out, version, frames: 0, frame: Vec::new(), is_open: false, copied: None })
    }

    /// Bytes written so far, which is the offset of the next frame.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Copies a whole frame. A [fragment](Record::is_fragment) becomes a frame with the number of the one it was part
    /// of. Returns an error if a frame is open.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.begin_like(record)?;
        if record.is_fragment() {
            record.packages().map_while(Result::ok).for_each(|package| self.append(package.bytes()));
        } else {
            self.frame.extend_from_slice(record.body());
        }
        self.end_frame()
    }

    /// Begins a frame with the next number; packages are added until [`end_frame`](Self::end_frame). Returns an error
    /// if a frame is open.
    pub fn begin_frame(&mut self) -> Result<()> {
        self.begin_numbered(self.frames)
    }

    fn begin_numbered(&mut self, frame_index: u64) -> Result<()> {
        self.open()?;
        let current_offset = self.out.position();
        match self.version {
            Version::V1_0 => FrameHeader10 { current_offset, next_offset: 0, frame_index, package_count: 0 }
                .encode(&mut self.frame),
            Version::V1_1 | Version::V2_0 => {
                FrameHeader11 { current_offset, next_offset: 0, frame_index }.encode(&mut self.frame)
            }
            Version::V2_4 => Err(closed_codec(self.out.position())),
        }
    }

    /// Adds a package unchanged: for 1.x the device index and the UDP payload of SDK 1. Returns an error if the bytes
    /// are not exactly one package of the version, or if no frame is open.
    pub fn package(&mut self, bytes: &[u8]) -> Result<()> {
        self.check_open()?;
        if Package::read(self.version, bytes).is_none() {
            let expected = format!("one package of {}", self.version);
            return self.refuse("package", format_args!("{} bytes", bytes.len()), expected);
        }
        self.append(bytes);
        Ok(())
    }

    /// Adds a package of 1.x with another device index.
    pub(crate) fn package_as(&mut self, device_index: u8, bytes: &[u8]) -> Result<()> {
        let start = self.frame.len();
        self.package(bytes)?;
        self.frame.iter_mut().skip(start).take(1).for_each(|byte| *byte = device_index);
        Ok(())
    }

    pub(crate) fn append(&mut self, package: &[u8]) {
        self.frame.extend_from_slice(package);
        if let Some(count) = self.package_count() {
            *count = (u64::from_le_bytes(*count) + 1).to_le_bytes();
        }
    }

    /// Returns an error at the offset of the next package.
    fn refuse<T>(&self, what: &'static str, found: impl Display, expected: impl Display) -> Result<T> {
        let at = past(self.out.position(), self.frame.len());
        Err(Error::invalid(what, found, expected, at).within("lvx writer"))
    }

    fn open(&mut self) -> Result<()> {
        if self.is_open {
            return self.refuse("frame", "an unfinished one", "`end_frame` first");
        }
        self.is_open = true;
        self.frame.clear();
        Ok(())
    }

    fn check_open(&self) -> Result<()> {
        if self.is_open {
            return Ok(());
        }
        self.refuse("frame", "no frame", "begin_frame before it")
    }

    /// The package count field of 1.0's frame header.
    pub(crate) fn package_count(&mut self) -> Option<&mut [u8; 8]> {
        if self.version != Version::V1_0 {
            return None;
        }
        field!(FrameHeader10, package_count).of_mut(&mut self.frame)?.first_chunk_mut()
    }

    /// Adds the points of a cloud as packages of 96: data type 2 of LVX 1.1, type 1 of LVX2, rounded to millimetres,
    /// with intensities rounded to integers.
    ///
    /// A package is stamped `time` plus the time offset of its first point; the times of the points after it follow
    /// from the model.
    ///
    /// Returns an error, and adds nothing of the cloud, if no frame is open, if the cloud's columns differ in length,
    /// if it has more points than a package and no [`time_offset`](PointCloud::time_offset), for coordinates that are
    /// not finite or beyond 2147 km, and for intensities outside 0 to 255. In 1.1, where packages have a fixed size,
    /// also if the points do not fill the last one: see [`filled_cloud`](Self::filled_cloud).
    pub fn cloud(&mut self, device: DeviceId, time: Timestamp, cloud: &PointCloud) -> Result<()> {
        self.check_open()?;
        if self.lacks(Form::TAGGED, cloud) > 0 {
            let expected = format!("a multiple of {PER_PACKAGE} in {}, or `filled_cloud`", self.version);
            return self.refuse("number of points", cloud.len(), expected);
        }
        self.filled_cloud(device, time, cloud).map(drop)
    }

    /// Adds the points of a cloud like [`cloud`](Self::cloud). In 1.1 the last package is filled up with points at the
    /// origin, as a LiDAR reports shots without a return. Returns the number of points added this way.
    pub fn filled_cloud(&mut self, device: DeviceId, time: Timestamp, cloud: &PointCloud) -> Result<usize> {
        self.cloud_as(DataType::TaggedCartesian, device, time, cloud)
    }

    /// Adds the points of a cloud like [`filled_cloud`](Self::filled_cloud), in packages of this data type. The returns
    /// of a shot must be adjacent; those of a spherical type lie in the direction of the first. Tags are lost in types
    /// without, and directions are rounded to hundredths of a degree.
    ///
    /// Returns the errors of [`cloud`](Self::cloud), and one for types without points or of another version.
    ///
    /// ```
    /// use lvx::{Clock, DataType, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
    ///
    /// let id = DeviceId::Index(0);
    /// let header = Header::new(Version::V1_1, vec![Device::new(id, "1HDDH3200104281", DeviceType(1))]);
    /// let mut writer = Writer::new(Vec::new(), &header)?;
    /// let cloud = PointCloud { x: vec![0.0], y: vec![2.0], z: vec![0.0], ..PointCloud::default() };
    /// writer.begin_frame()?;
    /// writer.cloud_as(DataType::Spherical, id, Timestamp::new(0, Clock::Device), &cloud)?;
    /// writer.end_frame()?;
    /// let file = writer.finish()?;
    /// // 2000 mm at a zenith and an azimuth of 90 degrees.
    /// assert_eq!(file[24 + 5 + 59 + 24 + 19..][..8], [0xd0, 7, 0, 0, 0x28, 0x23, 0x28, 0x23]);
    /// # Ok::<(), lvx::Error>(())
    /// ```
    pub fn cloud_as(
        &mut self,
        data_type: DataType,
        device: DeviceId,
        time: Timestamp,
        cloud: &PointCloud,
    ) -> Result<usize> {
        self.check_open()?;
        let numbers = (0..=u8::MAX).find(|n| DataType::of(self.version, *n, 8, 0) == Some(data_type));
        let (Some(number), Some(form)) = (numbers, Form::of(data_type)) else {
            let expected = format!("points of {}", self.version);
            return self.refuse("data type", format_args!("{data_type:?}"), expected);
        };
        let before = self.frame.len();
        let outcome = self.add_cloud((form, number), device, time, cloud);
        if outcome.is_err() {
            self.frame.truncate(before);
        }
        outcome.map(|()| self.lacks(form, cloud))
    }

    /// Number of points missing from the last package of a cloud.
    fn lacks(&self, form: Form, cloud: &PointCloud) -> usize {
        let fills = self.version == Version::V1_1;
        if fills { cloud.len().next_multiple_of(form.points) - cloud.len() } else { 0 }
    }

    fn add_cloud(
        &mut self,
        (form, number): (Form, u8),
        device: DeviceId,
        time: Timestamp,
        cloud: &PointCloud,
    ) -> Result<()> {
        if !cloud.len().is_multiple_of(form.returns) {
            let expected = format!("{} for each shot", form.returns);
            return self.refuse("number of returns", cloud.len(), expected);
        }
        if !cloud.is_consistent() {
            let expected = format!("columns of {} values, or of none", cloud.len());
            return self.refuse("cloud", "columns of several lengths", expected);
        }
        if cloud.len() > form.points && cloud.time_offset.is_empty() {
            let found = format!("none for {} points", cloud.len());
            let expected = format!("`time_offset`, for each {} points have a stamp", form.points);
            return self.refuse("point times", found, expected);
        }
        for first in (0..cloud.len()).step_by(form.points) {
            let range = first..(first + form.points).min(cloud.len());
            let offset = value_at(&cloud.time_offset, first);
            let stamp = time.checked_add(i64::from(offset)).unwrap_or(time);
            let mut points = Vec::with_capacity(form.len);
            for i in range.step_by(form.returns) {
                let shot: Result<Vec<_>> =
                    (i..i + form.returns).map(|i| point(cloud, i, self.out.position())).collect();
                form.encode(&shot?, self.out.position(), &mut points)?;
            }
            if self.version == Version::V1_1 {
                points.resize(form.len, 0);
            }
            self.head(device, stamp, number, points.len())?;
            self.frame.append(&mut points);
        }
        Ok(())
    }

    /// Adds an inertial measurement: data type 6 of LVX 1.1. Missing values become 0. Returns an error for LVX2, which
    /// has no such data type, and if no frame is open.
    pub fn imu(&mut self, device: DeviceId, time: Timestamp, imu: &Imu) -> Result<()> {
        self.check_open()?;
        if self.version != Version::V1_1 {
            let what = format!("an inertial measurement in {}", self.version);
            return self.refuse("package", what, "LVX 1.1");
        }
        #[expect(clippy::cast_possible_truncation, reason = "the format holds single precision")]
        let xyz = |v: Option<nalgebra::Vector3<f64>>, unit: f64| {
            v.map_or([0.0; 3], |v| [v.x, v.y, v.z].map(|v| (v / unit) as f32))
        };
        self.head(device, time, 6, ImuData::LEN)?;
        ImuData {
            gyro: xyz(imu.angular_velocity, 1.0),
            acc: xyz(imu.linear_acceleration, Imu::STANDARD_GRAVITY),
        }
        .encode(&mut self.frame)
    }

    /// Completes the frame and writes it. Returns an error if none is open.
    pub fn end_frame(&mut self) -> Result<()> {
        self.check_open()?;
        self.is_open = false;
        let len = self.frame.len() as u64;
        let next = self.out.position() + len;
        // LVX3 has no next offset: its frames have a length.
        let next = if self.version == Version::V2_4 { len } else { next };
        let current = field!(FrameHeader11, current_offset);
        for (place, value) in [(current, self.out.position()), (self.version.next_field(), next)] {
            if let Some(field) = place.of_mut(&mut self.frame).and_then(<[u8]>::first_chunk_mut) {
                *field = value.to_le_bytes();
            }
        }
        self.out.bytes(&self.frame)?;
        self.frames += 1;
        Ok(())
    }

    /// Completes the recording and returns the target. Returns an error if a frame is open.
    pub fn finish(mut self) -> Result<W> {
        self.open()?;
        self.out.finish()
    }

    /// Begins a frame with the header of `record`, without packages.
    pub(crate) fn begin_like(&mut self, record: &Record<'_>) -> Result<()> {
        if record.version() != self.version {
            let found = record.version();
            return Err(Error::invalid("frame", found, self.version, record.offset()).within("lvx writer"));
        }
        if record.is_fragment() {
            // Past the last frame's end it is the rest of the next one.
            let is_of = |next: u64| record.offset() < next;
            let index =
                self.copied.map_or(0, |(last, next)| if is_of(next) { last } else { last.saturating_add(1) });
            return self.begin_numbered(index);
        }
        self.copied = record.frame_index().map(|index| (index, record.next_offset()));
        self.open()?;
        self.frame.extend_from_slice(record.bytes().part(..self.version.frame_header_len()));
        Ok(())
    }

    fn head(&mut self, device: DeviceId, time: Timestamp, data_type: u8, length: usize) -> Result<()> {
        let Ok(stamp) = u64::try_from(time.nanos()) else {
            return self.refuse("time", time, "not before the clock's zero");
        };
        let timestamp_type = u8::from(time.clock() == Clock::Unix);
        match (self.version, device) {
            (Version::V1_1, DeviceId::Index(device_index)) => PackageHeader1 {
                device_index,
                version: 5,
                slot_id: 1,
                lidar_id: 1,
                reserved: 0,
                status_code: 0,
                timestamp_type,
                data_type,
                timestamp: stamp.to_le_bytes(),
            }
            .encode(&mut self.frame),
            (Version::V2_0, DeviceId::Lidar(lidar_id)) => {
                PackageHeader2 {
                    version: 0,
                    lidar_id,
                    // Livox Viewer 2 drops packages of any other type.
                    lidar_type: 8,
                    timestamp_type,
                    timestamp: stamp,
                    udp_counter: 0,
                    data_type,
                    length: fitting(length),
                    frame_counter: 0,
                    reserved: [0; 4],
                }
                .encode(&mut self.frame)
            }
            (version, device) => {
                let found = format!("a package of {device} in {version}");
                self.refuse("package", found, "an index in 1.1, an address in LVX2")
            }
        }
    }
}

/// Points per package.
const PER_PACKAGE: usize = 96;

/// Packages of a data type.
#[derive(Debug, Clone, Copy)]
struct Form {
    data_type: DataType,
    /// Bytes and points of a full package.
    len: usize,
    points: usize,
    returns: usize,
}

impl Form {
    const TAGGED: Self = Self {
        data_type: DataType::TaggedCartesian,
        len: PER_PACKAGE * TaggedPoint::LEN,
        points: PER_PACKAGE,
        returns: 1,
    };

    /// `None` without points of a fixed number, and for those of 1.0.
    fn of(data_type: DataType) -> Option<Self> {
        let is_old = matches!(data_type, DataType::FloatCartesian | DataType::FloatSpherical);
        let len = data_type.payload_len().filter(|_| !is_old)?;
        let (size, points) = data_type.entry()?;
        let points = len.checked_div(size)?.checked_mul(points)?;
        Some(Self { data_type, len, points, returns: data_type.returns() })
    }

    /// Appends the returns of a shot.
    fn encode(self, shot: &[TaggedPoint], at: u64, out: &mut Vec<u8>) -> Result<()> {
        let first = shot.iter().find(|p| (p.x, p.y, p.z) != (0, 0, 0)).or(shot.first()).copied();
        let (theta, phi) = direction(first.unwrap_or_default());
        let returned = |i: usize| {
            let point = shot.get(i).copied().unwrap_or_default();
            let depth = depth(point, at)?;
            Ok::<_, Error>(Return { depth, reflectivity: point.reflectivity, tag: point.tag })
        };
        match self.data_type {
            DataType::Cartesian => {
                let TaggedPoint { x, y, z, reflectivity, .. } = first.unwrap_or_default();
                RawPoint { x, y, z, reflectivity }.encode(out)
            }
            DataType::Spherical => {
                let Return { depth, reflectivity, .. } = returned(0)?;
                RawSpherical { depth, theta, phi, reflectivity }.encode(out)
            }
            DataType::TaggedSpherical => {
                let Return { depth, reflectivity, tag } = returned(0)?;
                TaggedSpherical { depth, theta, phi, reflectivity, tag }.encode(out)
            }
            DataType::DualSpherical => {
                DualSpherical { theta, phi, returns: [returned(0)?, returned(1)?] }.encode(out)
            }
            DataType::TripleSpherical => {
                TripleSpherical { theta, phi, returns: [returned(0)?, returned(1)?, returned(2)?] }
                    .encode(out)
            }
            _ => shot.iter().try_for_each(|point| point.encode(out)),
        }
    }
}

/// Distance in millimetres.
fn depth(point: TaggedPoint, at: u64) -> Result<i32> {
    let depth = [point.x, point.y, point.z].map(f64::from).iter().map(|v| v * v).sum::<f64>().sqrt().round();
    if depth > f64::from(i32::MAX) {
        return Err(Error::invalid("distance", depth, "below 2147 km", at).within("lvx writer"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range by the check above")]
    Ok(depth as i32)
}

/// Zenith and azimuth in hundredths of a degree.
fn direction(point: TaggedPoint) -> (u16, u16) {
    let [x, y, z] = [point.x, point.y, point.z].map(f64::from);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, from 0 to 36000")]
    let hundredths = |radians: f64| (radians.to_degrees() * 100.0).round().rem_euclid(36_000.0) as u16;
    (hundredths(x.hypot(y).atan2(z)), hundredths(y.atan2(x)))
}

fn point(cloud: &PointCloud, i: usize, at: u64) -> Result<TaggedPoint> {
    let invalid = |what, found: f64, expected| Error::invalid(what, found, expected, at).within("lvx writer");
    let millimetres = |column: &[f32]| {
        let metres = f64::from(value_at(column, i));
        let rounded = (metres * 1000.0).round();
        if !(f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&rounded) {
            return Err(invalid("coordinate", metres, "metres within 2147 km"));
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range by the check above")]
        Ok(rounded as i32)
    };
    let intensity = cloud.intensity.get(i).map_or(0.0, |v| v.round());
    if !(0.0..=255.0).contains(&intensity) {
        return Err(invalid("intensity", intensity.into(), "0 to 255"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    let reflectivity = intensity as u8;
    Ok(TaggedPoint {
        x: millimetres(&cloud.x)?,
        y: millimetres(&cloud.y)?,
        z: millimetres(&cloud.z)?,
        reflectivity,
        tag: value_at(&cloud.tag, i),
    })
}
