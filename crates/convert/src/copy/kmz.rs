//! Copies the documents of a KMZ archive into another one.

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, BufWriter, Cursor, Seek, Write},
};

use robolog_core::StreamReader;
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

/// Copies an archive. Anonymised, it has one document, and nothing else: pictures may show places.
pub(super) fn rewrite(input: &Input, rewrite: Rewrite<'_>) -> Result<Copied> {
    let Rewrite { out, limit, edit, progress, .. } = rewrite;
    let (mut archive, limits) = input.archive()?;
    let mut kmz = Kmz::read(&mut archive, limits.record)?;
    let is_anonymous = edit.is_some_and(|edit| edit.anonymise.is_some());
    if is_anonymous {
        let text = kmz.merged();
        kmz.documents.truncate(1);
        kmz.documents.iter_mut().for_each(|document| document.text.clone_from(&text));
    }
    if kmz.documents.len() > 1 && limit.filters_channels() {
        let message = "channels of several documents in an archive are chosen in KML: name the output .kml";
        return Err(Error::Target(message.into()));
    }
    let mut sum = Copied { parts: 0, changed: 0, withheld: 0, report: Report::default() };
    let mut texts = HashMap::new();
    for document in kmz.documents {
        let text = Stream::forward(Box::new(Cursor::new(document.text.clone())));
        let reader = StreamReader::<_, Kml>::with_limits(text, limits)?;
        let (limit, progress) = (&mut *limit, &mut *progress);
        let one = Rewrite { out: Cursor::new(Vec::new()), limit, frames: None, edit, progress };
        let (copied, text) = one.copy(reader, Reach::default())?;
        sum.add(copied);
        let text = text.into_inner();
        // What stays the same stays compressed as it was.
        let is_same = text == document.text && kmz.fault.is_none() && !is_anonymous;
        texts.insert(document.name, Some(text).filter(|_| !is_same));
    }
    if let Some(fault) = kmz.fault {
        sum.report.damage(fault, 0..0);
    }
    write(archive, texts, is_anonymous, out, &mut sum)?;
    Ok(sum)
}

/// Writes the archive with these texts; those of `None` are unchanged.
fn write(
    archive: Box<dyn ReadSeek>,
    mut texts: HashMap<String, Option<Vec<u8>>>,
    is_anonymous: bool,
    out: BufWriter<OutputFile>,
    sum: &mut Copied,
) -> Result<()> {
    let mut target = ZipWriter::new(Patient::new(out));
    if let Ok(mut archive) = ZipArchive::new(archive) {
        for index in 0..archive.len() {
            let entry = match archive.by_index_raw(index) {
                Ok(entry) => entry,
                Err(error) => {
                    sum.report
                        .damage(robolog_core::Error::io(io::Error::other(error), 0).within("kmz"), 0..0);
                    continue;
                }
            };
            let name = entry.name().map_or_else(|_| String::new(), Cow::into_owned);
            match texts.remove(&name) {
                Some(Some(text)) => put(&mut target, &name, entry.last_modified(), &text)?,
                None if is_anonymous => sum.withheld += 1,
                _ => target.raw_copy_file(entry).map_err(zipped)?,
            }
        }
    }
    // Without a directory, only the documents are known.
    for (name, text) in texts {
        put(&mut target, &name, None, &text.unwrap_or_default())?;
    }
    target.finish().map_err(zipped)?.into_inner()?;
    Ok(())
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
