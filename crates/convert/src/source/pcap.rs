//! Captures for the converters, beyond samples.

use std::path::Path;

use robolog_capture::{Capture, Decoder, Dissector, Header, Options, Record, late_clocks, late_clocks_ahead};
use robolog_core::{Clock, StreamReader, Timestamp};

use super::{About, How, Source, Stream, Timer};
use crate::{LidarModel, Note, Result, Settings};

impl Source for Capture {
    const ABOUT: About = About { has_magic: true, ..About::DEFAULT };

    /// Finds clocks that get their date late.
    fn open(mut stream: Stream, _: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let late = stream
            .look(|file| late_clocks(file), |start| late_clocks_ahead(start))
            .map_err(|error| robolog_core::Error::io(error, 0))?;
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        let header = reader.header_mut();
        header.set_late_clocks(late);
        header.set_livox(how.model.and_then(LidarModel::livox));
        header.set_velodyne(how.model.and_then(LidarModel::velodyne));
        Ok(reader)
    }

    fn note(header: &Header, _: &Settings) -> Result<Option<Note>> {
        let devices = header.late_clocks().len();
        Ok((devices > 0).then_some(Note::LateClock { devices }))
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

    fn timer() -> Timer<Self> {
        // Earlier blocks of pcapng give the unit of stamps.
        let mut dissector = Dissector::default();
        Box::new(move |record| {
            let (time_ns, _) = dissector.packet(record).ok()??;
            Some(Timestamp::new(time_ns, Clock::Unix))
        })
    }

    fn raw(record: &Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}
