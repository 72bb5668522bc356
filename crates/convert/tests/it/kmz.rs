//! KMZ archives: read with their links, and copied with all that is in them.

use std::{
    fs,
    io::{Cursor, Read as _, Write as _},
    path::Path,
};

use robolog_convert::{
    Copied, Input, Limit, Rewrite, rewrite, survey,
    target::{Existing, Target},
};
use robolog_core::Edit;
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

const MAIN: &str = "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Style id=\"s\"/>\
    <NetworkLink><Link><href>files/a.kml</href></Link></NetworkLink>\
    <Placemark><name>Hut</name><styleUrl>#s</styleUrl><TimeStamp><when>2020-01-01T00:00:00Z</when></TimeStamp>\
    <Point><coordinates>3,45,5</coordinates></Point></Placemark></Document></kml>";
const LINKED: &str = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><name>Top</name>\
    <LineString><coordinates>4,45 5,46</coordinates></LineString></Placemark></kml>";
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

fn archive(main: &str, linked: &str) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("files/icon.png", stored).unwrap();
    zip.write_all(PICTURE).unwrap();
    for (name, text) in [("doc.kml", main), ("files/a.kml", linked), ("unlinked.kml", LINKED)] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn copied(folder: &Path, archive: &[u8], edit: Option<&Edit>) -> (Copied, Vec<u8>) {
    let (from, to) = (folder.join("from.kmz"), folder.join("to.kmz"));
    fs::write(&from, archive).unwrap();
    let target = Target::create(&to, Existing::Replace, &[]).unwrap();
    let limit = &mut Limit::default();
    let how = Rewrite { out: target.writer().unwrap(), limit, frames: None, edit, progress: &mut |_| Ok(()) };
    let copied = rewrite(Input::open(&from).unwrap(), None, how).unwrap();
    target.persist().unwrap();
    (copied, fs::read(to).unwrap())
}

fn entry(archive: &[u8], name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn channels(archive: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kmz");
    fs::write(&path, archive).unwrap();
    let samples = Input::open(&path).unwrap().samples().unwrap();
    samples.map(|sample| sample.unwrap().channel.to_string()).collect()
}

#[test]
fn an_archive_is_copied_with_all_that_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = archive(MAIN, LINKED);
    assert_eq!(channels(&whole), ["placemarks", "placemarks"]);
    let (result, copy) = copied(folder.path(), &whole, None);
    assert!(result.report.is_complete() && result.parts == 2);
    for name in ["files/icon.png", "doc.kml", "files/a.kml", "unlinked.kml"] {
        assert_eq!(entry(&copy, name), entry(&whole, name), "{name}");
    }
    let names = |bytes: &[u8]| {
        let archive = ZipArchive::new(Cursor::new(bytes.to_vec())).unwrap();
        archive.file_names().map(|name| name.unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&copy), names(&whole));
}

#[test]
fn edits_and_repairs_leave_the_rest_alone() {
    let folder = tempfile::tempdir().unwrap();
    let torn = LINKED.replace("</LineString></Placemark></kml>", "");
    let edit = Edit { shift: 3_600_000_000_000, ..Edit::default() };
    let (result, copy) = copied(folder.path(), &archive(MAIN, &torn), Some(&edit));
    assert!(!result.report.is_complete());
    // A damaged archive becomes one document, as a damaged link leads elsewhere.
    let repaired = String::from_utf8(entry(&copy, "doc.kml")).unwrap();
    assert!(
        repaired.contains("T01:00") && !repaired.contains("T00:00") && repaired.contains("Hut"),
        "{repaired}"
    );
    assert!(ZipArchive::new(Cursor::new(&copy)).unwrap().by_name("files/a.kml").is_err());
    assert_eq!(entry(&copy, "files/icon.png"), PICTURE);
    assert_eq!(channels(&copy), ["placemarks"]);

    let (result, copy) = copied(folder.path(), &archive(&MAIN.replace(",45,5", ",95,5"), LINKED), None);
    assert!(!result.report.is_complete());
    // The name stays, without a place.
    let repaired = String::from_utf8(entry(&copy, "doc.kml")).unwrap();
    assert!(repaired.contains("Hut") && repaired.contains("<coordinates></coordinates>"), "{repaired}");
    assert_eq!(channels(&copy), ["placemarks"]);
}

/// The documents are found by their headers; what else is in the archive is lost with its directory.
#[test]
fn a_torn_archive_gives_its_document() {
    let folder = tempfile::tempdir().unwrap();
    let whole = archive(MAIN, LINKED);
    let directory = whole.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let (result, copy) = copied(folder.path(), &whole[..directory], None);
    assert!(!result.report.is_complete());
    let text = String::from_utf8(entry(&copy, "doc.kml")).unwrap();
    assert!(text.contains("Hut") && text.contains("Top"), "{text}");
}

/// Pictures are not decoded. A damaged one is reported and left out of the copy; the documents stay as they are.
#[test]
fn a_damaged_picture_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = archive(MAIN, LINKED);
    let at = archive.windows(PICTURE.len()).position(|part| part == PICTURE).unwrap();
    archive[at + 12] ^= 1;
    let path = folder.path().join("a.kmz");
    fs::write(&path, &archive).unwrap();
    let surveyed = survey(Input::open(&path).unwrap(), None, &mut |_| {}).unwrap();
    assert!(!surveyed.summary.is_ok());
    let faults: Vec<_> = Input::open(&path).unwrap().samples().unwrap().filter_map(Result::err).collect();
    assert!(faults.len() == 1 && faults[0].to_string().contains("files/icon.png"), "{faults:?}");
    let (result, copy) = copied(folder.path(), &archive, None);
    assert!(!result.report.is_complete() && result.parts == 2);
    assert_eq!(entry(&copy, "doc.kml"), MAIN.as_bytes());
    assert!(ZipArchive::new(Cursor::new(&copy)).unwrap().by_name("files/icon.png").is_err());
    assert_eq!(channels(&copy), ["placemarks", "placemarks"]);
}

/// A link that lost an end tag leads nowhere, and does not lead anywhere in the copy, which has all end tags.
#[test]
fn a_repaired_link_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let main = MAIN.replace("<NetworkLink><Link><href>files/a.kml</href></Link></NetworkLink>", "");
    let torn = "<NetworkLink><Link><href>files/a.kml</Link></NetworkLink></Document></kml>";
    let torn = main.replace("</Document></kml>", torn);
    let archive = archive(&torn, LINKED);
    let path = folder.path().join("a.kmz");
    fs::write(&path, &archive).unwrap();
    let samples = Input::open(&path).unwrap().samples().unwrap();
    assert_eq!(samples.flatten().count(), 1);
    let (result, copy) = copied(folder.path(), &archive, None);
    assert!(!result.report.is_complete());
    assert_eq!(channels(&copy), ["placemarks"]);
    assert_eq!(entry(&copy, "files/a.kml"), LINKED.as_bytes());
}
