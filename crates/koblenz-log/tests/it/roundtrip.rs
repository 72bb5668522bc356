//! Copies are unchanged, and written data is read back.

use std::{fs, io::Cursor};

use koblenz_log::{
    Header, IndexState, KoblenzLog, LaserData, Payload, Reader, SizeCounts, StreamReader, TypeId,
    VelodyneData, Writer,
    layout::{Gps, Obd, RobotPose},
    reindex,
};
use robolog_core::{Limits, format::Copier as _, survey};

fn look(file: &[u8]) -> robolog_core::Summary<koblenz_log::Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

/// The logs of the repository that can be opened, and the larger ones if present.
fn logs() -> Vec<(String, Vec<u8>)> {
    let mut logs: Vec<(String, Vec<u8>)> =
        testkit::fixtures("koblenz-log", "log").into_iter().map(|f| (f.name, f.bytes)).collect();
    if let Some(dir) = testkit::data_dir("koblenz-log") {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "log") {
                logs.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    logs.retain(|(_, bytes)| StreamReader::new(&bytes[..]).is_ok());
    logs
}

#[test]
fn copies_of_whole_logs_are_the_logs() {
    let mut copied = 0;
    for (name, file) in logs() {
        let summary = look(&file);
        if summary.complete && summary.details.index.state != IndexState::Hostile {
            testkit::assert_copies::<KoblenzLog>(&name, &file);
            copied += 1;
        }
    }
    println!("{copied} logs copied byte for byte");
    assert!(copied >= 44, "only {copied}");
}

/// After omitted damage messages have other offsets, and the index of the copy has the new ones.
#[test]
fn an_index_is_that_of_the_copy() {
    const DAMAGE: usize = 37;
    let whole = testkit::fixture("koblenz-log/drive.log");
    let reader = Reader::new(&whole).unwrap();
    let index = reader.header().index().to_vec();
    // The index is right before the recovery: its later entries point past the damage.
    let at = reader.records().map(|record| record.unwrap().offset()).nth(1).unwrap();
    let mut damaged = whole.clone();
    damaged.splice(usize::try_from(at).unwrap()..usize::try_from(at).unwrap(), [0xa5; DAMAGE]);
    let entries = reader.header_bytes().len() - 8 * index.len()..reader.header_bytes().len();
    let mut moved = 0;
    for (entry, offset) in damaged[entries].chunks_exact_mut(8).zip(&index).filter(|(_, o)| **o >= at) {
        entry.copy_from_slice(&(offset + DAMAGE as u64).to_le_bytes());
        moved += 1;
    }
    assert!(moved > 0, "{index:?} and {at}");
    let recovered = testkit::recover::<KoblenzLog>(&damaged).unwrap().file;
    assert_eq!(recovered.len(), whole.len());
    assert_eq!(Reader::new(&recovered).unwrap().header().index(), index);
}

#[test]
fn streams_are_their_slices() {
    let mut agreements = 0;
    for (_, file) in logs() {
        for limit in [Limits::default(), Limits::default().with_record(1 << 14)] {
            agreements += testkit::assert_slice_is_stream::<KoblenzLog>(&file, limit);
        }
    }
    println!("{agreements} streams equal to their slices");
    assert!(agreements >= testkit::bound(54, 200), "{agreements}");
}

#[test]
fn every_message_is_written_again_from_its_values() {
    let (mut written, mut cut) = (0, 0);
    for (name, file) in logs() {
        for record in Reader::new(&file).unwrap().records().map_while(Result::ok) {
            let Ok(payload) = record.decode() else { continue };
            let mut body = Vec::new();
            payload.write(&mut body).unwrap();
            let mut wanted = record.body();
            if matches!(payload, Payload::Velodyne(_)) {
                // Part of a packet is not a value.
                let part = (wanted.len() - 4) % 1206;
                wanted = &wanted[..wanted.len() - part];
                cut += usize::from(part > 0);
            }
            assert_eq!(body, wanted, "{name} at {}", record.offset());
            written += 1;
        }
    }
    println!("{written} payloads written again, {cut} without part of a packet");
    assert!(written > 1300 && cut < 10, "only {written}, {cut} cut");
}

#[test]
fn logs_made_of_values_have_a_right_index() {
    for sizes in SizeCounts::ALL {
        let mut header = Header::new(4);
        header.set_sizes(sizes);
        let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
        let ranges = [1000_u32, 0].map(u32::to_le_bytes);
        let scan = LaserData { sensor_type: b"URG-04LX", name: b"rear", data: ranges.as_flattened() };
        // Nothing in the third second: its entry is the next message.
        for (t, payload) in [
            (250.0, Payload::Obd(Obd { speed: 7, throttle: 12.5, ..Obd::default() })),
            (900.0, Payload::Gps(Gps { latitude: 50.36, longitude: 7.56, year: 2009, ..Gps::default() })),
            (
                1249.75,
                Payload::RobotPose(RobotPose { quaternion: [1.0, 0.0, 0.0, 0.0], ..RobotPose::default() }),
            ),
            (1250.0, Payload::Laser(scan)),
            (3300.0, Payload::Obd(Obd::default())),
        ] {
            writer.write_payload(t, &payload).unwrap();
        }
        writer.end().unwrap();
        let file = writer.finish().unwrap().into_inner();
        let summary = look(&file);
        assert_eq!((summary.details.index.state, summary.details.size_counts), (IndexState::Valid, sizes));
        let reader = Reader::new(&file).unwrap();
        let offsets: Vec<u64> =
            reader.records().map(Result::unwrap).filter(|r| !r.is_end()).map(|r| r.offset()).collect();
        assert_eq!(reader.header().index(), [offsets[0], offsets[3], offsets[4], offsets[4]]);
        assert!(summary.is_ok(), "{:?}", summary.findings);
    }
}

#[test]
fn cuts_keep_what_is_wanted_and_index_it() {
    let mut cuts = 0;
    for (name, file) in logs() {
        let before = look(&file);
        let Some((start, end)) = before.span else { continue };
        if !before.complete {
            continue;
        }
        let middle = i64::midpoint(start.nanos(), end.nanos());
        let mut reader = StreamReader::new(&file[..]).unwrap();
        let (header, bytes) = (reader.header().clone(), reader.header_bytes().to_vec());
        let mut rewriter = koblenz_log::Copier::new(Cursor::new(Vec::new()), &header, &bytes).unwrap();
        let mut kept = 0;
        while let Some(record) = reader.next_record().unwrap() {
            kept += rewriter
                .copy(&record, &mut |channel, t| channel != "imu" && t.is_some_and(|t| t.nanos() >= middle))
                .unwrap();
        }
        let cut = rewriter.finish().unwrap().into_inner();
        let after = look(&cut);
        assert_eq!(after.details.messages + after.details.invalid, kept, "{name}");
        assert!(after.complete, "{name}: {:?}", after.findings);
        assert!(!after.details.by_type.contains_key("RobotPoseM"), "{name}");
        if !header.index().is_empty() && kept > 0 {
            assert_eq!(after.details.index.state, IndexState::Valid, "{name}");
        }
        cuts += 1;
    }
    assert!(cuts > 40, "{cuts}");
}

/// A packet that ends like a log: twelve blocks with the mark of their lasers, and six bytes.
fn packet() -> [u8; 1206] {
    let mut packet = [0xff; 1206];
    packet[..1200].chunks_exact_mut(100).for_each(|block| block[..2].copy_from_slice(&[0xff, 0xee]));
    packet
}

/// The recording stopped in the third of three packets: the copy has two, and says so.
#[test]
fn a_copy_claims_as_many_packets_as_there_are() {
    let data = packet().repeat(3);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(0)).unwrap();
    writer.write_payload(250.0, &Payload::Velodyne(VelodyneData { claimed: 3, data: &data })).unwrap();
    let whole = writer.finish().unwrap().into_inner();

    let copy = testkit::recover::<KoblenzLog>(&whole[..whole.len() - 100]).unwrap().file;
    let reader = Reader::new(&copy).unwrap();
    let record = reader.records().next().unwrap().unwrap();
    let Ok(Payload::Velodyne(velodyne)) = record.decode() else { panic!("{record:?}") };
    assert_eq!((velodyne.claimed, velodyne.packets().len(), velodyne.is_whole()), (2, 2, true));
    assert_eq!(copy.len(), whole.len() - 1206);
}

/// Stamps start with the program; the receiver's whole seconds show when that was. A few are wrong, and any number of
/// fixes works.
#[test]
fn the_start_of_a_long_log_is_that_of_most_fixes() {
    const START: i64 = 1_262_304_000;
    for fixes in [1, 9, 4095, 4096, 4097, 10_000] {
        let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(0)).unwrap();
        for second in 0..fixes {
            // From midnight of 2010-01-01; one in ten is an hour late.
            let shown = second + if second % 10 == 5 { 3600 } else { 0 };
            let (hour, minute, second_shown) = (shown / 3600, shown / 60 % 60, shown % 60);
            let date = Gps { day: 1, month: 1, year: 2010, quality: 1, ..Gps::default() };
            let gps = Gps { hour, minute, second: second_shown, latitude: 50.36, longitude: 7.56, ..date };
            writer.write_payload(1000.0 * f64::from(second), &Payload::Gps(gps)).unwrap();
        }
        let summary = look(&writer.finish().unwrap().into_inner());
        assert_eq!(summary.details.epoch_ns, Some(START * 1_000_000_000), "{fixes} fixes");
    }
}

#[test]
fn any_log_is_given_a_right_index() {
    let mut indexed = 0;
    for (name, file) in logs() {
        let before = look(&file);
        let (out, report) = reindex(Cursor::new(&file), Cursor::new(Vec::new())).unwrap();
        let out = out.into_inner();
        let after = look(&out);
        assert_eq!(after.details.messages, before.details.messages + before.details.salvaged, "{name}");
        assert_eq!(after.details.velodyne_packets, before.details.velodyne_packets, "{name}");
        assert_eq!(report.lost_bytes, before.lost_bytes, "{name}");
        // Messages without a sample are kept unchanged.
        let holds_samples = before.findings.iter().all(|finding| finding.code != "payload");
        assert_eq!(after.complete, holds_samples, "{name}: {:?}", after.findings);
        if report.messages > 0 && report.entries > 0 {
            assert_eq!(after.details.index.state, IndexState::Valid, "{name}");
            indexed += 1;
        }
        if before.details.index.state == IndexState::Valid && before.complete {
            let origin = before.details.index.origin.unwrap();
            if origin == koblenz_log::IndexOrigin::FirstMessage
                && u64::from(before.details.index.entries) == report.entries
            {
                assert!(out == file, "{name}");
            }
        }
    }
    println!("{indexed} logs indexed");
    assert!(indexed > 60, "{indexed}");
}

/// Found by the fuzz target `write_koblenz_log`: the flag lost its upper bytes, which changed its meaning.
#[test]
fn payloads_that_would_not_read_back_are_refused() {
    let image = |compressed, compressed_len| koblenz_log::ImageData {
        source: 1,
        compressed,
        compressed_len,
        width: 1,
        height: 1,
        data: b"x",
    };
    let mut out = Vec::new();
    assert!(Payload::Image(image(255, 1)).write(&mut out).is_ok());
    assert!(Payload::Image(image(256, 1)).write(&mut out).is_err());
    assert!(Payload::Image(image(256, 4)).write(&mut out).is_ok());
    let laser = |data| LaserData { sensor_type: b"x", name: b"y", data };
    assert!(Payload::Laser(laser(&[0; 8])).write(&mut out).is_ok());
    assert!(Payload::Laser(laser(&[0; 7])).write(&mut out).is_err());
}

/// A log without an index: Velodyne messages, each with a packet count and its bytes, one millisecond apart. Sizes
/// count the bytes after them, plus `more`.
fn velodyne_log(messages: &[(u32, &[u8])], more: i32) -> Vec<u8> {
    let mut file = b"\xa4VEL\x01\x00\x01\x00\x00\x00\x00\x00".to_vec();
    for ((claimed, data), time) in messages.iter().zip(1_u8..) {
        let size = 17 + 4 + i32::try_from(data.len()).unwrap() + more;
        file.extend(size.to_le_bytes());
        file.push(0x49);
        file.extend([0x0003_112b_i32, 100].map(i32::to_le_bytes).as_flattened());
        file.extend(f64::from(time).to_le_bytes());
        file.extend(claimed.to_le_bytes());
        file.extend(*data);
    }
    file
}

/// Found by the fuzz target `write_koblenz_log`: data that are not packets but end like a log turned it into a log
/// where sizes count something else. Such data are read as the complete packets in them, and those are written.
#[test]
fn packets_that_are_not_whole_are_refused() {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(0)).unwrap();
    let (packet, end) = (packet(), [0xff; 4]);
    let two = packet.repeat(2);
    let lengths = [(0, &end[..], false), (1, &two[..1207], false), (1, &packet[..], true), (5, &[], true)];
    for (claimed, data, is_taken) in lengths {
        let payload = Payload::Velodyne(VelodyneData { claimed, data });
        assert_eq!(writer.write_payload(1.0, &payload).is_ok(), is_taken, "{claimed}, {} bytes", data.len());
    }
    let file = writer.finish().unwrap().into_inner();
    assert_eq!(Reader::new(&file).unwrap().records().count(), 2);

    let file = velodyne_log(&[(2, &two), (0, &end), (1, &two[..1300]), (2, &two)], 0);
    let summary = look(&file);
    assert_eq!((summary.details.size_counts, summary.details.messages), (SizeCounts::After, 4));
    assert_eq!(summary.findings.iter().filter(|f| f.code == "packet-count").count(), 2);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(0)).unwrap();
    let mut packets = Vec::new();
    for record in Reader::new(&file).unwrap().records() {
        let payload = record.unwrap().decode().unwrap();
        let Payload::Velodyne(velodyne) = payload else { panic!("{payload:?}") };
        packets.push((velodyne.claimed, velodyne.packets().len(), velodyne.data.len()));
        writer.write_payload(1.0, &payload).unwrap();
    }
    assert_eq!(packets, [(2, 2, 2412), (0, 0, 0), (1, 1, 1206), (2, 2, 2412)]);
    assert_eq!(look(&writer.finish().unwrap().into_inner()).details.messages, 4);
}

/// By hand: messages that no reader accepts are refused, without writing anything.
#[test]
fn messages_that_no_reader_takes_are_refused() {
    const OTHER: TypeId = TypeId(0x13732);
    let obd = [0; 28];
    let jpeg_of = |bytes: &[u8]| [&[0; 16][..], &3_u32.to_le_bytes(), bytes].concat();
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(0)).unwrap();
    let refused: [(f64, TypeId, i32, &[u8]); 10] = [
        (1.0, OTHER, 0, b"abcd"),
        (1.0, OTHER, -1, b"abcd"),
        (1.0, OTHER, 1001, b"abcd"),
        (1.0, TypeId::OBD, 0, &obd),
        (1e12, OTHER, 1, b"abcd"),
        (f64::NAN, OTHER, 1, b"abcd"),
        (1.0, TypeId::OBD, 100, &obd[1..]),
        (1.0, TypeId::VELODYNE, 100, &[1; 1211]),
        (1.0, TypeId::IMAGE, 100, &jpeg_of(b"abc")),
        (1.0, TypeId(0), 0, b"abcd"),
    ];
    for (at, id, version, body) in refused {
        let position = writer.position();
        assert!(writer.message(at, id, version, body).is_err(), "{at} {id} {version} {body:?}");
        assert_eq!(writer.position(), position);
    }
    let jpeg = jpeg_of(&[0xff, 0xd8, 0xff]);
    let taken: [(f64, TypeId, i32, &[u8]); 5] = [
        (1.0, OTHER, 1, b"abcd"),
        (9.9e11, OTHER, 1000, b""),
        (-1e300, TypeId::OBD, 100, &obd),
        (1.0, TypeId::OBD, 101, b"of another version"),
        (1.0, TypeId::IMAGE, 100, &jpeg),
    ];
    for (at, id, version, body) in taken {
        writer.message(at, id, version, body).unwrap();
    }
    let file = writer.finish().unwrap().into_inner();
    let summary = look(&file);
    assert!(summary.is_ok() && summary.records == 5, "{:?}", summary.findings);
}

/// The simplest loop over the records of a reader: the end mark is one of them.
#[test]
fn the_obvious_copy_is_a_sound_log() {
    let (mut copied, mut with_end) = (0, 0);
    for (name, file) in logs() {
        let before = look(&file);
        if !before.is_ok() || before.findings.iter().any(|finding| finding.code == "packet-count") {
            continue;
        }
        let reader = Reader::new(&file).unwrap();
        // A writer refuses stamps that are NaN.
        let has_nan = reader
            .records()
            .flatten()
            .any(|record| record.timestamp().is_some_and(|stamp| !stamp.is_finite()));
        if has_nan || reader.header().sizes() != SizeCounts::After {
            continue;
        }
        let mut writer = Writer::new(Cursor::new(Vec::new()), reader.header()).unwrap();
        for record in reader.records() {
            let record = record.unwrap();
            with_end += usize::from(record.is_end());
            if !record.is_end() && !record.is_valid() {
                continue;
            }
            writer
                .message(
                    record.timestamp().unwrap_or_default(),
                    record.type_id(),
                    record.version(),
                    record.body(),
                )
                .unwrap_or_else(|e| panic!("{name}: {e}: {record:?}"));
        }
        let copy = writer.finish().unwrap().into_inner();
        let after = look(&copy);
        assert!(after.is_ok(), "{name}: {:?}", after.findings);
        let kept = reader.records().flatten().filter(|r| r.is_end() || r.is_valid());
        let bytes = |r: koblenz_log::Record<'_>| (r.timestamp(), r.type_id(), r.version(), r.body().to_vec());
        let kept: Vec<_> = kept.map(bytes).collect();
        let again: Vec<_> = Reader::new(&copy).unwrap().records().map(|r| bytes(r.unwrap())).collect();
        assert!(kept == again, "{name}");
        copied += 1;
    }
    println!("{copied} logs copied, {with_end} with an end mark");
    assert!(copied > 20 && with_end > 1, "{copied} {with_end}");
}

/// A copy begins with the bytes of the header: changes to the header would be lost.
#[test]
fn a_changed_header_is_refused_by_a_copy() {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(3)).unwrap();
    writer.write_payload(1.0, &Payload::Obd(Obd::default())).unwrap();
    let file = writer.finish().unwrap().into_inner();
    let reader = Reader::new(&file).unwrap();
    let begin = |header: &Header| {
        koblenz_log::Copier::new(Cursor::new(Vec::new()), header, reader.header_bytes()).map(drop)
    };
    assert!(begin(reader.header()).is_ok());
    for seconds in [0, 2, 7] {
        let error = begin(&reader.header().clone().with_seconds(seconds)).unwrap_err();
        assert!(error.to_string().contains("3 entries"), "{error}");
    }
}

/// The packets end like a log and the claimed count is wrong, but their length still shows what sizes count.
#[test]
fn whole_packets_say_what_sizes_count() {
    let packet = packet();
    for (sizes, more) in [(SizeCounts::After, 0), (SizeCounts::Whole, 4), (SizeCounts::Payload, -17)] {
        for messages in [&[(7, &packet[..]), (7, &packet[..])][..], &[(u32::MAX, &[]), (3, &[])]] {
            let file = velodyne_log(messages, more);
            let header = Reader::new(&file).unwrap().header().clone();
            assert_eq!(header.sizes(), sizes, "{} bytes each", messages[0].1.len());
            assert_eq!(Reader::new(&file).unwrap().records().count(), 2);
        }
    }
}
