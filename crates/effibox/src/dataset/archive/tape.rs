//! The members of a tar archive, from header to header.

use std::io::{self, BufReader, Read};

use robolog_core::{
    layout::c_str,
    slices::{InRange as _, Part as _, past, split_once},
};

use super::{
    Members,
    inflate::{Budget, is_damage},
};
use crate::dataset::fault::Result;

/// Bytes of a header, and the unit of a member's space.
const BLOCK: usize = 512;

/// The bytes of an archive, from the first to the last.
pub(super) trait Tape: Read {
    /// Moves on. Returns by how much, which is less at the end.
    fn skip(&mut self, len: u64) -> io::Result<u64>;
}

impl<R: Read> Tape for Budget<R> {
    fn skip(&mut self, len: u64) -> io::Result<u64> {
        let mut left = len;
        let mut block = [0; 1 << 14];
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            let got = match self.read(block.part_mut(..most)) {
                Ok(got) => got,
                // The next read meets the end.
                Err(e) if is_damage(&e) => {
                    tracing::info!(error = %e, "the archive is damaged");
                    0
                }
                Err(e) => return Err(e),
            };
            if got == 0 {
                break;
            }
            left = left.minus(got as u64);
        }
        Ok(len.minus(left))
    }
}

/// A file, which can seek.
pub(super) struct Seekable {
    file: BufReader<std::fs::File>,
    left: u64,
}

impl Seekable {
    pub(super) fn new(file: std::fs::File) -> io::Result<Self> {
        let left = file.metadata()?.len();
        Ok(Self { file: BufReader::with_capacity(BLOCK, file), left })
    }
}

impl Read for Seekable {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(buf)?;
        self.left = self.left.saturating_sub(got as u64);
        Ok(got)
    }
}

impl Tape for Seekable {
    fn skip(&mut self, len: u64) -> io::Result<u64> {
        let len = len.min(self.left);
        self.file.seek_relative(i64::try_from(len).map_err(io::Error::other)?)?;
        self.left = self.left.minus(len);
        Ok(len)
    }
}

/// Lists the members. After a header with a wrong checksum the next header is searched for. An archive without an end
/// is damaged: members may be missing.
pub(super) fn index(tape: &mut dyn Tape, members: &mut Members<'_>) -> Result<()> {
    let mut walk = Walk { tape, at: 0, told: Told::default(), is_lost: false, is_over: false };
    while !walk.is_over {
        if let Err(e) = walk.step(members)? {
            if !is_damage(&e) || members.list.is_empty() {
                return Err(members.failed(e));
            }
            tracing::info!(error = %e, "the archive is damaged");
            members.damaged_here("the archive ends too early or is damaged");
            return Ok(());
        }
    }
    Ok(())
}

struct Walk<'t> {
    tape: &'t mut dyn Tape,
    at: u64,
    told: Told,
    /// Whether the header before this block is damaged.
    is_lost: bool,
    is_over: bool,
}

impl Walk<'_> {
    /// Reads a header. The outer error is a limit, the inner one is of the archive.
    fn step(&mut self, members: &mut Members<'_>) -> Result<io::Result<()>> {
        let block = match self.block() {
            Ok(block) => block,
            Err(e) => return Ok(Err(e)),
        };
        if block.iter().all(|b| *b == 0) {
            return Ok(self.end(members));
        }
        if !has_checksum(&block) {
            if !std::mem::replace(&mut self.is_lost, true) {
                let path = std::mem::take(&mut self.told).path;
                // The field of the name comes first.
                let name = block.first_chunk::<100>().map_or(&[][..], |name| c_str(name));
                let name = path.unwrap_or_else(|| String::from_utf8_lossy(name).into_owned());
                members.damaged(&name, "its header is damaged");
            }
            return Ok(Ok(()));
        }
        self.is_lost = false;
        self.member(&block, members)
    }

    fn block(&mut self) -> io::Result<[u8; BLOCK]> {
        let mut block = [0; BLOCK];
        self.tape.read_exact(&mut block)?;
        self.at = past(self.at, BLOCK);
        Ok(block)
    }

    /// After a block of zeros: a second one is the end. What follows is read for its checksum.
    fn end(&mut self, members: &mut Members<'_>) -> io::Result<()> {
        self.is_over = true;
        if self.block()?.iter().any(|b| *b != 0) {
            members.damaged_here("a member follows a block of zeros");
        }
        let mut rest = [0; 1 << 14];
        while self.tape.read(&mut rest)? > 0 {}
        Ok(())
    }

    fn member(&mut self, block: &[u8; BLOCK], members: &mut Members<'_>) -> Result<io::Result<()>> {
        let header = tar::Header::from_byte_slice(block);
        let (kind, path) = (header.entry_type(), header.path_bytes());
        let Ok(claimed) = header.entry_size() else {
            members.damaged(&String::from_utf8_lossy(&path), "its size is no number");
            return Ok(Ok(()));
        };
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            return Ok(self.tell(kind.is_gnu_longname(), claimed));
        }
        let Told { path: told, size: told_size } = std::mem::take(&mut self.told);
        // A field that is too small for the size is 0.
        let size = told_size.filter(|_| claimed == 0).unwrap_or(claimed);
        let start = self.at;
        if let Err(e) = self.skip(size) {
            return Ok(Err(e));
        }
        if kind.is_dir() || kind.is_pax_global_extensions() || kind.is_gnu_longlink() {
            return Ok(Ok(()));
        }
        if told.as_ref().is_some_and(|told| is_flipped(told.as_bytes(), &path)) {
            members.damaged(&String::from_utf8_lossy(&path), "its two names differ");
        }
        let path = told.unwrap_or_else(|| String::from_utf8_lossy(&path).into_owned());
        if !(kind.is_file() || kind.is_contiguous()) {
            members.skipped(&path, "it is no plain file");
        } else if told_size.is_some_and(|told| told != size) {
            members.damaged(&path, "its size is not the one in its header");
        } else {
            members.add(&path, start, size, None)?;
        }
        Ok(Ok(()))
    }

    /// Reads an entry that tells something about the next.
    fn tell(&mut self, is_name: bool, size: u64) -> io::Result<()> {
        let mut bytes = Vec::new();
        let most = size.min(TOLD);
        Read::take(&mut *self.tape, most).read_to_end(&mut bytes)?;
        self.at = past(self.at, bytes.len());
        self.told.read(is_name, &bytes);
        self.skip_padded(size.minus(most), size)
    }

    /// Moves behind a member of this size; a torn one is listed all the same.
    fn skip(&mut self, size: u64) -> io::Result<()> {
        self.skip_padded(size, size)
    }

    fn skip_padded(&mut self, left: u64, size: u64) -> io::Result<()> {
        let unit = BLOCK as u64;
        let padding = size.wrapping_neg() & unit.wrapping_sub(1);
        let moved = self.tape.skip(left.saturating_add(padding))?;
        self.at = self.at.plus(moved);
        Ok(())
    }
}

/// Whether a header has its checksum: the sum of its bytes, with blanks in place of the sum itself, which some programs
/// took as signed.
fn has_checksum(block: &[u8; BLOCK]) -> bool {
    let Ok(claimed) = tar::Header::from_byte_slice(block).cksum() else { return false };
    let of = |sum: fn(u8) -> i64| -> i64 {
        block
            .iter()
            .enumerate()
            .map(|(at, byte)| sum(if (148..156).contains(&at) { b' ' } else { *byte }))
            .sum()
    };
    [of(i64::from), of(|byte| i64::from(byte.cast_signed()))].contains(&i64::from(claimed))
}

/// Whether the name in a header is the start of the told one but for one byte.
fn is_flipped(told: &[u8], name: &[u8]) -> bool {
    let is_start = name.len() == told.len().min(100);
    is_start && told.iter().zip(name).filter(|(a, b)| a != b).count() == 1
}

/// Entries before the header of a member: a name that is too long for it, and a size.
#[derive(Debug, Default)]
struct Told {
    path: Option<String>,
    size: Option<u64>,
}

/// Maximum bytes of a name or a list of extensions.
const TOLD: u64 = 64 << 10;

impl Told {
    fn read(&mut self, is_name: bool, bytes: &[u8]) {
        if is_name {
            let name = split_once(bytes, 0).map_or(bytes, |(name, _)| name);
            self.path = Some(String::from_utf8_lossy(name).into_owned());
            return;
        }
        for extension in tar::PaxExtensions::new(bytes).flatten() {
            let value = String::from_utf8_lossy(extension.value_bytes());
            match extension.key_bytes() {
                b"path" => self.path = Some(value.into_owned()),
                b"size" => self.size = value.parse().ok(),
                _ => {}
            }
        }
    }
}
