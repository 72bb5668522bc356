//! Reading and copying KML.

use robolog_kml::Kml;
use testkit::laws;

/// Reads the bytes in every possible way, recovers them, and copies the result.
pub(super) fn kml(data: &[u8]) {
    laws::reads::<Kml>(data, 300);
    let _ = robolog_kml::read(data);
    testkit::assert_agrees::<Kml>("kml", data);
    laws::copies::<Kml>(data);
}
