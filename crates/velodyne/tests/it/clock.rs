//! When packets were sent, from the clock inside them and late arrivals.

use velodyne_packet::{Detection, Generation, Model, PACKET_LEN, PacketClock, ReturnMode};

const INTERVAL: i64 = 1_327_104;
const HOUR: i64 = 3_600_000_000;
const SECOND: i64 = 1_000_000_000;

fn vlp16() -> PacketClock {
    PacketClock::new(&Detection::assume(Model::Vlp16, ReturnMode::Strongest, Generation::Factory))
}

fn packet(micros: i64) -> [u8; PACKET_LEN] {
    let mut packet = [0; PACKET_LEN];
    let clock = u32::try_from(micros.rem_euclid(HOUR)).unwrap();
    packet[1200..1204].copy_from_slice(&clock.to_le_bytes());
    packet
}

/// Pseudo-random tenths of a millisecond; one in 64 packets is not delayed.
fn delay(i: i64) -> i64 {
    if i % 64 == 31 { 0 } else { (i * 7919 + i / 5 * 104_729) % 900_000 }
}

/// Times of packets passed in messages of 75, after looking ahead at the first second.
fn times(stream: &[(i64, i64)]) -> Vec<i64> {
    let message = |some: &[(i64, i64)]| -> (Vec<_>, Vec<_>) {
        some.iter().map(|(micros, arrival)| (packet(*micros), *arrival)).unzip()
    };
    let mut clock = vlp16();
    let (packets, arrivals) = message(&stream[..clock.ahead().min(stream.len())]);
    clock.look_ahead([(&*packets, &*arrivals)]);
    let (mut all, mut some) = (Vec::new(), Vec::new());
    for turn in stream.chunks(75) {
        let (packets, arrivals) = message(turn);
        clock.times(&packets, &arrivals, &mut some);
        all.extend(&some);
    }
    all
}

/// A sensor whose clock begins half a second before an hour, and the times at which its packets were sent.
fn stream(packets: i64, drift_ppm: i64) -> (Vec<(i64, i64)>, Vec<i64>) {
    let start = 1_700_000_000 * SECOND;
    let each = |i: i64| {
        let passed = i * 1_327_000;
        let sent = start + passed + passed / 1_000_000 * drift_ppm;
        ((HOUR - 500_000 + passed / 1000, sent + INTERVAL + delay(i)), sent)
    };
    (0..packets).map(each).unzip()
}

fn assert_rising(times: &[i64]) {
    let backwards = times.windows(2).position(|pair| pair[1] <= pair[0]);
    assert_eq!(backwards, None, "{:?}", backwards.map(|at| &times[at..at + 2]));
}

#[test]
fn steps_are_those_of_the_sensor_whatever_the_arrivals_say() {
    let (mut packets, sent) = stream(2000, 0);
    // A network stall: 40 packets arrive at once, up to 50 ms late, and nothing else changes.
    let late = packets[1040].1;
    for (_, arrival) in &mut packets[1002..1040] {
        *arrival = late;
    }
    assert_eq!(times(&packets), sent);
}

#[test]
fn a_drift_is_followed() {
    for drift in [-80, 80] {
        // Ten minutes, during which the clock passes a full hour.
        let (packets, sent) = stream(450_000, drift);
        let times = times(&packets);
        assert_rising(&times);
        let furthest = times.iter().zip(&sent).map(|(time, sent)| time.abs_diff(*sent)).max().unwrap();
        assert!(furthest < 500_000, "{drift} ppm: {furthest} ns");
        // A turn takes as long as the sensor says.
        for (time, packet) in times.windows(76).zip(packets.windows(76)) {
            let long = (time[75] - time[0]) - (packet[75].0 - packet[0].0) * 1000;
            assert!(long.abs() < 50_000, "{long} ns");
        }
    }
}

#[test]
fn one_wild_arrival_changes_nothing() {
    let (sound, sent) = stream(3000, 0);
    for at in [0, 1, 500, 999, 2999] {
        for wild in [0, i64::MIN, i64::MAX, sound[at].1 - 3 * SECOND, sound[at].1 + 3600 * SECOND] {
            let mut packets = sound.clone();
            packets[at].1 = wild;
            assert!(times(&packets) == sent, "arrival {wild} of packet {at}");
        }
    }
}

#[test]
fn one_damaged_clock_changes_one_time() {
    let (sound, sent) = stream(3000, 0);
    for at in [1, 500, 1000, 2999] {
        for wild in [0, HOUR / 2, sound[at].0 + HOUR / 3] {
            let mut packets = sound.clone();
            packets[at].0 = wild;
            let times = times(&packets);
            assert_rising(&times);
            let others = times.iter().zip(&sent).enumerate().filter(|(i, (a, b))| *i != at && a != b).count();
            assert_eq!(others, 0, "clock {wild} of packet {at}");
            assert!(times[at].abs_diff(sent[at]) < 1_000_000);
        }
    }
}

#[test]
fn counting_begins_anew_when_the_clock_was_set() {
    for set in [-1_000_000_000, 1_234_567_890] {
        let (mut packets, sent) = stream(3000, 0);
        for (micros, _) in &mut packets[1000..] {
            *micros += set;
        }
        let times = times(&packets);
        assert_rising(&times);
        assert_eq!(times[..1000], sent[..1000]);
        // The next message has seen enough packets.
        let furthest = times.iter().zip(&sent).skip(1000).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(furthest < 1_000_000, "{furthest} ns");
        assert_eq!(times[1500..], sent[1500..]);
    }
}

#[test]
fn a_pause_of_hours_is_as_long_as_it_was() {
    let (mut packets, mut sent) = stream(2000, 0);
    for (packet, sent) in packets[900..].iter_mut().zip(&mut sent[900..]) {
        packet.0 += 5 * HOUR / 2;
        packet.1 += 9000 * SECOND;
        *sent += 9000 * SECOND;
    }
    assert_eq!(times(&packets), sent);
}

#[test]
fn packets_without_a_clock_are_spread_between_their_arrivals() {
    let sensor = Detection::assume(Model::Hdl64eS1, ReturnMode::Strongest, Generation::SpinTemperature);
    let interval = 384_300;
    let mut clock = PacketClock::new(&sensor);
    assert_eq!(clock.ahead(), 0);
    let sent: Vec<i64> = (0..600).map(|i| SECOND + i * (interval + 400)).collect();
    let mut arrivals: Vec<i64> = sent.iter().zip(0..).map(|(sent, i)| sent + interval + delay(i)).collect();
    // Twenty arrive at once.
    let late = arrivals[219];
    arrivals[200..219].fill(late);
    arrivals[450] = 0;
    let (mut all, mut some) = (Vec::new(), Vec::new());
    for arrivals in arrivals.chunks(100) {
        clock.times(&vec![[0; PACKET_LEN]; arrivals.len()], arrivals, &mut some);
        all.extend(&some);
    }
    assert_rising(&all);
    let furthest = all.iter().zip(&sent).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(furthest < 1_000_000, "{furthest} ns");
}
