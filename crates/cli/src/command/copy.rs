//! The output of verbs that copy records: checked for its extension, and compressed for `.gz`.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::Path,
};

use flate2::{Compression, write::GzEncoder};
use robolog_convert::{Error, Input, Result, target::Target, targets};

use crate::{args::OutArgs, progress::Context, render};

/// The format of an input: `named` without its dialect, if given.
pub(crate) fn format_of<'a>(input: &Input, named: Option<&'a str>) -> Result<&'a str> {
    match named {
        Some(name) => Ok(name.split_once(':').map_or(name, |(name, _)| name)),
        None => input.format(),
    }
}

/// What the copied parts of a recording are called: less than a record in formats whose records hold several.
pub(crate) fn unit(format: &str) -> &'static str {
    match format {
        "lvx" => "package",
        "carla-rec" => "frame",
        _ => "record",
    }
}

/// Opens the output for records of this format. Returns an error if its extension is of another format.
pub(crate) fn begin(out: &OutArgs, format: &str, inputs: &[&Path]) -> Result<Target> {
    let path = if is_gzip(&out.output) { out.output.with_extension("") } else { out.output.clone() };
    if let Some(named) = path.extension().and_then(|_| targets::by_path(&path).ok())
        && named.name != format
        && !(named.name == "kmz" && format == "kml" && matches!(inputs, [input] if is_zip(input)))
    {
        let (name, other) = (render::path(&out.output), named.name);
        let message = format!("a copy is {format}, but {name} says {other}: robolog convert writes {other}");
        return Err(Error::Target(message.into()));
    }
    Target::create(&out.output, out.existing(), inputs)
}

/// Completes the output, compressed if its name ends in `.gz`.
pub(crate) fn end(target: Target, out: &OutArgs, inputs: &[&Path]) -> Result<()> {
    if !is_gzip(&out.output) {
        return target.persist();
    }
    let failed = |e| Error::file(&out.output, e);
    let compressed = Target::create(&out.output, out.existing(), inputs)?;
    let mut encoder = GzEncoder::new(compressed.writer()?, Compression::default());
    let mut plain = File::open(target.path()).map_err(failed)?;
    io::copy(&mut plain, &mut encoder).and_then(|_| encoder.finish()?.flush()).map_err(failed)?;
    compressed.persist()
}

/// Prints how to open a copy whose format cannot be detected from its bytes.
pub(crate) fn say_if_unknown(
    out: &OutArgs,
    asked: Option<&str>,
    format: &str,
    context: Context,
) -> Result<()> {
    // Pipes and devices are not read back.
    if asked.is_none() && out.output.is_file() && context.open(&out.output)?.format().is_err() {
        let keep = "only the name of the recording's file shows its format: keep that name";
        render::note(&out.output, format_args!("{keep}, or say --format {format}"));
    }
    Ok(())
}

/// Whether a file is an archive: a copy of a KMZ may be one.
fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"PK\x03\x04"
}

fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}
