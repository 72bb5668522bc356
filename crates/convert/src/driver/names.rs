//! The names of the files of a folder.

use std::{
    collections::HashSet,
    fmt::Write as _,
    hash::{BuildHasher as _, RandomState},
};

use robolog_core::Sample;

/// Names that are in use, whatever their capitals: some file systems do not distinguish those. A name counts
/// by its hash, for there may be a hundred thousand; one that is taken for another gets a number too many.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<u64>,
    hasher: RandomState,
}

impl Names {
    /// Takes a name; false when it is in use.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(self.hasher.hash_one(name.to_lowercase()))
    }
}

/// Bytes of a folder's name: file systems end at 255.
const HIVE_LEN: usize = 200;

/// A name in Hive's layout, whose readers undo what makes channels harmless. Two channels that differ in capitals alone
/// have the same name when it is the first, and never when it is the second. What is too long for a folder is cut; the
/// index has it whole.
pub(super) fn hive(sample: &Sample, (key, group): (&str, &str), number: u64, extension: &str) -> String {
    let mut folder = of_value(key, group, |byte| number == 1 && is_plain(byte));
    if number > 2 {
        // Never in a name that is whole: there it is escaped.
        let _ = write!(folder, "~{number}");
    }
    format!("kind={}/{folder}/part-0.{extension}", sample.value.kind())
}

/// A folder's name in Hive's layout, `KEY=VALUE`: readers of a data set make a column of it. What is too long is cut.
///
/// ```
/// assert_eq!(robolog_convert::partition("recording", "day 1/a"), "recording=day%201%2Fa");
/// ```
pub fn partition(key: &str, value: &str) -> String {
    of_value(key, value, is_plain)
}

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn of_value(key: &str, value: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut name = String::new();
    for byte in value.bytes() {
        if name.len() >= HIVE_LEN {
            break;
        }
        if is_plain(byte) {
            name.push(byte.into());
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    if value.is_empty() {
        name.push_str("__HIVE_DEFAULT_PARTITION__");
    }
    format!("{key}={name}")
}
