//! E57 files, read back with the `e57` crate, which shares no code with our writer.

#![cfg(feature = "to-e57")]

use std::io::Cursor;

use e57::{E57Reader, RecordName, RecordValue};
use robolog_convert::{Outcome, Selection, Sink, sink::e57::E57};
use robolog_core::{Clock, Encoding, Image, Odometry, PointCloud, Pose, Sample, Timestamp, Transform, Value};

use Outcome::{LeftOut, Written};

fn sample(channel: &str, frame: &str, time: Option<Timestamp>, value: Value) -> Sample {
    Sample::new(channel, value).with_time(time).with_frame(frame).with_offset(7)
}

fn unix(nanos: i64) -> Timestamp {
    Timestamp::new(nanos, Clock::Unix)
}

fn cloud(n: u16) -> PointCloud {
    let ramp = |step: f32| (0..n).map(|i| f32::from(i) * step).collect::<Vec<_>>();
    PointCloud {
        x: ramp(0.1),
        y: ramp(-0.5),
        z: ramp(1e-3),
        intensity: (0..n).map(|i| f32::from(i % 256)).collect(),
        time_offset: (0..u32::from(n)).map(|i| i * 1000).collect(),
        return_number: (0..n).map(|i| u8::try_from(i % 4).unwrap()).collect(),
        tag: (0..n).map(|i| u8::try_from(i % 251).unwrap()).collect(),
        ring: (0..n).map(|i| i % 128).collect(),
        ..PointCloud::default()
    }
}

fn points(channel: &str, frame: &str, time: Option<Timestamp>, n: u16) -> Sample {
    sample(channel, frame, time, Value::PointCloud(cloud(n)))
}

fn file(samples: Vec<Sample>) -> (Vec<Outcome>, Vec<u8>) {
    let mut sink = E57::new(Cursor::new(Vec::new()));
    let took = samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect();
    (took, sink.into_inner().unwrap().into_inner())
}

fn read(bytes: &[u8]) -> E57Reader<Cursor<&[u8]>> {
    E57Reader::validate_crc(Cursor::new(bytes)).unwrap();
    E57Reader::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn each_cloud_is_a_scan_with_all_its_columns() {
    // The first date is 1 410 623 293 seconds of GPS time: 18 leap seconds, and 315 964 800 seconds less than unix
    // time.
    let time = Some(unix(1_726_588_075_250_000_000));
    let samples = || {
        let device = Some(Timestamp::new(5, Clock::Device));
        vec![
            points("a/points", "lidar", time, 9000),
            points("b]]>\u{1}", "b", device, 70),
            points("a/points", "lidar", None, 1),
        ]
    };
    let (took, bytes) = file(samples());
    assert_eq!(took, [Written; 3]);
    assert_eq!(file(samples()).1, bytes, "the same again");

    let mut reader = read(&bytes);
    let scans = reader.pointclouds();
    let counts: Vec<_> = scans.iter().map(|scan| (scan.records, scan.name.clone().unwrap())).collect();
    let names = [(9000, "a/points".to_owned()), (70, r"b]] >\u{1}".to_owned()), (1, "a/points".to_owned())];
    assert_eq!(counts, names);
    let start = scans[0].acquisition_start.clone().unwrap();
    assert_eq!((start.gps_time, start.atomic_reference), (1_410_623_293.25, false));
    assert_eq!(scans[0].acquisition_end.clone().unwrap().gps_time, 1_410_623_293.25 + 8999e-6);
    assert!(scans[1].acquisition_start.is_none() && scans[2].acquisition_start.is_none());
    let texts: Vec<_> = scans.iter().map(|scan| scan.description.clone().unwrap()).collect();
    let want = [
        "frame lidar, unix clock, 2024-09-17T15:47:55.250000000Z",
        "frame b, device clock, 0.000000005",
        "frame lidar, without a time",
    ];
    assert_eq!(texts, want);
    let guids: Vec<_> = scans.iter().map(|scan| scan.guid.clone().unwrap()).collect();
    assert!(
        guids[0] != guids[1]
            && guids[1] != guids[2]
            && guids.iter().all(|guid| guid.len() == 38 && &guid[15..16] == "8")
    );

    for scan in &scans {
        let names: Vec<_> = scan.prototype.iter().map(|record| record.name.clone()).collect();
        assert_eq!(
            names[..5],
            [
                RecordName::CartesianX,
                RecordName::CartesianY,
                RecordName::CartesianZ,
                RecordName::Intensity,
                RecordName::ReturnIndex
            ]
        );
        let truth = cloud(u16::try_from(scan.records).unwrap());
        let rows: Vec<_> = reader.pointcloud_raw(scan).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), truth.len());
        for (i, row) in rows.iter().enumerate() {
            let number = i64::from(truth.return_number[i]);
            let want = [
                RecordValue::Single(truth.x[i]),
                RecordValue::Single(truth.y[i]),
                RecordValue::Single(truth.z[i]),
                RecordValue::Single(truth.intensity[i]),
                RecordValue::Integer((number - 1).max(0)),
                RecordValue::Integer(number.max(1)),
                RecordValue::Double(f64::from(truth.time_offset[i]) * 1e-9),
                RecordValue::Integer(truth.ring[i].into()),
                RecordValue::Integer(truth.tag[i].into()),
            ];
            assert_eq!(row[..], want, "{i}");
        }
    }
}

#[test]
fn scans_have_the_poses_that_were_told_before() {
    // A quarter turn to the left.
    let turned = Pose::from_euler([1.0, 2.0, 3.0], 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let mount =
        Transform { child_frame_id: "lidar".into(), pose: Pose::from_euler([10.0, 0.0, 0.5], 0.0, 0.0, 0.0) };
    let odometry = Odometry::new("base_link", turned);
    let (took, bytes) = file(vec![
        points("a", "lidar", None, 1),
        sample("tf", "base_link", None, Value::Transform(mount)),
        points("a", "lidar", None, 1),
        sample("odometry", "map", None, Value::Odometry(odometry)),
        points("a", "lidar", None, 1),
    ]);
    assert_eq!(took, [Written, LeftOut, Written, LeftOut, Written]);
    let scans = read(&bytes).pointclouds();
    assert!(scans[0].transform.is_none());
    let poses: Vec<_> = scans[1..].iter().map(|scan| scan.transform.clone().unwrap()).collect();
    let (q, t) = (&poses[0].rotation, &poses[0].translation);
    assert_eq!(([q.w, q.x, q.y, q.z], [t.x, t.y, t.z]), ([1.0, 0.0, 0.0, 0.0], [10.0, 0.0, 0.5]));
    // Ten metres forward are ten metres along y of the map.
    let (q, t) = (&poses[1].rotation, &poses[1].translation);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (got, want) in
        [q.w, q.x, q.y, q.z, t.x, t.y, t.z].into_iter().zip([half, 0.0, 0.0, half, 1.0, 12.0, 3.5])
    {
        assert!((got - want).abs() < 1e-12, "{got}, not {want}");
    }
}

#[test]
fn frames_that_lie_in_themselves_end() {
    let ring = |child: &str| {
        let pose = Pose::from_euler([1.0, 0.0, 0.0], 0.0, 0.0, 0.0);
        Value::Transform(Transform { child_frame_id: child.into(), pose })
    };
    let (_, bytes) = file(vec![
        sample("tf", "a", None, ring("b")),
        sample("tf", "b", None, ring("a")),
        points("p", "a", None, 1),
    ]);
    assert_eq!(read(&bytes).pointclouds()[0].transform.clone().unwrap().translation.x, 33.0);
}

#[test]
fn points_that_are_not_finite_are_marked() {
    let odd = PointCloud {
        x: vec![1.0, f32::NAN, 3.0],
        y: vec![2.0, 0.0, f32::INFINITY],
        z: vec![3.0, 0.0, 0.0],
        intensity: vec![f32::NAN, 1.0, 300.0],
        ..PointCloud::default()
    };
    let uneven = PointCloud { y: vec![], ..odd.clone() };
    let (took, bytes) = file(vec![
        sample("a", "a", None, Value::PointCloud(odd)),
        sample("a", "a", None, Value::PointCloud(PointCloud::default())),
    ]);
    assert_eq!(took, [Written, Written]);
    let mut reader = read(&bytes);
    let scans = reader.pointclouds();
    assert_eq!(scans.len(), 1);
    let bounds = scans[0].cartesian_bounds.clone().unwrap();
    assert_eq!((bounds.x_min, bounds.x_max, bounds.y_max), (Some(1.0), Some(1.0), Some(2.0)));
    let limits = scans[0].intensity_limits.clone().unwrap();
    assert_eq!(limits.intensity_max, Some(RecordValue::Single(300.0)));
    let rows: Vec<_> = reader.pointcloud_raw(&scans[0]).unwrap().map(Result::unwrap).collect();
    let states: Vec<_> = rows.iter().map(|row| row[3].clone()).collect();
    assert_eq!(states, [0, 2, 2].map(RecordValue::Integer));
    assert_eq!((&rows[1][0], &rows[0][4]), (&RecordValue::Single(0.0), &RecordValue::Single(0.0)));

    let mut sink = E57::new(Cursor::new(Vec::new()));
    assert!(sink.write(&mut sample("a", "a", None, Value::PointCloud(uneven))).is_err());
}

#[test]
fn images_are_files_in_the_file() {
    let image = |encoding, data: &[u8]| {
        Value::Image(Image { width: 2, height: 1, encoding, data: data.to_vec().into() })
    };
    let jpeg: Vec<u8> =
        [0xff, 0xd8, 0xff].into_iter().chain((0..5000_u32).map(|i| i.to_le_bytes()[0])).collect();
    let (took, bytes) = file(vec![
        sample("front", "camera", Some(unix(1_726_588_075_000_000_000)), image(Encoding::Jpeg, &jpeg)),
        sample("back", "camera", None, image(Encoding::Rgb8, &[1, 2, 3, 250, 251, 252])),
        sample("deep", "camera", None, image(Encoding::Mono16, &[1, 2, 3, 4])),
        sample("cut", "camera", None, image(Encoding::Rgb8, &[1, 2, 3])),
        points("a", "lidar", None, 10),
    ]);
    assert_eq!(took, [Written, Written, Written, LeftOut, Written]);
    let mut reader = read(&bytes);
    let images = reader.images();
    let blobs: Vec<Vec<u8>> = images
        .iter()
        .map(|image| {
            let mut bytes = Vec::new();
            reader.blob(&image.visual_reference.as_ref().unwrap().blob.data, &mut bytes).unwrap();
            bytes
        })
        .collect();
    assert_eq!((blobs.len(), &blobs[0]), (3, &jpeg));
    assert_eq!(
        (images[0].name.as_deref(), images[0].acquisition.as_ref().unwrap().gps_time),
        (Some("front"), 1_410_623_293.0)
    );
    for (blob, want) in blobs[1..].iter().zip([&[1, 2, 3, 250, 251, 252][..], &[1, 2, 3, 4]]) {
        let mut decoder = png::Decoder::new(Cursor::new(&blob[..])).read_info().unwrap();
        let mut pixels = vec![0; want.len()];
        decoder.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, want);
    }
    assert_eq!(reader.pointclouds()[0].records, 10);
}

#[test]
fn what_has_no_place_makes_no_file() {
    let mut text = sample("a", "a", None, Value::Text("t".into()));
    assert!(
        !(E57.takes)(&text, Selection::Channels)
            && (E57.takes)(&points("a", "a", None, 1), Selection::Everything)
    );
    let mut sink = E57::new(Cursor::new(Vec::new()));
    assert_eq!(sink.write(&mut text).unwrap(), LeftOut);
    assert!(sink.into_inner().unwrap().into_inner().is_empty());
}

#[test]
fn scans_beyond_what_memory_holds_are_left_out() {
    let mut sink = E57::new(Cursor::new(Vec::new()));
    let mut one = points("a", "a", None, 1);
    let written = (0..12_010).filter(|_| sink.write(&mut one).unwrap() == Written).count();
    assert_eq!(written, 12_000);
    let bytes = sink.into_inner().unwrap().into_inner();
    assert_eq!(read(&bytes).pointclouds().len(), 12_000);
}
