//! Names, routes and extensions, by hand.

use robolog_core::{Cell, Feature, Value};
use robolog_gpx::{Gpx, Options};

use crate::support::{fix, info, samples};

const FILE: &str = "<gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:x=\"urn:x\">
<wpt lat=\"46\" lon=\"8\"><ele>2450</ele><time>2020-01-01T00:00:00Z</time><name>Hut &amp; spring</name><cmt>12.0</cmt><desc><![CDATA[<b>]]></desc>
<link href=\"https://example.org/?a=1&amp;b\"><text>t</text></link><sym>Lodge</sym><type>T</type><sat>7</sat>
<extensions><x:WaypointExtension><x:Depth>2.5</x:Depth><x:PhoneNumber>0041</x:PhoneNumber></x:WaypointExtension></extensions></wpt>
<rte><name>first</name><number>3</number><type>tour</type>
<rtept lat=\"46\" lon=\"8\"><name>A</name><sym>Dot</sym></rtept><rtept lat=\"46.5\" lon=\"8\"/><rtept lat=\"47\" lon=\"8.5\"><name>B</name></rtept></rte>
<rte><name>timed</name><rtept lat=\"46\" lon=\"8\"><time>2020-01-01T00:00:00Z</time></rtept></rte>
<rte><rtept lat=\"46\" lon=\"8\"/><rtept lat=\"47\" lon=\"8\"><name>C</name></rtept></rte>
<trk><name>Ride</name><desc>d</desc><link href=\"u\"/><number>2</number><type>cycling</type><extensions><x:TrackExtension><x:DisplayColor>Red</x:DisplayColor></x:TrackExtension></extensions>
<trkseg><trkpt lat=\"46\" lon=\"8\"><time>2020-01-01T00:00:01Z</time><extensions><power>200</power><x:TrackPointExtension><x:hr>70</x:hr><x:cad>80</x:cad><x:atemp>20.5</x:atemp><x:speed>2</x:speed></x:TrackPointExtension></extensions></trkpt>
<trkpt lat=\"46\" lon=\"8\"><time>2020-01-01T00:00:02Z</time><extensions><power>201</power><x:TrackPointExtension><x:hr>71</x:hr><x:cad>81</x:cad><x:atemp>21</x:atemp></x:TrackPointExtension></extensions></trkpt>
<trkpt lat=\"46\" lon=\"8\"><name>5066</name></trkpt></trkseg><trkseg><trkpt lat=\"46\" lon=\"8\"/></trkseg></trk>
<trk><trkseg><trkpt lat=\"46\" lon=\"8\"/></trkseg></trk></gpx>
";

fn features() -> Vec<(String, Feature)> {
    let of = |sample: robolog_core::Sample| match sample.value {
        Value::Feature(feature) => Some((sample.channel.to_string(), *feature)),
        _ => None,
    };
    samples(FILE.as_bytes(), Options::default()).into_iter().filter_map(of).collect()
}

fn cells(feature: &Feature) -> Vec<(String, Cell)> {
    let row = feature.properties.as_ref().map_or(Vec::new(), |row| row.iter().collect());
    row.into_iter().map(|(field, cell)| (field.name.to_string(), cell.clone())).collect()
}

#[test]
fn a_waypoint_has_all_it_says() {
    let (channel, hut) = features().remove(0);
    assert_eq!((channel.as_str(), hut.geometry.to_string()), ("waypoints", "POINT Z (8 46 2450)".into()));
    let texts = [&hut.name, &hut.description, &hut.symbol, &hut.kind, &hut.link].map(Option::as_deref);
    let want = ["Hut & spring", "<b>", "Lodge", "T", "https://example.org/?a=1&b"];
    assert_eq!(texts, want.map(Some));
    let want: [(&str, Cell); 5] = [
        ("comment", "12.0".into()),
        ("link_text", "t".into()),
        ("depth", 2.5.into()),
        ("phone_number", "0041".into()),
        ("satellites", 7_i64.into()),
    ];
    assert_eq!(cells(&hut), want.map(|(name, cell)| (name.to_owned(), cell)));
}

#[test]
fn routes_without_times_are_lines_and_named_points() {
    let all = features();
    let found: Vec<_> = all
        .iter()
        .skip(1)
        .map(|(channel, feature)| (&**channel, feature.name.as_deref(), feature.geometry.to_string()))
        .collect();
    let want = [
        ("routes", Some("first"), "LINESTRING (8 46, 8 46.5, 8.5 47)"),
        ("route points", Some("A"), "POINT (8 46)"),
        ("route points", Some("B"), "POINT (8.5 47)"),
        ("routes", None, "LINESTRING (8 46, 8 47)"),
        ("route points", Some("C"), "POINT (8 47)"),
    ];
    assert_eq!(found, want.map(|(channel, name, shape)| (channel, name, shape.to_owned())));
    assert_eq!(cells(&all[1].1), [("number".to_owned(), Cell::Int(3))]);
    let places = |n: usize| cells(&all[n].1).into_iter().map(|(_, cell)| cell).collect::<Vec<_>>();
    assert_eq!((places(3), places(5)), (vec![Cell::Int(0), Cell::Int(2)], vec![Cell::Int(1), Cell::Int(1)]));
}

#[test]
fn extensions_come_with_their_fixes_and_names_with_their_tracks() {
    let all = samples(FILE.as_bytes(), Options::default());
    let of = |channel: &str| all.iter().filter(|s| &*s.channel == channel).cloned().collect::<Vec<_>>();
    let track = of("track1/segment1");
    let rows: Vec<_> = track.iter().map(|sample| fix(sample).measured.clone().unwrap()).collect();
    let columns: Vec<_> = rows[0].fields.iter().map(|field| (&*field.name, field.unit.as_deref())).collect();
    let want = [
        ("power", Some("W")),
        ("heart_rate", Some("bpm")),
        ("cadence", Some("rpm")),
        ("temperature", Some("degC")),
    ];
    assert_eq!(columns, want);
    assert_eq!(rows[1].cells, [201.0, 71.0, 81.0, 21.0].map(Cell::Float));
    assert!(std::sync::Arc::ptr_eq(&rows[0].fields, &rows[1].fields), "one list of columns for a track");
    assert_eq!((fix(&track[0]).speed, rows[2].get("name")), (Some(2.0), Some(&Cell::Text("5066".into()))));
    let attributes: Vec<_> = track[0].attributes.iter().collect();
    let want = [
        ("name", "Ride"),
        ("description", "d"),
        ("type", "cycling"),
        ("number", "2"),
        ("link", "u"),
        ("display_color", "Red"),
    ];
    assert_eq!(attributes, want);
    assert_eq!(of("track1/segment2")[0].attributes, track[0].attributes);
    assert!(
        of("track2/segment1")[0].attributes.is_empty() && fix(&of("track2/segment1")[0]).measured.is_none()
    );
    assert_eq!(of("route2")[0].attributes.get("name"), Some("timed"));
    testkit::assert_agrees::<Gpx>("features", FILE.as_bytes());
    let summary = info(FILE.as_bytes());
    let channel = summary.channels.iter().find(|channel| channel.name == "track1/segment1").unwrap();
    assert_eq!(channel.attributes.get("type"), Some("cycling"));
    assert!(channel.columns.iter().any(|column| column.name == "heart_rate") && summary.findings.is_empty());
}
