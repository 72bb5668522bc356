//! Sinks: the writers of each target format.

#[cfg(feature = "to-alog")]
pub mod alog;
#[cfg(feature = "to-arrow")]
pub mod arrow;
#[cfg(feature = "to-bag")]
pub mod bag;
#[cfg(feature = "to-carla-rec")]
pub mod carla_rec;
#[cfg(any(feature = "to-kitti", feature = "to-xyz"))]
pub mod clouds;
#[cfg(feature = "to-csv")]
pub mod csv;
#[cfg(feature = "to-e57")]
pub mod e57;
#[cfg(feature = "to-euroc")]
pub mod euroc;
#[cfg(feature = "to-geojson")]
pub mod geojson;
#[cfg(feature = "to-gpx")]
pub mod gpx;
#[cfg(feature = "to-images")]
pub mod images;
#[cfg(feature = "to-jsonl")]
pub mod jsonl;
#[cfg(feature = "to-kitti")]
pub mod kitti;
#[cfg(feature = "to-kitti")]
pub mod kitti_bin;
#[cfg(feature = "to-kitti")]
pub mod kitti_times;
#[cfg(feature = "to-kml")]
pub mod kml;
#[cfg(feature = "to-koblenz-log")]
pub mod koblenz_log;
#[cfg(feature = "to-las")]
pub mod las;
#[cfg(feature = "to-lvx")]
pub mod lvx;
#[cfg(feature = "to-mcap")]
pub mod mcap;
#[cfg(feature = "to-parquet")]
pub mod parquet;
#[cfg(feature = "to-pcd")]
pub mod pcd;
#[cfg(feature = "to-ply")]
pub mod ply;
#[cfg(any(feature = "to-euroc", feature = "to-kitti", feature = "to-tum"))]
pub mod trajectory;
#[cfg(feature = "to-tum")]
pub mod tum;
#[cfg(feature = "to-xyz")]
pub mod xyz;

mod api;
#[cfg(any(feature = "to-arrow", feature = "to-parquet"))]
mod columns;
mod derive;
#[cfg(any(feature = "to-las", feature = "to-pcd", feature = "to-ply"))]
mod devices;
#[cfg(any(feature = "to-gpx", feature = "to-kml"))]
mod fixes;
mod flat;
mod gather;
#[cfg(any(feature = "to-e57", feature = "to-las"))]
mod gps;
#[cfg(feature = "to-images")]
pub mod jpeg;
#[cfg(any(feature = "to-geojson", feature = "to-gpx", feature = "to-kml"))]
mod map_points;
#[cfg(any(feature = "to-bag", feature = "to-mcap"))]
#[cfg_attr(
    not(all(feature = "to-bag", feature = "to-mcap")),
    allow(dead_code, reason = "each file takes its part")
)]
mod message;
mod naming;
mod numbered;
mod opening;
mod options;
#[cfg(any(feature = "to-e57", feature = "to-images"))]
mod pixels;
#[cfg(any(feature = "to-gpx", feature = "to-kml", feature = "to-koblenz-log"))]
mod quality;
#[cfg(any(feature = "to-las", feature = "to-pcd", feature = "to-ply"))]
mod records;
#[cfg(any(feature = "to-pcd", feature = "to-ply"))]
mod rows;
#[cfg_attr(
    not(any(
        feature = "to-e57",
        feature = "to-kitti",
        feature = "to-las",
        feature = "to-lvx",
        feature = "to-pcd",
        feature = "to-ply",
        feature = "to-xyz"
    )),
    allow(dead_code, reason = "only targets of points make points of scans")
)]
mod scans;
mod selection;
mod spec;
#[allow(dead_code, reason = "each target takes its part")]
mod takes;
mod text;
mod wide;

pub use text::shown;

pub use self::{
    api::{FromFn, Outcome, Sink, from_fn},
    opening::{Channels, Opening},
    options::{
        BagCompression, BagOptions, CarlaOptions, Day, Derived, Epsg, Fill, LasIntensity, LasOptions,
        LasVersion, LvxOptions, McapCompression, McapOptions, McapSchema, MessageOptions, PcdData,
        PcdOptions, PointLayout, Rate, SinkOptions, TableOptions, TimeColumn, Wide,
    },
    selection::Selection,
    spec::{Holds, Need, Open, TargetSpec, WriteSeek},
};
pub(crate) use self::{
    naming::{CHANNEL, GROUP},
    scans::Scans,
};
