//! Sentences are declared once: a line for each field has its name, its type, and how it is read and written.

mod codec;
mod cursor;

pub(super) use self::{
    codec::{
        Codec, Count, Day, DayMonthYear, FirstWithUnit, Hex, Integer, Latitude, Letter, Longitude, Measured,
        Number, Text, TimeOfDay, WithUnit, Zone,
    },
    cursor::Cursor,
};

/// The cursor that a structure borrows from: of its own lifetime, or of any.
macro_rules! cursor_of {
    () => { $crate::layout::Cursor<'_> };
    ($life:lifetime) => { $crate::layout::Cursor<$life> };
}

/// Declares fields that stand one behind the other. Those that are `optional` stand at the end, and are written as far as
/// the last one that is there: older receivers do not know them.
macro_rules! fields {
    (
        $(#[$attr:meta])*
        pub struct $name:ident $(<$life:lifetime>)? {
            $($(#[$doc:meta])* $field:ident: $ty:ty = $codec:expr,)+
        }
        $(optional {
            $($(#[$last_doc:meta])* $last:ident: $last_ty:ty = $last_codec:expr,)+
        })?
    ) => {
        $(#[$attr])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $name $(<$life>)? {
            $($(#[$doc])* pub $field: Option<$ty>,)+
            $($($(#[$last_doc])* pub $last: Option<$last_ty>,)+)?
        }

        impl $(<$life>)? $name $(<$life>)? {
            #[inline]
            pub(super) fn read(c: &mut $crate::layout::cursor_of!($($life)?)) -> Self {
                Self {
                    $($field: $crate::layout::Codec::read($codec, c),)+
                    $($($last: $crate::layout::Codec::read($last_codec, c),)+)?
                }
            }

            fn write(&self, b: &mut $crate::sentence::Builder) {
                $($crate::layout::Codec::write($codec, b, self.$field);)+
                $(
                    let mut end = b.len();
                    $(
                        $crate::layout::Codec::write($last_codec, b, self.$last);
                        end = if self.$last.is_some() { b.len() } else { end };
                    )+
                    b.truncate(end);
                )?
            }
        }
    };
}

/// Declares a type of sentences, by the three letters of its address.
macro_rules! sentence {
    (
        $(#[$attr:meta])*
        pub struct $name:ident $(<$life:lifetime>)?: $kind:ident { $($fields:tt)+ }
        $(optional { $($last:tt)+ })?
    ) => {
        $crate::layout::fields! {
            $(#[$attr])*
            pub struct $name $(<$life>)? { $($fields)+ }
            $(optional { $($last)+ })?
        }

        impl $(<$life>)? $name $(<$life>)? {
            pub(super) const KIND: [u8; 3] = $crate::layout::kind(stringify!($kind));

            #[doc = concat!("The fields of a sentence of type ", stringify!($kind), ".")]
            ///
            /// Fails when a field is neither empty nor what its type has there.
            pub fn decode(
                sentence: &$crate::layout::sentence_of!($($life)?),
            ) -> robolog_core::Result<Self> {
                $crate::layout::Cursor::new(sentence).strictly(Self::read)
            }

            /// The text of the sentence: checksum and end of line included.
            ///
            /// Fails when a text has characters that end a field.
            pub fn to_sentence(&self, talker: &str) -> robolog_core::Result<Vec<u8>> {
                let mut builder = $crate::sentence::Builder::new(talker, Self::KIND);
                self.write(&mut builder);
                builder.finish()
            }
        }
    };
}

/// The sentence that a structure borrows from: see `cursor_of!`.
macro_rules! sentence_of {
    () => { $crate::Sentence<'_> };
    ($life:lifetime) => { $crate::Sentence<$life> };
}

pub(super) use {cursor_of, fields, sentence, sentence_of};

/// The three letters of a type.
pub(super) const fn kind(letters: &str) -> [u8; 3] {
    match letters.as_bytes().first_chunk() {
        Some(letters) => *letters,
        None => *b"   ",
    }
}
