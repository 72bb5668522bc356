//! Compressed recordings and their faults.

use std::io::Write;

use flate2::{
    Compression,
    write::{GzDecoder, GzEncoder},
};
use testkit::Rng;

/// A fault of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// No fault.
    None,
    /// A wrong checksum.
    Checksum,
    /// A wrong length.
    Length,
    /// Zeros after the stream, as from a tape.
    Padding(usize),
    /// Junk after the stream.
    Junk(usize),
    /// The file ends early, after this many hundredths.
    Cut(usize),
    /// A byte of the deflated data is changed, this many thousandths into it.
    Flip(usize),
}

/// Bytes of the header as it is written here, and of the checksum and length.
const HEADER: usize = 10;
const TRAILER: usize = 8;

impl Fault {
    pub(super) fn any(rng: &mut Rng) -> Self {
        match rng.below(7) {
            0 => Self::None,
            1 => Self::Checksum,
            2 => Self::Length,
            3 => Self::Padding(1 + rng.below(3000)),
            4 => Self::Junk(1 + rng.below(300)),
            5 => Self::Cut(rng.below(100)),
            _ => Self::Flip(rng.below(1000)),
        }
    }

    /// Whether all compressed data is present.
    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Self::Cut(_) | Self::Flip(_))
    }

    pub(super) fn compress(self, bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        let mut file = encoder.finish().unwrap();
        let trailer = file.len() - TRAILER;
        match self {
            Self::None => {}
            Self::Checksum => file[trailer] ^= 1,
            Self::Length => file[trailer + 4] ^= 1,
            Self::Padding(len) => file.resize(file.len() + len, 0),
            // Not the start of another member.
            Self::Junk(len) => file.extend((0..len).map(|n| b"junk behind "[n % 12])),
            Self::Cut(part) => file.truncate(HEADER + (file.len() - HEADER) * part / 100),
            Self::Flip(part) => file[HEADER + (trailer - HEADER) * part / 1000] ^= 0x10,
        }
        file
    }
}

/// Whether a file is a single compressed stream without faults.
pub(super) fn is_whole(file: &[u8]) -> bool {
    let mut decoder = GzDecoder::new(std::io::sink());
    decoder.write_all(file).is_ok() && decoder.try_finish().is_ok()
}
