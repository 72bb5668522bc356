//! Positions in NMEA 0183.

use robolog_core::GnssFix;
use robolog_nmea::{Checksum, Message, Sentence};

use crate::RawText;

/// Whether a value begins like a sentence.
pub(super) fn may_be_sentence(value: RawText<'_>) -> bool {
    value.trimmed().starts_with(b"$")
}

/// The position of a GGA sentence with a right checksum; of one without a checksum if all its fields can be read.
pub(super) fn gga(value: RawText<'_>) -> Option<GnssFix> {
    let sentence = Sentence::parse(value.trimmed()).ok()?;
    let message = match sentence.checksum() {
        Checksum::Right => Message::decode_lenient(&sentence).0?,
        Checksum::None => Message::decode(&sentence).ok()??,
        Checksum::Wrong { .. } => return None,
    };
    let Message::Gga(gga) = message else { return None };
    let mut fix = gga.fix()?;
    fix.talkers = Some(sentence.talker().to_owned()).filter(|talker| !talker.is_empty());
    Some(fix)
}
