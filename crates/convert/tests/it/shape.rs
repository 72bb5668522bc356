//! All format crates have the same names, or this does not compile.

use std::{
    fs::{self, File},
    io::Cursor,
    path::PathBuf,
};

use effibox::table;
use robolog_core::{
    Result, Summary,
    format::{Copier as _, Decoder as _, KnownLength, NewFile, Recording, SurveyBuilder, Timed},
};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata")).join(name)
}

/// Names of a format crate.
macro_rules! shape {
    ($krate:ident, $format:ident, $fixture:literal) => {
        #[test]
        fn $krate() -> Result<(), $krate::Error> {
            use $krate::{
                Clock, Details, ErrorKind, Event, Feeder, Header, Index, Limits, Options, Reader, Record,
                Sample, Samples, StreamReader, Timestamp,
            };

            let path = fixture($fixture);
            let file = fs::read(&path).unwrap();
            assert!($krate::detect(&file));
            let reader: Reader<'_> = Reader::new(&file)?;
            let _ = Reader::with_limits(&file, Limits::default())?;
            let records: Vec<Record<'_>> = reader.records().collect::<Result<_, _>>()?;
            assert_eq!(reader.raw_records().count(), records.len());
            let index: Index = reader.index()?;
            assert_eq!(index.len(), records.len());
            for (record, entry) in records.iter().zip(index.entries()) {
                let time: Option<Timestamp> = record.time();
                assert_eq!((record.offset(), time), (entry.offset, entry.time));
                assert!(reader.records_from(entry.offset).next().is_some());
            }

            // The first line opens a path.
            let samples: Samples<KnownLength<File>> = $krate::open(&path)?.samples();
            let samples: Vec<Sample> = samples.collect::<Result<_, _>>()?;
            assert!(!samples.is_empty());
            let options = Options::default();
            let again = $krate::open_with(&path, &options)?.samples_with(options);
            assert_eq!(again.count(), samples.len());
            let summary: Summary<Details> = $krate::survey(&path)?;
            assert!(summary.is_ok(), "{:?}", summary.findings);
            assert_eq!(summary.records, records.len() as u64);

            // The same record by record, with the types of each role.
            let mut stream: StreamReader<KnownLength<File>> = $krate::open(&path)?;
            let named = $krate::open(&path)?;
            let header: &Header = named.header();
            let mut decoder = $krate::Decoder::new(header, Options::default());
            let mut rewriter =
                $krate::Copier::new(Cursor::new(Vec::new()), header, stream.header_bytes())?;
            let mut notes = SurveyBuilder::default();
            let mut survey = $krate::Decoder::new(header, Options::default());
            survey.begin(header, &mut notes);
            let mut count = 0;
            let sink = &mut |_: &mut Sample| {
                count += 1;
                Ok::<(), $krate::Error>(())
            };
            while let Event::Record(record) = stream.next_event()? {
                survey.count(&record, &mut notes);
                rewriter.copy(&record, &mut |_, _| true)?;
                decoder.samples(&record, sink)?;
            }
            decoder.last_samples(sink)?;
            assert_eq!(count, samples.len());
            let (variant, _): (String, Details) = survey.counted(&mut notes);
            assert_eq!(variant, summary.variant);
            assert!(rewriter.unfinished().is_none());
            assert_eq!(rewriter.finish()?.into_inner(), file);

            // The same with pushed bytes.
            let mut feeder = Feeder::new();
            feeder.push(&file)?;
            feeder.end();
            let mut fed = 0;
            while let Some(Event::Record(_)) = feeder.next_event()? {
                fed += 1;
            }
            assert_eq!(fed, records.len());

            // A new file, never an existing one.
            let folder = tempfile::tempdir().unwrap();
            let new = folder.path().join("new");
            let writer: $krate::Writer<NewFile> = $krate::Writer::create(&new, header)?;
            drop(writer.finish()?);
            assert!(new.is_file());
            let there = $krate::Writer::create(new, header).map(|_| ()).unwrap_err();
            assert!(matches!(there.kind(), ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::AlreadyExists));
            // Errors of opening and of creating name the file.
            let missing = $krate::open(folder.path().join("missing")).map(|_| ()).unwrap_err();
            assert!(missing.to_string().contains("missing: "), "{missing}");
            assert_eq!(there.path().and_then(|path| path.file_name()), Some("new".as_ref()), "{there}");

            assert!(!<$krate::$format as Recording>::EXTENSIONS.is_empty());
            assert_eq!(Clock::Unix.name(), "unix");
            Ok(())
        }
    };
}

use robolog_capture as capture;
use robolog_gpx as gpx;
use robolog_kml as kml;
use robolog_nmea as nmea;

shape!(alog, Alog, "alog/moosivp.alog");
shape!(capture, Capture, "pcap/velodyne.pcap");
shape!(carla_rec, CarlaRec, "carla-rec/v0_9_15.log");
shape!(gpx, Gpx, "gpx/drive.gpx");
shape!(kml, Kml, "kml/gx_track.kml");
shape!(koblenz_log, KoblenzLog, "koblenz-log/drive.log");
shape!(lvx, Lvx, "lvx/room.lvx");
shape!(nmea, Nmea, "nmea/types.nmea");
shape!(
    table,
    Table,
    "effibox/dataset/Bus_InterfaceGps__dev_ttyACM0/Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt"
);

/// Writers whose records are bytes: a copy equals the file.
macro_rules! writes_records {
    ($name:ident, $krate:ident, $fixture:literal) => {
        #[test]
        fn $name() -> Result<()> {
            let file = fs::read(fixture($fixture)).unwrap();
            let reader = $krate::Reader::new(&file)?;
            let mut writer = $krate::Writer::new(Cursor::new(Vec::new()), reader.header())?;
            for record in reader.records() {
                writer.write(&record?)?;
            }
            assert_eq!(writer.finish()?.into_inner(), file);
            Ok(())
        }
    };
}

writes_records!(alog_writes_records, alog, "alog/moosivp.alog");
writes_records!(carla_rec_writes_records, carla_rec, "carla-rec/v0_9_15.log");
writes_records!(koblenz_log_writes_records, koblenz_log, "koblenz-log/drive.log");
writes_records!(lvx_writes_records, lvx, "lvx/room.lvx");
writes_records!(nmea_writes_records, nmea, "nmea/types.nmea");
writes_records!(
    table_writes_records,
    table,
    "effibox/dataset/Bus_InterfaceCamera_2672909685359666/Bus_InterfaceCamera_2672909685359666.dates"
);

/// A file of another format is refused at its first byte.
#[test]
fn other_files_are_refused() {
    let other = b"of no format at all, surely";
    let refused = |error: robolog_core::Error| {
        assert!(matches!(error.kind(), robolog_core::ErrorKind::Magic { .. }), "{error}");
        assert_eq!(error.offset(), 0);
    };
    refused(alog::Reader::new(other).unwrap_err());
    refused(capture::Reader::new(other).unwrap_err());
    refused(carla_rec::Reader::new(other).unwrap_err());
    refused(gpx::Reader::new(other).unwrap_err());
    refused(kml::Reader::new(other).unwrap_err());
    refused(koblenz_log::Reader::new(other).unwrap_err());
    refused(lvx::Reader::new(other).unwrap_err());
    refused(nmea::Reader::new(other).unwrap_err());
}

/// A data set has many files, and opens like a recording.
#[test]
fn data_set() -> Result<(), effibox::dataset::Fault> {
    let path = fixture("effibox/dataset");
    // Two of its files have a fault, each an error in its place.
    let (samples, faults): (Vec<_>, Vec<_>) = effibox::open(&path)?.samples().partition(Result::is_ok);
    assert_eq!(faults.len(), 2);
    let options = effibox::dataset::Options::default().with_mounts();
    let more = effibox::open(&path)?.samples_with(options).flatten().count();
    assert!(more > samples.len(), "mounts are delivered on demand");
    let mut visited = 0;
    effibox::open(&path)?.visit::<effibox::dataset::Fault>(&options, &mut |event| {
        visited += usize::from(matches!(event, effibox::dataset::Event::Sample(_)));
        Ok(())
    })?;
    assert_eq!(visited, more);
    let summary: Summary<effibox::dataset::Details> = effibox::survey(&path)?;
    assert_eq!(summary.channels.iter().map(|channel| channel.records).sum::<u64>(), visited as u64);
    // Stopping early stops the reading.
    assert!(effibox::open(&path)?.samples().next().is_some_and(|sample| sample.is_ok()));
    Ok(())
}

/// Packets are not a recording: their crate has the names that apply, and parses its enumerations by name.
#[test]
fn velodyne_packet() {
    use koblenz_log::velodyne_packet::{
        self, Axes, Calibration, Decoder, Detector, Error, Limits, Options, Profile, Result,
    };

    let _: fn(&velodyne_packet::Detection, &Calibration, Options) -> Decoder = Decoder::new;
    let (_, _): (Option<Detector>, Limits) = (None, Limits::default());
    let _: Result<()> = Err(Error::truncated(1, 0));
    for profile in Profile::ALL {
        assert_eq!(profile.name().parse(), Ok(profile));
    }
    assert_eq!("sensor".parse(), Ok(Axes::Sensor));
}

/// Every enumeration that users type is parsed by the name that it prints.
#[test]
fn names_are_read_as_they_are_printed() {
    macro_rules! both_ways {
        ($($type:ty),+ $(,)?) => {
            $(for value in <$type>::ALL {
                assert_eq!(value.to_string().parse::<$type>().as_ref(), Ok(&value));
                assert_eq!(value.to_string(), value.name());
            }
            let error = "no such name".parse::<$type>().unwrap_err();
            assert!(error.to_string().contains(<$type>::ALL[0].name()), "{error}");)+
        };
    }
    both_ways!(
        alog::Strictness,
        alog::TimeFrom,
        carla_rec::Axes,
        carla_rec::Release,
        carla_rec::query::Wording,
        gpx::Elevation,
        koblenz_log::AccelerationUnit,
        koblenz_log::Clouds,
        koblenz_log::QuaternionOrder,
        koblenz_log::SizeCounts,
        lvx::ApplyExtrinsics,
        lvx::ExtrinsicUnit,
        robolog_core::Clock,
        table::TableKind,
    );
}

/// Facts about a file that only the caller knows are options, not changes of its header.
#[test]
fn dialects_are_options() -> Result<()> {
    let mut options = carla_rec::Options::default();
    options.dialect = Some(carla_rec::Release::V0_9_16);
    let reader = carla_rec::open_with(fixture("carla-rec/v0_9_15.log"), &options)?;
    assert_eq!(reader.header().dialect, carla_rec::Dialect::of(carla_rec::Release::V0_9_16));

    let mut options = koblenz_log::Options::default();
    options.sizes = Some(koblenz_log::SizeCounts::Payload);
    let reader = koblenz_log::open_with(fixture("koblenz-log/drive.log"), &options)?;
    assert_eq!(reader.header().sizes(), koblenz_log::SizeCounts::Payload);

    // The file name gives the kind of a table without names, and options can override it.
    let path = fixture("effibox/dataset/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Steering.txt");
    assert_eq!(table::open(&path)?.header().kind, table::TableKind::Steering);
    let mut options = table::Options::default();
    options.kind = Some(table::TableKind::Wheels);
    assert_eq!(table::open_with(&path, &options)?.header().kind, table::TableKind::Wheels);
    Ok(())
}

/// `fn main() -> Result<()>` prints a readable error.
#[test]
fn errors_are_printed_as_text() {
    let error = lvx::open(fixture("alog/moosivp.alog")).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(error.to_string().starts_with("not "), "{error}");
}
