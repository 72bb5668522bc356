//! Data that a writer cannot write is an error, and does not harm what was written.

use lvx::{Clock, Device, DeviceId, DeviceType, Header, Lvx, PointCloud, Reader, Timestamp, Version, Writer};
use robolog_core::Imu;

const ID: DeviceId = DeviceId::Index(0);
const START: Timestamp = Timestamp::new(1_000_000_000, Clock::Unix);

fn header(version: Version) -> Header {
    let id = if version == Version::V2_0 { DeviceId::Lidar(1) } else { ID };
    Header::new(version, vec![Device::new(id, "47MDTEST0000001", DeviceType(3))])
}

/// A cloud of `n` points, a microsecond apart.
fn cloud(n: u16) -> PointCloud {
    PointCloud {
        x: (0..n).map(f32::from).collect(),
        y: vec![0.0; n.into()],
        z: vec![0.0; n.into()],
        time_offset: (0..n).map(|i| u32::from(i) * 1000).collect(),
        ..PointCloud::default()
    }
}

#[test]
fn packages_need_a_frame_and_a_frame_needs_its_end() {
    let mut writer = Writer::new(Vec::new(), &header(Version::V1_1)).unwrap();
    let package = [&[0, 5, 1, 1, 0, 0, 0, 0, 0, 1, 6][..], &[0; 8 + 24]].concat();
    assert!(writer.filled_cloud(ID, START, &cloud(3)).is_err());
    assert!(writer.imu(ID, START, &Imu::default()).is_err());
    assert!(writer.package(&package).is_err());
    assert!(writer.end_frame().is_err());
    writer.begin_frame().unwrap();
    assert_eq!(writer.filled_cloud(ID, START, &cloud(3)).unwrap(), 93);
    assert!(writer.begin_frame().is_err(), "the first frame would be lost");
    assert!(writer.package(&package[..42]).is_err(), "the frame could not be read from here on");
    writer.package(&package).unwrap();
    writer.end_frame().unwrap();
    let file = writer.finish().unwrap();
    let frame = Reader::new(&file).unwrap().records().next().unwrap().unwrap();
    assert_eq!(frame.packages().map(Result::unwrap).count(), 2);
    testkit::assert_agrees::<Lvx>("written", &file);

    let mut writer = Writer::new(Vec::new(), &header(Version::V1_1)).unwrap();
    writer.begin_frame().unwrap();
    assert!(writer.finish().is_err(), "the frame would be lost");
}

#[test]
fn clouds_that_cannot_be_written_leave_the_frame_as_it_was() {
    let mut writer = Writer::new(Vec::new(), &header(Version::V1_1)).unwrap();
    writer.begin_frame().unwrap();
    let ragged = PointCloud { y: vec![0.0; 2], ..cloud(3) };
    let tagged = PointCloud { tag: vec![0; 2], ..cloud(3) };
    let timeless = PointCloud { time_offset: Vec::new(), ..cloud(97) };
    let mut far = cloud(200);
    far.x[150] = f32::NAN;
    for cloud in [&ragged, &tagged, &timeless, &far] {
        assert!(writer.filled_cloud(ID, START, cloud).is_err());
    }
    writer.cloud(ID, START, &PointCloud { time_offset: Vec::new(), ..cloud(96) }).unwrap();
    writer.end_frame().unwrap();
    let file = writer.finish().unwrap();
    let frame = Reader::new(&file).unwrap().records().next().unwrap().unwrap();
    assert_eq!(frame.packages().count(), 1);
}

#[test]
fn versions_that_are_only_copied_are_refused_before_anything_is_written() {
    for version in [Version::V1_0, Version::V2_4] {
        let mut out = Vec::new();
        let header = Header::new(version, Vec::new());
        assert!(Writer::new(&mut out, &header).is_err(), "{version}");
        assert!(out.is_empty(), "{version}");
    }
}

#[test]
fn packages_read_into_a_cloud_are_written_with_their_own_stamps() {
    let file = testkit::fixture("lvx/v11_type2.lvx");
    let reader = Reader::new(&file).unwrap();
    let mut writer = Writer::new(Vec::new(), reader.header()).unwrap();
    for frame in reader.records() {
        let frame = frame.unwrap();
        let (mut cloud, start) = (PointCloud::default(), frame.time().unwrap());
        for package in frame.packages() {
            let package = package.unwrap();
            let device_type = reader.header().device(package.device()).unwrap().device_type;
            package.append_to(&mut cloud, start, device_type.shot_interval_ns().unwrap()).unwrap();
        }
        writer.begin_frame().unwrap();
        writer.cloud(ID, start, &cloud).unwrap();
        writer.end_frame().unwrap();
    }
    let copy = writer.finish().unwrap();
    let stamps = |file: &[u8]| -> Vec<_> {
        let reader = Reader::new(file).unwrap();
        let packages = reader.records().map(Result::unwrap).flat_map(|frame| frame.packages());
        packages.map(Result::unwrap).map(|package| (package.time(), package.payload().to_vec())).collect()
    };
    assert_eq!(stamps(&copy).len(), 4);
    assert!(stamps(&copy) == stamps(&file), "stamps or points differ");
}

#[test]
fn every_data_type_with_points_is_written_from_values() {
    let id = DeviceId::Index(0);
    let types = [
        (lvx::DataType::Cartesian, 0, 100, 1),
        (lvx::DataType::Spherical, 1, 100, 1),
        (lvx::DataType::TaggedCartesian, 2, 96, 1),
        (lvx::DataType::TaggedSpherical, 3, 96, 1),
        (lvx::DataType::DualCartesian, 4, 96, 2),
        (lvx::DataType::DualSpherical, 5, 96, 2),
        (lvx::DataType::TripleCartesian, 7, 90, 3),
        (lvx::DataType::TripleSpherical, 8, 90, 3),
    ];
    for (data_type, number, points, returns) in types {
        // All returns of a shot lie in one direction, at hundredths of a degree.
        let cloud: PointCloud = (0..12_u8)
            .map(|i| {
                let (shot, depth) = (i / returns, 10.0 + f64::from(i));
                let (theta, phi) =
                    ((80.0 + f64::from(shot)).to_radians(), (330.0 + f64::from(shot)).to_radians());
                #[expect(clippy::cast_possible_truncation, reason = "columns are single precision")]
                let [x, y, z] = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()]
                    .map(|v| (depth * v) as f32);
                robolog_core::Point::new(x, y, z)
            })
            .collect();
        let mut writer =
            Writer::new(Vec::new(), &Header::new(Version::V1_1, vec![Device::new(id, "A", DeviceType(7))]))
                .unwrap();
        writer.begin_frame().unwrap();
        let filled = writer.cloud_as(data_type, id, Timestamp::new(5, Clock::Device), &cloud).unwrap();
        writer.end_frame().unwrap();
        assert_eq!(filled, points - 12, "{data_type:?}");
        let file = writer.finish().unwrap();
        let reader = Reader::new(&file).unwrap();
        let frame = reader.records().next().unwrap().unwrap();
        let package = frame.packages().next().unwrap().unwrap();
        assert_eq!((package.data_type_number(), package.point_count()), (number, points));
        for (i, point) in package.points().iter().take(12).enumerate() {
            let off = [point.x - cloud.x[i], point.y - cloud.y[i], point.z - cloud.z[i]];
            assert!(off.iter().all(|off| off.abs() < 6e-3), "{data_type:?} {i}: {off:?}");
        }
    }
}
