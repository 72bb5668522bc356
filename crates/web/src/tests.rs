use std::{
    io::{self, Cursor, Seek, SeekFrom, Write},
    sync::{Arc, Mutex},
};

use super::*;

/// An output file kept by the test.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Cursor<Vec<u8>>>>);

impl Kept {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().get_ref().clone()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Kept {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.lock().unwrap().seek(to)
    }
}

fn of(name: &str, bytes: &'static [u8]) -> Recording {
    let request = Request { verb: Verb::Info, name: name.to_owned(), format: None };
    Recording::new(&request, bytes.len() as u64, move || Ok(Cursor::new(bytes)))
}

fn asked(verb: &Verb, name: &str, bytes: &'static [u8]) -> Result<String, String> {
    let out = || Box::new(Kept::default()) as Out;
    answer(verb, &of(name, bytes), out, &mut |_| {}).map_err(|e| e.to_string())
}

/// The answer to a request as the package sends it, and the file.
fn made(verb: &str, name: &str, bytes: &'static [u8]) -> Result<(serde_json::Value, Vec<u8>), String> {
    let file = Kept::default();
    let out = file.clone();
    let verb: Verb = serde_json::from_str(verb).unwrap();
    let answer = answer(&verb, &of(name, bytes), || Box::new(out), &mut |_| {}).map_err(|e| e.to_string())?;
    Ok((serde_json::from_str(&answer).unwrap(), file.bytes()))
}

const ROOM: &[u8] = include_bytes!("../../../testdata/lvx/room.lvx");

#[test]
fn each_verb_answers() {
    let info: serde_json::Value =
        serde_json::from_str(&asked(&Verb::Info, "room.lvx", ROOM).unwrap()).unwrap();
    assert_eq!((&info["records"], &info["path"]), (&10.into(), &"room.lvx".into()));
    assert_eq!(info["bytes"], ROOM.len());
    let check = asked(&Verb::Check, "room.lvx", ROOM).unwrap();
    assert!(check.contains(r#""ok":true"#), "{check}");
    assert!(asked(&Verb::Report, "room.lvx", ROOM).unwrap().contains("HORIZONROOM0001"));
    let log = b"%% LOGSTART 1600000000\n1.0 MODE p PARK\n2.5 MODE p DRIVE\n";
    let (events, _) = made(r#""events""#, "a.alog", log).unwrap();
    assert_eq!((&events[0]["kind"], &events[0]["t"]), (&"mode".into(), &1.5.into()), "{events}");
}

#[test]
fn damage_is_a_finding_and_what_is_no_recording_an_error() {
    let cut = asked(&Verb::Check, "cut.lvx", &ROOM[..ROOM.len() - 1000]).unwrap();
    assert!(cut.contains(r#""ok":false"#), "{cut}");
    for verb in [Verb::Info, Verb::Check, Verb::Events, Verb::Report, Verb::Recover] {
        assert!(asked(&verb, "no.txt", b"no recording at all").is_err());
        assert!(asked(&verb, "empty.lvx", b"").is_err());
    }
}

#[test]
fn a_file_that_goes_away_is_an_error() {
    let request = Request { verb: Verb::Info, name: "gone.lvx".to_owned(), format: None };
    let open = || -> io::Result<Cursor<Vec<u8>>> { Err(io::ErrorKind::NotFound.into()) };
    let gone = Recording::new(&request, 10, open);
    assert!(answer(&Verb::Info, &gone, || Box::new(Kept::default()), &mut |_| {}).is_err());
}

#[test]
fn requests_are_what_the_package_sends() {
    let request: Request = serde_json::from_str(r#"{"verb":"report","name":"a.lvx"}"#).unwrap();
    assert_eq!((request.verb, request.format), (Verb::Report, None));
    assert!(serde_json::from_str::<Request>(r#"{"verb":"convert","name":"a.lvx"}"#).is_err());
}

#[test]
fn points_become_a_file_of_points_and_what_is_left_out_is_counted() {
    let (said, pcd) = made(r#"{"convert":{"to":"pcd"}}"#, "room.lvx", ROOM).unwrap();
    assert!(pcd.starts_with(b"# .PCD v0.7") && said["complete"] == true, "{said}");
    let points = said["written"]["point_cloud"]["values"].as_u64().unwrap();
    let header = String::from_utf8_lossy(&pcd[..pcd.len().min(8192)]).into_owned();
    assert!(header.contains(&format!("\nPOINTS {points}\n")), "{header}");
    let wrong = made(r#"{"convert":{"to":"gpx"}}"#, "room.lvx", ROOM).unwrap_err();
    assert!(wrong.len() > 10, "{wrong}");
    assert!(made(r#"{"convert":{"to":"nothing"}}"#, "room.lvx", ROOM).is_err());
}

#[test]
fn a_part_is_a_recording_and_nothing_an_error() {
    let (said, part) = made(r#"{"cut":{"end":"0.2"}}"#, "room.lvx", ROOM).unwrap();
    assert!(part.len() < ROOM.len() && said["extension"] == "lvx", "{said}");
    let part: &'static [u8] = part.leak();
    let info: serde_json::Value =
        serde_json::from_str(&asked(&Verb::Info, "part.lvx", part).unwrap()).unwrap();
    // Packages are copied; a frame of this recording has 16.
    let packages = said["written"]["record"]["samples"].as_u64();
    assert_eq!(info["records"].as_u64().map(|frames| frames * 16), packages, "{said}");
    assert!(made(r#"{"cut":{"start":"1000"}}"#, "room.lvx", ROOM).is_err());
    assert!(made(r#"{"cut":{"start":"tomorrow"}}"#, "room.lvx", ROOM).unwrap_err().contains("tomorrow"));
}

#[test]
fn what_is_whole_of_a_damaged_recording_is_recovered() {
    let (said, mended) = made(r#""recover""#, "cut.lvx", &ROOM[..ROOM.len() - 1000]).unwrap();
    assert!(said["complete"] == false && said["damages"] == 1, "{said}");
    let check = asked(&Verb::Check, "mended.lvx", mended.leak()).unwrap();
    assert!(check.contains(r#""ok":true"#), "{check}");
}

#[test]
fn times_and_names_are_changed() {
    const LOG: &[u8] = b"%% LOGSTART 1600000000\n1.0 A pX 1 \n2.0 B pX 2 \n3.0 C pX 3 \n";
    let change = r#"{"edit":{"shift_ns":1000000000,"rename":{"A":"Z"},"drop":["B"]}}"#;
    let (said, log) = made(change, "a.alog", LOG).unwrap();
    let text = String::from_utf8(log).unwrap();
    assert!(text.contains('Z') && !text.contains(" B ") && text.contains(" C "), "{text}");
    assert_eq!(said["written"]["record"]["samples"], 2, "{said}");
}

#[test]
fn samples_are_columns_and_a_head() {
    let mut points = 0;
    let mut samples = Samples::new(&of("room.lvx", ROOM), None, None).unwrap();
    for sample in samples.by_ref() {
        let sample = sample.unwrap();
        let head: serde_json::Value = serde_json::from_str(&head(&sample).unwrap()).unwrap();
        let mut x = 0;
        columns(&sample, |name, column| x += if name == "x" { column.len() } else { 0 });
        assert_eq!(head["value"]["points"].as_u64().unwrap_or_default(), x as u64, "{head}");
        assert!(head["time_ns"].is_string() || head["time_ns"].is_null());
        points += x;
    }
    assert_eq!((points > 0, samples.damages()), (true, 0));
}
