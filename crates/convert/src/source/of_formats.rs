//! What the converters ask of each format beyond its samples.

use std::path::Path;

use effibox::table::{KindFrom, TableKind};
use robolog_core::{Clock, Timestamp};

use super::{Source, logs};
use crate::{Result, Settings, places::Grid};

impl Source for alog::Alog {
    const GRID: Grid = Grid::Utm;

    fn settle(header: &mut alog::Header, path: &Path) {
        logs::settle(header, path);
    }

    fn note(header: &alog::Header, settings: &Settings) -> Option<String> {
        let is_lost = header.has_unknown_warp() && settings.warp.is_none();
        (is_lost && settings.time != alog::TimeFrom::Relative).then(|| {
            "LOGSTART lies beyond the year 2096: a time warp multiplied it, and nothing says which; times count from the \
             start of the log (--time-warp gives the warp)"
                .into()
        })
    }

    fn options(settings: &Settings) -> alog::Options {
        let mut options = alog::Options::default();
        options.time = settings.time;
        options.warp = settings.warp;
        options
    }

    fn raw(record: &alog::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}

impl Source for carla_rec::CarlaRec {
    fn variant(header: &carla_rec::Header) -> String {
        format!("version {}", header.version)
    }

    fn options(settings: &Settings) -> carla_rec::Options {
        let mut options = carla_rec::Options::default();
        options.axes = settings.axes;
        options
    }

    fn raw(record: &carla_rec::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn dialects() -> Vec<&'static str> {
        carla_rec::Release::ALL.iter().map(|release| release.name()).collect()
    }

    fn force(header: &mut carla_rec::Header, dialect: &str) -> bool {
        let release = dialect.parse::<carla_rec::Release>().ok();
        release.inspect(|release| header.dialect = carla_rec::Dialect::of(*release)).is_some()
    }

    fn heroes(record: &carla_rec::Record<'_>, found: &mut dyn FnMut(String)) {
        if let Ok(carla_rec::Payload::EventAdd(additions)) = record.decode() {
            let heroes = additions.into_iter().map_while(Result::ok).filter(carla_rec::Addition::is_hero);
            heroes.for_each(|hero| found(carla_rec::poses_channel(hero.id)));
        }
    }

    fn frame(record: &carla_rec::Record<'_>) -> Option<u64> {
        record.frame_start().map(|start| start.frame)
    }
}

impl Source for robolog_gpx::Gpx {
    fn variant(header: &robolog_gpx::Header) -> String {
        header.version().map(|version| format!("GPX {version}")).unwrap_or_default()
    }

    fn options(_: &Settings) -> robolog_gpx::Options {
        robolog_gpx::Options::default()
    }

    fn raw(record: &robolog_gpx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}

impl Source for robolog_kml::Kml {
    fn options(_: &Settings) -> robolog_kml::Options {
        robolog_kml::Options::default()
    }

    fn raw(record: &robolog_kml::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}

impl Source for robolog_nmea::Nmea {
    fn options(_: &Settings) -> robolog_nmea::Options {
        robolog_nmea::Options::default()
    }

    fn raw(record: &robolog_nmea::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }
}

impl Source for effibox::table::Table {
    fn variant(header: &effibox::table::Header) -> String {
        header.kind.name().to_owned()
    }

    fn options(_: &Settings) -> effibox::table::Options {
        effibox::table::Options::default()
    }

    fn raw(record: &effibox::table::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn dialects() -> Vec<&'static str> {
        TableKind::ALL.iter().map(|kind| kind.name()).collect()
    }

    fn force(header: &mut effibox::table::Header, dialect: &str) -> bool {
        let kind = dialect.parse::<TableKind>().ok();
        let forced = kind.inspect(|kind| {
            header.kind = *kind;
            header.kind_from = KindFrom::Name;
        });
        forced.is_some()
    }

    fn settle(header: &mut effibox::table::Header, path: &Path) {
        header.set_path(&path.to_string_lossy());
    }
}

impl Source for koblenz_log::KoblenzLog {
    fn options(settings: &Settings) -> koblenz_log::Options {
        settings.koblenz.clone()
    }

    fn raw(record: &koblenz_log::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn epoch(details: &koblenz_log::Details) -> Option<Timestamp> {
        details.epoch_ns.map(|nanos| Timestamp::new(nanos, Clock::Unix))
    }

    fn dialects() -> Vec<&'static str> {
        koblenz_log::SizeCounts::ALL.map(koblenz_log::SizeCounts::name).into()
    }

    fn force(header: &mut koblenz_log::Header, dialect: &str) -> bool {
        let sizes = dialect.parse::<koblenz_log::SizeCounts>().ok();
        sizes.inspect(|sizes| header.set_sizes(*sizes)).is_some()
    }
}

impl Source for lvx::Lvx {
    fn variant(header: &lvx::Header) -> String {
        header.version().to_string()
    }

    fn options(settings: &Settings) -> lvx::Options {
        let mut options = lvx::Options::default();
        options.apply_extrinsics = settings.apply_extrinsics;
        options.extrinsic_unit = settings.extrinsic_unit;
        options.drop_no_return = settings.drop_no_return;
        options
    }

    fn raw(record: &lvx::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn is_closed(error: &robolog_core::Error) -> bool {
        matches!(error.kind(), robolog_core::ErrorKind::Unsupported { .. })
    }

    fn frame(record: &lvx::Record<'_>) -> Option<u64> {
        record.frame_index()
    }
}
