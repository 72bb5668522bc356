//! LiDAR packets: captures to recordings, and recordings to captures.

use std::path::Path;

use robolog_capture::{NothingToExtract, to_log, to_lvx};
use robolog_convert::{Error, Input, Reason, Report, Result, capture_of_log, target::Target};

use super::{
    super::overview::{self, Overview},
    Done,
};
use crate::{args::ConvertArgs, progress::Context, render};

/// The format of the output, or its extension.
fn named(args: &ConvertArgs, output: &Path) -> String {
    let extension = || output.extension().unwrap_or_default().to_string_lossy().into_owned();
    args.to.clone().unwrap_or_else(extension)
}

/// Whether the output is a recording that takes the packets of a capture unchanged.
pub(super) fn names_recording(args: &ConvertArgs, output: &Path) -> bool {
    matches!(&*named(args, output), "lvx" | "lvx2" | "koblenz-log" | "log" | "vel")
}

/// Writes the packets of LiDARs as a recording.
pub(super) fn capture(
    file: &Path,
    is_file: bool,
    output: &Path,
    args: &ConvertArgs,
    context: Context,
) -> Result<Done> {
    if !is_file {
        return Err(Error::Target("a capture is read twice: give a file, not a pipe".into()));
    }
    if args.per.is_some() || !args.limit().is_unlimited() {
        return Err(Error::Target("a capture is converted whole: cut or split the result".into()));
    }
    let out = Target::create(output, args.out.existing(), &[file])?;
    let open = &mut || Ok::<_, Failed>(context.open(file)?.into_stream());
    let mut reading = Report::default();
    let on_damage = &mut |error, lost| reading.damage(error, lost);
    if !named(args, output).starts_with("lvx") {
        let (_, report) = to_log(open, out.writer()?, on_damage).map_err(|Failed(error)| error)?;
        out.persist()?;
        if !context.quiet {
            let (packets, messages) =
                (render::count(report.packets, "packet"), render::count(report.messages, "message"));
            render::note(output, format_args!("{packets} in {messages}"));
        }
        let counts = (report.packets, report.left_out);
        let done = finished(file, &reading, counts, "packets with positions", args.strict);
        twice(file, report.duplicates);
        if report.others > 0 {
            let others = render::count(report.others, "packet");
            render::note(file, format_args!("left out {others} of other heads: a log holds those of one"));
        }
        return Ok(Done { lossy: done.lossy || report.others > 0, ..done });
    }
    let (_, report) =
        to_lvx(open, out.writer()?, context.livox(), on_damage).map_err(|Failed(error)| error)?;
    if let Some(version) = report.version.filter(|_| asks_for_lvx2(args, output))
        && version != lvx::Version::V2_0
    {
        let message = format!("the packets of this LiDAR make {version}: name the output .lvx");
        return Err(Error::Target(Reason::Choose(message)));
    }
    out.persist()?;
    let counts = (report.packages, report.left_out);
    let what = match report.left_out_imu {
        0 => "packets",
        n if n == report.left_out => "IMU packets",
        _ => "packets, some of IMUs",
    };
    let done = finished(file, &reading, counts, what, args.strict);
    twice(file, report.duplicates);
    if !context.quiet {
        let version = report.version.map_or_else(String::new, |v| v.to_string());
        let (packages, frames) =
            (render::count(report.packages, "package"), render::count(report.frames, "frame"));
        render::note(output, format_args!("{version}, {packages} in {frames}"));
    }
    Ok(done)
}

/// Whether the output is to be LVX2.
pub(super) fn asks_for_lvx2(args: &ConvertArgs, output: &Path) -> bool {
    named(args, output).eq_ignore_ascii_case("lvx2")
}

/// Why packets are not extracted.
struct Failed(Error);

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<robolog_core::Error> for Failed {
    fn from(error: robolog_core::Error) -> Self {
        Self(error.into())
    }
}

impl From<NothingToExtract> for Failed {
    fn from(why: NothingToExtract) -> Self {
        let reason = Reason::Capture(why.to_string());
        Self(if why == NothingToExtract::Devices { Error::Target(reason) } else { Error::Empty(reason) })
    }
}

/// Prints the losses of a capture; `written` and `left_out` count packets.
fn finished(
    file: &Path,
    reading: &Report,
    (written, left_out): (u64, u64),
    what: &str,
    strict: bool,
) -> Done {
    render::losses(file, reading);
    if left_out > 0 {
        render::note(file, format_args!("note: skipped {left_out} {what}: the target cannot hold them"));
    }
    let lossy = reading.damages > 0 || strict && left_out > 0;
    Done { lossy, samples: written + left_out, written, ..Done::default() }
}

/// Says how many packets were captured twice.
fn twice(file: &Path, duplicates: u64) {
    if duplicates > 0 {
        let packets = render::count(duplicates, "packet");
        render::note(file, format_args!("note: {packets} captured twice, written once"));
    }
}

pub(super) fn names_pcap(args: &ConvertArgs, output: &Path) -> bool {
    named(args, output) == "pcap"
}

/// Writes the Velodyne packets of a log as a capture.
pub(super) fn packets(
    file: &Path,
    input: Input,
    output: &Path,
    args: &ConvertArgs,
    context: Context,
) -> Result<Done> {
    let format = match &args.format.name {
        Some(name) => name.clone(),
        None => input.format()?.to_owned(),
    };
    if format != "koblenz-log" {
        return Err(Error::Target(
            format!("packets can be written from Koblenz logs only, not from {format}").into(),
        ));
    }
    let overview = Overview::new(&input, Some(&format), context);
    let (settings, mut limit) = (args.reading.settings(&input, &overview, 0)?, args.limit());
    overview.choose(&mut limit)?;
    if limit.is_relative() {
        let span = overview.span(&limit, &settings)?;
        overview::place(&mut limit, span);
    }
    let out = Target::create(output, args.out.existing(), &[file])?;
    let (_, report) = capture_of_log(input.into_stream(), &settings, &mut limit, out.writer()?)?;
    out.persist()?;
    render::losses(file, &report);
    let packets = report.written.values().map(|n| n.samples).sum::<u64>();
    if !context.quiet {
        render::note(output, render::count(packets, "packet"));
    }
    Ok(Done { lossy: !report.is_complete(), samples: packets, written: packets, ..Done::default() })
}
