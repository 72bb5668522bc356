//! Reading and copying GPX.

use robolog_gpx::Gpx;

use crate::invariants;

/// Reads the bytes in every possible way, recovers them, and copies the result.
pub(super) fn gpx(data: &[u8]) {
    invariants::reads::<Gpx>(data, 300);
    let _ = robolog_gpx::read(data);
    testkit::assert_agrees::<Gpx>("gpx", data);
    invariants::copies::<Gpx>(data);
}
