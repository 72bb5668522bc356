//! Compression of chunks.

use std::io::Write;
#[cfg(any(feature = "lz4", feature = "zstd"))]
use std::mem;

#[cfg(feature = "zstd")]
use zstd::stream::raw::{CParameter, Encoder, InBuffer, Operation as _, OutBuffer};

use crate::{Result, options::McapCompression};

/// Compresses one chunk after the other.
pub(super) enum Packer {
    /// Bytes are passed on at once.
    None,
    #[cfg(feature = "zstd")]
    Zstd(Zstd),
    #[cfg(feature = "lz4")]
    Lz4(lz4::Encoder<Vec<u8>>),
}

impl Packer {
    /// `threads` compress, if the compression can use them. Returns an error if this build lacks the compression.
    pub(super) fn new(compression: McapCompression, threads: u32) -> Result<Self> {
        let _ = threads;
        match compression {
            McapCompression::None => Ok(Self::None),
            #[cfg(feature = "zstd")]
            McapCompression::Zstd => Ok(Self::Zstd(Zstd::new(threads)?)),
            #[cfg(feature = "lz4")]
            McapCompression::Lz4 => Ok(Self::Lz4(lz4()?)),
            #[cfg(not(all(feature = "lz4", feature = "zstd")))]
            lacking => {
                let feature = if lacking == McapCompression::Lz4 { "lz4" } else { "zstd" };
                Err(crate::Error::NotBuilt { what: format!("MCAP compression {lacking}"), feature })
            }
        }
    }

    /// The name in chunks.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::None => "",
            #[cfg(feature = "zstd")]
            Self::Zstd(_) => "zstd",
            #[cfg(feature = "lz4")]
            Self::Lz4(_) => "lz4",
        }
    }

    /// Compresses bytes, or writes them to `out` if there is no compression.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
        match self {
            Self::None => out.write_all(bytes)?,
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => zstd.push(bytes)?,
            #[cfg(feature = "lz4")]
            Self::Lz4(lz4) => lz4.write_all(bytes)?,
        }
        Ok(())
    }

    /// Returns the compressed chunk and begins the next; [`reuse`](Self::reuse) takes its memory back.
    pub(super) fn finish(&mut self) -> Result<Vec<u8>> {
        Ok(match self {
            Self::None => Vec::new(),
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => zstd.finish()?,
            #[cfg(feature = "lz4")]
            Self::Lz4(open) => {
                let (data, outcome) = mem::replace(open, lz4()?).finish();
                outcome?;
                data
            }
        })
    }

    /// Takes the memory of a chunk that was written for the next one, unless it was a long one.
    pub(super) fn reuse(&mut self, mut data: Vec<u8>) {
        data.clear();
        #[cfg(feature = "zstd")]
        if let Self::Zstd(zstd) = self
            && data.capacity() <= MOST_REUSED
        {
            zstd.data = data;
        }
    }
}

/// Maximum bytes of memory that is reused.
#[cfg(feature = "zstd")]
const MOST_REUSED: usize = 8 << 20;

/// Zstandard, whose memory and threads serve all chunks.
#[cfg(feature = "zstd")]
pub(super) struct Zstd {
    encoder: Encoder<'static>,
    data: Vec<u8>,
}

#[cfg(feature = "zstd")]
impl Zstd {
    fn new(threads: u32) -> Result<Self> {
        let mut encoder = Encoder::new(1)?;
        encoder.set_parameter(CParameter::NbWorkers(threads))?;
        Ok(Self { encoder, data: Vec::new() })
    }

    fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let mut input = InBuffer::around(bytes);
        while input.pos() < bytes.len() {
            self.encoder.run(&mut input, &mut room(&mut self.data))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<u8>> {
        while self.encoder.finish(&mut room(&mut self.data), false)? > 0 {}
        self.encoder.reinit()?;
        Ok(mem::take(&mut self.data))
    }
}

/// At least this much room is there for the output of a call.
#[cfg(feature = "zstd")]
const ROOM: usize = 128 << 10;

/// The room behind the data.
#[cfg(feature = "zstd")]
fn room(data: &mut Vec<u8>) -> OutBuffer<'_, Vec<u8>> {
    data.reserve(ROOM);
    let len = data.len();
    OutBuffer::around_pos(data, len)
}

/// LZ4 without sums of blocks, which some readers compute wrongly; chunks have one.
#[cfg(feature = "lz4")]
fn lz4() -> Result<lz4::Encoder<Vec<u8>>> {
    let mut builder = lz4::EncoderBuilder::new();
    builder.level(1).block_checksum(lz4::liblz4::BlockChecksum::NoBlockChecksum);
    Ok(builder.build(Vec::new())?)
}
