//! Captured packets become the packages that Livox's own recorder writes for them.

use std::{collections::BTreeMap, fs, io::Cursor, path::Path};

use lvx::{DeviceId, DeviceType, Model, Reader, Version};
use robolog_capture::{
    Capture, DatagramEvent, Details, LvxReport, NothingToExtract, StreamReader, datagrams, detect,
    robolog_core::{self, Summary},
    to_log, to_lvx,
};

type Error = Box<dyn std::error::Error>;

/// Bytes lost from a capture, number of losses, and the first error.
#[derive(Debug, Default)]
struct Damage {
    count: u64,
    lost: u64,
    first: String,
}

impl Damage {
    fn take(&mut self, error: &robolog_core::Error, lost: std::ops::Range<u64>) {
        if self.count == 0 {
            self.first = error.to_string();
        }
        self.count += 1;
        self.lost += lost.end - lost.start;
    }
}

fn record(path: &Path) -> (Vec<u8>, LvxReport) {
    let open = &mut || Ok::<_, Error>(fs::File::open(path)?);
    to_lvx(open, Vec::new(), Some(Model::Tele15), &mut |error, _| panic!("{error}")).unwrap()
}

fn survey(file: &[u8]) -> Summary<Details> {
    StreamReader::new(file).unwrap().survey().unwrap()
}

#[test]
fn a_real_capture_gives_the_packages_of_the_reference_recording() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let (file, report) = record(&dir.join("livox_tele15_small.pcap"));
    assert_eq!(
        (report.version, report.datagrams, report.packages, report.left_out),
        (Some(Version::V1_1), 1000, 1000, 0)
    );
    let reference = fs::read(dir.join("tele15_real_v11.lvx")).unwrap();
    let packages = |file: &[u8]| -> Vec<Vec<u8>> {
        let reader = Reader::new(file).unwrap();
        let frames = reader.records().map(Result::unwrap);
        frames.flat_map(|f| f.packages()).map(|p| p.unwrap().bytes().to_vec()).collect()
    };
    let (got, want) = (packages(&file), packages(&reference));
    assert_eq!(got.len(), 1000);
    assert!(got == want, "the packages differ");
    println!("{} packages equal byte for byte", got.len());

    let header = Reader::new(&file).unwrap().header().clone();
    assert_eq!(header.devices()[0].sn_text(), "10.222.1.12");
    assert_eq!(header.devices()[0].device_type, DeviceType(2));
}

#[test]
fn packets_of_sdk_2_give_the_points_of_a_third_partys_recording() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let (file, report) = record(&dir.join("mid360_sdk2_synthetic.pcap"));
    // 70 inertial measurements, which LVX2 cannot hold, and one status packet.
    assert_eq!((report.packages, report.left_out), (700, 70));
    let reference = fs::read(dir.join("mid360_pcap_to_lvx2.lvx2")).unwrap();
    // That tool writes the address's octets in its own order, and its own counters: compare by time, type and points.
    let packages = |file: &[u8]| -> BTreeMap<(i64, u8), Vec<u8>> {
        let reader = Reader::new(file).unwrap();
        let frames = reader.records().map(Result::unwrap);
        let packages = frames.flat_map(|f| f.packages()).map(Result::unwrap);
        packages.map(|p| ((p.time().unwrap().nanos(), p.data_type_number()), p.payload().to_vec())).collect()
    };
    let (got, want) = (packages(&file), packages(&reference));
    assert_eq!((got.len(), want.len()), (700, 700));
    assert!(got == want, "times, types or points differ");
    let header = Reader::new(&file).unwrap().header().clone();
    assert_eq!(header.devices()[0].id, DeviceId::Lidar(738_306_240), "192.168.1.44, octets in file order");
}

/// A capture of one Ethernet frame with a UDP datagram from 10.0.0.7.
fn capture(payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0; 12];
    packet.extend([8, 0, 0x45, 0]);
    let udp = 8 + payload.len() as u16;
    packet.extend((20 + udp).to_be_bytes());
    packet.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 7, 10, 0, 0, 1]);
    packet.extend([0xea, 0x61, 0xda, 0xc1]);
    packet.extend(udp.to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(payload);
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
    for n in [1_700_000_000, 250_000, packet.len() as u32, packet.len() as u32] {
        file.extend(n.to_le_bytes());
    }
    file.extend(packet);
    file
}

/// The sizes of the datagrams of a capture.
fn sizes(file: &[u8]) -> Vec<usize> {
    let mut sizes = Vec::new();
    datagrams(file, &mut |event| {
        if let DatagramEvent::Datagram(datagram) = event {
            sizes.push(datagram.payload.len());
        }
        Ok::<(), robolog_core::Error>(())
    })
    .unwrap();
    sizes
}

#[test]
fn a_wrong_length_of_ip_costs_no_datagram() {
    // As written by VLP-16s into their GPS packets: the length of a point packet.
    let mut file = capture(&[7; 512]);
    file[56..58].copy_from_slice(&1234_u16.to_be_bytes());
    assert_eq!(sizes(&file), [512]);
    // Truncated by the capture, it is not a datagram.
    let mut file = capture(&[7; 512]);
    let kept = file.len() - 100;
    file.truncate(kept);
    file[32..36].copy_from_slice(&(kept as u32 - 40).to_le_bytes());
    assert_eq!(sizes(&file), [0; 0]);
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let file = fs::read(dir.join("gadomski_vlp16_position.pcap")).unwrap();
    assert_eq!(sizes(&file), [512]);
}

fn of(file: &[u8]) -> Result<(Vec<u8>, LvxReport, Damage), Error> {
    let mut damage = Damage::default();
    let open = &mut || Ok::<_, Error>(file);
    let (out, report) = to_lvx(open, Vec::new(), None, &mut |error, lost| damage.take(&error, lost))?;
    Ok((out, report, damage))
}

#[test]
fn only_whole_packets_of_a_lidar_are_taken() {
    let mut imu = vec![5, 1, 1, 0, 0, 0, 0, 0, 1, 6];
    imu.extend([0; 8 + 24]);
    let (file, report, _) = of(&capture(&imu)).unwrap();
    assert_eq!((report.packages, report.frames), (1, 1));
    let reader = Reader::new(&file).unwrap();
    let frame = reader.records().next().unwrap().unwrap();
    let package = frame.packages().next().unwrap().unwrap();
    assert_eq!((&package.bytes()[1..], package.bytes()[0]), (&imu[..], 0));

    let short = &imu[..imu.len() - 1];
    let long = [&imu[..], &[0]].concat();
    let mut other_version = imu.clone();
    other_version[0] = 4;
    let mut unknown_type = imu.clone();
    unknown_type[9] = 9;
    for payload in [short, &long, &other_version, &unknown_type, &[], b"hello"] {
        let error = of(&capture(payload)).unwrap_err();
        assert!(error.downcast_ref::<NothingToExtract>().is_some(), "{payload:?}: {error}");
    }
}

#[test]
fn a_survey_counts_what_a_recording_would_hold() {
    let mut imu = vec![5, 1, 1, 0, 0, 0, 0, 0, 1, 6];
    imu.extend([0; 8 + 24]);
    let file = [capture(&imu), capture(b"hello")[24..].to_vec()].concat();
    let summary = survey(&file);
    assert!(summary.is_ok());
    assert_eq!((summary.records, summary.details.datagrams, summary.details.sdk1_packets), (2, 2, 1));
    assert_eq!((summary.channels.len(), summary.channels[0].name.as_str()), (1, "10.0.0.7/imu"));
    assert_eq!(summary.span.unwrap().0.nanos(), 1_700_000_000_250_000_000);
    assert!(!survey(&file[..file.len() - 1]).is_ok());

    let Some(dir) = testkit::data_dir("lvx") else { return };
    for (name, points, imu) in
        [("livox_tele15_small.pcap", 88_896, 74), ("mid360_sdk2_synthetic.pcap", 67_200, 70)]
    {
        let summary = survey(&fs::read(dir.join(name)).unwrap());
        let values: Vec<_> = summary.channels.iter().map(|c| c.values).collect();
        assert_eq!(values, [imu, points], "{name}");
    }
}

#[test]
fn damaged_captures_are_errors_or_cut_short() {
    let mut imu = vec![5, 1, 1, 0, 0, 0, 0, 0, 1, 6];
    imu.extend([0; 8 + 24]);
    let file = [capture(&imu), capture(&imu)[24..].to_vec()].concat();
    for cut in 0..file.len() {
        match of(&file[..cut]) {
            Ok((_, report, _)) => assert!(report.packages == 1, "{cut}"),
            Err(error) => {
                assert!(
                    error.is::<NothingToExtract>() || error.is::<robolog_core::Error>(),
                    "{cut}: {error}"
                );
            }
        }
    }
    let mut seen = 0;
    testkit::splices(&file, 5000, 7, &mut |bytes| seen += usize::from(of(bytes).is_ok()));
    assert!(seen > 100, "{seen}");
    assert!(detect(&file) && !detect(b"livox_tech"));
}

/// A section, an Ethernet interface with nanoseconds, and a block for each payload, according to the pcapng
/// specification.
fn pcapng(payloads: &[&[u8]]) -> Vec<u8> {
    let block = |kind: u32, body: &[u8]| {
        let len = (12 + body.len()) as u32;
        [&kind.to_le_bytes()[..], &len.to_le_bytes(), body, &len.to_le_bytes()].concat()
    };
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let interface = [1, 0, 0, 0, 0, 0, 4, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0];
    let mut file = [block(0x0a0d_0d0a, &section), block(1, &interface)].concat();
    for (payload, i) in payloads.iter().zip(0_u64..) {
        let mut packet = capture(payload)[24 + 16..].to_vec();
        let (len, stamp) = (packet.len() as u32, 1_700_000_000_000_000_000 + i * 1_000_000);
        packet.resize(packet.len().next_multiple_of(4), 0);
        let numbers = [0, (stamp >> 32) as u32, stamp as u32, len, len];
        let head: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        file.extend(block(6, &[head, packet].concat()));
    }
    file
}

fn imu() -> Vec<u8> {
    [&[5, 1, 1, 0, 0, 0, 0, 0, 1, 6][..], &[0; 8 + 24]].concat()
}

/// Offsets of the packets of a little-endian capture.
fn packets(file: &[u8]) -> Vec<usize> {
    let mut at = 24;
    let mut packets = Vec::new();
    while at < file.len() {
        packets.push(at);
        at += 16 + u32::from_le_bytes(file[at + 8..at + 12].try_into().unwrap()) as usize;
    }
    packets
}

#[test]
fn a_wrong_length_costs_the_packets_beside_it() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let file = fs::read(dir.join("livox_tele15_small.pcap")).unwrap();
    let packets = packets(&file);
    assert_eq!(packets.len(), 1000);
    for number in [0, 1, 500, 901, 998, 999] {
        let at = packets[number] + 8;
        let right = u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        for wrong in [u32::MAX, 1 << 19, right + 100, right - 100, 0] {
            let mut damaged = file.clone();
            damaged[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
            let (_, report, reading) = of(&damaged).unwrap();
            assert!((998..1000).contains(&report.packages), "{number}, {wrong}: {}", report.packages);
            assert!(reading.count > 0 && reading.lost > 0, "{number}, {wrong}: {reading:?}");
            assert!(reading.first.len() < 200, "{}", reading.first);

            let summary = survey(&damaged);
            assert!(!summary.is_ok());
            assert_eq!((summary.details.sdk1_packets, summary.bytes), (report.packages, file.len() as u64));
            assert_eq!(summary.lost_bytes, reading.lost);
        }
    }
}

#[test]
fn blocks_of_pcapng_are_read_past_damage() {
    let file = pcapng(&[&imu(), &imu(), &imu()]);
    let (lvx, report, reading) = of(&file).unwrap();
    assert_eq!((report.packages, reading.count), (3, 0));
    assert_eq!(Reader::new(&lvx).unwrap().records().count(), 1, "2 ms");
    let summary = survey(&file);
    assert_eq!(
        summary.span.unwrap().1.nanos(),
        1_700_000_000_000_000_000,
        "of the sensor, not of the capture"
    );

    // The length of the second packet's block, at its start and at its end.
    let block = (file.len() - 28 - 32) / 3;
    let second = 28 + 32 + block;
    for at in [second + 4, second + block - 4] {
        for wrong in [0, 13, 1 << 19, u32::MAX] {
            let mut damaged = file.clone();
            damaged[at..at + 4].copy_from_slice(&u32::to_le_bytes(wrong));
            let (_, report, reading) = of(&damaged).unwrap();
            assert_eq!((report.packages, reading.lost), (2, block as u64), "{wrong} at {at}: {reading:?}");
            assert!(reading.first.len() < 200, "{}", reading.first);
        }
    }
    // A packet of an undescribed interface.
    let mut odd = file.clone();
    odd[second + 8] = 7;
    let (_, report, reading) = of(&odd).unwrap();
    assert_eq!((report.packages, reading.count, reading.lost), (2, 1, block as u64));
}

/// Found by the fuzz target `capture`: the recovered file began with a block that no reader accepts as a capture.
#[test]
fn a_capture_without_its_first_section_is_one_when_it_is_recovered() {
    let whole = testkit::fixture("pcap/livox_sdk2.pcapng");
    for at in [4, 0x18, 0x19, 0x1b] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        let recovered = testkit::assert_agrees::<Capture>("section", &damaged).unwrap();
        assert!(detect(&recovered), "byte {at}");
    }
}

/// Found by the fuzz target `capture`: the recovered file kept a sentence that no reader delivers.
#[test]
fn a_position_packet_with_a_damaged_sentence_is_left_out_by_a_copy() {
    let whole = testkit::fixture("pcap/velodyne.pcap");
    let starts: Vec<_> =
        whole.windows(6).enumerate().filter(|(_, six)| six == b"$GPRMC").map(|(at, _)| at).collect();
    assert!(!starts.is_empty());
    for at in starts {
        let mut damaged = whole.clone();
        damaged[at + 9] ^= 1;
        let recovered = testkit::assert_agrees::<Capture>("sentence", &damaged).unwrap();
        assert!(recovered.len() < whole.len());
    }
}

/// Found by the fuzz targets `capture` and `capture_rewrite`: bytes inside a packet look like two packets, the second
/// of which reaches into damage. Without the damage, as in a copy, the end of the file cuts it, and it was taken for a
/// packet.
#[test]
fn a_packet_in_a_packet_is_none_for_reaching_beyond_the_end() {
    let head = |kept: u32| [1_700_000_000, 0, kept, kept].map(u32::to_le_bytes).concat();
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
    file.extend(head(200));
    file.extend([head(40), vec![0; 40], head(1000), vec![0; 128]].concat());
    // A packet without kept bytes, which only the end can follow.
    file.extend([1_700_000_000, 0, 0, 100].map(u32::to_le_bytes).concat());
    let sound = file.len();
    file.extend([0xff; 2000]);
    let recovered = testkit::assert_agrees::<Capture>("packets in a packet", &file).unwrap();
    assert_eq!(recovered, file[..sound]);
    assert_eq!(testkit::recover::<Capture>(&recovered).unwrap().file, recovered);
}

/// Found by the fuzz target `capture_rewrite`: any datagram of that length became a packet of the log.
#[test]
fn a_log_takes_the_packets_that_a_survey_counts() {
    let mut file = testkit::fixture("pcap/velodyne.pcap");
    let packets = |file: &[u8]| {
        let counted = survey(file).details.velodyne_packets;
        let open = &mut || Ok::<_, Error>(file);
        let (_, report) = to_log(open, Cursor::new(Vec::new()), &mut |error, _| panic!("{error}")).unwrap();
        assert_eq!(report.packets, counted);
        counted
    };
    let whole = packets(&file);
    // The mark of a packet's first block.
    let mark = file.windows(2).position(|two| two == [0xff, 0xee]).unwrap();
    file[mark] = 0;
    assert_eq!(packets(&file), whole - 1);
}

/// A little-endian capture of Ethernet packets: each with its header numbers and its bytes.
fn packets_of(packets: &[([u32; 4], &[u8])]) -> Vec<u8> {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
    for (head, data) in packets {
        file.extend(head.map(u32::to_le_bytes).concat());
        file.extend(*data);
    }
    file
}

const NOON: u32 = 1_700_000_000;

/// Found by the fuzz target `capture_rewrite`: the bytes of a packet look like packets that lead past it. In the
/// damaged file they lead into damage; in its copy, to the end of another packet, and were accepted instead of it.
#[test]
fn a_packet_that_holds_packets_is_one_when_it_is_recovered() {
    let head = |seconds, len: u32| [seconds, 0, len, len];
    // A packet inside the packet, and one that extends 136 bytes past it.
    let mut holds = packets_of(&[(head(NOON, 40), &[0; 40]), (head(NOON, 200), &[])])[24..].to_vec();
    holds.resize(holds.len() + 64, 0);
    let outer = (head(NOON, holds.len() as u32), &holds[..]);
    // More than a day later, so it does not confirm the one before.
    let sound = packets_of(&[outer, (head(NOON + 90_000, 120), &[0; 120])]);
    let end = 24 + 16 + holds.len();
    assert_eq!(sound.len(), end + 136);
    // Zeros are not packets, nor is anything longer than the maximum.
    for damage in [&[0; 16][..], &[0; 4096], &[0xff; 300], &[5; 333]] {
        let mut file = sound.clone();
        file.splice(end..end, damage.iter().copied());
        let recovered = testkit::assert_agrees::<Capture>("packets in a packet", &file).unwrap();
        assert!(recovered == sound, "{} bytes of {:#x}", damage.len(), damage[0]);
        assert!(testkit::recover::<Capture>(&recovered).unwrap().file == recovered);
    }
}

/// Bytes missing at the end of a capture are counted by the capture, with the offset of the packet.
#[test]
fn a_packet_that_is_cut_is_damage() {
    let packet = ([NOON, 5, 60, 60], &[7_u8; 60][..]);
    let file = packets_of(&[packet, packet]);
    let at = 24 + 76;
    for missing in [1, 59] {
        let summary = survey(&file[..file.len() - missing]);
        assert_eq!((summary.records, summary.lost_bytes), (1, 76 - missing as u64));
        let told = &summary.findings[0];
        assert_eq!(told.offset, at);
        let wanted = format!("capture: the input ends {missing} byte");
        assert!(told.message.contains(&wanted), "{}", told.message);
    }
}

/// A run of zeros was read as empty packets captured in 1970.
#[test]
fn zeros_are_no_packets() {
    let packet = ([NOON, 5, 60, 60], &[7_u8; 60][..]);
    let file = packets_of(&[packet, packet, packet, packet]);
    let mut damaged = file.clone();
    damaged.splice(100..100, [0; 1600]);
    let summary = survey(&damaged);
    assert_eq!((summary.records, summary.lost_bytes), (4, 1600));
    assert_eq!(testkit::recover::<Capture>(&damaged).unwrap().file, file);
    // A packet may be kept without bytes, and a frame with its own length may have a wrong original length.
    let nothing = ([NOON, 6, 0, 60], &[][..]);
    assert_eq!(survey(&packets_of(&[packet, nothing, packet])).records, 3);
    let whole = capture(&[7; 512]);
    let frame = &whole[40..];
    for head in [[NOON, 5, 554, 0], [NOON, 4_000_000_000, 554, 554]] {
        let file = packets_of(&[(head, frame), (head, frame), (head, &[0; 554])]);
        let summary = survey(&file);
        assert_eq!((summary.records, summary.lost_bytes), (2, 570), "{head:?}");
    }
}
