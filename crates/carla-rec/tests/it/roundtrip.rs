//! Copies are unchanged, and written recordings read back.

use std::{collections::BTreeMap, fs, io::Cursor, path::PathBuf};

use carla_rec::{
    ActorKind, CarlaRec, Clock, Frame, FrameIndex, Frames, Header, Limits, NewActor, Payload, Reader,
    Recorder, Release, Scene, StreamReader, Timestamp, World, Writer,
    layout::{BoundingBox, Deletion, Door, Parenting, TrafficLightTimes},
};
use robolog_core::{Event, format::Copier as _, survey};

/// All real recordings, and those made from the reference's code.
fn real() -> Vec<(String, Vec<u8>)> {
    let Some(dir) = testkit::data_dir("carla-rec") else { return Vec::new() };
    let files = |dir: PathBuf| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let paths = files(dir.clone()).chain(files(dir.join("synthetic")));
    let recordings = paths.filter(|path| path.extension().is_some_and(|e| e == "log" || e == "rec"));
    let mut recordings: Vec<_> = recordings.collect();
    recordings.sort();
    recordings
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect()
}

fn conforms(file: &[u8]) -> bool {
    StreamReader::new(file).is_ok_and(|mut reader| survey(&mut reader).unwrap().is_ok())
}

/// Sound files: fixtures, and real ones if present.
fn undamaged() -> Vec<(String, Vec<u8>)> {
    let fixtures = testkit::fixtures("carla-rec", "log").into_iter().map(|f| (f.name, f.bytes));
    let sound: Vec<_> = fixtures.chain(real()).filter(|(_, file)| conforms(file)).collect();
    assert!(sound.len() >= 26, "only {}", sound.len());
    sound
}

#[test]
fn copies_of_sound_files_are_the_files() {
    for (name, file) in undamaged() {
        testkit::assert_copies::<CarlaRec>(&name, &file);
    }
}

#[test]
fn streams_of_real_recordings_are_their_slices() {
    let mut agreements = 0;
    let real = real();
    let limits = [Limits::default(), Limits::default().with_record(1 << 12)];
    // The limits in turn.
    for (file, limits) in testkit::one_in(3, real.iter().flat_map(|(_, file)| limits.map(|one| (file, one))))
    {
        agreements += testkit::assert_slice_is_stream::<CarlaRec>(file, limits);
    }
    println!("{agreements} streams equal to their slices");
}

/// Every packet, encoded from its decoded values, gives the same bytes.
#[test]
fn packets_written_from_their_values_are_the_packets() {
    let mut packets = BTreeMap::<&str, u64>::new();
    for (name, file) in undamaged() {
        let reader = Reader::new(&file).unwrap();
        let mut writer = Writer::new(Vec::new(), reader.header()).unwrap();
        for record in reader.records() {
            let record = record.unwrap();
            let at = writer.position();
            assert_eq!(at, record.offset(), "{name}");
            writer.write_payload(record.id(), &record.decode().unwrap()).unwrap();
            assert_eq!(
                writer.position() - at,
                record.bytes().len() as u64,
                "{name}: packet {} at {at:#x}",
                record.id()
            );
            *packets.entry(record.kind().name()).or_default() += 1;
        }
        let written = writer.finish().unwrap();
        let first = written.iter().zip(&file).position(|(a, b)| a != b);
        assert!(written == file, "{name}: the first byte that differs: {first:?}");
    }
    println!("{packets:?}");
    assert_eq!(packets.len(), 26, "each kind but the counter of frames: {packets:?}");
}

/// Copies the frames for which `keep` returns true, past damage; returns the errors too.
fn rewrite(file: &[u8], mut keep: impl FnMut(Option<Timestamp>) -> bool) -> (Vec<u8>, Vec<String>) {
    let mut reader = StreamReader::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = carla_rec::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    let mut errors = Vec::new();
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                let copied = out.copy(&record, &mut |channel, time| {
                    assert_eq!(channel, "frames");
                    keep(time)
                });
                errors.extend(copied.err().map(|e| e.to_string()));
            }
            Event::Damage { error, .. } => errors.push(error.to_string()),
            Event::End => {
                errors.extend(out.unfinished().map(|e| e.to_string()));
                return (out.finish().unwrap().into_inner(), errors);
            }
        }
    }
}

/// The world in a form that can be compared: numbers as text, as NaN differs from itself.
fn shown(world: &World) -> [String; 6] {
    // Actors that exist already appear in the first frame of a copy; actors that are gone never do.
    let actors: Vec<_> = world
        .actors
        .values()
        .map(|a| {
            let mut a = a.clone();
            a.created = carla_rec::Moment::default();
            a
        })
        .collect();
    [
        format!("{:?}", world.frame),
        format!("{actors:#?}"),
        format!("{:?}", world.scene_lights),
        format!("{:?}", world.traffic_light_times),
        format!("{:?}", world.doors),
        format!("{:?}", world.weather),
    ]
}

fn assert_same_world(name: &str, got: &World, want: &World) {
    let parts = ["frame", "actors", "scene lights", "traffic light times", "doors", "weather"];
    for ((part, got), want) in parts.iter().zip(shown(got)).zip(shown(want)) {
        assert_eq!(got, want, "{name}: {part}");
    }
}

/// Cuts `len` frames from the one with this index on, and compares them with the original.
fn assert_cut(name: &str, file: &[u8], from: usize, len: usize) {
    let name = &format!("{name}, {len} frames from {from}");
    let original = Reader::new(file).unwrap();
    let index = FrameIndex::scan(&original).unwrap();
    let entries = &index.entries()[from..from + len];
    let time = |entry: &carla_rec::FrameEntry| original.header().time(entry.elapsed).unwrap();
    let (first, last) = (time(&entries[0]), time(&entries[len - 1]));
    let (cut, errors) = rewrite(file, |t| t.unwrap() >= first && t.unwrap() <= last);
    assert!(errors.is_empty(), "{name}: {errors:?}");
    assert!(conforms(&cut), "{name}");

    let copy = Reader::new(&cut).unwrap();
    let frames: Vec<Frame<'_, '_>> = Frames::new(&copy).collect::<Result<_, _>>().unwrap();
    assert_eq!(frames.len(), len, "{name}");
    for (i, (frame, entry)) in frames.iter().zip(entries).enumerate() {
        let theirs = Frames::from_entry(&original, entry).next().unwrap().unwrap();
        assert_eq!(frame.start(), theirs.start(), "{name}");
        if i > 0 || from == 0 {
            assert!(frame.bytes() == theirs.bytes(), "{name}: frame {}", entry.frame);
        } else {
            assert_first(name, frame, &theirs);
        }
    }
    let cut_index = FrameIndex::scan(&copy).unwrap();
    for (mine, theirs) in cut_index.entries().iter().zip(entries) {
        let worlds = [cut_index.world(&copy, mine).unwrap(), index.world(&original, theirs).unwrap()];
        assert_same_world(name, &worlds[0], &worlds[1]);
    }
    // Records that appear once for a vehicle are still there.
    let scenes = [Scene::read(&copy).unwrap(), Scene::read(&original).unwrap()];
    for actor in scenes[0].actors() {
        let physics = scenes.each_ref().map(|s| s.physics(actor.id).unwrap().map(|p| p.bytes));
        let in_cut = entries.iter().any(|e| e.frame >= actor.created.frame);
        assert!(!in_cut || physics[0] == physics[1], "{name}: physics of {}", actor.id);
    }
}

/// The first kept frame has all its packets, some with records before their own.
fn assert_first(name: &str, frame: &Frame<'_, '_>, theirs: &Frame<'_, '_>) {
    let mut packets = frame.packets().map(Result::unwrap);
    for wanted in theirs.packets().map(Result::unwrap) {
        let found = packets.by_ref().find(|p| p.id() == wanted.id());
        let found = found.unwrap_or_else(|| panic!("{name}: packet {} is not in its place", wanted.id()));
        let carries = matches!(wanted.id(), 2..=4 | 11 | 13 | 15..=17 | 21..=24);
        if carries {
            let records = |body: &'_ [u8]| body.get(2..).unwrap_or_default().to_vec();
            assert!(records(found.body()).ends_with(&records(wanted.body())), "{name}: {}", wanted.id());
        } else {
            assert_eq!(found.bytes(), wanted.bytes(), "{name}: packet {}", wanted.id());
        }
    }
    assert_eq!(packets.count(), 0, "{name}: packets behind the end");
}

#[test]
fn a_cut_is_a_recording_that_begins_where_the_original_stood() {
    let mut cuts = 0;
    for (name, file) in undamaged() {
        let count = Frames::new(&Reader::new(&file).unwrap()).count();
        // Every range of small files, some of large ones.
        let step = 1.max(count / 5);
        for from in (0..count).step_by(step) {
            for len in (1..=count - from).step_by(step).take(if count > 20 { 1 } else { 10 }) {
                assert_cut(&name, &file, from, len);
                cuts += 1;
            }
        }
    }
    println!("{cuts} cuts");
    assert!(cuts > 200, "{cuts}");
}

/// Records of an actor are not applied to another with its id, nor to one that is gone.
#[test]
fn what_was_said_of_another_actor_is_not_carried() {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_16);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    let add = |recorder: &mut Recorder<Vec<u8>>, id: u32, name: &str| {
        recorder.add(&NewActor::new(id, ActorKind::VEHICLE, name)).unwrap();
    };
    recorder.begin_frame(0.0).unwrap();
    add(&mut recorder, 1, "first");
    add(&mut recorder, 2, "second");
    recorder.parent(Parenting { child: 1, parent: 2 }).unwrap();
    // For one that does not exist yet.
    recorder.parent(Parenting { child: 3, parent: 2 }).unwrap();
    for id in 1..=3 {
        recorder.bounding_box(BoundingBox { id, ..BoundingBox::default() }).unwrap();
        recorder.trigger_volume(BoundingBox { id, ..BoundingBox::default() }).unwrap();
        recorder.traffic_light_times(TrafficLightTimes { id, ..TrafficLightTimes::default() }).unwrap();
        recorder.door(Door { id, door: 1, open: true }).unwrap();
    }
    recorder.begin_frame(1.0).unwrap();
    add(&mut recorder, 1, "first again");
    add(&mut recorder, 3, "third");
    recorder.begin_frame(2.0).unwrap();
    recorder.delete(Deletion { id: 2 }).unwrap();
    recorder.begin_frame(3.0).unwrap();
    recorder.begin_frame(4.0).unwrap();
    add(&mut recorder, 2, "second again");
    recorder.begin_frame(5.0).unwrap();
    let file = recorder.finish().unwrap();
    for from in 0..6 {
        for len in 1..=6 - from {
            assert_cut("actors come and go", &file, from, len);
        }
    }
}

/// Frames are kept without their unreadable packets; whole frames are kept unchanged.
#[test]
fn what_is_recovered_of_damaged_files_is_sound() {
    let mut recovered = 0;
    for fixture in testkit::fixtures("carla-rec", "log") {
        let name = &fixture.name;
        if conforms(&fixture.bytes) || StreamReader::new(&fixture.bytes[..]).is_err() {
            continue;
        }
        let (out, errors) = rewrite(&fixture.bytes, |_| true);
        assert!(!errors.is_empty(), "{name}");
        let summary = survey(&mut StreamReader::new(&out[..]).unwrap()).unwrap();
        assert!(summary.is_ok(), "{name}: {:?}", summary.findings);
        testkit::assert_copies::<CarlaRec>(name, &out);

        let reader = Reader::new(&out).unwrap();
        let frames: Vec<_> = Frames::new(&reader).map(Result::unwrap).collect();
        let whole = whole_frames(&fixture.bytes);
        let kept = frames.iter().filter(|frame| whole.contains(&frame.bytes().to_vec())).count();
        assert_eq!(kept, whole.len(), "{name}: whole frames are lost");
        let truth = fs::read(fixture.path.with_extension("truth.json")).unwrap();
        let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
        assert_eq!(truth["frames"], whole.len(), "{name}");
        // A frame that is not whole has lost packets, or its end.
        let begun = starts(&fixture.bytes);
        assert_eq!(frames.len(), begun, "{name}");
        recovered += 1;
    }
    assert!(recovered >= 13, "only {recovered}");
}

/// Number of frames that begin.
fn starts(file: &[u8]) -> usize {
    let mut reader = StreamReader::new(file).unwrap();
    let mut starts = 0;
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => starts += usize::from(record.id() == 0),
            Event::Damage { .. } => {}
            Event::End => return starts,
        }
    }
}

/// Whatever the damage, recovery keeps the samples that can be read, and accounts for every byte.
#[test]
fn what_is_recovered_has_the_samples_of_the_damaged_file() {
    let mut files = 0;
    for fixture in testkit::fixtures("carla-rec", "log") {
        files += usize::from(testkit::assert_agrees::<CarlaRec>(&fixture.name, &fixture.bytes).is_some());
    }
    for (name, file) in real() {
        files += usize::from(testkit::assert_agrees::<CarlaRec>(&name, &file).is_some());
    }
    assert!(files >= 35, "only {files}");
    for name in ["one_frame", "v0_9_6"] {
        let file = testkit::fixture(&format!("carla-rec/{name}.log"));
        let check = &mut |file: &[u8]| drop(testkit::assert_agrees::<CarlaRec>(name, file));
        let mut check = testkit::thinned(check);
        testkit::cuts(&file).for_each(&mut check);
        testkit::splices(&file, 300, 7, &mut check);
    }
}

/// A copy begins with the bytes of the header: a change of the header would be lost.
#[test]
fn a_changed_header_is_refused_by_a_copy() {
    let file = testkit::fixture("carla-rec/v0_9_15.log");
    let reader = Reader::new(&file).unwrap();
    let begin = |change: &dyn Fn(&mut Header)| {
        let mut header = reader.header().clone();
        change(&mut header);
        carla_rec::Copier::new(Cursor::new(Vec::new()), &header, reader.header_bytes()).map(drop)
    };
    assert!(begin(&|_| {}).is_ok());
    // The dialect is not in the header's bytes.
    assert!(begin(&|header| header.dialect = carla_rec::Dialect::of(Release::V0_9_16)).is_ok());
    assert!(begin(&|header| header.date += 1).is_err());
    assert!(begin(&|header| header.map = b"Town99".to_vec()).is_err());
    assert_eq!(begin(&|header| header.version += 1).unwrap_err().offset(), 0);
}

/// A truncated recording is reported, unless it ends between frames: then the last frame has a duration.
#[test]
fn fewer_samples_are_not_passed_over_in_silence() {
    let file = testkit::fixture("carla-rec/v0_9_12_wheel48.log");
    let whole = testkit::deliveries::<CarlaRec>(&file).unwrap().samples.len();
    let mut silent = 0;
    for cut in testkit::cuts(&file) {
        let Some(samples) = testkit::deliveries::<CarlaRec>(cut) else { continue };
        let summary = survey(&mut StreamReader::new(cut).unwrap()).unwrap();
        assert_eq!(summary.is_ok(), samples.faults.is_empty(), "{} bytes: {:?}", cut.len(), summary.findings);
        if samples.faults.is_empty() && samples.samples.len() < whole {
            let is_told = summary.findings.iter().any(|f| f.code == "last-duration");
            assert!(is_told || summary.records == 0, "{} bytes", cut.len());
            silent += 1;
        }
    }
    assert_eq!(silent, 4, "the ends of the header and of three frames");
}

/// Records of more actors than a packet can count are split among several packets.
#[test]
fn a_cut_behind_a_crowd_keeps_the_crowd() {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_15);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    for frame in 0..2_u32 {
        recorder.begin_frame(f64::from(frame)).unwrap();
        for id in 0..40_000 {
            recorder.add(&NewActor::new(frame * 40_000 + id, ActorKind::WALKER, "w")).unwrap();
        }
    }
    recorder.begin_frame(2.0).unwrap();
    let file = recorder.finish().unwrap();
    assert_cut("a crowd", &file, 2, 1);
}

/// Bytes of frames whose packets can all be read, past damage.
fn whole_frames(file: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = StreamReader::new(file).unwrap();
    let (mut frames, mut open) = (Vec::new(), None::<Vec<u8>>);
    loop {
        match reader.next_event().unwrap() {
            Event::Record(record) => {
                if record.id() == 0 {
                    open = Some(Vec::new());
                }
                let is_good = match record.decode() {
                    Ok(Payload::EventAdd(additions)) => additions.into_iter().all(|a| a.is_ok()),
                    decoded => decoded.is_ok(),
                };
                match &mut open {
                    Some(bytes) if is_good => bytes.extend_from_slice(record.bytes()),
                    _ => open = None,
                }
                if record.id() == 1 {
                    frames.extend(open.take());
                }
            }
            Event::Damage { .. } => open = None,
            Event::End => return frames,
        }
    }
}

/// Two parts can be read alone: records of actors that still exist are in the second too, and bytes left out of the
/// first are still counted.
#[test]
fn the_second_part_of_a_recording_has_its_actors() {
    let file = testkit::fixture("carla-rec/v0_9_15.log");
    let reader = Reader::new(&file).unwrap();
    // The first packet of additions lacks its last four bytes.
    let mut records: Vec<Vec<u8>> = reader.records().map(|record| record.unwrap().bytes().to_vec()).collect();
    let added = records.iter_mut().find(|bytes| bytes[0] == 2).unwrap();
    added.truncate(added.len() - 4);
    let size = u32::try_from(added.len() - 5).unwrap();
    added[1..5].copy_from_slice(&size.to_le_bytes());
    let damaged = [reader.header_bytes(), &records.concat()[..]].concat();

    let mut reader = StreamReader::new(&damaged[..]).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let header = reader.header().clone();
    let out = || Cursor::new(Vec::new());
    let mut rewriter = carla_rec::Copier::new(out(), &header, &header_bytes).unwrap();
    let (mut parts, mut frames) = (Vec::new(), 0);
    while let Ok(Some(record)) = reader.next_record() {
        if record.id() == 0 {
            frames += 1;
            if frames == 3 {
                assert!(rewriter.can_part(&record));
                let left_out = rewriter.left_out();
                assert!(left_out > 0);
                let (first, next) = rewriter.part(out(), &header_bytes).unwrap();
                parts.push(first.into_inner());
                assert_eq!(next.left_out(), left_out, "what was lost stays lost");
                rewriter = next;
            }
        }
        let _ = rewriter.copy(&record, &mut |_, _| true);
    }
    parts.push(rewriter.finish().unwrap().into_inner());
    for part in &parts {
        let summary = survey(&mut StreamReader::new(&part[..]).unwrap()).unwrap();
        let unknown: Vec<_> =
            summary.findings.iter().filter(|finding| finding.code == "unknown-actor").collect();
        let lost = "Position packet speaks of actor 31, which is not there";
        assert!(unknown.len() == 1 && unknown[0].message == lost, "the one that was lost: {unknown:?}");
    }
}

/// Frames of a recording that began ten seconds later come ten seconds later.
#[test]
fn a_recording_that_follows_another_goes_on_with_its_clock() {
    let file = testkit::fixture("carla-rec/v0_9_15.log");
    let times = |file: &[u8]| -> Vec<f64> {
        Frames::new(&Reader::new(file).unwrap()).map(|frame| frame.unwrap().start().elapsed).collect()
    };
    let reader = Reader::new(&file).unwrap();
    let mut rewriter =
        carla_rec::Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes()).unwrap();
    for later in [0, 10] {
        let mut header = reader.header().clone();
        header.date += later;
        rewriter.follow(&[], &header, &[]).unwrap();
        for record in reader.records() {
            rewriter.copy(&record.unwrap(), &mut |_, _| true).unwrap();
        }
    }
    let joined = rewriter.finish().unwrap().into_inner();
    let once = times(&file);
    let twice: Vec<f64> = once.iter().copied().chain(once.iter().map(|elapsed| elapsed + 10.0)).collect();
    assert_eq!(times(&joined), twice);

    let mut elsewhere = reader.header().clone();
    elsewhere.map = b"Town99".to_vec();
    let mut rewriter =
        carla_rec::Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes()).unwrap();
    assert!(rewriter.follow(&[], &elsewhere, &[]).is_err());
    let mut newer = reader.header().clone();
    newer.version += 1;
    assert!(rewriter.follow(&[], &newer, &[]).is_err());
}

/// The first frame of a part introduces its actors, and may be the last in which they exist.
#[test]
fn what_goes_in_the_first_frame_of_a_part_is_not_in_the_next() {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_16);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    recorder.begin_frame(0.0).unwrap();
    recorder.add(&NewActor::new(1, ActorKind::VEHICLE, "first")).unwrap();
    recorder.bounding_box(BoundingBox { id: 1, ..BoundingBox::default() }).unwrap();
    recorder.begin_frame(1.0).unwrap();
    recorder.delete(Deletion { id: 1 }).unwrap();
    recorder.begin_frame(2.0).unwrap();
    let file = recorder.finish().unwrap();

    let reader = Reader::new(&file).unwrap();
    let out = || Cursor::new(Vec::new());
    let mut rewriter = carla_rec::Copier::new(out(), reader.header(), reader.header_bytes()).unwrap();
    let mut parts = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        if record.id() == 0 && record.offset() > reader.header_bytes().len() as u64 {
            let (part, next) = rewriter.part(out(), reader.header_bytes()).unwrap();
            parts.push(part.into_inner());
            rewriter = next;
        }
        rewriter.copy(&record, &mut |_, _| true).unwrap();
    }
    parts.push(rewriter.finish().unwrap().into_inner());
    let boxes = |part: &[u8]| {
        let reader = Reader::new(part).unwrap();
        let boxes = reader.records().map(Result::unwrap).filter(|packet| packet.id() == 13);
        boxes.map(|packet| u16::from_le_bytes(packet.bytes()[5..7].try_into().unwrap())).sum::<u16>()
    };
    assert_eq!(parts.iter().map(|part| boxes(part)).collect::<Vec<_>>(), [1, 1, 0]);
}
