//! A file written by a thread of its own while the caller makes the next bytes.

use robolog_core::slices::InRange as _;
use std::{
    io::{Error, Result, Seek, SeekFrom, Write},
    mem,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use super::OutputFile;

/// Bytes handed to the thread at once.
const BLOCK: usize = 512 << 10;
/// Maximum number of blocks waiting. More would wait for the same disk.
const MOST: usize = 2;
/// Name of the thread.
const THREAD: &str = "writer";

/// A file written in the background: for fast targets, copying bytes to the system takes as long as making them. On one
/// core, or if no thread starts, it is a buffered file.
///
/// A write error is returned by a later write, `flush` or `seek`. On drop it writes the rest, and ignores errors.
#[derive(Debug)]
pub struct WriteBehind {
    file: OutputFile,
    /// Bytes not handed over yet.
    block: Vec<u8>,
    /// Position of the block in the file.
    position: u64,
    thread: Option<Thread>,
    /// Whether writing failed; all later calls fail too.
    has_failed: bool,
}

#[derive(Debug)]
struct Thread {
    /// `None` once the thread should end.
    blocks: Option<SyncSender<Vec<u8>>>,
    /// Written blocks, cleared.
    written: Receiver<Result<Vec<u8>>>,
    /// Number of blocks waiting.
    waiting: usize,
    handle: Option<JoinHandle<()>>,
}

impl WriteBehind {
    /// Writes `file` from its beginning.
    pub(super) fn new(file: OutputFile) -> Self {
        let is_worth_it = thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
        let thread = if is_worth_it { Thread::start(&file) } else { None };
        Self { file, block: Vec::new(), position: 0, thread, has_failed: false }
    }

    fn hand_on(&mut self) -> Result<()> {
        if self.has_failed {
            return Err(failed_before());
        }
        if self.block.is_empty() {
            return Ok(());
        }
        self.position += self.block.len() as u64;
        let outcome = match &mut self.thread {
            Some(thread) => thread.give(&mut self.block),
            None => self.file.write_all(&self.block),
        };
        self.block.clear();
        self.has_failed = outcome.is_err();
        outcome
    }
}

impl Thread {
    fn start(file: &OutputFile) -> Option<Self> {
        // Both handles share the position.
        let mut file = file.try_clone().ok()?;
        let (blocks, to_write) = sync_channel::<Vec<u8>>(MOST);
        let (sender, written) = sync_channel(MOST);
        let write = move || {
            for mut block in to_write {
                let outcome = file.write_all(&block).map(|()| {
                    block.clear();
                    block
                });
                let is_over = outcome.is_err();
                if sender.send(outcome).is_err() || is_over {
                    return;
                }
            }
        };
        let handle = thread::Builder::new().name(THREAD.into()).spawn(write).ok()?;
        Some(Self { blocks: Some(blocks), written, waiting: 0, handle: Some(handle) })
    }

    /// Hands a block over, and leaves an empty one in its place.
    fn give(&mut self, block: &mut Vec<u8>) -> Result<()> {
        let empty = if self.waiting < MOST { Vec::new() } else { self.take_back()? };
        let full = mem::replace(block, empty);
        if self.blocks.as_ref().is_none_or(|blocks| blocks.send(full).is_err()) {
            // The thread sends its error before it ends.
            return Err(self.written.try_iter().find_map(Result::err).unwrap_or_else(failed_before));
        }
        self.waiting += 1;
        Ok(())
    }

    /// Waits for the next written block.
    fn take_back(&mut self) -> Result<Vec<u8>> {
        self.waiting = self.waiting.minus(1);
        self.written.recv().map_err(|_| failed_before())?
    }

    /// Waits until everything is written.
    fn drain(&mut self) -> Result<()> {
        while self.waiting > 0 {
            self.take_back()?;
        }
        Ok(())
    }
}

#[cold]
fn failed_before() -> Error {
    Error::other("writing has failed before")
}

impl Write for WriteBehind {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        if self.block.len() >= BLOCK {
            self.hand_on()?;
        }
        let room = BLOCK.minus(self.block.len());
        let taken = buf.get(..room).unwrap_or(buf);
        self.block.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.hand_on()?;
        let drained = self.thread.as_mut().map_or(Ok(()), Thread::drain);
        self.has_failed = drained.is_err();
        drained?;
        self.file.flush()
    }
}

impl Seek for WriteBehind {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.flush()?;
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }

    /// Does not wait for the thread.
    fn stream_position(&mut self) -> Result<u64> {
        Ok(self.position + self.block.len() as u64)
    }
}

impl Drop for WriteBehind {
    fn drop(&mut self) {
        // Callers that need errors flush first.
        let _ = self.flush();
        if let Some(mut thread) = self.thread.take() {
            thread.blocks = None;
            let _ = thread.handle.take().map(JoinHandle::join);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, File},
        path::Path,
    };

    use super::*;

    #[test]
    fn bytes_come_in_order_also_where_it_seeks() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut out = WriteBehind::new(OutputFile::new(file.reopen().unwrap(), Path::new("out")));
        let mut expected = Vec::new();
        for n in 0_u32..300_000 {
            let bytes = n.to_le_bytes();
            let some = bytes.get(..usize::try_from(n % 5).unwrap()).unwrap_or(&bytes);
            out.write_all(some).unwrap();
            expected.extend_from_slice(some);
            if n.is_multiple_of(70_000) {
                assert_eq!(out.stream_position().unwrap(), expected.len() as u64);
                out.seek(SeekFrom::Start(0)).unwrap();
                out.write_all(&bytes).unwrap();
                assert_eq!(out.stream_position().unwrap(), 4);
                out.seek(SeekFrom::End(0)).unwrap();
                expected.resize(expected.len().max(4), 0);
                expected[..4].copy_from_slice(&bytes);
            }
        }
        let large = vec![7; 3 * BLOCK + 1];
        out.write_all(&large).unwrap();
        expected.extend_from_slice(&large);
        drop(out);
        assert!(fs::read(file.path()).unwrap() == expected);
    }

    #[test]
    fn what_cannot_be_written_fails_and_goes_on_failing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // Open for reading only.
        let mut out = WriteBehind::new(OutputFile::new(File::open(file.path()).unwrap(), Path::new("out")));
        out.write_all(b"lost").unwrap();
        assert_ne!(out.flush().unwrap_err().to_string(), failed_before().to_string());
        let more = vec![0; 8 * BLOCK];
        assert!(out.write_all(&more).is_err() && out.flush().is_err());

        // The thread ends before the next block.
        let mut out = WriteBehind::new(OutputFile::new(File::open(file.path()).unwrap(), Path::new("out")));
        out.write_all(&more[..=BLOCK]).unwrap();
        thread::sleep(std::time::Duration::from_millis(50));
        assert_ne!(out.write_all(&more).unwrap_err().to_string(), failed_before().to_string());
    }
}
