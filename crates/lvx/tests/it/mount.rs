//! Replacing the header of a recording.

use std::io::Cursor;

use lvx::{Copier, Header, Reader, Version, replace_header, robolog_core::format::Copier as _};

/// Offset of the first device's extrinsic in LVX 1.1: after a header of 29 bytes, two codes of 16, the index, the type
/// and the flag.
const EXTRINSIC: usize = 29 + 16 + 16 + 3;

#[test]
fn a_device_is_mounted_elsewhere_and_nothing_else_changes() {
    let file = testkit::fixture("lvx/room.lvx");
    let mut header = Reader::new(&file).unwrap().header().clone();
    let device = &mut header.devices_mut()[0];
    device.extrinsic_enable = Some(0);
    (device.extrinsic.yaw, device.extrinsic.z) = (90.0, -1.25);

    let mut wanted = file.clone();
    wanted[EXTRINSIC - 1] = 0;
    wanted[EXTRINSIC + 8..EXTRINSIC + 12].copy_from_slice(&90_f32.to_le_bytes());
    wanted[EXTRINSIC + 20..EXTRINSIC + 24].copy_from_slice(&(-1.25_f32).to_le_bytes());
    let mut out = Vec::new();
    assert_eq!(replace_header(&file[..], &header, &mut out).unwrap(), file.len() as u64);
    assert!(out == wanted);
}

#[test]
fn offsets_in_the_frames_stay_right() {
    let file = testkit::fixture("lvx/room.lvx");
    let mut out = Vec::new();
    let of_another_version = Header::new(Version::V2_0, Vec::new());
    let error = replace_header(&file[..], &of_another_version, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "lvx: invalid header: found LVX2 2.0 with 0 devices, expected LVX 1.1 with 1 devices (at byte 0x0)"
    );
    let error = replace_header(&file[..40], &of_another_version, &mut out).unwrap_err();
    assert_eq!(error.offset(), 40);
    assert!(out.is_empty());
}

#[test]
fn a_copy_does_not_pass_over_a_changed_header() {
    for name in ["room", "lvx2_type1", "v10_cart"] {
        let file = testkit::fixture(&format!("lvx/{name}.lvx"));
        let reader = Reader::new(&file).unwrap();
        let out = || Cursor::new(Vec::new());
        assert!(Copier::new(out(), reader.header(), reader.header_bytes()).is_ok());
        let mut header = reader.header().clone();
        header.devices_mut()[0].extrinsic.z = 1.8;
        header.devices_mut()[0].sn[0] = b'X';
        let error = Copier::new(out(), &header, reader.header_bytes()).unwrap_err().to_string();
        assert!(error.contains("the header differs") && error.contains("Copier::with_header"), "{error}");

        let mut copy = Copier::with_header(out(), &header).unwrap();
        for record in reader.records() {
            copy.copy(&record.unwrap(), &mut |_, _| true).unwrap();
        }
        let copy = copy.finish().unwrap().into_inner();
        let mut wanted = Vec::new();
        replace_header(&file[..], &header, &mut wanted).unwrap();
        assert!(copy == wanted && copy != file, "{name}");
        assert_eq!(Reader::new(&copy).unwrap().header(), &header);
    }
}
