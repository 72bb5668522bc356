//! Joining the device lists of several recordings.

use robolog_core::{
    Error, Finding, Result, Severity,
    layout::{Packed as _, c_str, field},
};

use crate::{
    Device, DeviceId, Header, Version,
    layout::{PrivateHeader, PublicHeader},
};

/// The joined device list.
pub(super) struct Join {
    pub(super) version: Version,
    frame_duration_ms: Option<u32>,
    devices: Vec<Device>,
    /// For each input, the new device indices.
    pub(super) routes: Vec<Route>,
    pub(super) indices: Indices,
    pub(super) findings: Vec<Finding>,
}

impl Join {
    pub(super) fn of(headers: &[&Header]) -> Result<Self> {
        let Some(first) = headers.first() else {
            return Err(Error::invalid("number of inputs", 0, "at least 1", 0).within("lvx merge"));
        };
        let mut join = Self {
            version: first.version(),
            frame_duration_ms: first.frame_duration_ms(),
            devices: Vec::new(),
            routes: Vec::new(),
            indices: Indices([false; 256]),
            findings: Vec::new(),
        };
        for (input, header) in (1_usize..).zip(headers) {
            if header.version() != join.version {
                let found = format!("{} in input {input}", header.version());
                let at = field!(PublicHeader, version).at(0);
                return Err(Error::invalid("version", found, join.version, at).within("lvx merge"));
            }
            if header.frame_duration_ms() != join.frame_duration_ms {
                let message = format!("input {input} has a different frame duration than input 1");
                join.findings.push(warning("frame-duration", message));
            }
            let route = match join.version {
                Version::V1_0 | Version::V1_1 => join.add_by_index(header, input)?,
                Version::V2_0 | Version::V2_4 => join.add_by_address(header, input)?,
            };
            join.routes.push(route);
        }
        Ok(join)
    }

    /// Devices of 1.x are matched by serial number. One without is never matched.
    fn add_by_index(&mut self, header: &Header, input: usize) -> Result<Route> {
        let mut route = Route([None; 256]);
        let is_same =
            |d: &&Device, e: &Device| !c_str(&d.sn).is_empty() && Device { id: d.id, ..e.clone() } == **d;
        let mut new = Vec::new();
        for device in header.devices() {
            let DeviceId::Index(index) = device.id else { continue };
            // A device can be listed under two indices; each keeps its own.
            let same = self.devices.iter().filter(|d| is_same(d, device)).min_by_key(|d| d.id != device.id);
            let Some(same) = same else {
                let sn = c_str(&device.sn);
                if !sn.is_empty() && self.devices.iter().any(|d| c_str(&d.sn) == sn) {
                    let message = format!(
                        "{}: input {input} lists it with other settings, as another device",
                        device.sn_text()
                    );
                    self.findings.push(warning("device-info", message));
                }
                new.push((index, device));
                continue;
            };
            if let DeviceId::Index(known) = same.id {
                route.set(index, known);
            }
        }
        // First those that can keep their index, so that no other takes it.
        for (index, _) in &new {
            if route.get(*index).is_none() && self.indices.take(*index) {
                route.set(*index, *index);
            }
        }
        for (index, device) in new {
            let id = DeviceId::Index(route.of(index, &mut self.indices)?);
            self.devices.push(Device { id, ..device.clone() });
        }
        Ok(route)
    }

    /// Devices of LVX2 are matched by address, as their packages have nothing else.
    fn add_by_address(&mut self, header: &Header, input: usize) -> Result<Route> {
        let known = self.devices.len();
        for device in header.devices() {
            let same = self.devices.iter().take(known).find(|d| d.id == device.id);
            let Some(same) = same else {
                self.devices.push(device.clone());
                continue;
            };
            if c_str(&same.sn) != c_str(&device.sn) {
                let found = format!("{} with {} in input {input}", device.sn_text(), device.id);
                let at = header.device_offset(0);
                return Err(Error::invalid("serial number", found, same.sn_text(), at).within("lvx merge"));
            }
            // Recorders leave garbage in the hub's serial number.
            if (Device { hub_sn: same.hub_sn, sn: same.sn, ..device.clone() }) != *same {
                let message =
                    format!("{}: input {input} lists it with other settings, which are ignored", device.id);
                self.findings.push(warning("device-info", message));
            }
        }
        Ok(Route([None; 256]))
    }

    pub(super) fn header_bytes(&self) -> Result<Vec<u8>> {
        let mut header = Header::new(self.version, self.devices.clone());
        header.set_frame_duration_ms(self.frame_duration_ms);
        header.to_bytes()
    }
}

pub(super) fn warning(code: &'static str, message: String) -> Finding {
    Finding { severity: Severity::Warning, code, offset: 0, message }
}

/// The device indices used in the merged recording.
pub(super) struct Indices([bool; 256]);

impl Indices {
    /// Takes `index` unless it is in use.
    fn take(&mut self, index: u8) -> bool {
        self.0.get_mut(usize::from(index)).is_some_and(|used| !std::mem::replace(used, true))
    }
}

/// The new device indices of an input.
pub(super) struct Route([Option<u8>; 256]);

impl Route {
    fn get(&self, index: u8) -> Option<u8> {
        self.0.get(usize::from(index)).copied().flatten()
    }

    /// If two devices have the same index the first counts.
    fn set(&mut self, index: u8, to: u8) {
        if let Some(slot) = self.0.get_mut(usize::from(index)) {
            slot.get_or_insert(to);
        }
    }

    /// The new index for `index`; an unknown index is kept if free, or becomes the lowest free one.
    pub(super) fn of(&mut self, index: u8, indices: &mut Indices) -> Result<u8> {
        if let Some(to) = self.get(index) {
            return Ok(to);
        }
        let free = std::iter::once(index).chain(0..=u8::MAX).find(|i| indices.take(*i));
        let Some(to) = free else {
            let at = field!(PrivateHeader, device_count).at(PublicHeader::LEN as u64);
            return Err(Error::invalid("device count", 257, "at most 255", at).within("lvx merge"));
        };
        self.set(index, to);
        Ok(to)
    }
}
