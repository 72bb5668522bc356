//! Files beside a log: the `.alog` of an `.xlog`, its mission file, and folders of `.klog` files.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    vec,
};

use robolog_core::{Event, format::KnownLength};

use super::{BoxRead, Input};
use crate::{
    Error, Reason, Result, Source,
    places::{GeoPoint, Grid, Pairs, ToldOrigin},
};

/// Takes LOGSTART and the warp from the `.alog` of the same name if the log has no header; for a `.klog`, from the
/// summary of its folder.
pub(super) fn complete_from_path(header: &mut ::alog::Header, path: &Path) {
    if header.logstart().is_some() {
        return;
    }
    if path.extension().is_some_and(|extension| extension == "klog") {
        let head = head_of(&path.with_file_name(SUMMARY)).unwrap_or_default();
        if let Ok(reader) = ::alog::Reader::new(head.as_bytes())
            && let Some(logstart) = reader.header().logstart()
        {
            header.set_logstart(logstart);
            header.set_warp(reader.header().warp());
        }
        return;
    }
    let beside = ["alog", "alog.gz"].map(|extension| path.with_extension(extension));
    let Some(alog) = beside.iter().find(|other| *other != path && other.is_file()) else { return };
    let reader = Input::open(alog).and_then(|input| Ok(::alog::StreamReader::new(input.into_stream())?));
    let Ok(mut reader) = reader else { return };
    reader.header_mut().set_path(alog);
    if let Some(logstart) = reader.header().logstart() {
        tracing::info!(beside = %alog.display(), %logstart, "LOGSTART of the log beside it");
        header.set_logstart(logstart);
        header.set_warp(reader.header().warp());
    }
}

/// Origin from the mission file beside a log or from the log itself: the logged mission, or variables of that name.
/// Otherwise computed from positions in the local frame and on Earth.
pub(super) fn origin(path: &Path, grid: Option<Grid>) -> Result<Option<ToldOrigin>> {
    let of =
        |(latitude, longitude): (f64, f64)| ToldOrigin::from(GeoPoint { latitude, longitude, altitude: 0.0 });
    let mission = path.with_extension("_moos");
    if let Ok(text) = fs::read(&mission)
        && let Some(origin) = ::alog::mission_origin(&text)
    {
        tracing::info!(beside = %mission.display(), ?origin, "LatOrigin and LongOrigin of the mission beside the log");
        return Ok(Some(of(origin)));
    }
    let input = Input::open(path)?;
    if input.format()? != <::alog::Alog as robolog_core::format::Format>::NAME {
        return Ok(None);
    }
    let mut reader = ::alog::StreamReader::new(input.into_stream())?;
    let (mut latitude, mut longitude) = (None, None);
    let (mut pairs, mut met) = (Pairs::default(), [None; POSITION.len()]);
    loop {
        let record = match reader.next_event()? {
            Event::Record(record) => record,
            Event::Damage { .. } => continue,
            Event::End => {
                let grid = grid.unwrap_or(<::alog::Alog as Source>::ABOUT.grid);
                let unfit = |fit| Error::Target(Reason::NoOriginFits(fit));
                return pairs.origin(grid).transpose().map_err(unfit);
            }
        };
        let is =
            |names: [&str; 2]| names.iter().any(|name| record.name().eq_ignore_ascii_case(name.as_bytes()));
        if let Some(i) = POSITION.iter().position(|name| record.name() == *name)
            && let (Some(place), Some(number)) = (met.get_mut(i), record.value().number())
        {
            *place = record.time().map(|time| (time, number));
            if let [Some((t0, x)), Some((t1, y)), Some((t2, lat)), Some((t3, lon))] = met
                && [t1, t2, t3] == [t0; 3]
            {
                pairs.push([x, y, lat, lon]);
                met = [None; POSITION.len()];
            }
        }
        if record.name() == "MISSION_FILE"
            && let Some(origin) = ::alog::mission_origin(record.value().bytes())
        {
            return Ok(Some(of(origin)));
        } else if is(["LatOrigin", "LAT_ORIGIN"]) {
            latitude = record.value().number().or(latitude);
        } else if is(["LongOrigin", "LONG_ORIGIN"]) {
            longitude = record.value().number().or(longitude);
        }
        if let Some(origin) = latitude.zip(longitude) {
            return Ok(Some(of(origin)));
        }
    }
}

/// A position in the local frame and on Earth.
const POSITION: [&str; 4] = ["NAV_X", "NAV_Y", "NAV_LAT", "NAV_LONG"];

/// Reads a folder of `.klog` files, as `robolog alog split` and MOOS-IvP's tools make them, in sequence.
pub(super) fn folder(path: &Path) -> Result<Option<BoxRead>> {
    let failed = |e| Error::file(path, e);
    let mut files = Vec::new();
    let mut head = String::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_none_or(|e| e != "klog") {
            continue;
        }
        // A pipe or a device may never end.
        if !file.is_file() {
            tracing::warn!("skipped {}: not a plain file", file.display());
        } else if file.file_name().is_some_and(|name| name == SUMMARY) {
            head = head_of(&file)?;
        } else {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Ok(None);
    }
    files.sort();
    let rest = Files { rest: files.into_iter(), open: None, unended: false, fault: None };
    Ok(Some(Box::new(io::Cursor::new(head.into_bytes()).chain(rest))))
}

/// Summary file of `alogsplit` in a folder.
const SUMMARY: &str = "summary.klog";
/// Maximum bytes of a summary, which has a few lines.
const LONGEST: u64 = 64 << 10;

/// Header of the log of a folder, from its summary: the name, if robolog split it, and LOGSTART. The name contains the
/// date, which reveals a warp.
fn head_of(path: &Path) -> Result<String> {
    let mut summary = String::new();
    let file = KnownLength::open(path, 0)?;
    file.take(LONGEST).read_to_string(&mut summary).map_err(|e| Error::file(path, e))?;
    let value = |key: &str| summary.lines().find_map(|line| line.strip_prefix(key));
    let line = |label: &str, key| value(key).map_or_else(String::new, |value| format!("%% {label}{value}\n"));
    Ok(line("LOG FILE:       ", "logfile=") + &line("LOGSTART ", "logstart="))
}

/// Files in sequence, each ended by a line end.
struct Files {
    rest: vec::IntoIter<PathBuf>,
    open: Option<KnownLength<File>>,
    unended: bool,
    /// Why a file ended early. The others are read first.
    fault: Option<io::Error>,
}

impl Read for Files {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(file) = &mut self.open {
                let got = match file.read(buf) {
                    Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                        self.fault.get_or_insert(e);
                        0
                    }
                    read => read?,
                };
                if got > 0 {
                    self.unended = buf.get(..got).and_then(<[u8]>::last) != Some(&b'\n');
                    return Ok(got);
                }
                self.open = None;
                if std::mem::take(&mut self.unended)
                    && let Some(first) = buf.first_mut()
                {
                    *first = b'\n';
                    return Ok(1);
                }
            }
            let Some(next) = self.rest.next() else { return self.fault.take().map_or(Ok(0), Err) };
            self.open = Some(KnownLength::open(next, 0).map_err(io::Error::other)?);
        }
    }
}
