//! `split`: one file of entries per variable, like MOOS-IvP's `alogsplit`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fs::{self, OpenOptions},
    io::Write as _,
    path::Path,
};

use ::alog::{Header, Kind, Record};
use robolog_convert::{
    Error, Result,
    target::{KLOGS_MADE_HERE, Target},
};
use robolog_core::{slices::split_once, text::file_name};

use super::{finish, open, records};
use crate::{args::alog::SplitArgs, progress::Context, status::Status};

/// Bytes held of all variables before they are written.
const HELD: usize = 64 << 20;

/// A variable's open file.
#[derive(Default)]
struct Part {
    file: String,
    held: Vec<u8>,
    numbers: bool,
    strings: bool,
    sources: BTreeSet<Vec<u8>>,
}

pub(super) fn split(args: &SplitArgs, context: Context) -> Result<Status> {
    super::super::each([&*args.file], |file| {
        let mut reader = open(file, context)?;
        let folder = Target::folder(&args.out.output, args.out.existing(), &[file])?;
        let mut parts = Parts::new(folder.path(), &args.out.output);
        let report = records(&mut reader, &mut |record| parts.take(record))?;
        parts.finish(reader.header())?;
        folder.persist()?;
        Ok(finish(file, &args.out.output, &report, report.records, context))
    })
}

/// The file of an entry. As in `alogsplit`, drawings share a file, while functions of behaviours and messages of
/// applications have their own.
fn part_of<'a>(record: &Record<'a>) -> Cow<'a, [u8]> {
    let name = record.name().bytes();
    let with = |prefix: &[u8], suffix: &[u8]| Cow::Owned([prefix, b"_", suffix].concat());
    match name {
        b"BHV_IPF" => {
            // P,behaviour^iteration,piece,of,...
            let behaviour = record.value().bytes().split(|b| *b == b',').nth(1).unwrap_or_default();
            with(name, split_once(behaviour, b'^').map_or(behaviour, |(name, _)| name))
        }
        b"APP_LOG" => with(name, &record.application()),
        _ if name.starts_with(b"VIEW_") => Cow::Borrowed(b"VISUALS"),
        _ => Cow::Borrowed(name),
    }
}

struct Parts<'a> {
    folder: &'a Path,
    /// Final name of the folder.
    target: &'a Path,
    variables: BTreeMap<Vec<u8>, Part>,
    /// Names in use, in lower case: some file systems ignore case.
    files: BTreeSet<String>,
    held: usize,
    first: Option<(::alog::Seconds, Vec<u8>)>,
    last: Option<(::alog::Seconds, Vec<u8>)>,
    /// Name, type, colour and length.
    vehicle: Option<[Option<String>; 4]>,
}

impl<'a> Parts<'a> {
    fn new(folder: &'a Path, target: &'a Path) -> Self {
        Self {
            folder,
            target,
            variables: BTreeMap::new(),
            files: BTreeSet::from(["summary.klog".to_owned()]),
            held: 0,
            first: None,
            last: None,
            vehicle: None,
        }
    }

    fn take(&mut self, record: &Record<'_>) -> Result<()> {
        if record.kind() != Kind::Entry {
            return Ok(());
        }
        let name = part_of(record);
        if !self.variables.contains_key(&*name) {
            let file = self.file(&name);
            self.variables.insert(name.to_vec(), Part { file, ..Part::default() });
        }
        if let Some(time) = record.seconds() {
            let text = || Some((time, record.time_text().to_vec()));
            if self.first.as_ref().is_none_or(|(first, _)| time < *first) {
                self.first = text();
            }
            if self.last.as_ref().is_none_or(|(last, _)| time >= *last) {
                self.last = text();
            }
        }
        if self.vehicle.is_none() && record.name().starts_with(b"NODE_REPORT_LOCAL") {
            let value = record.value();
            let text = |key: &str| value.get(key).map(|v| String::from_utf8_lossy(v.trimmed()).into_owned());
            self.vehicle = Some(["NAME", "TYPE", "COLOR", "LENGTH"].map(text));
        }
        let Some(part) = self.variables.get_mut(&*name) else { return Ok(()) };
        part.held.extend_from_slice(record.bytes());
        if !record.bytes().ends_with(b"\n") {
            part.held.push(b'\n');
        }
        let is_number = record.value().number().is_some();
        part.numbers |= is_number;
        part.strings |= !is_number;
        if !part.sources.contains(record.application().bytes()) {
            part.sources.insert(record.application().to_vec());
        }
        self.held += record.bytes().len();
        if self.held >= HELD { self.flush() } else { Ok(()) }
    }

    /// A unique file name for a variable.
    fn file(&mut self, name: &[u8]) -> String {
        let stem = file_name(name);
        let mut file = format!("{stem}.klog");
        let mut number = 2_u64;
        while !self.files.insert(file.to_lowercase()) {
            file = format!("{stem}_{number}.klog");
            number += 1;
        }
        file
    }

    fn flush(&mut self) -> Result<()> {
        for part in self.variables.values_mut().filter(|part| !part.held.is_empty()) {
            let path = self.folder.join(&part.file);
            let file = OpenOptions::new().create(true).append(true).open(&path);
            let outcome = file.and_then(|mut file| file.write_all(&part.held));
            outcome.map_err(|e| Error::file(self.target.join(&part.file), e))?;
            part.held.clear();
        }
        self.held = 0;
        Ok(())
    }

    /// Writes the held entries, and the summary of all variables for `alogview`.
    fn finish(mut self, header: &Header) -> Result<()> {
        self.flush()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let time = |moment: &Option<(::alog::Seconds, Vec<u8>)>| {
            moment.as_ref().map_or_else(String::new, |(_, t)| text(t))
        };
        let mut lines = vec![
            format!("total_vars={}", self.variables.len()),
            format!("logstart={}", header.logstart_text.as_deref().map_or_else(String::new, text)),
            format!("logtmin={}", time(&self.first)),
            format!("logtmax={}", time(&self.last)),
            KLOGS_MADE_HERE.to_owned(),
        ];
        // The date in its name gives the warp.
        lines.extend(header.log_file.as_deref().map(|path| format!("logfile={}", text(path))));
        for (key, value) in
            ["vname", "vtype", "vcolor", "vlength"].iter().zip(self.vehicle.into_iter().flatten())
        {
            lines.extend(value.map(|value| format!("{key}={value}")));
        }
        for (name, part) in &self.variables {
            let kind = if part.strings { "string" } else { "double" };
            let sources: Vec<_> = part.sources.iter().map(|source| text(source)).collect();
            lines.push(format!("var={}, type={kind}, srcs={}", text(name), sources.join(":")));
        }
        let summary = "summary.klog";
        let written = fs::write(self.folder.join(summary), lines.join("\n") + "\n");
        written.map_err(|e| Error::file(self.target.join(summary), e))
    }
}
