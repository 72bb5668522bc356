//! Violations of the specification are found, and at the right offset. Bytes are from the tables of the specification.

use std::io::Cursor;

use lvx::{Reader, StreamReader, Writer};
use robolog_core::{Event, Finding, Severity, format::Copier as _, survey};

fn findings(file: &[u8]) -> Vec<Finding> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap().findings
}

fn places(file: &[u8]) -> Vec<(&'static str, u64)> {
    findings(file).iter().map(|finding| (finding.code, finding.offset)).collect()
}

/// Device infos of 1.0 begin at 25 and have 58 bytes, those of 1.1 begin at 29 and have 59; the index is byte 32 of
/// each.
#[test]
fn a_duplicate_device_is_found_where_it_lies() {
    let mut old = testkit::fixture("lvx/v10_cart.lvx");
    assert_eq!((old[24], 25 + 58), (2, 0x53), "two devices");
    old[0x53 + 32] = old[25 + 32];
    let found = places(&old);
    assert_eq!(&found[..2], [("device-index", 0x53), ("duplicate-device", 0x53)]);
    assert!(found[2..].iter().all(|(code, _)| *code == "unknown-device"), "{found:?}");

    let mut new = testkit::fixture("lvx/v11_two_devices.lvx");
    new[29 + 59 + 32] = new[29 + 32];
    let found = places(&new);
    assert!(found.contains(&("duplicate-device", 29 + 59)), "{found:?}");
}

/// Livox's readers check only the first two bytes of the version.
#[test]
fn a_version_that_nobody_published_is_read_and_found() {
    let file = testkit::fixture("lvx/room.lvx");
    let mut odd = file.clone();
    odd[16..20].copy_from_slice(&[1, 1, 1, 0]);
    assert_eq!(places(&odd), [("version", 16)]);
    let found = &findings(&odd)[0];
    assert_eq!(found.severity, Severity::Warning);
    assert!(found.message.starts_with("version 1.1.1.0 "), "{}", found.message);
    // A copy keeps it, also with another header.
    let reader = Reader::new(&odd).unwrap();
    assert_eq!(reader.header().version_bytes(), [1, 1, 1, 0]);
    let mut copy = lvx::Copier::with_header(Cursor::new(Vec::new()), reader.header()).unwrap();
    for record in reader.records() {
        copy.copy(&record.unwrap(), &mut |_, _| true).unwrap();
    }
    assert_eq!(copy.finish().unwrap().into_inner(), odd);
}

/// The offsets of the frame headers, from their chain.
fn frames(file: &[u8]) -> Vec<usize> {
    let mut frames = vec![29 + 59 * usize::from(file[28])];
    loop {
        let at = frames[frames.len() - 1] + 8;
        let next = u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
        if next >= file.len() {
            return frames;
        }
        frames.push(next);
    }
}

#[test]
fn numbers_and_places_of_frames_are_judged() {
    let file = testkit::fixture("lvx/room.lvx");
    let frames = frames(&file);
    let numbered = |at: usize, index: u64| {
        let mut odd = file.clone();
        odd[frames[at] + 16..frames[at] + 24].copy_from_slice(&index.to_le_bytes());
        let found = findings(&odd);
        found.iter().map(|f| (f.severity, f.code, f.offset)).collect::<Vec<_>>()
    };
    let at = |frame: usize| frames[frame] as u64;
    // Frames may be missing or divided: partial copies keep the numbers.
    let note = |frame| (Severity::Note, "frame-index", at(frame));
    let back = |frame| (Severity::Warning, "frame-index", at(frame));
    assert_eq!(numbered(4, 40), [note(4), back(5)]);
    assert_eq!(numbered(4, 2), [back(4), note(5)]);
    assert_eq!(numbered(9, 8), [note(9)], "the same number again");
    // A frame with a wrong offset in its header.
    let mut odd = file.clone();
    odd[frames[3]] ^= 1;
    assert_eq!(places(&odd), [("offset-chain", at(3))]);
}

/// The packages of one frame were gathered within 50 ms, and may share one stamp, which gives no rate.
#[test]
fn one_frame_has_no_rate() {
    let id = lvx::DeviceId::Index(0);
    let device = lvx::Device::new(id, "HORIZON", lvx::DeviceType(3));
    let header = lvx::Header::new(lvx::Version::V1_1, vec![device]);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let write = |writer: &mut Writer<Vec<u8>>| {
        writer.begin_frame().unwrap();
        let mut cloud = lvx::PointCloud::default();
        for i in 0..200 * 96_u32 {
            cloud.x.push(1.0);
            cloud.y.push(0.0);
            cloud.z.push(0.0);
            // A quarter of a microsecond for 96 points.
            cloud.time_offset.push(i / 96 * 250);
        }
        writer.filled_cloud(id, lvx::Timestamp::new(0, lvx::Clock::Unix), &cloud).unwrap();
        writer.end_frame().unwrap();
    };
    write(&mut writer);
    let one = writer.finish().unwrap();
    let codes = |file: &[u8]| findings(file).iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert!(!codes(&one).contains(&"point-rate"), "{:?}", findings(&one));
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    write(&mut writer);
    write(&mut writer);
    assert!(codes(&writer.finish().unwrap()).contains(&"point-rate"));
}

/// Headers that are wiped completely or up to the devices: the version and the number of devices follow from the first
/// frame, which contains its own offset, and a copy is as originally written.
#[test]
fn a_wiped_header_is_told_by_the_first_frame() {
    for name in
        ["room.lvx", "v10_cart.lvx", "lvx2_type1.lvx", "v11_two_devices.lvx", "lvx2_mixed_short_tail.lvx"]
    {
        let sound = testkit::fixture(&format!("lvx/{name}"));
        let (first_device, frames) = match sound[16] {
            1 if sound[17] == 0 => (25, 25 + 58 * usize::from(sound[24])),
            1 => (29, 29 + 59 * usize::from(sound[28])),
            _ => (29, 29 + 63 * usize::from(sound[28])),
        };
        for (wiped, fill) in [(16, 0), (first_device, 0), (first_device, 0xff), (frames, 0)] {
            let mut file = sound.clone();
            file[..wiped].fill(fill);
            let reader = Reader::new(&file).unwrap();
            let header = reader.header();
            assert!(header.is_wiped(), "{name}, {wiped}");
            let (version, was) = (header.version(), Reader::new(&sound).unwrap());
            assert_eq!(
                (version, header.devices().len()),
                (was.header().version(), was.header().devices().len())
            );
            let copy = Cursor::new(Vec::new());
            let mut copy = lvx::Copier::new(copy, header, reader.header_bytes()).unwrap();
            let mut records = reader.records();
            let fault = records.next().unwrap().unwrap_err().to_string();
            assert!(
                fault.starts_with("lvx: the header was overwritten; the first frame looks like LVX"),
                "{fault}"
            );
            for record in records {
                copy.copy(&record.unwrap(), &mut |_channel, _time| true).unwrap();
            }
            let copy = copy.finish().unwrap().into_inner();
            assert!(copy[frames..] == sound[frames..], "{name}, {wiped}: frames");
            assert_eq!(&copy[..first_device], &sound[..first_device], "{name}, {wiped}");
            assert!(wiped == frames || copy == sound, "{name}, {wiped}");
            assert!(places(&file).contains(&("damaged", 0)), "{name}, {wiped}");
            // In small pieces.
            let mut stream = StreamReader::new(&file[..]).unwrap();
            assert_eq!((stream.header_bytes().len(), stream.header()), (frames, header));
            let Event::Damage { error, lost } = stream.next_event().unwrap() else {
                panic!("{name}, {wiped}")
            };
            assert_eq!((error.to_string(), lost), (fault, frames as u64..frames as u64));
            assert!(matches!(stream.next_event().unwrap(), Event::Record(_)));
        }
    }
    // No frame there.
    assert!(Reader::new(&vec![0; 40_000]).is_err());
}
