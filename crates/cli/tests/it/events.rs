//! `robolog events`, and the verbs that know events.

use std::fs;

use crate::run::{fixture_of, robolog, s};

/// Recordings of nothing in particular: drives, tracks, receivers and scanners at work, by other people.
const QUIET: [&str; 24] = [
    "alog/logan/sim_MOOSLog_23_9_2019_____15_05_06.alog",
    "alog/moosivp_2025/MOOSLog_18_6_2025_____10_38_38/MOOSLog_18_6_2025_____10_38_38.alog",
    "alog/moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog",
    "alog/moosivp_src/app_glogview_test.alog",
    "alog/new_college/QuadTree_Alog.alog",
    "carla-rec/DistanceToLaneCenter_2020-09.log",
    "carla-rec/DistanceToLaneCenter_2021-11.log",
    "effibox/gpx/georust-gpx__tests_fixtures_garmin-activity.gpx",
    "effibox/gpx/gpsbabel__reference_gis.osm_places_free_1~shp.gpx",
    "effibox/gpx/gpsbabel__reference_googletakeout_googletakeout.gpx",
    "effibox/gpx/gpsbabel__reference_route_humminbird~hwr.gpx",
    "effibox/gpx/gpsbabel__reference_track_garmin-edge-800-output.gpx",
    "effibox/gpx/gpsbabel__reference_unicsv-utc.gpx",
    "effibox/kml/gpsbabel__reference_track_92GV66G1.igc.kml",
    "effibox/nmea/gpsd__bundg_zeus_9.log",
    "effibox/nmea/gpsd__quectelLC79D.log",
    "effibox/nmea/gpsd__ublox-zed-f9p-nmea.log",
    "koblenz-log/hdl32_real.log",
    "lvx/mid100_v10_cart.lvx",
    "lvx/mid360_pcap_to_lvx2.lvx2",
    "lvx/mid360_sdk2_synthetic.pcap",
    "public/OpenCPN__OpenCPN__test~testdata~foo.gpx",
    "velodyne/nebula_vls128.pcap",
    "velodyne/opendlv_hdl32e_sample.pcap",
];
/// What would be a false alarm there. What vehicles do, modes and warnings of programs are none.
const ALARMS: &str =
    "{contact,collision,near_miss,gap,clock_jump,gnss_lost,gnss_jump,lidar_status,lost_packets}";

#[test]
fn quiet_recordings_raise_no_alarm() {
    let Some(data) = testkit::data_dir("") else { return };
    let kinds = ALARMS.trim_matches(['{', '}']).split(',').flat_map(|kind| ["--kind", kind]);
    let kinds: Vec<&str> = kinds.collect();
    for name in QUIET {
        let file = data.join(name);
        let run = robolog(["events", "--json", s(&file)].into_iter().chain(kinds.iter().copied()));
        assert!(run.status == 0 || run.status == 3, "{name}: {}", run.err);
        assert_eq!(run.text(), "", "{name}");
    }
}

#[test]
fn thresholds_are_options_and_a_limit_changes_what_is_found() {
    let Some(data) = testkit::data_dir("carla-rec") else { return };
    let crash = data.join("crash.log");
    let of = |more: &[&str]| {
        robolog(["events", "--json", s(&crash), "--kind", "contact"].iter().chain(more)).json()
    };
    assert_eq!(of(&[]).len(), 1);
    assert_eq!(of(&["--contact-depth", "0.6"]).len(), 0, "it is 0.53 m deep");
    robolog(["events", s(&crash), "--near-gap", "-1"]).exits(2);
    let counted = robolog(["info", "--events", "--json", s(&crash)]).json();
    assert_eq!(counted[0]["events"]["contact"], 1);
}

#[test]
fn a_part_around_an_event_and_a_log_of_events_are_written() {
    let Some(data) = testkit::data_dir("carla-rec") else { return };
    let (crash, dir) = (data.join("crash.log"), tempfile::tempdir().unwrap());
    let part = dir.path().join("part.log");
    let args = ["--around", "contact", "--before", "0.5s", "--after", "0.5s", "-o", s(&part)];
    robolog(["cut", s(&crash)].iter().chain(&args)).exits(0);
    let info = robolog(["info", "--json", s(&part)]).json();
    let duration = info[0]["duration_s"].as_f64().unwrap();
    assert!((0.8..=1.1).contains(&duration), "{duration}");
    let mcap = dir.path().join("events.mcap");
    robolog(["events", s(&crash), "-o", s(&mcap)]).exits(0);
    let bytes = fs::read(&mcap).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has("foxglove.Log") && has("/events/log") && has("foxglove.Event"));
}

#[test]
fn alarms_of_status_words_are_events() {
    let room = fixture_of("lvx", "room.lvx");
    assert_eq!(robolog(["events", "--json", s(&room), "--kind", "lidar_status"]).text(), "");
    let Some(data) = testkit::data_dir("lvx") else { return };
    // The packets of the one are the packages of the other.
    for name in ["tele15_real_v11.lvx", "livox_tele15_small.pcap"] {
        let found = robolog(["events", "--json", s(&data.join(name))]).json();
        let states: Vec<_> = found.iter().filter_map(|event| event["text"].as_str()).collect();
        // Bits 30, 6 and 11 of its status words.
        assert_eq!(states, ["system warning", "window dirty or blocked", "fan warning"], "{name}");
    }
}

#[test]
fn sentences_without_a_position_say_that_the_fix_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("lost.nmea");
    let sentences = [
        "$GPGGA,120000.00,4700.00000,N,00800.00000,E,1,08,1.0,400.0,M,47.0,M,,*6A",
        "$GPGGA,120001.00,,,,,0,00,99.99,,M,,M,,*64",
        "$GPGGA,120002.00,,,,,0,00,99.99,,M,,M,,*67",
        "$GPGGA,120003.00,4700.00000,N,00800.00000,E,2,08,1.0,400.0,M,47.0,M,,*6A",
        "$GPGGA,,,,,,0,,,,,,,,*66",
    ];
    fs::write(&log, sentences.join("\r\n") + "\r\n").unwrap();
    let found = robolog(["events", "--json", s(&log)]).json();
    let kinds: Vec<_> = found.iter().map(|event| (event["kind"].as_str(), event["t"].as_f64())).collect();
    let lost = Some("gnss_lost");
    // The last one has no time: the fix was lost after the last position. Of one moment, kinds have an order.
    assert_eq!(kinds, [(lost, Some(1.0)), (lost, Some(3.0)), (Some("gnss_back"), Some(3.0))]);
    assert_eq!(found[2]["value"], 2.0);
}

#[test]
fn plots_mark_events_and_catalogues_count_them() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("a.alog");
    fs::write(
        &log,
        "%% LOGSTART 1600000000\n1.0 MODE p PARK\n1.5 V p 1\n2.0 V p 2\n2.5 MODE p DRIVE\n3.0 V p 3\n",
    )
    .unwrap();
    let svg = dir.path().join("a.svg");
    robolog(["plot", s(&log), "--channel", "V", "--mark", "mode", "-o", s(&svg)]).exits(0);
    assert!(fs::read_to_string(&svg).unwrap().contains("<title>1.500 s: mode MODE: PARK to DRIVE</title>"));
    robolog(["plot", s(&log), "--channel", "V", "--mark", "modes", "-o", s(&svg), "-f"]).exits(2);
    let table = dir.path().join("c.jsonl");
    robolog(["catalog", s(&log), "--events", "-o", s(&table)]).exits(0);
    let row: serde_json::Value = serde_json::from_str(&fs::read_to_string(&table).unwrap()).unwrap();
    assert_eq!((&row["events"]["mode"], &row["events"]["contact"]), (&1.into(), &0.into()));
}

#[test]
fn every_target_has_all_events_or_says_that_it_holds_none() {
    let (file, dir) = (fixture_of("carla-rec", "v0_9_15.log"), tempfile::tempdir().unwrap());
    let mut tables = Vec::new();
    for target in robolog_convert::targets::ALL {
        let output = dir.path().join("events").with_extension(target.name);
        let run = robolog(["events", s(&file), "-o", s(&output)]);
        if target.name == "koblenz-log" {
            run.exits(1).says("cannot hold 4 rows");
            assert!(!output.exists(), "rows of its own kinds only");
        } else if run.status == 2 {
            run.says(&format!("events are rows, but {} ", target.name)).says("choose csv, jsonl, parquet");
            assert!(!output.exists(), "{}", target.name);
        } else {
            run.exits(0).says("4 rows");
            tables.push(target.name);
            fs::remove_file(output).unwrap();
        }
    }
    for name in ["alog", "arrow", "bag", "csv", "jsonl", "mcap", "parquet"] {
        assert!(tables.contains(&name), "{name}");
    }
}

#[test]
fn advice_names_no_option_that_the_verb_lacks() {
    let file = fixture_of("carla-rec", "v0_9_15.log");
    let run = robolog(["events", s(&file), "-o", "events.quatsch"]).exits(2);
    let run = run.says("robolog convert --help targets lists them");
    assert!(!run.err.contains("--to"), "{}", run.err);
}
