//! Payloads of messages.

use std::fmt;

use robolog_core::{
    Clock, Error, FixQuality, Result, Timestamp,
    layout::{Cursor, Layout, Packed as _, checked_count, chunks, field},
    slices::{InRange as _, Part as _, before},
    text::Escaped,
};

use crate::{
    TypeId,
    layout::{Gps, ImageHeader, NarrowImageHeader, Obd, PACKET_LEN, RobotPose, VelodyneHeader},
};

/// The payload of a message.
///
/// ```
/// # let file = koblenz_log::doc::recording();
/// use koblenz_log::{Payload, Reader};
/// let mut speeds = Vec::new();
/// for message in Reader::new(&file)?.records() {
///     if let Payload::Obd(obd) = message?.decode()? {
///         speeds.push(obd.speed); // km/h
///     }
/// }
/// assert_eq!(speeds, [36]);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// `OBDDataM`.
    Obd(Obd),
    /// `GPSDataM`.
    Gps(Gps),
    /// `ImageM`.
    Image(ImageData<'a>),
    /// `RobotPoseM`.
    RobotPose(RobotPose),
    /// `VelodyneRawDataM`.
    Velodyne(VelodyneData<'a>),
    /// `LaserRange2DDataM`.
    Laser(LaserData<'a>),
    /// Bytes of an unknown type or version, unchanged.
    Unknown(&'a [u8]),
}

/// A camera image.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ImageData<'a> {
    /// Number of the camera.
    pub source: i32,
    /// Whether `data` is a JPEG file, according to the recorder: any nonzero number.
    pub compressed: u32,
    /// Length of the `compressed` field in bytes: 4, or 1 in logs of some recorders.
    pub compressed_len: usize,
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// The file, or the pixels.
    pub data: &'a [u8],
}

/// Packets of a Velodyne, as received.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VelodyneData<'a> {
    /// Number of packets the message claims.
    pub claimed: u32,
    /// The complete packets present, 1206 bytes each.
    pub data: &'a [u8],
}

/// A scan of a planar laser scanner. The log does not contain its angles: see [`LaserModel`](crate::LaserModel).
///
/// ```
/// use koblenz_log::{LaserData, LaserModel};
/// let ranges = [1000_u32, 19, 2500].map(u32::to_le_bytes);
/// let scan = LaserData { sensor_type: b"Hokuyo URG 04LX", name: b"front", data: ranges.as_flattened() };
/// let model = LaserModel::from_type(scan.sensor_type).expect("it is known");
/// // 19 is below the sensor's minimum range: an error code.
/// assert_eq!(scan.distances().filter(|mm| *mm >= model.least).count(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LaserData<'a> {
    /// The scanner's type, such as `Hokuyo URG 04LX`.
    pub sensor_type: &'a [u8],
    /// The name of this scanner.
    pub name: &'a [u8],
    /// Millimetres from the scanner, each a u32: values below its minimum range are error codes.
    pub data: &'a [u8],
}

impl<'a> VelodyneData<'a> {
    /// The packets present, however many are claimed.
    pub fn packets(&self) -> &'a [[u8; PACKET_LEN]] {
        chunks::<PACKET_LEN>(self.data)
    }

    /// Whether exactly the claimed packets are present.
    pub fn is_whole(&self) -> bool {
        u64::from(self.claimed).checked_mul(PACKET_LEN as u64) == Some(self.data.len() as u64)
    }
}

impl<'a> LaserData<'a> {
    /// Number of ranges.
    pub fn len(&self) -> usize {
        self.data.len() / 4
    }

    /// Whether there are no ranges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Millimetres, from right to left.
    pub fn distances(&self) -> impl ExactSizeIterator<Item = u32> + 'a {
        chunks::<4>(self.data).iter().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The scanner's name, safe to print.
    pub fn name_text(&self) -> String {
        Escaped(self.name).to_string()
    }
}

impl Gps {
    /// The receiver's date and time of day; `None` if invalid. Two-digit years are in this century.
    pub fn utc(&self) -> Option<Timestamp> {
        let year = if self.year < 100 { self.year.checked_add(2000)? } else { self.year };
        let [month, day, hour, minute, second] =
            [self.month, self.day, self.hour, self.minute, self.second].map(|n| u8::try_from(n).ok());
        Timestamp::from_utc(year, month?, day?, hour?, minute?, second?, 0)
    }

    /// A copy with the date and whole second of this time; `None` unless it is unix time.
    #[must_use]
    pub fn at_utc(self, time: Timestamp) -> Option<Self> {
        if time.clock() != Clock::Unix {
            return None;
        }
        // In RFC 3339 form.
        let text = time.to_string();
        let mut parts = text.split(['-', 'T', ':', '.', 'Z']).map(|part| part.parse().ok());
        let mut next = || parts.next().flatten();
        let (year, month, day) = (next()?, next()?, next()?);
        Some(Self { year, month, day, hour: next()?, minute: next()?, second: next()?, ..self })
    }

    /// Degrees north and east. Numbers beyond 90 and 180 are degrees times 100 plus minutes, as in NMEA.
    pub fn position(&self) -> (f64, f64) {
        let is_nmea = self.latitude.abs() > 90.0 || self.longitude.abs() > 180.0;
        let degrees = |v: f64| {
            let whole = (v / 100.0).trunc();
            whole + (v - whole * 100.0) / 60.0
        };
        if is_nmea {
            (degrees(self.latitude), degrees(self.longitude))
        } else {
            (self.latitude, self.longitude)
        }
    }

    /// Whether there is a position: a receiver without one may still have the date.
    pub fn has_position(&self) -> bool {
        self.latitude.is_finite() && self.longitude.is_finite()
    }

    /// The fix quality.
    pub fn fix_quality(&self) -> FixQuality {
        u32::try_from(self.quality).map_or(FixQuality::Unknown, FixQuality::from_gga)
    }

    /// Whether there is a fix with a reliable time.
    pub(crate) fn has_fix(&self) -> bool {
        self.quality > 0 && self.utc().is_some_and(|t| t.clock() == Clock::Unix)
    }
}

impl<'a> Payload<'a> {
    /// Parses `body`, at offset `at`, as the payload of a message of this type and version.
    ///
    /// Returns an error if its counts do not agree with its length. For a Velodyne, reads the complete packets present,
    /// however many are claimed.
    pub fn parse(type_id: TypeId, version: i32, body: &'a [u8], at: u64) -> Result<Self> {
        if type_id.version() != Some(version) {
            return Ok(Self::Unknown(body));
        }
        Ok(match type_id {
            TypeId::OBD => Self::Obd(whole(body, at)?),
            TypeId::GPS => Self::Gps(whole(body, at)?),
            TypeId::ROBOT_POSE => Self::RobotPose(whole(body, at)?),
            TypeId::IMAGE => Self::Image(image(body, at)?),
            TypeId::VELODYNE => {
                let mut cursor = Cursor::new(body, at, VelodyneHeader::NAME);
                let claimed = cursor.layout::<VelodyneHeader>()?.packets;
                Self::Velodyne(VelodyneData {
                    claimed,
                    data: chunks::<PACKET_LEN>(cursor.rest()).as_flattened(),
                })
            }
            TypeId::LASER => Self::Laser(laser(body, at)?),
            _ => Self::Unknown(body),
        })
    }

    /// The type and version of messages with this payload; `None` if unknown.
    pub const fn type_id(&self) -> Option<TypeId> {
        Some(match self {
            Self::Obd(_) => TypeId::OBD,
            Self::Gps(_) => TypeId::GPS,
            Self::Image(_) => TypeId::IMAGE,
            Self::RobotPose(_) => TypeId::ROBOT_POSE,
            Self::Velodyne(_) => TypeId::VELODYNE,
            Self::Laser(_) => TypeId::LASER,
            Self::Unknown(_) => return None,
        })
    }

    /// Appends the payload's bytes. Returns an error for values that would not read back: lengths beyond 32 bits,
    /// incomplete ranges or packets, a number above 255 for a one-byte `compressed`.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let at = out.len() as u64;
        let len = |bytes: &[u8], what| {
            u32::try_from(bytes.len()).map_err(|_| Error::invalid(what, bytes.len(), "at most 4 GiB", at))
        };
        match self {
            Self::Obd(obd) => obd.encode(out),
            Self::Gps(gps) => gps.encode(out),
            Self::RobotPose(pose) => pose.encode(out),
            Self::Image(image) => {
                let ImageData { source, compressed, width, height, data, .. } = *image;
                let len = len(data, "image data")?;
                if image.compressed_len == 1 {
                    let Ok(compressed) = u8::try_from(compressed) else {
                        return Err(Error::invalid("compressed", compressed, "at most 255 in one byte", at));
                    };
                    NarrowImageHeader { source, compressed, width, height, len }.encode(out)?;
                } else {
                    ImageHeader { source, compressed, width, height, len }.encode(out)?;
                }
                out.extend_from_slice(data);
                Ok(())
            }
            Self::Velodyne(velodyne) => {
                let len = velodyne.data.len();
                if !len.is_multiple_of(PACKET_LEN) {
                    return Err(Error::invalid("packets", len, "1206 bytes for each", at));
                }
                VelodyneHeader { packets: velodyne.claimed }.encode(out)?;
                out.extend_from_slice(velodyne.data);
                Ok(())
            }
            Self::Laser(laser) => {
                for text in [laser.sensor_type, laser.name] {
                    out.extend(len(text, "text")?.to_le_bytes());
                    out.extend_from_slice(text);
                }
                let (ranges, odd) = (len(laser.data, "ranges")? / 4, laser.data.len() % 4);
                if odd != 0 {
                    return Err(Error::invalid("ranges", laser.data.len(), "four bytes for each", at));
                }
                out.extend(ranges.to_le_bytes());
                out.extend_from_slice(laser.data);
                Ok(())
            }
            Self::Unknown(body) => {
                out.extend_from_slice(body);
                Ok(())
            }
        }
    }
}

/// A structure that fills `body`.
fn whole<T: Layout>(body: &[u8], at: u64) -> Result<T> {
    if body.len() == T::LEN {
        return T::decode(body, at);
    }
    Err(Error::invalid("payload length", body.len(), T::LEN, at).within(T::NAME))
}

fn image(body: &[u8], at: u64) -> Result<ImageData<'_>> {
    const WHAT: &str = ImageHeader::NAME;
    let fills = |header: usize, len: u32| {
        usize::try_from(len).ok().and_then(|len| len.checked_add(header)) == Some(body.len())
    };
    let narrow = NarrowImageHeader::peek(body).filter(|head| fills(NarrowImageHeader::LEN, head.len));
    if let Some(head) = narrow
        && !ImageHeader::peek(body).is_some_and(|head| fills(ImageHeader::LEN, head.len))
    {
        let NarrowImageHeader { source, compressed, width, height, .. } = head;
        let data = body.part(NarrowImageHeader::LEN..);
        return Ok(ImageData {
            source,
            compressed: compressed.into(),
            compressed_len: 1,
            width,
            height,
            data,
        });
    }
    let mut cursor = Cursor::new(body, at, WHAT);
    let ImageHeader { source, compressed, width, height, len } = cursor.layout()?;
    let len =
        checked_count(len.into(), 1, cursor.rest().len(), "image data", field!(ImageHeader, len).at(at))
            .map_err(|e| e.within(WHAT))?;
    let data = cursor.bytes(len)?;
    if !cursor.is_empty() {
        let wanted = len.plus(ImageHeader::LEN);
        return Err(Error::invalid("payload length", body.len(), wanted, at).within(WHAT));
    }
    Ok(ImageData { source, compressed, compressed_len: 4, width, height, data })
}

fn laser(body: &[u8], at: u64) -> Result<LaserData<'_>> {
    const WHAT: &str = "LaserRange2DDataM";
    let mut cursor = Cursor::new(body, at, WHAT);
    let sensor_type = cursor.counted::<u32>(1, "length of the type")?;
    let name = cursor.counted::<u32>(1, "length of the name")?;
    let data = cursor.counted::<u32>(u32::LEN, "number of ranges")?;
    if !cursor.is_empty() {
        let expected = before(body, cursor.rest()).len();
        return Err(Error::invalid("payload length", body.len(), expected, at).within(WHAT));
    }
    Ok(LaserData { sensor_type, name, data })
}

impl fmt::Debug for ImageData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImageData")
            .field("source", &self.source)
            .field("compressed", &self.compressed)
            .field("width", &self.width)
            .field("height", &self.height)
            .field("data_len", &self.data.len())
            .finish()
    }
}

impl fmt::Debug for VelodyneData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VelodyneData")
            .field("claimed", &self.claimed)
            .field("packets", &self.packets().len())
            .finish()
    }
}

impl fmt::Debug for LaserData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaserData")
            .field("sensor_type", &format_args!("{:?}", String::from_utf8_lossy(self.sensor_type)))
            .field("name", &format_args!("{:?}", String::from_utf8_lossy(self.name)))
            .field("distances", &self.distances().collect::<Vec<_>>())
            .finish()
    }
}
