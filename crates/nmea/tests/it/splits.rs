//! The splits of a file, in order, give the same samples as the file.

use robolog_nmea::Options;

use crate::support::{fixes, samples, with_sum};

#[test]
fn all_splits_together_give_the_samples_of_the_whole() {
    let several = testkit::assert_all_splits_agree::<robolog_nmea::Nmea>("nmea");
    assert!(several > 5, "{several}");
}

/// A fix without a time continues the one before until a sentence repeats, so a split there needs all of the earlier
/// fix: here only the first has its speed.
#[test]
fn fixes_without_a_time_are_not_split_from_what_they_belong_to() {
    let mut log = with_sum("GPRMC,100000.00,A,4545.6,N,00306.5,E,10.0,090.0,311298,,,A");
    for minute in 10..30 {
        log += &with_sum(&format!("GPGGA,,4545.{minute},N,00306.5,E,1,08,1.0,411.2,M,49.4,M,,"));
    }
    testkit::assert_splits_agree::<robolog_nmea::Nmea>("without a time", log.as_bytes());
    let samples = samples(log.as_bytes(), Options::default());
    let fast: Vec<_> =
        fixes(&samples).iter().filter(|(_, fix)| fix.speed.is_some()).map(|(_, fix)| fix.latitude).collect();
    assert_eq!(fast.len(), 1, "{fast:?}");
}

/// A date without a fix, as ZDA gives it, is carried to each split if no better one is known.
#[test]
fn a_log_that_only_zda_dates_has_splits() {
    let mut log = String::new();
    for day in ["31,12,1998", "05,01,1999"] {
        log += &with_sum(&format!("GPZDA,100000.00,{day},00,00"));
        for second in 1..40 {
            log +=
                &with_sum(&format!("GPGGA,1000{second:02}.00,4545.6,N,00306.5,E,1,08,1.0,411.2,M,49.4,M,,"));
        }
    }
    let splits = testkit::assert_splits_agree::<robolog_nmea::Nmea>("dated by ZDA", log.as_bytes());
    assert!(splits > 60, "{splits}");
}

#[test]
fn heights_are_summed_as_decimals() {
    let log = with_sum("GPGGA,100000.00,4545.6,N,00306.5,E,1,08,1.0,411.2,M,-13.9,M,,")
        + &with_sum("GPGGA,100001.00,4545.6,N,00306.5,E,1,08,1.0,411.2,M,49.4,M,,");
    let samples = samples(log.as_bytes(), Options::default());
    let heights: Vec<_> = fixes(&samples).iter().map(|(_, fix)| fix.altitude).collect();
    assert_eq!(heights, [Some(397.3), Some(460.6)]);
}

/// The date of the log is in the part left out, on either side.
#[test]
fn a_copy_of_some_sentences_has_the_times_that_they_had() {
    use robolog_nmea::robolog_core::format::{Copier as _, Format as _};
    use robolog_nmea::{Copier, Nmea, Reader};
    let fix = |second: u32| {
        with_sum(&format!("GPGGA,1000{second:02}.00,4545.6,N,00306.5,E,1,08,1.0,411.2,M,49.4,M,,"))
    };
    let rmc = |second: u32, status: char, date: u32| {
        with_sum(&format!("GPRMC,1000{second:02}.00,{status},4545.6,N,00306.5,E,10.0,090.0,{date:06},,,A"))
    };
    // A receiver without a fix sends 1980.
    let log = [fix(1), rmc(2, 'A', 300608), fix(3), rmc(4, 'V', 60180), fix(5)].concat();
    let whole = samples(log.as_bytes(), Options::default());
    let times: Vec<_> = fixes(&whole).iter().map(|(time, _)| *time).collect();
    for (from, to) in [(0, 1), (0, 5), (2, 5), (3, 5), (4, 5)] {
        let reader = Reader::new(log.as_bytes()).unwrap();
        let mut copy = Copier::new(std::io::Cursor::new(Vec::new()), reader.header(), b"").unwrap();
        for (number, record) in reader.records().enumerate() {
            copy.copy(&record.unwrap(), &mut |_, _| (from..to).contains(&number)).unwrap();
        }
        let copy = copy.finish().unwrap().into_inner();
        assert!(Nmea::detect(&copy), "{from}..{to}");
        let part = samples(&copy, Options::default());
        let found: Vec<_> = fixes(&part).iter().map(|(time, _)| *time).collect();
        assert_eq!(found, times[from..to], "{from}..{to}: {}", String::from_utf8_lossy(&copy));
        assert_eq!(copy == log.as_bytes(), (from, to) == (0, 5));
    }
}
