//! User input: times, spans, rates, names of formats and targets.

use std::{path::Path, time::Duration};

use robolog_convert::{
    Bound,
    sink::{Epsg, Rate},
    targets,
};
use robolog_core::{Clock, Timestamp};

pub(super) const SEEDS: &[&str] = &[
    "2024-09-17T15:47:55.25Z",
    "2024-09-17T15:47:55+02:00[Europe/Paris]",
    "@1750223328.5",
    "@-0.000000001",
    "2m30s",
    "-30s",
    "12.5",
    "1h2m3.5s",
    "P1DT2H",
    "9223372036.854775807",
    "EPSG:32632",
    "0.000001",
    "1e6",
    "out/scan.LAZ",
    "x.tar.gz",
    "$GPGGA,1,2*00",
];

/// Parsed values are exact to the nanosecond, and printing and parsing them round-trips.
pub(super) fn texts(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let bound = text.parse::<Bound>();
    if let Ok(bound) = &bound {
        check(*bound);
        let later = Bound::after(Some(*bound), Duration::from_nanos(1));
        assert!(later != *bound || [i64::MAX, i64::MIN].contains(&nanos(*bound)), "{bound:?}");
    }
    if let Ok(span) = Bound::duration(&text) {
        assert_eq!(bound, Ok(Bound::FromStart(i64::try_from(span.as_nanos()).unwrap())), "{text}");
    }
    if let Ok(rate) = text.parse::<Rate>() {
        assert_eq!(rate.to_string().parse(), Ok(rate));
        assert!(rate.micro_hz() > 0);
    }
    if let Ok(epsg) = text.parse::<Epsg>() {
        assert_eq!(epsg.to_string().parse(), Ok(epsg));
    }
    if let Ok(target) = targets::by_name(&text) {
        assert_eq!(targets::asked(target.name, Path::new("x")).unwrap(), target);
    }
    drop((targets::by_path(Path::new(&*text)), targets::asked("las", Path::new(&*text))));
    robolog_core::text::number(data);
    if let Some(seconds) = alog::Seconds::parse(data) {
        assert_eq!(alog::Seconds::parse(seconds.with_decimals(9).as_bytes()), Some(seconds), "{text}");
    }
    robolog_xml::parse_time(data);
}

fn nanos(bound: Bound) -> i64 {
    let (Bound::Unix(nanos) | Bound::FromStart(nanos) | Bound::FromEnd(nanos)) = bound;
    nanos
}

/// As a user would type it.
fn check(bound: Bound) {
    let nanos = nanos(bound);
    let (sign, distance) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
    let seconds = format!("{sign}{}.{:09}", distance / 1_000_000_000, distance % 1_000_000_000);
    let typed = match bound {
        Bound::Unix(_) => {
            let dated = Timestamp::new(nanos, Clock::Unix).to_string();
            assert_eq!(dated.parse(), Ok(bound), "{dated}");
            format!("@{seconds}")
        }
        Bound::FromStart(_) => seconds,
        Bound::FromEnd(_) => format!("-{seconds}"),
    };
    assert_eq!(typed.parse(), Ok(bound), "{typed}");
}
