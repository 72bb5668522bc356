//! Counts and sums equal those made without this crate: by the script that lays down the fixtures from the numbers it
//! writes, and for real recordings by an independent script.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use carla_rec::{CarlaRec, Frames, Header, Kind, Reader, StreamReader};
use robolog_core::{format::Recording as _, survey};
use serde_json::{Value as Json, json};

use crate::tally::{Got, Tally, counts::Counts};

type Summary = robolog_core::Summary<carla_rec::Details>;

fn surveyed(file: &[u8]) -> Summary {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

/// Numbers by id, with ids as text, as in the files.
fn by_id<V: Clone + Into<Json>>(map: &BTreeMap<u8, V>) -> Json {
    Json::Object(map.iter().map(|(id, value)| (id.to_string(), value.clone().into())).collect())
}

/// Compares keys of a truth file one by one, and remembers which.
struct Compare<'t> {
    name: String,
    truth: &'t Json,
    done: BTreeSet<&'static str>,
}

impl Compare<'_> {
    fn same(&mut self, key: &'static str, got: impl Into<Json>) {
        let Some(want) = self.truth.get(key) else { return };
        assert_eq!(&got.into(), want, "{}: {key}", self.name);
        self.done.insert(key);
    }

    /// For a key that is only sometimes present.
    fn filled(&mut self, key: &'static str, got: Json) {
        let is_empty = got.as_array().map_or_else(|| got.as_object().unwrap().is_empty(), Vec::is_empty);
        assert_eq!(is_empty, self.truth.get(key).is_none(), "{}: {key}", self.name);
        self.same(key, got);
    }

    fn rest(&self, but: &[&str]) {
        let keys = self.truth.as_object().unwrap().keys();
        let left: Vec<_> = keys.filter(|key| !self.done.contains(key.as_str())).collect();
        let left: Vec<_> = left.into_iter().filter(|key| !but.contains(&key.as_str())).collect();
        assert!(left.is_empty(), "{}: not compared: {left:?}", self.name);
    }
}

fn compare_header(compare: &mut Compare<'_>, header: &Header) {
    compare.same("version", header.version);
    compare.same("date_unix", header.date);
    if let Ok(map) = std::str::from_utf8(&header.map) {
        compare.same("map", map);
    } else {
        compare.same("map", Json::Null);
        compare.same("map_bytes", header.map.clone());
    }
}

/// Compares every key of the truth of a fixture; returns their number.
fn compare_fixture(name: &str, file: &[u8], truth: &Json) -> usize {
    let mut compare = Compare { name: name.to_owned(), truth, done: BTreeSet::new() };
    compare.same("bytes", file.len());
    compare.same("file", format!("{name}.log"));
    let reader = Reader::new(file);
    compare.same("header_ok", reader.is_ok());
    let Ok(reader) = reader else {
        StreamReader::new(file).expect_err(name);
        assert_eq!(truth["frames"], 0);
        return compare.done.len();
    };
    compare_header(&mut compare, reader.header());

    let got = Got::read(file);
    let summary = surveyed(file);
    compare.same("complete", summary.complete);
    compare.same("complete", got.damage.is_none());
    compare.same("damage_offset", got.damage);
    compare.same("frames_before_damage", got.ahead.whole_frames);
    compare.same("frames", summary.details.frames);
    if truth["complete"] == true {
        let frames: Vec<_> = Frames::new(&reader).collect::<Result<_, _>>().unwrap();
        compare.same("frames", frames.len());
        assert_eq!(summary.lost_bytes, 0, "{name}");
        assert_eq!(summary.details.packets, got.ahead.packets, "{name}: the survey's packets");
        assert_eq!(summary.details.first_elapsed_s, got.ahead.starts.first().map(|s| s.elapsed), "{name}");
        assert_eq!(summary.details.last_elapsed_s, got.ahead.starts.last().map(|s| s.elapsed), "{name}");
    } else {
        assert!(Frames::new(&reader).filter_map(Result::ok).count() as u64 >= got.ahead.whole_frames);
        compare.same("packets_before_damage", by_id(&got.ahead.packets));
        compare.same("records_before_damage", by_id(&got.ahead.records));
        assert!(!summary.is_ok(), "{name}");
        compare_cut(name, file, truth, &got, &summary);
    }
    if name == "bad_count_add" {
        compare.same("readable_in_damaged", got.readable_actors);
    }

    // The truth counts nothing after damage without an end; the reader continues at whatever looks whole.
    let all = if truth["damage_offset"].is_null() || !truth["resumes_at"].is_null() {
        compare.same("resumes_at", got.resumes);
        compare.same("frames_behind_damage", got.behind.whole_frames);
        let all = got.ahead.merge(got.behind);
        assert_eq!(summary.details.packets, all.packets, "{name}: the survey's packets");
        assert_eq!(summary.details.frames, all.whole_frames, "{name}: the survey's frames");
        all
    } else {
        assert_eq!(got.behind.whole_frames, 0, "{name}: frames that are none");
        got.ahead
    };
    compare_tally(&mut compare, &all);
    let details = &summary.details;
    compare.same("actors", all.records.get(&2).copied().unwrap_or_default());
    compare.same("collisions", all.records.get(&5).copied().unwrap_or_default());
    compare_dialect(&mut compare, &summary, &all);
    if truth["complete"] == true {
        compare.same("actors", details.actors);
        compare.same("collisions", details.collisions);
    }

    let mut episodes: Vec<_> = got.episodes.list().to_vec();
    episodes.sort_by_key(|e| (e.actor1, e.actor2, e.first.frame));
    let episodes: Vec<_> =
        episodes.iter().map(|e| json!([e.actor1, e.actor2, e.first.frame, e.last.frame])).collect();
    if all.records.get(&5).is_some_and(|n| *n > 0) {
        compare.filled("collision_episodes", json!(episodes));
    }
    let parents = |links: &BTreeMap<u32, u32>| json!(links).as_object().cloned().unwrap();
    compare.filled("parents_last", parents(&all.parents).into());
    // Of children that exist.
    let actors = || got.world.departed.iter().chain(got.world.actors.values());
    let known = all.parents.iter().filter(|(child, _)| actors().any(|a| a.id == **child));
    let of_world: BTreeMap<u32, u32> = actors().filter_map(|a| Some((a.id, a.parent?))).collect();
    assert_eq!(
        of_world,
        known.map(|(child, parent)| (*child, *parent)).collect(),
        "{name}: the world's parents"
    );
    // Queries are compared in query.rs; the crate does not deliver parts of a truncated packet.
    let but = ["collision_starts", "stands", "blocked_reference", "readable_in_damaged"];
    let behind = ["resumes_at", "frames_behind_damage"];
    compare.rest(&if truth["resumes_at"].is_null() { [&but[..], &behind].concat() } else { but.to_vec() });
    compare.done.len()
}

fn compare_tally(compare: &mut Compare<'_>, all: &Tally) {
    compare.same("first_elapsed_s", all.starts.first().map(|s| s.elapsed));
    compare.same("last_elapsed_s", all.starts.last().map(|s| s.elapsed));
    compare.same("packets", by_id(&all.packets));
    compare.same("records", by_id(&all.records));
    compare.same("actor_types", by_id(&all.actor_types));
    compare.same("attributes", all.attribute_types.values().sum::<u64>());
    compare.same("attribute_types", by_id(&all.attribute_types));
    compare.same("sums", by_id(&all.sums));
    compare.same("nonfinite", by_id(&all.nonfinite));
    let positions = all.sums.get(&6).map_or(vec![0.0; 3], |sums| sums[1..4].to_vec());
    compare.same("position_sum_cm", positions);
}

fn compare_dialect(compare: &mut Compare<'_>, summary: &Summary, all: &Tally) {
    let details = &summary.details;
    let truth = compare.truth;
    match compare.name.as_str() {
        // The truth does not include the actors before the flaw in their packet.
        "crlf_mangled" => compare.done.extend(["attribute_base", "vector_bits"]),
        // Vectors have both widths.
        "early_ue5" => compare.done.extend(["vector_bits"]),
        _ => compare.same("vector_bits", details.vector_bits),
    }
    if compare.name != "crlf_mangled" {
        compare.same("attribute_base", details.attribute_base);
    }
    let meaning = |kind: Kind| match kind {
        Kind::VehicleDoor => "doors",
        Kind::AnimVehicleWheels => "wheels",
        Kind::AnimBiker => "bikers",
        Kind::Weather => "weather",
        other => other.name(),
    };
    let shifting: BTreeMap<u8, Json> =
        all.shifting.iter().map(|(id, kind)| (*id, json!(kind.map(meaning)))).collect();
    compare.same("shifting", by_id(&shifting));
    for (id, kind) in &all.shifting {
        let name = details.packet_names[id];
        assert!(kind.is_none_or(|kind| name == Some(kind.name())), "{}: packet {id}", compare.name);
    }
    let wheels = |bytes: Option<u16>| bytes.filter(|bytes| *bytes < 100);
    compare.same("physics_wheel_bytes", wheels(all.wheel_bytes.first().copied()));
    compare.same("physics_wheel_bytes", wheels(details.wheel_bytes));
    assert!(all.wheel_bytes.len() <= 1);
    if truth["file"] == "ue5_f64.log" {
        assert_eq!(details.wheel_bytes, Some(208));
    }
}

/// The first finding about damage: its place, and the bytes before it.
fn compare_cut(name: &str, file: &[u8], truth: &Json, got: &Got, summary: &Summary) {
    let before = truth["frames_before_damage"].as_u64().unwrap();
    let damage = got.damage.unwrap();
    let find = |code: &str| summary.findings.iter().find(|f| f.code == code);
    if damage == file.len() as u64 {
        let open = find("frame-open").expect(name);
        assert!(open.message.ends_with(&format!(": {before} whole frames")), "{name}: {}", open.message);
        return;
    }
    if let Some(cut) = find("cut").filter(|cut| cut.offset == damage) {
        assert!(cut.message.starts_with("cut inside packet "), "{name}: {}", cut.message);
        let frames = format!(", {before} whole frames before it");
        assert!(cut.message.ends_with(&frames), "{name}: {}", cut.message);
    } else {
        // The size of the packet is right: nothing is cut, and only the packet is lost.
        let inside = ["bad_count", "bad_count_add", "crlf_mangled"].contains(&name);
        assert!(inside, "{name}: no cut: {:?}", summary.findings);
        assert!(find("damaged").unwrap().offset > damage, "{name}");
    }
}

#[test]
fn fixtures() {
    let mut files = 0;
    for fixture in testkit::fixtures("carla-rec", "log") {
        let truth = fixture.path.with_extension("truth.json");
        let truth: Json = serde_json::from_slice(&fs::read(truth).unwrap()).unwrap();
        let compared = compare_fixture(&fixture.name, &fixture.bytes, &truth);
        assert!(compared >= 3, "{}", fixture.name);
        println!("{}: {compared} keys equal", fixture.name);
        files += 1;
    }
    assert!(files >= 41, "only {files}");
}

/// Keys like `6:Position`, or `21:?` if the script has no name.
fn named(counts: &BTreeMap<u8, u64>) -> Json {
    let name = |id: u8| {
        let names = [
            "FrameStart",
            "FrameEnd",
            "EventAdd",
            "EventDel",
            "EventParent",
            "Collision",
            "Position",
            "State",
            "AnimVehicle",
            "AnimWalker",
            "VehicleLight",
            "SceneLight",
            "Kinematics",
            "BoundingBox",
            "PlatformTime",
            "PhysicsControl",
            "TrafficLightTime",
            "TriggerVolume",
            "FrameCounter",
            "WalkerBones",
            "VisualTime",
        ];
        format!("{id}:{}", names.get(usize::from(id)).copied().unwrap_or("?"))
    };
    Json::Object(counts.iter().map(|(id, n)| (name(*id), json!(n))).collect())
}

fn compare_real(file: &[u8], truth: &Json) -> usize {
    let name = truth["file"].as_str().unwrap().to_owned();
    let reader = Reader::new(file).unwrap();
    let mut compare = Compare { name: name.clone(), truth, done: BTreeSet::new() };
    compare.same("bytes", file.len());
    compare.same("header_bytes", reader.header_bytes().len());
    compare_header(&mut compare, reader.header());
    let summary = surveyed(file);
    let details = &summary.details;
    compare.same("date_utc", details.date.clone());
    compare.same("frames", details.frames);
    compare.same("n_actors_added", details.actors);
    compare.same("n_collisions", details.collisions);
    compare.same("packets", named(&details.packets));
    // They have no oddities, except that those before 0.9.10 have late poses.
    let is_old = !details.packets.contains_key(&10);
    let others = summary.findings.iter().filter(|finding| finding.code != "late-poses").count();
    assert!(summary.is_ok() && others == 0, "{name}: {:?}", summary.findings);
    assert_eq!(details.late_poses, summary.findings.len() > others, "{name}");
    assert!(is_old || !details.late_poses, "{name}: poses since 0.9.10 are those of their frames");
    if name.ends_with("2762.rec") {
        assert!(details.late_poses, "{name}");
    }
    compare.same("anomalies", 0);
    compare.same("truncated", Json::Null);

    let got = Got::read(file);
    assert_eq!((got.damage, got.ahead.whole_frames), (None, details.frames), "{name}");
    let all = got.ahead;
    compare.same("packets", named(&all.packets));
    compare.same("records", named(&all.records));
    compare.same("actor_types", by_id(&all.actor_types));
    compare.same("attr_types", by_id(&all.attribute_types));
    let start = |s: &carla_rec::layout::FrameStart| json!([s.frame, s.duration, s.elapsed]);
    compare.same("first_frame", start(all.starts.first().unwrap()));
    compare.same("last_frame", start(all.starts.last().unwrap()));
    let contiguous = (1..).zip(&all.starts).all(|(n, s)| s.frame == n);
    compare.same("frame_ids_contiguous_from_1", contiguous);
    let pairs = || all.starts.iter().zip(&all.starts[1..]);
    let sums = pairs().all(|(a, b)| (a.elapsed + a.duration - b.elapsed).abs() < 1e-6);
    compare.same("elapsed_equals_prev_sum", sums);
    let least = pairs().map(|(s, _)| s.duration).fold(f64::INFINITY, f64::min);
    let most = pairs().map(|(s, _)| s.duration).fold(0.0, f64::max);
    compare.same("duration_min_max", vec![least, most]);

    let counts = Counts::read(&reader);
    compare.same("bytes_by_type", named(&counts.bytes));
    compare.same("zero_record_packets", named(&counts.zero));
    let wanted = truth["packet_orders"].as_array().unwrap();
    let orders: BTreeSet<_> = counts.orders.iter().map(|(order, n)| json!([n, order]).to_string()).collect();
    assert_eq!(orders, wanted.iter().map(Json::to_string).collect(), "{name}: packet_orders");
    compare.done.insert("packet_orders");
    compare.same("heroes", counts.heroes);
    let heroes: Vec<_> =
        truth["heroes"].as_array().unwrap().iter().map(|h| h[0].as_u64().unwrap() as u32).collect();
    assert_eq!(details.heroes, heroes, "{name}: the survey's heroes");
    compare.same("n_parents", counts.parents.len());
    compare.same("parents", counts.parents);
    compare.same("n_collisions", counts.collisions.len());
    compare.same("collisions", counts.collisions);
    compare.same("tl_states", by_id(&counts.states));
    compare.same("gears", json!(counts.gears));
    compare.same("lights", json!(counts.lights));
    compare.same("wheel_struct_size_fits", json!(counts.wheels));
    compare.same("deleted", counts.deleted);
    compare.same("dels_of_unknown", counts.deleted_unknown);
    compare.same("duplicate_adds", counts.added.values().map(|n| n - 1).sum::<u64>());
    compare.same("nonfinite_positions", counts.nonfinite_positions);
    compare.same("nonfinite_bboxes", counts.nonfinite_boxes);
    compare.same("position_ids", counts.moving.len());
    let unknown = counts.moving.iter().filter(|id| !counts.added.contains_key(id)).count();
    compare.same("position_ids_unknown", unknown);
    compare.same("xyz_cm_min", counts.least[..3].to_vec());
    compare.same("xyz_cm_max", counts.most[..3].to_vec());
    let range = (3..6).flat_map(|i| [counts.least[i], counts.most[i]]);
    compare.same("rot_range_xyz_deg", range.collect::<Vec<_>>());
    // The script lists the most frequent ones.
    for (key, n) in truth["attr_id_type"].as_object().unwrap() {
        assert_eq!(counts.attribute_ids.get(key), n.as_u64().as_ref(), "{name}: {key}");
    }
    for pair in truth["top_desc"].as_array().unwrap() {
        let n = counts.type_ids.get(pair[0].as_str().unwrap());
        assert_eq!(n, pair[1].as_u64().as_ref(), "{name}: {pair}");
    }
    compare.done.extend(["attr_id_type", "top_desc"]);
    compare.rest(&["file", "sha256", "anomaly_sample"]);
    compare.done.len()
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let truth: Json = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for (file, truth) in truth.as_object().unwrap() {
        let compared = compare_real(&fs::read(dir.join(file)).unwrap(), truth);
        println!("{file}: {compared} keys equal");
        assert!(compared >= 40, "{file}");
    }
}

#[test]
fn formats_are_told_apart() {
    for fixture in testkit::fixtures("carla-rec", "log") {
        let is_one = fixture.name != "wrong_magic";
        assert_eq!(carla_rec::detect(&fixture.bytes), is_one, "{}", fixture.name);
    }
    assert!(!carla_rec::detect(b"\x01\0\x0e\0CARLA_RECORDE") && !carla_rec::detect(b""));
    assert!(!carla_rec::detect(&testkit::fixture("lvx/v11_type2.lvx")));
    assert!(CarlaRec::EXTENSIONS.contains(&"log") && CarlaRec::EXTENSIONS.contains(&"rec"));
}
