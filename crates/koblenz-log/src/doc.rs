//! A log for the documentation examples.

use std::io::Cursor;

use crate::{Header, LaserData, Payload, Writer, layout::Obd};

/// One second: a vehicle report, and a scan of three ranges.
pub fn recording() -> Vec<u8> {
    let write = || {
        let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(1))?;
        writer.write_payload(1500.0, &Payload::Obd(Obd { speed: 36, rpm: 2000, ..Obd::default() }))?;
        let ranges = [1000_u32, 19, 2500].map(u32::to_le_bytes);
        let scan = LaserData { sensor_type: b"Hokuyo URG 04LX", name: b"front", data: ranges.as_flattened() };
        writer.write_payload(1600.0, &Payload::Laser(scan))?;
        writer.finish()
    };
    write().map(Cursor::into_inner).unwrap_or_default()
}
