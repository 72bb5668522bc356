//! Common tasks, one command each.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use tempfile::TempDir;

/// A folder in which commands run, with recordings under realistic names.
struct Desk(TempDir);

impl Desk {
    fn with(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, fixture) in files {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(fixture);
            fs::copy(&from, dir.path().join(name)).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
        }
        Self(dir)
    }

    /// Runs the command, which must succeed, and returns what it prints.
    fn run(&self, line: &str) -> String {
        let words = line.strip_prefix("robolog ").unwrap().split(' ');
        let words = words.map(|word| word.trim_matches('\''));
        let out =
            Command::new(env!("CARGO_BIN_EXE_robolog")).args(words).current_dir(&self.0).output().unwrap();
        assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The columns of a table; asserts that every row has all of them.
    fn table(&self, name: &str) -> BTreeMap<String, Vec<String>> {
        let mut reader = csv::Reader::from_path(self.0.path().join(name)).unwrap();
        let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in reader.records() {
            for (head, cell) in heads.iter().zip(&row.unwrap()) {
                columns.entry(head.clone()).or_default().push(cell.to_owned());
            }
        }
        columns
    }
}

#[test]
fn a_look_at_a_file() {
    let desk = Desk::with(&[("drive.lvx", "lvx/room.lvx")]);
    let shown = desk.run("robolog info drive.lvx");
    assert!(shown.contains("HORIZONROOM0001/points") && shown.lines().count() < 25, "{shown}");
}

#[test]
fn lvx2_to_las_frame_by_frame() {
    let desk = Desk::with(&[("garage.lvx2", "lvx/lvx2_type1.lvx")]);
    desk.run("robolog convert garage.lvx2 --per frame --to las -o frames");
    let names = desk.names("frames");
    assert!(names.iter().any(|name| name == "_index.csv"), "{names:?}");
    let clouds = names.iter().filter(|name| name.ends_with(".las"));
    assert!(clouds.clone().count() > 0, "{names:?}");
    for name in clouds {
        assert!(desk.read(&format!("frames/{name}")).starts_with(b"LASF"));
    }
}

#[test]
fn the_trajectory_and_the_collisions_of_a_vehicle_in_metres() {
    let desk = Desk::with(&[("crash.log", "carla-rec/v0_9_15.log")]);
    desk.run("robolog convert crash.log --channel actor_25/poses -o way.csv");
    desk.run("robolog convert crash.log --channel collisions -o collisions.csv");
    let way = desk.table("way.csv");
    assert_eq!(way["channel"], ["actor_25/poses"; 4]);
    assert!(desk.table("collisions.csv")["time_ns"].len() == 2);
    let units = String::from_utf8(desk.read("way.csv-metadata.json")).unwrap();
    assert!(units.contains("\"m\""), "{units}");
}

#[test]
fn numbers_of_a_mission_in_one_table_at_ten_hertz() {
    let desk = Desk::with(&[("mission.alog", "alog/nav.alog")]);
    desk.run("robolog convert mission.alog --wide --rate 10 --channel 'NAV_*' -o nav.csv");
    let table = desk.table("nav.csv");
    let times: Vec<i64> = table["time_ns"].iter().map(|time| time.parse().unwrap()).collect();
    assert!(times.len() > 1 && times.windows(2).all(|pair| pair[1] - pair[0] == 100_000_000), "{times:?}");
    assert!(table.keys().filter(|name| name.starts_with("NAV_")).count() >= 3, "{:?}", table.keys());
}

#[test]
fn tracks_from_one_format_to_another() {
    let desk = Desk::with(&[
        ("mission.alog", "alog/moosivp.alog"),
        ("ride.gpx", "gpx/drive.gpx"),
        ("receiver.nmea", "nmea/types.nmea"),
    ]);
    desk.run("robolog convert mission.alog -o mission.gpx");
    desk.run("robolog convert ride.gpx -o ride.csv");
    desk.run("robolog convert receiver.nmea -o receiver.gpx");
    assert_eq!(desk.table("ride.csv")["latitude"].len(), 6);
    for name in ["mission.gpx", "receiver.gpx"] {
        let document = String::from_utf8(desk.read(name)).unwrap();
        assert!(document.contains("<trkpt "), "{document}");
        desk.run(&format!("robolog check {name}"));
    }
}

#[test]
fn messages_for_foxglove_and_a_bag_for_ros_2() {
    let desk = Desk::with(&[("drive.lvx", "lvx/room.lvx")]);
    desk.run("robolog convert drive.lvx -o drive.mcap");
    desk.run("robolog convert drive.lvx --rosbag2-dir -o bag");
    assert!(desk.read("drive.mcap").starts_with(b"\x89MCAP0\r\n"));
    assert!(desk.names("bag").contains(&"metadata.yaml".to_owned()));
}

#[test]
fn a_recording_in_parts_and_the_difference_of_two() {
    let desk = Desk::with(&[("mission.alog", "alog/moosivp.alog")]);
    desk.run("robolog split mission.alog --size 1kB -o parts");
    let parts = desk.names("parts");
    assert!(parts.len() > 1, "{parts:?}");
    let files: Vec<String> = parts.iter().map(|part| format!("parts/{part}")).collect();
    desk.run(&format!("robolog merge {} -o again.alog", files.join(" ")));
    assert_eq!(desk.read("again.alog"), desk.read("mission.alog"));
    desk.run("robolog diff mission.alog again.alog");
}

#[test]
fn variables_with_their_rates() {
    let desk = Desk::with(&[("mission.alog", "alog/nav.alog")]);
    let shown = desk.run("robolog info mission.alog");
    assert!(shown.contains("NAV_X") && shown.contains("Hz"), "{shown}");
}

#[test]
fn which_of_many_logs_has_a_collision_or_a_value() {
    let desk = Desk::with(&[
        ("a.log", "carla-rec/collisions.log"),
        ("b.log", "carla-rec/empty_doors.log"),
        ("a.alog", "alog/moosivp.alog"),
        ("b.alog", "alog/moos_3_decimals.alog"),
    ]);
    let collisions = desk.run("robolog carla collisions a.log b.log");
    assert!(collisions.contains("a.log"), "{collisions}");
    let deployed = desk.run("robolog alog grep a.alog b.alog DEPLOY");
    assert!(deployed.contains("a.alog") && !deployed.contains("b.alog"), "{deployed}");
}

#[test]
fn a_copy_without_some_channels() {
    let desk = Desk::with(&[("mission.alog", "alog/moosivp.alog")]);
    desk.run("robolog cut mission.alog --exclude 'NAV_*' -o small.alog");
    let shown = desk.run("robolog info --json small.alog");
    assert!(!shown.contains("NAV_X") && shown.contains("DEPLOY"), "{shown}");
}

#[test]
fn a_table_that_pandas_takes_without_a_line_of_cleaning() {
    let desk = Desk::with(&[("mission.alog", "alog/moosivp.alog")]);
    desk.run("robolog convert mission.alog --per name --to csv -o tables");
    let tables = desk.names("tables");
    let tables = tables.iter().filter(|name| name.ends_with(".csv") && !name.starts_with('_'));
    for name in tables.clone() {
        let table = desk.table(&format!("tables/{name}"));
        assert!(table.contains_key("time_ns") && table.contains_key("channel"), "{name}: {:?}", table.keys());
        assert!(table["time_ns"].iter().all(|time| time.is_empty() || time.parse::<i64>().is_ok()), "{name}");
    }
    assert!(tables.count() > 2);
}
