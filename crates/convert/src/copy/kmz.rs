//! Copies the documents of a KMZ archive into another one.

use std::{
    collections::HashMap,
    io::{self, BufWriter, Cursor, Seek, Write},
};

use robolog_core::{Event, Limits, StreamReader};
use robolog_kml::{Kml, Kmz};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{Copied, Rewrite};
use crate::{
    Error, Input, Report, Result,
    feed::Reach,
    patient::Patient,
    source::{ReadSeek, Stream},
    target::OutputFile,
};

/// Whether the target is a KMZ archive, by its name.
pub(super) fn is_target(rewrite: &Rewrite<'_>) -> bool {
    rewrite.out.get_ref().target().extension().is_some_and(|end| end.eq_ignore_ascii_case("kmz"))
}

/// Copies an archive. Anonymised, it has one document, and nothing else: pictures may show places. The copy of a damaged
/// one has one document too, as a damaged link leads elsewhere.
pub(super) fn rewrite(input: &Input, rewrite: Rewrite<'_>) -> Result<Copied> {
    let Rewrite { out, limit, edit, progress, .. } = rewrite;
    let (mut archive, limits) = input.archive()?;
    let mut kmz = Kmz::read(&mut archive, limits.record)?;
    let is_anonymous = edit.is_some_and(|edit| edit.anonymise.is_some());
    let is_damaged_elsewhere = kmz.fault.is_some() || kmz.other_fault.is_some();
    let mut texts = Texts { is_damaged: is_damaged_elsewhere, ..Texts::default() };
    if kmz.documents.len() > 1 && (is_anonymous || kmz.fault.is_some() || is_damaged(kmz.merged(), limits)) {
        let text = kmz.merged();
        texts.withheld.extend(kmz.documents.drain(1..).filter_map(|document| document.entry));
        kmz.documents.iter_mut().for_each(|document| document.text.clone_from(&text));
    }
    if kmz.documents.len() > 1 && limit.filters_channels() {
        let message = "channels of several documents in an archive are chosen in KML: name the output .kml";
        return Err(Error::Target(message.into()));
    }
    let mut sum = Copied { parts: 0, changed: 0, withheld: 0, report: Report::default() };
    for document in kmz.documents {
        let text = Stream::forward(Box::new(Cursor::new(document.text.clone())));
        let reader = StreamReader::<_, Kml>::with_limits(text, limits)?;
        let (limit, progress) = (&mut *limit, &mut *progress);
        let one = Rewrite { out: Cursor::new(Vec::new()), limit, frames: None, edit, progress };
        let (copied, text) = one.copy(reader, Reach::default())?;
        sum.add(copied);
        let text = Kmz::unlinked(&document.text, text.into_inner());
        // What stays the same stays compressed as it was.
        let is_same = text == document.text && kmz.fault.is_none() && !is_anonymous;
        match document.entry {
            Some(_) if is_same => {}
            Some(entry) => drop(texts.changed.insert(entry, (document.name, text))),
            None => texts.found.push((document.name, text)),
        }
    }
    if let Some(fault) = kmz.fault {
        sum.report.damage(fault, 0..0);
    }
    write(archive, texts, is_anonymous, out, &mut sum)?;
    Ok(sum)
}

/// The documents of a copy.
#[derive(Default)]
struct Texts {
    /// By the places of their entries, with their names.
    changed: HashMap<usize, (String, Vec<u8>)>,
    /// Those that are in no directory.
    found: Vec<(String, Vec<u8>)>,
    /// The places of those that are part of another one.
    withheld: Vec<usize>,
    /// Whether other entries may be damaged too.
    is_damaged: bool,
}

/// Whether a document has damaged markup.
fn is_damaged(text: Vec<u8>, limits: Limits) -> bool {
    let text = Stream::forward(Box::new(Cursor::new(text)));
    let Ok(mut reader) = StreamReader::<_, Kml>::with_limits(text, limits) else { return true };
    loop {
        match reader.next_event() {
            Ok(Event::Record(_)) => {}
            Ok(Event::End) => return false,
            Ok(Event::Damage { .. }) | Err(_) => return true,
        }
    }
}

/// Writes the archive with these texts; other entries are unchanged.
fn write(
    archive: Box<dyn ReadSeek>,
    mut texts: Texts,
    is_anonymous: bool,
    out: BufWriter<OutputFile>,
    sum: &mut Copied,
) -> Result<()> {
    let mut target = ZipWriter::new(Patient::new(out));
    if let Ok(mut archive) = ZipArchive::new(archive) {
        for index in 0..archive.len() {
            let name = archive.name_for_index(index).and_then(|name| Some(name.ok()?.into_owned()));
            let is_found = texts.found.iter().any(|(found, _)| Some(found) == name.as_ref());
            if let Some((name, text)) = texts.changed.remove(&index) {
                let date = archive.by_index_raw(index).ok().and_then(|entry| entry.last_modified());
                put(&mut target, &name, date, &text)?;
            } else if is_anonymous {
                sum.withheld += 1;
            } else if is_found || texts.withheld.contains(&index) {
                // It is part of another document.
            } else if archive.by_index_raw(index).is_err()
                || texts.is_damaged && !is_whole(&mut archive, index)
            {
                let found = name.unwrap_or_else(|| index.to_string());
                let fault = robolog_core::Error::invalid("entry", found, "one that can be read", 0);
                sum.report.damage(fault.within("kmz"), 0..0);
            } else {
                target.raw_copy_file(archive.by_index_raw(index).map_err(zipped)?).map_err(zipped)?;
            }
        }
    }
    for (name, text) in texts.found {
        put(&mut target, &name, None, &text)?;
    }
    target.finish().map_err(zipped)?.into_inner()?;
    Ok(())
}

/// Whether an entry can be read, with the right checksum.
fn is_whole(archive: &mut ZipArchive<Box<dyn ReadSeek>>, index: usize) -> bool {
    archive.by_index(index).is_ok_and(|mut entry| {
        let size = entry.size();
        io::copy(&mut entry, &mut io::sink()).is_ok_and(|len| len == size)
    })
}

fn put<W: Write + Seek>(
    target: &mut ZipWriter<W>,
    name: &str,
    date: Option<zip::DateTime>,
    text: &[u8],
) -> Result<()> {
    let options = SimpleFileOptions::default().last_modified_time(date.unwrap_or_default());
    target.start_file(name, options).map_err(zipped)?;
    Ok(target.write_all(text)?)
}

fn zipped(error: zip::result::ZipError) -> Error {
    Error::Write(error.into())
}

impl Copied {
    fn add(&mut self, other: Self) {
        self.parts += other.parts;
        self.changed += other.changed;
        self.withheld += other.withheld;
        let Report { records, damage, damages, lost_bytes, .. } = other.report;
        let report = &mut self.report;
        report.records += records;
        report.damages += damages;
        report.lost_bytes = report.lost_bytes.saturating_add(lost_bytes);
        report.damage.extend(damage);
        report.damage.truncate(Report::DAMAGE_KEPT);
    }
}
