//! Inputs of very many small items: their size bounds the memory, whatever their number.

use std::fmt::Write as _;

use robolog_core::{StreamReader, format::Recording, survey};
use testkit::Nowhere;

/// Bytes of an input.
const SIZE: usize = 400_000;

/// Text of [`SIZE`] bytes: `head`, numbered pieces, `tail`.
fn many(head: &str, tail: &str, piece: impl Fn(usize, &mut String)) -> Vec<u8> {
    let mut text = head.to_owned();
    for n in 0.. {
        if text.len() >= SIZE {
            break;
        }
        piece(n, &mut text);
    }
    (text + tail).into_bytes()
}

/// Bytes of [`SIZE`]: `head` and numbered pieces.
fn many_bytes(head: &[u8], piece: impl Fn(u32, &mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = head.to_vec();
    for n in 0.. {
        if bytes.len() >= SIZE {
            break;
        }
        piece(n, &mut bytes);
    }
    bytes
}

/// Peak heap of a survey, of reading all samples and of a copy, and the number of channels in the survey.
fn heap<F: Recording>(file: &[u8]) -> ([usize; 3], usize) {
    let measure =
        |run: &mut dyn FnMut()| usize::try_from(allocation_counter::measure(run).bytes_max).unwrap();
    let mut channels = 0;
    let surveyed = measure(&mut || {
        let mut reader = StreamReader::<_, F>::new(file).unwrap();
        channels = survey(&mut reader).unwrap().channels.len();
    });
    let sampled = measure(&mut || {
        testkit::samples_in::<F>(file).unwrap();
    });
    let copied = measure(&mut || {
        testkit::copy::<F, _, _>(file, Nowhere::default()).unwrap();
    });
    ([surveyed, sampled, copied], channels)
}

/// Additional bytes of a survey per channel: names, counts and times of its records, the intervals between them, and its
/// attributes.
const CHANNEL: usize = 736;

/// Allows sixteen times the input, a mebibyte, and [`CHANNEL`] for each channel.
fn check<F: Recording>(what: &str, file: &[u8]) {
    let (took, channels) = heap::<F>(file);
    let allowed = 16 * file.len() + (1 << 20) + channels * CHANNEL;
    let times = took.map(|bytes| bytes / file.len());
    println!(
        "{}: {what}: {} bytes, {channels} channels, {took:?} of the heap: {times:?} times",
        F::NAME,
        file.len()
    );
    assert!(took.iter().all(|bytes| *bytes <= allowed), "{}: {what}: {took:?} of {allowed}", F::NAME);
}

#[test]
fn logs_of_many_variables() {
    let head = "%% LOGSTART 1600000000\n";
    check::<alog::Alog>("variables", &many(head, "", |n, out| writeln!(out, "1.0 V{n} p 1").unwrap()));
    check::<alog::Alog>("applications", &many(head, "", |n, out| writeln!(out, "1.0 V p{n} 1").unwrap()));
    check::<alog::Alog>("comments", &many(head, "", |_, out| out.push_str("%\n")));
    check::<alog::Alog>("empty lines", &many(head, "", |_, out| out.push('\n')));
    check::<alog::Alog>(
        "items",
        &many("%% LOGSTART 1600000000\n1.0 NODE_REPORT p ", "\n", |_, out| out.push(',')),
    );
    check::<alog::Alog>(
        "vehicles",
        &many(head, "", |n, out| {
            writeln!(out, "1.0 NODE_REPORT p NAME=v{n},X=1,Y=2").unwrap();
        }),
    );
}

#[test]
fn recordings_of_many_actors() {
    let file = testkit::fixture("carla-rec/header_only.log");
    let frame = |n: u32, out: &mut Vec<u8>| {
        out.extend([0, 24, 0, 0, 0]);
        out.extend(u64::from(n).to_le_bytes());
        out.extend(0.05_f64.to_le_bytes());
        out.extend((f64::from(n) * 0.05).to_le_bytes());
    };
    let end = [1, 0, 0, 0, 0];
    check::<carla_rec::CarlaRec>(
        "frames",
        &many_bytes(&file, |n, out| {
            frame(n, out);
            out.extend(end);
        }),
    );
    check::<carla_rec::CarlaRec>("empty packets", &many_bytes(&file, |_, out| out.extend([200, 0, 0, 0, 0])));
    check::<carla_rec::CarlaRec>(
        "packets of no records",
        &many_bytes(&file, |_, out| out.extend([6, 2, 0, 0, 0, 0, 0])),
    );
    // Positions of many actors in one frame.
    let mut file = file;
    frame(0, &mut file);
    let positions = many_bytes(&file, |n, out| {
        out.extend([6, 30, 0, 0, 0, 1, 0]);
        out.extend(n.to_le_bytes());
        out.extend([0; 24]);
    });
    check::<carla_rec::CarlaRec>("actors", &positions);
    let additions = many_bytes(&file, |n, out| {
        out.extend([2, 39, 0, 0, 0, 1, 0]);
        out.extend(n.to_le_bytes());
        out.extend([0; 33]);
    });
    check::<carla_rec::CarlaRec>("additions", &additions);
}

#[test]
fn logs_of_many_messages() {
    let head = [&b"\xa4VEL\x01\x00\x01\x00"[..], &[0; 4]].concat();
    let message = |type_id: u32, version: i32, body: &[u8], out: &mut Vec<u8>| {
        out.extend(u32::try_from(17 + body.len()).unwrap().to_le_bytes());
        out.push(0x49);
        out.extend(type_id.to_le_bytes());
        out.extend(version.to_le_bytes());
        out.extend(0.0_f64.to_le_bytes());
        out.extend(body);
    };
    let types = many_bytes(&head, |n, out| message(1_000_000 + n, 1, &[], out));
    check::<koblenz_log::KoblenzLog>("types", &types);
    let laser = koblenz_log::TypeId::LASER;
    check::<koblenz_log::KoblenzLog>(
        "lasers",
        &many_bytes(&head, |n, out| {
            let name = n.to_le_bytes();
            let body = [&0_u32.to_le_bytes()[..], &4_u32.to_le_bytes(), &name, &0_u32.to_le_bytes()].concat();
            message(laser.0, laser.version().unwrap(), &body, out);
        }),
    );
    let image = koblenz_log::TypeId::IMAGE;
    check::<koblenz_log::KoblenzLog>(
        "cameras",
        &many_bytes(&head, |n, out| {
            let body = [n, 1, 0, 0, 0].map(u32::to_le_bytes).concat();
            message(image.0, image.version().unwrap(), &body, out);
        }),
    );
}

#[test]
fn recordings_of_many_devices_and_frames() {
    use lvx::{Device, DeviceId, DeviceType, Header, Version, Writer};
    let devices =
        (0..255).map(|n| Device::new(DeviceId::Index(n), &format!("D{n}"), DeviceType(3))).collect();
    for (what, devices, packages) in [("frames", Vec::new(), 0), ("devices", devices, 255)] {
        let mut writer = Writer::new(Vec::new(), &Header::new(Version::V1_1, devices)).unwrap();
        while writer.position() < SIZE as u64 {
            writer.begin_frame().unwrap();
            for n in 0..packages {
                let time = robolog_core::Timestamp::new(i64::from(n), robolog_core::Clock::Device);
                writer.imu(DeviceId::Index(n), time, &robolog_core::Imu::default()).unwrap();
            }
            writer.end_frame().unwrap();
        }
        check::<lvx::Lvx>(what, &writer.finish().unwrap());
    }
}

#[test]
fn documents_of_many_elements() {
    let gpx = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\">";
    for (what, piece) in [
        ("tracks", "<trk/>"),
        ("tracks of a segment", "<trk><trkseg/></trk>"),
        ("routes", "<rte/>"),
        ("tracks of a point", "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk>"),
        ("waypoints", "<wpt lat=\"1\" lon=\"2\"/>"),
        ("comments", "<!---->"),
        ("wrong elements", "<a/>"),
    ] {
        check::<robolog_gpx::Gpx>(what, &many(gpx, "</gpx>", |_, out| out.push_str(piece)));
    }
    let nested = "<a>".repeat(SIZE / 3);
    check::<robolog_gpx::Gpx>("depth", format!("{gpx}{nested}").as_bytes());
    let kml = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>";
    check::<robolog_kml::Kml>(
        "placemarks",
        &many(kml, "</Document></kml>", |_, out| out.push_str("<Placemark/>")),
    );
    check::<robolog_kml::Kml>("folders", &many(kml, "</Document></kml>", |_, out| out.push_str("<Folder/>")));
    check::<robolog_kml::Kml>(
        "names",
        &many(kml, "</Document></kml>", |n, out| {
            write!(
                out,
                "<Placemark><name>{n}</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
            )
            .unwrap();
        }),
    );
    check::<robolog_kml::Kml>(
        "places",
        &many(
            &format!("{kml}<Placemark><LineString><coordinates>"),
            "</coordinates></LineString></Placemark></Document></kml>",
            |_, out| out.push_str("1,2 "),
        ),
    );
}

#[test]
fn sentences_of_many_kinds() {
    check::<robolog_nmea::Nmea>(
        "kinds",
        &many("$GPHDT,1.0,T*34\r\n", "", |n, out| writeln!(out, "$PX{n:X},1\r").unwrap()),
    );
    check::<robolog_nmea::Nmea>("empty lines", &many("$GPHDT,1.0,T*34\r\n", "", |_, out| out.push('\n')));
    check::<robolog_nmea::Nmea>(
        "satellites",
        &many("", "", |n, out| {
            writeln!(out, "$GPGSV,9,{},36,{},,,,{},,,,{},,,,{},,,\r", n % 9 + 1, n, n + 1, n + 2, n + 3)
                .unwrap();
        }),
    );
}

#[test]
fn tables_of_many_rows() {
    check::<effibox::table::Table>(
        "rows",
        &many("Version 1\nRtime wz\n", "", |n, out| writeln!(out, "{n} 0").unwrap()),
    );
    check::<effibox::table::Table>(
        "wrong rows",
        &many("Version 1\nRtime wz\n", "", |_, out| out.push_str("x\n")),
    );
}

#[test]
fn captures_of_many_devices() {
    let mut head = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    head.extend([0; 8]);
    head.extend([0xff, 0xff, 0, 0, 101, 0, 0, 0]);
    // IPv4 and UDP by hand, each packet from another sender.
    let file = many_bytes(&head, |n, out| {
        let [a, b, c, d] = (0x0a00_0000 + n).to_be_bytes();
        let packet = [
            &[0x45, 0, 0, 32, 0, 0, 0, 0, 64, 17, 0, 0, a, b, c, d, 10, 0, 0, 1][..],
            &[0x09, 0x40, 0x09, 0x40, 0, 12, 0, 0, 1, 2, 3, 4],
        ]
        .concat();
        out.extend(1_600_000_000_u32.to_le_bytes());
        out.extend(n.to_le_bytes());
        out.extend(u32::try_from(packet.len()).unwrap().to_le_bytes());
        out.extend(u32::try_from(packet.len()).unwrap().to_le_bytes());
        out.extend(packet);
    });
    check::<robolog_capture::Capture>("senders", &file);
}
