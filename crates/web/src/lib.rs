//! What the npm package calls: one request about one recording, and its answer as text.
//!
//! Nothing here needs a file system, a clock or threads. The recording is read in ranges, by whoever holds its bytes.

#[cfg(target_arch = "wasm32")]
mod border;

use std::{io, path::Path};

use robolog_convert::{Input, ReadSeek, Result, survey};
use robolog_report::{Options, Spooled, report};
use serde::Deserialize;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verb {
    /// The object that `robolog info --json` prints.
    Info,
    /// The object that `robolog check --json` prints.
    Check,
    /// The page that `robolog report` writes.
    Report,
}

/// A question about a recording.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What is asked for.
    pub verb: Verb,
    /// The name of the file, without folders. Tables of bare numbers are known by it alone.
    pub name: String,
    /// The name of the format, where it is not to be found from the bytes.
    #[serde(default)]
    pub format: Option<String>,
}

/// Answers `request` about the recording of `len` bytes that `open` opens, each time anew. `progress` gets the position
/// in the recording; a page takes two passes.
///
/// Damage is part of the answer. Fails when the recording cannot be read, and when its format is not known.
///
/// ```
/// use robolog_web::{Request, Verb, answer};
/// let file = std::fs::read("../../testdata/lvx/room.lvx")?;
/// let request = Request { verb: Verb::Info, name: "room.lvx".into(), format: None };
/// let len = file.len() as u64;
/// let info = answer(&request, len, move || Ok(std::io::Cursor::new(file.clone())), &mut |_| {})?;
/// assert!(info.starts_with(r#"{"format":"lvx""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer<S: ReadSeek + 'static>(
    request: &Request,
    len: u64,
    open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
    progress: &mut dyn FnMut(u64),
) -> Result<String> {
    let mut options = Options::default();
    options.format.clone_from(&request.format);
    let name = Path::new(&request.name);
    if request.verb == Verb::Report {
        let recording = Spooled::reopening(&*request.name, len, open);
        return Ok(report(&recording, &options, progress)?.html);
    }
    let input = Input::reopening(&*request.name, len, open)?;
    let surveyed = survey(input, request.format.as_deref(), progress)?;
    let json = match request.verb {
        Verb::Check => surveyed.findings_to_json(name),
        _ => surveyed.to_json(name),
    };
    Ok(json.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor};

    use super::{Request, Verb, answer};

    fn asked(verb: Verb, name: &str, bytes: &'static [u8]) -> Result<String, String> {
        let request = Request { verb, name: name.to_owned(), format: None };
        let open = move || Ok(Cursor::new(bytes));
        answer(&request, bytes.len() as u64, open, &mut |_| {}).map_err(|e| e.to_string())
    }

    const ROOM: &[u8] = include_bytes!("../../../testdata/lvx/room.lvx");

    #[test]
    fn each_verb_answers() {
        let info: serde_json::Value =
            serde_json::from_str(&asked(Verb::Info, "room.lvx", ROOM).unwrap()).unwrap();
        assert_eq!((&info["records"], &info["path"]), (&10.into(), &"room.lvx".into()));
        assert_eq!(info["bytes"], ROOM.len());
        let check = asked(Verb::Check, "room.lvx", ROOM).unwrap();
        assert!(check.contains(r#""ok":true"#), "{check}");
        assert!(asked(Verb::Report, "room.lvx", ROOM).unwrap().contains("HORIZONROOM0001"));
    }

    #[test]
    fn damage_is_a_finding_and_what_is_no_recording_an_error() {
        let cut = asked(Verb::Check, "cut.lvx", &ROOM[..ROOM.len() - 1000]).unwrap();
        assert!(cut.contains(r#""ok":false"#), "{cut}");
        for verb in [Verb::Info, Verb::Check, Verb::Report] {
            assert!(asked(verb, "no.txt", b"no recording at all").is_err());
            assert!(asked(verb, "empty.lvx", b"").is_err());
        }
    }

    #[test]
    fn a_file_that_goes_away_is_an_error() {
        let request = Request { verb: Verb::Info, name: "gone.lvx".to_owned(), format: None };
        let open = || -> io::Result<Cursor<Vec<u8>>> { Err(io::ErrorKind::NotFound.into()) };
        assert!(answer(&request, 10, open, &mut |_| {}).is_err());
    }

    #[test]
    fn requests_are_what_the_package_sends() {
        let request: Request = serde_json::from_str(r#"{"verb":"report","name":"a.lvx"}"#).unwrap();
        assert_eq!((request.verb, request.format), (Verb::Report, None));
        assert!(serde_json::from_str::<Request>(r#"{"verb":"convert","name":"a.lvx"}"#).is_err());
    }
}
