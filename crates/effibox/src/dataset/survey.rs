//! Counts of a whole data set, and its oddities.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::Read,
    ops::ControlFlow,
};

use robolog_core::{
    Error, ErrorKind, Finding, Severity, StreamReader, Summary, Value,
    format::{SurveyBuilder, SurveyStep, survey_by},
    geodetic::Bounds,
};

use super::{
    Dataset, Event, Interface, Options,
    fault::{Fault, Result, is_dates},
    feed::header,
    interface::TableFile,
    recording,
};
use crate::table::{self, Table, TableKind, UtcReading};

/// Details of a data set.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Details {
    /// The interfaces, by folder and name.
    pub interfaces: Vec<InterfaceDetails>,
    /// Files of no interface.
    pub other_files: u64,
    /// Links, invalid names, damaged members.
    pub skipped: Vec<super::Skipped>,
    /// Start of the acquisition, if the files give it.
    pub epoch: Option<super::Epoch>,
    /// Bounding box of the positions of all tables, tracks and sentences.
    pub extent: Option<Bounds>,
}

/// Details of an interface.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct InterfaceDetails {
    /// Its name.
    pub id: String,
    /// Its kind.
    pub kind: super::InterfaceKind,
    /// Rows of all its tables.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Its folder.
    pub folder: String,
    /// Address of the device, from its name.
    pub device: String,
    /// The sensor's name on the calibration page.
    pub alias: Option<&'static str>,
    /// Images.
    pub images: u64,
    /// Scans.
    pub scans: u64,
    /// Details of each table, by path.
    pub tables: BTreeMap<String, table::Details>,
}

impl Dataset {
    /// Reads every file and counts the samples of a [`visit`](Self::visit) with the mounts: the same channels, the same
    /// numbers; a record is a sample. Whatever cannot be delivered is a finding. Constant memory; tables and tracks are
    /// read twice.
    pub fn survey(&self) -> Summary<Details> {
        let mut notes = SurveyBuilder::default();
        let mut all =
            Details { other_files: self.others, skipped: self.skipped.clone(), ..Details::default() };
        for skipped in self.skipped.iter().filter(|skipped| !skipped.is_damage) {
            notes.find(Severity::Warning, "skipped", 0, format_args!("{}: {}", skipped.path, skipped.why));
        }
        if !self.left_out.is_empty() {
            let message = "files were lost or shortened when this was recovered: left_out.txt lists them";
            notes.find(Severity::Warning, "left-out", 0, message);
        }
        let mut found = Found::default();
        if let Err(fault) = self.survey_files(&mut found) {
            notes.find(Severity::Error, "unreadable", fault.error().offset(), fault);
        }
        let mut bytes = 0_u64;
        let mut told = HashSet::new();
        for interface in &self.interfaces {
            let mut details = InterfaceDetails {
                id: interface.id.clone(),
                kind: interface.kind,
                files: interface.files,
                folder: interface.folder.clone(),
                device: interface.address.to_string(),
                alias: interface.mount().map(|mount| mount.alias),
                images: interface.images.as_ref().map_or(0, |s| s.files),
                scans: interface.scans.as_ref().map_or(0, |s| s.files),
                ..InterfaceDetails::default()
            };
            for table in &interface.tables {
                let summary = match found.tables.remove(&table.path) {
                    None => continue,
                    Some(Ok(summary)) => self.with_reading(interface, summary),
                    Some(Err(fault)) => {
                        told.insert(table.path.as_str());
                        notes.find(Severity::Error, "unreadable", fault.error().offset(), fault);
                        continue;
                    }
                };
                let is_explained = is_dates(&table.path) && self.left_out.contains(&table.path);
                let of_reader = |finding: &&Finding| !is_explained || finding.code != "odd-row";
                let findings: Vec<_> = summary.findings.iter().filter(of_reader).cloned().collect();
                note(&table.path, &findings, &mut notes, &mut told);
                details.rows += summary.details.rows;
                details.tables.insert(table.path.clone(), summary.details);
            }
            if interface.images.is_some() {
                for path in &interface.videos {
                    notes.find(
                        Severity::Note,
                        "video",
                        0,
                        format_args!("{path}: a video beside images is not read"),
                    );
                }
            }
            for (path, _) in recording::of_interface(interface) {
                // The visit reports unreadable files.
                if let Some(Ok(findings)) = found.recordings.remove(path) {
                    note(path, &findings, &mut notes, &mut told);
                }
            }
            check_series(interface, &details, &mut notes);
            if interface.sentences.is_some() && interface.sentence_dates().is_none() {
                let message =
                    format_args!("{}: no .dates says when the sentences were received", interface.label);
                notes.find(Severity::Warning, "dates-missing", 0, message);
            }
            bytes = bytes.saturating_add(interface.bytes);
            all.interfaces.push(details);
        }
        let records = self.count(&told, &mut all.extent, &mut notes);
        match self.epoch() {
            Ok(epoch) => all.epoch = epoch,
            Err(fault) => notes.find(Severity::Error, "unreadable", fault.error().offset(), fault),
        }
        if let Some(epoch) = &all.epoch {
            let message = format_args!(
                "the acquisition began about {}, by {}: --epoch auto gives all times in UTC",
                epoch.start,
                epoch.from.name()
            );
            notes.find(Severity::Note, "epoch", 0, message);
            notes.epoch(Some(epoch.start));
        }
        let variant = format!("Effibox data set of {} interfaces", all.interfaces.len());
        notes.into_summary(variant, records, bytes, all)
    }

    /// Decides how `utc_time` is written, if the receiver's other files do.
    fn with_reading(
        &self,
        interface: &Interface,
        mut summary: Summary<table::Details>,
    ) -> Summary<table::Details> {
        if let Some(gga) = &mut summary.details.gga
            && gga.utc_time == UtcReading::Ambiguous
            // The visit reports unreadable files.
            && let Ok(Some((reading, start))) = self.utc_reading(interface)
        {
            (gga.utc_time, gga.start_of_day_s) = (reading, Some(start));
            summary.findings.retain(|finding| finding.code != "utc-time");
        }
        summary
    }

    /// Counts the samples of a visit and their bounding box. Faults of files in `told` are findings already.
    fn count(&self, told: &HashSet<&str>, extent: &mut Option<Bounds>, notes: &mut SurveyBuilder) -> u64 {
        let mut samples = 0;
        let counted = self.visit::<Fault>(&Options::default().with_mounts(), &mut |event| {
            match event {
                Event::Sample(sample) => {
                    samples += 1;
                    match &sample.value {
                        Value::GnssFix(fix) => table::widen(extent, fix),
                        Value::Feature(feature) => {
                            for place in feature.geometry.positions() {
                                *extent = Bounds::with(*extent, place.latitude, place.longitude);
                            }
                        }
                        _ => {}
                    }
                    notes.sample(sample);
                }
                Event::Fault(fault) if told.contains(fault.file()) => {}
                Event::Fault(fault) => {
                    notes.find(Severity::Error, code(fault.error()), fault.error().offset(), fault);
                }
            }
            Ok(())
        });
        if let Err(fault) = counted {
            notes.find(Severity::Error, "unreadable", fault.error().offset(), fault);
        }
        samples
    }

    /// Surveys each table, track and file of sentences, by path. A `.tar.gz` is expanded once.
    fn survey_files(&self, found: &mut Found) -> Result<()> {
        let tables: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        let recordings: HashMap<&str, recording::RecordingKind> =
            self.interfaces.iter().flat_map(recording::of_interface).collect();
        let mut survey = |path: &str, bytes: &mut dyn Read| {
            if let Some((interface, table)) = tables.get(path) {
                found.tables.insert(path.to_owned(), survey_table(interface, table, bytes));
            } else if let Some(kind) = recordings.get(path) {
                let findings = recording::survey(self, (path, *kind), bytes);
                found.recordings.insert(path.to_owned(), findings);
            }
            Ok(())
        };
        if !self.is_random() {
            let mut want = |path: &str, _| tables.contains_key(path) || recordings.contains_key(path);
            return self.storage.walk(&mut want, &mut survey);
        }
        for path in tables.keys().chain(recordings.keys()) {
            if let Some(mut stream) = self.storage.stream(path)? {
                survey(path, &mut stream)?;
            }
        }
        Ok(())
    }
}

/// The surveys of single files, by path.
#[derive(Default)]
struct Found {
    tables: BTreeMap<String, Surveyed>,
    recordings: BTreeMap<String, Result<Vec<Finding>>>,
}

/// Details of a table, or the error that prevents reading it.
type Surveyed = Result<Summary<table::Details>>;

pub(super) fn survey_table(interface: &Interface, table: &TableFile, bytes: &mut dyn Read) -> Surveyed {
    let failed = |e| Fault::new(&table.path, e);
    let mut reader = StreamReader::<_, Table>::new(bytes).map_err(failed)?;
    let told = header(interface, table.kind, &Options::default());
    let own = reader.header_mut();
    (own.kind, own.kind_from, own.interface) = (told.kind, told.kind_from, told.interface);
    let decoder = table::Decoder::of_rows(own);
    let each = &mut |_: SurveyStep<'_, Table>| ControlFlow::Continue(());
    survey_by(decoder, &mut reader, None, each).map(|(summary, _)| summary).map_err(failed)
}

/// Adds the findings of a file's own survey. A file with an error is added to `told`.
fn note<'d>(path: &'d str, findings: &[Finding], notes: &mut SurveyBuilder, told: &mut HashSet<&'d str>) {
    for finding in findings {
        notes.find(
            finding.severity,
            finding.code,
            finding.offset,
            format_args!("{path}: {}", finding.message),
        );
        if finding.severity == Severity::Error {
            told.insert(path);
        }
    }
}

/// Finding code of a file's fault.
fn code(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::NotFound => "missing-file",
        ErrorKind::Io(_) => "unreadable",
        // The size of a torn image is larger than its file.
        ErrorKind::Truncated { .. } | ErrorKind::Invalid { what: "image size", .. } => "truncated",
        ErrorKind::Limit { .. } => "limit",
        ErrorKind::Unsupported { .. } => "unsupported",
        ErrorKind::Invalid { what: "number of impacts", .. } => "impacts",
        ErrorKind::Invalid { what: "images" | "scans", .. } => "dates",
        _ => "damaged",
    }
}

/// Notes images and scans whose numbers do not begin with 1.
fn check_series(interface: &Interface, details: &InterfaceDetails, notes: &mut SurveyBuilder) {
    let rows_of = |kind: TableKind| {
        let table = interface.tables.iter().find(|t| t.kind == kind)?;
        Some(details.tables.get(&table.path)?.rows)
    };
    let id = &interface.label;
    for (series, kind) in
        [(&interface.images, TableKind::CameraDates), (&interface.scans, TableKind::RangeDates)]
    {
        let Some(series) = series else { continue };
        // The visit reports missing files and rows.
        let Some(rows) = rows_of(kind) else { continue };
        if series.base(rows) > 1 {
            let message = format_args!(
                "{id}: the first row of .dates is of number {}, as after a cut",
                series.base(rows)
            );
            notes.find(Severity::Note, "numbering", 0, message);
        }
    }
}
