//! Conversion of a recording, with the defaults of `robolog convert`.

use std::io::BufWriter;

use robolog_convert::{
    Error, Feed, Input, Opening, Plan, Result, Selection, Settings, SinkOptions, convert as drive,
    op::DropNoReturns,
    sink::{Holds, McapCompression, McapSchema, Need},
    source::dates_tracks,
    survey, targets,
};
use serde::Deserialize;

use crate::{Out, Recording, Written, copy};

/// The target and its options.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Writing {
    /// Name of the target, as for `--to`.
    pub to: String,
    /// Messages of an MCAP file: `ros2` or `foxglove`.
    #[serde(default)]
    pub schema: Option<String>,
    /// Start time, as for `--start`.
    #[serde(default)]
    pub start: Option<String>,
    /// End time, exclusive, as for `--end`.
    #[serde(default)]
    pub end: Option<String>,
    /// Whether to keep points of shots without a return, as for `--keep-no-returns`.
    #[serde(default)]
    pub keep_no_returns: bool,
}

pub(crate) fn convert(
    writing: &Writing,
    recording: &Recording,
    out: Out,
    progress: &mut dyn FnMut(u64),
) -> Result<String> {
    let target = targets::by_name(&writing.to)?;
    let mut options = SinkOptions::default();
    options.mcap.compression = McapCompression::None;
    options.mcap.schema = match writing.schema.as_deref() {
        None | Some("ros2") => McapSchema::Ros2,
        Some("foxglove") => McapSchema::Foxglove,
        Some(other) => return Err(Error::Target(format!("no schema {other}: ros2 and foxglove").into())),
    };
    let input = recording.input()?;
    let format = recording.format();
    let mut settings = Settings::default();
    if target.needs(Need::OneFrame) {
        settings.lvx.apply_extrinsics = lvx::ApplyExtrinsics::File;
    }
    let mut limit = copy::limit(writing.start.as_deref(), writing.end.as_deref())?;
    let needs_start = limit.is_relative() || target.needs(Need::Start);
    let needs_epoch = target.needs(Need::Dates) && dates_tracks(name_of(&input, format)?);
    let is_table = matches!(target.holds, Holds::Table | Holds::Columns);
    let mut selection = Selection::Everything;
    if needs_start || needs_epoch || is_table {
        let surveyed = survey(recording.input()?, format, progress)?;
        if needs_epoch {
            settings.epoch = surveyed.summary.epoch;
        }
        let moved = |time| settings.moved(time);
        let span = surveyed.summary.span.filter(|_| needs_start);
        if let Some((start, end)) = span.and_then(|(start, end)| moved(start).zip(moved(end))) {
            limit.begin_at(start);
            limit.end_at(end);
        }
        let mut kinds = surveyed.summary.channels.iter().map(|channel| channel.kind);
        if is_table && kinds.next().is_some_and(|first| kinds.all(|kind| kind == first)) {
            selection = Selection::Channels;
        }
    }
    let feed = Feed::new(input).with_format(format).with_settings(settings).with_limit(limit);
    options.las.withhold = writing.keep_no_returns;
    let mut plan = Plan::new(vec![feed]);
    if targets::drops_no_returns(target) && !writing.keep_no_returns {
        plan = plan.with_step(DropNoReturns);
    }
    let mut sink = target.open(BufWriter::with_capacity(1 << 20, out), &Opening::new(options, selection))?;
    let report = drive(plan, &mut *sink, progress)?;
    sink.finish()?;
    Written::of(&report, target.extension()).to_json()
}

/// The name of the format without its dialect.
fn name_of<'a>(input: &Input, format: Option<&'a str>) -> Result<&'a str> {
    match format {
        Some(name) => Ok(name.split_once(':').map_or(name, |(name, _)| name)),
        None => input.format(),
    }
}
