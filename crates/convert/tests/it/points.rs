//! PCD and PLY files, checked against rows laid by hand.

#![cfg(all(feature = "to-pcd", feature = "to-ply"))]

use std::io::Cursor;

use robolog_convert::{
    Destination, Feed, Outcome, PcdData, Per, Sink as _, SinkOptions, convert_into_folder,
    sink::{
        pcd::Pcd,
        ply::{PLY, Ply},
    },
    target::Existing,
};
use robolog_core::{PointCloud, Sample, Value};

/// One point at `x`, 2, 3.
fn sample(channel: &str, x: f32) -> Sample {
    let cloud = PointCloud { x: vec![x], y: vec![2.0], z: vec![3.0], ..PointCloud::default() };
    let value = Value::PointCloud(cloud);
    Sample::new(channel, value).with_frame("lidar")
}

/// Two alternating devices.
fn samples() -> [Sample; 3] {
    [sample("left/points", 1.0), sample("right/points", 5.0), sample("left/points", 1.5)]
}

/// Rows of x, y, z and device number.
fn rows() -> Vec<u8> {
    let row = |x: f32, device: u16| {
        let xyz = [x, 2.0, 3.0].map(f32::to_le_bytes).concat();
        [xyz, device.to_le_bytes().to_vec()].concat()
    };
    [row(1.0, 1), row(5.0, 2), row(1.5, 1)].concat()
}

#[test]
fn devices_are_told_apart_in_ply() {
    let mut ply = Ply::new(Cursor::new(Vec::new()));
    for mut sample in samples() {
        assert_eq!(ply.write(&mut sample).unwrap(), Outcome::Written);
    }
    let file = ply.into_inner().unwrap().into_inner();
    let end = file.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let header = std::str::from_utf8(&file[..end]).unwrap();
    for line in [
        "element vertex 3\n",
        "property float z\nproperty ushort device\nend_header\n",
        "\ncomment device 1: left/points\ncomment device 2: right/points\n",
    ] {
        assert!(header.contains(line), "{header}");
    }
    assert_eq!(file[end..], rows());
}

#[test]
fn devices_are_told_apart_in_pcd() {
    for data in [PcdData::Binary, PcdData::Ascii] {
        let mut pcd = Pcd::new(Cursor::new(Vec::new()), data);
        for mut sample in samples() {
            assert_eq!(pcd.write(&mut sample).unwrap(), Outcome::Written);
        }
        let file = pcd.into_inner().unwrap().into_inner();
        let line = format!("POINTS 3\nDATA {data}\n");
        let end = file.windows(line.len()).position(|w| w == line.as_bytes()).unwrap() + line.len();
        let header = std::str::from_utf8(&file[..end]).unwrap();
        assert!(header.contains("\nFIELDS x y z device\nSIZE 4 4 4 2\nTYPE F F F U\n"), "{header}");
        assert!(header.contains("\n# device 1: left/points\n# device 2: right/points\n"), "{header}");
        let want = if data == PcdData::Ascii { b"1 2 3 1\n5 2 3 2\n1.5 2 3 1\n".to_vec() } else { rows() };
        assert_eq!(file[end..], want);
    }
}

#[test]
fn a_file_of_one_channel_has_no_device() {
    let folder = tempfile::tempdir().unwrap();
    let options = SinkOptions::default();
    for (per, has_device) in [(Per::Frame, false), (Per::Channel, false), (Per::Name, true)] {
        let path = folder.path().join(format!("{per:?}"));
        let to = Destination { path: &path, existing: Existing::Keep, options: &options };
        let feeds = vec![Feed::of_samples(samples().into())];
        convert_into_folder(feeds, &PLY, per, &to, &mut |_| {}).unwrap();
        let mut files = 0;
        for entry in std::fs::read_dir(&path).unwrap() {
            let file = std::fs::read(entry.unwrap().path()).unwrap();
            if file.starts_with(b"ply") {
                files += 1;
                assert_eq!(String::from_utf8_lossy(&file).contains("property ushort device"), has_device);
            }
        }
        assert!(files > 0);
    }
}
