//! Values into the writers of each format: what a writer takes reads back as it was, or the writer refuses it.

pub(super) mod alog;
pub(super) mod carla_rec;
pub(super) mod effibox_table;
pub(super) mod gpx;
pub(super) mod kml;
pub(super) mod koblenz_log;
pub(super) mod lvx;
pub(super) mod nmea;
