//! Edits documents: shifts times and anonymises positions and names.

use robolog_core::{
    Anonymise, Edit, Result,
    format::{Axis, Change, Edited, Editing},
};
use robolog_xml::{Holds, Rules, shift_times};

use super::{Header, Kml, Record};

/// Elements and attributes that reveal positions or persons.
const RULES: Rules = Rules {
    elements: &[
        (b"coordinates", Holds::Tuples),
        (b"coord", Holds::Tuple),
        (b"altitude", Holds::Height),
        (b"minAltitude", Holds::Height),
        (b"maxAltitude", Holds::Height),
        (b"north", Holds::Degrees(Axis::Latitude)),
        (b"south", Holds::Degrees(Axis::Latitude)),
        (b"east", Holds::Degrees(Axis::Longitude)),
        (b"west", Holds::Degrees(Axis::Longitude)),
        (b"name", Holds::Name),
        (b"address", Holds::Name),
        (b"phoneNumber", Holds::Name),
        (b"email", Holds::Name),
        (b"uri", Holds::Name),
        (b"href", Holds::Name),
        (b"Snippet", Holds::Name),
        (b"serial", Holds::Serial),
    ],
    attributes: &[(b"link", b"href", Holds::Name)],
};

/// Shifts the times of placemarks. Those of folders and of the document, which set what a viewer shows, stay.
impl Editing for Kml {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Anonymise];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if record.kind().element().is_none() || edit.shift == 0 {
            return Ok(Edited::Same);
        }
        shift_times(record.bytes(), record.offset(), &[b"when", b"begin", b"end"], edit.shift, out)
    }

    fn learn(_: &Header, record: &Record<'_>, edit: &mut Edit) {
        if let Some(names) = &mut edit.anonymise {
            robolog_xml::learn(record.bytes(), RULES, names);
        }
    }

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        if how.drops_places() && (record.kind().element().is_some()) {
            return Ok(Edited::Dropped);
        }
        robolog_xml::anonymise(record.bytes(), record.offset(), RULES, how, out)
    }
}
