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

/// What a damaged end tag makes of the names of folders is the same in the copy.
#[test]
fn folders_behind_damaged_end_tags_are_those_of_the_copy() {
    let place = |name| {
        format!("<Placemark><name>{name}</name><Point><coordinates>3,45</coordinates></Point></Placemark>")
    };
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>D</name><Folder><name>A</name>{}<Folder>\
         <name>B<![CDATA[ & b]]></name>{}</Folder>{}</Folder><Folder><name>C</name>{}</Folder></Document></kml>",
        place(1),
        place(2),
        place(3),
        place(4)
    );
    for at in file.match_indices("</").map(|(at, _)| at) {
        let end = at + file[at..].find('>').unwrap();
        for other in ["</nam>", "</name>", "</Folder>", "</Document>", "</b>", ""] {
            let damaged = format!("{}{other}{}", &file[..at], &file[end + 1..]);
            testkit::assert_agrees::<Kml>(&damaged, damaged.as_bytes());
        }
        testkit::assert_agrees::<Kml>("cut", &file.as_bytes()[..at]);
    }
}

/// A text among numbers that belongs to a lost position makes no difference.
#[test]
fn the_arrays_of_a_track_are_those_of_its_positions() {
    let file = "<kml xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Placemark><gx:Track>\
        <when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:19Z</when>\
        <gx:coord>3.1 45.x 5</gx:coord><gx:coord>3.2 45.2 6</gx:coord>\
        <ExtendedData><SchemaData><gx:SimpleArrayData name=\"power\"><gx:value>none</gx:value><gx:value>200</gx:value>\
        </gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></Placemark></kml>";
    testkit::assert_agrees::<Kml>("arrays", file.as_bytes());
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

/// By hand: a polygon with a hole, not closed, in two folders.
#[test]
fn placemarks_are_features() {
    let ring = |points: &str| format!("<LinearRing><coordinates>{points}</coordinates></LinearRing>");
    let (outer, inner) = (ring("1,2 3,4 5,6"), ring("2,2,0 2,3,0 3,3,0 2,2,0"));
    let file = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Style><IconStyle/></Style><Folder><name>A &amp; <![CDATA[<B>]]></name>\
        <Folder><open>1</open><Folder><name>C</name></Folder><name>D</name>\
        <Placemark id=\"p1\"><name> Field </name><address>Hut 1</address><styleUrl>#s</styleUrl>\
        <Style><IconStyle><Icon><href>flag.png</href></Icon></IconStyle></Style><TimeSpan><begin>2020</begin><end>2021</end></TimeSpan>\
        <ExtendedData><Data name=\"Max Speed (km/h)\"><value>007</value></Data><SchemaData schemaUrl=\"#x\">\
        <SimpleData name=\"depth\">2.5</SimpleData></SchemaData><a:b xmlns:a=\"c\">yes</a:b></ExtendedData>\
        <Polygon><outerBoundaryIs>{outer}</outerBoundaryIs><innerBoundaryIs>{inner}</innerBoundaryIs></Polygon>\
        </Placemark></Folder></Folder></Document></kml>"
    );
    let all = crate::support::samples(file.as_bytes());
    let [sample] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(sample.time.unwrap().to_string(), "2020-01-01T00:00:00.000000000Z");
    let robolog_core::Value::Feature(feature) = &sample.value else { panic!("{sample:?}") };
    assert_eq!(feature.geometry.to_string(), "POLYGON ((1 2, 3 4, 5 6, 1 2), (2 2, 2 3, 3 3, 2 2))");
    assert_eq!((feature.name.as_deref(), feature.symbol.as_deref()), (Some(" Field "), Some("#s")));
    let row = feature.properties.as_ref().unwrap();
    let cells: Vec<_> =
        row.iter().map(|(field, cell)| (&*field.name, field.unit.as_deref(), cell.clone())).collect();
    let want = [
        ("folder", None, "A & <B>/D".into()),
        ("address", None, "Hut 1".into()),
        ("time_span_end", None, 2021.0.into()),
        ("max_speed_km_h", None, "007".into()),
        ("depth", Some("m"), 2.5.into()),
        ("b", None, "yes".into()),
    ];
    assert_eq!(cells, want);
    let summary = survey(&mut StreamReader::new(file.as_bytes()).unwrap()).unwrap();
    assert!(summary.is_ok() && summary.findings.is_empty(), "{:?}", summary.findings);
    assert_eq!((summary.channels[0].name.as_str(), summary.channels[0].kind), ("placemarks", "feature"));
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
