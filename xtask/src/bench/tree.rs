//! Parses the output of divan.

use std::collections::BTreeMap;

/// Figures by bench and argument; the second name is empty without arguments.
pub(super) type Figures = BTreeMap<(String, String), Figure>;

/// The figures of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Figure {
    /// Median of its runs.
    pub(super) seconds: f64,
    /// Bytes per second of the fastest and the median run, if the bench counts bytes.
    pub(super) rates: Option<[f64; 2]>,
}

/// Divan's tree: a bench with arguments is a line without numbers, and the arguments follow one level deeper. Counters
/// are below each row.
pub(super) fn figures(printed: &str) -> Figures {
    let mut found = Figures::new();
    let mut group = "";
    let mut last = None;
    for line in printed.lines() {
        let Some((depth, rest)) = branch(line) else {
            if let Some(figure) = last.as_ref().and_then(|key| found.get_mut(key)) {
                figure.rates = figure.rates.or(rates(line));
            }
            continue;
        };
        let mut cells = rest.split('\u{2502}');
        let name = cells.next().and_then(|cell| cell.split_whitespace().next()).unwrap_or_default();
        // The name and the fastest run are followed by the slowest, the median and the mean.
        let Some(seconds) = cells.nth(1).and_then(seconds) else {
            group = name;
            continue;
        };
        let key = if depth > 0 { (group, name) } else { (name, "") };
        let key = (key.0.to_owned(), key.1.to_owned());
        found.insert(key.clone(), Figure { seconds, rates: None });
        last = Some(key);
    }
    found
}

/// Depth of a line of the tree, and its text after the branch.
fn branch(line: &str) -> Option<(usize, &str)> {
    let at = ["\u{251c}\u{2500} ", "\u{2570}\u{2500} "]
        .iter()
        .find_map(|mark| Some((line.find(mark)?, mark.len())))?;
    Some((line[..at.0].chars().count(), &line[at.0 + at.1..]))
}

fn seconds(cell: &str) -> Option<f64> {
    scaled(cell, &[("s", 1.0), ("ms", 1e-3), ("\u{b5}s", 1e-6), ("ns", 1e-9)])
}

/// The fastest and the median of a line of bytes: the first and the third of its numbers.
fn rates(line: &str) -> Option<[f64; 2]> {
    let units = [("B/s", 1.0), ("KB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9), ("TB/s", 1e12)];
    let mut found = line.split('\u{2502}').filter_map(|cell| scaled(cell, &units));
    Some([found.next()?, found.nth(1)?])
}

/// A number and its unit, the last words of a cell.
fn scaled(cell: &str, units: &[(&str, f64)]) -> Option<f64> {
    let mut words = cell.split_whitespace();
    let (number, unit) = (words.next()?.parse::<f64>().ok()?, words.next()?);
    units.iter().find_map(|(name, scale)| (*name == unit).then_some(number * scale))
}

#[test]
fn medians_and_rates_are_read_off_the_tree() {
    let text = "\
pairs             fastest       \u{2502} slowest       \u{2502} median        \u{2502} mean          \u{2502} samples \u{2502} iters
\u{251c}\u{2500} from_lvx                     \u{2502}               \u{2502}               \u{2502}               \u{2502}         \u{2502}
\u{2502}  \u{251c}\u{2500} las         1.1 s         \u{2502} 1.4 s         \u{2502} 1.2 s         \u{2502} 1.3 s         \u{2502} 3       \u{2502} 3
\u{2502}  \u{2502}              9 GB/s        \u{2502} 7 GB/s        \u{2502} 8.5 GB/s      \u{2502} 9 GB/s        \u{2502}         \u{2502}
\u{2502}  \u{2502}              9 Mitem/s     \u{2502} 7 Mitem/s     \u{2502} 8 Mitem/s     \u{2502} 9 Mitem/s     \u{2502}         \u{2502}
\u{2502}  \u{2570}\u{2500} mcap-none   1.1 s         \u{2502} 1.4 s         \u{2502} 250.5 ms      \u{2502} 1.3 s         \u{2502} 3       \u{2502} 3
\u{2570}\u{2500} memcpy         16.26 ms      \u{2502} 16.26 ms      \u{2502} 16.26 ms      \u{2502} 16.26 ms      \u{2502} 1       \u{2502} 1
                  120 MB/s      \u{2502} 110 MB/s      \u{2502} 115 MB/s      \u{2502} 115 MB/s      \u{2502}         \u{2502}
";
    let found = figures(text);
    let one = |group: &str, name: &str| found[&(group.to_owned(), name.to_owned())];
    assert_eq!(found.len(), 3);
    assert_eq!(one("from_lvx", "las"), Figure { seconds: 1.2, rates: Some([9e9, 8.5e9]) });
    assert!((one("from_lvx", "mcap-none").seconds - 0.2505).abs() < 1e-12);
    assert_eq!(one("memcpy", "").rates, Some([120e6, 115e6]));
}
