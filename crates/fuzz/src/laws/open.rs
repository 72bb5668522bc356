//! Laws that are known not to hold of a format yet. What fails of them is counted and printed, and fails no campaign.

/// A law, a format, and what is missing.
const OPEN: &[(&str, &str, &str)] = &[];

/// Why this law may fail of this format.
pub(super) fn reason(law: &str, format: &str) -> Option<&'static str> {
    OPEN.iter().find(|(of, with, _)| *of == law && *with == format).map(|(_, _, why)| *why)
}
