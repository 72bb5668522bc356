//! Content of GPX and KML documents besides samples: named places, areas, and measurements by quantity.

use std::{collections::BTreeMap, sync::Arc};

use robolog_convert::Extra;
use robolog_core::Timestamp;

use super::{
    Collected,
    numbers::{Quantity, Slots},
};
use crate::axis::Place as Moment;

/// A place with a name, in degrees of longitude and latitude.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) place: (f64, f64),
}

/// The border of an area, in degrees of longitude and latitude.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) name: String,
    pub(crate) corners: Vec<(f64, f64)>,
}

/// Maximum number of named places, of areas, and of corners of one area.
const PLACES: usize = 500;
const AREAS: usize = 300;
const CORNERS: usize = 400;

/// Panel slots of each quantity.
#[derive(Debug, Default)]
pub(crate) struct Measured(BTreeMap<&'static str, (Arc<str>, Slots)>);

impl Collected {
    /// Adds an extra of a document. `moved` shifts times in the same way as for samples.
    pub(crate) fn extra(
        &mut self,
        extra: Extra,
        measured: &mut Measured,
        moved: impl Fn(Timestamp) -> Option<Timestamp>,
    ) {
        let is_on_earth = |latitude: f64, longitude: f64| {
            (-90.0..=90.0).contains(&latitude) && (-360.0..=360.0).contains(&longitude)
        };
        match extra {
            Extra::Place { name, latitude, longitude }
                if is_on_earth(latitude, longitude) && self.places.len() < PLACES =>
            {
                self.places.push(Named { name, place: (longitude, latitude) });
            }
            Extra::Area { name, corners } if self.areas.len() < AREAS => {
                let step = corners.len().div_ceil(CORNERS).max(1);
                let corners = corners.into_iter().step_by(step).filter(|(y, x)| is_on_earth(*y, *x));
                let corners: Vec<(f64, f64)> =
                    corners.map(|(latitude, longitude)| (longitude, latitude)).collect();
                if corners.len() > 2 {
                    self.areas.push(Area { name, corners });
                }
            }
            Extra::Number { time, quantity, unit, value } => {
                let Moment::At(t) = self.axis.place(moved(time)) else { return };
                let (channel, slots) =
                    measured.0.entry(quantity).or_insert_with(|| (quantity.into(), Slots::default()));
                let quantity = Quantity { slot: 0, name: quantity, unit, lines: &[""] };
                self.numbers.add((channel, slots), &quantity, [(0, value)], t, &self.axis);
            }
            _ => {}
        }
    }
}
