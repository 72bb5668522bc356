//! Interfaces: the files of each sensor.

use super::{Series, name::Role};
use crate::{motion::Mount, table::TableKind};

/// The files of one sensor: those that begin with one `ID_INTERFACE` in one folder.
///
/// ```
/// let dataset = effibox::open("examples/dataset")?;
/// let camera = dataset.interfaces().iter().find(|interface| interface.images.is_some());
/// let camera = camera.expect("it has one");
/// assert_eq!(camera.images.as_ref().map(|images| images.files), Some(8));
/// assert!(camera.dates().is_some()); // when each was received
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Interface {
    /// The folder, as a path within the data set; empty for its root.
    pub folder: String,
    /// The name, such as `Bus_InterfaceGps__dev_ttyACM0`.
    pub id: String,
    /// Prefix of its channels: the name, after the folder if several interfaces have this name.
    pub label: String,
    /// Kind of interface.
    pub kind: InterfaceKind,
    /// Address of the device, from the name.
    pub address: Address,
    /// Tables, `.dates` included, by path.
    pub tables: Vec<TableFile>,
    /// Images.
    pub images: Option<Series>,
    /// Scans.
    pub scans: Option<Series>,
    /// The file of NMEA sentences.
    pub sentences: Option<String>,
    /// Tracks: GPX and KML.
    pub tracks: Vec<String>,
    /// Videos of images, which are not read.
    pub videos: Vec<String>,
    /// Number of files of any kind.
    pub files: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Kind of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum InterfaceKind {
    /// A camera: images.
    Camera,
    /// A range sensor: scans.
    Range,
    /// A GPS receiver.
    Gps,
    /// The vehicle's bus: motor, steering, wheels, accelerometers, gyrometer.
    Can,
    /// The log of clock synchronisation.
    Clock,
    /// Something else.
    #[default]
    Other,
}

/// Address of a device, from the name of its interface.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Address {
    /// The EUI-64 of an IEEE 1394 camera, in decimal digits in the name.
    Eui64(u64),
    /// An IP address and a port.
    Network {
        /// The four bytes of the address.
        ip: [u8; 4],
        /// The port.
        port: u16,
    },
    /// A device file, such as `/dev/ttyACM0`. The name has `_` for every character that is neither letter nor digit;
    /// leading ones are read as `/`.
    Device(String),
    /// A bus, such as `can0`.
    Bus(String),
    /// Not in the name.
    #[default]
    Unknown,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Eui64(id) => write!(f, "0x{id:016X}"),
            Self::Network { ip, port } => write!(f, "{}:{port}", std::net::Ipv4Addr::from(*ip)),
            Self::Device(text) | Self::Bus(text) => f.write_str(text),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// A table of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TableFile {
    /// The path within the data set.
    pub path: String,
    /// Its columns.
    pub kind: TableKind,
    /// Bytes.
    pub bytes: u64,
}

impl Interface {
    pub(super) fn new(folder: &str, id: &str) -> Self {
        let (kind, address) = decode(id);
        let [id, label] = [id.to_owned(), id.to_owned()];
        Self { folder: folder.to_owned(), id, label, kind, address, ..Self::default() }
    }

    /// The sensor's name and mount on the calibration page, if the interface is listed there.
    pub fn mount(&self) -> Option<&'static Mount> {
        Mount::of_interface(&self.id).filter(|_| self.kind != InterfaceKind::Can)
    }

    /// Path of the file with this number.
    pub(crate) fn path_of(&self, series: &Series, number: u64, layer: Option<u32>) -> String {
        let ending = series.ending(number, layer);
        if self.folder.is_empty() {
            return format!("{}{ending}", self.id);
        }
        format!("{}/{}{ending}", self.folder, self.id)
    }

    /// The `.dates` of its images or scans.
    pub fn dates(&self) -> Option<&TableFile> {
        self.tables.iter().find(|t| matches!(t.kind, TableKind::CameraDates | TableKind::RangeDates))
    }

    /// The `.dates` of its NMEA sentences.
    pub fn sentence_dates(&self) -> Option<&TableFile> {
        self.tables.iter().find(|t| t.kind == TableKind::NmeaDates)
    }

    pub(super) fn add(&mut self, path: &str, role: Role<'_>, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let mut table = |kind| self.tables.push(TableFile { path: path.to_owned(), kind, bytes });
        match role {
            Role::Table(kind) => table(kind),
            Role::Dates => table(TableKind::Unknown),
            Role::Sentences => self.sentences = Some(path.to_owned()),
            Role::Image { number, extension } => {
                self.images.get_or_insert_default().add(number, extension, None);
            }
            Role::Scan { number, layer } => {
                self.scans.get_or_insert_default().add(number, "", Some(layer));
            }
            Role::Track => self.tracks.push(path.to_owned()),
            Role::Video => self.videos.push(path.to_owned()),
            Role::Text | Role::Other => {}
        }
    }

    /// Finishes the interface after all files are listed.
    pub(super) fn settle(&mut self) {
        self.tables.sort_by(|a, b| a.path.cmp(&b.path));
        self.tracks.sort();
        self.videos.sort();
        for series in self.images.iter_mut().chain(&mut self.scans) {
            series.settle();
        }
        let has = |kind| self.tables.iter().any(|t| t.kind == kind);
        if self.kind == InterfaceKind::Other {
            self.kind = match () {
                () if has(TableKind::Gga) || has(TableKind::Gsv) || has(TableKind::NmeaDates) => {
                    InterfaceKind::Gps
                }
                () if self.scans.is_some() || has(TableKind::RangeDates) => InterfaceKind::Range,
                () if self.images.is_some() || has(TableKind::CameraDates) => InterfaceKind::Camera,
                () if has(TableKind::Ntp) => InterfaceKind::Clock,
                () if !self.tables.is_empty() => InterfaceKind::Can,
                () => InterfaceKind::Other,
            };
        }
    }
}

/// Kind and address, from the name of an interface.
fn decode(id: &str) -> (InterfaceKind, Address) {
    let Some(rest) = id.strip_prefix("Bus_Interface") else { return Default::default() };
    let Some((kind, device)) = rest.split_once('_') else { return Default::default() };
    let kind = match kind {
        "Camera" => InterfaceKind::Camera,
        "Rangefinder" => InterfaceKind::Range,
        "Gps" => InterfaceKind::Gps,
        "Can" => InterfaceKind::Can,
        _ => InterfaceKind::Other,
    };
    if let Some(file) = device.strip_prefix("_dev_") {
        return (kind, Address::Device(format!("/dev/{file}")));
    }
    let address = match kind {
        InterfaceKind::Camera => device.parse().map_or(Address::Unknown, Address::Eui64),
        InterfaceKind::Can => Address::Bus(device.to_owned()),
        _ => network(device).unwrap_or_default(),
    };
    (kind, address)
}

fn network(text: &str) -> Option<Address> {
    let mut parts = text.split('_');
    let mut byte = || parts.next()?.parse::<u8>().ok();
    let ip = [byte()?, byte()?, byte()?, byte()?];
    let port = parts.next()?.parse().ok()?;
    parts.next().is_none().then_some(Address::Network { ip, port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_interfaces_are_addresses() {
        let decoded = |id| {
            let (kind, address) = decode(id);
            (kind, address.to_string())
        };
        for (id, kind, address) in [
            ("Bus_InterfaceCamera_2892819404705840", InterfaceKind::Camera, "0x000A470101045030"),
            ("Bus_InterfaceCamera__dev_video0", InterfaceKind::Camera, "/dev/video0"),
            ("Bus_InterfaceRangefinder_172_27_30_21_2112", InterfaceKind::Range, "172.27.30.21:2112"),
            ("Bus_InterfaceGps__dev_ttyACM0", InterfaceKind::Gps, "/dev/ttyACM0"),
            ("Bus_InterfaceCan_can0", InterfaceKind::Can, "can0"),
            ("Bus_InterfaceRangefinder_172_27_30_21_2112_9", InterfaceKind::Range, "unknown"),
            ("notes", InterfaceKind::Other, "unknown"),
        ] {
            assert_eq!(decoded(id), (kind, address.to_owned()));
        }
    }
}
