//! `cargo xtask features`: checks sets of features such that, for any two features, one set has the first without the
//! second.
//!
//! One build per feature would be some hundred builds. If every feature is in half of the builds, and no two are in the
//! same ones, code of one feature that needs another fails in one of them. By Sperner's theorem, seven builds suffice
//! for up to 35 features.

use std::collections::BTreeSet;

use crate::{
    shell::{Outcome, cargo},
    workspace,
};

/// Left out: the program has the same features and forwards them.
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

/// Sets of features such that, for any two, one set has the first without the second; and the empty set.
fn covering<'a>(features: &[&'a str]) -> BTreeSet<Vec<&'a str>> {
    if features.is_empty() {
        return BTreeSet::new();
    }
    let halves = |builds: u32| (0_u32..1 << builds).filter(move |set| set.count_ones() == builds.div_ceil(2));
    let builds = (1..u32::BITS).find(|&builds| halves(builds).count() >= features.len()).unwrap_or(1);
    let has = |build: u32| {
        let of = features.iter().zip(halves(builds)).filter(move |(_, set)| (set >> build) & 1 == 1);
        of.map(|(&feature, _)| feature).collect()
    };
    (0..builds).map(has).chain([Vec::new()]).collect()
}

#[test]
fn each_feature_is_built_without_each_other_one() {
    let names: Vec<String> = (0..40).map(|n| format!("f{n}")).collect();
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
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!((covering(&all[..35]).len(), covering(&all[..36]).len()), (8, 9));
}
