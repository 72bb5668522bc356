//! Pictures as files, and laser scans as points.

#![cfg(all(feature = "to-e57", feature = "to-images", feature = "to-ply"))]

use std::{fs, path::Path};

use bytes::Bytes;
use koblenz_log::{Payload, Reader};
use robolog_convert::{
    Destination, Feed, Input, Outcome, Per, Report, Sink as _, SinkOptions, TargetSpec, convert_into_folder,
    sink::{self, images::Images},
    target::Existing,
};
use robolog_core::{Encoding, Image, Sample, Value};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata"))
}

fn pictures(input: &str, target: &'static TargetSpec, per: Per, out: &Path) -> Report {
    let to = Destination { path: out, existing: Existing::Keep, options: &SinkOptions::default() };
    let feeds = vec![Feed::new(Input::open(root().join(input)).unwrap())];
    convert_into_folder(feeds, target, per, &to, &mut |_| {}).unwrap()
}

/// Files of a folder with this extension, by name.
fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn jpeg_files_are_those_of_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("pictures");
    let report = pictures("koblenz-log/image.log", &sink::images::JPG, Per::Frame, &out);
    let log = fs::read(root().join("koblenz-log/image.log")).unwrap();
    let in_log: Vec<Vec<u8>> = Reader::new(&log)
        .unwrap()
        .records()
        .filter_map(|record| match record.unwrap().decode().unwrap() {
            Payload::Image(image) => Some(image.data.to_vec()),
            _ => None,
        })
        .collect();
    assert!(!in_log.is_empty() && files(&out, "jpg") == in_log);
    assert_eq!(report.written["image"].samples, in_log.len() as u64);
}

/// The sums of pixels equal those that the script of the pictures has written beside them.
#[test]
fn pixels_become_png_files_of_the_same_pixels() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("pictures");
    pictures("effibox/dataset", &sink::images::PNG, Per::Frame, &out);
    let sums: Vec<u64> = files(&out, "png")
        .iter()
        .map(|file| {
            let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            pixels[..info.buffer_size()].iter().map(|byte| u64::from(*byte)).sum()
        })
        .collect();
    let truth = fs::read_to_string(root().join("effibox/dataset/truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_str(&truth).unwrap();
    let mut wanted: Vec<u64> = match &truth["image_sums"] {
        serde_json::Value::Array(sums) => sums.iter().map(|sum| sum.as_u64().unwrap()).collect(),
        sums => sums.as_object().unwrap().values().map(|sum| sum.as_u64().unwrap()).collect(),
    };
    wanted.sort_unstable();
    let mut sums = sums;
    sums.sort_unstable();
    assert_eq!(sums, wanted);
}

/// Each valid range is a point at that distance.
#[test]
fn scans_become_points_at_their_ranges() {
    let dir = tempfile::tempdir().unwrap();
    let points = dir.path().join("points");
    pictures("koblenz-log/drive.log", &sink::ply::PLY, Per::Name, &points);
    let log = fs::read(root().join("koblenz-log/drive.log")).unwrap();
    let ranges: usize = Reader::new(&log)
        .unwrap()
        .records()
        .map(|record| match record.unwrap().decode().unwrap() {
            Payload::Laser(scan) => scan.distances().filter(|distance| *distance >= 20).count(),
            _ => 0,
        })
        .sum();
    let file = String::from_utf8_lossy(&fs::read(points.join("front.ply")).unwrap()).into_owned();
    assert!(file.contains(&format!("element vertex {ranges}\n")), "{ranges}: {}", &file[..200]);
}

/// Written by libjpeg-turbo from two flat blocks: 16 x 8 of 200 and 40, and 8 x 8 of one colour, which its own decoder
/// returns as 251, 100, 21.
const GREY: &str = "\
    ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706\
    080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b08000800100101\
    1100ffc4001500010100000000000000000000000000000809ffc40014100100000000000000000000000000000000ffda00\
    08010100003f006022a3ffd9";
const COLOUR: &str = "\
    ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706\
    080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb004301030404050405\
    09050509140d0b0d141414141414141414141414141414141414141414141414141414141414141414141414141414141414\
    1414141414141414ffc00011080008000803011100021101031101ffc40014000100000000000000000000000000000005ff\
    c40014100100000000000000000000000000000000ffc40014010100000000000000000000000000000008ffc40014110100\
    000000000000000000000000000000ffda000c03010002110311003f00545236dfffd9";

fn jpeg(hex: &str) -> Bytes {
    hex.as_bytes()
        .chunks(2)
        .map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap())
        .collect()
}

/// Output of a JPEG file; `None` if it is left out.
fn png_of(data: Bytes) -> Option<(u32, u32, png::ColorType, Vec<u8>)> {
    let mut sink = Images::new(Vec::new(), &sink::images::PNG);
    let image = Image { width: 0, height: 0, encoding: Encoding::Jpeg, data };
    let (channel, frame_id) = ("camera", "camera");
    let mut sample = Sample::new(channel, Value::Image(image)).with_frame(frame_id);
    if sink.write(&mut sample).unwrap() == Outcome::LeftOut {
        assert!(sink.advice().is_some() && sink.into_inner().unwrap().is_empty());
        return None;
    }
    let file = sink.into_inner().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    Some((info.width, info.height, info.color_type, pixels))
}

#[test]
fn jpeg_files_are_decoded_when_they_are_to_be_png() {
    let (width, height, color, pixels) = png_of(jpeg(GREY)).unwrap();
    assert_eq!((width, height, color), (16, 8, png::ColorType::Grayscale));
    for (row, (at, pixel)) in pixels.chunks(16).flat_map(|row| row.iter().enumerate()).enumerate() {
        let want: u8 = if at < 8 { 200 } else { 40 };
        assert!(pixel.abs_diff(want) <= 1, "{row} {at} {pixel}");
    }
    let (width, height, color, pixels) = png_of(jpeg(COLOUR)).unwrap();
    assert_eq!((width, height, color, pixels.len()), (8, 8, png::ColorType::Rgb, 192));
    assert!(
        pixels.chunks(3).all(|p| p.iter().zip([251, 100, 21]).all(|(a, b)| a.abs_diff(b) <= 2)),
        "{pixels:?}"
    );
}

#[test]
fn jpeg_files_that_are_cut_or_claim_too_much_are_left_out() {
    let whole = jpeg(COLOUR);
    for len in (1..whole.len()).step_by(7) {
        assert_eq!(png_of(whole.slice(..len)), None, "{len}");
    }
    // Claims 65535 x 65535 pixels, and has none.
    let mut large = jpeg(GREY).to_vec();
    let frame = large.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    large[frame + 5..frame + 9].fill(0xff);
    assert_eq!(png_of(large.into()), None);
}

/// An invalid picture makes no file, and no line in the index.
#[test]
fn pictures_that_do_not_decode_make_no_files() {
    let mut log =
        koblenz_log::Writer::new(std::io::Cursor::new(Vec::new()), &koblenz_log::Header::new(10)).unwrap();
    let (grey, broken) = (jpeg(GREY), jpeg(GREY).slice(..120));
    for (time, data) in [(0.0, &grey), (1.0, &broken), (2.0, &grey)] {
        let (source, compressed, compressed_len, width, height) = (0, 1, 4, 16, 8);
        let data = koblenz_log::ImageData { source, compressed, compressed_len, width, height, data };
        log.write_payload(time, &Payload::Image(data)).unwrap();
    }
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("a.log"), dir.path().join("pictures"));
    fs::write(&input, log.finish().unwrap().into_inner()).unwrap();
    let report = pictures(input.to_str().unwrap(), &sink::images::PNG, Per::Frame, &out);
    assert_eq!((report.written["image"].samples, report.left_out["image"].samples), (2, 1));
    assert_eq!((report.files, files(&out, "png").len()), (2, 2));
    assert_eq!(fs::read_to_string(out.join("_index.csv")).unwrap().lines().count(), 3);
}

/// Found by the fuzz target `sink_e57`: the PNG encoder multiplies width and height, and panics.
#[test]
fn a_picture_of_more_pixels_than_there_are_is_refused() {
    for (width, height) in [(u32::MAX, u32::MAX), (1 << 31, 1 << 31), (2, 2), (0, 7)] {
        for target in [&sink::images::PNG, &sink::e57::E57] {
            let out = std::io::Cursor::new(Vec::new());
            let mut sink = target.open(out, &robolog_convert::Opening::default()).unwrap();
            let image = Image { width, height, encoding: Encoding::Rgb16, data: Bytes::from_static(&[7; 6]) };
            let (channel, frame_id) = ("camera", "camera");
            let outcome = sink.write(&mut Sample::new(channel, Value::Image(image)).with_frame(frame_id));
            let is_refused = matches!(outcome, Err(_) | Ok(Outcome::LeftOut));
            assert!(is_refused || sink.finish().is_err(), "{}: {width} by {height}", target.name);
        }
    }
}
