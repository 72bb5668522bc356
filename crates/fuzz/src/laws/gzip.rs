//! Compressed recordings, and what becomes of them.

use std::io::Write;

use flate2::{
    Compression,
    write::{GzDecoder, GzEncoder},
};
use testkit::Rng;

/// A fault of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// None at all.
    None,
    /// The checksum is another one.
    Checksum,
    /// The length is another one.
    Length,
    /// Zeros behind the stream, as of a tape.
    Padding(usize),
    /// Anything behind the stream.
    Junk(usize),
    /// The file ends early: so many hundredths of it are there.
    Cut(usize),
    /// A byte of the deflated data is another one, so many thousandths into them.
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

    /// Whether everything that was compressed is there.
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
            // No member of another stream begins so.
            Self::Junk(len) => file.extend((0..len).map(|n| b"junk behind "[n % 12])),
            Self::Cut(part) => file.truncate(HEADER + (file.len() - HEADER) * part / 100),
            Self::Flip(part) => file[HEADER + (trailer - HEADER) * part / 1000] ^= 0x10,
        }
        file
    }
}

/// Whether a file is one compressed stream without any fault.
pub(super) fn is_whole(file: &[u8]) -> bool {
    let mut decoder = GzDecoder::new(std::io::sink());
    decoder.write_all(file).is_ok() && decoder.try_finish().is_ok()
}
