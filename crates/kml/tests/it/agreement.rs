//! samples and copies agree about every document, sound or damaged.

use robolog_core::survey;
use robolog_kml::{Kml, StreamReader};

#[test]
fn survey_samples_and_copies_agree_about_every_fixture() {
    for fixture in testkit::fixtures("kml", "kml") {
        testkit::assert_agrees::<Kml>(&fixture.name, &fixture.bytes);
    }
}

const KML: &str = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>
<Placemark><name>p</name><Point><coordinates>3.1,45.1,5</coordinates></Point></Placemark>
<Placemark><LineString><coordinates>3.1,45.1 3.2,45.2</coordinates></LineString></Placemark>
<Placemark><gx:Track><when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:35Z</when>
<gx:coord>3.1 45.1 5</gx:coord><gx:coord>3.2 45.2 6</gx:coord></gx:Track></Placemark>
</Document></kml>
";

#[test]
fn every_flip_of_placemarks() {
    testkit::assert_flips_agree::<Kml>("kml", KML);
}

/// The recovered document, and the number of input bytes missing from it.
fn recover(file: &[u8]) -> (String, u64) {
    let recovered = testkit::recover::<Kml>(file).unwrap();
    (String::from_utf8(recovered.file).unwrap(), recovered.lost_bytes)
}

#[test]
fn text_stays_in_an_element_of_kml_without_an_end_tag() {
    let file = KML.replace("</Document>", "<Style><name>a > b</Document>");
    let (recovered, _) = recover(file.as_bytes());
    assert!(recovered.contains("<Style><name>a > b</name></Style></Document>"), "{recovered}");
    testkit::assert_agrees::<Kml>("kml", file.as_bytes());
}

/// A placemark has one geometry; if there are several, all are delivered, and the copy is mended.
#[test]
fn all_tracks_of_a_placemark_are_delivered() {
    let track = |place| {
        format!(
            "<gx:Track><when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:19Z</when>\
             <gx:coord>3.1 45.1 5</gx:coord><gx:coord>{place}</gx:coord></gx:Track>"
        )
    };
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark>{}{}</Placemark></kml>",
        track("3.2 45.2 6"),
        track("3.2 45.x 6")
    );
    testkit::assert_agrees::<Kml>("kml", file.as_bytes());
    let found = testkit::deliveries::<Kml>(file.as_bytes()).unwrap();
    let counts: Vec<_> = found.channels.iter().map(|(name, c)| (name.as_str(), c.samples)).collect();
    assert_eq!((counts, found.faults.len()), (vec![("track1", 2), ("track2", 1)], 1));
}

/// Text before the first element after damage is not copied: it would be read as something else.
#[test]
fn text_that_is_left_out_before_the_first_element_is_counted() {
    let file = "<?xml <Point><altitudeMode>x</altitu>\n</Document>\nn=\"1.0\" -8\"?>\n<kml>\n<Document>\n</Document>\n</kml>\n";
    let recovered = testkit::assert_agrees::<Kml>("kml", file.as_bytes()).unwrap();
    assert!(!recovered.windows(4).any(|text| text == b"-8\"?"));
}

#[test]
fn bad_places_of_a_placemark_are_left_out_and_counted() {
    let file = KML.replace("3.1,45.1 3.2,45.2", "3.1,45.1 3.2;45.2").replace("3.1 45.1 5", "3.1 x 5");
    let (recovered, lost) = recover(file.as_bytes());
    assert!(
        recovered.contains("<LineString><coordinates>3.1,45.1</coordinates></LineString>"),
        "{recovered}"
    );
    assert!(
        recovered.contains("<when>2010-05-28T02:02:35Z</when><gx:coord>3.2 45.2 6</gx:coord>"),
        "{recovered}"
    );
    assert_eq!(recovered.len() as u64 + lost, file.len() as u64);
}

#[test]
fn lists_of_a_track_that_do_not_match_are_completed() {
    let one = "<when>2010-05-28T02:02:35Z</when>";
    let (recovered, _) = recover(KML.replace(one, "").as_bytes());
    assert!(recovered.contains("<when>2010-05-28T02:02:09Z</when><when/>"), "{recovered}");
    let (recovered, lost) = recover(KML.replace(one, &one.repeat(3)).as_bytes());
    assert_eq!((recovered.as_str(), lost), (KML, 2 * one.len() as u64));
}

#[test]
fn polygons_are_told_as_areas() {
    let ring = "<LinearRing><coordinates>1,2 3,4 5,6 1,2</coordinates></LinearRing>";
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><Polygon><outerBoundaryIs>{ring}</outerBoundaryIs></Polygon></Placemark></kml>"
    );
    let summary = survey(&mut StreamReader::new(file.as_bytes()).unwrap()).unwrap();
    let found: Vec<_> = summary.findings.iter().map(|f| (f.code, f.message.as_str())).collect();
    assert_eq!(found, [("areas", "1 polygons with 1 rings are areas: they make no samples")]);
    assert!(summary.is_ok() && summary.channels.is_empty());
}

/// A hole of zeros anywhere is damage.
#[test]
fn a_hole_of_zeros_is_damage() {
    for fixture in testkit::fixtures("kml", "kml").into_iter().filter(|f| f.bytes.len() < 4096) {
        let is_sound =
            testkit::deliveries::<Kml>(&fixture.bytes).is_some_and(|found| found.faults.is_empty());
        for at in (0..fixture.bytes.len().saturating_sub(16)).step_by(7).filter(|_| is_sound) {
            for len in [1, 16] {
                let mut holed = fixture.bytes.clone();
                holed[at..at + len].fill(0);
                let name = format!("{} {len} at {at}", fixture.name);
                if testkit::assert_agrees::<Kml>(&name, &holed).is_some() {
                    assert!(!testkit::deliveries::<Kml>(&holed).unwrap().faults.is_empty(), "{name}");
                }
            }
        }
    }
}
