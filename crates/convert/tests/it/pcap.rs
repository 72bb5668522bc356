//! Captured packets become the packages that Livox's own recorder writes of them.

use std::{collections::BTreeMap, fs, io::Cursor, path::Path};

use lvx::{DeviceId, DeviceType, Reader, Version};
use robolog_convert::{
    Error, Input,
    pcap::{self, to_lvx},
};

fn record(path: &Path) -> (Vec<u8>, pcap::PcapReport) {
    let open = &mut || Ok(Input::open(path)?.into_stream());
    to_lvx(open, Vec::new(), Some(DeviceType(2))).unwrap()
}

#[test]
fn a_real_capture_gives_the_packages_of_the_reference_recording() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let (file, report) = record(&dir.join("livox_tele15_small.pcap"));
    assert_eq!(
        (report.version, report.datagrams, report.packages, report.left_out, report.reading.damages),
        (Some(Version::V1_1), 1000, 1000, 0, 0)
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
    // 70 inertial measurements, for which LVX2 has no place, and one packet of state.
    assert_eq!((report.packages, report.left_out), (700, 70));
    let reference = fs::read(dir.join("mid360_pcap_to_lvx2.lvx2")).unwrap();
    // That tool writes its own order of the address's octets and its own counters: by time, type and points.
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

fn of(file: &[u8]) -> Result<(Vec<u8>, pcap::PcapReport), Error> {
    let mut open = || Ok(Input::new("capture", Box::new(Cursor::new(file.to_vec())))?.into_stream());
    to_lvx(&mut open, Vec::new(), None)
}

#[test]
fn only_whole_packets_of_a_lidar_are_taken() {
    let mut imu = vec![5, 1, 1, 0, 0, 0, 0, 0, 1, 6];
    imu.extend([0; 8 + 24]);
    let (file, report) = of(&capture(&imu)).unwrap();
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
        assert!(matches!(of(&capture(payload)), Err(Error::Empty(_))), "{payload:?}");
    }
}

#[test]
fn a_survey_counts_what_a_recording_would_hold() {
    let mut imu = vec![5, 1, 1, 0, 0, 0, 0, 0, 1, 6];
    imu.extend([0; 8 + 24]);
    let file = [capture(&imu), capture(b"hello")[24..].to_vec()].concat();
    let survey = |bytes: &[u8]| pcap::survey(Box::new(Cursor::new(bytes.to_vec()))).unwrap();
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
            Ok((_, report)) => assert!(report.packages == 1, "{cut}"),
            Err(Error::Empty(_) | Error::Target(_) | Error::File { .. }) => {}
            Err(other) => panic!("{cut}: {other}"),
        }
    }
    let mut seen = 0;
    testkit::splices(&file, 5000, 7, &mut |bytes| seen += usize::from(of(bytes).is_ok()));
    assert!(seen > 100, "{seen}");
    assert!(pcap::detect(&file) && !pcap::detect(b"livox_tech"));
}
