//! `cargo xtask bench`: measures everything once and writes the guide's page of figures.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::tree::{Figures, figures};
use crate::{
    environment::virtual_environment,
    generated::{Generated, settle},
    shell::{Outcome, bench_programs, cargo, output, program, target_folder},
};

const PAGE: &str = "crates/guide/src/benchmarks.md";
/// Python packages for the scripts of `xtask/bench`.
const PEERS: &str = "xtask/bench/requirements.txt";
/// Number of measured runs of a command, and the size of its input in megabytes.
const RUNS: &str = "3";
const MEGABYTES: &str = "50";
/// Seconds per row; each row has at least one sample.
const SECONDS: &str = "1";

/// A table of rows measured in one process.
struct Section {
    package: &'static str,
    bench: &'static str,
    /// The input.
    input: &'static str,
    /// Arguments of its rows; empty for rows without arguments.
    shapes: &'static [&'static str],
    /// Rows and their descriptions; the others are compared with the first, the limit.
    rows: &'static [(&'static str, &'static str)],
}

const SECTIONS: [Section; 9] = [
    Section {
        package: "lvx",
        bench: "read",
        input: "Livox LVX 1.1: data type 2, 500 MB in memory",
        shapes: &[],
        rows: &[
            ("memcpy", "limit: memcpy of the same bytes"),
            ("walk", "walk over all frames"),
            ("packages", "walk over all packages"),
            ("typed", "columns x, y, z, intensity, tag, into the same buffers"),
            ("typed_on_two_threads", "the same on two threads"),
            ("samples", "samples: those columns, each point's time, return and line"),
            ("samples_from_stream", "the same from a stream"),
        ],
    },
    Section {
        package: "carla-rec",
        bench: "read",
        input: "CARLA recorder: frames of a town, 300 MB in memory",
        shapes: &[],
        rows: &[
            ("memcpy", "limit: memcpy of the same bytes"),
            ("bare_walk", "limit: from size to size, without checks"),
            ("walk", "walk over all packets"),
            ("frame_index", "index of frames"),
            ("typed", "all records of all packets"),
            ("position_columns", "positions as columns"),
            ("samples", "samples: odometry and rows"),
            ("survey", "`info`"),
            ("query_collisions", "collisions, as the server's text"),
            ("query_blocked", "blocked actors, as the server's text"),
            ("query_info_all", "everything, as the server's text"),
        ],
    },
    Section {
        package: "moos-alog",
        bench: "read",
        input: "MOOS logs, 500 MB in memory: laser scans of 2 kB an entry, a mission of 150 B, numbers of 70 B",
        shapes: &["laser", "mission", "numeric"],
        rows: &[
            ("memchr_newlines", "limit: newlines by memchr"),
            ("walk", "walk over all entries"),
            ("columns", "time, name, source, value"),
            ("typed", "all numbers of all values"),
            ("samples", "samples"),
            ("info", "`info`"),
        ],
    },
    Section {
        package: "koblenz-log",
        bench: "read",
        input: "Koblenz logs, 500 MB in memory: a drive with packets and pictures, and poses alone",
        shapes: &["drive", "poses"],
        rows: &[
            ("memcpy", "limit: memcpy of the same bytes"),
            ("bare_walk", "limit: from size to size, without checks"),
            ("walk", "walk over all messages"),
            ("typed", "typed messages; packets and pictures as slices"),
            ("samples", "samples: clouds, poses, scans, images"),
            ("info", "`info`"),
        ],
    },
    Section {
        package: "velodyne-packet",
        bench: "decode",
        input: "Velodyne: 50 000 packets of each model in memory",
        shapes: &[],
        rows: &[
            ("memcpy", "limit: memcpy of the same bytes"),
            ("sum_of_ticks", "limit: ticks and intensities added up"),
            ("hdl64e", "HDL-64E S2: points with ring, time, corrected intensity"),
            ("hdl64e_scans", "the same, cut into scans"),
            ("hdl32e", "HDL-32E"),
            ("vlp16", "VLP-16"),
            ("vls128", "VLS-128"),
        ],
    },
    Section {
        package: "effibox",
        bench: "tables",
        input: "Effibox tables, 200 MB in memory: `_GGA_all.txt` and `_Motor.txt`",
        shapes: &["gga", "motor"],
        rows: &[
            ("memchr_newlines", "limit: newlines by memchr"),
            ("walk", "walk over all lines"),
            ("typed", "all columns of all rows"),
            ("samples", "samples"),
            ("info", "`info`"),
            ("peer_csv", "peer: `csv` 1.4 with `fast-float2`, all columns as doubles"),
        ],
    },
    Section {
        package: "robolog-gpx",
        bench: "read",
        input: "GPX: points with a time and seven numbers, 20 MB in memory",
        shapes: &[],
        rows: &[
            ("memchr_tags", "limit: tags by memchr"),
            ("quick_xml_events", "limit: bare events of `quick-xml` 0.42"),
            ("walk", "walk over all pieces"),
            ("typed", "all fields of all points"),
            ("typed_of_a_stream", "the same from a stream of 200 MB"),
            ("samples", "samples"),
            ("whole_document", "a document in memory"),
            ("info", "`info`"),
            ("peer_gpx", "peer: `gpx` 0.10, a document in memory"),
        ],
    },
    Section {
        package: "robolog-kml",
        bench: "read",
        input: "KML, 20 MB in memory: placemarks with a point, and tracks of 600 places",
        shapes: &["points", "tracks"],
        rows: &[
            ("memchr_tags", "limit: tags by memchr"),
            ("quick_xml_events", "limit: bare events of `quick-xml` 0.42"),
            ("walk", "walk over all pieces"),
            ("typed", "all places and their times"),
            ("samples", "samples"),
            ("info", "`info`"),
        ],
    },
    Section {
        package: "robolog-nmea",
        bench: "read",
        input: "NMEA 0183: a GGA and three GSV a second, 200 MB in memory",
        shapes: &[],
        rows: &[
            ("memchr_newlines", "limit: newlines by memchr"),
            ("walk", "walk over all sentences"),
            ("checksums", "checksums"),
            ("typed", "all fields"),
            ("typed_of_a_stream", "the same from a stream"),
            ("samples", "samples"),
            ("info", "`info`"),
            ("peer_nmea", "peer: `nmea` 0.8, fewer fields"),
        ],
    },
];

/// The crate and bench of the conversions.
const CONVERSIONS: (&str, &str) = ("robolog-convert", "pairs");

pub(crate) fn run() -> Outcome {
    let target = target_folder();
    let folder = target.join("bench");
    let python = virtual_environment(&folder.join("python"), &[PEERS])?;
    let mut wanted: Vec<(&str, &str)> = SECTIONS.iter().map(|one| (one.package, one.bench)).collect();
    wanted.push(CONVERSIONS);
    let programs = bench_programs(&wanted)?;
    cargo(&["build", "--release", "-p", "robolog", "--all-features"])?;

    let mut text = heading()?;
    for section in &SECTIONS {
        let found = measured(&programs[section.package], section.rows.iter().map(|(row, _)| *row))?;
        table(&mut text, section, &found)?;
    }
    let found =
        measured(&programs[CONVERSIONS.0], ["memcpy", "from_lvx", "from_memory", "peer_las"].into_iter())?;
    conversions(&mut text, &found);
    text.push_str("\n## Whole commands\n\nMedians of three runs on files in the page cache; peak memory of the process.\n");
    let robolog = target.join("release").join(program("robolog"));
    let mut command = Command::new(python);
    command.arg("xtask/bench/commands.py").arg(robolog).arg(folder.join("in")).args([RUNS, MEGABYTES]);
    println!("$ python xtask/bench/commands.py");
    text += &output(&mut command, "xtask/bench/commands.py")?;
    let file = Generated { path: PathBuf::from(PAGE), bytes: text.into_bytes() };
    settle(&[file], &[], false, "cargo xtask bench")
}

fn heading() -> Outcome<String> {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("a processor that has no name", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = output(Command::new("rustc").arg("--version"), "rustc --version")?;
    let compiler = compiler.split(" (").next().unwrap_or_default().trim();
    Ok(format!(
        "# Figures\n\n`cargo xtask bench` wrote this page in one run: {model}, {cores} cores, {compiler}.\n\n\
         Rates are megabytes of input a second, in one thread unless a row says otherwise: the median of some runs, and the\n\
         fastest. Other work on the machine lowers medians; compare the fastest runs of one table. A limit is what the machine\n\
         does in the same run with less than the whole work; a peer is another library at the same work, used as its\n\
         documentation shows.\n"
    ))
}

/// Runs the rows of a bench.
fn measured<'a>(program: &Path, rows: impl Iterator<Item = &'a str>) -> Outcome<Figures> {
    println!("$ {} --bench", program.display());
    let mut command = Command::new(program);
    command.args(["--bench", "--color", "never", "--max-time", SECONDS]);
    command.args(rows.map(|row| format!("::{row}(::|$)")));
    Ok(figures(&output(&mut command, &program.to_string_lossy())?))
}

/// The rows of a section with the median and fastest run for each shape; without shapes, the fastest run relative to
/// the first row's.
fn table(text: &mut String, section: &Section, found: &Figures) -> Outcome {
    let shapes = if section.shapes.is_empty() { &[""][..] } else { section.shapes };
    let _ = writeln!(text, "\n{}: `{}`\n", section.input, section.package);
    let mut columns: Vec<String> =
        shapes.iter().map(|shape| format!("{shape} median | best").trim().to_owned()).collect();
    if section.shapes.is_empty() {
        columns.push("of the first".to_owned());
    }
    let heads = columns.join(" | ");
    let _ = writeln!(text, "| MB/s | {heads} |\n|---|{}", "---|".repeat(heads.matches('|').count() + 1));
    let rates = |row: &str, shape: &str| {
        let figure = found.get(&(row.to_owned(), shape.to_owned())).and_then(|figure| figure.rates);
        figure.ok_or_else(|| format!("{} {row} {shape} was not measured", section.package))
    };
    for (row, about) in section.rows {
        let mut cells = Vec::new();
        for shape in shapes {
            let [best, median] = rates(row, shape)?;
            cells.extend([grouped(median / 1e6), grouped(best / 1e6)]);
        }
        if let ([], Some((first, _))) = (section.shapes, section.rows.first()) {
            let ([limit, _], [best, _]) = (rates(first, "")?, rates(row, "")?);
            cells.push(ratio(best / limit));
        }
        let _ = writeln!(text, "| {about} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// Cost of each target from a recording, and from memory.
fn conversions(text: &mut String, found: &Figures) {
    let seconds =
        |group: &str, name: &str| found.get(&(group.to_owned(), name.to_owned())).map(|f| f.seconds);
    let shown = |seconds: Option<f64>| seconds.map_or_else(String::new, |seconds| format!("{seconds:.2}"));
    let _ = writeln!(
        text,
        "\nConversions of an LVX of 500 MB, 36 million points, from memory into nothing: `robolog-convert`\n\n\
         | seconds | from LVX | the target alone, given the samples |\n|---|---|---|\n| limit: memcpy | {} | |",
        shown(seconds("memcpy", ""))
    );
    for (_, name) in found.keys().filter(|(group, _)| group == "from_lvx") {
        let (whole, alone) = (shown(seconds("from_lvx", name)), shown(seconds("from_memory", name)));
        let _ = writeln!(text, "| {name} | {whole} | {alone} |");
    }
    let _ =
        writeln!(text, "| peer: LAS by `las` 0.11, point by point | | {} |", shown(seconds("peer_las", "")));
}

/// Two decimals, or more if those would be zeros.
fn ratio(number: f64) -> String {
    match number {
        0.1.. => format!("{number:.2}"),
        0.01.. => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
}

/// An integer with digits in groups of three.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[test]
fn thousands_are_apart() {
    assert_eq!(
        ["7", "999", "13 400", "1 000 000"],
        [7.0, 999.4, 13_400.0, 1e6].map(grouped).each_ref().map(String::as_str)
    );
}

#[test]
fn small_ratios_keep_two_digits() {
    assert_eq!([1.0, 0.16, 0.04, 0.0031].map(ratio), ["1.00", "0.16", "0.040", "0.0031"]);
}

/// Otherwise a wrong name of a bench would show only after everything else is measured.
#[test]
fn every_row_is_a_bench() {
    let crates = crate::workspace::crates().unwrap();
    for Section { package, bench, rows, .. } in &SECTIONS {
        let one = crates.iter().find(|one| one.name == *package).unwrap();
        let source = fs::read_to_string(one.path.join(format!("benches/{bench}.rs"))).unwrap();
        for (row, _) in *rows {
            assert!(source.contains(&format!("fn {row}(")), "{package} has no bench {row}");
        }
    }
}
