//! The start of GPX and KML documents, whose elements have any order, is sought in their text. Where it is found, it is
//! that of a survey.

#![cfg(all(feature = "from-gpx", feature = "from-kml"))]

use std::{fmt::Write as _, io::Cursor, sync::Arc};

use robolog_convert::{Input, Settings, start, survey};
use robolog_core::Timestamp;
use testkit::Rng;

fn open(name: &str, bytes: &Arc<[u8]>) -> Input {
    let bytes = Arc::clone(bytes);
    Input::reopening(name, bytes.len() as u64, move || Ok(Cursor::new(Arc::clone(&bytes)))).unwrap()
}

/// The start as it is sought; checked against the survey's.
fn sought(name: &str, document: Vec<u8>) -> Option<Timestamp> {
    let bytes: Arc<[u8]> = document.into();
    // Damage at the beginning may hide the format.
    let found = start(open(name, &bytes), None, &Settings::default()).ok()?;
    if found.is_some() {
        let span = survey(open(name, &bytes), None, &mut |_| {}).unwrap().summary.span;
        assert_eq!(found, span.map(|(start, _)| start), "{}", String::from_utf8_lossy(&bytes));
    }
    found
}

/// A time of the year 2021, seconds after its beginning, as it is written.
fn text(seconds: usize) -> String {
    let [day, hour, minute, second] =
        [seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    format!("2021-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day / 28 % 12 + 1, day % 28 + 1)
}

/// A time that is seldom what it should be.
fn odd(rng: &mut Rng, seconds: usize) -> String {
    match rng.below(900) {
        0 => "1970-01-01T00:00:00Z".into(),
        1 => text(seconds + 86_400 * 30),
        2 => text(seconds).replace('2', "&#50;"),
        3 => "soon".into(),
        4 => String::new(),
        5 => format!("<!-- {} -->{}", text(0), text(seconds)),
        6 => format!("<![CDATA[{}]]>", text(seconds)),
        _ => text(seconds),
    }
}

fn gpx(rng: &mut Rng) -> String {
    let mut out = String::from(
        "<gpx version=\"1.1\" creator=\"daytime\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n",
    );
    let mut at = rng.below(100_000) + 86_400;
    if rng.below(3) == 0 {
        let _ = writeln!(out, "<metadata><time>{}</time></metadata>", text(at + rng.below(4000)));
    }
    for _ in 0..=rng.below(3) {
        out.push_str("<trk><name>lunchtime</name><trkseg>\n");
        for _ in 0..=rng.below(40) {
            at += rng.below(20);
            let time = odd(rng, at);
            let _ = match rng.below(1200) {
                0 => writeln!(out, "<trkpt lat=\"95\" lon=\"8\"><time>{time}</time></trkpt>"),
                1 => {
                    writeln!(out, "<!-- <trkpt lat=\"5\" lon=\"8\"><time>{}</time></trkpt> -->", text(at - 5))
                }
                2 => writeln!(out, "<trkpt lat=\"5\" lon=\"8\"><time zone=\"UTC\">{time}</time></trkpt>"),
                3 => writeln!(
                    out,
                    "<trkpt lat=\"5\" lon=\"8\"><extensions><time>{}</time></extensions></trkpt>",
                    text(at - 5)
                ),
                4 => writeln!(out, "<trkpt lat=\"5\" lon=\"8\"><ele>7</ele><time/></trkpt>"),
                5 => writeln!(
                    out,
                    "<trkpt lat=\"5\" lon=\"8\"><ele>7</ele><timezone>{}</timezone></trkpt>",
                    text(0)
                ),
                _ => writeln!(out, "<trkpt lat=\"5\" lon=\"8\"><ele>7</ele><time>{time}</time></trkpt>"),
            };
        }
        out.push_str("</trkseg></trk>\n");
        at += [0, 600, 4000, 90_000][rng.below(4)];
    }
    out + "</gpx>\n"
}

fn kml(rng: &mut Rng) -> String {
    let mut out = String::from(
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>\n",
    );
    let mut at = rng.below(100_000) + 86_400;
    for _ in 0..=rng.below(60) {
        at += [20, 20, 20, 20, 20, 20, 20, 4000][rng.below(8)];
        let (time, end) = (odd(rng, at), odd(rng, at + 7));
        let point = "<Point><coordinates>8,50,3</coordinates></Point>";
        let _ = match rng.below(16) {
            0 => writeln!(
                out,
                "<Placemark><TimeSpan><begin>{time}</begin><end>{end}</end></TimeSpan>{point}</Placemark>"
            ),
            1 => writeln!(
                out,
                "<Placemark><TimeSpan><end>{}</end></TimeSpan>{point}</Placemark>",
                text(at - 40)
            ),
            2 => writeln!(
                out,
                "<Placemark><LookAt><gx:TimeStamp><when>{end}</when></gx:TimeStamp></LookAt>{point}</Placemark>"
            ),
            3 => writeln!(out, "<Placemark><TimeStamp><when>{time}</when></TimeStamp></Placemark>"),
            4 => writeln!(
                out,
                "<Placemark><gx:Track><when>{time}</when><when>{end}</when><gx:coord>8 50 3</gx:coord>\
                 <gx:coord>8 50 3</gx:coord></gx:Track></Placemark>"
            ),
            5 => writeln!(
                out,
                "<Placemark><name>weekend</name><description>{time}</description>{point}</Placemark>"
            ),
            _ => writeln!(out, "<Placemark><TimeStamp><when>{time}</when></TimeStamp>{point}</Placemark>"),
        };
    }
    out + "</Document></kml>\n"
}

/// Also in damaged documents.
#[test]
fn a_start_that_is_found_in_the_text_is_that_of_a_survey() {
    let mut rng = Rng(1);
    for (name, make) in [("a.gpx", gpx as fn(&mut Rng) -> String), ("a.kml", kml)] {
        let (mut found, mut of_damaged) = (0, 0);
        for _ in 0..1500 {
            let mut document = make(&mut rng).into_bytes();
            found += usize::from(sought(name, document.clone()).is_some());
            for _ in 0..2 {
                let at = rng.below(document.len());
                document[at] = b"<>/\0 t1"[rng.below(7)];
            }
            of_damaged += usize::from(sought(name, document).is_some());
        }
        assert!(found > 300 && found < 1400 && of_damaged > 50, "{name}: {found} {of_damaged}");
    }
}

/// More than a survey of the whole would take if it were found otherwise.
#[test]
fn the_start_of_a_long_document_is_found_in_its_text() {
    for name in ["a.gpx", "a.kml"] {
        let point = |seconds: usize| {
            let time = text(seconds);
            match name {
                "a.gpx" => format!("<wpt lat=\"5\" lon=\"8\"><time>{time}</time></wpt>\n"),
                _ => format!(
                    "<Placemark><TimeStamp><when>{time}</when></TimeStamp><Point><coordinates>8,50</coordinates></Point></Placemark>\n"
                ),
            }
        };
        let (head, tail) = match name {
            "a.gpx" => {
                ("<gpx version=\"1.1\" creator=\"a\" xmlns=\"http://www.topografix.com/GPX/1/1\">", "</gpx>")
            }
            _ => ("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>", "</Document></kml>"),
        };
        // Two days in steps of a minute at most, in more than one part.
        let points = |of: &mut dyn Iterator<Item = usize>| of.map(point).collect::<String>();
        let long = format!("{head}{}{tail}", points(&mut (0..40_000).map(|n| 10 + n * 4)));
        assert!(long.len() > 2 << 20);
        assert_eq!(
            sought(name, long.into()).map(|time| time.to_string()),
            Some("2021-01-01T00:00:10.000000000Z".into())
        );
        // The earliest is in the middle, where only a survey finds it.
        let swapped = format!("{head}{}{tail}", points(&mut (0..1000).map(|n| (n + 500) % 1000)));
        assert_eq!(sought(name, swapped.into()), None);
        // Two journeys, days apart.
        let apart = format!("{head}{}{tail}", points(&mut (0..1000).map(|n| n + n / 500 * 200_000)));
        assert_eq!(sought(name, apart.into()), None);
    }
}
