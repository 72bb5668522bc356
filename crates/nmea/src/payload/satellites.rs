//! Satellites: GSV and GSA.

use robolog_core::{Constellation, Result, slices::Part as _};

use crate::{
    Decimal, Sentence,
    layout::{Codec as _, Count, Cursor, Hex, Number, Satellites, fields},
    sentence::Builder,
};

/// Satellites in view: up to four per sentence of a group.
///
/// The second and later sentences may omit counts, which are then `None`.
///
/// ```
/// use robolog_nmea::{Gsv, Sentence};
/// let text = b"$GPGSV,3,3,11,33,34,205,35,39,33,150,34,40,17,119,*4D\r\n";
/// let gsv = Gsv::decode(&Sentence::parse(text)?)?;
/// assert_eq!((gsv.in_view, gsv.satellites().count()), (Some(11), 3));
/// let last = gsv.satellites().last().unwrap();
/// assert_eq!((last.id, last.snr), (Some(40), None));
/// assert_eq!(gsv.to_sentence("GP")?, text);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gsv {
    /// Number of sentences in the group.
    pub sentences: Option<u8>,
    /// Number of this sentence, from 1.
    pub number: Option<u8>,
    /// Satellites in view.
    pub in_view: Option<u16>,
    /// The signal; since NMEA 4.1.
    pub signal_id: Option<u8>,
    /// The system, which Quectel adds for its talker PQ.
    pub system_id: Option<u8>,
    slots: [GsvSatellite; SLOTS],
    used: usize,
    /// The number of satellites whose slots were not kept.
    counted: usize,
}

/// Maximum satellites of a sentence.
const SLOTS: usize = 4;

fields! {
    /// A satellite of a GSV sentence. Any or all fields may be empty.
    pub struct GsvSatellite {
        /// Its number in the sentence.
        id: u16 = Count("satellite number"),
        /// Degrees above the horizon; may be negative.
        elevation: Decimal = Number("elevation"),
        /// Degrees clockwise from true north.
        azimuth: Decimal = Number("azimuth"),
        /// Carrier to noise ratio, dB-Hz; `None` if not tracked.
        snr: Decimal = Number("signal to noise ratio"),
    }
}

// The meaning of fields depends on their number, so GSV and GSA are read and written by hand.
impl Gsv {
    pub(super) const KIND: [u8; 3] = *b"GSV";

    /// One sentence of a group; satellites beyond the fourth are left out.
    pub fn new(sentences: u8, number: u8, in_view: u16, satellites: &[GsvSatellite]) -> Self {
        let mut slots = [GsvSatellite::default(); SLOTS];
        for (slot, satellite) in slots.iter_mut().zip(satellites) {
            *slot = *satellite;
        }
        Self {
            sentences: Some(sentences),
            number: Some(number),
            in_view: Some(in_view),
            slots,
            used: satellites.len().min(SLOTS),
            ..Self::default()
        }
    }

    /// The fields of a GSV sentence. Returns an error for more than four satellites.
    #[inline]
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        let mut gsv = Self {
            sentences: c.integer("sentences"),
            number: c.integer("number of the sentence"),
            in_view: c.integer("satellites in view"),
            ..Self::default()
        };
        let left = c.left();
        let (whole, rest) = (left / 4, left % 4);
        // Three are a satellite whose last field is missing, not four without a signal.
        let used: usize = whole + usize::from(rest == 3);
        if used > SLOTS {
            c.wrong::<()>("satellites of a sentence", used.to_string().as_bytes(), "at most 4");
        }
        let is_counted = c.satellites() == Satellites::Counted && used <= SLOTS;
        // The first of the four fields of a satellite is its number.
        if !(is_counted && c.skim(used * 4, |at| gsv.counted += usize::from(at % 4 == 0))) {
            gsv.counted = 0;
            for slot in gsv.slots.iter_mut().take(used) {
                *slot = GsvSatellite::read(c);
            }
        }
        for _ in SLOTS * 4..used * 4 {
            c.next();
        }
        gsv.used = used.min(SLOTS);
        if matches!(rest, 1 | 2) {
            gsv.signal_id = Hex("signal").read(c);
        }
        if rest == 2 {
            gsv.system_id = Hex("system").read(c);
        }
        gsv
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, Self::KIND);
        b.field(self.sentences).field(self.number);
        Count("satellites in view").write(&mut b, self.in_view);
        for slot in self.slots() {
            slot.write(&mut b);
        }
        if self.signal_id.or(self.system_id).is_some() {
            Hex("signal").write(&mut b, self.signal_id);
        }
        if self.system_id.is_some() {
            Hex("system").write(&mut b, self.system_id);
        }
        b.finish()
    }

    /// All satellite slots of the sentence.
    pub fn slots(&self) -> &[GsvSatellite] {
        self.slots.part(..self.used)
    }

    /// Their number, also of those that were only counted.
    pub(crate) fn count(&self) -> usize {
        self.counted + self.satellites().count()
    }

    /// The satellites: slots with a number.
    pub fn satellites(&self) -> impl Iterator<Item = &GsvSatellite> {
        self.slots().iter().filter(|slot| slot.id.is_some())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Gsv {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut s = serializer.serialize_struct("Gsv", 6)?;
        s.serialize_field("sentences", &self.sentences)?;
        s.serialize_field("number", &self.number)?;
        s.serialize_field("in_view", &self.in_view)?;
        s.serialize_field("signal_id", &self.signal_id)?;
        s.serialize_field("system_id", &self.system_id)?;
        s.serialize_field("satellites", &self.slots())?;
        s.end()
    }
}

/// Dilutions of precision, and the satellites used: twelve slots by the standard, up to 24 by some receivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gsa {
    /// A automatic, M forced into two or three dimensions.
    pub selection: Option<char>,
    /// 1 no fix, 2 two dimensions, 3 three.
    pub dimensions: Option<u8>,
    /// Positional dilution of precision.
    pub pdop: Option<Decimal>,
    /// Horizontal dilution of precision.
    pub hdop: Option<Decimal>,
    /// Vertical dilution of precision.
    pub vdop: Option<Decimal>,
    /// The system: 1 GPS, 2 GLONASS, 3 Galileo, 4 `BeiDou`, 5 QZSS, 6 `NavIC`; since NMEA 4.1.
    pub system_id: Option<u8>,
    slots: [Option<u16>; USED],
    used: usize,
}

/// Slots for satellites used: by the standard, and at most.
const STANDARD: usize = 12;
const USED: usize = 24;

impl Gsa {
    pub(super) const KIND: [u8; 3] = *b"GSA";

    /// With these satellites, at most 24.
    pub fn new(satellites: &[u16]) -> Self {
        let mut gsa = Self { used: satellites.len().clamp(STANDARD, USED), ..Self::default() };
        for (slot, id) in gsa.slots.iter_mut().zip(satellites) {
            *slot = Some(*id);
        }
        gsa
    }

    /// The fields of a GSA sentence. Returns an error for more than 24 slots for satellites.
    pub fn decode(sentence: &Sentence<'_>) -> Result<Self> {
        Cursor::new(sentence).strictly(Self::read)
    }

    #[inline]
    pub(super) fn read(c: &mut Cursor<'_>) -> Self {
        let (selection, dimensions) = (c.letter("selection"), c.integer("dimensions"));
        let left = c.left();
        // After the slots: three dilutions, which have a point, and a system, which has none.
        let has_point = |field: &[u8]| field.contains(&b'.');
        let behind = if c.last().is_some_and(has_point) { 3 } else { 4 };
        let used = if left <= STANDARD + 5 { STANDARD } else { left - behind };
        if used > USED {
            c.wrong::<()>("satellites of a sentence", used.to_string().as_bytes(), "at most 24");
        }
        let mut gsa = Self { selection, dimensions, used: used.min(USED), ..Self::default() };
        if c.satellites() == Satellites::All || !c.skim(gsa.used, |_| {}) {
            for slot in gsa.slots.iter_mut().take(used) {
                *slot = c.integer("satellite number");
            }
        }
        for _ in USED..used {
            c.next();
        }
        (gsa.pdop, gsa.hdop, gsa.vdop) = (c.decimal("pdop"), c.decimal("hdop"), c.decimal("vdop"));
        // Some receivers add the time dilution.
        if !c.peek(0).is_some_and(has_point) {
            gsa.system_id = Hex("system").read(c);
        }
        gsa
    }

    /// The text of the sentence.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        let mut b = Builder::new(talker, Self::KIND);
        b.field(self.selection).field(self.dimensions);
        // With 13 or 14 slots, a reader takes those after the twelfth for the next fields.
        let places = if self.used > STANDARD { self.used.max(STANDARD + 3) } else { STANDARD };
        for id in self.slots.iter().take(places) {
            Count("satellite number").write(&mut b, *id);
        }
        b.field(self.pdop).field(self.hdop).field(self.vdop);
        // Without a point in the last dilution, a reader expects a system after it.
        let is_clear = places == STANDARD || self.vdop.is_some_and(|vdop| vdop.to_string().contains('.'));
        if self.system_id.is_some() || !is_clear {
            Hex("system").write(&mut b, self.system_id);
        }
        b.finish()
    }

    /// The satellites used, by number.
    pub fn satellites(&self) -> impl Iterator<Item = u16> {
        self.slots.into_iter().flatten()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Gsa {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut s = serializer.serialize_struct("Gsa", 7)?;
        s.serialize_field("selection", &self.selection)?;
        s.serialize_field("dimensions", &self.dimensions)?;
        s.serialize_field("satellites", &self.satellites().collect::<Vec<_>>())?;
        s.serialize_field("pdop", &self.pdop)?;
        s.serialize_field("hdop", &self.hdop)?;
        s.serialize_field("vdop", &self.vdop)?;
        s.serialize_field("system_id", &self.system_id)?;
        s.end()
    }
}

/// The system of a satellite, by NMEA 0183: from the talker, and for GPS and GLONASS also from the number.
///
/// SBAS is numbered from 33, as PRN minus 87; some receivers use the PRN.
pub fn constellation(talker: &str, system_id: Option<u8>, id: u16) -> Constellation {
    if let Some(system) = system_id {
        return match system {
            1 => by_number(id, Constellation::Gps),
            2 => Constellation::Glonass,
            3 => Constellation::Galileo,
            4 => Constellation::Beidou,
            5 => Constellation::Qzss,
            6 => Constellation::Navic,
            _ => Constellation::Unknown,
        };
    }
    match talker {
        "GP" | "SB" => by_number(id, Constellation::Gps),
        "GL" => match id {
            33..=64 => Constellation::Sbas,
            _ => Constellation::Glonass,
        },
        "GA" => Constellation::Galileo,
        "GB" | "BD" => Constellation::Beidou,
        "GQ" | "QZ" | "PQ" => Constellation::Qzss,
        "GI" => Constellation::Navic,
        _ => by_number(id, Constellation::Unknown),
    }
}

/// Numbers that are unique across systems, as talkers GP and GN use them.
fn by_number(id: u16, otherwise: Constellation) -> Constellation {
    match id {
        1..=32 => Constellation::Gps,
        33..=64 | 120..=158 => Constellation::Sbas,
        65..=96 => Constellation::Glonass,
        193..=200 => Constellation::Qzss,
        201..=264 | 401..=463 => Constellation::Beidou,
        301..=336 => Constellation::Galileo,
        _ => otherwise,
    }
}
