//! Wrappers around the stream of an input.

#[cfg(any(unix, windows))]
use std::fs::File;
use std::{
    io::{self, Read, Seek, SeekFrom},
    sync::Arc,
};

#[cfg(any(unix, windows))]
use robolog_core::format::KnownLength;
#[cfg(any(feature = "from-gpx", feature = "from-kml", feature = "from-nmea"))]
use robolog_xml::Utf8Reader;

use super::{BoxRead, Input};
use crate::Result;

/// Bytes read to detect the format.
const LOOK: usize = 4096;
/// Bytes read after them if they tell no format.
const FURTHER: usize = 60 << 10;

/// Returns an error to stop reading.
pub(super) type Watch = Arc<dyn Fn() -> io::Result<()> + Send + Sync>;

/// Standard input. A file that a shell opened as standard input is one like any other: it must not become shorter.
pub fn standard_input() -> Result<BoxRead> {
    #[cfg(any(unix, windows))]
    if let Some(file) = standard_file()? {
        return Ok(file);
    }
    Ok(Box::new(io::stdin()))
}

/// Standard input, if it is a file, from where the shell left it.
#[cfg(any(unix, windows))]
fn standard_file() -> Result<Option<BoxRead>> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    // Closed, or a console.
    let Ok(mut file) = handle.map(File::from) else { return Ok(None) };
    let Ok(meta) = file.metadata() else { return Ok(None) };
    if !meta.is_file() {
        return Ok(None);
    }
    let at = file.stream_position()?;
    Ok(Some(Box::new(KnownLength::new(file, meta.len().saturating_sub(at)))))
}

/// A stream that calls a watch, if any, before each read.
pub(crate) struct Watched<S> {
    pub(super) stream: S,
    pub(super) watch: Option<Watch>,
}

impl Input {
    /// Calls `watch` before each read of the file, on any thread; its error ends reading. Lets a caller cancel a long
    /// job. Does not watch the files of a data set.
    #[must_use]
    pub fn watched(self, watch: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Self {
        let watch: Watch = Arc::new(watch);
        let rest = Watched { stream: self.rest, watch: Some(Arc::clone(&watch)) };
        Self { rest: Box::new(rest), watch: Some(watch), ..self }
    }
}

impl<S: Read> Read for Watched<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.watch.as_ref().map_or(Ok(()), |watch| watch())?;
        self.stream.read(buffer)
    }
}

impl<S: Seek> Seek for Watched<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.stream.seek(to)
    }
}

/// Decodes text in another encoding to UTF-8; offsets are in the decoded text. Returns everything else unchanged, with
/// false.
#[cfg(any(feature = "from-gpx", feature = "from-kml", feature = "from-nmea"))]
pub(super) fn decoded(start: Vec<u8>, rest: BoxRead) -> io::Result<(Vec<u8>, BoxRead, bool)> {
    if !Utf8Reader::<BoxRead>::decodes(&start) {
        return Ok((start, rest, false));
    }
    let mut text: BoxRead = Box::new(Utf8Reader::new(io::Cursor::new(start).chain(rest)));
    Ok((look(&mut text)?, text, true))
}

/// No format in this build has several encodings.
#[cfg(not(any(feature = "from-gpx", feature = "from-kml", feature = "from-nmea")))]
pub(super) fn decoded(start: Vec<u8>, rest: BoxRead) -> io::Result<(Vec<u8>, BoxRead, bool)> {
    Ok((start, rest, false))
}

/// Reads the first bytes of a stream. A truncated or damaged one has fewer, and fails when read further.
pub(super) fn look(stream: &mut BoxRead) -> io::Result<Vec<u8>> {
    look_at(stream, LOOK)
}

/// Reads more of a stream whose first bytes no format claims: binary data may precede what tells it.
pub(super) fn look_further(stream: &mut BoxRead, start: &mut Vec<u8>) -> io::Result<()> {
    if start.len() >= LOOK {
        start.extend(look_at(stream, FURTHER)?);
    }
    Ok(())
}

fn look_at(stream: &mut BoxRead, len: usize) -> io::Result<Vec<u8>> {
    let mut start = vec![0; len];
    let mut len = 0_usize;
    while let Some(free) = start.get_mut(len..).filter(|free| !free.is_empty()) {
        match stream.read(free) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if matches!(e.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
                *stream = Box::new(Failing(Some(e)));
                break;
            }
            Err(e) => return Err(e),
        }
    }
    start.truncate(len);
    Ok(start)
}

/// The rest of a stream after a fault: returns the fault once.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
