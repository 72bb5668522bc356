//! Who knows one crate knows all: every format has these names, or this does not compile.

use std::io::Cursor;

use robolog_core::{Event, Recording, Rewriter as _, Sampler as _, Survey as _};

macro_rules! shape {
    ($krate:ident, $format:ident, $file:expr) => {
        #[test]
        fn $krate() -> Result<(), $krate::Error> {
            use $krate::{
                Clock, ErrorKind, Header, Index, Limits, Options, Reader, Record, StreamReader, Timestamp,
            };

            let file: Vec<u8> = $file;
            assert!($krate::detect(&file));
            let reader: Reader<'_> = Reader::new(&file)?;
            let _ = Reader::with_limits(&file, Limits::default())?;
            let header: &Header = reader.header();
            let records: Vec<Record<'_>> = reader.records().collect::<Result<_, _>>()?;
            assert_eq!(reader.raw_records().count(), records.len());
            let index: Index = reader.index()?;
            assert_eq!(index.len(), records.len());
            for (record, entry) in records.iter().zip(index.entries()) {
                let time: Option<Timestamp> = record.time();
                assert_eq!((record.offset(), time), (entry.offset, entry.time));
                assert!(reader.records_from(entry.offset).next().is_some());
            }

            let mut stream: StreamReader<_> = StreamReader::new(&file[..])?;
            let header_bytes = stream.header_bytes().to_vec();
            let mut sampler = $krate::Sampler::new(header, Options::default());
            let mut rewriter = $krate::Rewriter::new(Cursor::new(Vec::new()), header, &header_bytes)?;
            let mut notes = robolog_core::Notes::default();
            let mut survey = $krate::Survey::new(header, &mut notes);
            let mut samples = 0_u64;
            while let Event::Record(record) = stream.next_event()? {
                survey.push(&record, &mut notes);
                rewriter.copy(&record, &mut |_, _| true)?;
                let count = &mut |_: &mut robolog_core::Sample| {
                    samples += 1;
                    Ok::<(), $krate::Error>(())
                };
                sampler.push(&record, count)?;
            }
            assert!(samples > 0);
            let (variant, _details): (String, $krate::Details) = survey.finish(&mut notes);
            assert!(!variant.is_empty());
            assert_eq!(rewriter.finish()?.into_inner(), file);

            let mut writer = $krate::Writer::new(Cursor::new(Vec::new()), header)?;
            for record in &records {
                writer.write(record)?;
            }
            assert_eq!(writer.finish()?.into_inner(), file);
            let refused: $krate::Result<Reader<'_>> = Reader::new(b"of no format at all, surely");
            assert!(refused.is_err_and(|e| matches!(e.kind(), ErrorKind::Magic { .. }) && e.offset() == 0));
            assert!(!<$krate::$format as Recording>::EXTENSIONS.is_empty());
            assert_eq!(Clock::Unix.name(), "unix");
            Ok(())
        }
    };
}

shape!(alog, Alog, testkit::fixture("alog/moosivp.alog"));
shape!(carla_rec, CarlaRec, testkit::fixture("carla-rec/v0_9_15.log"));
shape!(koblenz_log, KoblenzLog, testkit::fixture("koblenz-log/drive.log"));
shape!(lvx, Lvx, testkit::fixture("lvx/room.lvx"));
