//! Bounding boxes of tables and data sets, against positions laid by hand and those of the samples.

use std::path::Path;

use crate::tree::{self, GPS, collect};
use effibox::{
    dataset::{Dataset, Options},
    table::{Decoder, Reader, StreamReader},
};
use robolog_core::{FixQuality, Sample, Value, format::Decoder as _, geodetic::Bounds, survey};

/// Latitude and longitude in degrees of the samples with a fix.
fn places(samples: &[Sample]) -> Vec<[f64; 2]> {
    let fixes = samples.iter().filter_map(|sample| match &sample.value {
        Value::GnssFix(fix) if fix.quality != FixQuality::None => Some([fix.latitude, fix.longitude]),
        _ => None,
    });
    let is_on_earth = |[latitude, longitude]: &[f64; 2]| latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    fixes.filter(is_on_earth).filter(|place| *place != [0.0, 0.0]).collect()
}

fn around(samples: &[Sample]) -> Option<[f64; 4]> {
    let places = places(samples);
    let of = |axis: usize, least: fn(f64, f64) -> f64| places.iter().map(|place| place[axis]).reduce(least);
    Some([of(0, f64::min)?, of(1, f64::min)?, of(0, f64::max)?, of(1, f64::max)?])
}

fn corners(extent: Option<Bounds>) -> Option<[f64; 4]> {
    extent.map(|Bounds { south, west, north, east }| [south, west, north, east])
}

/// The box of a table by its survey and by its samples.
fn table(file: &[u8]) -> [Option<[f64; 4]>; 2] {
    const NAME: &str = "x_GGA_all.txt";
    let mut reader = StreamReader::new(file).unwrap();
    reader.header_mut().set_path(NAME);
    let counted = survey(&mut reader).unwrap().details.extent;
    let mut reader = Reader::new(file).unwrap();
    reader.header_mut().set_path(NAME);
    let mut decoder = Decoder::new(reader.header(), effibox::table::Options::default());
    let mut seen = Vec::new();
    for record in reader.records() {
        let _ = decoder.samples::<effibox::Error>(&record.unwrap(), &mut |sample| {
            seen.push(sample.clone());
            Ok(())
        });
    }
    [corners(counted), around(&seen)]
}

#[test]
fn rows_without_a_fix_do_not_widen_the_box() {
    // Columns: Rtime, Lambert and altitude, latitude and longitude in radians, altitude, satellites, time, quality.
    let row = |rtime: u32, latitude: &str, longitude: &str, quality: u8| {
        format!("{rtime} 660168.8 2084722.8 460.6 {latitude} {longitude} 460.6 8 32322 {quality} 0.98 -1\n")
    };
    let none =
        [row(1, "0.5", "0.5", 0), row(2, "0", "0", 1), row(3, "nan", "nan", 1), row(4, "2.5", "0.05", 2)];
    let [counted, sampled] = table(none.concat().as_bytes());
    assert_eq!((counted, sampled), (None, None));
    let fixes =
        [row(5, "0.7853981633974483", "0.05235987755982988", 2), row(6, "0.7957", "-0.0349065850398866", 5)];
    let [counted, sampled] = table([none.concat(), fixes.concat()].concat().as_bytes());
    let counted = counted.unwrap();
    // In radians pi / 4, pi / 60 and -pi / 90.
    assert_eq!(
        counted.map(|degrees| format!("{degrees:.9}")),
        ["45.000000000", "-2.000000000", "45.590251759", "3.000000000"]
    );
    assert_eq!(Some(counted), sampled);
}

#[test]
fn the_box_of_a_data_set_holds_its_tables_tracks_and_sentences() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = tree::files();
    let track = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\
                 <trkpt lat=\"45.5\" lon=\"3.1\"/><trkpt lat=\"44\" lon=\"9\"><fix>none</fix></trkpt>\
                 </trkseg></trk></gpx>";
    let line = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><LineString><coordinates>\
                3.25,45.7,0 3.2,45.75,0</coordinates></LineString></Placemark></kml>";
    let sentences = "$GPGGA,085842.00,4600.00000,N,00300.00000,E,2,08,0.98,411.2,M,49.4,M,,*5B\r\n";
    for (end, text) in [("_GPX.gpx", track), (".txt", sentences)] {
        let path = format!("{GPS}/{GPS}{end}");
        files.iter_mut().find(|(other, _)| *other == path).unwrap().1 = text.into();
    }
    files.push((format!("{GPS}/{GPS}_KML.kml"), line.into()));
    for path in tree::everywhere(dir.path(), &files) {
        let found = Dataset::open(&path).unwrap().survey();
        let [south, west, north, east] = corners(found.details.extent).unwrap();
        assert_eq!(
            (south, west, north, east),
            (45.5, 3.0, 46.0, 3.25),
            "{}: {:?}",
            path.display(),
            found.findings
        );
        let gps = found.details.interfaces.iter().find(|interface| interface.id == GPS).unwrap();
        let own = gps.tables[&format!("{GPS}/{GPS}_GGA_all.txt")].extent.unwrap();
        assert_eq!(format!("{:.8} {:.9}", own.south, own.east), "45.76015767 3.109927167");
    }
}

#[test]
fn boxes_are_those_of_the_samples() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/effibox");
    let mut sets: Vec<_> = ["dataset", "dataset_dated", "dataset_estimated", "dataset_faults", "dataset_odd"]
        .map(|name| fixtures.join(name))
        .into();
    sets.extend(testkit::data_dir("effibox/ipds"));
    for path in sets {
        let dataset = Dataset::open(&path).unwrap();
        let (samples, _) = collect(&dataset, Options::default());
        let counted = corners(dataset.survey().details.extent);
        assert_eq!(counted, around(&samples), "{}", path.display());
        assert_eq!(counted.is_none(), path.ends_with("dataset_estimated"), "{}", path.display());
        for (file, bytes) in tree::read(&path).iter().filter(|(file, _)| file.ends_with("GGA_all.txt")) {
            let [surveyed, read] = table(bytes);
            assert!(surveyed.is_some() && surveyed == read, "{file}: {surveyed:?}, {read:?}");
        }
    }
}
