//! Runs the `console` blocks of documents and compares the output.
//!
//! `<!-- run in FOLDER ... -->` in a document gives the folders with the files of its commands. A block such as `yaml
//! mounts.yaml` is a file for the commands. In output, `...` matches any text in a line, or any lines. A command of the
//! guide that fails is followed by `echo $?`.
//!
//! `TRANSCRIPTS=overwrite cargo test -p robolog --test it -- transcripts` writes the actual output into the documents.

use std::{
    fs,
    ops::Range,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// Programs that may be missing; `cargo run` is the program itself.
const FOREIGN: [&str; 3] = ["cargo", "ros2", "rerun"];
const OVERWRITE: &str = "TRANSCRIPTS";

/// A document, with names for files of the repository.
struct Document {
    path: PathBuf,
    files: Vec<(String, PathBuf)>,
    shows: Shows,
}

/// How much of its commands a document shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Output, and the status of commands that fail.
    OutputAndStatus,
    /// Output.
    Output,
    /// Only the commands, on recordings larger than the fixtures.
    Commands,
}

/// A command and its output in the document.
struct Shown {
    command: String,
    line: usize,
    output: Range<usize>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The commands of a document, and its files.
fn parse(lines: &[String]) -> (Vec<Shown>, Vec<(String, String)>) {
    let (mut shown, mut files) = (Vec::<Shown>::new(), Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let Some(language) = lines[at].strip_prefix("```") else {
            at += 1;
            continue;
        };
        let start = at + 1;
        let end = (start..lines.len()).find(|&end| lines[end].starts_with("```")).unwrap_or(lines.len());
        at = end + 1;
        if language != "console" {
            if let Some((_, name)) = language.split_once(' ').filter(|(_, name)| name.contains('.')) {
                files.push((name.to_owned(), lines[start..end].join("\n") + "\n"));
            }
            continue;
        }
        let mut line = start;
        while line < end {
            let first = line;
            let mut command =
                lines[line].strip_prefix("$ ").expect("a block begins with a command").to_owned();
            while command.ends_with('\\') {
                line += 1;
                command.truncate(command.len() - 1);
                command.push_str(lines[line].trim_start());
            }
            let output = line + 1;
            line = (output..end).find(|&line| lines[line].starts_with("$ ")).unwrap_or(end);
            let blank = lines[output..line].iter().rev().take_while(|line| line.is_empty()).count();
            shown.push(Shown { command, line: first + 1, output: output..line - blank });
        }
    }
    (shown, files)
}

/// Whether a line matches the document.
fn line_fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split("...");
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    true
}

fn fits(shown: &[String], printed: &[String]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line.trim() == "..." => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        (Some((shown, more)), Some((line, rest))) => line_fits(shown, line) && fits(more, rest),
        _ => false,
    }
}

/// Runs a command in a shell, after one that ended with status `before`. Returns its status and output.
fn run(command: &str, before: i32, folder: &Path) -> (i32, Vec<String>) {
    let program = Path::new(env!("CARGO_BIN_EXE_robolog")).parent().unwrap();
    let mut path = vec![program.to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let run = Command::new("sh")
        .args(["-c", &format!("(exit {before}); {{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS")
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let lines = text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    (run.status.code().unwrap_or(-1), lines[..end].to_vec())
}

/// Replays a document. Returns the differences.
fn replay(document: &Document) -> Vec<String> {
    let text = fs::read_to_string(&document.path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (shown, files) = parse(&lines);
    let folder = tempfile::tempdir().unwrap();
    for (name, target) in &document.files {
        let link = folder.path().join(name);
        // Of two files with the same name, the first folder's is used.
        if !link.exists() {
            symlink(target, link).unwrap();
        }
    }
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let (mut differences, mut edits, mut before) = (Vec::new(), Vec::new(), 0);
    for (number, one) in shown.iter().enumerate() {
        let command = one.command.replace("cargo run --release -- ", "robolog ");
        if FOREIGN.contains(&command.split(' ').next().unwrap_or_default()) {
            continue;
        }
        let (status, printed) = run(&command, before, folder.path());
        before = status;
        let name = document.path.strip_prefix(root()).unwrap().display();
        let place = format!("{name}:{}: $ {}", one.line, one.command);
        let is_followed = shown.get(number + 1).is_some_and(|next| next.command == "echo $?");
        let wrong = match document.shows {
            Shows::OutputAndStatus => status != 0 && !is_followed,
            Shows::Output => false,
            Shows::Commands => status == 2,
        };
        if wrong {
            differences
                .push(format!("{place}\nends with {status}, which nothing tells\n{}", printed.join("\n")));
        }
        if document.shows != Shows::Commands && !fits(&lines[one.output.clone()], &printed) {
            differences.push(format!("{place}\n{}", printed.join("\n")));
            edits.push((one.output.clone(), printed));
        }
    }
    if std::env::var_os(OVERWRITE).is_some_and(|what| what == "overwrite") {
        for (output, printed) in edits.into_iter().rev() {
            lines.splice(output, printed);
        }
        fs::write(&document.path, lines.join("\n") + "\n").unwrap();
    }
    differences
}

fn assert_shows_the_truth(documents: &[Document]) {
    let differences: Vec<String> = documents.iter().flat_map(replay).collect();
    assert!(differences.is_empty(), "printed other than shown:\n\n{}", differences.join("\n\n"));
}

/// The chapters below a folder.
fn chapters(folder: &Path, found: &mut Vec<Document>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            chapters(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let place = text.lines().find_map(|line| line.strip_prefix("<!-- run in ")?.strip_suffix(" -->"));
            let files = place.unwrap_or_default().split_whitespace().flat_map(|place| {
                let files = fs::read_dir(root().join(place)).unwrap().map(Result::unwrap);
                files.map(|file| (file.file_name().into_string().unwrap(), file.path()))
            });
            let files = files.collect();
            found.push(Document { path, files, shows: Shows::OutputAndStatus });
        }
    }
}

#[test]
fn the_guide_shows_what_commands_print() {
    let mut documents = Vec::new();
    chapters(&root().join("crates/guide/src"), &mut documents);
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(documents.len() > 10, "the guide has chapters");
    assert_shows_the_truth(&documents);
}

/// The texts of all crates, with the continued lines of long strings joined.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut pieces = text.split("\\\n");
            all.push_str(pieces.next().unwrap());
            pieces.for_each(|piece| all.push_str(piece.trim_start()));
        }
    }
}

#[test]
fn the_messages_of_the_guide_are_those_of_the_program() {
    let mut all = String::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut all);
        }
    }
    let page = fs::read_to_string(root().join("crates/guide/src/messages.md")).unwrap();
    let messages = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let mut count = 0;
    for (message, _) in messages {
        count += 1;
        for words in message.split('…').map(str::trim) {
            assert!(all.contains(words), "no message says {words:?}, as the page shows: {message}");
        }
    }
    assert!(count > 30);
}

#[test]
fn the_readme_shows_what_commands_print() {
    let files = vec![("testdata".to_owned(), root().join("testdata"))];
    assert_shows_the_truth(&[Document { path: root().join("README.md"), files, shows: Shows::Output }]);
}

#[test]
fn the_readme_of_the_program_shows_commands_that_are_understood() {
    let likeness = [
        ("drive.lvx", "lvx/room.lvx"),
        ("front.lvx", "lvx/v11_type2.lvx"),
        ("rear.lvx", "lvx/v11_type2.lvx"),
        ("broken.lvx", "lvx/short_tail.lvx"),
        ("crash.log", "carla-rec/v0_9_15.log"),
        ("mission.alog", "alog/moosivp.alog"),
        ("run", "effibox/dataset"),
    ];
    let files = likeness.map(|(name, of)| (name.to_owned(), root().join("testdata").join(of))).to_vec();
    let path = root().join("crates/cli/README.md");
    assert_shows_the_truth(&[Document { path, files, shows: Shows::Commands }]);
}

#[test]
fn text_may_be_left_out_of_what_is_shown() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (shown, printed, fit) in [
        ("a\n...\nd", "a\nb\nc\nd", true),
        ("a\n...\nd", "a\nd", true),
        ("a\n...\nd", "a\nb", false),
        ("...", "", true),
        ("a ... c", "a b c", true),
        ("a ... c", "a b d", false),
        ("1 ... 2 ...", "1 x 2 y", true),
        ("a", "ab", false),
        ("a", "a\nb", false),
    ] {
        assert_eq!(fits(&lines(shown), &lines(printed)), fit, "{shown:?} {printed:?}");
    }
}
