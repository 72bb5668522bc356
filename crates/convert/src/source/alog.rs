//! MOOS logs for the converters, beyond samples.

use std::{io::Read, path::Path};

use robolog_core::StreamReader;

use super::{About, How, Source, Stream, logs};
use crate::{Error, Note, Reason, Result, Settings, places::Grid};

/// Bytes that tell the vehicle: more would delay a log that is being written.
const START: u64 = 16 << 10;

impl Source for ::alog::Alog {
    const ABOUT: About = About { grid: Grid::Utm, ..About::DEFAULT };

    fn open(mut stream: Stream, path: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let start = stream
            .look(|file| Ok(start(file)), |stream| start(stream))
            .map_err(|error| robolog_core::Error::io(error, 0))?;
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
        reader.header_mut().set_vehicle(::alog::vehicle_of(&start));
        if let Some(path) = path {
            reader.header_mut().set_path(path);
            logs::complete_from_path(reader.header_mut(), path);
        }
        reader.header_mut().set_times(how.times);
        Ok(reader)
    }

    /// Returns an error for a warp so small that times exceed 64 bits of nanoseconds.
    fn note(header: &::alog::Header, settings: &Settings) -> Result<Option<Note>> {
        if header.times().is_of_mission() || settings.alog.time.is_of_mission() {
            return Ok(None);
        }
        let (Some(warp), Some(logstart)) = (settings.alog.warp, header.logstart()) else {
            let warp = header.warp();
            let known = (warp != ::alog::Warp::NONE).then_some(Note::TimeWarp { factor: warp.factor() });
            let unknown = header.has_unknown_warp().then_some(Note::UnknownWarp);
            let future = header.begins_in_future().then_some(Note::Future);
            return Ok(unknown.or(future).or(known));
        };
        let mut header = header.clone();
        header.set_warp(warp);
        match header.time(::alog::Seconds::default()) {
            Some(_) => Ok(None),
            None => {
                Err(Error::Target(Reason::TimeWarp { logstart: logstart.to_string(), warp: warp.factor() }))
            }
        }
    }

    fn options(settings: &Settings) -> ::alog::Options {
        settings.alog
    }

    fn raw(record: &::alog::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}

/// The first bytes. A fault is met again by the reader.
fn start(mut stream: impl Read) -> Vec<u8> {
    let mut start = Vec::new();
    let _ = stream.by_ref().take(START).read_to_end(&mut start);
    start
}
