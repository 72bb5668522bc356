//! Replacing the header of a recording.

use std::io::{self, Read, Write};

use robolog_core::{
    Error, Result,
    format::{Format as _, Step},
    slices::{Part as _, past},
};

use crate::{Header, Lvx, Version};

/// The longest header: LVX2's, with 255 devices.
const LONGEST: usize = Version::V2_0.device_offset(u8::MAX as usize);

/// Copies a recording with `header` in place of its own, for example with other mountings; the frames are copied byte
/// for byte. Returns the bytes written.
///
/// # Errors
/// If the recording's header cannot be read, and if `header` has another version or number of devices: the offsets in
/// the frames would then be wrong.
///
/// ```
/// let file = std::fs::read("examples/room.lvx").unwrap();
/// let mut header = lvx::Reader::new(&file)?.header().clone();
/// header.devices_mut()[0].extrinsic.z = 1.8;
/// let mut copy = Vec::new();
/// lvx::replace_header(&file[..], &header, &mut copy)?;
/// assert_eq!(lvx::Reader::new(&copy)?.header().devices()[0].extrinsic.z, 1.8);
/// # Ok::<(), lvx::Error>(())
/// ```
pub fn replace_header(mut input: impl Read, header: &Header, mut out: impl Write) -> Result<u64> {
    let mut start = Vec::new();
    input.by_ref().take(LONGEST as u64).read_to_end(&mut start).map_err(|e| Error::io(e, 0))?;
    let (old, len) = match Lvx::header(&start, true)? {
        Step::Ready(old, len) => (old, len),
        Step::Need(needed) => return Err(Error::truncated(needed, start.len() as u64).within("lvx")),
    };
    let expected = format!("{} with {} devices", old.version(), old.devices().len());
    if header.version() != old.version() || header.devices().len() != old.devices().len() {
        let found = format!("{} with {} devices", header.version(), header.devices().len());
        return Err(Error::invalid("header", found, expected, 0).within("lvx"));
    }
    let new = header.to_bytes()?;
    let frames = start.part(len..);
    let write = |bytes: &[u8], out: &mut dyn Write| out.write_all(bytes).map_err(|e| Error::io(e, 0));
    write(&new, &mut out)?;
    write(frames, &mut out)?;
    let rest = io::copy(&mut input, &mut out).map_err(|e| Error::io(e, len as u64))?;
    Ok(past(past(rest, new.len()), frames.len()))
}
