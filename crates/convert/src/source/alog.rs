//! MOOS logs for the converters, beyond samples.

use std::path::Path;

use robolog_core::StreamReader;

use super::{About, How, Source, Stream, logs};
use crate::{Error, Note, Reason, Result, Settings, places::Grid};

impl Source for ::alog::Alog {
    const ABOUT: About = About { grid: Grid::Utm, ..About::DEFAULT };

    fn open(stream: Stream, path: Option<&Path>, how: &How) -> Result<StreamReader<Stream, Self>> {
        let mut reader = StreamReader::<_, Self>::with_limits(stream, how.limits)?;
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
