//! Declares each sentence once: a line per field gives its name, type and codec.

mod codec;
mod cursor;

pub(super) use self::{
    codec::{
        Codec, Count, Day, DayMonthYear, FirstWithUnit, Hex, Integer, Latitude, Letter, Longitude, Measured,
        Number, Text, TimeOfDay, WithUnit, Zone,
    },
    cursor::{Cursor, Satellites},
};

/// The cursor that a struct borrows from: with its own lifetime, or any.
macro_rules! cursor_of {
    () => { $crate::layout::Cursor<'_> };
    ($life:lifetime) => { $crate::layout::Cursor<$life> };
}

/// Declares consecutive fields. `optional` fields come last, and are written up to the last one present: older
/// receivers do not know them.
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
            /// Returns an error if a field is neither empty nor valid.
            pub fn decode(
                sentence: &$crate::layout::sentence_of!($($life)?),
            ) -> robolog_core::Result<Self> {
                $crate::layout::Cursor::new(sentence).strictly(Self::read)
            }

            /// The text of the sentence, with checksum and line end.
            ///
            /// Returns an error if a text contains characters that end a field.
            pub fn to_sentence(&self, talker: &str) -> robolog_core::Result<Vec<u8>> {
                let mut builder = $crate::sentence::Builder::new(talker, Self::KIND);
                self.write(&mut builder);
                builder.finish()
            }
        }
    };
}

/// The sentence that a struct borrows from: see `cursor_of!`.
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
