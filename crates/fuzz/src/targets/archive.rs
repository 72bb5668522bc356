//! Data sets in archives.

use std::{fs, io::Write as _};

use effibox::dataset::{Dataset, Limits};

use super::dataset::look;
use crate::memory;

/// A tar archive with corrected checksums, so that mutations get past them.
pub(super) fn tar(data: &[u8]) {
    open("a.tar", &mended(data));
}

/// The same, compressed; the last byte determines how much of its end is cut off.
pub(super) fn tar_gz(data: &[u8]) {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&mended(data)).unwrap();
    let packed = packed.finish().unwrap();
    let cut = usize::from(data.last().copied().unwrap_or_default()) / 4;
    open("a.tar.gz", &packed[..packed.len().saturating_sub(cut)]);
}

/// A zip archive.
pub(super) fn zip(data: &[u8]) {
    open("a.zip", data);
}

fn open(name: &str, bytes: &[u8]) {
    let folder = memory::folder();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let mut limits = Limits::default();
    (limits.members, limits.member_bytes, limits.total_bytes, limits.file_bytes) =
        (1 << 10, 1 << 20, 4 << 20, 1 << 20);
    if let Ok(dataset) = Dataset::with_limits(&path, limits) {
        look(&dataset, folder.path());
    }
}

/// Offset of the checksum in a member's header.
const SUM: std::ops::Range<usize> = 148..156;

fn mended(data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    for block in data.as_chunks_mut::<512>().0 {
        if block[257..].starts_with(b"ustar") {
            block[SUM].fill(b' ');
            let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
            block[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    data
}

/// The tables of two interfaces, as tar archives of one and of several members.
pub(super) fn tars() -> Vec<Vec<u8>> {
    let files = |places: &[(&str, &str)]| {
        let mut tar = Vec::new();
        for (folder, extension) in places {
            for fixture in testkit::fixtures(&format!("effibox/dataset/{folder}"), extension) {
                let name = format!("{folder}/{}.{extension}", fixture.name);
                let bytes = &fixture.bytes[..fixture.bytes.len().min(2000)];
                tar.extend(head(&name, bytes.len()));
                tar.extend(bytes);
                tar.resize(tar.len().next_multiple_of(512), 0);
            }
        }
        tar.resize(tar.len() + 1024, 0);
        mended(&tar)
    };
    vec![
        files(&[
            ("Bus_InterfaceRangefinder_172_27_30_21_2112", "txt"),
            ("Bus_InterfaceRangefinder_172_27_30_21_2112", "dates"),
        ]),
        files(&[("Bus_InterfaceCan_can0", "txt")]),
        files(&[("Bus_InterfaceGps__dev_ttyACM0", "txt"), ("Bus_InterfaceGps__dev_ttyACM0", "dates")]),
    ]
}

/// The header of a member, without its checksum.
fn head(name: &str, len: usize) -> [u8; 512] {
    let mut head = [0; 512];
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[100..108].copy_from_slice(b"0000644\0");
    head[124..136].copy_from_slice(format!("{len:011o}\0").as_bytes());
    head[156] = b'0';
    head[257..265].copy_from_slice(b"ustar\x0000");
    head
}
