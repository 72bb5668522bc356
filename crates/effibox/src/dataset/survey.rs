//! Counts of a whole data set, and what is odd about it.

use std::{
    collections::{BTreeMap, HashMap},
    io::Read,
};

use robolog_core::{Notes, Severity, StreamReader, Summary, survey as run};

use super::{
    Dataset, Interface, Options, Series,
    fault::{Fault, Result},
    interface::TableFile,
    merge::{header, series_of},
};
use crate::table::{self, Table, TableKind};

/// What only a data set has to tell.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Details {
    /// The interfaces, by folder and name.
    pub interfaces: Vec<InterfaceDetails>,
    /// Files of no interface.
    pub other_files: u64,
    /// Links, names that cannot be, damaged members.
    pub skipped: Vec<super::Skipped>,
}

/// What an interface holds.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InterfaceDetails {
    /// Its name.
    pub id: String,
    /// What it is.
    pub kind: super::InterfaceKind,
    /// Rows of all its tables.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Its folder.
    pub folder: String,
    /// What its name says of the device.
    pub device: String,
    /// The sensor's name on the calibration page.
    pub alias: Option<&'static str>,
    /// Images.
    pub images: u64,
    /// Scans.
    pub scans: u64,
    /// What each table holds, by path.
    pub tables: BTreeMap<String, table::Details>,
}

impl Dataset {
    /// Reads every table and counts what it holds; images and scans are counted by name. Constant memory.
    ///
    /// What cannot be read is a finding.
    pub fn survey(&self) -> Summary<Details> {
        let mut notes = Notes::default();
        let mut all =
            Details { other_files: self.others, skipped: self.skipped.clone(), ..Details::default() };
        let (mut records, mut bytes) = (0_u64, 0_u64);
        for skipped in &self.skipped {
            notes.find(Severity::Warning, "skipped", 0, format_args!("{}: {}", skipped.path, skipped.why));
        }
        let mut tables = BTreeMap::new();
        if let Err(fault) = self.survey_tables(&mut tables) {
            notes.find(Severity::Error, "unreadable", fault.error().offset(), fault);
        }
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
                let summary = match tables.remove(&table.path) {
                    None => continue,
                    Some(Ok(summary)) => summary,
                    Some(Err(fault)) => {
                        notes.find(Severity::Error, "unreadable", fault.error().offset(), fault);
                        continue;
                    }
                };
                note(interface, table, &summary, &mut notes);
                details.rows = details.rows.saturating_add(summary.details.rows);
                details.tables.insert(table.path.clone(), summary.details);
            }
            check_series(interface, &details, &mut notes);
            records = records.saturating_add(details.rows);
            bytes = bytes.saturating_add(interface.bytes);
            all.interfaces.push(details);
        }
        let variant = format!("Effibox data set of {} interfaces", all.interfaces.len());
        notes.into_summary(variant, records, bytes, all)
    }

    /// What each table holds, by path. A `.tar.gz` is expanded once for it.
    fn survey_tables(&self, all: &mut BTreeMap<String, Surveyed>) -> Result<()> {
        if self.is_random() {
            for (interface, table) in self.tables() {
                if let Some(mut stream) = self.storage.stream(&table.path)? {
                    all.insert(table.path.clone(), survey_table(interface, table, &mut stream));
                }
            }
            return Ok(());
        }
        let tables: HashMap<&str, (&Interface, &TableFile)> =
            self.tables().map(|(i, t)| (t.path.as_str(), (i, t))).collect();
        self.storage.walk(&mut |path, _| tables.contains_key(path), &mut |path, bytes| {
            if let Some((interface, table)) = tables.get(path) {
                all.insert(path.to_owned(), survey_table(interface, table, bytes));
            }
            Ok(())
        })
    }
}

/// What a table holds, or why it cannot be read.
type Surveyed = Result<Summary<table::Details>>;

fn survey_table(interface: &Interface, table: &TableFile, bytes: &mut dyn Read) -> Surveyed {
    let failed = |e| Fault::new(&table.path, e);
    let mut reader = StreamReader::<_, Table>::new(bytes).map_err(failed)?;
    let told = header(interface, table.kind, &Options::default());
    let own = reader.header_mut();
    (own.kind, own.kind_from, own.interface) = (told.kind, told.kind_from, told.interface);
    run::<table::Survey>(&mut reader).map_err(failed)
}

/// Passes on what a table's own survey found.
fn note(interface: &Interface, table: &TableFile, summary: &Summary<table::Details>, notes: &mut Notes) {
    for finding in &summary.findings {
        let message = format!("{}: {}", table.path, finding.message);
        notes.find(finding.severity, finding.code, finding.offset, message);
    }
    let series = series_of(interface, table);
    for channel in &summary.channels {
        let (name, kind) = match series {
            Some((_, true)) => (format!("{}/scan", interface.label), "laser_scan"),
            Some((_, false)) => (format!("{}/image", interface.label), "image"),
            None => (channel.name.clone(), channel.kind),
        };
        notes.tally(&name, kind, channel.records, channel.values, channel.span);
    }
}

/// Compares the files of images and scans with the rows that say when they were received.
fn check_series(interface: &Interface, details: &InterfaceDetails, notes: &mut Notes) {
    let rows_of = |kind: TableKind| {
        let table = interface.tables.iter().find(|t| t.kind == kind)?;
        Some(details.tables.get(&table.path)?.rows)
    };
    let id = &interface.label;
    for (series, kind, what) in [
        (&interface.images, TableKind::CameraDates, "images"),
        (&interface.scans, TableKind::RangeDates, "scans"),
    ] {
        let Some(series) = series else { continue };
        if series.odd > 0 {
            let message = format!("{id}: {} {what} are named in another way and are not read", series.odd);
            notes.find(Severity::Warning, "names", 0, message);
        }
        let Some(rows) = rows_of(kind) else {
            let message =
                format!("{id}: {} {what}, and no .dates that says when they were received", series.files);
            notes.find(Severity::Warning, "dates-missing", 0, message);
            continue;
        };
        let numbers = numbers(series);
        if numbers != rows {
            let message = format!("{id}: {numbers} {what} for {rows} rows of .dates");
            notes.find(Severity::Warning, "dates-count", 0, message);
        }
        if series.base(rows) > 1 {
            let message =
                format!("{id}: the first row of .dates is of number {}, as after a cut", series.base(rows));
            notes.find(Severity::Note, "numbering", 0, message);
        }
    }
}

/// Images, or scans of all layers together.
fn numbers(series: &Series) -> u64 {
    series.files.checked_div(series.layers.len().max(1) as u64).unwrap_or_default()
}
