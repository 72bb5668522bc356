//! `cargo xtask instructions [--bless | WORD]`: counts the instructions of the hot loops, or of some of them,
//! with callgrind and compares them with a committed table. Counts have no noise, so a loop that becomes 2 per cent
//! slower fails on a busy machine too.
//!
//! The benches are built optimised, which takes minutes for the dependencies of the targets: a job of the workflow does it,
//! not `cargo xtask ci`.
//!
//! The loops are rows of the crates' benches, each in its own process, on computed inputs. Only code inside
//! `testkit::measured` counts; inputs are made outside of it. Only Valgrind is needed. gungraun counts the same, but
//! keeps no table to commit, and its runner takes minutes to install.
//!
//! Counts depend on the compiler, the C library, and the C compiler that builds Zstandard and LZ4. So the table names
//! its compiler and processor (another processor gets a tolerance of 10 per cent, since the C library may copy memory
//! differently), the workflow runs in a container with this compiler and library, and no loop calls Zstandard or LZ4.
//! Valgrind simulates the same processor on every machine with AVX2. Each process is pinned to one processor, since the
//! number of threads changes the count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    generated::{Generated, settle},
    shell::{Outcome, bench_programs, exists, on_runner, output, root},
};

/// The committed table.
const TABLE: &str = "xtask/instructions.txt";
/// Tolerance in thousandths.
const ROOM: u64 = 20;
/// Tolerance on another processor than the table's, where the C library may copy and compare memory differently.
const ROOM_ELSEWHERE: u64 = 100;

/// Packages, their benches, and the counted rows.
const LOOPS: [(&str, &str, &[&str]); 10] = [
    (
        "moos-alog",
        "read",
        &[
            "walk::laser",
            "walk::mission",
            "walk::numeric",
            "columns::laser",
            "columns::mission",
            "typed::laser",
            "typed::mission",
            "typed::numeric",
            "samples::laser",
            "samples::mission",
            "samples::numeric",
            "info::laser",
            "info::numeric",
        ],
    ),
    (
        "carla-rec",
        "read",
        &["walk", "frame_index", "typed", "position_columns", "samples", "survey", "query_info_all"],
    ),
    ("effibox", "tables", &["walk::gga", "typed::gga", "typed::motor", "samples::gga", "samples::motor"]),
    ("robolog-gpx", "read", &["walk", "typed", "samples", "info", "whole_document"]),
    (
        "robolog-kml",
        "read",
        &[
            "walk::points",
            "walk::tracks",
            "typed::points",
            "typed::tracks",
            "samples::points",
            "samples::tracks",
        ],
    ),
    (
        "koblenz-log",
        "read",
        &[
            "walk::poses",
            "typed::poses",
            "samples::poses",
            "info::poses",
            "walk::drive",
            "typed::drive",
            "samples::drive",
        ],
    ),
    ("lvx", "read", &["walk", "packages", "typed", "samples"]),
    ("robolog-nmea", "read", &["walk", "typed", "samples"]),
    ("velodyne-packet", "decode", &["hdl64e", "vlp16", "hdl64e_scans"]),
    (
        "robolog-convert",
        "pairs",
        &[
            "from_memory::pcd",
            "from_memory::ply",
            "from_memory::las",
            "from_memory::e57",
            "from_memory::csv",
            "from_memory::jsonl",
            "from_memory::parquet",
            "from_memory::arrow",
            "from_memory::mcap-none",
            "from_lvx::pcd",
        ],
    ),
];

/// The environment of the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    compiler: String,
    processor: String,
}

/// Counts by package and row.
type Counts = BTreeMap<(String, String), u64>;

pub(crate) fn run(bless: bool, word: &str) -> Outcome {
    if let Some(why) = unable() {
        if on_runner() {
            return Err(why);
        }
        println!("instructions: skipped: {why}");
        return Ok(());
    }
    let text = fs::read_to_string(root().join(TABLE)).unwrap_or_default();
    let (place, table) = parse(&text)?;
    let here = Place { compiler: compiler_here()?, processor: processor_here() };
    if !bless && place.compiler != here.compiler {
        println!("instructions: skipped: {TABLE} is of {}, and here is {}", place.compiler, here.compiler);
        return Ok(());
    }
    let is_package = LOOPS.iter().any(|(package, _, _)| *package == word);
    let rows = rows(|package, row| match word {
        _ if is_package => package == word,
        _ => package.contains(word) || row.contains(word),
    });
    let benches: BTreeSet<_> = rows.iter().map(|(package, bench, _)| (*package, *bench)).collect();
    if benches.is_empty() {
        return Err(format!("no package and no row contains {word}"));
    }
    let programs = bench_programs(&Vec::from_iter(benches))?;
    let counts = count(&programs, &rows)?;
    if bless {
        let file = Generated { path: PathBuf::from(TABLE), bytes: shown(&here, &counts).into_bytes() };
        return settle(&[file], &[], false, "cargo xtask instructions --bless");
    }
    let room = if place.processor == here.processor { ROOM } else { ROOM_ELSEWHERE };
    compare(&table, &counts, room)
}

/// Why this machine cannot count, if it cannot.
fn unable() -> Option<String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        return Some("the counts are those of x86-64 and GNU/Linux".to_owned());
    }
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        return Some("the counts are those of a processor with AVX2".to_owned());
    }
    (!exists("valgrind", &["--version"])).then(|| "valgrind is not installed".to_owned())
}

/// The compiler's version line.
fn compiler_here() -> Outcome<String> {
    let told = output(Command::new("rustc").arg("--version"), "rustc --version")?;
    Ok(told.split(" (").next().unwrap_or_default().trim().to_owned())
}

/// Model of the processor; empty if unknown.
fn processor_here() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map(|(_, name)| name.trim().to_owned()).unwrap_or_default()
}

/// A package, its bench, and a row of it.
type Row = (&'static str, &'static str, &'static str);

/// The rows that `wants` accepts, by package and row.
fn rows(wants: impl Fn(&str, &str) -> bool) -> Vec<Row> {
    let all =
        LOOPS.iter().flat_map(|(package, bench, rows)| rows.iter().map(move |row| (*package, *bench, *row)));
    all.filter(|(package, _, row)| wants(package, row)).collect()
}

/// Counts rows, one per processor at a time.
fn count(programs: &BTreeMap<&'static str, PathBuf>, rows: &[Row]) -> Outcome<Counts> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Counts::new(), Vec::new())));
    thread::scope(|scope| {
        for processor in processors() {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                while let Some((package, bench, row)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let counted = one(&programs[package], &format!("{bench}::{row}"), &processor);
                    let Ok(mut found) = found.lock() else { return };
                    match counted {
                        Ok(count) => {
                            found.0.insert(((*package).to_owned(), (*row).to_owned()), count);
                        }
                        Err(why) => found.1.push(format!("{package} {row}: {why}")),
                    }
                }
            });
        }
    });
    let (counts, failures) = found.into_inner().map_err(|e| e.to_string())?;
    if failures.is_empty() { Ok(counts) } else { Err(failures.join("\n")) }
}

/// The processors that this process may use; the first if the list is unknown.
fn processors() -> Vec<String> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or("0");
    let mut found = Vec::new();
    for range in allowed.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            found.extend((first..=last).map(|processor| processor.to_string()));
        }
    }
    found
}

/// Number of instructions of one row.
fn one(program: &Path, row: &str, processor: &str) -> Outcome<u64> {
    let mut command = Command::new("taskset");
    command.args(["-c", processor, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.args(["--collect-atstart=no", "--toggle-collect=*testkit::measured::measured*", "--"]);
    command.arg(program).args(["--test", "--exact", row]).env("ROBOLOG_SMOKE", "1");
    // Environment variables move the stack and change the count.
    command.env_remove("ROBOLOG_BENCH").env_remove("GLIBC_TUNABLES").env_remove("MALLOC_ARENA_MAX");
    let done = command.current_dir(root()).output().map_err(|e| format!("taskset: {e}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    match collected {
        Some(count) if count > 0 && done.status.success() => Ok(count),
        _ => Err(format!("nothing was counted: {}", said.trim())),
    }
}

/// The table's environment and counts.
fn parse(text: &str) -> Outcome<(Place, Counts)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut line = || lines.next().unwrap_or_default().to_owned();
    let place = Place { compiler: line(), processor: line() };
    let mut counts = Counts::new();
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [package, row, count] = cells[..] else { return Err(format!("{TABLE}: not a row: {line}")) };
        let count = count.parse().map_err(|_| format!("{TABLE}: not a number: {count}"))?;
        counts.insert((package.to_owned(), row.to_owned()), count);
    }
    Ok((place, counts))
}

fn shown(Place { compiler, processor }: &Place, counts: &Counts) -> String {
    let mut text = format!(
        "# Instructions of the hot loops: `cargo xtask instructions --bless` writes them.\n{compiler}\n{processor}\n"
    );
    for ((package, row), count) in counts {
        let _ = writeln!(text, "{package:<16} {row:<24} {count:>12}");
    }
    text
}

/// Change in per cent.
#[expect(clippy::cast_precision_loss, reason = "a tenth of a per cent is shown")]
fn change(before: u64, now: u64) -> f64 {
    (now as f64 / before.max(1) as f64 - 1.0) * 100.0
}

/// Returns an error if a loop exceeds its tolerance. Prints the rows that changed.
fn compare(table: &Counts, counts: &Counts, room: u64) -> Outcome {
    let (mut slower, mut unknown) = (Vec::new(), Vec::new());
    println!("{:<16} {:<24} {:>12} {:>12} {:>8}", "package", "loop", "table", "now", "change");
    for ((package, row), now) in counts {
        let Some(before) = table.get(&(package.clone(), row.clone())) else {
            unknown.push(format!("{package} {row}"));
            continue;
        };
        let percent = change(*before, *now);
        println!("{package:<16} {row:<24} {before:>12} {now:>12} {percent:>+7.1}%");
        // The limit is exact, the printed figure is rounded.
        if u128::from(*now) * 1000 > u128::from(*before) * u128::from(1000 + room) {
            slower
                .push(format!("{package} {row}: {before} instructions before, {now} now ({percent:+.1} %)"));
        }
    }
    if !unknown.is_empty() {
        return Err(format!("{TABLE} lacks {}; `cargo xtask instructions --bless`", unknown.join(", ")));
    }
    if slower.is_empty() {
        println!(
            "instructions: {} loops, none slower than the table by more than {} %",
            counts.len(),
            room / 10
        );
        return Ok(());
    }
    Err(format!(
        "{} of {} loops are slower by more than {} %\n{}\nIf that is the price of something: `cargo xtask instructions --bless`",
        slower.len(),
        counts.len(),
        room / 10,
        slower.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::{Counts, ROOM, TABLE, compare, parse, rows, shown};
    use crate::shell::root;

    fn counts(count: u64) -> Counts {
        Counts::from([(("lvx".to_owned(), "walk".to_owned()), count)])
    }

    #[test]
    fn two_per_cent_more_fails_and_less_does_not() {
        assert!(compare(&counts(1000), &counts(1020), ROOM).is_ok());
        assert!(compare(&counts(1000), &counts(500), ROOM).is_ok());
        let text = compare(&counts(1000), &counts(1021), ROOM).unwrap_err();
        assert!(text.contains("lvx walk: 1000 instructions before, 1021 now (+2.1 %)"), "{text}");
        assert!(compare(&Counts::new(), &counts(1), ROOM).unwrap_err().contains("lacks lvx walk"));
    }

    #[test]
    fn the_table_has_a_count_of_each_loop() {
        let (place, table) = parse(&std::fs::read_to_string(root().join(TABLE)).unwrap()).unwrap();
        assert!(place.compiler.starts_with("rustc 1.") && !place.processor.is_empty(), "{place:?}");
        let all = rows(|_, _| true);
        let wanted: Vec<_> = all.iter().map(|(package, _, row)| ((*package).into(), (*row).into())).collect();
        assert_eq!(wanted.len(), table.len());
        assert!(wanted.iter().all(|row| table.contains_key(row)));
        assert_eq!(parse(&shown(&place, &table)).unwrap(), (place, table));
    }
}
