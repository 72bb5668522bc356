//! Sinks of fixes, checked against files written by hand and the samples read.

#![cfg(all(feature = "to-geojson", feature = "to-gpx", feature = "to-kml"))]

use std::io::Cursor;

use robolog_convert::{
    Error, Feed, Input, Outcome, Report, Sink, convert,
    sink::{
        GeoJsonFixes,
        geojson::GeoJson,
        gpx::Gpx,
        kml::{Kml, Kmz},
    },
};
use robolog_core::{Clock, FixQuality, GnssFix, Pose, Sample, Timestamp, Value, format::Decoder as _};
use robolog_gpx as gpx;
use robolog_kml::{self as kml, Geometry};
use robolog_sinks::spool::Spools;

use Outcome::{LeftOut, Written};

/// 2024-09-17 15:47:55.25 UTC.
const T: i64 = 1_726_588_075_250_000_000;

fn sample(channel: &str, time: Option<Timestamp>, value: Value) -> Sample {
    Sample::new(channel, value).with_time(time).with_frame("gnss")
}

fn at(latitude: f64, longitude: f64) -> GnssFix {
    GnssFix { latitude, longitude, ..GnssFix::default() }
}

/// Two fixes of one channel with one of another between them, and unsupported samples.
fn samples() -> [Sample; 6] {
    let unix = |nanos| Some(Timestamp::new(nanos, Clock::Unix));
    let full = GnssFix {
        altitude: Some(460.5),
        altitude_msl: Some(411.25),
        quality: FixQuality::RtkFixed,
        satellites: Some(8),
        hdop: Some(0.98),
        vdop: Some(1.5),
        pdop: Some(1.75),
        speed: Some(2.5),
        course: Some(std::f64::consts::FRAC_PI_2),
        age_of_corrections_s: Some(1.5),
        station_id: Some(7),
        ..at(45.76, 3.11)
    };
    let device = Some(Timestamp::new(7, Clock::Device));
    [
        sample("a<b>", unix(T), Value::GnssFix(full)),
        sample("pose", unix(T), Value::Pose(Pose::identity())),
        sample("c", device, Value::GnssFix(GnssFix { hdop: Some(f64::NAN), ..at(-1.5, 180.0) })),
        sample("a<b>", unix(T), Value::GnssFix(at(f64::NAN, 3.0))),
        sample("a<b>", unix(T), Value::GnssFix(at(3.0, 180.5))),
        sample(
            "a<b>",
            unix(T + 750_000_000),
            Value::GnssFix(GnssFix { altitude_msl: Some(-2.0), ..at(45.77, 3.12) }),
        ),
    ]
}

fn put(sink: &mut dyn Sink) {
    let took = samples().map(|mut sample| sink.write(&mut sample).unwrap());
    assert_eq!(took, [Written, LeftOut, Written, LeftOut, LeftOut, Written]);
}

#[test]
fn gpx_has_a_track_for_each_channel() {
    let mut sink = Gpx::new(Vec::new());
    put(&mut sink);
    let text = String::from_utf8(sink.into_inner().unwrap()).unwrap();
    assert_eq!(
        text,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="robolog" xmlns="http://www.topografix.com/GPX/1/1">
  <trk>
    <name>a&lt;b&gt;</name>
    <trkseg>
      <trkpt lat="45.76" lon="3.11">
        <ele>411.25</ele>
        <time>2024-09-17T15:47:55.25Z</time>
        <geoidheight>49.25</geoidheight>
        <fix>dgps</fix>
        <sat>8</sat>
        <hdop>0.98</hdop>
        <vdop>1.5</vdop>
        <pdop>1.75</pdop>
        <ageofdgpsdata>1.5</ageofdgpsdata>
        <dgpsid>7</dgpsid>
        <extensions><course xmlns="http://www.topografix.com/GPX/1/0">90</course><speed xmlns="http://www.topografix.com/GPX/1/0">2.5</speed><gpxtpx:TrackPointExtension xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <gpxtpx:speed>2.5</gpxtpx:speed>
          <gpxtpx:course>90</gpxtpx:course>
        </gpxtpx:TrackPointExtension></extensions>
      </trkpt>
      <trkpt lat="45.77" lon="3.12">
        <ele>-2</ele>
        <time>2024-09-17T15:47:56Z</time>
      </trkpt>
    </trkseg>
  </trk>
  <trk>
    <name>c</name>
    <trkseg>
      <trkpt lat="-1.5" lon="-180"/>
    </trkseg>
  </trk>
</gpx>
"#
    );
}

const KML: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
  <Document>
    <Schema id="measured">
      <gx:SimpleArrayField name="quality" type="string">
        <displayName>quality</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="satellites" type="float">
        <displayName>satellites</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="hdop" type="float">
        <displayName>hdop</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="vdop" type="float">
        <displayName>vdop</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="pdop" type="float">
        <displayName>pdop</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="speed" type="float">
        <displayName>speed (m/s)</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="course" type="float">
        <displayName>course (deg)</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="age_of_corrections" type="float">
        <displayName>age of corrections (s)</displayName>
      </gx:SimpleArrayField>
      <gx:SimpleArrayField name="station_id" type="float">
        <displayName>station id</displayName>
      </gx:SimpleArrayField>
    </Schema>
    <Placemark>
      <name>a&lt;b&gt;</name>
      <gx:Track>
        <altitudeMode>absolute</altitudeMode>
        <when>2024-09-17T15:47:55.25Z</when>
        <when>2024-09-17T15:47:56Z</when>
        <gx:coord>3.11 45.76 411.25</gx:coord>
        <gx:coord>3.12 45.77 -2</gx:coord>
        <ExtendedData><SchemaData schemaUrl="#measured"><gx:SimpleArrayData name="quality"><gx:value>rtk_fixed</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="satellites"><gx:value>8</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="hdop"><gx:value>0.98</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="vdop"><gx:value>1.5</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="pdop"><gx:value>1.75</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="speed"><gx:value>2.5</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="course"><gx:value>90</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="age_of_corrections"><gx:value>1.5</gx:value><gx:value/></gx:SimpleArrayData><gx:SimpleArrayData name="station_id"><gx:value>7</gx:value><gx:value/></gx:SimpleArrayData></SchemaData></ExtendedData>
      </gx:Track>
    </Placemark>
    <Placemark>
      <name>c</name>
      <Point>
        <altitudeMode>clampToGround</altitudeMode>
        <coordinates>180,-1.5</coordinates>
      </Point>
    </Placemark>
  </Document>
</kml>
"##;

#[test]
fn kml_has_a_track_for_each_channel() {
    let mut sink = Kml::new(Vec::new());
    put(&mut sink);
    assert_eq!(String::from_utf8(sink.into_inner().unwrap()).unwrap(), KML);
}

#[test]
fn kmz_holds_the_same_and_is_the_same_each_time() {
    let archive = || {
        let mut sink = Kmz::new(Cursor::new(Vec::new()));
        put(&mut sink);
        sink.into_inner().unwrap()
    };
    let first = archive();
    assert_eq!(kml::read_kmz(first.clone(), 1 << 20).unwrap(), KML.as_bytes());
    // No date but the zero of the format: 1980-01-01.
    assert_eq!(first.get_ref()[10..14], [0, 0, 0x21, 0]);
    assert_eq!(first, archive());
}

#[test]
fn geojson_has_a_point_for_each_fix() {
    let mut sink = GeoJson::of(Vec::new(), GeoJsonFixes::Points, Spools::default());
    put(&mut sink);
    let text = String::from_utf8(sink.into_inner().unwrap()).unwrap();
    let want = [
        r#"{"type":"FeatureCollection","features":["#,
        concat!(
            r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[3.11,45.76,460.5]},"#,
            r#""properties":{"channel":"a<b>","time":"2024-09-17T15:47:55.250000000Z","#,
            r#""time_ns":1726588075250000000,"clock":"unix","altitude_msl_m":411.25,"quality":"rtk_fixed","#,
            r#""satellites":8,"hdop":0.98,"vdop":1.5,"pdop":1.75,"speed_m_s":2.5,"#,
            r#""course_deg":90.0,"age_of_corrections_s":1.5,"station_id":7}},"#
        ),
        concat!(
            r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[180.0,-1.5]},"#,
            r#""properties":{"channel":"c","time_ns":7,"clock":"device"}},"#
        ),
        concat!(
            r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[3.12,45.77]},"#,
            r#""properties":{"channel":"a<b>","time":"2024-09-17T15:47:56.000000000Z","#,
            r#""time_ns":1726588076000000000,"clock":"unix","altitude_msl_m":-2.0}}"#
        ),
        "]}\n",
    ];
    assert_eq!(text, want.join("\n"));
    let empty = GeoJson::new(Vec::new()).into_inner().unwrap();
    let empty: serde_json::Value = serde_json::from_slice(&empty).unwrap();
    assert_eq!(empty, serde_json::json!({"type": "FeatureCollection", "features": []}));
}

#[test]
fn positions_without_a_fix_are_no_points_of_a_map() {
    let sinks: [Box<dyn Sink>; 3] =
        [Box::new(Gpx::new(Vec::new())), Box::new(Kml::new(Vec::new())), Box::new(GeoJson::new(Vec::new()))];
    for mut sink in sinks {
        let mut put = |quality| {
            let fix = GnssFix { quality, ..at(45.0, 3.0) };
            sink.write(&mut sample("a", None, Value::GnssFix(fix))).unwrap()
        };
        assert_eq!(
            [FixQuality::None, FixQuality::Unknown, FixQuality::Gps].map(&mut put),
            [LeftOut, Written, Written]
        );
        assert_eq!(sink.advice(), Some(robolog_convert::Advice::KeepNoFix));
        sink.finish().unwrap();
    }
}

#[test]
fn long_tracks_of_kml_are_in_pieces_of_bounded_size() {
    let n = 70_000_u32;
    for clock in [Clock::Unix, Clock::Relative] {
        let mut sink = Kml::new(Vec::new());
        for i in 0..n {
            let time = Some(Timestamp::new(T + i64::from(i), clock));
            let value = Value::GnssFix(at(f64::from(i) / 1000.0, 1.0));
            assert_eq!(sink.write(&mut sample("a", time, value)).unwrap(), Written);
        }
        let (document, error) = kml::read(&sink.into_inner().unwrap());
        assert!(error.is_none());
        let latitudes: Vec<Vec<f64>> = document
            .placemarks
            .iter()
            .map(|placemark| match placemark.geometry.as_ref().unwrap() {
                Geometry::Track(track) => {
                    assert!(clock == Clock::Unix && track.is_matched());
                    track.points().map(|(_, place)| place.latitude).collect()
                }
                Geometry::LineString(line) => {
                    assert_eq!(clock, Clock::Relative);
                    line.coordinates.iter().map(|place| place.latitude).collect()
                }
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(latitudes.iter().map(Vec::len).collect::<Vec<_>>(), [65_536, 70_000 - 65_536]);
        assert!(latitudes.concat().into_iter().eq((0..n).map(|i| f64::from(i) / 1000.0)));
    }
}

fn run(bytes: &[u8], sink: &mut dyn Sink) -> robolog_convert::Result<Report> {
    let input = Input::new("memory", Box::new(Cursor::new(bytes.to_vec())))?;
    convert(vec![Feed::new(input)], sink, &mut |_| {})
}

/// Positions from a GPX reader, by track and segment.
fn read_gpx(file: &[u8]) -> Vec<Sample> {
    let reader = gpx::Reader::new(file).unwrap();
    let mut decoder = gpx::Decoder::new(reader.header(), gpx::Options::default());
    let mut all = Vec::new();
    for record in reader.records() {
        let sink = &mut |sample: &mut Sample| {
            all.push(sample.clone());
            Ok(())
        };
        decoder.samples::<robolog_core::Error>(&record.unwrap(), sink).unwrap();
    }
    all
}

fn fixes(samples: &[Sample]) -> Vec<(Option<Timestamp>, GnssFix)> {
    let fix = |sample: &Sample| match &sample.value {
        Value::GnssFix(fix) => Some((sample.time, fix.clone())),
        _ => None,
    };
    samples.iter().filter_map(fix).collect()
}

/// Keeps the samples for a sink.
#[derive(Default)]
struct Kept(Vec<Sample>);

impl Sink for Kept {
    fn write(&mut self, sample: &mut Sample) -> robolog_convert::Result<Outcome> {
        self.0.push(sample.clone());
        Ok(Written)
    }

    fn finish(self: Box<Self>) -> robolog_convert::Result<()> {
        Ok(())
    }
}

#[test]
fn sentences_are_read_back_from_gpx() {
    let mut sink = Gpx::new(Vec::new());
    let report = run(&testkit::fixture("nmea/ipds.nmea"), &mut sink).unwrap();
    assert_eq!((report.written["gnss_fix"].samples, report.left_out["satellites"].samples), (3, 1));
    let read = fixes(&read_gpx(&sink.into_inner().unwrap()));
    let sum = |number: fn(&GnssFix) -> f64| read.iter().map(|(_, fix)| number(fix)).sum::<f64>();
    // As counted by the script of the fixture.
    assert_eq!(read.len(), 3);
    assert!((sum(|fix| fix.latitude) - 137.280_473_167).abs() < 1e-8);
    assert!((sum(|fix| fix.longitude) - 9.329_781_167).abs() < 1e-8);
    assert!((sum(|fix| fix.altitude.unwrap()) - 1381.9).abs() < 1e-6);
    // The log has no date.
    assert!(read.iter().all(|(time, fix)| time.is_none()
        && (fix.quality, fix.satellites) == (FixQuality::Dgps, Some(8))));
}

#[test]
fn real_logs_are_read_back() {
    let Some(dir) = testkit::data_dir("effibox/nmea") else { return };
    let (mut files, mut points, mut timed) = (0, 0, 0);
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|ext| ext == "log" || ext == "nmea") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let (mut kept, mut sink, mut tracks, mut json) = (
            Kept::default(),
            Gpx::new(Vec::new()),
            Kml::new(Vec::new()),
            GeoJson::of(Vec::new(), GeoJsonFixes::Points, Spools::default()),
        );
        if run(&bytes, &mut kept).is_err() {
            continue;
        }
        let want: Vec<_> = fixes(&kept.0)
            .into_iter()
            .filter(|(_, fix)| fix.latitude.abs() <= 90.0 && fix.longitude.abs() <= 180.0)
            .filter(|(_, fix)| fix.quality != FixQuality::None)
            .collect();
        let outcome = run(&bytes, &mut sink);
        if want.is_empty() {
            // Waypoints and routes may be there.
            let is_right = match outcome {
                Ok(counts) => !counts.written.contains_key("gnss_fix"),
                Err(error) => matches!(error, Error::Empty(_)),
            };
            assert!(is_right, "{path:?}");
            continue;
        }
        assert_eq!(outcome.unwrap().written["gnss_fix"].samples, want.len() as u64, "{path:?}");
        let read = fixes(&read_gpx(&sink.into_inner().unwrap()));
        assert_eq!(read.len(), want.len(), "{path:?}");
        for ((time, fix), (want_time, want)) in read.iter().zip(&want) {
            assert_eq!(*time, want_time.filter(|time| time.clock() == Clock::Unix), "{path:?}");
            assert_eq!((fix.latitude, fix.longitude), (want.latitude, want.longitude));
            assert_eq!(fix.altitude_msl, want.altitude_msl.or(want.altitude));
            // Speed and course are in extensions, which the reader keeps uninterpreted.
            let of = |fix: &GnssFix| (fix.satellites, fix.hdop, fix.vdop, fix.pdop);
            assert_eq!(of(fix), of(want));
            timed += usize::from(time.is_some());
        }
        run(&bytes, &mut tracks).unwrap();
        let (document, error) = kml::read(&tracks.into_inner().unwrap());
        assert!(error.is_none(), "{path:?}");
        let places = |geometry: &Geometry| match geometry {
            Geometry::Track(track) => track.points().count(),
            Geometry::LineString(line) | Geometry::Point(line) => line.coordinates.len(),
            other => panic!("{other:?}"),
        };
        let geometries = document.placemarks.iter().filter_map(|placemark| placemark.geometry.as_ref());
        assert_eq!(geometries.map(places).sum::<usize>(), want.len(), "{path:?}");
        run(&bytes, &mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json.into_inner().unwrap()).unwrap();
        assert_eq!(json["features"].as_array().unwrap().len(), want.len());
        files += 1;
        points += want.len();
    }
    println!("{files} logs with {points} fixes, {timed} with unix time, read back");
    assert!(files > 20 && timed > 0);
}

/// Logs of simulated boats that do not name their origin. The origins of MOOS-IvP's missions are known: 43.8253,
/// -70.3304 and, from the mission file beside it, 42.358456, -71.087589.
#[test]
fn origins_of_real_logs_are_found_from_their_positions() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    for (file, latitude, longitude, pairs) in [
        ("moosivp_src/app_ivpcheck_test.alog", 43.8253, -70.3304, 1088),
        ("torn/MOOSLog_16_3_2020_____21_19_06.alog", 43.8253, -70.3304, 69),
        ("logan/sim_MOOSLog_23_9_2019_____15_05_06.alog", 42.358_456, -71.087_589, 595),
    ] {
        let told = robolog_convert::origin(dir.join(file), None).unwrap().unwrap();
        let (place, fit) = (told.place, told.fit.unwrap());
        // Positions have five decimals, about a metre; their mean is more accurate.
        let off = [(place.latitude - latitude).abs(), (place.longitude - longitude).abs()];
        assert!(off.iter().all(|off| *off < 2e-6), "{file}: {place:?}");
        assert!(fit.pairs == pairs && fit.rms < 0.5 && fit.worst < 1.0, "{file}: {fit:?}");
    }
    let without = dir.join("moosivp_src/app_glogview_test.alog");
    assert_eq!(robolog_convert::origin(without, None).unwrap(), None, "it has no latitudes");
}

#[test]
fn poses_have_no_place_on_earth() {
    let mut sink = Gpx::new(Vec::new());
    let error = run(&lvx::doc::recording(), &mut sink).unwrap_err();
    assert_eq!(error.advice(), Some(robolog_convert::Advice::Origin));
}

#[test]
fn a_target_that_fails_is_told_as_such() {
    for fails_at in [0, 20, 100] {
        let mut sink = Gpx::new(testkit::Faulty::new(fails_at));
        put(&mut sink);
        assert!(matches!(sink.into_inner(), Err(Error::Write(_))));
        let mut sink = Kml::new(testkit::Faulty::new(fails_at));
        put(&mut sink);
        assert!(matches!(sink.into_inner(), Err(Error::Write(_))));
    }
}
