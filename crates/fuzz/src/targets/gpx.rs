//! Reading and copying GPX.

use robolog_gpx::Gpx;
use testkit::laws;

/// Reads the bytes in every possible way, recovers them, and copies the result.
pub(super) fn gpx(data: &[u8]) {
    laws::reads::<Gpx>(data, 300);
    let _ = robolog_gpx::read(data);
    testkit::assert_agrees::<Gpx>("gpx", data);
    laws::copies::<Gpx>(data);
}
