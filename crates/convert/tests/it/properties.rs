//! Properties of any value: times stay whole nanoseconds, and units and axes convert back and forth.

use alog::Seconds;
use carla_rec::Axes;
use effibox::lambert::{Geodetic, Lambert};
use proptest::{prelude::*, test_runner::RngSeed};
use robolog_convert::Bound;
use robolog_core::{Clock, Pose, Timestamp};
use robolog_nmea::{Coordinate, Decimal, Time};

/// Between the years 1678 and 2262, with a bias for the limits and for today.
fn nanos() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        -5_i64..5,
        i64::MAX - 5..=i64::MAX,
        i64::MIN..i64::MIN + 5,
        1_700_000_000_000_000_000_i64..1_800_000_000_000_000_000,
    ]
}

/// An angle away from gimbal lock.
fn angle() -> impl Strategy<Value = f64> {
    -1.5..1.5_f64
}

proptest! {
    // The same values in each run, and no files of failures: each has a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, rng_seed: RngSeed::Fixed(17), ..ProptestConfig::default() })]

    #[test]
    fn a_moment_is_printed_and_read_to_the_nanosecond(n in nanos()) {
        let time = Timestamp::new(n, Clock::Unix);
        prop_assert_eq!(time.to_string().parse(), Ok(Bound::Unix(n)));
        prop_assert_eq!(robolog_xml::parse_time(time.to_string().as_bytes()), Some(time));
        prop_assert_eq!(Seconds::parse(Timestamp::new(n, Clock::Relative).to_string().as_bytes()), Some(Seconds::from_nanos(n.into())));
        if let Some(system) = time.to_system_time() {
            prop_assert_eq!(Timestamp::from_system_time(system), Some(time));
        }
    }

    #[test]
    fn spans_add_up_or_are_refused(n in nanos(), by in nanos()) {
        let time = Timestamp::new(n, Clock::Unix);
        match time.checked_add(by) {
            Some(later) => prop_assert_eq!(later.since(time), Some(by)),
            None => prop_assert!(n.checked_add(by).is_none()),
        }
        let (seconds, rest) = time.secs_and_nanos();
        prop_assert_eq!(i128::from(seconds) * 1_000_000_000 + i128::from(rest), i128::from(n));
        prop_assert_eq!(time.since(Timestamp::new(by, Clock::Device)), None, "clocks do not compare");
    }

    #[test]
    fn seconds_of_logs_keep_their_digits(n in nanos(), decimals in 0_usize..12) {
        let seconds = Seconds::from_nanos(n.into());
        let text = seconds.with_decimals(decimals);
        let read = Seconds::parse(text.as_bytes()).unwrap();
        let unit = 10_i128.pow(9_u32.saturating_sub(u32::try_from(decimals).unwrap()));
        prop_assert!((read.nanos() - seconds.nanos()).abs() * 2 <= unit, "{} became {}", n, text);
        if decimals >= 9 {
            prop_assert_eq!(read, seconds);
        }
    }

    #[test]
    fn times_of_day_keep_their_nanoseconds(n in 0_i64..86_400_000_000_000) {
        let time = Time::of(Timestamp::new(n, Clock::Unix)).unwrap();
        prop_assert_eq!(time.since_midnight(), n);
    }

    #[test]
    fn degrees_become_minutes_and_degrees_again(latitude in -90.0..=90.0_f64, longitude in -180.0..=180.0_f64) {
        let [north, east] = [Coordinate::latitude(latitude, 9), Coordinate::longitude(longitude, 9)].map(Option::unwrap);
        prop_assert!((north.degrees() - latitude).abs() < 1e-11);
        prop_assert!((east.degrees() - longitude).abs() < 1e-11);
        prop_assert!(Coordinate::latitude(latitude.signum() * (90.0 + latitude.abs()) + latitude.signum() * 1e-3, 5).is_none());
    }

    #[test]
    fn decimals_are_printed_as_they_are_read(digits in any::<i32>(), decimals in 0_u8..10) {
        let decimal = Decimal::new(digits.into(), decimals);
        // Keeps its digits; the number before the point follows from the value read.
        let read = Decimal::parse(decimal.to_string().as_bytes()).unwrap();
        prop_assert_eq!((read.to_string(), read.as_f64().to_bits()), (decimal.to_string(), decimal.as_f64().to_bits()));
        let exact = f64::from(digits) / 10_f64.powi(decimals.into());
        prop_assert!((decimal.as_f64() - exact).abs() <= exact.abs() * 1e-15);
    }

    #[test]
    fn poses_lead_to_the_simulators_axes_and_back(
        position in [-1e6..1e6_f64, -1e6..1e6, -1e4..1e4],
        roll in angle(),
        pitch in angle(),
        yaw in -3.1..3.1_f64,
    ) {
        let pose = Pose::from_euler(position, roll, pitch, yaw);
        let (location, rotation) = Axes::to_unreal(&pose);
        prop_assert!((location.y + position[1] * 100.0).abs() <= position[1].abs() * 1e-12, "left-handed centimetres");
        let back = Axes::Ros.pose(location, rotation);
        prop_assert!((back.position - pose.position).norm() <= pose.position.norm() * 1e-12);
        prop_assert!(back.orientation.angle_to(&pose.orientation) < 1e-7);
    }

    #[test]
    fn places_lead_to_the_map_and_back(latitude in 42.0..51.0_f64, longitude in -5.0..8.0_f64, height in -100.0..4000.0_f64) {
        let at = Geodetic { latitude: latitude.to_radians(), longitude: longitude.to_radians(), height };
        for projection in [Lambert::DATA_SET, Lambert::EPSG_27572] {
            let back = projection.inverse(projection.forward(at));
            // A nanoradian is six millimetres.
            prop_assert!((back.latitude - at.latitude).abs() < 1e-9 && (back.longitude - at.longitude).abs() < 1e-9);
            prop_assert!((back.height - height).abs() < 1e-2, "{} m", back.height - height);
        }
    }
}
