//! The survey of a mutant agrees with its samples and with its changes.

use super::{Breach, Holds, corpus::Subject, digest, digest::Reading, gzip::Fault, mutant::Found};

/// The survey counts the delivered samples, and reports a faulty file as damaged.
pub(super) fn counts(found: &Found<'_>) -> Holds {
    const LAW: &str = "info = cat";
    let (surveyed, reading) = match (&found.survey, &found.reading) {
        (Ok(surveyed), Ok(reading)) => (surveyed, reading),
        (Err(_), Err(_)) => return Ok(()),
        (Ok(_), Err(error)) => return Err(Breach::new(LAW, "what is surveyed cannot be read", error)),
        (Err(error), Ok(_)) => return Err(Breach::new(LAW, "what is read cannot be surveyed", error)),
    };
    let counted: u64 = surveyed.summary.channels.iter().map(|channel| channel.records).sum();
    let delivered = reading.samples.len() as u64;
    if counted != delivered {
        let detail = format!("{counted} are counted, {delivered} delivered");
        return Err(Breach::new(LAW, "the survey counts other samples", detail));
    }
    if surveyed.summary.is_ok() != reading.faults.is_empty() {
        let detail = format!("{:?}, and read with {:?}", surveyed.summary.findings, reading.faults.first());
        let what = if surveyed.summary.is_ok() {
            "sound, and read with a fault"
        } else {
            "not sound, and read without a fault"
        };
        return Err(Breach::new(LAW, what, detail));
    }
    Ok(())
}

/// Visible damage leads to a finding, lost bytes or an error.
pub(super) fn damage(found: &Found<'_>) -> Holds {
    let Some(what) = found.mutant.damage else { return Ok(()) };
    let Ok(surveyed) = &found.survey else { return Ok(()) };
    let summary = &surveyed.summary;
    let is_told = !summary.is_ok()
        || summary.lost_bytes > 0
        || summary.findings.iter().any(|finding| finding.severity > robolog_core::Severity::Note);
    if is_told || !found.is_damaged_visibly() {
        return Ok(());
    }
    let detail = format!("{:?}, {} records", found.mutant.changes.last(), summary.records);
    Err(Breach::new("damage is told", format!("{what} is called sound"), detail))
}

/// A compression fault after a complete recording costs no sample.
pub(super) fn compressed(found: &Found<'_>) -> Holds {
    const LAW: &str = "zcat = cat";
    let Some(fault) = found.mutant.gzip().filter(|fault| fault.is_whole()) else { return Ok(()) };
    let mut plain = found.mutant.clone();
    plain.changes.pop();
    // The name may determine how a table is read.
    let path = found.place("plain");
    std::fs::write(&path, plain.bytes()).unwrap();
    let Ok(whole) = Reading::of(&path) else { return Ok(()) };
    let kind = match fault {
        Fault::Padding(_) => "padding",
        Fault::Junk(_) => "junk",
        Fault::None => "no fault",
        _ => "a wrong trailer",
    };
    let reading = match &found.reading {
        Ok(reading) => reading,
        Err(error) => return Err(Breach::new(LAW, format!("{kind}: nothing can be read"), error)),
    };
    digest::same(&whole.samples, &reading.samples)
        .map_err(|(what, detail)| Breach::new(LAW, format!("{kind}: {what}"), detail))?;
    if fault != Fault::None && reading.faults.is_empty() {
        return Err(Breach::new(LAW, format!("{kind}: nothing is said"), format!("{fault:?}")));
    }
    Ok(())
}

/// Undamaged fixtures stay sound.
pub(super) fn is_found(found: &Found<'_>) -> Holds {
    let Subject { format, .. } = found.mutant.subject;
    match found.read() {
        Some(reading) if found.mutant.changes.is_empty() && reading.format != *format => {
            Err(Breach::new("found", "a fixture has another format", reading.format))
        }
        _ => Ok(()),
    }
}
