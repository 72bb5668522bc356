//! The vehicle's motion: conversion of raw columns to physical units, dead reckoning, and mounts of the sensors.
//!
//! The formulas of the data set's page are lost. This module follows its constants, which contradict each other in
//! places; no published row confirms them. Therefore [`Calibration`] fits the constants from files with both raw and
//! converted columns, and shows which of the published ones hold; and [`compare`] runs every variant of dead reckoning
//! and measures its distance from the poses in the file.
//!
//! ```
//! use effibox::motion::{Integration, Reckoner, Variant, WHEELBASE};
//!
//! // A metre a second ahead for a second, the wheels straight; then a quarter turn on a circle of 1.21 m.
//! let mut reckoner = Reckoner::new(Variant::default(), WHEELBASE);
//! reckoner.advance(1.0, 0.0);
//! assert_eq!((reckoner.pose().x, reckoner.pose().y), (1.0, 0.0));
//! let quarter = std::f64::consts::FRAC_PI_2;
//! let mut exact = Reckoner::new(Variant { integration: Integration::Arc, ..Variant::default() }, WHEELBASE);
//! exact.advance(quarter * WHEELBASE, std::f64::consts::FRAC_PI_4);
//! let pose = exact.pose();
//! assert!((pose.x - WHEELBASE).abs() < 1e-12 && (pose.y - WHEELBASE).abs() < 1e-12);
//! ```

pub mod constants;
pub mod extrinsics;

mod fit;
mod reckon;
mod verify;

pub use self::{
    constants::{Linear, Published, Signal},
    extrinsics::{MOUNTS, Mount},
    fit::{Fit, Moments},
    reckon::{Integration, Model, Reckoner, Sign, SteeringAt, Variant, VelocityAt},
    verify::{Calibration, Candidate, RawReading, Reckoning, Residual, SignalReport, Verdict, compare},
};

/// The wheelbase in metres, which the documentation calls the length of the rear axle.
pub const WHEELBASE: f64 = 1.21;
