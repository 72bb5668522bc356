//! Sentences of one epoch make one fix, and its satellites one sample.

use std::collections::BTreeMap;

use robolog_core::{Clock, Constellation, FixQuality, Value};
use robolog_nmea::{Date, Message, Options, Reader, SkyView};

use crate::support::{fixes, real, samples, with_sum};

#[test]
fn sentences_of_a_moment_are_one_fix() {
    let log: String = [
        "GPGGA,235959.50,4545.60946,N,00306.59563,E,4,08,0.98,411.2,M,49.4,M,1.5,0123",
        "GPGSA,A,3,02,12,,,,,,,,,,,1.99,0.98,1.55",
        "GPRMC,235959.50,A,4545.60946,N,00306.59563,E,10.0,090.0,311298,,,A",
        "GPVTG,91.0,T,,M,11.0,N,20.4,K",
        "GPGGA,000000.50,4545.60947,S,00306.59563,W,1,08,,,,,,,",
        "GPVTG,180.0,T,,M,36.0,N,66.7,K",
        "GPGLL,4545.60948,N,00306.59563,E,000001.50,A",
        "GPRMC,000002.50,V,4545.60949,N,00306.59563,E,,,010199,,",
        "GPRMC,000003.50,V,,,,,,,010199,,",
    ]
    .map(with_sum)
    .concat();
    let samples = samples(log.as_bytes(), Options::default());
    let fixes = fixes(&samples);
    let times: Vec<_> = fixes.iter().map(|(time, _)| time.unwrap().to_string()).collect();
    assert_eq!(
        times,
        [
            "1998-12-31T23:59:59.500000000Z",
            "1999-01-01T00:00:00.500000000Z",
            "1999-01-01T00:00:01.500000000Z",
            "1999-01-01T00:00:02.500000000Z"
        ],
        "the first GGA is dated by the RMC behind it; midnight passes"
    );
    let first = fixes[0].1;
    assert_eq!((first.altitude_msl, first.quality), (Some(411.2), FixQuality::RtkFixed));
    assert!((first.altitude.unwrap() - 460.6).abs() < 1e-9);
    assert_eq!(
        (first.pdop, first.hdop, first.vdop, first.satellites),
        (Some(1.99), Some(0.98), Some(1.55), Some(8))
    );
    assert!((first.speed.unwrap() - 5.144_444).abs() < 1e-5, "RMC before VTG");
    assert!((first.course.unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    let second = fixes[1].1;
    assert!(
        second.latitude < 0.0 && second.longitude < 0.0 && second.altitude.is_none() && second.hdop.is_none()
    );
    assert!((second.speed.unwrap() - 18.52).abs() < 1e-9);
    assert_eq!(fixes[2].1.quality, FixQuality::Unknown, "GLL without a mode");
    assert_eq!(fixes[3].1.quality, FixQuality::None);
    assert_eq!(fixes.len(), 4);
}

/// Without times, a second sentence of a type begins the next fix.
#[test]
fn positions_without_times_are_fixes_each() {
    let log: String = [
        "GPRMC,,A,4545.60946,N,00306.59563,E,9.700,79.436,230394,,W",
        "GPGLL,4545.60946,N,00306.59563,E,,A",
        "GPRMC,,A,4545.60947,N,00306.59563,E,9.700,79.436,230394,,W",
        "GPRMC,,A,4545.60948,N,00306.59563,E,9.700,79.436,230394,,W",
        "GPGGA,,4545.60949,N,00306.59563,E,1,08,1.1,411.2,M,49.4,M,,",
        "GPRMC,,A,4545.60950,N,00306.59563,E,9.700,79.436,230394,,W",
    ]
    .map(with_sum)
    .concat();
    let samples = samples(log.as_bytes(), Options::default());
    let minutes: Vec<_> =
        fixes(&samples).iter().map(|(_, fix)| ((fix.latitude - 45.0) * 6e6).round()).collect();
    assert_eq!(minutes, [4_560_946.0, 4_560_947.0, 4_560_949.0, 4_560_950.0]);
}

#[test]
fn talkers_of_one_epoch_make_one_fix() {
    let log: String = [
        "GPGGA,100000.00,4545.60946,N,00306.59563,E,1,08,1.1,411.2,M,49.4,M,,",
        "GLGGA,100000.00,4545.60947,N,00306.59564,E,2,05,2.2,411.9,M,49.4,M,1.5,0123",
        "GPGST,100000.00,1.5,,,,3.0,2.0,5.0",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,1,08,1.1,411.2,M,49.4,M,,0000",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,0,00,,,M,,M,,",
    ]
    .map(with_sum)
    .concat();
    let samples = samples(log.as_bytes(), Options::default());
    let fixes = fixes(&samples);
    assert_eq!(fixes.len(), 3, "{fixes:?}");
    let first = fixes[0].1;
    assert_eq!((first.talkers.as_deref(), first.quality), (Some("GP GL"), FixQuality::Dgps));
    assert_eq!((first.satellites, first.hdop, first.altitude_msl), (Some(5), Some(2.2), Some(411.9)));
    assert_eq!((first.age_of_corrections_s, first.station_id), (Some(1.5), Some(123)));
    // East is the longitude's error: 2 m.
    assert_eq!(first.position_covariance, Some([4.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 25.0]));
    let second = fixes[1].1;
    assert_eq!((second.talkers.as_deref(), second.position_covariance), (Some("GP"), None));
    assert_eq!(second.station_id, None, "station 0 without an age");
    assert_eq!(fixes[2].1.quality, FixQuality::None, "a position of quality 0 is marked");
}

#[test]
fn without_a_date_times_count_from_midnight() {
    let log: String = ["235959.00", "000001.00"]
        .map(|time| with_sum(&format!("GPGGA,{time},4545.60946,N,00306.59563,E,1,08,,,,,,,")))
        .concat();
    let all = samples(log.as_bytes(), Options::default());
    let nanos: Vec<_> = all.iter().map(|s| s.time.unwrap()).map(|t| (t.nanos(), t.clock())).collect();
    let s = 1_000_000_000;
    assert_eq!(nanos, [(86_399 * s, Clock::Relative), (86_401 * s, Clock::Relative)]);
    let mut options = Options::default();
    options.date = Date::new(2012, 6, 30);
    let all = samples(log.as_bytes(), options);
    assert_eq!(all[1].time.unwrap().to_string(), "2012-07-01T00:00:01.000000000Z");
    let leap = with_sum("GPRMC,235960.00,A,4545.6,N,00306.5,E,,,300612,,,A");
    let all = samples(leap.as_bytes(), Options::default());
    assert_eq!(all[0].time.unwrap().to_string(), "2012-07-01T00:00:00.000000000Z");
}

/// Tracks in which the date comes after the first positions, and midnight passes: times of day are those in the files.
#[test]
fn days_pass_in_the_logs_of_gpsbabel() {
    let files: BTreeMap<_, _> = real().into_iter().collect();
    for (name, first, last) in [
        ("gpsbabel__reference_track_backfilldate.nmea", "23:56", "00:04"),
        ("gpsbabel__reference_track_nmeadate.nmea", "", ""),
    ] {
        let Some(file) = files.get(name) else { continue };
        let samples = samples(file, Options::default());
        let times: Vec<_> = samples.iter().filter_map(|s| s.time).collect();
        assert!(times.iter().all(|t| t.clock() == Clock::Unix), "{name}");
        println!("{name}: {} to {}", times[0], times[times.len() - 1]);
        assert!(times[0].to_string().contains(first) && times[times.len() - 1].to_string().contains(last));
        if !first.is_empty() {
            assert!(times.is_sorted_by_key(|t| t.nanos()), "{name}");
        }
    }
}

#[test]
fn satellites_of_several_systems_and_signals_are_one_epoch() {
    let log: String = [
        "GPGGA,100000.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GPGSV,2,1,05,02,26,052,40,12,31,088,39,14,18,225,38,33,34,205,35,1",
        "GPGSV,2,2,05,40,17,119,,1",
        "GPGSV,1,1,01,02,26,052,44,6",
        "GLGSV,1,1,01,70,-2,119,20",
        "GAGSV,1,1,00",
        "GPGGA,100001.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GPGSV,,2,,05,10,020,",
        "GPGGA,100002.00,4545.60946,N,00306.59563,E,1,08,,,,,,,",
        "GNGSV,1,1,00",
    ]
    .map(with_sum)
    .concat();
    let all = samples(log.as_bytes(), Options::default());
    let skies: Vec<_> = all
        .iter()
        .filter_map(|s| match &s.value {
            Value::Satellites(sky) => {
                Some((s.time.unwrap().nanos() / 1_000_000_000 - 36_000, &sky.satellites))
            }
            _ => None,
        })
        .collect();
    assert_eq!(skies.len(), 2, "{skies:?}");
    let first: Vec<_> = skies[0].1.iter().map(|s| (s.constellation, s.id, s.signal, s.snr)).collect();
    assert_eq!(
        first,
        [
            (Constellation::Gps, 2, Some(1), Some(40.0)),
            (Constellation::Gps, 12, Some(1), Some(39.0)),
            (Constellation::Gps, 14, Some(1), Some(38.0)),
            (Constellation::Sbas, 33, Some(1), Some(35.0)),
            (Constellation::Sbas, 40, Some(1), None),
            (Constellation::Gps, 2, Some(6), Some(44.0)),
            (Constellation::Glonass, 70, None, Some(20.0)),
        ],
        "each signal of a satellite has its own strength"
    );
    assert!((skies[0].1[0].elevation.unwrap() - 26.0_f64.to_radians()).abs() < 1e-12);
    assert!(skies[0].1[6].elevation.unwrap() < 0.0, "below the horizon");
    // A part without the first sentence is not complete: the next ones join it.
    assert_eq!((skies[1].0, skies[1].1.len()), (1, 1));
}

#[test]
fn a_view_of_the_sky_says_whether_it_is_complete() {
    let text = with_sum("GPGSV,3,1,11,02,26,052,40") + &with_sum("GPGSV,3,3,11,05,26,052,40");
    let mut view = SkyView::new();
    for record in Reader::new(text.as_bytes()).unwrap().records().map(Result::unwrap) {
        let Some(Message::Gsv(gsv)) = record.message() else { panic!() };
        assert!(view.push(record.sentence().unwrap(), &gsv, None).is_none());
    }
    let sky = view.finish().unwrap();
    assert_eq!((sky.is_complete, sky.satellites.satellites.len(), sky.offset), (false, 2, 0));
    assert!(view.finish().is_none());
}

/// Letters of NMEA 0183's mode indicator.
#[test]
fn modes_are_those_of_the_standard() {
    use FixQuality::{Dgps, Estimated, Gps, Manual, None, Pps, RtkFixed, RtkFloat, Simulated, Unknown};
    let letters = [
        ("A", Gps),
        ("D", Dgps),
        ("P", Pps),
        ("R", RtkFixed),
        ("F", RtkFloat),
        ("E", Estimated),
        ("M", Manual),
        ("S", Simulated),
        ("N", None),
        ("X", Unknown),
    ];
    for (letter, quality) in letters {
        let log = with_sum(&format!("GPGLL,4545.6,N,00306.5,E,100000.00,A,{letter}"));
        let samples = samples(log.as_bytes(), Options::default());
        assert_eq!(fixes(&samples)[0].1.quality, quality, "{letter}");
    }
}

/// First and last numbers of each system, and their neighbours.
#[test]
fn satellites_belong_to_systems_by_number_and_talker() {
    use Constellation::{Beidou, Galileo, Glonass, Gps, Navic, Qzss, Sbas, Unknown};
    let system = |talker: &str, id: u16| {
        let log = with_sum("GPGGA,100000.00,4545.6,N,00306.5,E,1,08,,,,,,,")
            + &with_sum(&format!("{talker}GSV,1,1,01,{id:02},10,020,30"));
        let samples = samples(log.as_bytes(), Options::default());
        let satellites = samples.iter().find_map(|sample| match &sample.value {
            Value::Satellites(sky) => Some(sky.satellites.clone()),
            _ => None,
        });
        satellites.unwrap()[0].constellation
    };
    for (ids, constellation) in [
        ([1, 32], Gps),
        ([33, 64], Sbas),
        ([65, 96], Glonass),
        ([97, 119], Unknown),
        ([120, 158], Sbas),
        ([159, 192], Unknown),
        ([193, 200], Qzss),
        ([201, 264], Beidou),
        ([265, 300], Unknown),
        ([301, 336], Galileo),
        ([337, 400], Unknown),
        ([401, 463], Beidou),
        ([464, 999], Unknown),
    ] {
        assert_eq!(ids.map(|id| system("GN", id)), [constellation; 2], "{ids:?}");
        let by_gps = if constellation == Unknown { Gps } else { constellation };
        assert_eq!(ids.map(|id| system("GP", id)), [by_gps; 2], "{ids:?} of GPS");
    }
    for (talker, constellation) in
        [("GA", Galileo), ("GB", Beidou), ("BD", Beidou), ("GQ", Qzss), ("GI", Navic)]
    {
        assert_eq!(system(talker, 2), constellation, "{talker}");
    }
    assert_eq!([32, 33, 64, 65].map(|id| system("GL", id)), [Glonass, Sbas, Sbas, Glonass]);
}

testkit::serializes!(robolog_nmea, "nmea/types.nmea", "types");
