//! Runs the program as a user does.

use std::{
    ffi::OsStr,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Output and status of a run.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Run {
    /// Standard output as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out.clone()).unwrap()
    }

    /// Each line of standard output as JSON.
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs `robolog` with these arguments.
pub(crate) fn robolog<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    with_input(args, &[])
}

/// Runs `robolog` with these arguments and this standard input.
pub(crate) fn with_input<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robolog"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may not read its input, which must not block the test.
    let feed = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    Run {
        status: output.status.code().expect("not ended by a signal"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The path of an LVX fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    fixture_of("lvx", name)
}

/// A fixture's path.
pub(crate) fn fixture_of(format: &str, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    root.join("testdata").join(format).join(name)
}
