//! Splitting a recording, and merging the parts.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Breach, Holds,
    corpus::records,
    digest::{self, Dialect, Key, Reading},
    mutant::Found,
    program::{Program, files},
    recovery::is_packed,
};

/// Every part opens by detection and holds something; all parts together hold the samples of the whole, and merged
/// they are the whole.
pub(super) fn open(found: &Found<'_>, program: &Program<'_>) -> Holds {
    const LAW: &str = "parts open";
    let Some(reading) = found.read().filter(|reading| !reading.samples.is_empty()) else { return Ok(()) };
    // The parts of a damaged recording can at most contain what is recovered from it.
    let Ok(whole) = Reading::of(&found.place("recovered")) else { return Ok(()) };
    let whole = Reading { faults: reading.faults.clone(), ..whole };
    let mut rng = found.mutant.rng.clone();
    let parts = (2 + rng.below(5)).to_string();
    let size = (found.bytes.len() / (2 + rng.below(5)) + 1).to_string();
    let by = [["--parts", &*parts], ["--size", &*size]][rng.below(2)];
    let folder = found.folder.join("parts");
    let words = ["split", by[0], by[1], "-o"];
    let split = program.run(&words, &[&folder, &found.path])?;
    let said = |detail: &dyn std::fmt::Display| {
        format!("{by:?}: {detail}; status {}: {}", split.status, split.stderr)
    };
    if !matches!(split.status, 0 | 3) {
        return Err(Breach::new(LAW, "split fails where samples are read", said(&reading.samples.len())));
    }
    if (split.status == 0) != reading.faults.is_empty() {
        let what = format!("split ends with {}", split.status);
        return Err(Breach::new(LAW, what, said(&format_args!("{:?}", reading.faults.first()))));
    }
    let is_guess = is_guess(found, &whole);
    let mut parts = Vec::new();
    let names = files(&folder);
    for path in &names {
        let name = path.file_name().unwrap_or_default().display();
        if fs::metadata(path).is_ok_and(|meta| meta.len() == 0) {
            return Err(Breach::new(LAW, "a part is empty", said(&name)));
        }
        if reading.is_remnant(path) {
            return Ok(());
        }
        let part = Reading::of(path).map_err(|error| {
            Breach::new(LAW, "a part does not open", said(&format_args!("{name}: {error}")))
        })?;
        if part.format != reading.format {
            return Err(Breach::new(LAW, format!("a part is found as {}", part.format), said(&name)));
        }
        if let Some(fault) = part.faults.first().filter(|_| !is_guess) {
            return Err(Breach::new(LAW, "a part is damaged", said(&format_args!("{name}: {fault}"))));
        }
        parts.push(part);
    }
    if is_guess {
        hold_records(&found.place("recovered"), &names, whole.format == "carla-rec")
            .map_err(|detail| Breach::new(LAW, "a record is in no part", said(&detail)))?;
        return in_one_dialect(&found.place("recovered"), &names, whole.format)
            .map_err(|(what, detail)| Breach::new(LAW, format!("in one dialect, {what}"), said(&detail)));
    }
    digest::parts_hold(&whole, &parts.iter().collect::<Vec<_>>())
        .map_err(|(what, detail)| Breach::new(LAW, what, said(&detail)))?;
    merged(found, program, &whole, &names)
}

/// Whether damage decides how records are read: the dialect of a CARLA or Koblenz recording and the LiDAR of a
/// Koblenz log are found from most of what is in them, and in a part that may be the damage.
pub(super) fn is_guess(found: &Found<'_>, reading: &Reading) -> bool {
    let has_lidar = || reading.samples.iter().any(|key| key.kind == "point_cloud");
    match reading.format {
        "carla-rec" => !reading.faults.is_empty(),
        "koblenz-log" => !reading.faults.is_empty() || !found.mutant.changes.is_empty() && has_lidar(),
        _ => false,
    }
}

/// Parts hold the samples of the whole when they are read in its dialect. Where that is of no release, or a LiDAR's
/// model is a guess too, it cannot be given.
pub(super) fn in_one_dialect(whole: &Path, parts: &[PathBuf], format: &str) -> Result<(), (String, String)> {
    let Some(dialect) = Dialect::of(whole, format) else { return Ok(()) };
    let read = |path: &Path| {
        Reading::in_dialect(path, &dialect).map_err(|error| ("a part does not open".to_owned(), error))
    };
    let whole = read(whole)?;
    if whole.samples.iter().any(|key| key.kind == "point_cloud") {
        return Ok(());
    }
    // An empty cut has no bytes.
    let is_there = |part: &&PathBuf| fs::metadata(part).is_ok_and(|meta| meta.len() > 0);
    let parts = parts.iter().filter(is_there).map(|part| read(part)).collect::<Result<Vec<_>, _>>()?;
    digest::parts_hold(&whole, &parts.iter().collect::<Vec<_>>())
}

/// Every record of the whole is in a part, byte for byte. Of CARLA's packets, events and states of
/// the first frame of a part hold the world before it too; frames, collisions, positions and animations do not.
pub(super) fn hold_records(whole: &Path, parts: &[PathBuf], is_carla: bool) -> Result<(), String> {
    let there: HashSet<Vec<u8>> = parts.iter().filter_map(|part| records(part)).flatten().collect();
    let of_world = |record: &[u8]| is_carla && !matches!(record.first(), Some(0 | 5 | 6 | 8 | 9));
    let mut all = records(whole).unwrap_or_default().into_iter();
    let lacking = all.find(|record| !there.contains(record) && !of_world(record));
    lacking.map_or(Ok(()), |record| {
        Err(format!("{} bytes: {:02x?}", record.len(), &record[..record.len().min(24)]))
    })
}

/// Merges the parts.
fn merged(found: &Found<'_>, program: &Program<'_>, whole: &Reading, parts: &[PathBuf]) -> Holds {
    const LAW: &str = "split then merge";
    // Parts of a damaged document or table differ in the text beside their points and rows, and so are not known as
    // parts.
    let has_texts = matches!(whole.format, "effibox" | "gpx" | "kml");
    if parts.len() < 2 || has_texts && !whole.faults.is_empty() {
        return Ok(());
    }
    let to = found.place("merged");
    let mut paths: Vec<&Path> = vec![&to];
    paths.extend(parts.iter().map(|part| &**part));
    let merge = program.run(&["merge", "-f", "-o"], &paths)?;
    let said = |detail: &dyn std::fmt::Display| {
        format!("{} parts: {detail}; status {}: {}", parts.len(), merge.status, merge.stderr)
    };
    if merge.status != 0 {
        return Err(Breach::new(LAW, format!("merge ends with {}", merge.status), said(&"")));
    }
    let again =
        Reading::of(&to).map_err(|error| Breach::new(LAW, "what is merged does not open", said(&error)))?;
    // Summaries depend on the order of records.
    let single = |reading: &Reading| -> Vec<Key> {
        let keys = reading.samples.iter();
        keys.filter(|key| reading.format != "carla-rec" || !key.is_joint(reading.format)).cloned().collect()
    };
    digest::same(&single(whole), &single(&again))
        .map_err(|(what, detail)| Breach::new(LAW, what, said(&detail)))?;
    let is_sound = found.survey.as_ref().is_ok_and(|surveyed| {
        surveyed.summary.is_ok()
            && surveyed
                .summary
                .findings
                .iter()
                .all(|finding| finding.severity == robolog_core::Severity::Note)
    });
    let bytes = fs::read(&to).unwrap();
    // An index with a different count is rebuilt.
    let from = if whole.format == "koblenz-log" { found.mutant.subject.shape().header } else { 0 };
    let is_same = bytes.get(from..) == found.bytes.get(from..);
    if is_sound && !is_packed(&found.bytes) && has_same_bytes(whole, &found.bytes) && !is_same {
        let at = bytes.iter().zip(&found.bytes).take_while(|(a, b)| a == b).count();
        return Err(Breach::new(
            LAW,
            format!("other bytes of {}", whole.format),
            said(&format_args!("from {at:#x}")),
        ));
    }
    Ok(())
}

/// Whether parts of a sound file give its bytes again; elements of documents are put together, and texts in another
/// encoding become UTF-8.
fn has_same_bytes(whole: &Reading, bytes: &[u8]) -> bool {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    !is_utf16 && !matches!(whole.format, "gpx" | "kml")
}
