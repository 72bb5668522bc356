//! Laws that are known not to hold of a format yet. What fails of them is counted and printed, and fails no campaign.

/// A law, a format, what is found (a piece of it), and what is missing.
const OPEN: &[(&str, &str, &str, &str)] = &[
    (
        "cut + cut = cut",
        "alog",
        "",
        "a cut goes by the time of an entry, a scan or report has one of its own",
    ),
    ("parts open", "alog", "", "an entry that tells the clock of later ones stays in the part that it is in"),
    (
        "cut + cut = cut",
        "carla-rec",
        "sample of row",
        "events at a border are told again with the state of the world",
    ),
    (
        "parts open",
        "carla-rec",
        "sample of row",
        "events at a border are told again with the state of the world",
    ),
    ("cut + cut = cut", "kml", "sample of gnss_fix", "tracks without a name are numbered in each file anew"),
    ("parts open", "kml", "sample of gnss_fix", "tracks without a name are numbered in each file anew"),
    ("split then merge", "kml", "merge ends", "a part of a damaged document may have no root element"),
    ("split then merge", "gpx", "channel", "tracks without a name are numbered in each file anew"),
    (
        "cut + cut = cut",
        "koblenz-log",
        "sample of imu",
        "the order of quaternions is guessed from each file by itself",
    ),
    (
        "parts open",
        "koblenz-log",
        "sample of imu",
        "the order of quaternions is guessed from each file by itself",
    ),
    (
        "cut + cut = cut",
        "lvx",
        "points of other times",
        "dual returns at a border take the step of their own part",
    ),
    (
        "parts open",
        "lvx",
        "points of other times",
        "dual returns at a border take the step of their own part",
    ),
    (
        "cut + cut = cut",
        "pcap",
        "sample of gnss_fix",
        "a sentence that packets repeat is one fix, and one more in each part",
    ),
    (
        "parts open",
        "pcap",
        "sample of gnss_fix",
        "a sentence that packets repeat is one fix, and one more in each part",
    ),
    (
        "recover = cat",
        "effibox",
        "odd-row",
        "a copy keeps rows that cannot be read, by which its kind is guessed",
    ),
    (
        "parts open",
        "effibox",
        "split ends",
        "a copy keeps rows that cannot be read, by which its kind is guessed",
    ),
    ("the program", "nmea", "recover fails", "a log of sentences that is named as another format"),
];

/// Why this law may fail of this format with what was found.
pub(super) fn reason(law: &str, format: &str, found: &str) -> Option<&'static str> {
    let is_it =
        |(of, with, what, _): &&(&str, &str, &str, _)| *of == law && *with == format && found.contains(what);
    OPEN.iter().find(is_it).map(|(.., why)| *why)
}
