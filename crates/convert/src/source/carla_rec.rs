//! Recordings of the CARLA simulator for the converters, beyond samples.

use super::Source;
use crate::Settings;

impl Source for ::carla_rec::CarlaRec {
    const HAS_MAGIC: bool = true;

    fn variant(header: &::carla_rec::Header) -> String {
        format!("version {}", header.version)
    }

    fn options(settings: &Settings) -> ::carla_rec::Options {
        settings.carla
    }

    fn raw(record: &::carla_rec::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn dialects() -> Vec<&'static str> {
        ::carla_rec::Release::ALL.iter().map(|release| release.name()).collect()
    }

    fn force(header: &mut ::carla_rec::Header, dialect: &str) -> bool {
        let release = dialect.parse::<::carla_rec::Release>().ok();
        release.inspect(|release| header.dialect = ::carla_rec::Dialect::of(*release)).is_some()
    }

    fn frame(record: &::carla_rec::Record<'_>) -> Option<u64> {
        record.frame_start().map(|start| start.frame)
    }
}
