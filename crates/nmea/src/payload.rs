//! Sentences with typed fields, by type.

mod fix;
mod satellites;
mod small;

use robolog_core::{Error, Result};

pub(super) use self::fix::quality_of_mode;
pub use self::{
    fix::{Gga, Gll, Gns, Rmc},
    satellites::{Gsa, Gsv, GsvSatellite, constellation},
    small::{Dtm, Gst, Hdt, Vtg, Zda},
};
use super::{
    Sentence,
    layout::{Cursor, Satellites},
};

/// Declares the types of sentences with known fields.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)?,)+) => {
        /// A sentence with known fields. Empty and missing fields are `None`: old receivers send fewer.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
        #[non_exhaustive]
        pub enum Message<'a> {
            $($(#[$doc])* $name($name $(<$life>)?),)+
        }

        impl<'a> Message<'a> {
            #[inline]
            fn read(sentence: &Sentence<'a>, c: &mut Cursor<'a>) -> Option<Self> {
                let kind: [u8; 3] = sentence.kind_bytes().try_into().ok()?;
                Some(match kind {
                    $($name::KIND => Self::$name($name::read(c)),)+
                    _ => return None,
                })
            }

            /// The text of a sentence with these fields, with checksum and line end.
            ///
            /// Numbers are written with their digits. Returns an error if a text contains characters that end a field.
            pub fn to_sentence(&self, talker: &str) -> Result<Vec<u8>> {
                match self {
                    $(Self::$name(message) => message.to_sentence(talker),)+
                }
            }
        }
    };
}

messages! {
    /// Position, quality, altitude.
    Gga<'a>,
    /// Satellites in view.
    Gsv,
    /// Position, speed, course, date.
    Rmc,
    /// Satellites used, dilutions of precision.
    Gsa,
    /// Course and speed.
    Vtg,
    /// Position.
    Gll,
    /// Date and time.
    Zda,
    /// Errors of the position.
    Gst,
    /// Position by several systems.
    Gns<'a>,
    /// Heading.
    Hdt,
    /// Datum.
    Dtm<'a>,
}

impl<'a> Message<'a> {
    /// The fields of a sentence by its type; `None` for unknown types.
    ///
    /// Ignores the checksum. Returns an error with the offset of a field that is neither empty nor valid.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Option<Self>> {
        Cursor::new(sentence).strictly(|c| Self::read(sentence, c))
    }

    /// Like [`decode`](Self::decode), but invalid fields count as empty: receivers fill some with dashes, or with 360
    /// degrees of latitude, and the others are good. Also returns the first fault.
    #[inline]
    pub fn decode_lenient(sentence: &Sentence<'a>) -> (Option<Self>, Option<Error>) {
        let mut fault = None;
        let message = Self::decode_for(sentence, Satellites::All, &mut fault);
        (message, fault)
    }

    /// The same for a decoder that wants only some satellites.
    #[inline]
    pub(super) fn decode_for(
        sentence: &Sentence<'a>,
        satellites: Satellites,
        fault: &mut Option<Error>,
    ) -> Option<Self> {
        let mut cursor = Cursor::with(sentence, satellites);
        let message = Self::read(sentence, &mut cursor);
        *fault = cursor.into_fault();
        message
    }

    #[inline]
    pub(super) fn decode_any(sentence: &Sentence<'a>) -> Option<Self> {
        Self::read(sentence, &mut Cursor::new(sentence))
    }
}
