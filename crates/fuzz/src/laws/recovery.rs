//! Recovered copies.

use std::{fs, path::Path};

use robolog_convert::{
    Copied, Input, Limit, Rewrite, rewrite,
    target::{Existing, Target},
};
use robolog_core::{Channel, Severity};

use super::{
    Breach, Holds,
    digest::{self, Reading},
    mutant::{Found, looked},
};

/// Copies the records selected by a limit, like the program.
pub(super) fn copy(from: &Path, to: &Path, limit: &mut Limit) -> robolog_convert::Result<Copied> {
    let target = Target::create(to, Existing::Replace, &[from])?;
    let how = Rewrite { out: target.writer()?, limit, frames: None, edit: None, progress: &mut |_| Ok(()) };
    let copied = rewrite(Input::open(from)?, None, how)?;
    target.persist()?;
    Ok(copied)
}

/// The recovered copy delivers the same samples as the mutant, or reports more losses than reading did. The copy is
/// detected as the same format, and is sound.
pub(super) fn keeps(found: &Found<'_>) -> Holds {
    const LAW: &str = "recover = cat";
    let Some(reading) = found.read() else { return Ok(()) };
    let breach = |what: &str, detail: &dyn std::fmt::Display| Err(Breach::new(LAW, what, detail));
    let to = found.place("recovered");
    let copied = match copy(&found.path, &to, &mut Limit::default()) {
        Ok(copied) => copied,
        Err(_) if reading.samples.is_empty() => return Ok(()),
        Err(error) => return breach("fails where samples are read", &error),
    };
    let report = copied.report;
    if copied.parts == 0 && report.damages > 0 && reading.samples.is_empty() {
        return Ok(());
    }
    let surveyed = match looked(&to) {
        Ok(surveyed) => surveyed,
        // An empty copy of a mutant without samples.
        Err(_) if reading.samples.is_empty() && report.damages > 0 => return Ok(()),
        Err(_) if reading.is_remnant(&to) => return Ok(()),
        Err(error) => return breach("the copy cannot be opened", &error),
    };
    if surveyed.format != reading.format {
        let what = format!("the copy is found as {}", surveyed.format);
        return breach(&what, &reading.format);
    }
    if !surveyed.summary.is_ok() {
        let first = surveyed.summary.findings.iter().find(|finding| finding.severity == Severity::Error);
        let what = format!("the copy is not sound: {}", first.map_or("incomplete", |finding| finding.code));
        return breach(&what, &format_args!("{first:?}"));
    }
    let again = match Reading::of(&to) {
        Ok(again) => again,
        Err(error) => return breach("the copy cannot be read", &error),
    };
    if let Some(fault) = again.faults.first() {
        return breach("the copy is read with a fault", fault);
    }
    // The program says which samples of a document that lost a tag the copy lacks: see `left_out` of its verb.
    let is_said = matches!(reading.format, "gpx" | "kml")
        && found
            .survey
            .as_ref()
            .is_ok_and(|before| lacks(&before.summary.channels, &surveyed.summary.channels));
    match digest::same(&reading.samples, &again.samples) {
        Err((what, detail)) if !is_said && report.damages <= reading.faults.len() as u64 => {
            let detail = format!(
                "{detail}; {} read with {} faults, {} recovered with {}",
                reading.samples.len(),
                reading.faults.len(),
                again.samples.len(),
                report.damages
            );
            breach(&what, &detail)
        }
        _ => Ok(()),
    }
}

/// Whether a channel has fewer samples in a copy.
fn lacks(before: &[Channel], after: &[Channel]) -> bool {
    let records = |name: &str| after.iter().find(|channel| &*channel.name == name).map_or(0, |c| c.records);
    before.iter().any(|channel| records(&channel.name) < channel.records)
}

/// A recovered copy is copied byte for byte, and so is a sound mutant.
pub(super) fn is_stable(found: &Found<'_>) -> Holds {
    const LAW: &str = "second generation";
    let first = found.place("recovered");
    let Ok(bytes) = fs::read(&first) else { return Ok(()) };
    if bytes.is_empty() || looked(&first).is_err() {
        return Ok(());
    }
    let differs = |what: &str, expected: &[u8], got: &[u8]| {
        let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
        let detail =
            format!("{} bytes, then {}; the first that differs is {at:#x}", expected.len(), got.len());
        Err(Breach::new(LAW, what, detail))
    };
    let is_sound = found.survey.as_ref().is_ok_and(|surveyed| {
        let summary = &surveyed.summary;
        summary.is_ok() && summary.findings.iter().all(|finding| finding.severity == Severity::Note)
    });
    let is_own = Input::open(&found.path).is_ok_and(|input| !input.is_decoded()) && !is_packed(&found.bytes);
    if is_sound && is_own && bytes != found.bytes {
        return differs("the copy of a sound file differs", &found.bytes, &bytes);
    }
    let second = found.place("again");
    if let Err(error) = copy(&first, &second, &mut Limit::default()) {
        return Err(Breach::new(LAW, "the copy cannot be copied", error));
    }
    let again = fs::read(&second).unwrap();
    if again == bytes { Ok(()) } else { differs("the copy of a copy differs", &bytes, &again) }
}

/// Whether the recording is compressed in its file.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(b"PK")
}
