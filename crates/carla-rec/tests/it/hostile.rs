//! No input causes a panic, a loop or more memory than the input justifies; a stream gives the same as a slice.

use std::io::Write;

use carla_rec::{
    Axes, CarlaRec, Decoder, Error, FrameIndex, Frames, Limits, Options, Payload, PhysicsControl, Reader,
    Record, Scene, StreamReader, World, query,
};
use robolog_core::{Event, format::Decoder as _, survey};

/// The most heap that one step over an input used, and the step.
struct Worst {
    bytes: usize,
    step: &'static str,
    input: usize,
    /// Bytes of heap allowed for a byte of input.
    factor: usize,
}

impl Worst {
    fn new(factor: usize) -> Self {
        Self { bytes: 0, step: "", input: 0, factor }
    }

    /// Runs `step` and compares its heap with the allowance.
    fn measure(&mut self, step: &'static str, file: &[u8], run: impl FnOnce()) {
        let bytes = usize::try_from(allocation_counter::measure(run).bytes_max).unwrap();
        if bytes > self.bytes {
            (self.bytes, self.step, self.input) = (bytes, step, file.len());
        }
        let allowed = self.factor.saturating_mul(file.len()).saturating_add(1 << 20);
        assert!(bytes <= allowed, "{step}: {bytes} bytes for an input of {}", file.len());
    }
}

/// Reads a whole packet, record by record.
fn drain(record: &Record<'_>) -> usize {
    let Ok(payload) = record.decode() else { return 0 };
    match payload {
        Payload::EventAdd(additions) => additions
            .into_iter()
            .map_while(Result::ok)
            .map(|a| a.attributes.into_iter().count() + usize::from(a.is_hero()))
            .sum(),
        Payload::Position(rows) => rows.iter().count(),
        Payload::Kinematics(rows) => rows.iter().count(),
        Payload::PhysicsControl(physics) => physics
            .into_iter()
            .map(|control| match control {
                PhysicsControl::Vehicle(v) => v.wheels.iter().count() + v.torque_curve.iter().count(),
                PhysicsControl::Unknown(bytes) => bytes.len(),
            })
            .sum(),
        Payload::WalkerBones(walkers) => walkers.into_iter().flat_map(|w| w.bones).count(),
        Payload::AnimVehicleWheels(vehicles) => vehicles.into_iter().flat_map(|v| v.wheels).count(),
        _ => 0,
    }
}

/// Decodes everything, past all damage; every byte after the header must be in one record or one gap.
fn decode_all(file: &[u8], limits: Limits) {
    let Ok(mut reader) = StreamReader::with_limits(file, limits) else { return };
    testkit::assert_covers(&mut reader, file.len(), &mut |record| {
        drain(record);
        Some(record.offset()..record.offset() + record.bytes().len() as u64)
    });
}

fn each_record(file: &[u8], mut visit: impl FnMut(&Record<'_>)) {
    let mut reader = StreamReader::new(file).unwrap();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => visit(&record),
            Event::Damage { .. } => {}
            Event::End => return,
        }
    }
}

fn sample_all(file: &[u8], axes: Axes) {
    let mut options = Options::default();
    options.axes = axes;
    let mut decoder = Decoder::new(StreamReader::new(file).unwrap().header(), options);
    let mut last = 0;
    each_record(file, |record| {
        drop(decoder.samples::<Error>(record, &mut |sample| {
            last = sample.offset;
            Ok(())
        }));
    });
    drop(decoder.last_samples::<Error>(&mut |_| Ok(())));
    assert!(last <= file.len() as u64);
}

fn in_memory(file: &[u8]) {
    let Ok(reader) = Reader::new(file) else { return };
    let frames = Frames::new(&reader).map_while(Result::ok);
    assert!(frames.map(|f| f.packets().count()).sum::<usize>() <= file.len());
    if let Ok(index) = FrameIndex::scan(&reader) {
        let some = index.entries().iter().take(2).chain(index.entries().last());
        for entry in some {
            let _ = index.world(&reader, entry);
            let _ = index.at(entry.elapsed);
            assert!(index.frame(entry.frame).is_some());
        }
    }
    if let Ok(scene) = Scene::read(&reader) {
        for actor in scene.actors().iter().take(2) {
            let _ = scene.track(actor.id);
            let _ = scene.physics(actor.id);
        }
        for entry in scene.frames().iter().take(2) {
            let _ = scene.states(entry);
        }
        let _ = (scene.hero(), scene.collisions().len());
    }
}

/// Counts written bytes and discards them.
struct Sink(usize);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn ask(file: &[u8], corrected: bool) {
    let open = || StreamReader::new(file).unwrap();
    let options = query::Options::default().with_all(true).with_corrected(corrected);
    let options = options.with_wording(query::Wording::V0_9_16);
    let ignore = &mut |_: Error, _| {};
    query::info(&mut open(), options, Sink(0), ignore).unwrap();
    query::collisions(&mut open(), ['a', 'a'], options, Sink(0), ignore).unwrap();
    query::blocked(&mut open(), 0.1, 100.0, options, Sink(0), ignore).unwrap();
}

fn survive(file: &[u8], worst: &mut Worst) {
    worst.measure("decode", file, || decode_all(file, Limits::default()));
    if StreamReader::new(file).is_err() {
        return;
    }
    worst.measure("survey", file, || {
        let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
        assert_eq!(summary.bytes, file.len() as u64);
    });
    worst.measure("sample", file, || sample_all(file, Axes::Ros));
    worst.measure("world", file, || {
        let mut world = World::default();
        each_record(file, |record| drop(world.apply(record)));
    });
    worst.measure("scene", file, || in_memory(file));
    worst.measure("query", file, || ask(file, file.len().is_multiple_of(2)));
}

/// Fixtures of fewer than 8000 bytes.
fn small() -> impl Iterator<Item = testkit::Fixture> {
    testkit::fixtures("carla-rec", "log").into_iter().filter(|fixture| fixture.bytes.len() < 8000)
}

#[test]
fn no_input_does_harm() {
    let mut inputs = 0;
    let mut worst = Worst::new(16);
    // All kinds of damage to two small files, and some to all others.
    for name in ["v0_9_4", "one_frame"] {
        let file = testkit::fixture(&format!("carla-rec/{name}.log"));
        inputs += testkit::campaign(&file, file.len() as u64, &mut |file| survive(file, &mut worst));
    }
    for fixture in testkit::one_in(7, small()) {
        let (file, seed) = (&fixture.bytes, fixture.bytes.len() as u64);
        let mut visit = |file: &[u8]| {
            inputs += 1;
            survive(file, &mut worst);
        };
        testkit::cuts(file).step_by(29).for_each(&mut visit);
        testkit::splices(file, 300, seed, &mut visit);
        let mut n = 0;
        testkit::flips(file, file.len(), &mut |file| {
            n += 1;
            if n % 67 == 0 {
                visit(file);
            }
        });
    }
    println!("{inputs} inputs");
    println!("most heap: {} bytes by {} for an input of {}", worst.bytes, worst.step, worst.input);
    assert!(inputs > testkit::left_of(50_000));
}

/// A sample of the cut and changed inputs, with the records written out.
#[test]
fn streams_are_slices_of_damaged_inputs() {
    let mut agreements = 0;
    let limits = Limits::default().with_record(300);
    for fixture in testkit::one_in(8, small()) {
        let file = &fixture.bytes;
        for cut in testkit::cuts(file).step_by(97) {
            agreements += testkit::assert_slice_is_stream::<CarlaRec>(cut, Limits::default());
            agreements += testkit::assert_slice_is_stream::<CarlaRec>(cut, limits);
        }
        testkit::splices(file, 20, file.len() as u64 ^ 1, &mut |file| {
            decode_all(file, limits);
            agreements += testkit::assert_slice_is_stream::<CarlaRec>(file, Limits::default());
            agreements += testkit::assert_slice_is_stream::<CarlaRec>(file, limits);
        });
    }
    println!("{agreements} streams equal to their slice");
    assert!(agreements > testkit::bound(600, 10_000));
}

/// Actors with high ids take no more memory than others.
#[test]
fn numbers_are_names() {
    for id in [255, 4_000, (1 << 14) - 1, 1 << 14, u32::MAX] {
        let mut file = testkit::fixture("carla-rec/v0_9_15.log");
        for old in [25_u32, 26, 27, 28] {
            let old = old.to_le_bytes();
            let places: Vec<_> = (0..file.len() - 4).filter(|at| file[*at..*at + 4] == old).collect();
            for at in places {
                file[at..at + 4].copy_from_slice(&id.to_le_bytes());
            }
        }
        let mut worst = Worst::new(16);
        survive(&file, &mut worst);
        println!("actor {id}: at most {} bytes, by {}", worst.bytes, worst.step);
    }
}

/// A packet or a count that claims to be huge costs nothing.
#[test]
fn sizes_are_claims() {
    let file = testkit::fixture("carla-rec/v0_9_12_wheel48.log");
    let reader = Reader::new(&file).unwrap();
    let packets: Vec<_> = reader.records().map(|r| r.unwrap().offset()).collect();
    for at in packets {
        let at = usize::try_from(at).unwrap();
        for (place, claim) in [(1, u32::MAX), (1, 1 << 31), (1, 1 << 28), (1, 1 << 20), (5, u32::MAX)] {
            let mut file = file.clone();
            let place = at + place;
            if place + 4 > file.len() {
                continue;
            }
            file[place..place + 4].copy_from_slice(&claim.to_le_bytes());
            survive(&file, &mut Worst::new(16));
        }
    }
}

/// Frames of only the shortest records, each about another actor: the state of an actor is larger than such a record,
/// but is kept once.
#[test]
fn names_are_kept_once() {
    let rows = |n: u32, row: &dyn Fn(u32) -> Vec<u8>| {
        let count = u16::try_from(n).unwrap().to_le_bytes().to_vec();
        [count, (0..n).flat_map(row).collect()].concat()
    };
    let id = |i: u32| (i * 7).to_le_bytes().to_vec();
    let walkers = rows(60_000, &|i| [id(i), vec![0; 4]].concat());
    let positions = rows(60_000, &|i| [id(i), vec![0; 24]].concat());
    let collisions = rows(60_000, &|i| [id(0), id(i), id(i + 1), vec![0; 2]].concat());
    let actors = rows(20_000, &|i| [id(i), vec![1], vec![0; 32]].concat());
    let attributes = [vec![1, 0], id(1), vec![1], vec![0; 30], vec![255, 255], vec![0; 5 * 65_535]].concat();
    let doors = rows(60_000, &|i| [id(i), vec![1, 1]].concat());
    let links = rows(60_000, &|i| [id(i), id(i + 1)].concat());
    let gone = rows(60_000, &id);
    let all = [
        ("walkers", 9, walkers, 200),
        ("positions", 6, positions, 48),
        ("collisions", 5, collisions, 24),
        ("actors", 2, actors, 64),
        ("attributes", 2, attributes, 48),
        ("doors", 21, doors, 256),
        ("links", 4, links, 12),
        ("deletions", 3, gone, 12),
    ];
    for (name, id, body, factor) in all {
        let mut file = testkit::fixture("carla-rec/header_only.log");
        for frame in 1..=3_u8 {
            let times = [0.0_f64, f64::from(frame)].map(f64::to_le_bytes).concat();
            file.extend([&[0, 24, 0, 0, 0, frame, 0, 0, 0, 0, 0, 0, 0][..], &times].concat());
            file.push(id);
            file.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
            file.extend(&body);
            file.extend([1, 0, 0, 0, 0]);
        }
        let mut worst = Worst::new(factor * 100);
        survive(&file, &mut worst);
        let of_packet = worst.bytes / body.len();
        println!("{name}: {} times the packet, by {}", of_packet, worst.step);
        assert!(of_packet <= factor, "{name}: {of_packet}");
    }
}

/// Actors that never disappear are all held, in 16 times their bytes and a megabyte, even if the file gives little
/// about each.
#[test]
fn a_crowd_takes_sixteen_times_its_bytes() {
    let actor = |id: u32| [&id.to_le_bytes()[..], &[1], &[0; 32]].concat();
    let gone = |id: u32| id.to_le_bytes().to_vec();
    let none = vec![255, 255].into_iter().chain(vec![0; 5 * 65_535]);
    let empty_attributes: Vec<u8> = [&[0; 4][..], &[1], &[0; 30]].concat().into_iter().chain(none).collect();
    let crowd: Vec<Vec<u8>> =
        (0..4).map(|n| (0..60_000).flat_map(|i| actor(n * 60_000 + i)).collect()).collect();
    let leave: Vec<Vec<u8>> =
        (0..4).map(|n| (0..60_000).flat_map(|i| gone(n * 60_000 + i)).collect()).collect();
    let with_id = |id: u8| [vec![id], empty_attributes.get(1..).unwrap().to_vec()].concat();
    let cases = [
        ("stay", crowd.iter().map(|body| (2, 60_000_u16, body.clone())).collect::<Vec<_>>()),
        (
            "leave",
            crowd
                .iter()
                .map(|body| (2, 60_000, body.clone()))
                .chain(leave.into_iter().map(|body| (3, 60_000, body)))
                .collect(),
        ),
        ("attributes", (0..8).map(|id| (2, 1, with_id(id))).collect()),
    ];
    for (name, packets) in cases {
        let mut file = testkit::fixture("carla-rec/header_only.log");
        for (frame, (id, count, body)) in (1_u64..).zip(packets) {
            let times = [-1.0_f64, frame as f64].map(f64::to_le_bytes).concat();
            file.extend([&[0, 24, 0, 0, 0][..], &frame.to_le_bytes(), &times].concat());
            file.push(id);
            file.extend(u32::try_from(body.len() + 2).unwrap().to_le_bytes());
            file.extend(count.to_le_bytes());
            file.extend(&body);
            file.extend([1, 0, 0, 0, 0]);
        }
        let mut worst = Worst::new(16);
        worst.measure(name, &file, || sample_all(&file, Axes::Ros));
        println!("{name}: {} bytes for {}", worst.bytes, file.len());
    }
}
