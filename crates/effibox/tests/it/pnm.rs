//! Images against the sums of netpbm and the pixels of Pillow, and invalid images.

use std::fs;

use effibox::{
    ErrorKind,
    pnm::{Kind, Pnm, images},
};
use robolog_core::Encoding;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

/// The pixels as Pillow has them in memory: bitmaps in bits with 1 for white, 16 bits as four bytes, little-endian.
fn as_pillow(image: &Pnm<'_>) -> (&'static str, Vec<u8>) {
    let (width, samples) = (image.width() as usize, image.samples().collect::<Vec<_>>());
    if image.kind().is_bitmap() {
        let rows = samples.chunks(width);
        let pack = |bits: &[u16]| {
            bits.iter().enumerate().fold(0, |byte, (i, bit)| byte | u8::from(*bit == 0) << (7 - i))
        };
        return ("1", rows.flat_map(|row| row.chunks(8).map(pack)).collect());
    }
    if image.maxval() > 255 {
        return ("I", samples.iter().flat_map(|s| u32::from(*s).to_le_bytes()).collect());
    }
    let bytes = samples.iter().map(|s| u8::try_from(*s).unwrap()).collect();
    (if image.kind().samples_per_pixel() == 3 { "RGB" } else { "L" }, bytes)
}

/// Netpbm counts white as 1.
fn sum(image: &Pnm<'_>) -> u64 {
    let is_bitmap = image.kind().is_bitmap();
    image.samples().map(|s| u64::from(if is_bitmap { 1 - s } else { s })).sum()
}

#[test]
fn pixels_are_those_of_netpbm_and_pillow() {
    let Some(dir) = testkit::data_dir("effibox/pgm") else { return };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let (mut read, mut refused) = (0, 0);
    for truth in &truth {
        let name = truth["file"].as_str().unwrap();
        let file = fs::read(dir.join(name)).unwrap();
        let Some(want) = truth["netpbm_sum"].as_str() else {
            let error = Pnm::read(&file).unwrap_err();
            println!("{name}: {error}");
            assert!(matches!(error.kind(), ErrorKind::Magic { .. }), "{name}: {error}");
            refused += 1;
            continue;
        };
        let image = Pnm::read(&file).unwrap();
        assert_eq!(sum(&image).to_string(), want, "{name}");
        let pillow = truth["pil"].as_array().unwrap();
        let (mode, pixels) = as_pillow(&image);
        assert_eq!(pillow[0], mode, "{name}");
        assert_eq!(pillow[1], serde_json::json!([image.width(), image.height()]), "{name}");
        let hash =
            Sha256::digest(&pixels).iter().take(8).map(|b| format!("{b:02x}")).collect::<Vec<_>>().concat();
        assert_eq!(pillow[2], hash, "{name}");
        assert_eq!(images(&file).map(Result::unwrap).count(), 1, "{name}");
        let core = image.to_image();
        let size =
            core.encoding.bytes_per_pixel().unwrap() * image.width() as usize * image.height() as usize;
        assert_eq!(core.data.len(), size, "{name}");
        read += 1;
    }
    println!("{read} images, {refused} that are none");
    assert!(read >= 15 && refused >= 6);
}

fn samples(file: &[u8]) -> Vec<u16> {
    Pnm::read(file).unwrap().samples().collect()
}

#[test]
fn all_six_kinds_by_hand() {
    assert_eq!(samples(b"P1 # bits\n3 2\n101\n0 1 0"), [1, 0, 1, 0, 1, 0]);
    assert_eq!(samples(b"P2\n2 1\n# between\n255\n25 # behind\n 1\n"), [25, 1]);
    assert_eq!(samples(b"P3 1 1 1023 1023 0 7"), [1023, 0, 7]);
    assert_eq!(
        samples(b"P4 10 2\n\xaa\x80\x55\x40"),
        [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    );
    assert_eq!(samples(b"P5 2 1 255\n#a"), [35, 97], "pixels, no comment");
    assert_eq!(samples(b"P5 2 1 255#\na b"), [97, 32], "a comment right behind the number");
    assert_eq!(samples(b"P6 1 1 65535\n\x00\x01\x02\x03\xff\xff"), [1, 0x203, 0xffff]);
    let bits = Pnm::read(b"P4 3 1\n\xa0").unwrap().to_image();
    assert_eq!((&bits.data[..], bits.encoding), (&[0, 255, 0][..], Encoding::Mono8));
    let wide = Pnm::read(b"P5 1 1 1023\n\x03\xff").unwrap();
    assert_eq!((wide.kind(), wide.to_image().encoding), (Kind::Gray, Encoding::Mono16));
}

#[test]
fn several_images_one_behind_another() {
    let file = b"P5 1 1 255\naP5 1 1 255\nb\n\nP2 1 1 9 7\n";
    let all: Vec<_> = images(file).map(|image| image.unwrap().samples().next().unwrap()).collect();
    assert_eq!(all, [97, 98, 7]);
    let mut torn = images(b"P5 1 1 255\naP5 1 9 255\nb");
    assert!(torn.next().unwrap().is_ok());
    let error = torn.next().unwrap().unwrap_err();
    assert!(error.offset() > 12, "{error}");
    assert!(torn.next().is_none());
}

/// The header's claims are checked against the available bytes before memory is allocated.
#[test]
fn claims_are_checked_before_anything_is_allocated() {
    for (file, what) in [
        (&b"P5 4000000000 4000000000 65535\nab"[..], "image size"),
        (b"P6 4294967294 4294967294 255\nab", "image size"),
        (b"P2 60000 60000 255 1 2 3", "image size"),
        (b"P1 60000 60000 1 0 1", "image size"),
        (b"P4 8 9\n12345678", "image size"),
        (b"P5 0 1 255\n", "width"),
        (b"P5 1 0 255\n", "height"),
        (b"P5 -1 1 255\n", "width"),
        (b"P5 99999999999999999999 1 255\n", "width"),
        (b"P5 1 1 0\na", "maximum"),
        (b"P5 1 1 65536\naa", "maximum"),
        (b"P2 1 1 9 10", "sample"),
        (b"P1 1 1 2", "bit"),
        (b"P5 1 1 255x", "end of the header"),
    ] {
        let error = Pnm::read(file).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { what: w, .. } if *w == what), "{error}");
        assert!(error.offset() <= file.len() as u64, "{error}");
    }
    for file in [&b"P5"[..], b"", b"P7 1 1 255\na", b"P52 1 255\na", b"\x89PNG\r\n", b"Pf\n1 1\n-1.0\n1234"] {
        let error = Pnm::read(file).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Magic { .. }), "{error}");
    }
}

#[test]
fn no_damage_does_harm() {
    let small: [&[u8]; 6] = [
        b"P1 # bits\n3 2\n101\n0 1 0\n",
        b"P2\n4 2\n# between\n255\n25 1 0 255\n7 8 9 10\n",
        b"P3 2 1 1023 1023 0 7 1 2 3\n",
        b"P4 10 2\n\xaa\x80\x55\x40",
        b"P5 2 2 65535\n\x00\x01\x02\x03\xff\xff\x00\x00P5 1 1 255\na",
        b"P6 1 2 255\nabcdef",
    ];
    let mut read = 0;
    let mut inputs = 0;
    for file in small {
        let mut visit = |file: &[u8]| {
            inputs += 1;
            let mut bytes = 0;
            for image in images(file) {
                match image {
                    Ok(image) => {
                        let count = image.width() as usize
                            * image.height() as usize
                            * image.kind().samples_per_pixel();
                        assert_eq!(image.samples().count(), count);
                        assert!(count <= 8 * file.len());
                        let _ = image.to_image();
                        bytes += image.byte_len();
                        read += 1;
                    }
                    Err(error) => assert!(error.offset() <= file.len() as u64, "{error}"),
                }
            }
            assert!(bytes <= file.len());
        };
        testkit::cuts(file).for_each(&mut visit);
        testkit::flips(file, file.len(), &mut visit);
        testkit::splices(file, 5000, file.len() as u64, &mut visit);
    }
    println!("{inputs} inputs, {read} images");
    assert!(inputs > 30_000 && read > 5_000);
}
