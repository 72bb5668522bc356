//! Arguments of several commands.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args as ClapArgs;
use robolog_convert::{Bound, Error, Limit, Reason, Result, target::Existing, targets};
use robolog_core::Value;

use super::{
    channels::{self, Globs},
    time::TimeArgs,
};

#[derive(Debug, ClapArgs)]
pub(crate) struct FormatArg {
    #[arg(long = "format")]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct LimitArgs {
    #[arg(long = "channel", value_parser = channels::globs)]
    channels: Vec<Globs>,
    #[arg(long = "exclude", value_parser = channels::globs)]
    excluded: Vec<Globs>,
    #[arg(long = "actor", value_parser = channels::globs, hide_short_help = true)]
    actors: Vec<Globs>,
}

/// The kinds of samples to take.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct KindArgs {
    #[arg(long = "kind", visible_alias = "type", value_delimiter = ',')]
    #[arg(value_parser = Value::KINDS, hide_possible_values = true)]
    kinds: Vec<String>,
}

impl KindArgs {
    /// Restricts a limit to samples of these types.
    pub(crate) fn limit(&self, limit: Limit) -> Limit {
        limit.with_kinds(self.kinds.iter().cloned())
    }
}

/// The number of samples, records or rows to take.
#[derive(Debug, Default, Clone, Copy, ClapArgs)]
pub(crate) struct MostArgs {
    #[arg(short = 'n')]
    pub(crate) most: Option<u64>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct OutArgs {
    #[arg(short, long = "output")]
    pub(crate) output: PathBuf,
    #[arg(short, long)]
    pub(crate) force: bool,
    #[arg(skip)]
    made: Option<Arc<Made>>,
}

/// An output that has a name by default.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct BesideArgs {
    #[arg(short, long = "output")]
    output: Option<PathBuf>,
    #[arg(short, long)]
    force: bool,
}

impl BesideArgs {
    /// The output that was named.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The output that was named, else one beside the first input: its name without extension, and `end`; of two
    /// inputs, the names of both.
    pub(crate) fn beside(&self, inputs: &[PathBuf], end: &str) -> Result<OutArgs> {
        if let Some(output) = &self.output {
            return Ok(OutArgs::new(output.clone(), self.force));
        }
        Ok(OutArgs::new(beside(inputs, end)?, self.force))
    }
}

/// The path of an output beside the first input.
pub(crate) fn beside(inputs: &[PathBuf], end: &str) -> Result<PathBuf> {
    let named = |path: &PathBuf| {
        let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
        name.filter(|_| path != Path::new("-")).map(std::ffi::OsStr::to_owned)
    };
    // A folder such as `.` has a name of its own.
    let whole = |path: &PathBuf| {
        path.canonicalize().ok().filter(|whole| whole.is_dir()).unwrap_or_else(|| path.clone())
    };
    let inputs: Vec<PathBuf> = inputs.iter().map(whole).collect();
    let first = inputs.first().cloned().unwrap_or_default();
    let Some(mut name) = named(&first) else {
        let why = "has no name for an output beside it: name the output with -o";
        return Err(Error::file(&first, io::Error::new(io::ErrorKind::InvalidInput, why)));
    };
    if let [_, second] = inputs.as_slice()
        && let Some(second) = named(second)
    {
        name.push("_");
        name.push(second);
    }
    name.push(end);
    Ok(first.with_file_name(name))
}

/// A folder created for an output, with its parents. Removed on drop if empty.
#[derive(Debug)]
struct Made(Vec<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Only if it is empty.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Whether an existing output is replaced.
pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

impl OutArgs {
    pub(crate) fn new(output: PathBuf, force: bool) -> Self {
        Self { output, force, made: None }
    }

    pub(crate) fn existing(&self) -> Existing {
        existing(self.force)
    }

    /// The output for a copy of one file; in a folder, it keeps the name of the file.
    pub(crate) fn for_copy(&self, input: &Path) -> Result<Self> {
        let name = input.file_name().filter(|_| !input.is_dir());
        name.map_or_else(|| Ok(self.clone()), |name| self.inside(input, name.as_ref()))
    }

    /// The output for several merged files; in a folder, it is `merged` with the extension of the first.
    pub(crate) fn for_merge(&self, first: &Path) -> Result<Self> {
        let plain = if first.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
            first.with_extension("")
        } else {
            first.to_owned()
        };
        self.inside(first, &Path::new("merged").with_extension(plain.extension().unwrap_or_default()))
    }

    /// The output for `input`; in a folder, which is created, it is called `name`.
    pub(crate) fn inside(&self, input: &Path, name: &Path) -> Result<Self> {
        let mut out = self.clone();
        if !targets::is_folder(&out.output) {
            return Ok(out);
        }
        check_named(input, &out.output)?;
        let made =
            out.output.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        out.made = Some(Arc::new(Made(made.map(Path::to_owned).collect())));
        fs::create_dir_all(&out.output).map_err(|e| Error::file(&out.output, e))?;
        out.output.push(name);
        Ok(out)
    }
}

/// Returns an error for a new folder that is named like a file.
pub(crate) fn check_folder_name(folder: &Path, files: &[&str], holds: &str) -> Result<()> {
    let extension = folder.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    if extension.is_empty()
        || targets::is_folder(folder)
        || !files.iter().any(|file| file.eq_ignore_ascii_case(extension))
    {
        return Ok(());
    }
    let name = crate::render::path(&folder.with_extension(""));
    let message = format!("a folder is written, with {holds}: name it without .{extension}, such as {name}");
    Err(Error::Target(Reason::Choose(message)))
}

/// Returns an error for standard input, which has no name for an output in a folder.
pub(crate) fn check_named(input: &Path, folder: &Path) -> Result<()> {
    if input != Path::new("-") {
        return Ok(());
    }
    let why = "is a folder, and standard input has no name: name the file";
    Err(Error::file(folder, io::Error::new(io::ErrorKind::IsADirectory, why)))
}

impl LimitArgs {
    /// The limit for a recording, or for several together: each glob must match a channel of one of them.
    pub(crate) fn with(&self, time: &TimeArgs) -> Limit {
        let (from, to) = time.bounds();
        self.between(from, to)
    }

    /// The same, of the vehicle under test.
    pub(crate) fn of_hero(&self) -> Self {
        Self { actors: channels::globs("hero").into_iter().collect(), ..self.clone() }
    }

    /// The same from one bound to another.
    pub(crate) fn between(&self, from: Option<Bound>, to: Option<Bound>) -> Limit {
        let flat =
            |globs: &[Globs]| globs.iter().flat_map(|globs| globs.0.iter().cloned()).collect::<Vec<_>>();
        let filter = channels::filter(&flat(&self.channels), &flat(&self.excluded));
        let actors = flat(&self.actors);
        let filter = if actors.is_empty() { filter } else { Some(super::actors::filter(actors, filter)) };
        Limit::new(from, to, filter)
    }
}
