//! LAS and LAZ files, checked against bytes laid by hand after the specification (LAS 1.4 R15) and a decoder.

#![cfg(feature = "to-las")]

use std::io::Cursor;

use robolog_convert::{
    Advice, Destination, Feed, Outcome, Per, Selection, Sink, SinkOptions, convert, convert_into_folder,
    places::GeoPoint,
    sink::las::{Day, Epsg, LAS, LAZ, Las, LasData, LasIntensity, LasOptions, LasVersion},
    target::Existing,
};
use robolog_core::{Clock, PointCloud, Sample, Timestamp, Value};

use Outcome::{LeftOut, Written};

fn sample(channel: &str, time: Option<Timestamp>, cloud: PointCloud) -> Sample {
    let value = Value::PointCloud(cloud);
    Sample::new(channel, value).with_time(time).with_frame("lidar")
}

/// Points on a line, every column filled.
fn cloud(n: u16) -> PointCloud {
    let ramp = |step: f32| (0..n).map(|i| f32::from(i) * step).collect::<Vec<_>>();
    PointCloud {
        x: ramp(0.25),
        y: ramp(-0.5),
        z: ramp(0.001),
        intensity: (0..n).map(|i| f32::from(i % 256)).collect(),
        time_offset: (0..u32::from(n)).map(|i| i * 4167).collect(),
        return_number: (0..n).map(|i| u8::try_from(i % 4).unwrap()).collect(),
        tag: (0..n).map(|i| u8::try_from(i % 251).unwrap()).collect(),
        ring: (0..n).map(|i| i % 6).collect(),
        ..PointCloud::default()
    }
}

fn file(data: LasData, samples: Vec<Sample>) -> (Vec<Outcome>, Vec<u8>) {
    let mut sink = Las::new(Cursor::new(Vec::new()), data, LasOptions::default()).unwrap();
    let took = samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect();
    (took, sink.into_inner().unwrap().into_inner())
}

fn at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    bytes[offset..offset + N].try_into().unwrap()
}

fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes(at(bytes, offset))
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(at(bytes, offset))
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(at(bytes, offset))
}

fn f64_at(bytes: &[u8], offset: usize) -> f64 {
    f64::from_le_bytes(at(bytes, offset))
}

/// The zero of adjusted standard GPS time.
fn adjusted_zero() -> Timestamp {
    Timestamp::from_utc(2011, 9, 14, 1, 46, 25, 0).unwrap()
}

/// Two points with all columns, two seconds after that zero.
fn two_points() -> Sample {
    let two = PointCloud {
        x: vec![1.5, -2.0],
        y: vec![0.25, 0.0],
        z: vec![-0.0001, 3.0],
        intensity: vec![254.6, 7.0],
        time_offset: vec![0, 500_000_000],
        return_number: vec![0, 2],
        tag: vec![0x10, 0x20],
        ring: vec![258, 3],
        ..PointCloud::default()
    };
    sample("3WEDH/points", adjusted_zero().checked_add(2_000_000_000), two)
}

#[test]
fn a_file_is_laid_out_as_specified() {
    let (took, bytes) = file(LasData::Plain, vec![two_points()]);
    assert_eq!(took, [Written]);

    assert_eq!(&bytes[..4], b"LASF");
    assert_eq!(u16_at(&bytes, 6), 0b10001, "adjusted standard GPS time, WKT");
    assert_eq!(bytes[8..24], [0; 16], "no project");
    assert_eq!(bytes[24..26], [1, 4]);
    assert_eq!((&bytes[26..32], &bytes[58..66]), (&b"OTHER\0"[..], &b"robolog\0"[..]));
    assert_eq!((u16_at(&bytes, 90), u16_at(&bytes, 92)), (0, 0), "no date");
    let points = 375 + 54 + 2 * 192;
    assert_eq!((u16_at(&bytes, 94), u32_at(&bytes, 96), u32_at(&bytes, 100)), (375, points, 1));
    assert_eq!((bytes[104], u16_at(&bytes, 105)), (6, 33));
    assert_eq!(bytes[107..131], [0; 24], "counts of older versions");
    assert_eq!([131, 139, 147].map(|at| f64_at(&bytes, at)), [0.0001; 3]);
    assert_eq!([155, 163, 171].map(|at| f64_at(&bytes, at)), [0.0; 3]);
    let bounds = [179, 187, 195, 203, 211, 219].map(|at| f64_at(&bytes, at));
    assert_eq!(bounds, [1.5, -2.0, 0.25, 0.0, 3.0, -0.0001], "greatest and least of x, y and z");
    let evlr = usize::try_from(points).unwrap() + 2 * 33;
    assert_eq!((u64_at(&bytes, 227), u64_at(&bytes, 235)), (0, evlr as u64));
    assert_eq!((u32_at(&bytes, 243), u64_at(&bytes, 247)), (1, 2));
    assert_eq!([255, 263, 271].map(|at| u64_at(&bytes, at)), [1, 1, 0], "by return");

    assert_eq!((&bytes[377..387], u16_at(&bytes, 393), u16_at(&bytes, 395)), (&b"LASF_Spec\0"[..], 4, 384));
    let descriptor = 375 + 54;
    assert_eq!((bytes[descriptor + 2], &bytes[descriptor + 4..descriptor + 9]), (3, &b"ring\0"[..]));
    assert_eq!((bytes[descriptor + 194], &bytes[descriptor + 196..descriptor + 200]), (1, &b"tag\0"[..]));

    let mut want = Vec::new();
    for (xyz, intensity, returns, time, extra) in [
        ([15_000_i32, 2500, -1], 255_u16, 0x11_u8, 2.0_f64, [2_u8, 1, 0x10]),
        ([-20_000, 0, 30_000], 7, 0x22, 2.5, [3, 0, 0x20]),
    ] {
        want.extend(xyz.into_iter().flat_map(i32::to_le_bytes));
        want.extend(intensity.to_le_bytes());
        want.extend([returns, 0, 0, 0, 0, 0, 1, 0]);
        want.extend(time.to_le_bytes());
        want.extend(extra);
    }
    assert_eq!(bytes[usize::try_from(points).unwrap()..evlr], want);

    let text = b"gps_time: adjusted standard GPS time, seconds\npoint_source_id 1: 3WEDH/points\n";
    assert_eq!((&bytes[evlr + 2..evlr + 12], u16_at(&bytes, evlr + 18)), (&b"LASF_Spec\0"[..], 3));
    assert_eq!(u64_at(&bytes, evlr + 20), text.len() as u64);
    assert_eq!(&bytes[evlr + 60..], text);
}

#[test]
fn compressed_points_are_the_same_points() {
    // More than two chunks, in clouds with other boundaries.
    let samples = || {
        let times = (0..9_i64).map(|i| adjusted_zero().checked_add(i * 100_000_000));
        times.map(|time| sample("a", time, cloud(12_345))).collect::<Vec<_>>()
    };
    let (_, plain) = file(LasData::Plain, samples());
    let (took, packed) = file(LasData::Compressed, samples());
    assert!(took.iter().all(|took| *took == Written));
    assert!(packed.len() < plain.len() / 2, "{} of {}", packed.len(), plain.len());
    assert_eq!((packed[104], u16_at(&packed, 105)), (0x86, 33));
    assert_eq!(packed[131..235], plain[131..235], "scales, offsets and bounds");
    assert_eq!(packed[247..375], plain[247..375], "counts");

    let vlr = 375 + 54 + 2 * 192;
    assert_eq!(&packed[vlr + 2..vlr + 16], b"laszip encoded");
    let items = laz::LazVlr::from_buffer(&packed[vlr + 54..]).unwrap();
    assert_eq!(items.chunk_size(), 50_000);
    let mut source = Cursor::new(&packed[..]);
    source.set_position(u32_at(&packed, 96).into());
    let mut points = vec![0; 9 * 12_345 * 33];
    laz::LasZipDecompressor::new(source, items).unwrap().decompress_many(&mut points).unwrap();
    let start = usize::try_from(u32_at(&plain, 96)).unwrap();
    assert_eq!(points, plain[start..start + points.len()]);

    assert_eq!(file(LasData::Compressed, samples()).1, packed, "the same again");
}

/// The bits of doubles of different signs differ by more than a signed 64-bit number: differences in `LASzip` wrap.
#[test]
fn times_before_and_after_zero_are_compressed() {
    let seconds = [-1, 1_000_000_000, -1_000_000_000, 1, 1, -300_000_000, 0, -1, 2, -2];
    for version in [LasVersion::V1_4, LasVersion::V1_2] {
        let [plain, packed] = [LasData::Plain, LasData::Compressed].map(|data| {
            let mut options = LasOptions::default();
            options.version = version;
            let mut sink = Las::new(Cursor::new(Vec::new()), data, options).unwrap();
            for second in seconds {
                let time = adjusted_zero().checked_add(second * 1_000_000_000);
                assert_eq!(sink.write(&mut sample("a", time, cloud(3))).unwrap(), Written);
            }
            sink.into_inner().unwrap().into_inner()
        });
        let (_, items) = records(&packed).into_iter().find(|(id, _)| *id == 22204).unwrap();
        let mut source = Cursor::new(&packed[..]);
        source.set_position(u32_at(&packed, 96).into());
        let mut points = vec![0; seconds.len() * 3 * usize::from(u16_at(&packed, 105))];
        let items = laz::LazVlr::from_buffer(items).unwrap();
        laz::LasZipDecompressor::new(source, items).unwrap().decompress_many(&mut points).unwrap();
        let start = usize::try_from(u32_at(&plain, 96)).unwrap();
        assert_eq!(points, plain[start..start + points.len()], "{version:?}");
    }
}

#[test]
fn times_without_a_date_stay_seconds_and_others_are_left_out() {
    let one = || PointCloud { time_offset: vec![250_000_000], ..cloud(1) };
    let device = |nanos| Some(Timestamp::new(nanos, Clock::Device));
    let samples = vec![
        sample("a", device(5_500_000_000), one()),
        sample("a", Some(adjusted_zero()), one()),
        sample("a", None, one()),
        sample("b", Some(Timestamp::new(1, Clock::Relative)), one()),
        sample("c", device(-1_000_000_000), one()),
    ];
    let (took, bytes) = file(LasData::Plain, samples);
    assert_eq!(took, [Written, LeftOut, LeftOut, LeftOut, Written]);
    assert_eq!((u16_at(&bytes, 6), u64_at(&bytes, 247)), (0b10000, 2));
    let start = usize::try_from(u32_at(&bytes, 96)).unwrap();
    assert_eq!([22, 22 + 33].map(|at| f64_at(&bytes, start + at)), [5.75, -0.75]);
    assert_eq!([20, 20 + 33].map(|at| u16_at(&bytes, start + at)), [1, 2]);
    assert!(
        bytes.ends_with(
            b"gps_time: seconds of the device clock\npoint_source_id 1: a\npoint_source_id 2: c\n"
        )
    );

    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, LasOptions::default()).unwrap();
    sink.write(&mut sample("a", None, one())).unwrap();
    assert_eq!(sink.advice(), None);
    sink.write(&mut sample("a", device(0), one())).unwrap();
    assert!(sink.advice() == Some(Advice::Epoch));
    let bytes = sink.into_inner().unwrap().into_inner();
    assert_eq!((u16_at(&bytes, 6), f64_at(&bytes, start + 22)), (0b10000, 0.0));
    assert!(bytes.ends_with(b"gps_time: none\npoint_source_id 1: a\n"));
}

#[test]
fn gps_and_unix_times_are_one_clock_here() {
    let gps = Timestamp::new(1_000_000_001_000_000_000, Clock::Gps);
    let samples = [Some(adjusted_zero()), Some(gps)].map(|time| sample("a", time, cloud(1)));
    let (took, bytes) = file(LasData::Plain, samples.into());
    assert_eq!(took, [Written, Written]);
    let start = usize::try_from(u32_at(&bytes, 96)).unwrap();
    assert_eq!([22, 22 + 33].map(|at| f64_at(&bytes, start + at)), [0.0, 1.0]);
}

#[test]
fn points_that_do_not_fit_are_left_out_and_not_counted() {
    let odd =
        |x: Vec<f32>| PointCloud { y: vec![0.0; x.len()], z: vec![1.0; x.len()], x, ..PointCloud::default() };
    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, LasOptions::default()).unwrap();
    let mut some = sample("a", None, odd(vec![1.0, f32::NAN, 214_749.0, f32::NEG_INFINITY, -214_748.0]));
    assert_eq!(sink.write(&mut some).unwrap(), Outcome::Partly { left_out: 3 });
    assert!(matches!(&some.value, Value::PointCloud(cloud) if cloud.x == [1.0, -214_748.0]));
    let mut none = sample("b", None, odd(vec![1e30, f32::NAN]));
    assert_eq!(sink.write(&mut none).unwrap(), LeftOut);
    assert!(matches!(&none.value, Value::PointCloud(cloud) if cloud.len() == 2));
    assert_eq!(sink.write(&mut sample("c", None, odd(vec![]))).unwrap(), Written);
    let bytes = sink.into_inner().unwrap().into_inner();
    assert_eq!((u64_at(&bytes, 247), u16_at(&bytes, 105), u32_at(&bytes, 100)), (2, 30, 0), "no extra bytes");
    assert!(bytes.ends_with(b"point_source_id 1: a\n"));

    let samples = || {
        let clouds = [vec![1.0, f32::NAN, 2.0], vec![f32::NAN; 4], vec![3.0]];
        clouds.map(|x| sample("a", None, odd(x))).to_vec()
    };
    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, LasOptions::default()).unwrap();
    let report = convert(vec![Feed::of_samples(samples())], &mut sink, &mut |_| {}).unwrap();
    let (written, left_out) = (report.written["point_cloud"], report.left_out["point_cloud"]);
    assert_eq!((written.samples, written.values), (2, 3));
    assert_eq!((left_out.samples, left_out.values), (1, 5), "a cloud of four points, and a point of another");
    assert!(!report.is_complete());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("las");
    let options = SinkOptions::default();
    let to = Destination { path: &path, existing: Existing::Keep, options: &options };
    let feeds = vec![Feed::of_samples(samples())];
    let in_files = convert_into_folder(feeds, &LAS, Per::Channel, &to, &mut |_| {}).unwrap();
    assert_eq!((&in_files.written, &in_files.left_out), (&report.written, &report.left_out));
    let index = std::fs::read_to_string(path.join("_index.csv")).unwrap();
    assert!(index.trim_end().ends_with(",3"), "{index}");

    let uneven = PointCloud { z: vec![], ..odd(vec![1.0]) };
    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, LasOptions::default()).unwrap();
    assert!(sink.write(&mut sample("a", None, uneven)).is_err());
}

#[test]
fn coordinates_far_from_zero_count_from_an_offset() {
    let far =
        PointCloud { x: vec![5_412_345.5], y: vec![-300_000.0], z: vec![12.0], ..PointCloud::default() };
    let (took, bytes) = file(LasData::Plain, vec![sample("a", None, far)]);
    assert_eq!(took, [Written]);
    assert_eq!([155, 163, 171].map(|at| f64_at(&bytes, at)), [5_412_000.0, -300_000.0, 0.0]);
    assert_eq!([0, 4, 8].map(|at| u32_at(&bytes, 375 + at)), [3_455_000, 0, 120_000]);
    assert!((f64_at(&bytes, 179) - 5_412_345.5).abs() < 1e-9);
}

#[test]
fn intensities_can_be_normalized() {
    let mut options = LasOptions::default();
    options.intensity = LasIntensity::Normalized;
    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, options).unwrap();
    let three = PointCloud { intensity: vec![1.0, 255.0, 300.0], ..cloud(3) };
    sink.write(&mut sample("a", None, three)).unwrap();
    let bytes = sink.into_inner().unwrap().into_inner();
    let start = usize::try_from(u32_at(&bytes, 96)).unwrap();
    assert_eq!([0, 1, 2].map(|i| u16_at(&bytes, start + i * 33 + 12)), [256, 65_280, 65_535]);
}

#[test]
fn only_clouds_have_a_place() {
    for target in [&LAS, &LAZ] {
        for value in [Value::Scalar(1.0), Value::Text("a".into())] {
            let mut sample = sample("a", None, cloud(1)).with_value(value);
            assert!(!(target.takes)(&sample, Selection::Channels));
            let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, LasOptions::default()).unwrap();
            assert_eq!(sink.write(&mut sample).unwrap(), LeftOut);
            assert!(sink.into_inner().unwrap().into_inner().is_empty());
        }
        assert!((target.takes)(&sample("a", None, cloud(1)), Selection::Everything));
    }
}

fn with(options: LasOptions, samples: Vec<Sample>) -> Vec<u8> {
    let mut sink = Las::new(Cursor::new(Vec::new()), LasData::Plain, options).unwrap();
    for mut sample in samples {
        assert_eq!(sink.write(&mut sample).unwrap(), Written);
    }
    sink.into_inner().unwrap().into_inner()
}

/// Offsets and contents of the variable length records, by record ID.
fn records(bytes: &[u8]) -> Vec<(u16, &[u8])> {
    let mut at = usize::from(u16_at(bytes, 94));
    let mut found = Vec::new();
    for _ in 0..u32_at(bytes, 100) {
        let len = usize::from(u16_at(bytes, at + 20));
        found.push((u16_at(bytes, at + 18), &bytes[at + 54..at + 54 + len]));
        at += 54 + len;
    }
    assert_eq!(at, usize::try_from(u32_at(bytes, 96)).unwrap(), "the points begin behind the records");
    found
}

#[test]
fn version_1_2_is_laid_out_as_specified() {
    let mut options = LasOptions::default();
    options.version = LasVersion::V1_2;
    options.created = Some(Day { year: 2026, day_of_year: 326 });
    let bytes = with(options, vec![two_points()]);

    assert_eq!(u16_at(&bytes, 6), 1, "adjusted standard GPS time, and no WKT");
    assert_eq!(bytes[24..26], [1, 2]);
    assert_eq!((u16_at(&bytes, 90), u16_at(&bytes, 92)), (326, 2026));
    assert_eq!((u16_at(&bytes, 94), bytes[104], u16_at(&bytes, 105)), (227, 1, 31));
    assert_eq!(u32_at(&bytes, 107), 2);
    assert_eq!([111, 115, 119].map(|at| u32_at(&bytes, at)), [1, 1, 0], "by return");

    let records = records(&bytes);
    assert_eq!(records.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [4, 3]);
    let text = b"gps_time: adjusted standard GPS time, seconds\npoint_source_id 1: 3WEDH/points\n\0";
    assert!(records[1].1.starts_with(text));

    options.crs = Some(Epsg(25832));
    options.origin = Some(GeoPoint { latitude: 50.35, longitude: 7.6, altitude: 100.0 });
    let placed = with(options, vec![two_points()]);
    let records = self::records(&placed);
    assert_eq!(records.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [34735, 4, 3]);
    // GeoTIFF: version 1.1.0 with three keys: projected, this system, metres.
    let words: Vec<u16> = records[0].1.chunks(2).map(|word| u16_at(word, 0)).collect();
    assert_eq!(words, [1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 25832, 3076, 0, 1, 9001]);

    let mut want = Vec::new();
    for (xyz, intensity, returns, time, extra) in [
        ([15_000_i32, 2500, -1], 255_u16, 0b00_001_001_u8, 2.0_f64, [2_u8, 1, 0x10]),
        ([-20_000, 0, 30_000], 7, 0b00_010_010, 2.5, [3, 0, 0x20]),
    ] {
        want.extend(xyz.into_iter().flat_map(i32::to_le_bytes));
        want.extend(intensity.to_le_bytes());
        want.extend([returns, 0, 0, 0, 1, 0]);
        want.extend(time.to_le_bytes());
        want.extend(extra);
    }
    assert_eq!(bytes[usize::try_from(u32_at(&bytes, 96)).unwrap()..], want, "nothing behind the points");
}

#[test]
fn the_coordinate_reference_system_is_told_as_wkt() {
    let mut options = LasOptions::default();
    options.crs = Some(Epsg(25832));
    let error = Las::new(Cursor::new(Vec::new()), LasData::Plain, options).unwrap_err();
    let without =
        "points are relative to their sensor: EPSG:25832 needs the position of their origin on Earth";
    assert_eq!((error.to_string().as_str(), error.advice()), (without, Some(Advice::PlaceOrigin)));
    options.origin = Some(GeoPoint { latitude: 50.35, longitude: 7.6, altitude: 100.0 });
    let bytes = with(options, vec![sample("a", None, cloud(3))]);
    let records = records(&bytes);
    assert_eq!(records[0].0, 2112);
    let text = std::str::from_utf8(records[0].1).unwrap();
    assert!(text.starts_with("PROJCS[\"ETRS89 / UTM zone 32N\","), "{text}");
    assert!(text.ends_with("AUTHORITY[\"EPSG\",\"25832\"]]\0"), "{text}");
    for (epsg, what) in [(4326, "not a projected system in metres"), (1, "is unknown")] {
        options.crs = Some(Epsg(epsg));
        let error = Las::new(Cursor::new(Vec::new()), LasData::Plain, options).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn an_origin_moves_points_into_its_zone_of_utm() {
    let mut options = LasOptions::default();
    options.origin = Some(GeoPoint { latitude: 50.35, longitude: 7.6, altitude: 100.0 });
    let points = PointCloud {
        x: vec![100.0, 0.0, -1000.0],
        y: vec![0.0, 100.0, 2000.0],
        z: vec![0.0, 0.0, 10.0],
        ..PointCloud::default()
    };
    let bytes = with(options, vec![sample("a", None, points.clone())]);
    let text = String::from_utf8_lossy(records(&bytes)[0].1).into_owned();
    assert!(text.contains("\"WGS 84 / UTM zone 32N\"") && text.contains("\"32632\""), "{text}");
    // From PROJ's topocentric frame and UTM.
    let want = [
        [400_498.165_349, 5_578_481.620_150, 100.000_782],
        [400_400.093_298, 5_578_583.453_918, 100.000_785],
        [399_436.305_582, 5_580_501.369_403, 110.392_037],
    ];
    let start = usize::try_from(u32_at(&bytes, 96)).unwrap();
    for (i, want) in want.iter().enumerate() {
        for (axis, want) in want.iter().enumerate() {
            let raw = u32_at(&bytes, start + 30 * i + 4 * axis).cast_signed();
            let found = f64::from(raw) * f64_at(&bytes, 131) + f64_at(&bytes, 155 + 8 * axis);
            assert!((found - want).abs() < 2e-4, "{i} {axis}: {found}, not {want}");
        }
    }
    // Another zone, and unsupported systems: a cone, and a datum without a known place on Earth.
    options.crs = Some(Epsg(32631));
    assert!(Las::new(Cursor::new(Vec::new()), LasData::Plain, options).is_ok());
    for code in [2154, 2327] {
        options.crs = Some(Epsg(code));
        let error = Las::new(Cursor::new(Vec::new()), LasData::Plain, options).unwrap_err();
        assert!(error.to_string().contains(&format!("EPSG:{code} is not a transverse Mercator")), "{error}");
    }
}

/// From pyproj 3.7.2 (PROJ 9.5.1): EPSG:4326 to each system: UTM of ETRS89, Gauss-Krüger of DHDN and MGI, grids of
/// Britain, Ireland, New Zealand, Poland, Japan, Nigeria and Sweden.
#[test]
fn origins_lie_in_every_plane_of_transverse_mercator_where_proj_has_them() {
    for (code, latitude, longitude, easting, northing) in [
        (25832, 50.35, 7.6, 400_398.212_4, 5_578_483.500_9),
        (25833, 52.5, 13.4, 391_390.731_3, 5_817_855.240_7),
        (31467, 50.35, 8.6, 3_471_604.647_6, 5_579_414.772_5),
        (27700, 51.5, -0.12, 530_591.166_4, 179_571.065_4),
        (2193, -41.3, 174.8, 1_750_697.521_3, 5_426_376.623_2),
        (2180, 52.2, 21.0, 636_640.467_0, 483_432.200_8),
        (32756, -33.86, 151.21, 334_416.394_0, 6_251_925.360_4),
        (29903, 53.35, -6.26, 315_919.995_3, 234_694.102_3),
        (31257, 47.2, 11.4, 230_846.730_8, 229_561.738_8),
        (28356, -33.86, 151.21, 334_416.394_0, 6_251_925.360_5),
        (6677, 35.6, 139.7, -12_081.035_8, -44_369.498_5),
        (3006, 59.33, 18.06, 674_079.256_6, 6_580_798.387_2),
        (26393, 58.0, 7.0, 785_515.192_0, 6_000_620.939_1),
        (31286, 47.2, 13.4, 527_827.780_9, 5_233_176.254_2),
    ] {
        let mut options = LasOptions::default();
        options.crs = Some(Epsg(code));
        options.origin = Some(GeoPoint { latitude, longitude, altitude: 100.0 });
        let here = PointCloud { x: vec![0.0], y: vec![0.0], z: vec![0.0], ..PointCloud::default() };
        let bytes = with(options, vec![sample("a", None, here)]);
        let start = usize::try_from(u32_at(&bytes, 96)).unwrap();
        for (axis, want) in [easting, northing, 100.0].into_iter().enumerate() {
            let raw = u32_at(&bytes, start + 4 * axis).cast_signed();
            let found = f64::from(raw) * f64_at(&bytes, 131 + 8 * axis) + f64_at(&bytes, 155 + 8 * axis);
            assert!((found - want).abs() < 1e-3, "EPSG:{code}, axis {axis}: {found}, not {want}");
        }
    }
}

#[test]
fn shots_of_two_returns_say_two() {
    let two = PointCloud {
        x: vec![1.0, 2.0, 3.0],
        y: vec![0.0; 3],
        z: vec![0.0; 3],
        time_offset: vec![0, 0, 10],
        return_number: vec![1, 2, 1],
        ..PointCloud::default()
    };
    let bytes = with(LasOptions::default(), vec![sample("a", adjusted_zero().checked_add(0), two)]);
    // Number of returns in the upper half, return number in the lower.
    assert_eq!([0, 1, 2].map(|i| bytes[375 + 30 * i + 14]), [0x21, 0x22, 0x11]);
    assert_eq!([255, 263, 271].map(|at| u64_at(&bytes, at)), [2, 1, 0], "by return");
}

/// COPC 1.0: the record at its fixed offset, and a hierarchy of nodes with all points.
#[test]
fn points_of_copc_lie_in_a_tree() {
    let samples =
        || [0, 1, 2].map(|t| sample("a", Some(Timestamp::new(t, Clock::Device)), cloud(60_000))).to_vec();
    let (took, bytes) = file(LasData::Octree, samples());
    assert_eq!(took, [Written; 3]);
    assert_eq!(bytes, file(LasData::Octree, samples()).1, "the same points, other bytes");
    assert_eq!((&bytes[377..382], u16_at(&bytes, 393), u16_at(&bytes, 395)), (&b"copc\0"[..], 1, 160));
    let (evlrs, first, points) = (u32_at(&bytes, 243), u64_at(&bytes, 235), u64_at(&bytes, 247));
    assert_eq!((evlrs, points, bytes[104]), (2, 180_000, 0x86));
    let info = &bytes[429..589];
    let [x, y, z, half, spacing] = [0, 8, 16, 24, 32].map(|at| f64_at(info, at));
    // The cube begins at the minimum coordinates; its longest side is along y.
    assert!((half - 14_999.75).abs() < 0.01 && (spacing - half / 64.0).abs() < 1e-9, "{half} {spacing}");
    assert!((x - half).abs() < 0.01 && (y + 29_999.5 - half).abs() < 0.01 && (z - half).abs() < 0.01);
    assert_eq!((f64_at(info, 56), f64_at(info, 64)), (0.0, f64::from(2 + 59_999 * 4167) * 1e-9));
    let (at, size) = (u64_at(info, 40), u64_at(info, 48));
    assert_eq!(at, first + 60);
    let page = &bytes[usize::try_from(at).unwrap()..usize::try_from(at + size).unwrap()];
    let nodes: Vec<_> = page.chunks_exact(32).map(|e| [0, 4, 8, 12].map(|at| u32_at(e, at))).collect();
    let counts: Vec<_> = page.chunks_exact(32).map(|e| u32_at(e, 28)).collect();
    assert!(nodes.len() > 4 && nodes[0] == [0; 4], "{nodes:?}");
    assert!(
        counts.iter().all(|n| *n <= 100_000) && counts.iter().map(|n| u64::from(*n)).sum::<u64>() == points
    );
    for [level, x, y, z] in &nodes[1..] {
        assert!(nodes.contains(&[level - 1, x / 2, y / 2, z / 2]), "no parent");
    }
    let mut options = LasOptions::default();
    options.version = LasVersion::V1_2;
    assert!(Las::new(Cursor::new(Vec::new()), LasData::Octree, options).is_err());
}
