//! Reading and copying KML.

use robolog_core::Limits;
use robolog_kml::{Kml, Options};

use crate::invariants;

/// Reads the bytes in every possible way, recovers them, and copies the result.
pub(super) fn kml(data: &[u8]) {
    invariants::slice_is_stream::<Kml>(data, Limits::default());
    invariants::slice_is_stream::<Kml>(data, Limits::default().with_record(300));
    invariants::every_byte_is_accounted_for::<Kml>(data);
    invariants::survey_ends::<Kml>(data);
    invariants::samples::<Kml>(data, Options::default());
    let _ = robolog_kml::read(data);
    testkit::assert_agrees::<Kml>("kml", data);
    invariants::whole_files_are_copied_as_they_are::<Kml>(data, &[]);
    invariants::recovering_twice_is_recovering_once::<Kml>(data);
}
