//! The fast views of points agree with the declared layouts, which are the specification.

use lvx::{DataType, Package, Point, Reader, layout};
use robolog_core::layout::Layout;

fn oracle(package: &Package<'_>) -> Option<Vec<Point>> {
    fn each<T: Layout>(payload: &[u8], size: usize, make: impl Fn(T) -> Vec<Point>) -> Vec<Point> {
        payload.chunks_exact(size).flat_map(|entry| make(T::decode(entry, 0).unwrap())).collect()
    }
    let spherical = |depth: f64, theta: f64, phi: f64, reflectivity, tag| {
        let (theta, phi) = ((theta / 100.0).to_radians(), (phi / 100.0).to_radians());
        let x = (depth * theta.sin() * phi.cos()) as f32;
        let y = (depth * theta.sin() * phi.sin()) as f32;
        Point { x, y, z: (depth * theta.cos()) as f32, reflectivity, tag }
    };
    let mm = |v: i32| (f64::from(v) / 1000.0) as f32;
    let payload = package.payload();
    Some(match package.data_type() {
        DataType::FloatCartesian => each(payload, 13, |p: layout::FloatPoint| {
            vec![Point { x: p.x, y: p.y, z: p.z, reflectivity: p.reflectivity, tag: 0 }]
        }),
        DataType::FloatSpherical => each(payload, 13, |p: layout::FloatPoint| {
            vec![spherical(p.x.into(), p.y.into(), p.z.into(), p.reflectivity, 0)]
        }),
        DataType::Cartesian => each(payload, 13, |p: layout::RawPoint| {
            vec![Point { x: mm(p.x), y: mm(p.y), z: mm(p.z), reflectivity: p.reflectivity, tag: 0 }]
        }),
        DataType::TaggedCartesian | DataType::DualCartesian | DataType::TripleCartesian => {
            each(payload, 14, |p: layout::TaggedPoint| {
                vec![Point { x: mm(p.x), y: mm(p.y), z: mm(p.z), reflectivity: p.reflectivity, tag: p.tag }]
            })
        }
        DataType::LowCartesian => each(payload, 8, |p: layout::LowPoint| {
            let cm = |v: i16| (f64::from(v) / 100.0) as f32;
            vec![Point { x: cm(p.x), y: cm(p.y), z: cm(p.z), reflectivity: p.reflectivity, tag: p.tag }]
        }),
        DataType::Spherical => each(payload, 9, |p: layout::RawSpherical| {
            vec![spherical(f64::from(p.depth) / 1000.0, p.theta.into(), p.phi.into(), p.reflectivity, 0)]
        }),
        DataType::TaggedSpherical => each(payload, 10, |p: layout::TaggedSpherical| {
            vec![spherical(f64::from(p.depth) / 1000.0, p.theta.into(), p.phi.into(), p.reflectivity, p.tag)]
        }),
        DataType::DualSpherical => each(payload, 16, |p: layout::DualSpherical| {
            let point = |r: &layout::Return| {
                spherical(f64::from(r.depth) / 1000.0, p.theta.into(), p.phi.into(), r.reflectivity, r.tag)
            };
            p.returns.iter().map(point).collect()
        }),
        DataType::TripleSpherical => each(payload, 22, |p: layout::TripleSpherical| {
            let point = |r: &layout::Return| {
                spherical(f64::from(r.depth) / 1000.0, p.theta.into(), p.phi.into(), r.reflectivity, r.tag)
            };
            p.returns.iter().map(point).collect()
        }),
        _ => return None,
    })
}

#[test]
fn every_view_equals_its_declaration() {
    let mut seen = std::collections::BTreeMap::new();
    for fixture in testkit::fixtures("lvx", "lvx") {
        let reader = Reader::new(&fixture.bytes).unwrap();
        for package in reader.records().map_while(Result::ok).flat_map(|frame| frame.packages()) {
            let Ok(package) = package else { continue };
            let Some(want) = oracle(&package) else { continue };
            let got: Vec<_> = package.points().iter().collect();
            assert_eq!(got, want, "{}: package at {:#x}", fixture.name, package.offset());
            *seen.entry(format!("{:?}", package.data_type())).or_insert(0) += got.len();
        }
    }
    assert_eq!(seen.len(), 11, "each kind of point must be in some fixture: {seen:?}");
}

#[test]
fn package_headers_equal_their_declarations() {
    for fixture in testkit::fixtures("lvx", "lvx") {
        let reader = Reader::new(&fixture.bytes).unwrap();
        for package in
            reader.records().map_while(Result::ok).flat_map(|frame| frame.packages()).map_while(Result::ok)
        {
            if matches!(package.version(), lvx::Version::V1_0 | lvx::Version::V1_1) {
                let head = layout::PackageHeader1::decode(package.bytes(), 0).unwrap();
                assert_eq!(package.device(), lvx::DeviceId::Index(head.device_index));
                assert_eq!(package.status().unwrap().0, head.status_code);
                assert_eq!(package.slot_and_lidar(), Some((head.slot_id, head.lidar_id)));
                assert_eq!(package.timestamp_type_number(), head.timestamp_type);
                assert_eq!(package.data_type_number(), head.data_type);
            } else {
                let head = layout::PackageHeader2::decode(package.bytes(), 0).unwrap();
                assert_eq!(package.device(), lvx::DeviceId::Lidar(head.lidar_id));
                assert_eq!(package.udp_counter(), Some(head.udp_counter));
                assert_eq!(package.lidar_type(), Some(head.lidar_type));
                assert_eq!(package.timestamp_type_number(), head.timestamp_type);
                assert_eq!(package.data_type_number(), head.data_type);
                assert_eq!(package.time().unwrap().nanos().cast_unsigned(), head.timestamp);
            }
        }
    }
}
