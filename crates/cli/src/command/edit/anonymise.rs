//! `edit --anonymise`: the secret, and the check for data that could not be searched.

use std::{
    fs::{self, OpenOptions},
    io::{ErrorKind, Write as _},
    path::Path,
};

use regex_lite::Regex;
use robolog_convert::{
    Copied, Error, Result, Secret,
    robolog_core::{Anonymise, format::Places},
};

use crate::{
    args::edit::{EditStep, Hidden, Positions, SecretArgs},
    render,
};

/// The settings of `--anonymise`, if given.
pub(super) fn prepare(steps: &[EditStep], args: &SecretArgs) -> Result<Option<Anonymise>> {
    let hidden: Vec<&Hidden> = steps
        .iter()
        .filter_map(|step| if let EditStep::Anonymise(hidden) = step { Some(hidden) } else { None })
        .collect();
    if hidden.is_empty() {
        return Ok(None);
    }
    let is_back = hidden.contains(&&Hidden::Positions(Positions::Back));
    let mut how = secret(args.secret.as_deref(), is_back)?.anonymise();
    let mut expressions = Vec::new();
    for hidden in hidden {
        match hidden {
            Hidden::Positions(Positions::Shift) => how.places = Some(Places::Move(how.offset())),
            Hidden::Positions(Positions::Back) => how.places = Some(Places::Move(how.offset().back())),
            Hidden::Positions(Positions::Drop) => how.places = Some(Places::Drop),
            Hidden::Names => how.names = true,
            Hidden::Serials => how.serials = true,
            Hidden::Text(expression) => expressions
                .push(Regex::new(expression).map_err(|error| Error::Target(error.to_string().into()))?),
        }
    }
    if !expressions.is_empty() {
        how.text = Some(Box::new(move |text| {
            expressions.iter().flat_map(|regex| regex.find_iter(text)).map(|found| found.range()).collect()
        }));
    }
    Ok(Some(how))
}

/// Reads the secret from a file; creates one if the file does not exist or is not given.
fn secret(path: Option<&Path>, must_exist: bool) -> Result<Secret> {
    let Some(path) = path else {
        if must_exist {
            return Err(Error::Target("positions=back needs the --secret that moved them".into()));
        }
        return Ok(Secret::random());
    };
    match fs::read_to_string(path) {
        Ok(text) => {
            let invalid = |why: String| Error::Target(format!("{}: {why}", render::path(path)).into());
            text.parse().map_err(invalid)
        }
        Err(error) if error.kind() == ErrorKind::NotFound && !must_exist => {
            let secret = Secret::random();
            create(path, &secret)?;
            Ok(secret)
        }
        Err(error) => Err(Error::file(path, error)),
    }
}

/// Writes a secret, readable by its owner only.
fn create(path: &Path, secret: &Secret) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| writeln!(file, "{secret}"));
    written.map_err(|error| Error::file(path, error))
}

/// Whether nothing was lost. Returns an error if the copy has data that could not be searched, unless `--keep-opaque`
/// is given.
pub(super) fn check(
    how: Option<&Anonymise>,
    args: &SecretArgs,
    file: &Path,
    copied: &Copied,
) -> Result<bool> {
    let Some(how) = how else { return Ok(true) };
    let opaque = how.opaque();
    if !opaque.is_empty() {
        let list: Vec<String> = opaque.iter().map(|(what, count)| format!("{what} ({count})")).collect();
        let list = list.join(", ");
        if !args.keep_opaque {
            let advice = "leave them out with --drop, mask them with text=REGEX, or copy them unchanged with --keep-opaque";
            let message = format!("nothing written: cannot search {list} ({advice})");
            return Err(Error::Target(message.into()));
        }
        render::note(file, format_args!("copied unchanged: {list}"));
    }
    let is_lost = copied.withheld > 0 && !how.drops_places();
    if is_lost {
        let count = render::count(copied.withheld, "record");
        render::note(file, format_args!("left out {count}, damaged or with a position that cannot be moved"));
    }
    Ok(!is_lost)
}
