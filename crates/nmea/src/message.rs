//! Sentences by type, their fields typed.

mod cursor;
mod fix;
mod satellites;
mod small;

use robolog_core::{Error, Result};

use self::cursor::Cursor;
pub(super) use self::fix::quality_of_mode;
pub use self::{
    fix::{Gga, Gll, Gns, Rmc},
    satellites::{Gsa, Gsv, GsvSatellite, constellation},
    small::{Dtm, Gst, Hdt, Vtg, Zda},
};
use super::Sentence;

/// A sentence of a type whose fields are known. Empty fields are `None`, and so are those that are not there: old
/// receivers send fewer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Message<'a> {
    /// Position, quality, altitude.
    Gga(Gga<'a>),
    /// Satellites in view.
    Gsv(Gsv),
    /// Position, speed, course, date.
    Rmc(Rmc),
    /// Satellites used, dilutions of precision.
    Gsa(Gsa),
    /// Course and speed.
    Vtg(Vtg),
    /// Position.
    Gll(Gll),
    /// Date and time.
    Zda(Zda),
    /// Errors of the position.
    Gst(Gst),
    /// Position by several systems.
    Gns(Gns<'a>),
    /// Heading.
    Hdt(Hdt),
    /// Datum.
    Dtm(Dtm<'a>),
}

impl<'a> Message<'a> {
    /// The fields of a sentence by its type; `None` for types that are not known here.
    ///
    /// Does not look at the checksum. Fails when a field is neither empty nor what its type has there; the error tells
    /// its offset.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Option<Self>> {
        Cursor::new(sentence).strictly(|c| Self::read(sentence, c))
    }

    /// The same, but fields that cannot be read are taken for empty: receivers fill some with dashes, or with 360
    /// degrees of latitude, and the others are good. The first fault is told.
    #[inline]
    pub fn decode_lenient(sentence: &Sentence<'a>) -> (Option<Self>, Option<Error>) {
        let mut cursor = Cursor::new(sentence);
        let message = Self::read(sentence, &mut cursor);
        (message, cursor.into_fault())
    }

    #[inline]
    pub(super) fn decode_any(sentence: &Sentence<'a>) -> Option<Self> {
        Self::read(sentence, &mut Cursor::new(sentence))
    }

    #[inline]
    fn read(sentence: &Sentence<'a>, c: &mut Cursor<'a>) -> Option<Self> {
        let kind: &[u8; 3] = sentence.kind().as_bytes().try_into().ok()?;
        Some(match kind {
            b"GGA" => Self::Gga(Gga::read(c)),
            b"GSV" => Self::Gsv(Gsv::read(c)),
            b"RMC" => Self::Rmc(Rmc::read(c)),
            b"GSA" => Self::Gsa(Gsa::read(c)),
            b"VTG" => Self::Vtg(Vtg::read(c)),
            b"GLL" => Self::Gll(Gll::read(c)),
            b"ZDA" => Self::Zda(Zda::read(c)),
            b"GST" => Self::Gst(Gst::read(c)),
            b"GNS" => Self::Gns(Gns::read(c)),
            b"HDT" => Self::Hdt(Hdt::read(c)),
            b"DTM" => Self::Dtm(Dtm::read(c)),
            _ => return None,
        })
    }

    /// The text of a sentence with these fields: checksum and end of line included.
    ///
    /// Numbers are written with the digits that they have. Fails when a text has characters that end a field.
    pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
        match self {
            Self::Gga(m) => m.to_sentence(talker),
            Self::Gsv(m) => m.to_sentence(talker),
            Self::Rmc(m) => m.to_sentence(talker),
            Self::Gsa(m) => m.to_sentence(talker),
            Self::Vtg(m) => m.to_sentence(talker),
            Self::Gll(m) => m.to_sentence(talker),
            Self::Zda(m) => m.to_sentence(talker),
            Self::Gst(m) => m.to_sentence(talker),
            Self::Gns(m) => m.to_sentence(talker),
            Self::Hdt(m) => m.to_sentence(talker),
            Self::Dtm(m) => m.to_sentence(talker),
        }
    }
}
