//! Minimises a failed mutant.

use super::{Breach, changes::Change, mutant::Mutant};

/// Maximum number of mutants tried.
const TRIES: usize = 60;

/// Removes changes, or halves of them, while `fails` finds the same fault.
pub(super) fn shrink<'a>(
    mutant: &Mutant<'a>,
    breach: Breach,
    fails: &mut dyn FnMut(&Mutant<'a>) -> Option<Breach>,
) -> (Mutant<'a>, Breach) {
    let (mut best, mut fault) = (mutant.clone(), breach);
    let mut tries = 0;
    'better: loop {
        for changes in simpler(&best.changes) {
            tries += 1;
            if tries > TRIES {
                break 'better;
            }
            let candidate = Mutant { changes, ..best.clone() };
            if let Some(found) = fails(&candidate)
                && (found.law, &found.what) == (fault.law, &fault.what)
            {
                (best, fault) = (candidate, found);
                continue 'better;
            }
        }
        break;
    }
    (best, fault)
}

/// The same changes without one of them, then with a half of one.
fn simpler(changes: &[Change]) -> Vec<Vec<Change>> {
    let with = |place: usize, change: Option<Change>| {
        let mut changes = changes.to_vec();
        changes.splice(place..=place, change);
        changes
    };
    let without = (0..changes.len()).map(|place| with(place, None));
    let halved = changes
        .iter()
        .enumerate()
        .flat_map(|(place, change)| change.halves().into_iter().map(move |half| (place, half)));
    without.chain(halved.map(|(place, half)| with(place, Some(half)))).collect()
}
