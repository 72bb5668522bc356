//! The tuples of KML's `coordinates`.

use std::iter;

use robolog_core::slices::Part as _;

/// Maximum numbers of a tuple: longitude, latitude and height.
const MOST: usize = 3;

/// Splits the text of `coordinates` into tuples, as Google Earth does: blanks separate them, but not after a comma
/// within a tuple, and a fourth number begins another tuple.
///
/// ```
/// let tuples = |text| robolog_xml::tuples(text).collect::<Vec<_>>();
/// assert_eq!(tuples("1,2,3 4,5"), ["1,2,3", "4,5"]);
/// assert_eq!(tuples("1, 2, 3\n4, 5, 6"), ["1, 2, 3", "4, 5, 6"]);
/// assert_eq!(tuples("1,2,3,4,5,6"), ["1,2,3", "4,5,6"]);
/// assert_eq!(tuples("1,2, 3,4, 5,6"), ["1,2,", "3,4,", "5,6"]);
/// ```
pub fn tuples(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_ascii_start();
    iter::from_fn(move || {
        let (tuple, behind) = rest.split_at_checked(length(rest.as_bytes()))?;
        rest = behind.strip_prefix(',').unwrap_or(behind).trim_ascii_start();
        Some(tuple).filter(|tuple| !tuple.is_empty())
    })
}

/// Length of the tuple at the start of `text`.
#[inline]
fn length(text: &[u8]) -> usize {
    let mut commas = 0_usize;
    let mut is_behind_comma = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b',' if commas + 1 == MOST => return at,
            b',' => {
                commas += 1;
                is_behind_comma = true;
            }
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {
                let goes_on = is_behind_comma && is_rest(text.part(at..), MOST - commas);
                if !goes_on {
                    return at;
                }
            }
            _ => is_behind_comma = false,
        }
    }
    text.len()
}

/// Whether the next word has at most `most` numbers, so that it is the rest of a tuple.
#[cold]
fn is_rest(text: &[u8], most: usize) -> bool {
    let word = text.trim_ascii_start();
    let mut fields = 0_usize;
    let mut is_behind_comma = true;
    for byte in word.iter().take_while(|b| !b.is_ascii_whitespace()) {
        // A comma at the end begins no number.
        fields += usize::from(is_behind_comma);
        is_behind_comma = *byte == b',';
        if fields > most {
            return false;
        }
    }
    fields > 0
}

#[cfg(test)]
mod tests {
    use super::tuples;

    #[test]
    fn tuples_are_those_of_google_earth() {
        for (text, want) in [
            ("", &[][..]),
            (" \n\t", &[]),
            (" 3.0, 45.0, 10\n 3.1, 45.1, 11 ", &["3.0, 45.0, 10", "3.1, 45.1, 11"]),
            ("3.0, 45.0 3.1,\n45.1", &["3.0, 45.0", "3.1,\n45.1"]),
            ("3,45, 10 4,46, 11", &["3,45, 10", "4,46, 11"]),
            ("3,45,10, 4,46,11,", &["3,45,10", "4,46,11"]),
            ("3, 45, 10, 4, 46, 11", &["3, 45, 10", "4, 46, 11"]),
            // Found in the wild; the test file of libkml has it too.
            ("-55.8,-60.7,0,-55.1,-60.8,0,-54.3,-61.0", &["-55.8,-60.7,0", "-55.1,-60.8,0", "-54.3,-61.0"]),
            ("3,45,10,4", &["3,45,10", "4"]),
            ("3 ,45", &["3", ",45"]),
            ("x,45.76 ,, 3.1095,45.76025,460.75", &["x,45.76", ",,", "3.1095,45.76025,460.75"]),
            (",,,,,,,", &[",,", ",,", ","]),
        ] {
            assert_eq!(tuples(text).collect::<Vec<_>>(), want, "{text:?}");
        }
    }
}
