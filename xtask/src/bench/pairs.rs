//! Benches that do the same from a recording and from memory, side by side.

use std::{collections::BTreeMap, fmt::Write as _};

/// The groups of benches whose members are compared.
const READ: &str = "from_lvx";
const FED: &str = "from_memory";

/// Medians in seconds by group and member.
type Medians = BTreeMap<String, BTreeMap<String, f64>>;

/// A line for each member of both groups; nothing where there is none.
pub(super) fn table(printed: &str) -> String {
    let medians = medians(printed);
    let (Some(read), Some(fed)) = (medians.get(READ), medians.get(FED)) else { return String::new() };
    let mut text = format!("\n{:<14} {READ:>12} s {FED:>12} s {:>8}\n", "medians", "ratio");
    for (name, whole) in read {
        if let Some(alone) = fed.get(name) {
            let _ = writeln!(text, "{name:<14} {whole:>14.3} {alone:>14.3} {:>8.2}", whole / alone);
        }
    }
    text
}

/// Divan's tree: a group is a line without numbers, its members follow one level deeper.
fn medians(printed: &str) -> Medians {
    let mut found = Medians::new();
    let mut group = "";
    for line in printed.lines() {
        let Some((depth, rest)) = branch(line) else { continue };
        let mut cells = rest.split('\u{2502}');
        let name = cells.next().and_then(|cell| cell.split_whitespace().next()).unwrap_or_default();
        // Behind the name and the fastest stand the slowest, the median and the mean.
        match cells.nth(1).and_then(seconds) {
            Some(median) if depth > 0 => {
                found.entry(group.to_owned()).or_default().insert(name.to_owned(), median);
            }
            Some(_) => {}
            None => group = name,
        }
    }
    found
}

/// How deep a line of the tree is, and what stands behind the branch.
fn branch(line: &str) -> Option<(usize, &str)> {
    let at = ["\u{251c}\u{2500} ", "\u{2570}\u{2500} "]
        .iter()
        .find_map(|mark| Some((line.find(mark)?, mark.len())))?;
    Some((line[..at.0].chars().count(), &line[at.0 + at.1..]))
}

fn seconds(cell: &str) -> Option<f64> {
    let mut words = cell.split_whitespace();
    let number: f64 = words.next()?.parse().ok()?;
    let unit = match words.next()? {
        "s" => 1.0,
        "ms" => 1e-3,
        "\u{b5}s" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    Some(number * unit)
}

#[test]
fn medians_are_read_off_the_tree() {
    let text = "\
pairs             fastest       \u{2502} slowest       \u{2502} median        \u{2502} mean          \u{2502} samples
\u{251c}\u{2500} from_lvx                     \u{2502}               \u{2502}               \u{2502}               \u{2502}
\u{2502}  \u{251c}\u{2500} las         1.1 s         \u{2502} 1.4 s         \u{2502} 1.2 s         \u{2502} 1.3 s         \u{2502} 3
\u{2502}  \u{2502}              9 GB/s        \u{2502} 9 GB/s        \u{2502} 9 GB/s        \u{2502} 9 GB/s        \u{2502}
\u{2502}  \u{2570}\u{2500} mcap-none   1.1 s         \u{2502} 1.4 s         \u{2502} 250.5 ms      \u{2502} 1.3 s         \u{2502} 3
\u{251c}\u{2500} from_memory                  \u{2502}               \u{2502}               \u{2502}               \u{2502}
\u{2502}  \u{2570}\u{2500} las         1.1 s         \u{2502} 1.4 s         \u{2502} 600 ms        \u{2502} 1.3 s         \u{2502} 3
\u{2570}\u{2500} memcpy         16.26 ms      \u{2502} 16.26 ms      \u{2502} 16.26 ms      \u{2502} 16.26 ms      \u{2502} 1
";
    let found = medians(text);
    assert_eq!(found.keys().collect::<Vec<_>>(), [READ, FED]);
    assert!((found[READ]["mcap-none"] - 0.2505).abs() < 1e-12);
    let table = table(text);
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("las                     1.200          0.600     2.00\n"), "{table}");
    assert!(super::pairs::table("nothing").is_empty());
}
