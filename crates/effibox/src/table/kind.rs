//! Kinds of tables and their detection.

use robolog_core::Field;

use super::{
    layout::{
        Acc, CameraDate, DeadReckoned, Gga, Gsv, Gyro, Impact, Motor, NmeaDate, NtpUpdate, RangeDate,
        Steering, TableRow, Wheels,
    },
    payload::Cells,
};

/// Kind of a table, which determines its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum TableKind {
    /// Unknown: the lines are kept but not read.
    #[default]
    Unknown,
    /// `.dates` of a camera: reception times of images.
    CameraDates,
    /// `.dates` of a range sensor: reception times of scans.
    RangeDates,
    /// `.dates` of a GPS receiver: reception times and offsets of NMEA sentences.
    NmeaDates,
    /// `-NUM-LAYER.txt`: one scan.
    Scan,
    /// `_GGA_all.txt`: positions.
    Gga,
    /// `_GSV.txt`: satellites in view.
    Gsv,
    /// `_Motor.txt`: the encoder of the motor.
    Motor,
    /// `_Steering.txt`: the encoder of the steering.
    Steering,
    /// `_Wheels.txt`: the encoders of the rear wheels.
    Wheels,
    /// `_Acc.txt`: accelerometers.
    Acc,
    /// `_Gyro.txt`: the gyrometer.
    Gyro,
    /// `_DeadReckoned_Poses.txt`: poses from velocity and steering.
    DeadReckoned,
    /// `_DeadReckoned_Poses2.txt`: poses from distance and steering.
    DeadReckoned2,
    /// `ntpupdate.log`: offsets of the clock.
    Ntp,
}

impl TableKind {
    /// All kinds except [`TableKind::Unknown`].
    pub const ALL: [Self; 14] = [
        Self::CameraDates,
        Self::RangeDates,
        Self::NmeaDates,
        Self::Scan,
        Self::Gga,
        Self::Gsv,
        Self::Motor,
        Self::Steering,
        Self::Wheels,
        Self::Acc,
        Self::Gyro,
        Self::DeadReckoned,
        Self::DeadReckoned2,
        Self::Ntp,
    ];

    /// Its name, also the name of its channel and of its dialect.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::CameraDates => "camera-dates",
            Self::RangeDates => "range-dates",
            Self::NmeaDates => "nmea-dates",
            Self::Scan => "scan",
            Self::Gga => "gga",
            Self::Gsv => "gsv",
            Self::Motor => "motor",
            Self::Steering => "steering",
            Self::Wheels => "wheels",
            Self::Acc => "acc",
            Self::Gyro => "gyro",
            Self::DeadReckoned => "dead-reckoned",
            Self::DeadReckoned2 => "dead-reckoned2",
            Self::Ntp => "ntp",
        }
    }

    /// The kind given by a file's name or path; `None` if only the content shows it.
    ///
    /// ```
    /// use effibox::table::TableKind;
    /// let kind = |name| TableKind::from_file_name(name);
    /// assert_eq!(kind("can/Bus_InterfaceCan_can0_Motor.txt"), Some(TableKind::Motor));
    /// assert_eq!(kind("Bus_InterfaceRangefinder_172_27_30_21_2112-17-0.txt"), Some(TableKind::Scan));
    /// assert_eq!(kind("Bus_InterfaceCamera_2672909685359666.dates"), Some(TableKind::CameraDates));
    /// assert_eq!(kind("notes.txt"), None);
    /// // A part keeps the kind of the table that was cut.
    /// assert_eq!(kind("Bus_InterfaceCan_can0_Motor-002.txt"), Some(TableKind::Motor));
    /// assert_eq!(kind("ntpupdate-000.log"), Some(TableKind::Ntp));
    /// ```
    pub fn from_file_name(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if name.strip_suffix(".log").is_some_and(|stem| is_ntp(whole(stem))) {
            return Some(Self::Ntp);
        }
        if let Some(id) = name.strip_suffix(".dates") {
            let has = |what: &str| id.contains(what);
            return match () {
                () if has("Camera") => Some(Self::CameraDates),
                () if has("Rangefinder") => Some(Self::RangeDates),
                () if has("Gps") => Some(Self::NmeaDates),
                () => None,
            };
        }
        let stem = whole(name.strip_suffix(".txt")?);
        if let Some((_, kind)) = table_suffix(stem) {
            return Some(kind);
        }
        is_scan_name(stem).then_some(Self::Scan)
    }

    /// The columns, in order; empty for [`TableKind::Unknown`].
    pub fn columns(self) -> &'static [Field] {
        match self {
            Self::Unknown => &[],
            Self::CameraDates => CameraDate::columns(),
            Self::RangeDates => RangeDate::columns(),
            Self::NmeaDates => NmeaDate::columns(),
            Self::Scan => Impact::columns(),
            Self::Gga => Gga::columns(),
            Self::Gsv => Gsv::columns(),
            Self::Motor => Motor::columns(),
            Self::Steering => Steering::columns(),
            Self::Wheels => Wheels::columns(),
            Self::Acc => Acc::columns(),
            Self::Gyro => Gyro::columns(),
            Self::DeadReckoned | Self::DeadReckoned2 => DeadReckoned::columns(),
            Self::Ntp => NtpUpdate::columns(),
        }
    }

    /// Whether it holds reception times of images, scans or sentences.
    pub const fn is_dates(self) -> bool {
        matches!(self, Self::CameraDates | Self::RangeDates | Self::NmeaDates)
    }

    /// The kind with the column names in a line.
    pub(crate) fn from_columns(line: &[u8]) -> Option<Self> {
        let has = |name: &str| {
            let mut cells = Cells::new(line, 0);
            std::iter::from_fn(|| cells.next_text()).any(|c| c.bytes.eq_ignore_ascii_case(name.as_bytes()))
        };
        let first = Cells::new(line, 0).next_text()?.bytes.to_ascii_lowercase();
        match first.as_slice() {
            b"rtime" if has("lat_l2e") || has("lat_wgs") => Some(Self::Gga),
            b"rtime" if has("nb_sat_data") || has("idcanal_1") => Some(Self::Gsv),
            b"rtime" if has("raw_odom") || has("transl_vel") => Some(Self::Motor),
            b"rtime" if has("raw_steering_angle") || has("steering_angle") => Some(Self::Steering),
            b"rtime" if has("raw_speed_right") || has("speed_right") => Some(Self::Wheels),
            b"rtime" if has("raw_acc1") || has("accX") => Some(Self::Acc),
            b"rtime" if has("raw_wz") || has("wz") => Some(Self::Gyro),
            b"rtime" if has("theta") => Some(Self::DeadReckoned),
            b"rtime" if has("latency") => Some(Self::CameraDates),
            b"rtime" if Cells::new(line, 0).count() == 1 => Some(Self::RangeDates),
            b"sentence_type" => Some(Self::NmeaDates),
            b"abstime" => Some(Self::Ntp),
            _ => None,
        }
    }

    /// The most likely kind of a data line. `dates`: whether a line `Version` comes before it.
    pub(crate) fn from_row(line: &[u8], dates: bool) -> Option<Self> {
        let is = |kind: Self| super::layout::fits(kind, line);
        let columns = Cells::new(line, 0).count();
        if dates {
            return match columns {
                1 if is(Self::RangeDates) => Some(Self::RangeDates),
                3 if is(Self::CameraDates) => Some(Self::CameraDates),
                5 if is(Self::NmeaDates) => Some(Self::NmeaDates),
                _ => None,
            };
        }
        match columns {
            12 if is(Self::Gga) => Some(Self::Gga),
            51 if is(Self::Gsv) => Some(Self::Gsv),
            7 if is(Self::Motor) => Some(Self::Motor),
            11 if is(Self::Wheels) => Some(Self::Wheels),
            10 if is(Self::Acc) => Some(Self::Acc),
            5 if is(Self::NmeaDates) => Some(Self::NmeaDates),
            5 if is(Self::Gyro) => Some(Self::Gyro),
            4 if is(Self::DeadReckoned) => Some(Self::DeadReckoned),
            3 if CameraDate::parse(line, 0).is_ok_and(|d| d.adds_up()) => Some(Self::CameraDates),
            3 if is(Self::Steering) => Some(Self::Steering),
            _ => None,
        }
    }
}

robolog_core::names!(TableKind, "table");

/// End of a table's name, without the underscore before it.
const SUFFIXES: [(&str, TableKind); 9] = [
    ("GGA_all", TableKind::Gga),
    ("GSV", TableKind::Gsv),
    ("Motor", TableKind::Motor),
    ("Steering", TableKind::Steering),
    ("Wheels", TableKind::Wheels),
    ("Acc", TableKind::Acc),
    ("Gyro", TableKind::Gyro),
    ("DeadReckoned_Poses", TableKind::DeadReckoned),
    ("DeadReckoned_Poses2", TableKind::DeadReckoned2),
];

/// The name of a table before it was cut into parts, which add `-001` and so on; both without extension. A layer of a
/// scan, also after a hyphen, has one digit.
pub(crate) fn whole(stem: &str) -> &str {
    match stem.rsplit_once('-') {
        Some((name, part))
            if part.len() >= 3 && part.bytes().all(|b| b.is_ascii_digit()) && is_known(name) =>
        {
            name
        }
        _ => stem,
    }
}

fn is_known(stem: &str) -> bool {
    table_suffix(stem).is_some() || is_scan_name(stem) || is_ntp(stem)
}

fn is_ntp(stem: &str) -> bool {
    stem.eq_ignore_ascii_case("ntpupdate")
}

/// The part of `stem` before the table's name, and the kind that the name gives.
pub(crate) fn table_suffix(stem: &str) -> Option<(&str, TableKind)> {
    SUFFIXES.into_iter().find_map(|(suffix, kind)| {
        let id = stem.strip_suffix(suffix)?;
        (id.is_empty() || id.ends_with('_')).then(|| (id.strip_suffix('_').unwrap_or(id), kind))
    })
}

/// Whether a name without extension ends in the numbers of a scan and of a layer.
fn is_scan_name(stem: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut parts = stem.rsplitn(3, '-');
    let (layer, number, id) = (parts.next(), parts.next(), parts.next());
    layer.is_some_and(is_number) && number.is_some_and(is_number) && id.is_some_and(|id| !id.is_empty())
}
