//! A flipped bit in the counts of packets 10 to 24 changes values, or is damage: no row goes missing in silence.

use std::{collections::BTreeMap, io::Cursor};

use carla_rec::{Copier, Decoder, Error, Options, Reader, StreamReader};
use robolog_core::{
    Event,
    format::{Copier as _, Decoder as _},
    survey,
};

/// Whether the survey calls a file sound, and the number of rows by table.
fn surveyed(file: &[u8]) -> (bool, BTreeMap<String, u64>) {
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    let mut rows = BTreeMap::new();
    for channel in &summary.channels {
        let table = channel.name.rsplit('/').next().unwrap().to_owned();
        *rows.entry(table).or_default() += channel.records;
    }
    (summary.is_ok(), rows)
}

/// The same from samples.
fn sampled(file: &[u8]) -> (bool, BTreeMap<String, u64>) {
    let mut reader = StreamReader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), Options::default());
    let (mut is_sound, mut rows) = (true, BTreeMap::new());
    let mut count = |sample: &mut carla_rec::Sample| {
        let table = sample.channel.rsplit('/').next().unwrap().to_owned();
        *rows.entry(table).or_default() += 1;
        Ok::<(), Error>(())
    };
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => is_sound &= decoder.samples(&record, &mut count).is_ok(),
            Event::Damage { .. } => is_sound = false,
            Event::End => break,
        }
    }
    is_sound &= decoder.last_samples(&mut count).is_ok();
    (is_sound, rows)
}

/// Whether everything is copied, and the copy.
fn recovered(file: &[u8]) -> (bool, Vec<u8>) {
    let mut reader = StreamReader::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    let mut is_whole = true;
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => is_whole &= copy.copy(&record, &mut |_, _| true).is_ok(),
            Event::Damage { .. } => is_whole = false,
            Event::End => break,
        }
    }
    (is_whole && copy.unfinished().is_none(), copy.finish().unwrap().into_inner())
}

/// Places of the counts of packets 10 to 24: of records, and after an actor's id.
fn counts(file: &[u8]) -> Vec<usize> {
    let reader = Reader::new(file).unwrap();
    let records = reader.records().map(Result::unwrap);
    let bodies = records.filter(|record| (10..=24).contains(&record.id()) && record.body().len() > 2);
    let places = bodies.flat_map(|record| [0, 1, 6, 7].map(|at| record.body_offset() as usize + at));
    places.filter(|at| *at < file.len()).collect()
}

#[test]
fn a_flipped_count_is_damage_or_changes_no_count() {
    let (mut flips, mut damages) = (0, 0);
    for fixture in testkit::fixtures("carla-rec", "log") {
        let (name, mut file) = (fixture.name, fixture.bytes);
        if StreamReader::new(&file[..]).is_err() || file.len() > 6_000 || !surveyed(&file).0 {
            continue;
        }
        let (_, sound) = surveyed(&file);
        for (n, at) in counts(&file).into_iter().enumerate() {
            for bit in [n % 3, 3 + n % 5] {
                file[at] ^= 1 << bit;
                let ((is_sound, rows), (is_sampled, samples)) = (surveyed(&file), sampled(&file));
                let (is_whole, copy) = recovered(&file);
                let what = format!("{name}: bit {bit} at {at:#x}");
                assert_eq!((is_sound, is_sound), (is_sampled, is_whole), "{what}");
                if is_sound {
                    assert_eq!((&rows, &samples), (&sound, &sound), "{what}");
                    assert!(copy == file, "{what}");
                } else {
                    assert!(surveyed(&copy).0, "{what}: the copy is sound");
                    damages += 1;
                }
                flips += 1;
                file[at] ^= 1 << bit;
            }
        }
    }
    println!("{flips} flips, {damages} of them damage");
    assert!(flips > 2_000 && damages > 700, "{flips}, {damages}");
}

/// The first packet of wheels is damaged: only the second shows that it is one of wheels, and by then the first is
/// written or was to be.
#[test]
fn a_packet_before_its_meaning_is_known_turns_out_to_be_damaged() {
    let mut file = testkit::fixture("carla-rec/v0_9_15.log");
    let reader = Reader::new(&file).unwrap();
    let mut frames = 0;
    let mut wheels = Vec::new();
    for record in reader.records().map(Result::unwrap) {
        frames += usize::from(record.id() == 0);
        // No bikers, which would show it too.
        if record.id() == 21 || record.id() == 22 {
            wheels.push((record.id(), frames, record.body_offset() as usize));
        }
    }
    for (id, _, at) in &wheels {
        if *id == 22 {
            file[*at - 5] = 222;
        } else if *at == wheels[0].2 {
            file[*at] ^= 1;
        }
    }
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    let errors: Vec<_> = summary.findings.iter().filter(|found| found.code == "damaged").collect();
    assert_eq!((errors.len(), errors[0].offset), (1, wheels[0].2 as u64 - 5), "{:?}", summary.findings);
    assert!(!sampled(&file).0);
    // By itself it is unknown.
    let faults = |dialect: Option<carla_rec::Dialect>| {
        let mut reader = Reader::new(&file).unwrap();
        reader.header_mut().dialect = dialect.unwrap_or(reader.header().dialect);
        reader.records().filter(|record| record.as_ref().unwrap().decode().is_err()).count()
    };
    let learned = carla_rec::learn(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    assert_eq!((faults(None), faults(Some(learned))), (0, 1));
    let (is_whole, copy) = recovered(&file);
    assert!(!is_whole && surveyed(&copy).0);
    assert_eq!(copy.len(), file.len() - 121, "without the packet");

    // Nothing shows what they are: a note.
    for (id, _, at) in wheels.iter().filter(|(id, _, _)| *id == 21) {
        assert_eq!(*id, 21);
        file[*at] = 2;
    }
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    assert!(summary.is_ok());
    let notes: Vec<_> = summary.findings.iter().map(|found| found.message.as_str()).collect();
    let wanted = [
        "packets 222 are user packets; their bytes are kept",
        "packets 21 fit none of the known kinds; their bytes are kept",
    ];
    assert!(wanted.iter().all(|wanted| notes.contains(wanted)), "{notes:?}");
    assert!(recovered(&file) == (true, file.clone()));
}
