//! `robolog info --json` against counts that independent scripts made: of the fixtures, and of the real recordings
//! where they are. A file for each format.

mod alog;
mod carla_rec;
mod effibox;
mod koblenz_log;
mod lvx;
