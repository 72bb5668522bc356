//! Counts of missing packets.

use super::{tick::Turn, *};

/// Nanoseconds between the packets.
const STEP: i64 = 1_327_104;

fn head(n: i64) -> Tick {
    let rotation = |n: i64| u16::try_from((n * 478).rem_euclid(36_000)).unwrap();
    let turn = Turn { first: rotation(n), last: (rotation(n) + 438) % 36_000, skipped: None };
    let stamp = Some((n * STEP / 1000 * 1000 + 3_599_900_000_000).rem_euclid(3_600_000_000_000));
    let arrival = n * STEP + 50_000 * (n % 7);
    Tick { stamp, wrap: 3_600_000_000_000, turn: Some(turn), least: STEP / 2, arrival, ..Tick::default() }
}

fn counted(n: i64) -> Tick {
    let counter = Some(u16::try_from((n + 65_500).rem_euclid(65_536)).unwrap());
    Tick { stamp: Some(n * 480_000), counter, arrival: n * 480_000, ..Tick::default() }
}

fn lost(ticks: impl IntoIterator<Item = Tick>) -> u64 {
    let mut sequence = Sequence::default();
    ticks.into_iter().for_each(|tick| sequence.push(&tick));
    sequence.finish().map_or(0, |lost| lost.packets)
}

#[test]
fn whole_streams_lose_nothing() {
    assert_eq!(lost((0..3000).map(head)), 0);
    assert_eq!(lost((0..3000).map(counted)), 0);
    assert_eq!(lost([]), 0);
    assert_eq!(lost([counted(0)]), 0);
}

#[test]
fn missing_packets_are_counted() {
    let is_there = |n: &i64| *n < 10 || n % 5 != 0 && !(100..170).contains(n) || *n == 2995;
    let missing = 2996 - u64::try_from((0..2996).filter(is_there).count()).unwrap();
    assert_eq!(lost((0..2996).filter(is_there).map(counted)), missing);
    assert_eq!(lost((0..2996).filter(is_there).map(head)), missing);
}

#[test]
fn a_counter_may_turn_around_in_a_gap_or_begin_again_with_each_frame() {
    assert_eq!(lost((0..100).chain(70_100..70_200).map(counted)), 70_000);
    let framed = |n: i64| Tick { counter: Some(u16::try_from(n % 208).unwrap()), ..counted(n) };
    assert_eq!(lost((0..1000).map(framed)), 0);
    assert_eq!(
        lost((0..1000).filter(|n| !(200..230).contains(n) && n % 208 != 0 || *n == 0).map(framed)),
        33
    );
}

#[test]
fn a_sensor_that_begins_again_loses_nothing() {
    // Switched off for ten seconds: stamps and counter begin at zero, or stamps are dated.
    let late = |tick: Tick| Tick { arrival: tick.arrival + 10_000_000_000, ..tick };
    assert_eq!(lost((500..700).map(counted).chain((0..200).map(counted).map(late))), 0);
    let fresh = |n: i64| Tick {
        counter: Some(u16::try_from(n).unwrap()),
        stamp: Some(n * 480_000 + 10_000_000_000),
        ..late(counted(n))
    };
    assert_eq!(lost((500..700).map(counted).chain((0..200).map(fresh))), 0);
    assert_eq!(lost((500..700).map(head).chain((0..200).map(head).map(late))), 0);
}

#[test]
fn a_clock_that_is_set_loses_nothing() {
    const DATE: i64 = 1_700_000_000_000_000_000;
    let dated = |n: i64| Tick { stamp: Some(DATE + n * 480_000), ..counted(n) };
    assert_eq!(lost((0..500).map(counted).chain((500..1000).map(dated))), 0);
    assert_eq!(lost((0..500).map(counted).chain((510..1000).map(dated))), 10);
    assert_eq!(lost((0..500).map(dated).chain((510..1000).map(counted))), 0, "it began again");
}

#[test]
fn a_late_packet_is_not_lost() {
    assert_eq!(lost([0, 1, 2, 4, 3, 5, 6, 9, 7, 10].map(counted)), 1);
    let mut order: Vec<i64> = (0..200).collect();
    order.swap(120, 121);
    assert_eq!(lost(order.into_iter().map(head)), 0);
}

#[test]
fn a_sector_without_measurements_loses_nothing() {
    // Packets end at the edge of the sector.
    let measures = |n: &i64| (n * 478).rem_euclid(36_000) < 18_000;
    assert_eq!(lost((0..700).filter(measures).map(head)), 0);
    let mut sequence = Sequence::default();
    (0..700).filter(measures).for_each(|n| sequence.push(&head(n)));
    assert!(sequence.finish().is_none() && !sequence.is_mixed());
    let seen = |n: &i64| measures(n) && (!(300..310).contains(n) || n % 75 == 0);
    let missing = (0..700).filter(measures).count() - (0..700).filter(seen).count();
    let counted = lost((0..700).filter(seen).map(head));
    assert!(counted.abs_diff(missing as u64) <= 1, "{counted} of {missing}");
}

#[test]
fn two_senders_are_noticed() {
    let mut sequence = Sequence::default();
    for n in 0..20 {
        sequence.push(&counted(n));
        let other = Tick { stamp: Some(n * 480_000 + 7_000_000_000), ..counted(n + 9000) };
        sequence.push(&other);
    }
    assert!(sequence.finish().is_none() && sequence.is_mixed());
    // Two heads with one clock, turned by half a turn.
    let mut sequence = Sequence::default();
    for n in 0..20 {
        sequence.push(&head(n));
        let turn = head(n).turn.map(|turn| Turn { first: (turn.first + 18_000) % 36_000, ..turn });
        sequence.push(&Tick { turn, ..head(n) });
    }
    assert!(sequence.finish().is_none() && sequence.is_mixed());
}

#[test]
fn a_packet_captured_twice_is_noticed_once() {
    let mut recent = Recent::default();
    let packet = |n: u8| [[n; 40], [7; 40]].concat();
    let stamp = (0, u64::MAX);
    assert!(!recent.repeats(&packet(1), stamp) && !recent.repeats(&packet(2), stamp));
    assert!(recent.repeats(&packet(1), stamp) && !recent.repeats(&packet(3), stamp));
    assert!(!recent.repeats(&packet(1), (0, 0)) && !recent.repeats(&packet(0), stamp), "without a stamp");
    (10..50).for_each(|n| assert!(!recent.repeats(&packet(n), stamp)));
    assert!(!recent.repeats(&packet(1), stamp), "long ago");
}
