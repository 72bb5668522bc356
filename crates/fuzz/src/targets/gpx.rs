//! Reading and copying GPX.

use robolog_core::Limits;
use robolog_gpx::{Gpx, Options};

use crate::invariants;

/// Reads the bytes in every possible way, recovers them, and copies the result.
pub(super) fn gpx(data: &[u8]) {
    invariants::slice_is_stream::<Gpx>(data, Limits::default());
    invariants::slice_is_stream::<Gpx>(data, Limits::default().with_record(300));
    invariants::every_byte_is_accounted_for::<Gpx>(data);
    invariants::survey_ends::<Gpx>(data);
    invariants::samples::<Gpx>(data, Options::default());
    let _ = robolog_gpx::read(data);
    testkit::assert_agrees::<Gpx>("gpx", data);
    invariants::whole_files_are_copied_as_they_are::<Gpx>(data, &[]);
    invariants::recovering_twice_is_recovering_once::<Gpx>(data);
}
