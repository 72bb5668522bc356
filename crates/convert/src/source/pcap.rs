//! Captures for the converters, beyond samples.

use robolog_capture::{Capture, Decoder, Dissector, Header, Options, Record};
use robolog_core::{Clock, Timestamp};

use super::{How, Source, Timer};
use crate::{LidarModel, Note, Settings};

impl Source for Capture {
    const HAS_MAGIC: bool = true;

    fn apply(header: &mut Header, how: &How) {
        header.set_livox(how.model.and_then(LidarModel::livox));
        header.set_velodyne(how.model.and_then(LidarModel::velodyne));
    }

    fn options(settings: &Settings) -> Options {
        let mut options = Options::default();
        options.livox = ::lvx::Lvx::options(settings);
        options.velodyne = settings.koblenz.clone();
        options
    }

    fn notes(decoder: &Decoder) -> Vec<Note> {
        let unread = decoder.unread().map(|(what, why)| Note::Undecodable { what, why });
        decoder.clouds().flat_map(super::koblenz_log::notes_of).chain(unread).collect()
    }

    fn raw(record: &Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn timer() -> Timer<Self> {
        // Earlier blocks of pcapng give the unit of stamps.
        let mut dissector = Dissector::default();
        Box::new(move |record| {
            let (time_ns, _) = dissector.packet(record).ok()??;
            Some(Timestamp::new(time_ns, Clock::Unix))
        })
    }
}
