//! Captured packets, and recordings that others made from the same packets.

use std::{fs, path::Path};

use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use lvx::{
    Device, DeviceId, DeviceType, Header, Reader, Version, Writer,
    wire::{Sdk2, package_from_sdk1, package_from_sdk2},
};
use pcap_parser::{LegacyPcapReader, PcapBlockOwned, PcapError, traits::PcapReaderIterator as _};

/// Source address and payload of every UDP packet of a capture.
fn payloads(path: &Path) -> Vec<([u8; 4], Vec<u8>)> {
    let mut all = Vec::new();
    let mut reader = LegacyPcapReader::new(65536, fs::File::open(path).unwrap()).unwrap();
    loop {
        match reader.next() {
            Ok((len, block)) => {
                if let PcapBlockOwned::Legacy(packet) = block {
                    let sliced = SlicedPacket::from_ethernet(packet.data).unwrap();
                    if let (Some(NetSlice::Ipv4(ip)), Some(TransportSlice::Udp(udp))) =
                        (&sliced.net, &sliced.transport)
                    {
                        all.push((ip.header().source(), udp.payload().to_vec()));
                    }
                }
                reader.consume(len);
            }
            Err(PcapError::Eof) => return all,
            Err(PcapError::Incomplete(_)) => reader.refill().unwrap(),
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn packages(file: &[u8]) -> Vec<Vec<u8>> {
    let reader = Reader::new(file).unwrap();
    let frames = reader.records().map(Result::unwrap);
    frames.flat_map(|frame| frame.packages()).map(|p| p.unwrap().bytes().to_vec()).collect()
}

/// `tele15_real_v11.lvx` was made from this capture by an independent script, which put a header before the packets.
#[test]
fn captured_packets_of_sdk1_are_the_packages_of_the_recording() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let mut made = Vec::new();
    for (_, payload) in payloads(&dir.join("livox_tele15_small.pcap")) {
        let mut package = Vec::new();
        assert!(package_from_sdk1(0, &payload, &mut package), "{:?}", &payload[..18]);
        made.push(package);
    }
    let recorded = packages(&fs::read(dir.join("tele15_real_v11.lvx")).unwrap());
    assert_eq!(recorded.len(), 1000);
    // Including the device index, as both have one device.
    assert!(made == recorded, "a package differs");
    println!("{} packages equal, byte for byte", made.len());
}

/// `mid360_pcap_to_lvx2.lvx2` was made from this capture by `pcap_to_lvx2`, a third-party tool. It
/// - omits inertial measurements and status messages, as every LVX2 must;
/// - writes the octets of `lidar_id` (bytes 1 to 4) in reverse, also in the device info;
/// - matches in all other bytes of the package headers, and in all points.
#[test]
fn captured_packets_of_sdk2_are_the_packages_of_the_recording_but_for_its_reversed_address() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let (mut made, mut imu, mut foreign) = (Vec::new(), 0, 0);
    for (address, payload) in payloads(&dir.join("mid360_sdk2_synthetic.pcap")) {
        let mut package = Vec::new();
        match package_from_sdk2(address, &payload, &mut package).unwrap() {
            Sdk2::Points => made.push(package),
            Sdk2::Imu => imu += 1,
            Sdk2::Foreign => foreign += 1,
            Sdk2::Other => panic!("no such packet in this capture"),
        }
    }
    // The foreign one is the LiDAR's status message, on another port.
    assert_eq!((made.len(), imu, foreign), (700, 70, 1));

    let file = fs::read(dir.join("mid360_pcap_to_lvx2.lvx2")).unwrap();
    let recorded = packages(&file);
    assert_eq!(recorded.len(), made.len());
    for (i, (made, recorded)) in made.iter().zip(&recorded).enumerate() {
        assert_eq!(made[1..5], [192, 168, 1, 44], "package {i}");
        assert_eq!(recorded[1..5], [44, 1, 168, 192], "package {i}");
        assert!(made[0] == recorded[0] && made[5..] == recorded[5..], "package {i} differs");
    }
    assert_eq!(file[61..65], [44, 1, 168, 192], "the device info");

    let counts = recorded.iter().map(|p| p[17]).fold([0; 3], |mut n, t| {
        n[usize::from(t)] += 1;
        n
    });
    assert_eq!(counts, [0, 600, 100], "packages by data type");
    println!("{} packages equal but for the order of the address", made.len());
}

/// An SDK 1 packet of this data type: 18 bytes of header, then `len` bytes.
fn sdk1(data_type: u8, len: usize) -> Vec<u8> {
    let mut payload = vec![5, 1, 1, 0];
    payload.extend(0x4000_6840_u32.to_le_bytes());
    payload.extend([1, data_type]);
    payload.extend(1_726_588_075_299_964_555_u64.to_le_bytes());
    payload.extend((0..len).map(|i| i.to_le_bytes()[0]));
    payload
}

const SDK1_LENGTHS: [usize; 9] = [1300, 900, 1344, 960, 1344, 768, 24, 1260, 660];

#[test]
fn every_data_type_of_sdk1_becomes_a_package_as_it_stands() {
    let id = DeviceId::Index(7);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "A", DeviceType(7))]);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    writer.begin_frame().unwrap();
    let mut sent = Vec::new();
    for (data_type, len) in (0..).zip(SDK1_LENGTHS) {
        let payload = sdk1(data_type, len);
        let mut package = Vec::new();
        assert!(package_from_sdk1(7, &payload, &mut package), "type {data_type}");
        assert_eq!((package[0], &package[1..]), (7, &payload[..]));
        writer.package(&package).unwrap();
        sent.push(package);
    }
    writer.end_frame().unwrap();
    assert!(packages(&writer.finish().unwrap()) == sent);
}

#[test]
fn what_is_no_packet_of_sdk1_is_refused() {
    let mut out = b"before".to_vec();
    let mut refused = |payload: &[u8]| !package_from_sdk1(0, payload, &mut out) && out == b"before";
    for (data_type, len) in (0..).zip(SDK1_LENGTHS) {
        let payload = sdk1(data_type, len);
        for cut in 0..payload.len() {
            assert!(refused(&payload[..cut]), "type {data_type}, {cut} bytes");
        }
        assert!(refused(&sdk1(data_type, len + 1)), "type {data_type}, a byte too many");
    }
    assert!(refused(&sdk1(9, 1344)), "unknown data type");
    let mut other_version = sdk1(2, 1344);
    other_version[0] = 4;
    assert!(refused(&other_version), "version 4");
    testkit::splices(&[0xa5; 1362], 2000, 1, &mut |garbage| assert!(refused(garbage)));
}

/// An SDK 2 packet: 36 bytes of header, then `dots` entries of `size` bytes.
fn sdk2(data_type: u8, dots: u16, size: u16) -> Vec<u8> {
    let mut payload = vec![0];
    payload.extend((36 + dots * size).to_le_bytes());
    payload.extend(4800_u16.to_le_bytes());
    payload.extend(dots.to_le_bytes());
    payload.extend(0x1234_u16.to_le_bytes());
    payload.extend([9, data_type, 1]);
    payload.extend([0xee; 12]);
    payload.extend(0xdead_beef_u32.to_le_bytes());
    payload.extend(1_686_000_000_123_456_789_u64.to_le_bytes());
    payload.extend((0..dots * size).map(|i| i.to_le_bytes()[0]));
    payload
}

#[test]
fn points_of_sdk2_become_a_package_field_by_field() {
    for (data_type, size) in [(1, 14), (2, 8)] {
        let payload = sdk2(data_type, 96, size);
        let mut package = Vec::new();
        assert_eq!(package_from_sdk2([10, 0, 0, 9], &payload, &mut package).unwrap(), Sdk2::Points);
        let mut expected = vec![0, 10, 0, 0, 9, 8, 1];
        expected.extend(1_686_000_000_123_456_789_u64.to_le_bytes());
        expected.extend([0x34, 0x12, data_type]);
        expected.extend((96 * u32::from(size)).to_le_bytes());
        expected.extend([9, 0, 0, 0, 0]);
        expected.extend(&payload[36..]);
        assert!(package == expected, "data type {data_type}");
    }
}

#[test]
fn what_lvx2_has_no_place_for_is_told_apart_from_what_is_no_packet() {
    let mut out = b"before".to_vec();
    let mut kind = |payload: &[u8]| {
        let kind = package_from_sdk2([10, 0, 0, 9], payload, &mut out).unwrap();
        assert!(kind == Sdk2::Points || out == b"before", "{kind:?}");
        kind
    };
    assert_eq!(kind(&sdk2(0, 1, 24)), Sdk2::Imu);
    assert_eq!(kind(&sdk2(3, 96, 10)), Sdk2::Other, "spherical");
    assert_eq!(kind(&sdk2(0x11, 48, 28)), Sdk2::Other, "two returns");

    for whole in [sdk2(0, 1, 24), sdk2(1, 96, 14), sdk2(2, 96, 8), sdk2(3, 96, 10), sdk2(0x11, 48, 28)] {
        for cut in 0..whole.len() {
            assert_eq!(kind(&whole[..cut]), Sdk2::Foreign, "type {}, {cut} bytes", whole[10]);
        }
        let longer = [&whole[..], &[0]].concat();
        assert_eq!(kind(&longer), Sdk2::Foreign, "type {}, a byte too many", whole[10]);
    }
    let mut miscounted = sdk2(1, 96, 14);
    miscounted[5] = 95;
    assert_eq!(kind(&miscounted), Sdk2::Foreign, "95 points in the bytes of 96");
    assert_eq!(kind(&sdk2(4, 96, 14)), Sdk2::Foreign, "unknown data type");
    assert_eq!(kind(&sdk1(2, 1344)), Sdk2::Foreign, "a packet of SDK 1");
    testkit::splices(&[0xa5; 1380], 2000, 1, &mut |garbage| assert_eq!(kind(garbage), Sdk2::Foreign));
}
