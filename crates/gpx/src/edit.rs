//! Edits documents: shifts times and anonymises positions and names.

use robolog_core::{
    Anonymise, Edit, Result,
    format::{Axis, Change, Edited, Editing},
};
use robolog_xml::{Holds, Rules, shift_times, wrapped};

use super::{Gpx, Header, Record};

/// Elements and attributes that reveal positions or persons.
const RULES: Rules = Rules {
    elements: &[
        (b"ele", Holds::Height),
        (b"geoidheight", Holds::Geoid),
        (b"magvar", Holds::Geoid),
        (b"name", Holds::Name),
        (b"src", Holds::Name),
        (b"text", Holds::Name),
        (b"serial", Holds::Serial),
        (b"SerialNumber", Holds::Serial),
        (b"UnitId", Holds::Serial),
    ],
    attributes: &[
        (b"bounds", b"minlat", Holds::Degrees(Axis::Latitude)),
        (b"bounds", b"maxlat", Holds::Degrees(Axis::Latitude)),
        (b"bounds", b"minlon", Holds::Degrees(Axis::Longitude)),
        (b"bounds", b"maxlon", Holds::Degrees(Axis::Longitude)),
        (b"link", b"href", Holds::Name),
        (b"email", b"id", Holds::Name),
        (b"email", b"domain", Holds::Name),
        (b"copyright", b"author", Holds::Name),
    ],
};

/// Drops points outside of an area, and shifts the times of points. The creation time in the metadata stays.
impl Editing for Gpx {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Area, Change::Anonymise];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if let (Some(area), Ok(place)) = (&edit.area, record.position())
            && !area.contains(place.latitude, wrapped(place.longitude))
        {
            return Ok(Edited::Dropped);
        }
        if record.point().is_none() || edit.shift == 0 {
            return Ok(Edited::Same);
        }
        shift_times(record.bytes(), record.offset(), &[b"time"], edit.shift, out)
    }

    fn learn(_: &Header, record: &Record<'_>, edit: &mut Edit) {
        if let Some(names) = &mut edit.anonymise {
            robolog_xml::learn(record.bytes(), RULES, names);
        }
    }

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        if how.drops_places() && (record.point().is_some() || record.name() == b"bounds") {
            return Ok(Edited::Dropped);
        }
        robolog_xml::anonymise(record.bytes(), record.offset(), RULES, how, out)
    }
}
