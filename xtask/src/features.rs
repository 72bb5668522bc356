//! `cargo xtask features`: builds that together switch every feature of a crate on without every other one.
//!
//! A feature by itself, and each crate without any, would be a build for each of some hundred features. Numbering the
//! features and building, for each binary digit, those whose digit is 1 and those whose digit is 0 tells any two of
//! them apart in twice as many builds as there are digits: code of one feature that needs another fails in one of them.

use std::collections::BTreeSet;

use crate::{
    shell::{Outcome, cargo},
    workspace,
};

/// What the program switches on in `robolog-convert`, feature for feature, so that its builds are both crates'.
const FORWARDED: &str = "robolog-convert";

pub(crate) fn run() -> Outcome {
    for one in workspace::crates()?.iter().filter(|one| one.name != FORWARDED) {
        let features: Vec<&str> = one.manifest.features().filter(|&feature| feature != "default").collect();
        for build in covering(&features) {
            let features = build.join(",");
            let mut words = vec!["check", "-p", &one.name, "--no-default-features"];
            if !features.is_empty() {
                words.extend(["--features", &features]);
            }
            cargo(&words)?;
        }
    }
    Ok(())
}

/// Sets of features: none, and such that for any two of them one set has the first and lacks the second.
fn covering<'a>(features: &[&'a str]) -> BTreeSet<Vec<&'a str>> {
    let digits = usize::BITS - features.len().saturating_sub(1).leading_zeros();
    let mut sets = BTreeSet::new();
    if !features.is_empty() {
        sets.insert(Vec::new());
    }
    for digit in 0..digits.max(u32::from(features.len() == 1)) {
        for wanted in [0, 1] {
            let has = features.iter().enumerate().filter(|(n, _)| (n >> digit) & 1 == wanted);
            sets.insert(has.map(|(_, &feature)| feature).collect());
        }
    }
    sets
}

#[test]
fn each_feature_is_built_without_each_other_one() {
    let names: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
    for count in 0..=names.len() {
        let features: Vec<&str> = names[..count].iter().map(String::as_str).collect();
        let sets = covering(&features);
        for a in &features {
            assert!(sets.iter().any(|set| set.contains(a)), "{a} of {count}");
            for b in features.iter().filter(|&b| b != a) {
                assert!(sets.iter().any(|set| set.contains(a) && !set.contains(b)), "{a} without {b}");
            }
        }
    }
    assert!(covering(&["a"]).contains(&vec![]), "none at all");
    assert_eq!(covering(&["a", "b"]).len(), 3);
}
