//! Damage of every kind, and the memory that a document may take.

use std::io::{Cursor, Write as _};

use robolog_core::survey;
use robolog_kml::{self as kml, Kml, StreamReader};

use crate::support::{TRACK, copy, info};

/// A damaged first placemark, and the rest of the document.
const ROOTLESS: &str = "<?xml version='1.0'?>
<Placemark><Point></Folder></Placemark> lost </Document><x><Placemark><name>a</name></Placemark></x>
<kml><Document>
<Placemark><name>b</name></Placemark> kept </Document></kml>
<Placemark><name>c</name></Placemark></kml>
";

#[test]
fn what_lost_its_root_is_recovered_once_for_all() {
    let (text, parts, errors) = copy(ROOTLESS.as_bytes(), &mut |_, _| true);
    // Two for damage, one for `x`, and five unmatched end tags.
    assert_eq!((parts, errors), (3, 8), "{text}");
    assert!(
        text.starts_with("<?xml version='1.0'?>\n<Placemark><name>a</name></Placemark>\n<kml>"),
        "{text}"
    );
    assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), 3, 0));

    // Without the first placemark, the root element comes first; the rest is read.
    let without = ROOTLESS.replace("<x><Placemark><name>a</name></Placemark></x>", "");
    let (text, parts, errors) = copy(without.as_bytes(), &mut |_, _| true);
    // Without those of `x`.
    assert_eq!((parts, errors), (2, 6), "{text}");
    assert!(text.starts_with("<?xml version='1.0'?>\n\n<kml><Document>"), "{text}");
    assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), 2, 0));
    assert!(info(text.as_bytes()).is_ok(), "{text}");
}

#[test]
fn no_damage_does_harm_to_what_lost_its_root() {
    let inputs = testkit::campaign(ROOTLESS.as_bytes(), 11, &mut |bytes| {
        if StreamReader::new(bytes).is_err() {
            return;
        }
        let (text, parts, _) = copy(bytes, &mut |_, _| true);
        if StreamReader::new(text.as_bytes()).is_err() {
            assert_eq!(parts, 0, "{text}");
        } else {
            assert_eq!(copy(text.as_bytes(), &mut |_, _| true), (text.clone(), parts, 0));
        }
    });
    println!("{inputs} damaged inputs");
}

#[test]
fn no_damage_does_harm() {
    let inputs = testkit::campaign(TRACK.as_bytes(), 7, &mut |bytes| {
        let _ = kml::read(bytes);
        if StreamReader::new(bytes).is_err() {
            return;
        }
        let summary = info(bytes);
        assert_eq!(summary.bytes, bytes.len() as u64);
        let (text, ..) = copy(bytes, &mut |_, _| true);
        let again = info(text.as_bytes());
        let is_whole = |f: &robolog_core::Finding| !matches!(f.code, "truncated" | "markup" | "limit");
        assert!(again.findings.iter().all(is_whole), "{:?}\n{text}", again.findings);
    });
    println!("{inputs} damaged inputs");
}

#[test]
fn an_archive_without_a_document_or_an_end_is_refused() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.txt", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"no").unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    assert!(kml::read_kmz(Cursor::new(&bytes), 100).unwrap_err().to_string().contains("no .kml"));
    assert!(kml::read_kmz(Cursor::new(&bytes[..20]), 100).is_err());
}

/// Heap bytes of a survey and the samples per byte of the document.
fn heap_by_byte(file: &str) -> u64 {
    let mut most = 0;
    let info = allocation_counter::measure(|| {
        let reader = StreamReader::new(file.as_bytes());
        most = survey(&mut reader.unwrap()).unwrap().records;
    });
    assert!(most > 0);
    let sampled = allocation_counter::measure(|| drop(testkit::recover::<Kml>(file.as_bytes())));
    // The copy itself is in memory here.
    let copy = 3 * file.len() as u64;
    info.bytes_max.max(sampled.bytes_max.saturating_sub(copy)).saturating_sub(1 << 20) / file.len() as u64
}

#[test]
fn what_one_placemark_takes_in_memory() {
    let inside = |start: &str, part: &str, end: &str| {
        let head = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark>";
        format!("{head}{start}{}{end}</Placemark></kml>", part.repeat((4 << 20) / part.len()))
    };
    let files = [
        inside("<gx:Track>", "<when>2010-05-28T02:02:09Z</when>\n", "</gx:Track>"),
        inside("<gx:Track>", "<when/>", "</gx:Track>"),
        inside("<gx:Track>", "<when>2010</when><gx:coord>1 2 3</gx:coord>", "</gx:Track>"),
        inside("<LineString><coordinates>", "1,2 ", "</coordinates></LineString>"),
        inside("<MultiGeometry>", "<Point><coordinates>1,2</coordinates></Point>", "</MultiGeometry>"),
    ];
    let factors = files.iter().map(|file| heap_by_byte(file)).collect::<Vec<_>>();
    println!("times its bytes: {factors:?}");
    assert!(factors.iter().all(|factor| *factor <= 16), "{factors:?}");
}
