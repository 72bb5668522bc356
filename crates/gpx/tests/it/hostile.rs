//! Damage of every kind, and documents made to exhaust time or memory.

use robolog_gpx::{self as gpx, Kind, Reader, StreamReader};

use crate::support::{TWO, copy, info, ipds};

#[test]
fn what_is_recovered_of_any_beginning_is_a_document() {
    for cut in TWO.find("<wpt").unwrap()..TWO.len() {
        let (file, errors) = copy(&TWO.as_bytes()[..cut], &mut |_, _| true);
        let summary = info(&file);
        assert!(summary.is_ok(), "{cut}: {:?}\n{}", summary.findings, String::from_utf8_lossy(&file));
        assert_eq!(errors.is_empty(), TWO[..cut].trim_end().ends_with("</gpx>"), "{cut}: {errors:?}");
        let whole = TWO[..cut].matches("</trkpt>").count() as u64;
        assert_eq!(summary.details.trackpoints, whole, "{cut}");
    }
    let wrong = TWO.replace("</trkseg></trk>", "</trk></xml>").replace("</gpx>", "");
    let (file, errors) = copy(wrong.as_bytes(), &mut |_, _| true);
    assert!(info(&file).is_ok(), "{}", String::from_utf8_lossy(&file));
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn nothing_is_expanded_or_nested_without_end() {
    let bomb = "<!DOCTYPE gpx [<!ENTITY a \"&b;&b;\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]><gpx><trk><name>&a;</name>\
        <desc><![CDATA[<trkpt]]></desc><!-- <trkpt> --></trk></gpx>";
    let (document, error) = gpx::read(bomb.as_bytes());
    assert!(error.is_none(), "{error:?}");
    assert_eq!(document.tracks[0].head.name.as_deref(), Some("&a;"));
    assert_eq!(info(bomb.as_bytes()).details.trackpoints, 0);
    let records = Reader::new(bomb.as_bytes()).unwrap();
    assert_eq!(records.records().filter(|r| r.as_ref().unwrap().kind() == Kind::Other).count(), 2);
    let deep = format!("<gpx><wpt lat='1' lon='2'>{}", "<a>".repeat(100_000));
    let summary = info(deep.as_bytes());
    assert!(summary.findings.iter().any(|f| f.code == "limit"), "{:?}", summary.findings);
    let deep = format!("<gpx>{}", "<a>".repeat(100_000));
    assert!(info(deep.as_bytes()).findings.iter().any(|f| f.message.contains("nesting")));
    let long = format!("<gpx><wpt lat='{}' lon='2'/><wpt lat='1' lon='2'/></gpx>", "1".repeat(100_000));
    let summary = info(long.as_bytes());
    assert_eq!((summary.details.waypoints, summary.complete), (1, false));
    // Unclosed comments, one per point, take no more time than one.
    let hidden = format!("<gpx>{}", "<trkpt><!--<trkpt><![CDATA[<trkpt><?".repeat(100_000));
    assert_eq!(info(hidden.as_bytes()).details.trackpoints, 0);
}

/// Every cut, flips and splices: every byte is in one record or one gap, and the recovered bytes are a document.
#[test]
fn no_damage_does_harm() {
    let mut inputs = 0;
    let v6 = ipds().into_iter().filter(|(name, _)| name.starts_with("v6"));
    for file in [TWO.as_bytes().to_vec()].into_iter().chain(v6.map(|(_, file)| file)) {
        inputs += testkit::campaign(&file, file.len() as u64, &mut |bytes| {
            let _ = gpx::read(bytes);
            let Ok(mut reader) = StreamReader::new(bytes) else { return };
            testkit::assert_covers(&mut reader, bytes.len(), &mut |record| {
                Some(record.offset()..record.offset() + record.bytes().len() as u64)
            });
            let (copied, _) = copy(bytes, &mut |_, _| true);
            let again = info(&copied);
            let is_whole =
                |f: &robolog_core::Finding| !matches!(f.code, "truncated" | "markup" | "damaged" | "limit");
            assert!(
                again.findings.iter().all(is_whole),
                "{:?}\n{}",
                again.findings,
                String::from_utf8_lossy(&copied)
            );
        });
    }
    println!("{inputs} damaged inputs");
}
