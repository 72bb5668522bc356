//! samples and copies agree about every document, sound or damaged.

use robolog_gpx::{Gpx, StreamReader};

#[test]
fn survey_samples_and_copies_agree_about_every_fixture() {
    for fixture in testkit::fixtures("gpx", "gpx") {
        testkit::assert_agrees::<Gpx>(&fixture.name, &fixture.bytes);
    }
}

const GPX: &str = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\">
<wpt lat=\"45.1\" lon=\"3.1\"/><trk><name>a</name><trkseg>
<trkpt lat=\"45.2\" lon=\"3.2\"><ele>460.6</ele><time>2009-07-17T08:58:42Z</time></trkpt>
<trkpt lat=\"45.3\" lon=\"3.3\"/></trkseg></trk></gpx>
";

#[test]
fn every_flip_of_a_track() {
    testkit::assert_flips_agree::<Gpx>("gpx", GPX);
}

/// The recovered document, and the number of input bytes missing from it.
fn recover(file: &[u8]) -> (String, u64) {
    let recovered = testkit::recover::<Gpx>(file).unwrap();
    (String::from_utf8(recovered.file).unwrap(), recovered.lost_bytes)
}

#[test]
fn a_bad_point_is_left_out_and_counted() {
    let bad = "\n<trkpt lat=\"45.2\" lon=\"3.2\">";
    let file = GPX.replace(bad, "\n<trkpt lat=\"45.x\" lon=\"3.2\">");
    let (recovered, lost) = recover(file.as_bytes());
    assert!(!recovered.contains("45.x") && recovered.contains("45.3") && recovered.contains("45.1"));
    assert_eq!(recovered.len() as u64 + lost, file.len() as u64);
}

/// If the end tag of an element is lost, the text stays in the element, which is closed after it.
#[test]
fn text_stays_in_an_element_without_an_end_tag() {
    let file = GPX.replace("</trkseg></trk></gpx>", "</trkseg><link><text>a > b</trk></gpx>");
    let (recovered, _) = recover(file.as_bytes());
    assert!(recovered.contains("<link><text>a > b</text></link></trk></gpx>"), "{recovered}");
    testkit::assert_agrees::<Gpx>("gpx", recovered.as_bytes());
}

/// What a damaged end tag makes of names and descriptions is the same in the copy: it ends elements as the reader does,
/// and has no tag that ends none.
#[test]
fn names_behind_damaged_end_tags_are_those_of_the_copy() {
    let tracks = "<gpx version=\"1.1\" creator=\"x\"><rte><name>R</name><desc>r</desc><rtept lat=\"45.1\" lon=\"3.1\"/></rte>\
        <trk><name>A</name><link href=\"a\"><text>l</text></link><trkseg><trkpt lat=\"45.2\" lon=\"3.2\"/></trkseg></trk>\
        <trk><name>B</name><trkseg><trkpt lat=\"45.3\" lon=\"3.3\"/></trkseg></trk></gpx>";
    let ends: Vec<_> = tracks.match_indices("</").map(|(at, _)| at).collect();
    for at in ends {
        let end = at + tracks[at..].find('>').unwrap();
        let name = &tracks[at + 2..end];
        for other in ["nam", "trk", "rte", "gpx", "b", "link"].into_iter().filter(|other| *other != name) {
            let file = format!("{}</{other}>{}", &tracks[..at], &tracks[end + 1..]);
            testkit::assert_agrees::<Gpx>(&file, file.as_bytes());
        }
        testkit::assert_agrees::<Gpx>("cut", &tracks.as_bytes()[..at]);
        let missing = format!("{}{}", &tracks[..at], &tracks[end + 1..]);
        testkit::assert_agrees::<Gpx>(&missing, missing.as_bytes());
    }
}

/// The copy gets a root element, which is reported as well.
#[test]
fn a_document_without_a_root_element_is_recovered_with_a_fault() {
    let file = "<trk><trkseg><trkpt lat=\"45.2\" lon=\"3.2\"/></trkseg></trk></gpx>\n";
    testkit::assert_agrees::<Gpx>("gpx", file.as_bytes());
    assert!(!testkit::recover::<Gpx>(file.as_bytes()).unwrap().faults.is_empty());
}

/// The end of the input is reported, even if there is nothing but the root element.
#[test]
fn a_document_that_is_cut_behind_its_root_element_ends_there() {
    let root = &GPX[..=GPX.find('>').unwrap()];
    let summary = robolog_core::survey(&mut StreamReader::new(root.as_bytes()).unwrap()).unwrap();
    let found: Vec<_> = summary.findings.iter().map(|found| (found.code, found.offset)).collect();
    assert_eq!(found, [("truncated", root.len() as u64)]);
}

/// An end tag of the root element whose start tag is lost ends nothing: the track continues in the copy too.
#[test]
fn an_end_tag_of_a_root_element_that_is_lost_ends_nothing() {
    let point = |degrees| format!("<trkpt lat=\"{degrees}\" lon=\"3.2\"/>");
    let file = format!("<trk><trkseg>{}</gpx>{}</trkseg></trk></gpx>\n", point(45), point(46));
    testkit::assert_agrees::<Gpx>("gpx", file.as_bytes());
    let found = testkit::deliveries::<Gpx>(file.as_bytes()).unwrap();
    assert_eq!(found.channels.keys().collect::<Vec<_>>(), ["track1/segment1"]);
}

#[test]
fn a_point_without_a_blank_behind_its_name_is_damage() {
    testkit::assert_losses_are_told::<Gpx>(
        "gpx",
        GPX.as_bytes(),
        ["wpt", "trkpt"]
            .map(|name| GPX.replace(&format!("<{name} "), &format!("<{name}!")).into())
            .into_iter(),
        &[],
    );
}

/// A hole of zeros anywhere: the document is damaged, and only the points that it touches are lost.
#[test]
fn a_hole_of_zeros_is_damage() {
    for len in [1, 16, 60] {
        for at in 0..=GPX.len() - len {
            let mut holed = GPX.as_bytes().to_vec();
            holed[at..at + len].fill(0);
            if testkit::assert_agrees::<Gpx>(&format!("{len} at {at}"), &holed).is_none() {
                continue;
            }
            assert!(!testkit::deliveries::<Gpx>(&holed).unwrap().faults.is_empty(), "{len} at {at}");
            let (recovered, _) = recover(&holed);
            for (point, text) in [("45.2", "<trkpt lat=\"45.2"), ("45.3", "<trkpt lat=\"45.3")] {
                let start = GPX.find(text).unwrap();
                let end = start + GPX[start..].find("/>").unwrap() + 2;
                let is_apart = end <= at || start >= at + len;
                assert!(!is_apart || recovered.contains(point), "{len} at {at}: {recovered}");
            }
        }
    }
}

/// ESC is damage in a document, unlike in other texts.
#[test]
fn the_first_control_character_of_a_text_is_damage_whichever_it_is() {
    for damage in ["\u{1b}b\u{10}", "\u{10}b\u{1b}", "\u{1b}"] {
        let file = GPX.replace("<trkseg>", &format!("{damage}<trkseg>"));
        testkit::assert_agrees::<Gpx>("gpx", file.as_bytes());
        assert!(!recover(file.as_bytes()).0.contains(['\u{1b}', '\u{10}']), "{damage:?}");
    }
}
