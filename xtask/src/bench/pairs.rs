//! Benches that do the same work from a recording and from memory, side by side.

use std::fmt::Write as _;

use super::tree::figures;

/// The compared groups of benches.
const READ: &str = "from_lvx";
const FED: &str = "from_memory";

/// A line for each member of both groups; empty if there is none.
pub(super) fn table(printed: &str) -> String {
    let found = figures(printed);
    let mut rows = String::new();
    for ((_, name), whole) in found.iter().filter(|((group, _), _)| group == READ) {
        if let Some(alone) = found.get(&(FED.to_owned(), name.clone())) {
            let (whole, alone) = (whole.seconds, alone.seconds);
            let _ = writeln!(rows, "{name:<14} {whole:>14.3} {alone:>14.3} {:>8.2}", whole / alone);
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!("\n{:<14} {READ:>12} s {FED:>12} s {:>8}\n{rows}", "medians", "ratio")
}

#[test]
fn members_of_both_groups_are_compared() {
    let text = "\
\u{251c}\u{2500} from_lvx                     \u{2502}               \u{2502}               \u{2502}
\u{2502}  \u{2570}\u{2500} las         1.1 s         \u{2502} 1.4 s         \u{2502} 1.2 s         \u{2502} 1.3 s
\u{251c}\u{2500} from_memory                  \u{2502}               \u{2502}               \u{2502}
\u{2502}  \u{2570}\u{2500} las         1.1 s         \u{2502} 1.4 s         \u{2502} 600 ms        \u{2502} 1.3 s
";
    let table = table(text);
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("las                     1.200          0.600     2.00\n"), "{table}");
    assert!(super::pairs::table("nothing").is_empty());
}
