//! Tables of whole recordings.

use std::{fmt::Write as _, fs};

use crate::run::{robolog, s, with_input};

/// A vehicle whose reports gain a field, and a receiver with sentences among other text.
fn mission() -> String {
    let mut log = "%% LOG FILE:  ./m.alog\n%% LOGSTART  1714983600.0\n".to_owned();
    for i in 0..163 {
        let index = if i < 2 { String::new() } else { format!(",INDEX={i}") };
        let _ = writeln!(log, "{i}.0  NODE_REPORT_LOCAL  pReport  NAME=alpha,X={i}.5,MODE=PARK{index}");
    }
    log.push_str("170.0  MSG_UDP  iNMEA  hello\n");
    log.push_str("171.0  MSG_UDP  iNMEA  $GPGGA,120000,4330.0,N,07000.0,W,0,03,9.5,5,M,-30,M,,\n");
    log.push_str("172.0  MSG_UDP  iNMEA  $GPGGA,120001,4345.0,N,07000.0,W,1,08,1.0,5,M,-30,M,,\n");
    log
}

#[test]
fn every_row_is_in_the_table_though_rows_gain_fields() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("m.alog");
    fs::write(&log, mission()).unwrap();
    let (out, piped) = (dir.path().join("nr.csv"), dir.path().join("piped.csv"));
    let run = robolog(["convert", s(&log), "--channel", "NODE_REPORT_LOCAL", "-o", s(&out)]);
    assert_eq!((run.status, run.err.contains("left out")), (0, false), "{}", run.err);
    let table = fs::read_to_string(&out).unwrap();
    let lines: Vec<_> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (164, "time_ns,channel,NAME,X,MODE,INDEX"));
    assert!(lines[2].ends_with(",alpha,1.5,PARK,") && lines[3].ends_with(",alpha,2.5,PARK,2.0"), "{table}");
    let args = ["convert", "-", "--channel", "NODE_REPORT_LOCAL", "-o", s(&piped)];
    assert_eq!(with_input(args, mission().as_bytes()).status, 0);
    assert!(fs::read_to_string(&piped).unwrap() == table, "a pipe gives the same table");
}

#[test]
fn fixes_in_a_text_variable_have_a_channel_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("m.alog");
    fs::write(&log, mission()).unwrap();
    let (fixes, texts) = (dir.path().join("fixes.csv"), dir.path().join("texts.csv"));
    robolog(["convert", s(&log), "--channel", "MSG_UDP/gnss_fix", "-o", s(&fixes)]).exits(0);
    let table = fs::read_to_string(&fixes).unwrap();
    let want = "time_ns,channel,frame_id,latitude,longitude,altitude,altitude_msl,quality,satellites,hdop,vdop,pdop,\
                speed,course,age_of_corrections,station_id,cov_ee,cov_en,cov_eu,cov_nn,cov_nu,cov_uu,talkers\n\
                1714983771000000000,MSG_UDP/gnss_fix,gps,43.5,-70.0,-25.0,5.0,none,3,9.5,,,,,,,,,,,,,GP\n\
                1714983772000000000,MSG_UDP/gnss_fix,gps,43.75,-70.0,-25.0,5.0,gps,8,1.0,,,,,,,,,,,,,GP\n";
    assert_eq!(table, want);
    assert_eq!(robolog(["convert", s(&log), "--channel", "MSG_UDP", "-o", s(&texts)]).status, 0);
    assert_eq!(fs::read_to_string(&texts).unwrap().lines().count(), 1 + 3);
    let told = robolog(["info", s(&log)]).text();
    assert!(told.contains("MSG_UDP/gnss_fix"), "{told}");
}

#[test]
fn a_document_beside_a_csv_file_tells_the_units() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("m.alog");
    fs::write(&log, mission()).unwrap();
    let out = dir.path().join("fixes.csv");
    let beside = dir.path().join("fixes.csv-metadata.json");
    let convert = ["convert", s(&log), "--channel", "MSG_UDP/gnss_fix", "-o", s(&out)];
    robolog(convert).exits(0).says("; columns and units in fixes.csv-metadata.json");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&beside).unwrap()).unwrap();
    assert_eq!((&json["@context"], &json["url"]), (&"http://www.w3.org/ns/csvw".into(), &"fixes.csv".into()));
    let columns = json["tableSchema"]["columns"].as_array().unwrap();
    let unit = |name: &str| {
        let column = columns.iter().find(|column| column["name"] == name).unwrap();
        column["schema:unitText"].as_str().map(str::to_owned)
    };
    assert_eq!(unit("latitude").as_deref(), Some("deg"));
    assert_eq!(unit("course").as_deref(), Some("rad"));
    assert_eq!(unit("quality"), None);
    // A file of others stays, and nothing is written.
    fs::remove_file(&out).unwrap();
    assert_eq!(robolog(convert).status, 0, "an earlier document is replaced");
    fs::remove_file(&out).unwrap();
    fs::write(&beside, "precious").unwrap();
    assert_eq!(robolog(convert).status, 1);
    assert!(!out.exists() && fs::read_to_string(&beside).unwrap() == "precious");
}

#[test]
fn hive_is_for_folders_of_parquet_and_arrow() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("m.alog");
    fs::write(&log, mission()).unwrap();
    let out = dir.path().join("out");
    let convert = |args: &[&str]| {
        let all = [&["convert", s(&log), "--hive", "-o", s(&out)], args].concat();
        robolog(all)
    };
    for args in
        [&["--to", "jsonl"][..], &["--to", "csv", "--per", "name"], &["--to", "parquet", "--per", "device"]]
    {
        let run = convert(args);
        assert!(run.status == 1 && run.err.contains("--hive"), "{args:?}: {}", run.err);
        assert!(!out.exists());
    }
    assert_eq!(convert(&["--to", "parquet", "--per", "name"]).status, 0);
    assert!(out.join("kind=row/group=NODE_REPORT_LOCAL/part-0.parquet").is_file());
    assert!(out.join("_index.csv").is_file());
    assert_eq!(convert(&["--to", "parquet", "--force"]).status, 0, "a file for each channel, unasked");
    assert!(out.join("kind=row/channel=NODE_REPORT_LOCAL/part-0.parquet").is_file());
}
