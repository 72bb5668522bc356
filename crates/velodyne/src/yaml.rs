//! Calibrations in YAML, as written by the ROS driver's converter and `velodyne_decoder`: metres and radians.

use robolog_core::{Error, ErrorKind, Result};
use saphyr_parser::{Event, Parser};

use crate::{
    Calibration, CalibrationSource, Laser,
    calibration::{DEPTH, Lasers, number, resolution},
};

impl Calibration {
    /// Parses a YAML file of the ROS driver or of `velodyne_decoder`; `label` is its name.
    ///
    /// Returns an error if the text is not YAML, uses aliases, is nested deeper than any calibration, lacks a laser, or
    /// has a field that is not a number.
    pub fn from_yaml(text: &str, label: &str) -> Result<Self> {
        read(text, label).map_err(|e| e.within("calibration in YAML"))
    }
}

/// An open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Top,
    Lasers,
    Laser,
    /// A mapping to be ignored.
    Mapping,
    Sequence,
}

fn read(text: &str, label: &str) -> Result<Calibration> {
    Lasers::check_length(text)?;
    let mut open: Vec<Container> = Vec::new();
    // The key of the next value, in mappings of interest.
    let mut key: Option<String> = None;
    let mut laser = (Laser::default(), None, false);
    let mut lasers = Lasers::default();
    let mut tick = 0.002;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| {
            let at = byte(text, e.marker().index());
            Error::invalid("syntax", e.info(), "YAML", at)
        })?;
        let at = byte(text, span.start.index());
        let container = open.last().copied();
        match event {
            Event::Alias(_) => {
                return Err(Error::new(
                    ErrorKind::Unsupported { what: "an alias", why: "no calibration has any" },
                    at,
                ));
            }
            Event::MappingStart(..) => {
                open.push(match container {
                    None => Container::Top,
                    Some(Container::Lasers) => {
                        laser = (Laser::default(), None, false);
                        Container::Laser
                    }
                    Some(_) => Container::Mapping,
                });
                key = None;
            }
            Event::SequenceStart(..) => {
                let ours = container == Some(Container::Top) && key.as_deref() == Some("lasers");
                open.push(if ours { Container::Lasers } else { Container::Sequence });
                key = None;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                if open.pop() == Some(Container::Laser) {
                    let (laser, id, has_angle) = laser;
                    let id = id.ok_or_else(|| Error::missing("laser_id", at))?;
                    if !has_angle {
                        return Err(Error::missing("vert_correction", at));
                    }
                    lasers.insert(id, laser, at)?;
                }
                key = None;
            }
            Event::Scalar(value, ..) => match (container, key.take()) {
                (Some(Container::Top | Container::Laser), None) => {
                    key = Some(value.chars().take(64).collect());
                }
                (Some(Container::Top), Some(name)) if name == "distance_resolution" => {
                    tick = resolution(number(&value, "distance_resolution", at)?, at)?;
                }
                (Some(Container::Laser), Some(name)) => field(&name, &value, &mut laser, at)?,
                _ => {}
            },
            _ => {}
        }
        if open.len() > DEPTH {
            let (len, limit) = (open.len() as u64, DEPTH as u64);
            return Err(Error::new(ErrorKind::Limit { what: "depth", len, limit }, at));
        }
    }
    let lasers = lasers.finish(text.len() as u64)?;
    Ok(Calibration {
        source: CalibrationSource::Yaml,
        label: label.to_owned(),
        distance_resolution: tick,
        lasers,
    })
}

/// Stores a value of a laser.
fn field(name: &str, value: &str, laser: &mut (Laser, Option<f64>, bool), at: u64) -> Result<()> {
    let (laser, id, has_angle) = laser;
    let (slot, what) = match name {
        "laser_id" => (id.insert(0.0), "laser_id"),
        "rot_correction" => (&mut laser.rot_correction, "rot_correction"),
        "vert_correction" => {
            *has_angle = true;
            (&mut laser.vert_correction, "vert_correction")
        }
        "dist_correction" => (&mut laser.dist_correction, "dist_correction"),
        "dist_correction_x" => (&mut laser.dist_correction_x, "dist_correction_x"),
        "dist_correction_y" => (&mut laser.dist_correction_y, "dist_correction_y"),
        "vert_offset_correction" => (&mut laser.vert_offset, "vert_offset_correction"),
        "horiz_offset_correction" => (&mut laser.horiz_offset, "horiz_offset_correction"),
        "focal_distance" => (&mut laser.focal_distance, "focal_distance"),
        "focal_slope" => (&mut laser.focal_slope, "focal_slope"),
        "min_intensity" => (&mut laser.min_intensity, "min_intensity"),
        "max_intensity" => (&mut laser.max_intensity, "max_intensity"),
        _ => return Ok(()),
    };
    *slot = number(value, what, at)?;
    Ok(())
}

/// The byte offset of a character.
fn byte(text: &str, character: usize) -> u64 {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at) as u64
}
