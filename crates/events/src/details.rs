//! What a survey counts that samples do not show: packets that never arrived, and alarms of status words.

use robolog_core::{Clock, Timestamp};
use serde_json::Value as Json;

use crate::{Event, Kind};

/// Adds the events of a survey's details.
pub(crate) fn events(details: &Json, clock: Option<Clock>, found: &mut Vec<Event>) {
    for device in list(details, "devices") {
        let (name, clock) = (text(device, "sn"), clock.unwrap_or(Clock::Unix));
        alarms(device, name, clock, found);
        losses(device, ["lost_packages", "first_lost_ns", "lost_gaps"], name, clock, found);
    }
    for sensor in list(details, "sensors") {
        let name = text(sensor, "name");
        alarms(sensor, name, Clock::Unix, found);
        if let Some(lost) = sensor.get("lost") {
            losses(lost, ["packets", "first_ns", "gaps"], name, Clock::Unix, found);
        }
    }
}

/// An event for each gap that is listed, and one for the packets beyond.
fn losses(of: &Json, [packets, first, gaps]: [&str; 3], name: &str, clock: Clock, found: &mut Vec<Event>) {
    let gaps: Vec<[i64; 3]> = list(of, gaps).filter_map(gap).collect();
    let mut rest = whole(of, packets).unwrap_or(0);
    for [from, to, packets] in gaps {
        found.push(lost_packets(name, packets, [from, to], clock));
        rest = rest.saturating_sub(packets);
    }
    if let Some(first) = whole(of, first).filter(|_| rest > 0) {
        found.push(lost_packets(name, rest, [first; 2], clock));
    }
}

fn alarms(of: &Json, name: &str, clock: Clock, found: &mut Vec<Event>) {
    for alarm in list(of, "alarms") {
        let Some((from, to)) = whole(alarm, "start_ns").zip(whole(alarm, "end_ns")) else { continue };
        let at = |nanos| Timestamp::new(nanos, clock);
        let event = Event::at(at(from), Kind::LidarStatus, name, text(alarm, "state").to_owned());
        found.push(event.until(at(to)));
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of packets")]
fn lost_packets(name: &str, packets: i64, [from, to]: [i64; 2], clock: Clock) -> Event {
    let words = if packets == 1 { "1 packet".to_owned() } else { format!("{packets} packets") };
    let event =
        Event::at(Timestamp::new(from, clock), Kind::LostPackets, name, format!("{words} never arrived"));
    event.with_value(packets as f64).until(Timestamp::new(to, clock))
}

fn list<'j>(of: &'j Json, name: &str) -> impl Iterator<Item = &'j Json> {
    of.get(name).and_then(Json::as_array).into_iter().flatten()
}

fn text<'j>(of: &'j Json, name: &str) -> &'j str {
    of.get(name).and_then(Json::as_str).unwrap_or("")
}

fn whole(of: &Json, name: &str) -> Option<i64> {
    of.get(name)?.as_i64()
}

/// Start, end and number of packets.
fn gap(gap: &Json) -> Option<[i64; 3]> {
    let numbers: Option<Vec<i64>> = gap.as_array()?.iter().map(Json::as_i64).collect();
    numbers?.try_into().ok()
}

#[test]
fn losses_and_alarms_of_a_survey_are_events() {
    let details = serde_json::json!({
        "devices": [{ "sn": "A", "lost_packages": 3, "first_lost_ns": 5,
                      "alarms": [{ "state": "fan warning", "start_ns": 1, "end_ns": 9 }] }],
        "sensors": [{ "name": "B", "lost": { "packets": 7, "sent": 100, "first_ns": 2, "gaps": [[2, 4, 1], [6, 8, 5]] } }],
    });
    let mut found = Vec::new();
    events(&details, Some(Clock::Device), &mut found);
    let line = |event: &Event| {
        let (from, to) = (event.time.nanos(), event.end.nanos());
        format!("{} {from}..{to} {}: {}", event.kind.name(), event.subject, event.text)
    };
    assert_eq!(
        found.iter().map(line).collect::<Vec<_>>(),
        [
            "lidar_status 1..9 A: fan warning",
            "lost_packets 5..5 A: 3 packets never arrived",
            "lost_packets 2..4 B: 1 packet never arrived",
            "lost_packets 6..8 B: 5 packets never arrived",
            "lost_packets 2..2 B: 1 packet never arrived",
        ]
    );
    assert_eq!(found[0].time.clock(), Clock::Device);
}
