//! The secret used to anonymise recordings, and the first pass of an edit over a recording.

use std::{
    fmt,
    hash::{BuildHasher as _, RandomState},
    str::FromStr,
};

use robolog_core::{Anonymise, Edit, Event, StreamReader};
use sha2::{Digest as _, Sha256};

use crate::{Input, Result, Source, Visit, source::Stream};

/// Key of the shifts of places and of the replacement names. Only its owner can undo them.
///
/// ```
/// let secret: robolog_convert::Secret = "00112233445566778899aabbccddeeff".parse().unwrap();
/// let offset = secret.anonymise().offset();
/// assert_eq!(offset.back().back(), offset);
/// assert!("0011".parse::<robolog_convert::Secret>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret([u8; 16]);

impl Secret {
    /// A random secret, known to nobody.
    pub fn random() -> Self {
        // The standard library's keys come from the operating system.
        let keys = RandomState::new();
        let [mut secret, half] = [[0; 16]; 2];
        let halves = [keys.hash_one((half, 1_u8)), keys.hash_one((half, 2_u8))];
        secret.copy_from_slice(halves.map(u64::to_le_bytes).as_flattened());
        Self(secret)
    }

    /// An anonymisation with this secret; nothing is selected yet.
    pub fn anonymise(self) -> Anonymise {
        Anonymise::new(move |text| {
            let sum = Sha256::new().chain_update(self.0).chain_update(text).finalize();
            sum.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
        })
    }
}

impl FromStr for Secret {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| is_hex);
        number.map(|number| Self(number.to_be_bytes())).ok_or_else(|| "not 32 hexadecimal digits".into())
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Reads a whole recording before the edit, which needs facts from all of it: see
/// [`Editing::learn`](robolog_core::format::Editing::learn).
///
/// Returns an error for a data set, and if reading fails.
pub fn learn(input: Input, format: Option<&str>, edit: &mut Edit) -> Result<()> {
    input.visit(format, Learning { edit })?
}

struct Learning<'a> {
    edit: &'a mut Edit,
}

impl Visit for Learning<'_> {
    type Output = Result<()>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<()> {
        let header = reader.header().clone();
        loop {
            match reader.next_event()? {
                Event::Record(record) => F::learn(&header, &record, self.edit),
                Event::Damage { .. } => {}
                Event::End => return Ok(()),
            }
        }
    }
}
