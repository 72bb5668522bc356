//! What a capture tells about its sensors, and about what is missing; with packets laid by hand.

use std::io::Cursor;

use koblenz_log::velodyne_packet::Model;
use robolog_capture::{
    Capture, Details, StreamReader, late_clocks, late_clocks_ahead,
    robolog_core::{Sample, Severity, Summary, Value},
    to_lvx,
};

const NOON: u64 = 1_700_000_000_000_000_000;

/// An IPv4 packet with a UDP datagram from 10.0.0.7.
fn ip(ports: [u16; 2], payload: &[u8]) -> Vec<u8> {
    let udp = 8 + payload.len() as u16;
    let mut packet = vec![0x45, 0];
    packet.extend((20 + udp).to_be_bytes());
    packet.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 7, 10, 0, 0, 1]);
    packet.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
    packet.extend(udp.to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(payload);
    packet
}

/// A capture of this link type: time after noon in nanoseconds, and the bytes of each packet. At most `snap` are kept.
fn capture(link: u32, snap: usize, packets: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut file = vec![0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0];
    file.extend(link.to_le_bytes());
    for (after, packet) in packets {
        let (time, kept) = (NOON + after, packet.len().min(snap));
        for n in [time / 1_000_000_000, time % 1_000_000_000, kept as u64, packet.len() as u64] {
            file.extend((n as u32).to_le_bytes());
        }
        file.extend(&packet[..kept]);
    }
    file
}

/// Raw IP, whole.
fn raw(packets: &[(u64, Vec<u8>)]) -> Vec<u8> {
    capture(101, usize::MAX, packets)
}

fn survey(file: &[u8]) -> Summary<Details> {
    StreamReader::new(file).unwrap().survey().unwrap()
}

/// The messages of the findings with a code.
fn told(summary: &Summary<Details>, code: &str) -> Vec<String> {
    let found = summary.findings.iter().filter(|finding| finding.code == code);
    found.map(|finding| finding.message.clone()).collect()
}

fn samples(file: &[u8]) -> Vec<Sample> {
    StreamReader::new(file).unwrap().samples().map(Result::unwrap).collect()
}

/// A packet of a VLP-16: number `n` of a turn at 10 Hz, with points at this many ticks.
fn vlp16(n: u64, ticks: u16) -> Vec<u8> {
    velodyne(n, ticks, 0x22)
}

fn velodyne(n: u64, ticks: u16, model: u8) -> Vec<u8> {
    let mut packet = Vec::new();
    for block in 0..12_u64 {
        let rotation = (n * 478 + block * 40) % 36_000;
        packet.extend([0xff, 0xee]);
        packet.extend((rotation as u16).to_le_bytes());
        let [low, high] = ticks.to_le_bytes();
        packet.extend([low, high, 50].repeat(32));
    }
    let micros = (3_599_999_000 + n * 1_327_104 / 1000) % 3_600_000_000;
    packet.extend((micros as u32).to_le_bytes());
    packet.extend([0x37, model]);
    packet
}

/// A packet of SDK 2 with 96 points.
fn sdk2(counter: u16, stamp: u64, interval: u16) -> Vec<u8> {
    let mut packet = vec![0];
    packet.extend(1380_u16.to_le_bytes());
    packet.extend(interval.to_le_bytes());
    packet.extend(96_u16.to_le_bytes());
    packet.extend(counter.to_le_bytes());
    packet.extend([0, 1, 0]);
    packet.resize(28, 0);
    packet.extend(stamp.to_le_bytes());
    for i in 0..96_i32 {
        packet.extend([1000 + i, 0, i].map(i32::to_le_bytes).concat());
        packet.extend([10, 0]);
    }
    packet
}

/// A packet of SDK 1: data type, stamp, and bytes of its points.
fn sdk1(data_type: u8, stamp: u64, len: usize) -> Vec<u8> {
    let mut packet = vec![5, 1, 1, 0, 0, 0, 0, 0, 0, data_type];
    packet.extend(stamp.to_le_bytes());
    packet.extend((0..len).map(|i| (i % 14) as u8 + 1));
    packet
}

fn steps(count: u64, step: u64, make: impl Fn(u64) -> Vec<u8>) -> Vec<(u64, Vec<u8>)> {
    (0..count).map(|n| (n * step, make(n))).collect()
}

#[test]
fn packets_of_any_link_type_are_read() {
    let sends =
        |before: &[u8]| steps(4, 1_327_104, |n| [before, &ip([2368, 2368], &vlp16(n, 1000))].concat());
    let sll2 = [&[8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6][..], &[0; 8]].concat();
    let sll = [&[0, 0, 0, 1, 0, 6][..], &[0; 8], &[8, 0]].concat();
    let vlan = [&[0; 12][..], &[0x81, 0, 0, 5, 8, 0]].concat();
    let ethernet = [&[0; 12][..], &[8, 0]].concat();
    for (link, before) in
        [(276, &sll2[..]), (113, &sll), (1, &vlan), (1, &ethernet), (101, &[]), (12, &[]), (0, &[2, 0, 0, 0])]
    {
        let file = capture(link, usize::MAX, &sends(before));
        let summary = survey(&file);
        assert_eq!((summary.details.velodyne_packets, summary.channels[0].values), (4, 4 * 384), "{link}");
        assert_eq!(summary.findings, [], "{link}");
        testkit::assert_agrees::<Capture>("link", &file).unwrap();
    }
}

#[test]
fn a_capture_that_gives_nothing_says_why() {
    let velodyne = steps(4, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    let other = |size: usize, port| steps(4, 1, |_| ip([10_000, port], &vec![0xee; size]));
    let mut fragments = velodyne.clone();
    for (_, packet) in &mut fragments {
        packet[6] = 0x20;
    }
    let ipv6: Vec<_> = steps(2, 1, |_| {
        let udp = [&[9, 64, 9, 64, 0, 12, 0, 0][..], &[7; 4]].concat();
        [&[0x60, 0, 0, 0, 0, 12, 17, 64][..], &[1; 32], &udp].concat()
    });
    for (file, expected) in [
        (
            capture(127, usize::MAX, &velodyne),
            "4 packets of link type 127 (Wi-Fi with radiotap headers), which is not supported",
        ),
        (capture(101, 82, &velodyne), "all 4 packets were cut to 82 bytes when captured"),
        (raw(&fragments), "4 fragments of IP datagrams, which are not put together"),
        (raw(&ipv6), "2 datagrams over IPv6, which is not read"),
        (
            raw(&other(1080, 2368)),
            "4 datagrams of 1080 bytes to port 2368: neither Velodyne nor Livox, probably Hesai",
        ),
        (
            raw(&other(12_608, 7502)),
            "4 datagrams of 12608 bytes to port 7502: neither Velodyne nor Livox, probably Ouster",
        ),
        (
            raw(&other(1248, 6699)),
            "4 datagrams of 1248 bytes to port 6699: neither Velodyne nor Livox, probably RoboSense",
        ),
        (raw(&other(77, 5000)), "4 datagrams of 77 bytes to port 5000: neither Velodyne nor Livox"),
        (raw(&[]), "the capture has no packets"),
    ] {
        assert_eq!(told(&survey(&file), "nothing-read"), [expected]);
    }
    // Beside packets that are read, others are named at most.
    let mut both = velodyne;
    both.extend(other(77, 5000));
    both.extend(other(1080, 2368));
    let summary = survey(&raw(&both));
    assert!(
        summary.findings.iter().all(|finding| finding.severity == Severity::Note),
        "{:?}",
        summary.findings
    );
    assert_eq!(told(&summary, "other-lidar").len(), 1);
}

#[test]
fn ports_tell_sensors_of_an_address_apart_in_every_target() {
    let mut both = steps(6, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    both.extend(steps(6, 1_327_104, |n| ip([2369, 2369], &vlp16(n + 40, 2000))));
    let mut lidars = steps(6, 480_000, |n| ip([56_300, 56_301], &sdk2(n as u16, n * 480_000 + 1, 4800)));
    lidars.extend(steps(6, 480_000, |n| {
        ip([56_310, 56_311], &sdk2(n as u16, n * 480_000 + 7_000_000_000, 4800))
    }));
    for mut packets in [both, lidars.clone()] {
        packets.sort();
        let summary = survey(&raw(&packets));
        let names: Vec<_> = summary.channels.iter().map(|channel| channel.name.as_str()).collect();
        assert_eq!(names, ["10.0.0.7-2/points", "10.0.0.7/points"]);
        assert_eq!(summary.findings, []);
        let span = summary.span.unwrap();
        assert!(span.1.since(span.0).unwrap() < 20_000_000, "{span:?}");
    }
    lidars.sort();
    let file = raw(&lidars);
    let open = &mut || Ok::<_, Box<dyn std::error::Error>>(&file[..]);
    let (lvx, report) = to_lvx(open, Vec::new(), None, &mut |error, _| panic!("{error}")).unwrap();
    assert_eq!((report.packages, report.devices.len()), (12, 2));
    let reader = lvx::Reader::new(&lvx).unwrap();
    let names: Vec<_> = reader.header().devices().iter().map(lvx::Device::sn_text).collect();
    assert_eq!(names, ["10.0.0.7", "10.0.0.7-2"]);
    let ids: Vec<_> = reader.header().devices().iter().map(|device| device.id).collect();
    let id = |last| lvx::DeviceId::Lidar(u32::from_le_bytes([10, 0, 0, last]));
    assert_eq!(ids, [id(7), id(8)]);
    let mut of_second = 0;
    for frame in reader.records() {
        of_second +=
            frame.unwrap().packages().filter(|package| package.as_ref().unwrap().device() == id(8)).count();
    }
    assert_eq!(of_second, 6);
}

#[test]
fn packets_captured_twice_count_once() {
    let packets = steps(20, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    let twice: Vec<_> = packets
        .iter()
        .flat_map(|(at, packet)| [(*at, packet.clone()), (at + 9000, packet.clone())])
        .collect();
    let summary = survey(&raw(&twice));
    assert_eq!(summary.channels[0].values, 20 * 384);
    assert_eq!(summary.details.duplicates, 20);
    assert_eq!(
        told(&summary, "captured-twice"),
        ["10.0.0.7: 20 packets were captured twice, which count once"]
    );
    testkit::assert_agrees::<Capture>("twice", &raw(&twice)).unwrap();
}

#[test]
fn two_senders_behind_one_port_are_told() {
    let mut packets = steps(20, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    packets.extend(steps(20, 1_327_104, |n| ip([2368, 2368], &vlp16(n + 40, 2000))));
    packets.sort();
    let summary = survey(&raw(&packets));
    assert_eq!(told(&summary, "two-senders").len(), 1);
    assert_eq!(summary.details.sensors[0].lost, None);
}

#[test]
fn lost_packets_are_counted() {
    let keep = |n: u64| !(4..=13).contains(&n);
    let few: Vec<_> = steps(17, 480_000, |n| ip([56_300, 56_301], &sdk2(n as u16, n * 480_000, 4800)));
    let few: Vec<_> = few.into_iter().zip(0..).filter(|(_, n)| keep(*n)).map(|(packet, _)| packet).collect();
    let summary = survey(&raw(&few));
    let lost = summary.details.sensors[0].lost.clone().unwrap();
    assert_eq!((lost.packets, lost.sent, lost.gaps.len()), (10, 17, 1));
    assert_eq!(
        told(&summary, "packets-lost"),
        ["10.0.0.7: 10 of 17 packets (59 %) never arrived, first at 22:13:20.0"]
    );
    let heads = steps(17, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    let heads: Vec<_> =
        heads.into_iter().zip(0..).filter(|(_, n)| keep(*n)).map(|(packet, _)| packet).collect();
    assert_eq!(survey(&raw(&heads)).details.sensors[0].lost.as_ref().unwrap().packets, 10);
    assert!(summary.is_ok(), "a warning");
}

#[test]
fn evidence_tells_models_and_with_them_times_and_lines() {
    let of = |packets: &[(u64, Vec<u8>)]| {
        let file = raw(packets);
        let sensor = survey(&file).details.sensors[0].clone();
        let Value::PointCloud(cloud) = samples(&file)[0].value.clone() else { panic!("no cloud") };
        (
            sensor.model.unwrap(),
            sensor.assumed,
            cloud.time_offset[95],
            cloud.ring.iter().max().copied().unwrap_or(0),
        )
    };
    let mid70 = steps(5, 960_000, |n| ip([65_000, 56_001], &sdk1(2, 5_000_000_000 + n * 960_000, 1344)));
    assert_eq!(of(&mid70), ("Mid-70".into(), false, 950_000, 0));
    let horizon = steps(5, 400_000, |n| ip([65_000, 56_001], &sdk1(2, 5_000_000_000 + n * 400_000, 1344)));
    let (model, assumed, last, ring) = of(&horizon);
    assert_eq!((&*model, assumed, ring), ("Horizon", true, 5));
    assert!(last.abs_diff(95 * 4167) < 1000, "{last}");
    let hap = steps(5, 212_300, |n| ip([57_000, 57_000], &sdk2(n as u16, 5_000_000_000 + n * 212_300, 2123)));
    let (model, assumed, last, ring) = of(&hap);
    assert_eq!((&*model, assumed, ring), ("HAP", false, 5));
    assert!(last.abs_diff(95 * 2211) < 300, "{last}");
    let mid360 =
        steps(5, 480_000, |n| ip([56_300, 56_301], &sdk2(n as u16, 5_000_000_000 + n * 480_000, 4800)));
    assert_eq!(of(&mid360), ("Mid-360".into(), false, 475_000, 3));
}

#[test]
fn no_point_is_later_than_the_capture_of_its_packet() {
    // Of a Mid-40, 0.1 ms after its last shot, without a date.
    let packets: Vec<_> = (0..40_u64)
        .map(|n| (n * 1_000_000 + 1_090_000, ip([65_000, 56_001], &sdk1(0, 77 + n * 1_000_000, 1300))))
        .collect();
    for sample in samples(&raw(&packets)) {
        let Value::PointCloud(cloud) = &sample.value else { continue };
        let start = sample.time.unwrap().nanos();
        for (i, offset) in cloud.time_offset.iter().enumerate() {
            let captured = (NOON + packets[i / 100].0).cast_signed();
            assert!(start + i64::from(*offset) <= captured, "point {i}");
        }
        assert!((NOON.cast_signed() + 1_090_000 - start - 1_000_000).abs() <= 100_000, "{start}");
    }
}

#[test]
fn an_hdl_32e_measures_its_motion() {
    let words: [u16; 12] =
        [0x0f14, 0x106d, 0x232f, 0x3fcc, 0x0fcc, 0x1073, 0x231e, 0x3ff1, 0x0f86, 0x10ab, 0x203f, 0x3ff1];
    let mut position = vec![0; 512];
    for (word, at) in words.iter().zip((14..).step_by(2)) {
        position[at..at + 2].copy_from_slice(&word.to_le_bytes());
    }
    position[198] = 9;
    let file = raw(&[(0, ip([8308, 4000], &position)), (1, ip([443, 2368], &velodyne(0, 1000, 0x21)))]);
    let all = samples(&file);
    let Value::Imu(imu) = &all[0].value else { panic!("{all:?}") };
    assert_eq!(&*all[0].channel, "10.0.0.7/imu");
    let (rate, acceleration) = (imu.angular_velocity.unwrap(), imu.linear_acceleration.unwrap());
    let [g, degrees] = [9.806_65 * 0.001_221, 0.097_66_f64.to_radians()];
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    near(rate.x, 52.0 * degrees);
    near(rate.y, 236.0 * degrees);
    near(rate.z, -122.0 * degrees);
    near(acceleration.z, 806.5 * g);
    near(acceleration.x, 57.5 * g);
    near(acceleration.y, -15.0 * g);
    let Value::Row(row) = &all[1].value else { panic!("{all:?}") };
    assert_eq!((&*all[1].channel, row.cells.len()), ("10.0.0.7/imu/boards", 12));
    assert_eq!(survey(&file).channels.len(), 3);
    testkit::assert_agrees::<Capture>("imu", &file).unwrap();
}

#[test]
fn a_capture_clock_that_goes_back_is_told() {
    let mut packets = steps(20, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    packets[10..].iter_mut().for_each(|(at, _)| *at += 5_000_000_000);
    packets.rotate_left(10);
    let summary = survey(&raw(&packets));
    assert_eq!(told(&summary, "clock-set-back").len(), 1);
}

#[test]
fn packets_without_a_model_are_read_with_the_one_given() {
    let packets = steps(20, 1_327_104, |n| ip([2368, 2368], &velodyne(n, 1000, 0)));
    let file = raw(&packets);
    let summary = survey(&file);
    assert_eq!(summary.channels.len(), 0);
    let line = "20 packets of a Velodyne, which do not name its model";
    assert_eq!(told(&summary, "nothing-read"), [line]);
    let mut reader = StreamReader::new(&file[..]).unwrap();
    reader.header_mut().set_velodyne(Some(Model::Vlp16));
    let summary = reader.survey().unwrap();
    assert_eq!(summary.channels[0].values, 20 * 384);
    assert_eq!(summary.details.sensors[0].model.as_deref(), Some("VLP-16"));
}

/// Bytes of a clock that look like the first generation's firmware, `V<7!`, before factory bytes.
#[test]
fn a_clock_that_looks_like_words_is_a_clock() {
    let head = |n: u64| {
        let mut packet = velodyne(n, 1000, 0x21);
        let micros = 0x3c55_ff00_u64 + n * 553;
        packet[1200..1204].copy_from_slice(&(micros as u32).to_le_bytes());
        packet
    };
    let mut packets = steps(400, 552_960, |n| ip([2368, 2368], &head(n)));
    assert_eq!(survey(&raw(&packets)).details.sensors[0].lost, None);
    // Its clock is `V<` from packet 0 to 118.
    packets.drain(100..150);
    let sensor = &survey(&raw(&packets)).details.sensors[0];
    assert_eq!(sensor.lost.as_ref().unwrap().packets, 50);
    assert_eq!(sensor.firmware, None);
}

/// Losses in few turns leave out the same part of the circle by chance; a sector is left out in every turn.
#[test]
fn losses_are_no_sector_and_a_sector_is_no_loss() {
    let packets = steps(300, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    let turns = 300 * 478 / 36_000;
    let gone = |n: usize| n % 3 == 1 || (150..162).contains(&n) || (225..237).contains(&n);
    let kept: Vec<_> =
        packets.iter().enumerate().filter(|(n, _)| !gone(*n)).map(|(_, p)| p.clone()).collect();
    assert_eq!(turns, 3);
    let lost = survey(&raw(&kept)).details.sensors[0].lost.as_ref().map_or(0, |lost| lost.packets);
    assert_eq!(lost, 299 - kept.len() as u64 + u64::from(!gone(299)));
    let is_dark = |n: u64| (10_000..13_000).contains(&(n * 478 % 36_000));
    let kept: Vec<_> = (0_u64..).zip(packets).filter(|(n, _)| !is_dark(*n)).map(|(_, p)| p).collect();
    assert_eq!(survey(&raw(&kept)).details.sensors[0].lost, None);
}

/// The capture's clock is off by 30 s; the LiDAR counts from power-on, then has the date: one clock.
#[test]
fn a_clock_that_gets_the_date_late_is_continued_backwards() {
    const SENT: u64 = 480_000;
    let mut packets = steps(300, SENT, |n| {
        let stamp = if n < 100 { 5_000_000_000 + n * SENT } else { NOON + n * SENT };
        let mut packet = sdk2(n as u16, stamp, 4800);
        packet[11] = u8::from(n >= 100);
        ip([56_300, 56_301], &packet)
    });
    for (at, _) in &mut packets {
        *at += 30_000_000_000;
    }
    let file = raw(&packets);
    let late = late_clocks(Cursor::new(&file)).unwrap();
    assert_eq!(late, late_clocks_ahead(file.as_slice()));
    assert_eq!(
        (late.len(), late[0].name.as_str(), late[0].after_ns),
        (1, "10.0.0.7", 100 * SENT.cast_signed())
    );
    assert_eq!(late[0].power_on_ns, NOON.cast_signed() - 5_000_000_000);
    let mut reader = StreamReader::new(file.as_slice()).unwrap();
    reader.header_mut().set_late_clocks(late);
    let times: Vec<i64> = reader.samples().map(|sample| sample.unwrap().time.unwrap().nanos()).collect();
    assert_eq!(times[0], NOON.cast_signed());
    let steps: Vec<i64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (49_000_000..51_000_000).contains(step)), "{steps:?}");
    let mut reader = StreamReader::new(file.as_slice()).unwrap();
    reader.header_mut().set_late_clocks(late_clocks(Cursor::new(&file)).unwrap());
    let summary = reader.survey().unwrap();
    assert_eq!(
        (told(&summary, "late-clock").len(), summary.findings.len()),
        (1, 1),
        "{:?}",
        summary.findings
    );
    // One that never gets it, and one that has it from the start.
    for stamp in [0, NOON] {
        let packets = steps_of(stamp, 300);
        assert_eq!(late_clocks(Cursor::new(raw(&packets))).unwrap(), []);
    }
}

fn steps_of(stamp: u64, count: u64) -> Vec<(u64, Vec<u8>)> {
    steps(count, 480_000, |n| {
        let mut packet = sdk2(n as u16, stamp + n * 480_000, 4800);
        packet[11] = u8::from(stamp > 0);
        ip([56_300, 56_301], &packet)
    })
}

#[test]
fn samples_say_model_serial_number_and_firmware() {
    let mut found = vec![0xaa, 0, 24 + 24, 0, 1, 0, 0, 0, 0, 0, 1];
    found.resize(24, 0);
    found.extend([0, 9]);
    found.extend(b"47MDL9T0020150\0\0");
    found.extend([10, 0, 0, 7, 0, 0]);
    let mut packets = vec![(0, ip([56_000, 56_000], &found))];
    packets.extend(steps_of(NOON, 300));
    let said = |file: &[u8]| samples(file).pop().unwrap().attributes;
    let attributes = said(&raw(&packets));
    assert_eq!(
        (attributes.get("model"), attributes.get("serial")),
        (Some("Mid-360"), Some("47MDL9T0020150"))
    );
    let horizon = steps(300, 400_000, |n| ip([65_000, 60_001], &sdk1(2, n * 400_000, 96 * 14)));
    assert_eq!(said(&raw(&horizon)).get("model"), Some("Horizon (assumed)"));
    let vlp16 = steps(200, 1_327_104, |n| ip([2368, 2368], &vlp16(n, 1000)));
    assert_eq!(said(&raw(&vlp16)).get("model"), Some("VLP-16"));
}
