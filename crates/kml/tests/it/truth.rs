//! Documents against the counts of lxml.

use std::fs;

use robolog_kml as kml;

use crate::support::{TRACK, all_of, corpus, info, samples};

/// Two documents that are invalid on purpose.
pub(crate) fn is_off_earth(name: &str) -> bool {
    name.contains("LinearRingWith1DTuple") || name.contains("LinearRingWithInvalidLat")
}

#[test]
fn counts_are_those_of_lxml() {
    let files = corpus();
    for (name, file, truth) in &files {
        assert!(kml::detect(&file[..file.len().min(4096)]), "{name}");
        let summary = info(file);
        let (d, elem) = (&summary.details, &truth["elem"]);
        let (document, error) = kml::read(file);
        assert!(error.is_none(), "{name}: {error:?}");
        let is_sound = summary.findings.iter().all(|f| f.code != "markup" && f.code != "truncated");
        if is_off_earth(name) {
            assert!(summary.findings.iter().any(|f| f.code == "position"), "{:?}", summary.findings);
            continue;
        }
        assert!(summary.complete && is_sound, "{name}: {:?}", summary.findings);
        let count = |key: &str| elem[key].as_u64().unwrap();
        let got =
            [d.placemarks, d.points, d.linestrings, d.linear_rings, d.polygons, d.multi_tracks, d.whens];
        let want =
            ["Placemark", "Point", "LineString", "LinearRing", "Polygon", "gx:MultiTrack", "when"].map(count);
        assert_eq!(got, want, "{name}");
        assert_eq!(d.tracks, count("gx:Track") + count("Track"), "{name}");
        // lxml counts the prefixed name only.
        let is_plain = count("Track") > 0;
        assert_eq!(d.track_coords, if is_plain { 7 } else { count("gx:coord") }, "{name}");
        assert_eq!(d.track_whens, count("when") - count("TimeStamp"), "{name}");
        let places: Vec<_> =
            document.placemarks.iter().filter_map(|p| p.geometry.as_ref()).flat_map(all_of).collect();
        if name.contains("skydrop") {
            // There is a comment among the coordinates, where the counting script stopped. GPSBabel reads them all.
            assert_eq!(places.len() as u64, 1329, "{name}");
        } else if !is_plain {
            assert_eq!(places.len() as u64, truth["coord_tuples"].as_u64().unwrap(), "{name}");
            let sum: f64 = places.iter().map(|place| place.longitude).sum();
            let want = truth["sum_lon"].as_f64().unwrap_or_default();
            assert!((sum - want).abs() < 1e-4, "{name}: {sum}, not {want}");
        }
        println!("{name}: {} placemarks, {} places", d.placemarks, places.len());
        let copied: u64 = summary.channels.iter().map(|c| c.values).sum();
        assert_eq!(samples(file).len() as u64, copied, "{name}");
    }
    assert!(files.is_empty() || files.len() == 26);
}

#[test]
fn archives_hold_their_documents() {
    let Some(dir) = testkit::data_dir("effibox/kml") else { return };
    let open = |name: &str, limit| kml::read_kmz(fs::File::open(dir.join(name)).unwrap(), limit);
    let polygon = open("georust-kml__tests_fixtures_polygon.kmz", 1 << 20).unwrap();
    assert_eq!(polygon, fs::read(dir.join("georust-kml__tests_fixtures_polygon.kml")).unwrap());
    let first = open("fastkml__tests_ogc_conformance_data_kmz_archive-1.kmz", 1 << 20).unwrap();
    assert_eq!((first.len(), kml::detect(&first)), (1184, true));
    assert!(
        open("georust-kml__tests_fixtures_polygon.kmz", 312)
            .unwrap_err()
            .to_string()
            .contains("limit of 312")
    );
}

#[test]
fn lists_of_different_lengths_are_told() {
    let wrong = TRACK.replace("<gx:coord/>", "");
    let summary = info(wrong.as_bytes());
    let finding = summary.findings.iter().find(|f| f.code == "track-lists").unwrap();
    assert_eq!(finding.offset, wrong.find("<gx:Track>").unwrap() as u64);
    assert!(finding.message.contains("3 times, 2 coordinates"), "{}", finding.message);
    assert!(info(TRACK.as_bytes()).is_ok());
}

testkit::serializes!(robolog_kml, "kml/gx_track.kml", "tracks");
