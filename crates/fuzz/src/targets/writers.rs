//! Values into the writers of each format: a writer refuses a value or writes it so that it reads back unchanged.

pub(super) mod alog;
pub(super) mod carla_rec;
pub(super) mod effibox_table;
pub(super) mod gpx;
pub(super) mod kml;
pub(super) mod koblenz_log;
pub(super) mod lvx;
pub(super) mod nmea;
