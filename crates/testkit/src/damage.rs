//! Damaged inputs, and how many of them tests visit.

use std::iter::StepBy;

/// A small seeded generator (`SplitMix64`), so that every run makes the same damage.
#[derive(Debug, Clone)]
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    #[expect(clippy::cast_possible_truncation, reason = "the remainder is below a usize")]
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// Every prefix of `bytes`, including the empty and the whole one.
pub fn cuts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..=bytes.len()).map(|n| &bytes[..n])
}

/// `bytes` with one of the first `reach` bytes changed: each single bit flipped, set to 0 and to 255.
pub fn flips(bytes: &[u8], reach: usize, visit: &mut dyn FnMut(&[u8])) {
    let mut work = bytes.to_vec();
    for i in 0..reach.min(bytes.len()) {
        let old = work[i];
        let changed = (0..8).map(|bit| old ^ (1 << bit)).chain([0, 255]);
        for new in changed.filter(|new| *new != old) {
            work[i] = new;
            visit(&work);
        }
        work[i] = old;
    }
}

/// `n` variants of `bytes` with pieces removed, doubled or moved, and numbers of all widths set to boundary values.
pub fn splices(bytes: &[u8], n: usize, seed: u64, visit: &mut dyn FnMut(&[u8])) {
    const EDGES: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];
    let mut rng = Rng(seed);
    let mut work = Vec::new();
    for _ in 0..n {
        work.clear();
        work.extend_from_slice(bytes);
        for _ in 0..=rng.below(3) {
            if work.is_empty() {
                break;
            }
            let at = rng.below(work.len());
            let len = rng.below(64).min(work.len() - at);
            match rng.below(4) {
                0 => drop(work.drain(at..at + len)),
                1 => {
                    let piece = work[at..at + len].to_vec();
                    let to = rng.below(work.len());
                    work.splice(to..to, piece);
                }
                2 => {
                    let edge = EDGES[rng.below(EDGES.len())].to_le_bytes();
                    let width = [1, 2, 4, 8][rng.below(4)].min(work.len() - at);
                    work[at..at + width].copy_from_slice(&edge[..width]);
                }
                _ => work[at] = rng.bits().to_le_bytes()[0],
            }
        }
        visit(&work);
    }
}

/// Passes `visit` every cut, every flip within the first 4 KiB, and 10 000 splices of `bytes`, [`thinned`]. Returns the
/// number of inputs.
pub fn campaign(bytes: &[u8], seed: u64, visit: &mut dyn FnMut(&[u8])) -> usize {
    let mut n = 0;
    let mut visit = |bytes: &[u8]| {
        n += 1;
        visit(bytes);
    };
    let mut visit = thinned(&mut visit);
    cuts(bytes).for_each(&mut visit);
    flips(bytes, 4096, &mut visit);
    splices(bytes, 10_000, seed, &mut visit);
    drop(visit);
    n
}

/// One in this many damaged inputs suffices for each change. It has no factor in common with the 10 flips of a byte.
const ONE_IN: usize = 11;

/// Whether all damaged inputs are visited, which takes ten times as long: `cargo xtask test --thorough`, every night.
pub fn is_thorough() -> bool {
    std::env::var_os("ROBOLOG_THOROUGH").is_some()
}

/// The second value if tests are [thorough](is_thorough), else the first: how much a test makes, or must reach.
pub fn bound<T>(everyday: T, thorough: T) -> T {
    if is_thorough() { thorough } else { everyday }
}

/// Passes `visit` one in eleven inputs, or all if tests are [thorough](is_thorough).
pub fn thinned(visit: &mut dyn FnMut(&[u8])) -> impl FnMut(&[u8]) + '_ {
    let one_in = bound(ONE_IN, 1);
    let mut n = 0_usize;
    move |bytes| {
        if n.is_multiple_of(one_in) {
            visit(bytes);
        }
        n += 1;
    }
}

/// One in `n` items, or all if tests are [thorough](is_thorough).
pub fn one_in<I: Iterator>(n: usize, items: impl IntoIterator<IntoIter = I>) -> StepBy<I> {
    items.into_iter().step_by(bound(n, 1))
}

/// The operations that are made to fail one after another: all, or, unless tests are [thorough](is_thorough), each of the
/// first ones and then ever fewer.
pub fn failing() -> impl Iterator<Item = usize> {
    std::iter::successors(Some(0), |n| Some(n + bound(1 + n / 32, 1)))
}

/// How many of `n` inputs are left if they are [`thinned`].
pub fn left_of(n: usize) -> usize {
    bound(n / ONE_IN, n)
}
