//! Meaning of file names.

use crate::table::{TableKind, table_suffix};

/// Kind of a file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role<'a> {
    /// A table of the kind in its name.
    Table(TableKind),
    /// Reception times of images, scans or sentences; the content shows which.
    Dates,
    /// NMEA sentences.
    Sentences,
    /// An image.
    Image { number: Number<'a>, extension: &'a str },
    /// A scan, or a layer of one.
    Scan { number: Number<'a>, layer: u32 },
    /// A track: GPX or KML.
    Track,
    /// A video of images.
    Video,
    /// Perhaps a table, by its extension.
    Text,
    /// Something else.
    Other,
}

/// A number in a name, with its digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number<'a> {
    pub(crate) value: u64,
    pub(crate) digits: &'a str,
}

const IMAGES: [&str; 7] = ["pgm", "ppm", "pnm", "pbm", "png", "jpg", "jpeg"];

/// The interface of a file, and its role. `name` is without the folder.
pub(crate) fn role(name: &str) -> (&str, Role<'_>) {
    if TableKind::from_file_name(name) == Some(TableKind::Ntp) {
        return (name.split('.').next().unwrap_or(name), Role::Table(TableKind::Ntp));
    }
    if let Some(id) = name.strip_suffix(".dates") {
        return (id, TableKind::from_file_name(name).map_or(Role::Dates, Role::Table));
    }
    for (ending, format) in [(".gpx", "_GPX"), (".kml", "_KML"), (".kmz", "_KML")] {
        if let Some(id) = name.strip_suffix(ending) {
            return (id.strip_suffix(format).unwrap_or(id), Role::Track);
        }
    }
    for ending in [".mpg", ".mpeg", ".avi"] {
        if let Some(id) = name.strip_suffix(ending).filter(|id| id.starts_with("Bus_InterfaceCamera")) {
            return (id, Role::Video);
        }
    }
    if let Some(stem) = name.strip_suffix(".txt") {
        return text(stem);
    }
    image(name).unwrap_or((name, Role::Other))
}

fn text(stem: &str) -> (&str, Role<'_>) {
    if let Some((id, kind)) = table_suffix(stem) {
        return (id, Role::Table(kind));
    }
    if let Some((rest, layer)) = stem.rsplit_once('-')
        && let Some((id, number)) = rest.rsplit_once('-')
        && let (Some(number), Some(layer)) = (self::number(number), self::number(layer))
        && let Ok(value) = u32::try_from(layer.value)
        // A layer written differently would not be found again.
        && value.to_string() == layer.digits
        && !id.is_empty()
    {
        return (id, Role::Scan { number, layer: value });
    }
    if stem.starts_with("Bus_InterfaceGps") { (stem, Role::Sentences) } else { (stem, Role::Text) }
}

fn image(name: &str) -> Option<(&str, Role<'_>)> {
    let (id, last) = name.rsplit_once('-')?;
    let len = last.bytes().position(|b| !b.is_ascii_digit())?;
    let (digits, rest) = last.split_at_checked(len)?;
    let extension = rest.strip_prefix('.').unwrap_or(rest);
    let known = IMAGES.iter().any(|other| extension.eq_ignore_ascii_case(other));
    let number = number(digits)?;
    // With its dot, if it has one.
    (known && !id.is_empty()).then_some((id, Role::Image { number, extension: rest }))
}

fn number(digits: &str) -> Option<Number<'_>> {
    let is_number = !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|b| b.is_ascii_digit());
    Some(Number { value: is_number.then(|| digits.parse().ok())??, digits })
}

/// Whether a path from an archive stays in its folder on every system: relative, without a step up, a drive, a
/// backslash or a NUL.
pub(crate) fn is_inside(path: &str) -> bool {
    let step = |part: &str| !part.is_empty() && part != "." && part != "..";
    path.len() <= 4096 && !path.contains(['\\', '\0', ':']) && path.split('/').all(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_interface_and_what_the_file_is() {
        let gps = "Bus_InterfaceGps__dev_ttyACM0";
        assert_eq!(role("Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt"), (gps, Role::Table(TableKind::Gga)));
        assert_eq!(role("Bus_InterfaceGps__dev_ttyACM0_GPX.gpx"), (gps, Role::Track));
        assert_eq!(role("Bus_InterfaceGps__dev_ttyACM0.txt"), (gps, Role::Sentences));
        let number = |value, digits| Number { value, digits };
        assert_eq!(
            role("Bus_InterfaceCamera_1-0000000001.pgm"),
            ("Bus_InterfaceCamera_1", Role::Image { number: number(1, "0000000001"), extension: ".pgm" })
        );
        assert_eq!(role("c-12pgm"), ("c", Role::Image { number: number(12, "12"), extension: "pgm" }));
        assert_eq!(role("r-17-0.txt"), ("r", Role::Scan { number: number(17, "17"), layer: 0 }));
        assert_eq!(role("r-17-x.txt"), ("r-17-x", Role::Text));
        assert_eq!(role("cam.dates"), ("cam", Role::Dates));
        assert_eq!(role("ntpupdate.log"), ("ntpupdate", Role::Table(TableKind::Ntp)));
        assert_eq!(role("Bus_InterfaceCamera_1.mpg"), ("Bus_InterfaceCamera_1", Role::Video));
        assert_eq!(role("video.mpg"), ("video.mpg", Role::Other));
    }

    #[test]
    fn paths_cannot_leave() {
        assert!(is_inside("a/b.txt") && is_inside("..a"));
        for path in ["", "/a", "../a", "a/../b", "a//b", "a/", "C:\\x", "C:x", "a\\..\\b", "a\0b", "./a"] {
            assert!(!is_inside(path), "{path:?}");
        }
    }
}
