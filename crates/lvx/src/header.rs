//! Data before the frames: version and devices.

use std::fmt;

use robolog_core::{
    Error, ErrorKind, Result,
    format::Step,
    layout::{FieldInfo, Layout as _, Packed as _, c_str, field},
    ready,
    slices::{InRange as _, Part as _, missing},
};

use crate::{
    Device, DeviceId, DeviceType, LateClock, Model, device,
    layout::{
        DeviceInfo10, DeviceInfo11, DeviceInfo20, FRAME_MS, FrameHeader10, FrameHeader11, FrameHeader24,
        MAGIC_CODE, NAME, PackageHeader1, PackageHeader2, PrivateHeader, PrivateHeader10, PublicHeader,
        SIGNATURE,
    },
    wiped,
};

/// The header of a recording.
///
/// ```
/// let reader = lvx::open("examples/room.lvx")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), lvx::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Header {
    has_valid_signature: bool,
    /// Whether it was wiped, and is reconstructed from the first frame.
    is_wiped: bool,
    version: Version,
    /// The last two bytes of the version, which are 0 in every published version.
    revision: [u8; 2],
    magic_code: u32,
    frame_duration_ms: Option<u32>,
    devices: Vec<Device>,
    /// The model of all devices, if the user knows better than the list.
    model: Option<Model>,
    /// Devices whose clocks get the date late.
    late: Vec<LateClock>,
}

/// What the file says, and the [model](Header::set_model) if one is set.
impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Header");
        debug
            .field("has_valid_signature", &self.has_valid_signature)
            .field("is_wiped", &self.is_wiped)
            .field("version", &self.version)
            .field("revision", &self.revision)
            .field("magic_code", &self.magic_code)
            .field("frame_duration_ms", &self.frame_duration_ms)
            .field("devices", &self.devices);
        if let Some(model) = &self.model {
            debug.field("model", model);
        }
        if !self.late.is_empty() {
            debug.field("late", &self.late);
        }
        debug.finish()
    }
}

/// Versions of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// LVX 1.0: float points with the extrinsics already applied.
    V1_0,
    /// LVX 1.1: packages as SDK 1 sends them.
    V1_1,
    /// LVX2: packages of SDK 2.
    V2_0,
    /// LVX3: package headers can be listed; the points are compressed by a closed codec.
    V2_4,
}

impl Version {
    pub(crate) const EXPECTED: &'static str = "1.0, 1.1, 2.0 or 2.4";

    fn from_bytes(bytes: [u8; 4]) -> Option<Self> {
        match bytes {
            [1, 0, ..] => Some(Self::V1_0),
            [1, 1, ..] => Some(Self::V1_1),
            [2, 0, ..] => Some(Self::V2_0),
            [2, 4, ..] => Some(Self::V2_4),
            _ => None,
        }
    }

    /// The four version bytes.
    pub const fn bytes(self) -> [u8; 4] {
        match self {
            Self::V1_0 => [1, 0, 0, 0],
            Self::V1_1 => [1, 1, 0, 0],
            Self::V2_0 => [2, 0, 0, 0],
            Self::V2_4 => [2, 4, 0, 0],
        }
    }

    /// Length of a frame header in bytes.
    pub const fn frame_header_len(self) -> usize {
        match self {
            Self::V1_0 => FrameHeader10::LEN,
            Self::V1_1 | Self::V2_0 => FrameHeader11::LEN,
            Self::V2_4 => FrameHeader24::LEN,
        }
    }

    /// The frame header field with the location of the next frame: relative to the start of the file, in LVX3 of the
    /// frame.
    pub(crate) const fn next_field(self) -> FieldInfo {
        match self {
            Self::V1_0 => field!(FrameHeader10, next_offset),
            Self::V1_1 | Self::V2_0 => field!(FrameHeader11, next_offset),
            Self::V2_4 => field!(FrameHeader24, data_size),
        }
    }

    /// Length of a package header in bytes.
    pub const fn package_header_len(self) -> usize {
        match self {
            Self::V1_0 | Self::V1_1 => PackageHeader1::LEN,
            Self::V2_0 | Self::V2_4 => PackageHeader2::LEN,
        }
    }

    /// Bytes before the device infos.
    const fn list_offset(self) -> usize {
        match self {
            Self::V1_0 => PublicHeader::LEN + PrivateHeader10::LEN,
            Self::V1_1 | Self::V2_0 | Self::V2_4 => PublicHeader::LEN + PrivateHeader::LEN,
        }
    }

    /// Offset of the device info with this number in the list; for the number of devices, of the first frame.
    pub(crate) const fn device_offset(self, number: usize) -> usize {
        self.list_offset().saturating_add(number.saturating_mul(self.device_len()))
    }

    const fn device_len(self) -> usize {
        match self {
            Self::V1_0 => DeviceInfo10::LEN,
            Self::V1_1 => DeviceInfo11::LEN,
            Self::V2_0 | Self::V2_4 => DeviceInfo20::LEN,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_0 => "LVX 1.0",
            Self::V1_1 => "LVX 1.1",
            Self::V2_0 => "LVX2 2.0",
            Self::V2_4 => "LVX3 2.4",
        })
    }
}

impl Header {
    /// A header for a new recording with frames of 50 ms.
    pub fn new(version: Version, devices: Vec<Device>) -> Self {
        let frame_duration_ms = (version != Version::V1_0).then_some(FRAME_MS);
        let (has_valid_signature, revision, magic_code) = (true, [0; 2], MAGIC_CODE);
        let (is_wiped, model) = (false, None);
        Self {
            has_valid_signature,
            is_wiped,
            version,
            revision,
            magic_code,
            frame_duration_ms,
            devices,
            model,
            late: Vec::new(),
        }
    }

    /// Whether the file lacks the start of an LVX header, and this one is reconstructed from its first frame: the
    /// version, and the number of devices. Whatever remains of each device is kept. [`Copier`](crate::Copier)
    /// writes the header anew.
    pub fn is_wiped(&self) -> bool {
        self.is_wiped
    }

    /// Whether the signature ends with six zeros, as specified.
    pub fn has_valid_signature(&self) -> bool {
        self.has_valid_signature
    }

    /// The version of the format.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The four version bytes of the file. Published versions have their own: see [`Version::bytes`].
    pub fn version_bytes(&self) -> [u8; 4] {
        let ([a, b, ..], [c, d]) = (self.version.bytes(), self.revision);
        [a, b, c, d]
    }

    /// Whether the magic code is right. Livox Viewer refuses files with a wrong one.
    pub fn has_valid_magic(&self) -> bool {
        self.magic_code == MAGIC_CODE
    }

    /// The nominal length of a frame; 1.0 has none.
    pub fn frame_duration_ms(&self) -> Option<u32> {
        self.frame_duration_ms
    }

    /// Sets the nominal length of frames; 1.0 has no field for it.
    pub(crate) fn set_frame_duration_ms(&mut self, frame_duration_ms: Option<u32>) {
        self.frame_duration_ms = frame_duration_ms;
    }

    /// The listed devices.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The listed devices, to change their mounting, for example.
    pub fn devices_mut(&mut self) -> &mut [Device] {
        &mut self.devices
    }

    /// The device that packages with this id come from. If listed twice, the first counts.
    pub fn device(&self, id: DeviceId) -> Option<&Device> {
        self.devices.iter().find(|d| d.id == id)
    }

    /// Sets the model of all devices, for recordings whose list is wrong or lacks a device: times and lines of points
    /// follow it, and surveys name it. `None` goes back to the list. Copies keep the list as it is.
    ///
    /// ```
    /// use lvx::{Model, Value};
    /// let mut reader = lvx::open("examples/room.lvx")?;
    /// reader.header_mut().set_model(Some(Model::Mid40));
    /// for sample in reader.samples() {
    ///     if let Value::PointCloud(cloud) = sample?.value {
    ///         assert_eq!((cloud.time_offset[1], cloud.ring[1]), (10_000, 0));
    ///     }
    /// }
    /// # Ok::<(), lvx::Error>(())
    /// ```
    pub fn set_model(&mut self, model: Option<Model>) {
        self.model = model;
    }

    /// The model set for all devices.
    pub fn model(&self) -> Option<Model> {
        self.model
    }

    /// Sets the [clocks that get their date late](crate::late_clocks): samples and surveys continue each backwards, so
    /// that all its stamps are Unix time.
    pub fn set_late_clocks(&mut self, late: Vec<LateClock>) {
        self.late = late;
    }

    /// The clocks that get their date late.
    pub fn late_clocks(&self) -> &[LateClock] {
        &self.late
    }

    /// The model number of a device: as [set](Self::set_model), else as listed.
    pub(crate) fn device_type(&self, id: DeviceId) -> Option<DeviceType> {
        self.model.map(Model::device_type).or_else(|| self.device(id).map(|device| device.device_type))
    }

    /// The device of this channel: `NAME/points` or `NAME/imu`, where `NAME` is [`device_name`](Self::device_name).
    /// `None` for other channels, and for devices not listed.
    pub fn device_of(&self, channel: &str) -> Option<&Device> {
        let (name, _) = channel.rsplit_once('/').filter(|(_, kind)| matches!(*kind, "points" | "imu"))?;
        self.devices.iter().find(|device| self.device_name(device.id) == name)
    }

    /// Offset of the device info with this number in the list.
    pub(crate) fn device_offset(&self, number: usize) -> u64 {
        self.version.device_offset(number) as u64
    }

    /// A name for the device that is unique in the recording and safe to print: its serial number, or else its id.
    pub fn device_name(&self, id: DeviceId) -> String {
        let Some(device) = self.device(id) else { return id.to_string() };
        let sn = c_str(&device.sn);
        let plain =
            !sn.is_empty() && sn.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        let unique = self.devices.iter().filter(|d| c_str(&d.sn) == sn && d.id != id).count() == 0;
        if plain && unique { device.sn_text() } else { id.to_string() }
    }

    pub(crate) fn parse(input: &[u8], eof: bool) -> Result<Step<Self>> {
        let start = input.get(..NAME.len()).unwrap_or(input);
        if !NAME.starts_with(start) {
            match wiped::header(input, eof)? {
                Some(Step::Ready((version, devices), len)) => {
                    let header = Self { is_wiped: true, ..Self::new(version, devices) };
                    return Ok(Step::Ready(header, len));
                }
                Some(Step::Need(more)) => return Ok(Step::Need(more)),
                None => {}
            }
            // The error shows the first 16 bytes, so they are required.
            return match SIGNATURE.len().checked_sub(input.len()) {
                Some(n @ 1..) if !eof => Ok(Step::Need(n)),
                _ => Err(Error::magic(input, "Livox LVX")),
            };
        }
        let (public, public_len) = ready!(PublicHeader::step(input, 0)?);
        let [a, b, c, d] = public.version;
        let Some(version) = Version::from_bytes(public.version) else {
            let kind = ErrorKind::Version { found: format!("{a}.{b}.{c}.{d}"), expected: Version::EXPECTED };
            let at = field!(PublicHeader, version).at(0);
            return Err(Error::new(kind, at).within(PublicHeader::NAME));
        };
        let (rest, at) = (input.part(public_len..), public_len as u64);
        let (frame_duration_ms, count) = if version == Version::V1_0 {
            (None, ready!(PrivateHeader10::step(rest, at)?).0.device_count)
        } else {
            let (private, _) = ready!(PrivateHeader::step(rest, at)?);
            (Some(private.frame_duration), private.device_count)
        };
        let start = version.list_offset();
        let rest = input.part(start..);
        let size = version.device_len();
        let len = usize::from(count).times(size);
        let Some(infos) = rest.get(..len) else { return Ok(Step::Need(missing(len, rest))) };
        let mut devices = Vec::with_capacity(usize::from(count));
        for (i, info) in infos.chunks_exact(size).enumerate() {
            devices.push(device::parse(version, info, start.plus(i.times(size)) as u64)?);
        }
        let (has_valid_signature, magic_code) = (public.signature == SIGNATURE, public.magic_code);
        let revision = [c, d];
        let (is_wiped, model) = (false, None);
        let header = Self {
            has_valid_signature,
            is_wiped,
            version,
            revision,
            magic_code,
            frame_duration_ms,
            devices,
            model,
            late: Vec::new(),
        };
        Ok(Step::Ready(header, start.plus(len)))
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let Ok(device_count) = u8::try_from(self.devices.len()) else {
            let at = field!(PrivateHeader, device_count).at(PublicHeader::LEN as u64);
            return Err(Error::invalid("device count", self.devices.len(), "at most 255", at).within("lvx"));
        };
        let (version, magic_code) = (self.version_bytes(), self.magic_code);
        PublicHeader { signature: SIGNATURE, version, magic_code }.encode(&mut out)?;
        match self.frame_duration_ms {
            Some(frame_duration) if self.version != Version::V1_0 => {
                PrivateHeader { frame_duration, device_count }.encode(&mut out)?;
            }
            _ => PrivateHeader10 { device_count }.encode(&mut out)?,
        }
        for device in &self.devices {
            device::write(self.version, device, &mut out)?;
        }
        Ok(out)
    }
}
