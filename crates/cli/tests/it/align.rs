//! Known offsets between two logs are found.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "random numbers of 53 bits, and counts of samples"
)]

use std::{f64::consts::TAU, fmt::Write as _, fs, path::Path};

use crate::run::{Run, robolog, s, with_input};

/// Random numbers from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Approximately normal, with a standard deviation of 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() / 2.0
    }
}

/// The speed of a vehicle: a sum of waves with periods and phases from the seed.
fn speed(seed: u64) -> impl Fn(f64) -> f64 {
    let mut random = Random(seed);
    let waves: Vec<_> = (0..40)
        .map(|_| (0.012 + 0.1 * (random.next() + 1.0), 3.2 * random.next(), 0.35 * random.next()))
        .collect();
    move |t| 5.0 + waves.iter().map(|(f, phase, size)| size * (TAU * f * t + phase).sin()).sum::<f64>()
}

/// A log of a number, `rate` times per second for `length` seconds, with noise; `clock` maps true time to the log's
/// time.
struct Log<'a> {
    name: &'static str,
    of: &'a dyn Fn(f64) -> f64,
    clock: &'a dyn Fn(f64) -> f64,
    rate: f64,
    noise: f64,
    length: f64,
    /// Seed of the noise.
    seed: u32,
}

impl Log<'_> {
    fn text(&self) -> String {
        let mut out = String::from("%% LOG FILE:       ./a/a.alog\n%% LOGSTART           1700000000\n");
        let mut random = Random(u64::from(self.seed) * 977);
        for n in 0..(self.length * self.rate) as u32 {
            // Loggers have jitter.
            let t = f64::from(n) / self.rate + 0.02 * random.next();
            let value = (self.of)(t) + self.noise * random.normal();
            writeln!(out, "{:<15.5} {:<20} pApp            {value:.6} ", (self.clock)(t), self.name).unwrap();
        }
        out
    }
}

/// Aligns two logs.
fn align(a: &Log<'_>, b: &Log<'_>, options: &[&str]) -> (Run, tempfile::TempDir) {
    align_texts(&a.text(), &b.text(), options)
}

fn align_texts(a: &str, b: &str, options: &[&str]) -> (Run, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let [x, y] = [dir.path().join("a.alog"), dir.path().join("b.alog")];
    fs::write(&x, a).unwrap();
    fs::write(&y, b).unwrap();
    let words = ["align", s(&x), s(&y), "--json"];
    (robolog(words.into_iter().chain(options.iter().copied())), dir)
}

/// Asserts that offset and drift are right within 10 ms and 0.01 per cent, and within their own errors.
fn assert_found(offset: f64, drift: f64, (rate, noise): (f64, f64), seed: u64) {
    let of = speed(seed);
    let a =
        Log { name: "NAV_SPEED", of: &of, clock: &|t| t, rate: 10.0, noise: 0.05, length: 400.0, seed: 1 };
    let clock = |t: f64| (t - offset) / (1.0 + drift) + 40.0;
    // Its first sample is at the first nonnegative time of the log.
    let start = clock(0.0);
    let b = Log { name: "GPS_SPEED", of: &of, clock: &clock, rate, noise, length: 380.0, seed: 2 };
    let (run, _dir) = align(&a, &b, &["--within", testkit::bound("64s", "80s")]);
    assert_eq!(run.status, 0, "{offset}: {}", run.err);
    let found = &run.json()[0];
    let number = |key: &str| found[key].as_f64().unwrap();
    // The first sample was measured about when the first log began.
    let (error, drift_error) = (number("offset_s") + start, number("drift") - drift);
    println!(
        "{offset} s, {drift}: off by {error:.4} s, standard deviation {}, {found}",
        number("offset_sd_s")
    );
    // Its first sample has jitter, from which the drift counts.
    assert!(error.abs() < 0.010, "{offset}: off by {error} s: {found}");
    assert!(error.abs() < 5.0 * number("offset_sd_s") + 0.001, "{offset}: off by {error} s: {found}");
    assert!(drift_error.abs() < 1e-4, "{offset}: {found}");
    assert!(number("offset_sd_s") < 0.020, "{offset}: {found}");
}

#[test]
fn planted_offsets_are_found_within_ten_milliseconds() {
    let of_rate_and_noise =
        [(52.345, 5.0, 0.15), (42.25, 10.0, 0.05), (47.3, 7.0, 0.05), (39.5, 10.0, 0.05), (10.0, 20.0, 0.1)];
    for (seed, (offset, rate, noise)) in testkit::one_in(3, (1..).zip(of_rate_and_noise)) {
        assert_found(offset, 0.0, (rate, noise), seed);
    }
}

/// What differs between the smoothed numbers of a copy is rounding alone, also where the copy lacks the beginning.
#[test]
fn a_copy_is_found_exactly_and_does_not_drift() {
    let of = |t: f64| {
        let rise = |from: f64, length: f64| 1.0 - (-(t - from).max(0.0) / length).exp();
        2.0 * rise(9.0, 2.0) - 0.8 * rise(14.0, 1.5) + 0.3 * (-(t - 16.0).powi(2)).exp()
    };
    let mut text = String::from("%% LOG FILE:       ./a/a.alog\n%% LOGSTART           1700000000.048564\n");
    for n in 0..60_u32 {
        let t = f64::from(n) * 0.501;
        writeln!(text, "{t:<15.5} NAV_SPEED            pApp            {:.5} ", of(t)).unwrap();
    }
    for (start, lacks) in [("1.548564", 0), ("3.048564", 0), ("0.548564", 21), ("2.298564", 21)] {
        let copy = text.replace("0.048564", start);
        let copy: Vec<&str> =
            copy.lines().enumerate().filter(|(n, _)| !(2..2 + lacks).contains(n)).map(|(_, l)| l).collect();
        let (run, _dir) = align_texts(&text, &(copy.join("\n") + "\n"), &[]);
        assert_eq!(run.status, 0, "{}", run.err);
        let found = &run.json()[0];
        let truth = 0.048_564 - start.parse::<f64>().unwrap();
        let error = found["offset_s"].as_f64().unwrap() - truth;
        assert!(error.abs() < 5e-5 && found["drift"] == 0.0, "{start}: off by {error} s: {found}");
        assert!(
            error.abs() < 5.0 * found["offset_sd_s"].as_f64().unwrap(),
            "{start}: off by {error} s: {found}"
        );
    }
}

#[test]
fn a_drift_of_three_per_cent_is_found_with_the_offset() {
    assert_found(58.0, 0.03, (10.0, 0.05), 6);
}

#[test]
fn what_is_not_clear_is_refused() {
    let (one, other) = (speed(7), speed(8));
    let log = |name, of, seed| Log { name, of, clock: &|t| t, rate: 10.0, noise: 0.05, length: 400.0, seed };
    let (run, _dir) = align(&log("NAV_SPEED", &one, 1), &log("GPS_SPEED", &other, 2), &[]);
    assert_eq!((run.status, run.out.len()), (1, 0), "{}", run.text());
    assert!(run.err.contains("which chance gives too"), "{}", run.err);
    // Identical laps.
    let laps = |t: f64| 5.0 + (t * TAU / 20.0).sin();
    let (run, _dir) = align(&log("NAV_SPEED", &laps, 1), &log("GPS_SPEED", &laps, 2), &[]);
    assert_eq!((run.status, run.out.len()), (1, 0), "{}", run.text());
    assert!(run.err.contains("another offset has"), "{}", run.err);
}

/// A step beside a speed: many pairs of offset and drift fit it equally.
#[test]
fn what_hardly_changes_does_not_count() {
    let (of, step) = (speed(9), |t: f64| if t < 20.0 { 0.0 } else { 3.0 });
    let clock = |t: f64| 1.03 * t + 2.0;
    let text = |clock, seed| {
        let moving = Log { name: "NAV_SPEED", of: &of, clock, rate: 10.0, noise: 0.02, length: 60.0, seed };
        let still =
            Log { name: "DESIRED_SPEED", of: &step, clock, rate: 3.6, noise: 0.0, length: 60.0, seed };
        moving.text() + &still.text()
    };
    let (run, _dir) = align_texts(&text(&|t| t, 1), &text(&clock, 2), &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    let found = &run.json()[0];
    assert_eq!(found["by"], serde_json::json!(["NAV_SPEED", "NAV_SPEED"]));
    assert!((found["drift"].as_f64().unwrap() - (1.0 / 1.03 - 1.0)).abs() < 1e-3, "{found}");
    let (run, _dir) =
        align_texts(&text(&|t| t, 1), &text(&clock, 2), &["--by", "DESIRED_SPEED=DESIRED_SPEED"]);
    assert!(run.status == 1 && run.err.contains("changes fewer than 3 times"), "{}", run.text());
}

#[test]
fn what_lags_behind_does_not_count_beside_what_has_one_name() {
    let of = speed(9);
    let late = |t: f64| of(t - 0.4);
    let log = |name, of, seed| Log { name, of, clock: &|t| t, rate: 10.0, noise: 0.0, length: 60.0, seed };
    let text = log("NAV_SPEED", &of, 1).text() + &log("NODE_SPEED", &late, 2).text();
    let (run, _dir) = align_texts(&text, &text, &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    let found = &run.json()[0];
    assert!(found["offset_s"].as_f64().unwrap().abs() < 1e-3, "{found}");
}

#[test]
fn an_offset_is_applied_to_the_times() {
    let of = speed(9);
    let log =
        |clock, seed| Log { name: "NAV_SPEED", of: &of, clock, rate: 10.0, noise: 0.02, length: 300.0, seed };
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.alog");
    let (run, _dir) = align(&log(&|t| t, 1), &log(&|t| t + 3.5, 2), &["--apply", "-o", s(&out)]);
    assert_eq!(run.status, 0, "{}", run.err);
    let text = fs::read_to_string(&out).unwrap();
    let start: f64 = text.lines().nth(1).unwrap().split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((start - 1_699_999_996.5).abs() < 0.01, "{start}");
}

#[test]
fn what_is_to_be_compared_is_said_or_has_one_name() {
    let of = speed(9);
    let log = |name| Log { name, of: &of, clock: &|t| t, rate: 10.0, noise: 0.02, length: 60.0, seed: 1 };
    let (run, _dir) = align(&log("X"), &log("Y"), &[]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("choose numbers with --by"), "{}", run.err);
    let (run, _dir) = align(&log("DEPTH"), &log("Y"), &["--by", "DEPHT=Y"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("did you mean DEPTH?"), "{}", run.err);
}

#[test]
fn an_offset_of_a_damaged_log_is_found_and_the_damage_said() {
    let of = speed(9);
    let log = |seed| Log {
        name: "NAV_SPEED",
        of: &of,
        clock: &|t| t,
        rate: 10.0,
        noise: 0.02,
        length: 300.0,
        seed,
    };
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a.alog", "b.alog"].map(|name| dir.path().join(name));
    let mut text = log(2).text().into_bytes();
    let middle = text.len() / 2;
    text[middle..middle + 40].fill(0);
    fs::write(&a, log(1).text()).unwrap();
    fs::write(&b, text).unwrap();
    let run = robolog(["align", s(&a), s(&b), "--json"]).exits(3);
    assert!(
        run.json()[0]["offset_s"].as_f64().unwrap().abs() < 0.01 && run.err.contains("b.alog: "),
        "{}",
        run.err
    );
}

/// Entries of a CSV file from `convert --merge`, by channel: times in seconds since `LOGSTART`, and values.
fn merged(csv: &Path, channel: &str) -> Vec<(f64, f64)> {
    let text = fs::read_to_string(csv).unwrap();
    let head: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let column = |name: &str| head.iter().position(|one| *one == name).unwrap();
    let (time, name, value) = (column("time_ns"), column("channel"), column("value"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let time = cells[time].parse::<i64>().unwrap() - 1_700_000_000_000_000_000;
        (cells[name] == channel).then(|| (time as f64 / 1e9, cells[value].parse().unwrap()))
    };
    text.lines().skip(1).filter_map(row).collect()
}

/// `convert --merge --align` moves samples to the first clock; the true time of each is known.
#[test]
fn logs_are_merged_on_the_clock_of_the_first() {
    let of = speed(11);
    let still = |t: f64| t;
    for (offset, drift) in [(-7.25, 0.0), (4.5, 0.02)] {
        let clock = |t: f64| t / (1.0 + drift) - offset;
        let log = |clock, seed| Log {
            name: "NAV_SPEED",
            of: &of,
            clock,
            rate: 10.0,
            noise: 0.05,
            length: 400.0,
            seed,
        };
        let (a, b) = (log(&still, 1), log(&clock, 2));
        let dir = tempfile::tempdir().unwrap();
        let [x, y, out] = ["a.alog", "b.alog", "out.csv"].map(|name| dir.path().join(name));
        fs::write(&x, a.text()).unwrap();
        fs::write(&y, b.text()).unwrap();
        let run =
            robolog(["convert", s(&x), s(&y), "--merge", "--align", "--channel", "NAV_SPEED", "-o", s(&out)]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(run.err.contains("b.alog: aligned by NAV_SPEED and NAV_SPEED: "), "{}", run.err);
        assert_eq!(run.err.contains("drift +2.0"), drift > 0.0, "{}", run.err);
        // The first is unchanged.
        let first = merged(&out, "a/NAV_SPEED");
        let times = |text: &str| -> Vec<f64> {
            text.lines()
                .skip(2)
                .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
                .collect()
        };
        let laid = times(&a.text());
        assert!(first.len() == laid.len() && first.iter().zip(&laid).all(|(x, t)| (x.0 - t).abs() < 1e-4));
        // Map times on B's clock to times on A's.
        let second = merged(&out, "b/NAV_SPEED");
        let true_times: Vec<f64> = times(&b.text()).iter().map(|t| (t + offset) * (1.0 + drift)).collect();
        let worst = second.iter().zip(&true_times).map(|(x, t)| (x.0 - t).abs()).fold(0.0, f64::max);
        assert!(
            second.len() == true_times.len() && worst < 0.02,
            "{offset}, {drift}: {worst} s, {}",
            run.err
        );
        let mean = second.iter().zip(&true_times).map(|(x, t)| x.0 - t).sum::<f64>() / second.len() as f64;
        assert!(mean.abs() < 0.01, "{offset}, {drift}: {mean} s");
    }
}

#[test]
fn logs_without_a_clear_offset_are_not_merged() {
    let laps = |t: f64| 5.0 + (t * TAU / 20.0).sin();
    let log =
        |name, seed| Log { name, of: &laps, clock: &|t| t, rate: 10.0, noise: 0.05, length: 400.0, seed };
    let dir = tempfile::tempdir().unwrap();
    let [a, b, out] = ["a.alog", "b.alog", "out.csv"].map(|name| dir.path().join(name));
    fs::write(&a, log("NAV_SPEED", 1).text()).unwrap();
    fs::write(&b, log("GPS_SPEED", 2).text()).unwrap();
    let run = robolog(["convert", s(&a), s(&b), "--merge", "--align", "-o", s(&out)]);
    assert_eq!((run.status, out.exists()), (1, false), "{}", run.err);
    assert!(run.err.contains("b.alog: no clear offset: NAV_SPEED and GPS_SPEED: "), "{}", run.err);
    let words = ["convert", s(&a), "-", "--merge", "--align", "-o", s(&out)];
    with_input(words, &fs::read(&b).unwrap()).exits(1).says("reads a recording twice");
    assert_eq!(robolog(["convert", s(&a), s(&b), "--align", "-o", s(&out)]).status, 2, "only with --merge");
    // Vehicles standing still.
    let still = |_: f64| 0.0;
    let log =
        |name, seed| Log { name, of: &still, clock: &|t| t, rate: 10.0, noise: 0.05, length: 400.0, seed };
    let (run, _dir) = align(&log("NAV_SPEED", 3), &log("GPS_SPEED", 4), &[]);
    assert_eq!((run.status, run.out.len()), (1, 0), "{}", run.text());
}
