//! Sentences by type, their fields typed.

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
use super::{Sentence, layout::Cursor};

/// Declares the types of sentences whose fields are known.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)?,)+) => {
        /// A sentence of a type whose fields are known. Empty fields are `None`, and so are those that are not there: old
        /// receivers send fewer.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
        #[non_exhaustive]
        pub enum Message<'a> {
            $($(#[$doc])* $name($name $(<$life>)?),)+
        }

        impl<'a> Message<'a> {
            #[inline]
            fn read(sentence: &Sentence<'a>, c: &mut Cursor<'a>) -> Option<Self> {
                let kind: [u8; 3] = sentence.kind().as_bytes().try_into().ok()?;
                Some(match kind {
                    $($name::KIND => Self::$name($name::read(c)),)+
                    _ => return None,
                })
            }

            /// The text of a sentence with these fields: checksum and end of line included.
            ///
            /// Numbers are written with the digits that they have. Fails when a text has characters that end a field.
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
    /// The fields of a sentence by its type; `None` for types that are not known here.
    ///
    /// Does not look at the checksum. Fails when a field is neither empty nor valid; the error has its offset.
    pub fn decode(sentence: &Sentence<'a>) -> Result<Option<Self>> {
        Cursor::new(sentence).strictly(|c| Self::read(sentence, c))
    }

    /// The same, but invalid fields count as empty: receivers fill some with dashes, or with 360 degrees of latitude, and
    /// the others are good. Also returns the first fault.
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
}
