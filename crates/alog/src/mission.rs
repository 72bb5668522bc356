//! Reads the origin in a mission file, which a log lacks.

use robolog_core::slices::Part as _;

use crate::RawText;

/// `LatOrigin` and `LongOrigin` of a mission file, degrees: the origin of the community's x and y. Read as in MOOS: the
/// first of each counts, in any case, and text after `//` is a comment. `None` if either is missing or not on Earth.
///
/// ```
/// let mission = b"//LatOrigin = 43.8253\nLatOrigin = 42.358456 // MIT\nlongorigin = -71.087589\n";
/// assert_eq!(alog::mission_origin(mission), Some((42.358456, -71.087589)));
/// ```
pub fn mission_origin(text: &[u8]) -> Option<(f64, f64)> {
    let number = |wanted: &str| {
        let mut lines = text.split(|b| *b == b'\n');
        lines.find_map(|line| {
            let end = memchr::memmem::find(line, b"//").unwrap_or(line.len());
            let line = line.get(..end)?;
            let equals = memchr::memchr(b'=', line)?;
            let (key, value) = line.split_at_checked(equals)?;
            let is_wanted = key.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes());
            is_wanted.then(|| RawText(value.part(1..)).number())?
        })
    };
    let (latitude, longitude) = (number("LatOrigin")?, number("LongOrigin")?);
    (latitude.abs() <= 90.0 && longitude.abs() <= 180.0).then_some((latitude, longitude))
}
