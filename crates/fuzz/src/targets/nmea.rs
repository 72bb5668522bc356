//! Reading and copying NMEA sentences.

use robolog_nmea::Nmea;
use testkit::laws;

/// Reads the bytes in every possible way and copies them.
pub(super) fn nmea(data: &[u8]) {
    laws::reads::<Nmea>(data, 300);
    for line in data.split(|byte| *byte == b'\n') {
        let Ok(sentence) = robolog_nmea::Sentence::parse(line) else { continue };
        let _ = robolog_nmea::Message::decode(&sentence);
    }
    testkit::assert_agrees::<Nmea>("nmea", data);
    laws::copies::<Nmea>(data);
}
