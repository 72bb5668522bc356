//! Names of the files of a folder.

use std::{
    collections::HashSet,
    fmt::Write as _,
    hash::{BuildHasher as _, RandomState},
};

use robolog_core::Sample;

/// Names in use, regardless of case, which some file systems ignore. Stores hashes only, as there may be a hundred
/// thousand names; a name with the hash of another gets an unnecessary number.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<u64>,
    hasher: RandomState,
}

impl Names {
    /// Takes a name; false if it is in use.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(self.hasher.hash_one(name.to_lowercase()))
    }
}

/// Maximum bytes of a folder name: file systems allow 255.
const HIVE_LEN: usize = 200;

/// A file name in Hive's layout, whose readers undo the escapes of channel names. Number 1 keeps letters, so channels
/// that differ only in case collide; higher numbers escape them. Truncates names that are too long for a folder; the
/// index has them in full.
pub(super) fn hive(sample: &Sample, (key, group): (&str, &str), number: u64, extension: &str) -> String {
    let mut folder = of_value(key, group, |byte| number == 1 && is_plain(byte));
    if number > 2 {
        // Never in a full name, where it is escaped.
        let _ = write!(folder, "~{number}");
    }
    format!("kind={}/{folder}/part-0.{extension}", sample.value.kind())
}

/// A folder name in Hive's layout, `KEY=VALUE`, which readers turn into a column. Truncates long values.
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
    // Windows drops a dot at the end of a name.
    if name.ends_with('.') {
        name.pop();
        name.push_str("%2E");
    }
    if value.is_empty() {
        name.push_str("__HIVE_DEFAULT_PARTITION__");
    }
    format!("{key}={name}")
}
