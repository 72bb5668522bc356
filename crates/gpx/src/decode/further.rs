//! What a point says besides its position and time: names, measurements, extensions.

use std::borrow::Cow;

use robolog_core::{Cell, Feature, FixQuality, GnssFix, Row, text::number};
use robolog_xml::{Column, OF_FEATURES, OF_FIXES, Rows, last_of, leaves, local};

use crate::Position;

/// Reads the further elements of points.
#[derive(Debug)]
pub(super) struct Further {
    of_fixes: Rows,
    of_features: Rows,
}

/// Where the further elements of a point begin in its markup, if it has any, and the prefix of its own elements.
pub(super) type Where<'a> = (Option<&'a [u8]>, &'a [u8]);

impl Default for Further {
    fn default() -> Self {
        Self { of_fixes: Rows::new(column, OF_FIXES), of_features: Rows::new(column, OF_FEATURES) }
    }
}

impl Further {
    /// Adds everything else that a point says to its fix.
    #[cold]
    pub(super) fn measure(&mut self, place: Where<'_>, position: &Position, fix: &mut GnssFix) {
        let rows = &mut self.of_fixes;
        each(place, &mut |path, text| {
            if is_text(path, place.1) {
                rows.cell(path, Cell::Text(text.into_owned()));
            } else if let Some(cell) = unless_motion(path, text, fix) {
                rows.cell(path, cell);
            }
        });
        rows.cell(b"magvar", position.magnetic_variation.into());
        if position.elevation.is_none() {
            rows.cell(b"geoidheight", position.geoid_height.into());
        }
        fix.measured = rows.finish().map(Box::new);
    }

    /// Adds everything that a point says to a feature.
    pub(super) fn describe(
        &mut self,
        place: Where<'_>,
        position: &Position,
        mut fix: GnssFix,
        feature: &mut Feature,
    ) {
        let rows = &mut self.of_features;
        each(place, &mut |path, text| {
            let slot = match path.strip_prefix(place.1) {
                Some(b"name") => Some(&mut feature.name),
                Some(b"desc") => Some(&mut feature.description),
                Some(b"sym") => Some(&mut feature.symbol),
                Some(b"type") => Some(&mut feature.kind),
                Some(b"url" | b"link@href") => Some(&mut feature.link),
                _ => None,
            };
            if let Some(empty @ None) = slot {
                *empty = Some(text.into_owned());
            } else if is_text(path, place.1) {
                rows.cell(path, Cell::Text(text.into_owned()));
            } else if let Some(cell) = unless_motion(path, text, &mut fix) {
                rows.cell(path, cell);
            }
        });
        for (path, cell) in [
            (&b"altitude"[..], fix.altitude.filter(|_| fix.altitude_msl.is_none()).into()),
            (b"geoidheight", position.geoid_height.into()),
            (b"magvar", position.magnetic_variation.into()),
            (b"quality", Some(fix.quality.name()).filter(|_| fix.quality != FixQuality::Unknown).into()),
            (b"satellites", fix.satellites.into()),
            (b"hdop", fix.hdop.into()),
            (b"vdop", fix.vdop.into()),
            (b"pdop", fix.pdop.into()),
            (b"speed", fix.speed.into()),
            (b"course", fix.course.into()),
            (b"ageofdgpsdata", fix.age_of_corrections_s.into()),
            (b"station_id", fix.station_id.into()),
        ] {
            rows.cell(path, cell);
        }
        feature.properties = rows.finish();
    }

    /// Makes a row of texts and numbers with the names of features.
    pub(super) fn row(&mut self, add: impl FnOnce(&mut Rows)) -> Option<Row> {
        add(&mut self.of_features);
        self.of_features.finish()
    }

    /// Number of values that were left out.
    pub(super) fn left_out(&self) -> u64 {
        self.of_fixes.left_out() + self.of_features.left_out()
    }
}

/// Calls `found` with each text and attribute that is not in [`Position`]. The points of Garmin's routes between route
/// points are left out.
fn each<'a>((markup, prefix): Where<'a>, found: &mut dyn FnMut(&[u8], Cow<'a, str>)) {
    leaves(markup.unwrap_or(b""), &mut |path, text| {
        let is_value = path.strip_prefix(prefix).is_some_and(Position::is_value);
        if !is_value && memchr::memmem::find(path, b":rpt").is_none() {
            found(path, text);
        }
    });
}

/// Whether this is one of GPX's own texts, which stay texts even if they are numbers: a name such as `5066`.
fn is_text(path: &[u8], prefix: &[u8]) -> bool {
    let own = path.strip_prefix(prefix).unwrap_or_default();
    let is_simple =
        matches!(own, b"name" | b"desc" | b"cmt" | b"src" | b"sym" | b"type" | b"url" | b"urlname");
    is_simple || own.starts_with(b"link/") || own.starts_with(b"link@")
}

/// The cell of a value, unless it is a speed or a course, which belong to the fix.
fn unless_motion(path: &[u8], text: Cow<'_, str>, fix: &mut GnssFix) -> Option<Cell> {
    let last = last_of(path);
    let slot = match last {
        b"speed" => &mut fix.speed,
        b"course" => &mut fix.course,
        _ => return Some(Rows::value(text)),
    };
    let Some(value) = number(text.trim().as_bytes()).filter(|value| value.is_finite()) else {
        return Some(Cell::Text(text.into_owned()));
    };
    let value = if last == b"course" { value.to_radians() } else { value };
    let known = *slot.get_or_insert(value);
    (known.to_bits() != value.to_bits()).then_some(Cell::Float(value))
}

/// The column of the values at a path: GPX's own elements by the names of [`Feature`] and [`GnssFix`].
pub(super) fn column(path: &[u8]) -> Column {
    let parts: Vec<_> = path.split(|b| *b == b'/').map(local).collect();
    let own = match *parts.as_slice() {
        [b"desc"] => "description",
        [b"cmt"] => "comment",
        [b"src"] => "source",
        [b"sym"] => "symbol",
        [b"url" | b"link@href"] => "link",
        [b"urlname"] | [b"link", b"text"] => "link_text",
        [b"magvar"] => return ("magnetic_variation".into(), Some("deg")),
        [b"geoidheight"] => return ("geoid_height".into(), Some("m")),
        [b"ageofdgpsdata"] => return ("age_of_corrections".into(), Some("s")),
        [b"altitude"] => return ("altitude".into(), Some("m")),
        _ => return robolog_xml::column(path),
    };
    (own.into(), None)
}
