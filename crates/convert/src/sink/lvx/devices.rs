//! Devices of an LVX file, by channel.

use std::{collections::HashMap, sync::Arc};

use robolog_core::{
    PointCloud,
    slices::{InRange as _, OrZero as _},
};

#[derive(Debug, Default)]
pub(super) struct Devices {
    /// Serial numbers, and the time between points of the first cloud, nanoseconds.
    pub(super) list: Vec<(String, Option<u64>)>,
    /// Device numbers by channel.
    numbers: HashMap<Arc<str>, u8>,
    by_name: HashMap<String, u8>,
    pub(super) is_full: bool,
}

/// Maximum characters of a serial number.
const SERIAL: usize = 15;

impl Devices {
    /// Returns the device of a channel; `None` if there are too many.
    pub(super) fn number(&mut self, channel: &Arc<str>) -> Option<u8> {
        if let Some(number) = self.numbers.get(channel) {
            return Some(*number);
        }
        let name = ["/points", "/imu"].iter().find_map(|end| channel.strip_suffix(end)).unwrap_or(channel);
        let number = if let Some(number) = self.by_name.get(name) {
            *number
        } else {
            let number = u8::try_from(self.list.len()).ok().filter(|number| *number < u8::MAX);
            self.is_full |= number.is_none();
            let number = number?;
            self.list.push((self.serial(name), None));
            self.by_name.insert(name.to_owned(), number);
            number
        };
        self.numbers.insert(Arc::clone(channel), number);
        Some(number)
    }

    /// Returns a serial number that no other device has.
    fn serial(&self, name: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(SERIAL).collect();
        let plain = if plain.is_empty() { "device".to_owned() } else { plain };
        let mut serial = plain.clone();
        let mut number = 2_u32;
        while self.list.iter().any(|(other, _)| *other == serial) {
            let suffix = format!("_{number}");
            let kept = plain.chars().take(SERIAL.minus(suffix.len()));
            serial = kept.chain(suffix.chars()).collect();
            number += 1;
        }
        serial
    }

    /// Stores the time between shots of a device's first cloud.
    pub(super) fn note(&mut self, device: u8, cloud: &PointCloud, returns: usize) {
        let Some((_, interval @ None)) = self.list.get_mut(usize::from(device)) else { return };
        let (Some(first), Some(last)) = (cloud.time_offset.first(), cloud.time_offset.last()) else { return };
        let shots = cloud.len().div_or_zero(returns).saturating_sub(1) as u64;
        *interval = u64::from(last.saturating_sub(*first)).checked_div(shots);
    }
}
