//! The targets: each takes any bytes at all, and panics when they break something.

mod alog;
mod alog_rewrite;
mod carla_rec;
mod carla_rec_rewrite;
mod effibox_table;
mod gpx;
mod kml;
mod koblenz_log;
mod koblenz_log_rewrite;
mod lvx;
mod lvx_rewrite;
mod nmea;

pub use self::{
    alog::alog, alog_rewrite::alog_rewrite, carla_rec::carla_rec, carla_rec_rewrite::carla_rec_rewrite,
    effibox_table::effibox_table, gpx::gpx, kml::kml, koblenz_log::koblenz_log,
    koblenz_log_rewrite::koblenz_log_rewrite, lvx::lvx, lvx_rewrite::lvx_rewrite, nmea::nmea,
};

/// A target, and the fixtures that the smoke run mutates for it.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is also that of its binary.
    pub name: &'static str,
    /// What it checks.
    pub run: fn(&[u8]),
    /// The folder of `testdata` with inputs for it.
    pub format: &'static str,
    /// The extension of those inputs.
    pub extension: &'static str,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "alog", run: alog, format: "alog", extension: "alog" },
    Target { name: "alog_rewrite", run: alog_rewrite, format: "alog", extension: "alog" },
    Target { name: "carla_rec", run: carla_rec, format: "carla-rec", extension: "log" },
    Target { name: "carla_rec_rewrite", run: carla_rec_rewrite, format: "carla-rec", extension: "log" },
    Target { name: "gpx", run: gpx, format: "gpx", extension: "gpx" },
    Target { name: "kml", run: kml, format: "kml", extension: "kml" },
    Target { name: "nmea", run: nmea, format: "nmea", extension: "nmea" },
    Target {
        name: "effibox_table",
        run: effibox_table,
        format: "effibox/dataset/Bus_InterfaceCan_can0",
        extension: "txt",
    },
    Target { name: "koblenz_log", run: koblenz_log, format: "koblenz-log", extension: "log" },
    Target { name: "koblenz_log_rewrite", run: koblenz_log_rewrite, format: "koblenz-log", extension: "log" },
    Target { name: "lvx", run: lvx, format: "lvx", extension: "lvx" },
    Target { name: "lvx_rewrite", run: lvx_rewrite, format: "lvx", extension: "lvx" },
];
