//! Recordings of the CARLA simulator for the converters, beyond samples.

use super::{About, Source};
use crate::Settings;

impl Source for ::carla_rec::CarlaRec {
    const ABOUT: About = About { has_magic: true, ..About::DEFAULT };

    fn variant(header: &::carla_rec::Header) -> String {
        format!("version {}", header.version)
    }

    fn options(settings: &Settings) -> ::carla_rec::Options {
        settings.carla
    }

    fn raw(record: &::carla_rec::Record<'_>) -> serde_json::Result<String> {
        serde_json::to_string(record)
    }

    fn force(header: &mut ::carla_rec::Header, dialect: &str) -> Result<(), Vec<&'static str>> {
        let release: ::carla_rec::Release = dialect.parse().map_err(|_| {
            ::carla_rec::Release::ALL.iter().map(|release| release.name()).collect::<Vec<_>>()
        })?;
        header.dialect = ::carla_rec::Dialect::of(release);
        Ok(())
    }
}
