//! Real recordings, whose events are known.

use robolog_events::{Context, Event, Kind};

use crate::{found, seconds};

fn carla(name: &str, is_late: bool) -> Option<Vec<Event>> {
    let path = testkit::data_dir("carla-rec")?.join(name);
    let mut context = Context::default();
    context.late_poses = is_late;
    Some(found(context, carla_rec::open(path).unwrap().samples().map(Result::unwrap)))
}

#[test]
fn two_cars_touch_in_a_crash() {
    let Some(events) = carla("crash.log", false) else { return };
    let contacts: Vec<_> = events.iter().filter(|event| event.kind == Kind::Contact).collect();
    let [contact] = contacts.as_slice() else { panic!("one contact: {contacts:?}") };
    assert_eq!((contact.subject.as_str(), contact.other.as_deref()), ("actor_190", Some("actor_192")));
    // By a script that computes the overlap of the boxes from the printed poses.
    let start = seconds(contact.time) - 1_702_698_119.0;
    assert!((start - 3.178).abs() < 0.001, "{contact:?}");
    assert!((contact.value.unwrap() - 0.531).abs() < 0.005, "{contact:?}");
    assert!(!events.iter().any(|event| event.kind == Kind::NearMiss), "{events:?}");
}

#[test]
fn what_a_sensor_recorded_is_found_by_the_boxes_too() {
    let Some(events) = carla("2762.rec", true) else { return };
    let of = |kind| events.iter().find(|event| event.kind == kind).unwrap();
    let (collision, contact) = (of(Kind::Collision), of(Kind::Contact));
    assert_eq!((&collision.subject, &collision.other), (&contact.subject, &contact.other));
    assert!((seconds(collision.time) - seconds(contact.time)).abs() < 1.0, "{collision:?} {contact:?}");
}

#[test]
fn a_drive_alone_touches_nobody() {
    for name in ["DistanceToLaneCenter_2020-09.log", "DistanceToLaneCenter_2021-11.log"] {
        let Some(events) = carla(name, false) else { return };
        let alarms = [Kind::Contact, Kind::NearMiss, Kind::Collision, Kind::HardBraking];
        assert!(!events.iter().any(|event| alarms.contains(&event.kind)), "{name}: {events:?}");
    }
}

#[test]
fn modes_and_warnings_are_those_of_the_log() {
    let Some(folder) = testkit::data_dir("alog") else { return };
    let path = folder.join("moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog");
    let mut context = Context::default();
    context.vessels = true;
    let samples = moos_alog_samples(&path);
    let events = found(context, samples);
    // The entries of the log, read line by line.
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    for variable in ["MODE", "DEPLOY", "IVPHELM_STATE", "IVPHELM_ALLSTOP"] {
        let values = text.lines().filter(|line| line.split_whitespace().nth(1) == Some(variable));
        let mut values: Vec<&str> =
            values.map(|line| line.rsplit_once("  ").map_or(line, |(_, v)| v).trim()).collect();
        values.dedup();
        let changes = values.len().saturating_sub(1);
        let is_change = |event: &&Event| event.kind == Kind::Mode && event.subject == variable;
        assert_eq!(events.iter().filter(is_change).count(), changes, "{variable}: {values:?}");
    }
}

fn moos_alog_samples(path: &std::path::Path) -> Vec<robolog_core::Sample> {
    alog::open(path).unwrap().samples().map(Result::unwrap).collect()
}
