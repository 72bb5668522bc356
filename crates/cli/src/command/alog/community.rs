//! The vehicle (community) of a log. In one log, equal variables of two vehicles would be mixed.

use std::path::Path;

use ::alog::{Header, Kind};
use robolog_convert::{Error, Result};
use robolog_core::{Event, text::Escaped};

use super::open;
use crate::{args::OutArgs, progress::Context, render};

/// Returns an error if logs are from different communities, unless `--force` is given.
pub(crate) fn same_community(files: &[&Path], paths: &[&Path], to: &OutArgs, context: Context) -> Result<()> {
    if to.force {
        return Ok(());
    }
    let mut first: Option<(String, &Path)> = None;
    for (file, path) in files.iter().zip(paths) {
        // A log that cannot be opened is reported later.
        let Some(community) = community(path, context) else { continue };
        match &first {
            None => first = Some((community, file)),
            Some((other, of)) if !other.eq_ignore_ascii_case(&community) => {
                let message = format!(
                    "is of the community {}, and {} is of {}: one log would mix their variables; robolog convert \
                     --merge -o all.mcap puts them into one file, and --force joins them anyway",
                    Escaped(community.as_bytes()),
                    render::path(of),
                    Escaped(other.as_bytes())
                );
                return Err(Error::Target(message.into()).at(file));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The community of a log: from the name of its database, else from its node reports, else from its path.
fn community(path: &Path, context: Context) -> Option<String> {
    let mut reader = open(path, context).ok()?;
    let mut of_report = None;
    loop {
        let record = match reader.next_event() {
            Ok(Event::Record(record)) if record.kind() == Kind::Entry => record,
            Ok(Event::Record(_) | Event::Damage { .. }) => continue,
            Ok(Event::End) | Err(_) => break,
        };
        if let Some(name) = record.application().strip_prefix(b"MOOSDB_").filter(|name| !name.is_empty()) {
            return Some(String::from_utf8_lossy(name).into_owned());
        }
        if of_report.is_none() && record.name() == "NODE_REPORT_LOCAL" {
            of_report = record.value().get("NAME").and_then(|name| Some(name.text()?.trim().to_owned()));
        }
    }
    of_report.or_else(|| of_name(reader.header()))
}

/// `ALPHA` of `LOG_ALPHA_18_6_2025_____10_38_38`, the naming of missions with several vehicles.
fn of_name(header: &Header) -> Option<String> {
    let path = header.log_file.as_deref()?;
    let stem = path.rsplit(|b| matches!(b, b'/' | b'\\')).next()?;
    let name = stem.strip_prefix(b"XLOG_").or_else(|| stem.strip_prefix(b"LOG_"))?;
    let name = name.split(|b| *b == b'_').next().filter(|name| name.iter().any(u8::is_ascii_alphabetic))?;
    Some(String::from_utf8_lossy(name).into_owned())
}
