//! Changes of a file, as caused by a disk, a cable or an editor.

use testkit::Rng;

use super::gzip::Fault;

/// A change of a file's bytes. Offsets beyond the end mean the end, so that any selection of changes can be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// Bytes are overwritten.
    Set { at: usize, bytes: Vec<u8> },
    /// A range is overwritten with one byte.
    Fill { at: usize, len: usize, byte: u8 },
    /// A range is missing.
    Remove { at: usize, len: usize },
    /// A range is repeated elsewhere.
    Double { at: usize, len: usize, to: usize },
    /// Two neighbouring ranges are swapped.
    Transpose { at: usize, len: usize, next: usize },
    /// Bytes of another file are inserted.
    Insert { at: usize, bytes: Vec<u8> },
    /// The file ends early.
    Cut { len: usize },
    /// The file is compressed, and the compression is damaged.
    Gzip(Fault),
}

/// Boundary numbers.
const EDGES: [u64; 12] =
    [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// Applies these changes, one after another.
pub(super) fn apply(changes: &[Change], bytes: &[u8]) -> Vec<u8> {
    changes.iter().fold(bytes.to_vec(), |bytes, change| change.apply(bytes))
}

impl Change {
    fn apply(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len();
        let range = |at: usize, len: usize| at.min(end)..at.saturating_add(len).min(end);
        match self {
            Self::Set { at, bytes: new } => {
                let range = range(*at, new.len());
                let len = range.len();
                bytes[range].copy_from_slice(&new[..len]);
            }
            Self::Fill { at, len, byte } => bytes[range(*at, *len)].fill(*byte),
            Self::Remove { at, len } => drop(bytes.drain(range(*at, *len))),
            Self::Double { at, len, to } => {
                let piece = bytes[range(*at, *len)].to_vec();
                bytes.splice(range(*to, 0), piece);
            }
            Self::Transpose { at, len, next } => {
                let whole = range(*at, len.saturating_add(*next));
                let turn = (*len).min(whole.len());
                bytes[whole].rotate_left(turn);
            }
            Self::Insert { at, bytes: new } => drop(bytes.splice(range(*at, 0), new.iter().copied())),
            Self::Cut { len } => bytes.truncate(*len),
            Self::Gzip(fault) => bytes = fault.compress(&bytes),
        }
        bytes
    }

    /// The same with half of its bytes, if that is simpler.
    pub(super) fn halves(&self) -> Vec<Self> {
        match self {
            Self::Set { at, bytes } if bytes.len() > 1 => {
                let (first, second) = bytes.split_at(bytes.len() / 2);
                let second = Self::Set { at: at + first.len(), bytes: second.to_vec() };
                vec![Self::Set { at: *at, bytes: first.to_vec() }, second]
            }
            Self::Fill { at, len, byte } if *len > 1 => {
                let second = Self::Fill { at: at + len / 2, len: len - len / 2, byte: *byte };
                vec![Self::Fill { at: *at, len: len / 2, byte: *byte }, second]
            }
            Self::Remove { at, len } if *len > 1 => vec![Self::Remove { at: *at, len: len / 2 }],
            Self::Insert { at, bytes } if bytes.len() > 1 => {
                let (first, second) = bytes.split_at(bytes.len() / 2);
                [first, second].map(|bytes| Self::Insert { at: *at, bytes: bytes.to_vec() }).into()
            }
            Self::Double { at, len, to } if *len > 1 => {
                vec![Self::Double { at: *at, len: len / 2, to: *to }]
            }
            _ => Vec::new(),
        }
    }
}

/// A change of `bytes`; lines of texts are changed as often as bytes. `other` is a file of the same format.
pub(super) fn any(rng: &mut Rng, bytes: &[u8], is_text: bool, other: &[u8]) -> Change {
    let at = rng.below(bytes.len());
    let len = length(rng);
    match rng.below(if is_text { 16 } else { 12 }) {
        0 | 1 => Change::Set { at, bytes: vec![bytes.get(at).unwrap_or(&0) ^ (1 << rng.below(8))] },
        2 => Change::Set { at, bytes: vec![rng.bits().to_le_bytes()[0]] },
        3 => Change::Set { at, bytes: (0..len.min(64)).map(|_| rng.bits().to_le_bytes()[0]).collect() },
        4 => Change::Fill { at, len, byte: [0, 0, 0, 0xff, b' ', b'\n'][rng.below(6)] },
        5 | 6 => {
            let edge = EDGES[rng.below(EDGES.len())];
            let width = [1, 2, 4, 8][rng.below(4)];
            // As large as the number may be that stands there, or just beside.
            let edge =
                if rng.below(3) == 0 { edge.wrapping_add(rng.below(3) as u64).wrapping_sub(1) } else { edge };
            let number = if rng.below(8) == 0 {
                edge.to_be_bytes()[8 - width..].to_vec()
            } else {
                edge.to_le_bytes()[..width].to_vec()
            };
            Change::Set { at, bytes: number }
        }
        7 => Change::Remove { at, len },
        8 => Change::Double { at, len, to: if rng.below(2) == 0 { at } else { rng.below(bytes.len()) } },
        9 => Change::Transpose { at, len, next: length(rng) },
        10 if !other.is_empty() => {
            let from = rng.below(other.len());
            let piece = &other[from..(from + length(rng) * 4).min(other.len())];
            Change::Insert { at, bytes: piece.to_vec() }
        }
        10 | 11 => Change::Cut { len: at },
        _ => of_lines(rng, bytes, at),
    }
}

/// Number of bytes of a change: mostly few.
fn length(rng: &mut Rng) -> usize {
    let most = [4, 16, 64, 400, 2000][rng.below(5)];
    1 + rng.below(most)
}

/// A change of whole lines from the one at this place on.
fn of_lines(rng: &mut Rng, bytes: &[u8], place: usize) -> Change {
    let starts = |from: usize| bytes[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let ends = |from: usize| {
        bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| from + n + 1)
    };
    let at = starts(place.min(bytes.len()));
    let end = (0..=rng.below(3)).fold(at, |end, _| ends(end));
    let len = end - at;
    match rng.below(4) {
        0 => Change::Remove { at, len },
        1 => Change::Double { at, len, to: starts(rng.below(bytes.len())) },
        2 => Change::Transpose { at, len, next: ends(end) - end },
        // The line ends early.
        _ => Change::Remove { at: place.min(end), len: end.saturating_sub(place + 1) },
    }
}

#[test]
fn changes_fit_any_file() {
    let file: Vec<u8> = (0..200).map(|n| if n % 20 == 19 { b'\n' } else { n }).collect();
    let mut rng = Rng(1);
    for round in 0..20_000 {
        let change = any(&mut rng, &file, round % 2 == 0, &file[3..]);
        for bytes in [&file[..], &file[..7], &[]] {
            change.apply(bytes.to_vec());
            change.halves().iter().for_each(|half| drop(half.apply(bytes.to_vec())));
        }
    }
    let swapped = Change::Transpose { at: 1, len: 2, next: 3 }.apply(b"abcdefg".to_vec());
    assert_eq!(swapped, b"adefbcg");
}
