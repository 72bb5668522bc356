//! Values as in real logs; their meaning is from the sources of MOOS and MOOS-IvP.

use std::{sync::Arc, time::Duration};

use alog::{Clock, RawText, Seconds, StreamReader, Strictness, Timestamp, Warp};
use robolog_core::{FieldKind, Row};

fn value(text: &str) -> RawText<'_> {
    RawText(text.as_bytes())
}

fn pairs(text: &str) -> Vec<(Option<&str>, &str)> {
    value(text)
        .items()
        .map(|i| (i.key.map(|k| std::str::from_utf8(k).unwrap()), i.value.text().unwrap()))
        .collect()
}

#[test]
fn numbers_by_the_rules_of_each() {
    for (text, ours, ivp, moos) in [
        ("0.00000      ", Some(0.0), Some(0.0), Some(0.0)),
        ("-12.5", Some(-12.5), Some(-12.5), Some(-12.5)),
        ("+7", Some(7.0), Some(7.0), Some(7.0)),
        ("1.5e-05", Some(1.5e-5), None, Some(1.5e-5)),
        (".5", Some(0.5), Some(0.5), Some(0.5)),
        ("1-2", None, None, Some(1.0)),
        ("e", None, None, Some(0.0)),
        ("nan", None, None, None),
        ("inf", None, None, None),
        ("4.5abc", None, None, None),
        ("1.2.3", None, None, Some(1.2)),
        ("", None, None, None),
        ("-", None, None, Some(0.0)),
    ] {
        let v = value(text);
        assert_eq!(v.number(), ours, "{text:?} by our rules");
        assert_eq!(v.number_as(Strictness::MoosIvp), ivp, "{text:?} by MOOS-IvP's rules");
        assert_eq!(v.number_as(Strictness::Moos), moos, "{text:?} by MOOS's rules");
    }
}

#[test]
fn lists_are_separated_where_nothing_protects() {
    assert_eq!(
        pairs("NAME=alpha,X=12.5, Y = -3"),
        [(Some("NAME"), "alpha"), (Some("X"), "12.5"), (Some("Y"), "-3")]
    );
    assert_eq!(pairs("pts={0,0:10,5},label=b"), [(Some("pts"), "{0,0:10,5}"), (Some("label"), "b")]);
    assert_eq!(pairs("Publishing=\"A,B,\",n=1"), [(Some("Publishing"), "A,B,"), (Some("n"), "1")]);
    assert_eq!(
        pairs("Publishing=X,Y,Subscribing="),
        [(Some("Publishing"), "X"), (None, "Y"), (Some("Subscribing"), "")]
    );
    assert_eq!(pairs("pc=MODE == RETURNING"), [(Some("pc"), "MODE == RETURNING")]);
    assert_eq!(
        pairs("val=points=6,-113#speed=1.5"),
        [(Some("val"), "points=6"), (Some("-113#speed"), "1.5")]
    );
    assert_eq!(
        pairs("a={1,b=2"),
        [(Some("a"), "{1"), (Some("b"), "2")],
        "what is never closed protects nothing"
    );
    assert_eq!(pairs("a=\"1,b=2"), [(Some("a"), "\"1"), (Some("b"), "2")]);
    assert_eq!(pairs(r#"{"NAME":"alpha","X":"1.5"}"#), [(Some("NAME"), "alpha"), (Some("X"), "1.5")]);
    assert_eq!(pairs(""), []);
    let second: Vec<_> =
        value("a=1#b=2").items_by(b'#', Strictness::Ours).map(|i| i.value.number()).collect();
    assert_eq!(second, [Some(1.0), Some(2.0)]);
    // Commas inside any brackets are protected by our rules; MOOS-IvP protects them in quotes and braces only.
    for (list, ivp) in [("p=(0,1),q=2", 3), ("p=[0,1],q=2", 3), ("p={0,1},q=2", 2), ("p=\"0,1\",q=2", 2)] {
        let items = |strictness| value(list).items_by(b',', strictness).count();
        assert_eq!((items(Strictness::Ours), items(Strictness::MoosIvp)), (2, ivp), "{list}");
    }
    // By the rules of MOOS, braces protect nothing.
    let moos: Vec<_> =
        value("p={0,1},q=2").items_by(b',', Strictness::Moos).map(|i| i.value.text().unwrap()).collect();
    assert_eq!(moos, ["{0", "1}", "2"]);
    assert_eq!(value("XPose=1,Pose=2").get("Pose").unwrap().text(), Some("2"));
    assert_eq!(value("a = 4 ,b=5").get_as("a", Strictness::Moos).unwrap().text(), Some("4"));
}

#[test]
fn matrices_are_row_major_and_their_size_is_a_claim() {
    let m = value("[2x3]{1,2,3,4,5,6}").matrix().unwrap();
    assert_eq!((m.rows, m.columns, m.to_vec().unwrap()), (2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(value("[3]{1.5,-2,3e1}").matrix().unwrap().to_vec(), Some(vec![1.5, -2.0, 30.0]));
    assert_eq!(value("[2\u{d7}1]{1,2}").matrix().unwrap().to_vec(), Some(vec![1.0, 2.0]));
    assert_eq!(value("[2x2]{1,2,3,4,}").matrix().unwrap().to_vec(), Some(vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(value("[2]{1,2,3}").matrix().unwrap().to_vec(), None);
    assert_eq!(value(&format!("[{}]{{1}}", usize::MAX)).matrix().unwrap().to_vec(), None);
    let odd: Vec<_> = value("[3]{1, x ,3}").matrix().unwrap().values().collect();
    assert!(odd[0] == 1.0 && odd[1].is_nan() && odd[2] == 3.0);
    assert_eq!(value("[0]{}").matrix().unwrap().values().count(), 0);
    for text in ["[3]", "{1,2}", "[a]{1}", "[1x2x3]{1}", "3x1{1}"] {
        assert_eq!(value(text).matrix(), None, "{text}");
    }
    let list = value("Pose=[3x1]{4.2,18.5,-0.8},Range=[181]{1,2},x=3");
    assert_eq!(list.get_matrix("Pose").unwrap().to_vec(), Some(vec![4.2, 18.5, -0.8]));
    assert_eq!(list.get_matrix("Range").unwrap().columns, 1, "a later x= says nothing");
}

#[test]
fn binary_payloads_are_pointed_at() {
    let v = value("<MOOS_BINARY>File=x.blog,Offset=10,Bytes=20</MOOS_BINARY>");
    assert_eq!(v.binary(), Some((&b"x.blog"[..], 10, 20)));
    assert_eq!(value("<MOOS_BINARY>File=x.blog</MOOS_BINARY>").binary(), None);
}

#[test]
fn seconds_keep_their_decimals_and_never_wrap() {
    let s = |text: &str| Seconds::parse(text.as_bytes());
    assert_eq!(s("-0.04566").unwrap().nanos(), -45_660_000);
    assert_eq!(s("1750223317.648667").unwrap().nanos(), 1_750_223_317_648_667_000);
    assert_eq!(s("-13900000000.12345").unwrap().nanos(), -13_900_000_000_123_450_000);
    assert_eq!(s("81857805391.5").unwrap().on(Clock::Unix), None, "64 bits do not hold it");
    assert_eq!(s("0.1234567891234").unwrap().nanos(), 123_456_789);
    assert_eq!(s("16245646025").unwrap().to_string(), "16245646025");
    assert_eq!(s("1.50").unwrap().to_string(), "1.5");
    assert_eq!(s(&"9".repeat(24)).unwrap().nanos() + 1_000_000_000, 10_i128.pow(33), "24 digits");
    for text in ["", "-", ".5", "1e5", "1.2.3", "--1", "1 ", "9999999999999999999999999"] {
        assert_eq!(s(text), None, "{text:?}");
    }
    assert!(s("2.0") > s("-3.5"));
}

#[test]
fn warps_are_whole_numbers_found_from_the_date() {
    let s = |text: &str| Seconds::parse(text.as_bytes()).unwrap();
    assert_eq!(Warp::guess(s("1675958336.257006"), None), Warp::NONE);
    assert_eq!(Warp::guess(s("7846327529.68"), Some(1_569_265_506)).factor(), 5.0);
    assert_eq!(Warp::guess(s("81857805391.5"), Some(1_637_156_108)).factor(), 50.0);
}

/// As MOOS reads mission files: `//` begins a comment, case does not matter, the first of each counts.
#[test]
fn origins_are_those_that_moos_finds_in_a_mission() {
    let origin = |text: &str| alog::mission_origin(text.as_bytes());
    let mission = "//LatOrigin = 1\n  latorigin= 43.8253 // MIT\nLatOrigin = 2\nLONGORIGIN =-70.33\n";
    assert_eq!(origin(mission), Some((43.8253, -70.33)));
    assert_eq!(origin("LatOrigin = 90\nLongOrigin = -180"), Some((90.0, -180.0)));
    for nowhere in [
        "LatOrigin = 43.8253\n",
        "LatOrigin = 90.5\nLongOrigin = 0\n",
        "LatOrigin = 0\nLongOrigin = 180.5\n",
        "LatOrigin = north\nLongOrigin = 0\n",
        "",
    ] {
        assert_eq!(origin(nowhere), None, "{nowhere}");
    }
}

/// Rows with the same keys share their fields; other rows have fields for their own keys, independent of the previous row.
#[test]
fn rows_have_the_fields_of_their_own_entries() {
    let log = b"%% LOGSTART 1000\n\
        0.1 NODE_REPORT pReport NAME=alpha,X=1\n\
        0.2 NODE_REPORT pReport NAME=beta,X=2\n\
        0.3 NODE_REPORT pReport NAME=beta,Y=3\n\
        0.4 NODE_REPORT pReport NAME=beta,Y=far\n\
        0.5 NODE_REPORT pReport NAME=beta\n";
    let rows: Vec<Row> = StreamReader::new(&log[..])
        .unwrap()
        .samples()
        .filter_map(|sample| match sample.unwrap().value {
            robolog_core::Value::Row(row) => Some(row),
            _ => None,
        })
        .collect();
    let shown: Vec<Vec<_>> =
        rows.iter().map(|row| row.fields.iter().map(|field| (&*field.name, field.kind)).collect()).collect();
    let (name, x, y) = (("NAME", FieldKind::Text), ("X", FieldKind::Float), ("Y", FieldKind::Float));
    let text = ("Y", FieldKind::Text);
    assert_eq!(shown, [vec![name, x], vec![name, x], vec![name, y], vec![name, text], vec![name]]);
    assert!(Arc::ptr_eq(&rows[0].fields, &rows[1].fields));
}

#[test]
fn names_compare_with_text_and_bytes() {
    let reader = alog::Reader::new(b"%% LOGSTART 1.5\n0.5 NAV_X uSim:aux@alpha 12 \n").unwrap();
    let entry = reader.records().next().unwrap().unwrap();
    let (name, text, bytes) = (entry.name(), String::from("NAV_X"), b"NAV_X");
    assert_eq!([name == "NAV_X", "NAV_X" == name, name == *"NAV_X", *"NAV_X" == name], [true; 4]);
    assert_eq!([name == text, text == name, name == bytes, bytes == name, name == *bytes], [true; 5]);
    let slice = &bytes[..];
    assert!(name == bytes[..] && slice == name);
    assert!(name != "NAV_Y" && "NAV_" != name && name != b"" && name.starts_with(b"NAV_"));
    assert!(entry.application() == "uSim" && entry.community().is_some_and(|name| name == "alpha"));
    assert!(entry.auxiliary().is_some_and(|name| name == "aux") && entry.value() == "12");
}

#[test]
fn seconds_compute_and_convert() {
    let of = |text: &str| Seconds::parse(text.as_bytes()).unwrap();
    let (start, later) = (of("1225719811.65"), of("1225719873.505"));
    assert_eq!(start + of("61.855"), later);
    assert_eq!((later - start, start - later, -of("1.5")), (of("61.855"), of("-61.855"), of("-1.5")));
    let mut sum = start;
    sum += of("2");
    sum -= of("0.5");
    assert_eq!(sum, of("1225719813.15"));
    let most = Seconds::from_nanos(i128::MAX);
    assert_eq!((most + most, -most - most, most.plus(most)), (most, Seconds::from_nanos(i128::MIN), None));

    assert_eq!(
        (Seconds::from_f64(61.855), Seconds::from_f64(-0.25)),
        (Some(of("61.855")), Some(of("-0.25")))
    );
    // After the year 2262, where a time warp can move a date.
    assert_eq!(Seconds::from_f64(19_545_090_399.75), Some(of("19545090399.75")));
    assert!([f64::NAN, f64::INFINITY, 1e30, -1e30].map(Seconds::from_f64) == [None; 4]);

    let duration = Duration::new(61, 855_000_000);
    assert_eq!((Duration::try_from(later - start), Seconds::from(duration)), (Ok(duration), of("61.855")));
    assert!(Duration::try_from(of("-0.000000001")).is_err() && Duration::try_from(most).is_err());
    assert_eq!(Duration::try_from(Seconds::from(Duration::MAX)), Ok(Duration::MAX));
    let time = Timestamp::new(1_500_000_000, Clock::Unix);
    assert_eq!((Seconds::from(time), of("1.5").on(Clock::Unix)), (of("1.5"), Some(time)));
}

testkit::serializes!(alog, "alog/moosivp.alog", "per_variable");
