//! Names, areas and measurements of documents, and what is far away.

use crate::page_of;

/// Classes and names of the marks on the first map.
fn marks(html: &str) -> Vec<(String, String)> {
    let mark = |piece: &str| {
        let (class, rest) = piece.split_once('"')?;
        let name = rest.split_once('>')?.1.split_once("</span>")?.0;
        Some((class.to_owned(), name.to_owned()))
    };
    html.split("<span class=\"mk ").skip(1).filter_map(mark).collect()
}

fn gpx(extensions: &str) -> String {
    let point = |n: i32| {
        format!(
            "<trkpt lat=\"{:.6}\" lon=\"8.0\"><ele>{}</ele><time>2024-05-06T08:{:02}:{:02}Z</time><extensions>\
             <gpxtpx:TrackPointExtension>{}</gpxtpx:TrackPointExtension></extensions></trkpt>",
            47.0 + f64::from(n) * 1e-4,
            400 + n,
            n / 60,
            n % 60,
            extensions.replace('#', &n.to_string())
        )
    };
    let points: String = (0..100).map(point).collect();
    format!(
        "<gpx version=\"1.1\" creator=\"a\" xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\">\
         <wpt lat=\"47.002\" lon=\"8.001\"><name>Hut &amp; spring</name></wpt>\
         <wpt lat=\"47.008\" lon=\"8.002\"><name>Pass</name></wpt><wpt lat=\"47.005\" lon=\"8.001\"/>\
         <trk><trkseg>{points}</trkseg></trk></gpx>"
    )
}

#[test]
fn way_points_have_their_names_beside_the_track() {
    let html = page_of("hike.gpx", gpx("").as_bytes()).html;
    let mut places: Vec<_> = marks(&html).into_iter().filter(|(class, _)| class.starts_with('p')).collect();
    places.sort_by(|a, b| a.1.cmp(&b.1));
    let names: Vec<&str> = places.iter().map(|(_, name)| &**name).collect();
    assert_eq!(names, ["", "Hut &amp; spring", "Pass"], "{places:?}");
}

#[test]
fn measurements_of_extensions_have_charts_with_units() {
    let extensions = "<gpxtpx:atemp>2#.5</gpxtpx:atemp><gpxtpx:hr>1#</gpxtpx:hr><gpxtpx:cad>#</gpxtpx:cad>";
    let html = page_of("ride.gpx", gpx(extensions).as_bytes()).html;
    let (_, table) = html.split_once("<summary>All series as a table</summary>").unwrap();
    let row = |name: &str| {
        let (_, row) =
            table.split_once(&format!("<tr><td>{name} </td>")).unwrap_or_else(|| panic!("no {name}"));
        let row = row.split_once("</tr>").unwrap().0;
        let unit = row.split_once("<td>").unwrap().1.split_once("</td>").unwrap().0.to_owned();
        let values =
            row.split("<data value=\"").skip(1).map(|v| v.split_once('"').unwrap().0.parse().unwrap());
        (unit, values.collect::<Vec<f64>>())
    };
    // From 10 to 199, from 0 to 99, from 20.5 to 299.5: the number of the point follows a digit.
    let (unit, values) = row("heart rate");
    assert_eq!((&*unit, values[0], values[2]), ("bpm", 10.0, 199.0));
    let (unit, values) = row("cadence");
    assert_eq!((&*unit, values[0], values[1], values[2]), ("rpm", 0.0, 49.5, 99.0));
    let (unit, values) = row("temperature");
    assert_eq!((&*unit, values[0], values[2]), ("°C", 20.5, 299.5));
    let first = html.split_once("class=\"panel\"><figcaption><b title=\"").unwrap().1;
    assert!(first.starts_with("heart rate\""), "asked for first");
}

#[test]
fn arrays_of_tracks_in_kml_have_charts() {
    let each = |write: &dyn Fn(u32) -> String| (0..30).map(write).collect::<String>();
    let kml = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Placemark><gx:Track>\
         {}{}<ExtendedData><SchemaData schemaUrl=\"#s\"><gx:SimpleArrayData name=\"power\">{}</gx:SimpleArrayData>\
         </SchemaData></ExtendedData></gx:Track></Placemark></kml>",
        each(&|n| format!("<when>2024-05-06T08:00:{n:02}Z</when>")),
        each(&|n| format!("<gx:coord>8.0 47.00{n:02} 400</gx:coord>")),
        each(&|n| format!("<gx:value>{}</gx:value>", 200 + n)),
    );
    let html = page_of("power.kml", kml.as_bytes()).html;
    let (_, row) = html.split_once("<tr><td>power </td><td>W</td><td>30</td>").expect("power in watts");
    let row = row.split_once("</tr>").unwrap().0;
    assert!(row.contains("<data value=\"200\">") && row.contains("<data value=\"229\">"), "{row}");
}

#[test]
fn altitude_and_speed_are_drawn_over_the_distance_too() {
    let html = page_of("hike.gpx", gpx("").as_bytes()).html;
    let (_, profile) = html.split_once("<b>Altitude over distance</b> <small>m</small>").unwrap();
    let profile = profile.split_once("</figure>").unwrap().0;
    // 99 steps of 11.1 m, and 100 m of climb.
    assert!(
        profile.contains("Altitude over distance: from 400 to 499 m") && profile.contains(">1\u{202f}000 m<")
    );
}

#[test]
fn areas_are_drawn_and_named_without_any_track() {
    let area = |name: &str, x: f64| {
        let corners = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1), (0.0, 0.0)];
        let corners = corners.map(|(a, b)| format!("{},{},0", x + a, 47.0 + b)).join(" ");
        format!(
            "<Placemark><name>{name}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>{corners}</coordinates>\
             </LinearRing></outerBoundaryIs></Polygon></Placemark>"
        )
    };
    let kml = format!(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>{}{}</Document></kml>",
        area("Field", 8.0),
        area("Lake", 8.2)
    );
    let html = page_of("areas.kml", kml.as_bytes()).html;
    let (_, plan) = html.split_once("class=\"plan").expect("a map");
    let drawing = plan.split_once("</svg>").unwrap().0;
    let (_, path) = drawing.split_once("stroke=\"#CC79A7\"").unwrap();
    assert_eq!(path.split_once("/>").unwrap().0.matches('M').count(), 2, "two borders");
    let marks = marks(&html);
    let mut names: Vec<&str> =
        marks.iter().filter(|mark| mark.0.starts_with('n')).map(|mark| &*mark.1).collect();
    names.sort_unstable();
    assert_eq!(names, ["Field", "Lake"], "{marks:?}");
}

#[test]
fn one_far_position_does_not_squeeze_the_map() {
    // The origin, and then a track of 60 m at a distance of 5 km.
    let entry = |n: i32| {
        let x = if n == 0 { 0.0 } else { 5000.0 + f64::from(n) };
        format!("{n}.0 NAV_X p {x}\n{n}.0 NAV_Y p {}\n{n}.0 NAV_HEADING p 90\n", x / 2.0)
    };
    let text: String = (0..60).map(entry).collect();
    let html = page_of("far.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let (_, plans) = html.split_once("\"plans\":[{\"x\":[").unwrap();
    let ends: Vec<f64> = plans.split_once(']').unwrap().0.split(',').map(|v| v.parse().unwrap()).collect();
    assert!(ends[0] > 4900.0 && ends[1] < 5200.0, "{ends:?}");
    assert!(html.contains("One distant position is off the map.") && html.contains("class=\"inset\""));
}

#[test]
fn the_grid_counts_from_a_position_that_the_map_shows() {
    // A receiver that first reports its last position, 111 km to the south, and then a track of 58 steps of 11.1 m.
    let point = |n: i32| {
        let latitude = if n == 0 { 46.0 } else { 47.0 + f64::from(n - 1) * 1e-4 };
        format!("<trkpt lat=\"{latitude:.4}\" lon=\"8.5\"><time>2024-05-06T08:00:{n:02}Z</time></trkpt>")
    };
    let points: String = (0..60).map(point).collect();
    let html = page_of(
        "cold.gpx",
        format!("<gpx version=\"1.1\"><trk><trkseg>{points}</trkseg></trk></gpx>").as_bytes(),
    )
    .html;
    assert!(html.contains("Metres east and north of 47°, 8.5°. One distant position is off the map."));
    let (_, plan) = html.split_once("\"plans\":[{").unwrap();
    let (_, north) = plan.split_once("\"y\":[").unwrap();
    let north: Vec<f64> = north.split_once(']').unwrap().0.split(',').map(|v| v.parse().unwrap()).collect();
    assert!(north[0] < 0.0 && north[0] > -60.0 && north[1] > 634.0 && north[1] < 700.0, "{north:?}");
    // The table and the inset still have the first one.
    assert!(html.contains("<td>46°, 8.5°</td>") && html.contains("class=\"inset\""));
}

#[test]
fn segments_of_a_track_share_panels() {
    // Two segments of 20 s with a minute between them, and a track of one.
    let segment = |from: i32, height: i32| {
        let point = |n: i32| {
            let (minute, second) = ((from + n) / 60, (from + n) % 60);
            format!(
                "<trkpt lat=\"47.{:04}\" lon=\"8\"><ele>{}</ele><time>2024-05-06T08:{minute:02}:{second:02}Z</time></trkpt>",
                from + n,
                height + n
            )
        };
        format!("<trkseg>{}</trkseg>", (0..20).map(point).collect::<String>())
    };
    let (first, second, third) = (segment(0, 400), segment(80, 700), segment(100, 50));
    let gpx = format!("<gpx version=\"1.1\"><trk>{first}{second}</trk><trk>{third}</trk></gpx>");
    let html = page_of("parts.gpx", gpx.as_bytes()).html;
    let (_, table) = html.split_once("<summary>All series as a table</summary>").unwrap();
    let (table, _) = table.split_once("</noscript>").unwrap();
    let of = |name: &str| {
        let (_, row) =
            table.split_once(&format!("<tr><td>{name} altitude above sea level </td><td>m</td>")).unwrap();
        let row = row.split_once("</tr>").unwrap().0;
        let ends = row.split("<data value=\"").skip(1).map(|v| v.split_once('"').unwrap().0.to_owned());
        (row.split_once("<td>").unwrap().1.split_once('<').unwrap().0.to_owned(), ends.collect::<Vec<_>>())
    };
    assert_eq!(of("track1"), ("40".into(), ["400", "559.5", "719"].map(String::from).to_vec()));
    assert_eq!(of("track2"), ("20".into(), ["50", "59.5", "69"].map(String::from).to_vec()));
    assert!(!table.contains("segment"), "{table}");
    let (_, panel) =
        html.split_once("aria-label=\"track1 altitude above sea level: from 400 to 719 m\"").unwrap();
    let (_, curve) = panel.split_once("stroke=\"#0072B2\"").unwrap();
    assert_eq!(curve.split_once("/>").unwrap().0.matches('M').count(), 2, "a gap between the segments");
}
