//! Extracts packets of captures into recordings of the sensors' own formats.

mod koblenz_log;
mod lvx;

use std::io::Read;

use ::lvx::Version;
use robolog_core::{OnDamage, Result};

pub use self::{
    koblenz_log::{LogReport, to_log},
    lvx::{LvxReport, to_lvx},
};
use crate::{Datagram, DatagramEvent, datagrams};

/// Why nothing can be extracted from a readable capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NothingToExtract {
    /// It has no packets of the requested sensors.
    #[error("the capture has no packet of a {0}")]
    Packets(&'static str),
    /// It has only data that this format cannot hold.
    #[error("the capture has nothing that {0} can hold")]
    Place(Version),
    /// It has packets of more devices than a recording can number.
    #[error("more than 255 devices")]
    Devices,
}

/// Passes `visit` the datagrams of a capture, and `on_damage` its damage.
fn each_datagram(
    capture: impl Read,
    on_damage: OnDamage<'_>,
    visit: &mut dyn FnMut(Datagram<'_>) -> Result<()>,
) -> Result<()> {
    datagrams(capture, &mut |event| match event {
        DatagramEvent::Datagram(datagram) => visit(datagram),
        DatagramEvent::Damage { error, lost } => {
            on_damage(error, lost);
            Ok(())
        }
    })
}
