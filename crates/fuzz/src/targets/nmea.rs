//! Reading and copying NMEA sentences.

use robolog_core::Limits;
use robolog_nmea::{Nmea, Options};

use crate::invariants;

/// Reads the bytes in every possible way and copies them.
pub(super) fn nmea(data: &[u8]) {
    invariants::slice_is_stream::<Nmea>(data, Limits::default());
    invariants::slice_is_stream::<Nmea>(data, Limits::default().with_record(300));
    invariants::every_byte_is_accounted_for::<Nmea>(data);
    invariants::survey_ends::<Nmea>(data);
    invariants::samples::<Nmea>(data, Options::default());
    for line in data.split(|byte| *byte == b'\n') {
        let Ok(sentence) = robolog_nmea::Sentence::parse(line) else { continue };
        let _ = robolog_nmea::Message::decode(&sentence);
    }
    testkit::assert_agrees::<Nmea>("nmea", data);
    invariants::whole_files_are_copied_as_they_are::<Nmea>(data, &[]);
    invariants::recovering_twice_is_recovering_once::<Nmea>(data);
}
