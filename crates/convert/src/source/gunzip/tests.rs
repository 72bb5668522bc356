//! Damaged and long gzip streams.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::*;

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Decompressed bytes, and the error.
fn read(file: &[u8]) -> (Vec<u8>, String) {
    let mut out = Vec::new();
    let outcome = Gunzip::new(testkit::Drip::new(file, 7), Limits::default()).read_to_end(&mut out);
    (out, outcome.err().map_or_else(String::new, |e| e.to_string()))
}

/// Text that compresses to about a third.
fn text() -> Vec<u8> {
    (0..40_000_u32).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761) >> 12).into_bytes()).collect()
}

#[test]
fn all_that_decompresses_is_read_and_then_comes_the_fault() {
    let text = text();
    let file = packed(&text);
    let end = file.len();
    assert_eq!(read(&file), (text.clone(), String::new()));
    assert_eq!(read(&[&*file, &*file].concat()), ([&*text, &*text].concat(), String::new()));
    let flipped = |at: usize| {
        let mut file = file.clone();
        file[at] ^= 1;
        file
    };
    for (file, fault) in [
        (flipped(end - 8), "the checksum"),
        (flipped(end - 1), "bytes, expected"),
        ([&*file, &[0; 512]].concat(), "512 bytes of padding"),
        ([&*file, b"junk"].concat(), "4 bytes that are not a gzip stream"),
        (file[..end - 4].to_vec(), "unexpected end of file"),
    ] {
        let (out, said) = read(&file);
        assert!(out == text, "{fault}: {} of {} bytes", out.len(), text.len());
        assert!(said.contains(fault), "{said}");
    }
    // A damaged member does not hide the next one if its end is found.
    let (out, said) = read(&[&*flipped(end - 8), &*file].concat());
    assert!(out == [&*text, &*text].concat() && said.contains("the checksum"), "{said}");
    let (out, said) = read(&[&*file, &file[..end / 2]].concat());
    assert!(out.starts_with(&text) && out.len() > text.len() * 5 / 4, "{}", out.len());
    assert!(said.contains("unexpected end of file"), "{said}");
}

#[test]
fn nothing_that_came_before_a_damaged_block_is_lost() {
    let text = text();
    let file = packed(&text);
    for at in (20..file.len() - 8).step_by(997) {
        let mut damaged = file.clone();
        // Sooner or later there is a block of the reserved type, or an invalid code.
        damaged[at..].iter_mut().for_each(|b| *b = 0xff);
        let (out, said) = read(&damaged);
        let same = out.iter().zip(&text).take_while(|(a, b)| a == b).count();
        // The last code before the damage may be lost, and a byte of the file holds several of the text.
        let least = text.len() * at / file.len();
        assert!(same + 4096 > least && !said.is_empty(), "{at}: {same} of at least {least}, {said}");
    }
}

#[test]
fn what_expands_without_end_is_cut() {
    let file = packed(&vec![0; 200 << 20]);
    let mut gunzip = Gunzip::new(&*file, Limits::default());
    let mut out = Vec::new();
    let error = gunzip.read_to_end(&mut out).unwrap_err();
    assert!(error.to_string().contains("expansion factor of"), "{error}");
    assert!(out.len() > 64 << 20 && out.len() < 90 << 20, "{}", out.len());
    let mut gunzip = Gunzip::new(&*file, Limits::default().with_expand(2000));
    assert_eq!(io::copy(&mut gunzip, &mut io::sink()).unwrap(), 200 << 20);
}
