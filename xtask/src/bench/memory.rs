//! `cargo xtask bench --memory [MB]`: peak memory of the program for a recording of that size.

use std::{
    fs::{self, File},
    io::{BufWriter, Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::shell::{Outcome, cargo, root, target_folder};

/// Names of the targets, and the arguments of each.
const TARGETS: [(&str, &[&str]); 14] = [
    ("pcd", &[]),
    ("pcd", &["--pcd-data", "binary_compressed"]),
    ("ply", &[]),
    ("csv", &[]),
    ("jsonl", &[]),
    ("las", &[]),
    ("laz", &[]),
    ("e57", &[]),
    ("parquet", &[]),
    ("arrow", &[]),
    ("bag", &["--bag-compression", "lz4"]),
    ("mcap", &["--mcap-compression", "none"]),
    ("mcap", &["--mcap-compression", "lz4"]),
    ("mcap", &["--mcap-compression", "zstd"]),
];

/// The repeated fixture, and the offset of its frames.
const SAMPLE: &str = "testdata/lvx/room.lvx";
const HEADER: usize = 24 + 5 + 59;

pub(crate) fn run(megabytes: u64) -> Outcome {
    cargo(&["build", "--release", "-p", "robolog", "--all-features"])?;
    let target = target_folder();
    let folder = target.join("bench");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (input, output) = (folder.join("memory.lvx"), folder.join("memory.out"));
    let frames = recording(&input, megabytes * 1_000_000).map_err(|e| format!("{}: {e}", input.display()))?;
    println!(
        "{megabytes} MB of LVX 1.1 in {frames} frames\n{:<34} {:>9} {:>9}",
        "target", "peak MB", "seconds"
    );
    let program = target.join("release").join(format!("robolog{}", std::env::consts::EXE_SUFFIX));
    for (name, options) in TARGETS {
        let mut command = Command::new(&program);
        command
            .arg("convert")
            .arg(&input)
            .arg("-o")
            .arg(&output)
            .args(["--quiet", "--to", name])
            .args(options);
        let measured = peak(&mut command);
        // Texts are several times the recording's size, so only one is on disk at a time.
        let removed = fs::remove_file(&output);
        let (peak, seconds) = measured?;
        removed.map_err(|e| format!("{}: {e}", output.display()))?;
        let shown = [&[name], options].concat().join(" ");
        println!("{shown:<34} {:>9.1} {seconds:>9.1}", peak_megabytes(peak));
    }
    fs::remove_file(&input).map_err(|e| format!("{}: {e}", input.display()))
}

#[expect(clippy::cast_precision_loss, reason = "kilobytes of a program")]
fn peak_megabytes(kilobytes: u64) -> f64 {
    kilobytes as f64 / 1024.0
}

/// Repeats the frames of a fixture, each with its own offsets and number.
fn recording(path: &Path, size: u64) -> std::io::Result<u64> {
    let sample = fs::read(root().join(SAMPLE))?;
    let (header, frames) = sample.split_at(HEADER);
    let offset = |bytes: &[u8], at: usize| {
        let mut field = [0; 8];
        field.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(field)
    };
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(header)?;
    let (mut at, mut number) = (header.len() as u64, 0_u64);
    while at < size {
        let mut rest = frames;
        while !rest.is_empty() {
            let len = offset(rest, 8) - offset(rest, 0);
            let (frame, behind) = rest.split_at(usize::try_from(len).map_err(std::io::Error::other)?);
            for field in [at, at + len, number] {
                out.write_all(&field.to_le_bytes())?;
            }
            out.write_all(&frame[24..])?;
            (at, number, rest) = (at + len, number + 1, behind);
        }
    }
    out.flush()?;
    Ok(number)
}

/// Peak memory of a program in kilobytes, and its run time in seconds.
fn peak(command: &mut Command) -> Outcome<(u64, f64)> {
    let begun = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        // The kernel's high-water mark; growth in the last moments before the exit is missed.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = now.unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            if !matches!(status.code(), Some(0 | 3)) {
                let mut said = String::new();
                let _ = child.stderr.take().map(|mut stream| stream.read_to_string(&mut said));
                return Err(format!("robolog ended with {status}: {}", said.trim()));
            }
            break;
        }
        sleep(Duration::from_millis(2));
    }
    if peak == 0 {
        return Err("this system does not tell what a program takes".to_owned());
    }
    Ok((peak, begun.elapsed().as_secs_f64()))
}
