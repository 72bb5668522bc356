//! Built-in calibrations.
//!
//! The numbers are from the calibration files published by ros-drivers/velodyne and `velodyne_decoder` under the BSD
//! licence (the latter's from those of `VeloView`), rounded to seven digits. The vertical offsets of sensors with fixed
//! angles are computed: their lasers fire through one point on the axis of the head, from a window at the given radius.

use crate::{Calibration, CalibrationSource, Laser, Model};

#[expect(clippy::unreadable_literal, reason = "figures as published")]
mod hdl64e_s1;
#[expect(clippy::unreadable_literal, reason = "figures as published")]
mod hdl64e_s2;
mod hdl64e_s3;
mod small;
#[expect(clippy::approx_constant, reason = "-6.28 degrees are no circle")]
mod vls128;

/// Rotational and vertical correction in degrees; far, x and y distance correction, vertical and horizontal offset, and
/// focal distance in metres; focal slope; minimum and maximum intensity.
type Full = [f64; 11];

pub(crate) fn calibration(model: Model) -> Calibration {
    let (lasers, label) = match model {
        Model::Hdl64eS1 => {
            (full(&hdl64e_s1::LASERS), "stand-in: HDL-64E S1 of the University of Texas at Austin")
        }
        Model::Hdl64eS2 => (full(&hdl64e_s2::LASERS), "stand-in: HDL-64E S2.1 of SZTAKI"),
        Model::Hdl64eS3 => (full(&hdl64e_s3::LASERS), "stand-in: HDL-64E S3, VeloView's example"),
        Model::Hdl32e => (angles(&small::HDL32E, 0.028_95), "nominal angles of the HDL-32E"),
        Model::Vlp16 => (angles(&small::VLP16, 0.041_91), "nominal angles of the VLP-16"),
        Model::PuckHiRes => (angles(&small::PUCK_HI_RES, 0.041_91), "nominal angles of the Puck Hi-Res"),
        Model::Vlp32a => (angles(&small::VLP32A, 0.042_4), "nominal angles of the VLP-32A"),
        Model::Vlp32b => (angles(&small::VLP32C, 0.042_4), "nominal angles of the VLP-32B"),
        Model::Vlp32c => (angles(&small::VLP32C, 0.042_4), "nominal angles of the VLP-32C"),
        Model::Vls128 => (angles(&vls128::VLS128, 0.058_63), "nominal angles of the VLS-128"),
    };
    let source = if model.is_hdl64e() { CalibrationSource::StandIn } else { CalibrationSource::Nominal };
    Calibration { source, label: label.to_owned(), distance_resolution: model.distance_resolution(), lasers }
}

fn full(rows: &[Full]) -> Vec<Laser> {
    let laser = |row: &Full| {
        let [rot, vert, far, x, y, vert_offset, horiz_offset, focal_distance, focal_slope, min, max] = *row;
        Laser {
            rot_correction: rot.to_radians(),
            vert_correction: vert.to_radians(),
            dist_correction: far,
            dist_correction_x: x,
            dist_correction_y: y,
            vert_offset,
            horiz_offset,
            focal_distance,
            focal_slope,
            min_intensity: min,
            max_intensity: max,
        }
    };
    rows.iter().map(laser).collect()
}

fn angles(rows: &[[f64; 2]], radius: f64) -> Vec<Laser> {
    let laser = |[rot, vert]: &[f64; 2]| Laser {
        rot_correction: rot.to_radians(),
        vert_correction: vert.to_radians(),
        vert_offset: -radius * vert.to_radians().tan(),
        ..Laser::default()
    };
    rows.iter().map(laser).collect()
}
