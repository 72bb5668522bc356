//! `robolog koblenz`: tools for Koblenz logs.

use robolog_convert::{Error, Result, target::Target};
use robolog_core::{format::KnownLength, slices::length};

use crate::{
    args::koblenz::{Koblenz, ReindexArgs},
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &Koblenz, context: Context) -> Result<Status> {
    match args {
        Koblenz::Reindex(args) => reindex(args, context),
    }
}

fn reindex(args: &ReindexArgs, context: Context) -> Result<Status> {
    let file = &*args.file;
    let input = KnownLength::open(file, 0)?;
    let to = args.out.for_copy(file)?;
    let out = Target::create(&to.output, to.existing(), &[file])?;
    let reindexed = koblenz_log::reindex(input, out.writer()?);
    let (_, report) = reindexed.map_err(|error| Error::from(error).at(file))?;
    if report.messages == 0 {
        return Err(Error::Empty("the log has no message".into()).at(file));
    }
    out.persist()?;
    for (error, lost) in &report.damage {
        let lost = render::count(length(lost), "byte");
        render::note(file, format_args!("{error}; {lost} left out"));
    }
    if !context.quiet {
        let (entries, messages) = (report.entries, report.messages);
        render::note(&to.output, format_args!("{messages} messages, {entries} index entries"));
    }
    Ok(if report.damage.is_empty() { Status::Done } else { Status::Lossy })
}
