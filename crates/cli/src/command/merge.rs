//! `robolog merge`: joins several recordings of one format.

mod documents;
mod lidar;
mod next;
mod order;

use std::{io::BufWriter, path::Path};

use robolog_convert::{Error, Report, Result, Source, Visit, source::Stream, target::OutputFile};
use robolog_core::{
    StreamReader,
    format::{Copier as _, MergeMode},
};

use self::next::Next;
use super::{copy, inputs::expand, spool::Spooled};
use crate::{args::MergeArgs, progress::Context, render, status::Status};

/// Megabytes of MOOS logs sorted in memory.
const MEGABYTES: usize = 256;

/// The output.
type Out = BufWriter<OutputFile>;

pub(crate) fn run(args: &MergeArgs, context: Context) -> Result<Status> {
    let named = expand(&args.files, context);
    if named.status != Status::Done {
        return Ok(named.status);
    }
    if named.files.len() < 2 {
        render::say("robolog: merge takes two recordings or more, or a folder of them");
        return Ok(Status::Usage);
    }
    let inputs = named.files.iter().map(|file| Spooled::new(file)).collect::<Result<Vec<_>>>()?;
    let job = Job {
        files: named.files.iter().map(AsRef::as_ref).collect(),
        paths: inputs.iter().map(Spooled::path).collect(),
        format: args.format.name.as_deref(),
        context,
    };
    let Some(format) = job.common_format()? else { return Ok(Status::Failed) };
    let out = &args.out.for_merge(job.files.first().copied().unwrap_or(Path::new("")))?;
    if format == "alog" {
        super::alog::same_community(&job.files, &job.paths, out, context)?;
    }
    if format == "alog" && super::alog::start_apart(&job.paths, context) {
        return super::alog::merge_by_start(&job.files, &job.paths, out, MEGABYTES, context);
    }
    let target = copy::begin(out, format, &job.files)?;
    let merged = match job.paths.first() {
        Some(_) if format == "lvx" && !job.are_parts::<lvx::Lvx>()? => {
            lidar::merge(&job, &out.output, target.writer()?)?
        }
        Some(first) => {
            let visit = Merging { job: &job, out: target.writer()? };
            context.open(first)?.visit(job.format, visit)??
        }
        None => return Ok(Status::Failed),
    };
    if merged.records == 0 {
        return Err(Error::Empty("the recordings have no records".into()));
    }
    copy::end(target, out, &job.files)?;
    if !context.quiet {
        let records = render::count(merged.records, "record");
        let message = format_args!("{records} of {} recordings", named.files.len());
        render::note(&out.output, message);
    }
    Ok(if merged.is_whole { Status::Done } else { Status::Lossy })
}

/// The recordings to merge: their names, and paths that can be read repeatedly.
struct Job<'a> {
    files: Vec<&'a Path>,
    paths: Vec<&'a Path>,
    format: Option<&'a str>,
    context: Context,
}

/// Result of a merge.
struct Merged {
    records: u64,
    is_whole: bool,
}

impl Job<'_> {
    /// The common format; `None` if a recording cannot be merged, after printing why.
    fn common_format(&self) -> Result<Option<&'static str>> {
        let mut common: Option<(&'static str, &Path)> = None;
        let mut is_sound = true;
        for (path, file) in self.paths.iter().zip(&self.files) {
            let format = self.context.open(path).and_then(|input| {
                if input.is_dataset() {
                    return Err(Error::Target(
                        "data sets are not merged; robolog convert --merge -o all.mcap puts them into one file".into(),
                    ));
                }
                match self.format.and_then(named) {
                    Some(format) => Ok(format),
                    None => input.format(),
                }
            });
            match (format, common) {
                (Ok(format), None) => common = Some((format, file)),
                (Ok(format), Some((other, first))) if format != other => {
                    let first = render::path(first);
                    let message = format!(
                        "is {format}, and {first} is {other}; robolog convert --merge -o all.mcap puts them into one file"
                    );
                    return Err(Error::Target(message.into()).at(file));
                }
                (Ok(_), Some(_)) => {}
                (Err(error), _) => {
                    render::error(Some(file), &error);
                    is_sound = false;
                }
            }
        }
        Ok(common.map(|(format, _)| format).filter(|_| is_sound))
    }

    /// Opens the recordings, with their numbers.
    fn lanes<F: Source>(&self) -> Result<Vec<Next<F>>> {
        let opened = self.paths.iter().zip(&self.files).map(|(path, file)| {
            let reader = self.context.open(path).and_then(|input| input.reader::<F>(self.format));
            reader.and_then(Next::new).map_err(|error| error.at(file))
        });
        opened.collect()
    }

    /// The order of files with the names of `split`'s parts, if no number is missing in between.
    fn numbers(&self) -> Option<Vec<usize>> {
        let mut found: Vec<(u64, usize)> = Vec::new();
        let mut common = None;
        for (place, file) in self.files.iter().enumerate() {
            let (stem, number, extension) = part_of(file.file_name()?.to_str()?)?;
            if *common.get_or_insert((stem, extension)) != (stem, extension) {
                return None;
            }
            found.push((number, place));
        }
        found.sort_unstable();
        let first = found.first().map_or(0, |(number, _)| *number);
        let is_gapless = (first..).zip(&found).all(|(due, (number, _))| due == *number);
        is_gapless.then(|| found.into_iter().map(|(_, place)| place).collect())
    }

    /// Whether they have the names of `split`'s parts and the same header.
    fn are_parts<F: Source>(&self) -> Result<bool> {
        if self.numbers().is_none() {
            return Ok(false);
        }
        let lanes = self.lanes::<F>()?;
        let mut headers = lanes.iter().map(Next::header_bytes);
        let first = headers.next();
        Ok(headers.all(|header| Some(header) == first))
    }

    /// Prints the losses of each recording.
    fn report(&self, reports: &[Report]) -> bool {
        for (file, report) in self.files.iter().zip(reports) {
            render::losses(file, report);
        }
        reports.iter().all(Report::is_complete)
    }
}

/// Stem, number and extension of a name like `drive-007.lvx`.
fn part_of(name: &str) -> Option<(&str, u64, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    let is_number = number.len() >= 3 && number.bytes().all(|b| b.is_ascii_digit());
    Some((stem, number.parse().ok().filter(|_| is_number)?, extension))
}

/// The name of a format without its dialect.
fn named(name: &str) -> Option<&'static str> {
    let name = name.split(':').next()?;
    robolog_convert::source::formats().into_iter().find(|known| *known == name)
}

struct Merging<'a> {
    job: &'a Job<'a>,
    out: Out,
}

impl Visit for Merging<'_> {
    type Output = Result<Merged>;

    fn visit<F: Source>(self, first: StreamReader<Stream, F>) -> Result<Merged> {
        let numbers = self.job.numbers();
        match F::Copier::<Out>::merge_mode(first.header()) {
            MergeMode::Document => documents::merge::<F>(self.job, self.out),
            MergeMode::Sequence => order::sequence::<F>(self.job, self.out, numbers),
            _ if numbers.is_some() => order::sequence::<F>(self.job, self.out, numbers),
            _ => order::by_time::<F>(self.job, self.out),
        }
    }
}
