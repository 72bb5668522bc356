//! Conversion to other formats, and the report page.

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict},
};
use robolog_convert::{
    Destination, Error, LidarModel, Opening, PcdData, Per, Report, Result, Selection, Settings, SinkOptions,
    TargetSpec, convert, convert_into_folder, csvw,
    sink::{
        BagCompression, ImuUnit, LasIntensity, LasVersion, McapCompression, McapSchema, Need, PointLayout,
    },
    source::dates_tracks,
    target::{Existing, Target},
    targets,
};

use crate::{limit::Query, opened::Opened, pulse::Pulse};

/// The target of a conversion.
pub(crate) struct Job {
    output: PathBuf,
    to: Option<String>,
    per: Option<Per>,
    existing: Existing,
    options: SinkOptions,
}

/// A file that is completed before it is copied to a file object.
pub(crate) struct Whole(tempfile::TempDir);

/// Destination of the output: a path, or a file that is copied to a file object.
pub(crate) fn output(given: &Bound<'_, PyAny>, to: Option<&str>) -> PyResult<(PathBuf, Option<Whole>)> {
    if let Ok(path) = given.extract() {
        return Ok((path, None));
    }
    if !given.hasattr("write")? {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a path or a binary file object is written to, not {kind}"
        )));
    }
    if to.is_none() {
        return Err(PyValueError::new_err("a file object has no ending: to= names the target"));
    }
    let whole = Whole(tempfile::tempdir()?);
    Ok((whole.path(), Some(whole)))
}

impl Whole {
    fn path(&self) -> PathBuf {
        self.0.path().join("output")
    }

    pub(crate) fn copy_into(self, to: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut file = std::fs::File::open(self.path()).map_err(|_| {
            PyValueError::new_err("a file object takes one file: what makes a folder needs a path")
        })?;
        let mut block = vec![0; BLOCK];
        loop {
            let n = file.read(&mut block)?;
            let Some(part) = block.get(..n).filter(|part| !part.is_empty()) else { return Ok(()) };
            to.call_method1("write", (PyBytes::new(to.py(), part),))?;
        }
    }
}

/// Bytes copied to a file object at a time.
const BLOCK: usize = 1 << 20;

/// The names of the options, to suggest one after a typing error.
const NAMES: &str = "pcd_data, schema, mcap_compression, bag_compression, points, imu_unit, scan_points, las_intensity, \
                     las_version, crs, hive, carla_map, carla_blueprint";

impl Job {
    pub(crate) fn new(
        output: PathBuf,
        to: Option<String>,
        per: Option<&str>,
        force: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let per = match per {
            None => None,
            Some("frame" | "scan") => Some(Per::Frame),
            Some("channel") => Some(Per::Channel),
            Some("device") => Some(Per::Device),
            Some("name") => Some(Per::Name),
            Some(other) => {
                let names = "\"frame\", \"channel\", \"device\" or \"name\"";
                return Err(PyValueError::new_err(format!("per={other:?}: choose {names}")));
            }
        };
        let mut chosen = SinkOptions::default();
        for (name, value) in options.into_iter().flatten() {
            set(&mut chosen, &name.extract::<String>()?, &value)?;
        }
        let existing = if force { Existing::Replace } else { Existing::Keep };
        Ok(Self { output, to, per, existing, options: chosen })
    }

    pub(crate) fn run(mut self, opened: &Opened, query: &Query, pulse: &Pulse) -> Result<Report> {
        let target = match &self.to {
            Some(name) if self.per.is_none() => targets::asked(name, &self.output)?,
            Some(name) => targets::by_name(name)?,
            None => targets::by_path(&self.output)?,
        };
        let settings = self.settings(opened, target, pulse)?;
        self.options.las.origin = settings.origin;
        let model = settings.model.and_then(LidarModel::livox);
        self.options.lvx.device_type = model.map(|model| model.device_type().0);
        let mut start = None;
        if target.needs(Need::Start) {
            start = opened.span(&settings, pulse)?;
        }
        let mut feed = opened.feed_with(settings, pulse, query)?;
        if let Some((start, end)) = start {
            let mut limit = query.limit();
            limit.begin_at(start);
            limit.end_at(end);
            feed = feed.with_limit(limit);
        }
        let mut progress = |at| drop(pulse.tick(Some(at)));
        let Self { output, per, existing, options, .. } = self;
        let named = |error| match error {
            Error::Write(e) => Error::file(&output, e),
            error => error,
        };
        if let Some(per) = per {
            let to = Destination { path: &output, existing, options: &options };
            return convert_into_folder(vec![feed], target, per, &to, &mut progress).map_err(named);
        }
        if options.tables.hive {
            return Err(Error::Target("hive lays out a folder: add per=\"channel\" or per=\"kind\"".into()));
        }
        let inputs: Vec<&Path> = opened.source.path().into_iter().collect();
        let out = Target::create(&output, existing, &inputs)?;
        let described =
            if target.needs(Need::Units) { csvw::beside(&output, existing, &inputs)? } else { None };
        let selection = if query.chooses_channels() { Selection::Channels } else { Selection::Everything };
        let mut sink = target.open(out.writer()?, &Opening::new(options, selection))?;
        let report = convert(vec![feed], &mut *sink, &mut progress).map_err(named)?;
        let columns = sink.columns()?;
        sink.finish()?;
        out.persist()?;
        if let Some(document) = described.filter(|_| !columns.is_empty()) {
            csvw::describe(document, &output, &columns)?;
        }
        Ok(report)
    }

    /// How the recording is read for the target.
    fn settings(&self, opened: &Opened, target: &TargetSpec, pulse: &Pulse) -> Result<Settings> {
        let mut settings = opened.settings.clone();
        let is_mixed = target.needs(Need::OneFrame) && matches!(self.per, None | Some(Per::Name));
        if is_mixed && !opened.asked.extrinsics {
            settings.lvx.apply_extrinsics = lvx::ApplyExtrinsics::File;
        }
        // A track has dates or no times.
        if settings.epoch.is_none() && target.needs(Need::Dates) {
            let surveyed = opened.survey(pulse)?;
            if dates_tracks(surveyed.format) {
                settings.epoch = surveyed.summary.epoch;
            }
        }
        Ok(settings)
    }
}

/// The report page: written to `output`, else returned.
pub(crate) fn page(
    opened: &Opened,
    output: Option<&Path>,
    force: bool,
    pulse: &Pulse,
) -> Result<Option<String>> {
    let mut options = robolog_report::Options::default();
    options.format.clone_from(&opened.format);
    options.settings = opened.settings.clone();
    let mut progress = |at| drop(pulse.tick(Some(at)));
    let page =
        opened.source.with_path(pulse, |path| robolog_report::report(path, &options, &mut progress))?;
    // An exception of the caller's code.
    pulse.tick(None)?;
    let Some(output) = output else { return Ok(Some(page.html)) };
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let inputs: Vec<&Path> = opened.source.path().into_iter().collect();
    let target = Target::create(output, existing, &inputs)?;
    let mut out = target.writer()?;
    out.write_all(page.html.as_bytes())?;
    out.flush()?;
    drop(out);
    target.persist()?;
    Ok(None)
}

fn set(options: &mut SinkOptions, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "pcd_data" => {
            options.pcd.data = word(
                name,
                value,
                &[
                    ("ascii", PcdData::Ascii),
                    ("binary", PcdData::Binary),
                    ("binary_compressed", PcdData::BinaryCompressed),
                ],
            )?;
        }
        "schema" => {
            let words = [("ros2", McapSchema::Ros2), ("foxglove", McapSchema::Foxglove)];
            options.mcap.schema = word(name, value, &words)?;
        }
        "mcap_compression" => {
            options.mcap.compression = word(
                name,
                value,
                &[
                    ("zstd", McapCompression::Zstd),
                    ("lz4", McapCompression::Lz4),
                    ("none", McapCompression::None),
                ],
            )?;
        }
        "bag_compression" => {
            let words = [("none", BagCompression::None), ("lz4", BagCompression::Lz4)];
            options.bag.compression = word(name, value, &words)?;
        }
        "points" => {
            let words = PointLayout::ALL.map(|layout| (layout.name(), layout));
            options.mcap.messages.points = word(name, value, &words)?;
            options.bag.messages = options.mcap.messages;
        }
        "imu_unit" => {
            let words = ImuUnit::ALL.map(|unit| (unit.name(), unit));
            options.mcap.messages.imu_unit = Some(word(name, value, &words)?);
            options.bag.messages = options.mcap.messages;
        }
        "scan_points" => {
            options.mcap.messages.no_scan_points = !value.extract::<bool>()?;
            options.bag.messages = options.mcap.messages;
        }
        "las_intensity" => {
            let words = [("as-is", LasIntensity::AsIs), ("normalized", LasIntensity::Normalized)];
            options.las.intensity = word(name, value, &words)?;
        }
        "las_version" => {
            options.las.version = word(name, value, &[("1.2", LasVersion::V1_2), ("1.4", LasVersion::V1_4)])?;
        }
        "crs" => {
            let text: String = value.extract()?;
            let crs = text.parse().map_err(|why| PyValueError::new_err(format!("crs={text:?}: {why}")))?;
            options.las.crs = Some(crs);
        }
        "hive" => options.tables.hive = value.extract()?,
        "carla_map" => options.carla.map = Some(value.extract()?),
        "carla_blueprint" => options.carla.blueprint = value.extract()?,
        _ => return Err(PyTypeError::new_err(format!("{name}: there is no such option; there are {NAMES}"))),
    }
    Ok(())
}

fn word<T: Copy>(name: &str, value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
    let given: String = value.extract()?;
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        PyValueError::new_err(format!("{name}={given:?}: choose one of {known}"))
    })
}
