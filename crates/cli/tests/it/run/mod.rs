//! Runs the program as a user does.

use std::{
    ffi::OsStr,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Output and status of a run.
pub(crate) struct Run {
    arguments: String,
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Run {
    /// Asserts its status.
    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, status, "robolog {}:\n{}", self.arguments, self.err);
        self
    }

    /// Asserts that a text is part of standard error.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "robolog {}: not {text:?} in:\n{}", self.arguments, self.err);
        self
    }

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
    let mut command = Command::new(env!("CARGO_BIN_EXE_robolog"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let arguments = command.get_args().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take().filter(|_| !input.is_empty());
    let output = std::thread::scope(|scope| {
        // The program may not read its input, which must not block the test.
        if let Some(mut stdin) = stdin {
            scope.spawn(move || drop(stdin.write_all(input)));
        }
        child.wait_with_output().unwrap()
    });
    Run {
        arguments,
        status: output.status.code().expect("not ended by a signal"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs a shell script in `dir`, with `$R` the program, `$F` a sound recording and `$L` a sound log. Returns status and
/// standard error.
#[cfg(unix)]
pub(crate) fn shell(dir: &Path, script: &str) -> (i32, String) {
    // A path with spaces stays one word.
    let output = Command::new("bash")
        .args(["-c", &format!("IFS=; {script}")])
        .current_dir(dir)
        .env("R", env!("CARGO_BIN_EXE_robolog"))
        .env("F", fixture("v11_type2.lvx"))
        .env("L", fixture_of("alog", "moosivp.alog"))
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
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

/// A path as text.
pub(crate) fn s(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The names of what a folder holds, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
