//! Recordings that are made to do harm, and odd ones.

use std::fmt::Write as _;

use robolog_report::{Options, Verdict};

use crate::{file, page_of, pages::assert_well_formed, recordings};

/// A MOOS log of these entries: time, variable, source and value.
fn alog(entries: impl IntoIterator<Item = (f64, String, String)>) -> Vec<u8> {
    let mut text = String::from(
        "%% LOG FILE: x.alog\n%% FILE OPENED ON Fri Sep  7 10:00:00 2018\n%% LOGSTART 1536314400\n",
    );
    for (t, name, value) in entries {
        let _ = writeln!(text, "{t:.5} {name} pApp {value}");
    }
    text.into_bytes()
}

#[test]
fn names_and_texts_that_are_markup_stay_text() {
    let attacks = [
        "<script>alert(1)</script>",
        "</script><script>alert(2)</script>",
        "\"><img/src=x/onerror=alert(3)>",
        "'><svg/onload=alert(4)>",
        "<!--",
        "]]>",
        "{{DATA}}",
        "\u{202e}txt.exe",
    ];
    let entries = attacks.iter().enumerate().flat_map(|(n, attack)| {
        let name = attack.replace(' ', "_");
        (0..40).map(move |k| {
            let t = f64::from(k) + f64::from(u8::try_from(n).unwrap()) / 100.0;
            (t, name.clone(), if k % 2 == 0 { (*attack).to_owned() } else { "b".to_owned() })
        })
    });
    let page = page_of("<b>hostile.alog", &alog(entries));
    assert_well_formed("hostile", &page.html);
    assert_eq!(page.html.matches("<script").count(), page.html.matches("</script>").count());
    for word in ["<script>alert", "<img/src", "<svg/onload", "<!--", "\u{202e}", "<b>hostile"] {
        assert!(!page.html.contains(word), "{word}");
    }
    assert!(page.html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn ten_thousand_channels_make_a_page() {
    // Letters only, so that each gets its own lane.
    let letters = |mut n: u32| {
        let mut name = String::from("V");
        for _ in 0..4 {
            name.push(char::from(b'A' + u8::try_from(n % 26).unwrap()));
            n /= 26;
        }
        name
    };
    let entries = (0..30_000_u32).map(|k| (f64::from(k) / 100.0, letters(k % 10_000), k.to_string()));
    let page = page_of("many.alog", &alog(entries));
    assert!(page.html.len() < 5_000_000, "{}", page.html.len());
    assert_eq!(page.surveyed.summary.channels.len(), 10_000);
    let numbered = (0..30_000_u32).map(|k| (f64::from(k) / 100.0, format!("V{}", k % 10_000), k.to_string()));
    let page = page_of("numbered.alog", &alog(numbered));
    assert!(page.html.len() < 5_000_000 && page.html.contains("V* × 10000"), "{}", page.html.len());
}

#[test]
fn one_sample_and_none_make_pages() {
    let one = page_of("one.alog", &alog([(1.0, "NAV_X".into(), "5".into())]));
    assert!(one.html.contains("once") && one.verdict == Verdict::Sound);
    let none = page_of("none.alog", &alog([]));
    assert!(none.html.contains("The recording contains no samples.") && none.verdict == Verdict::Remarks);
}

#[test]
fn values_that_are_no_numbers_and_huge_ones_make_pages() {
    let odd = ["nan", "inf", "-inf", "1e308", "-1e308", "0", "1e-308"];
    let entries =
        (0..700_u32).map(|k| (f64::from(k) / 10.0, "NAV_X".into(), odd[k as usize % odd.len()].to_owned()));
    let page = page_of("odd.alog", &alog(entries));
    assert_well_formed("odd", &page.html);
    let no_numbers = (0..700_u32).map(|k| (f64::from(k) / 10.0, "NAV_Y".into(), "nan".to_owned()));
    assert_well_formed("nan", &page_of("nan.alog", &alog(no_numbers)).html);
    let positions = (0..300_u32).flat_map(|k| {
        let t = f64::from(k);
        [(t, "NAV_X".into(), "1e300".to_owned()), (t, "NAV_Y".into(), format!("-1e{k}"))]
    });
    assert_well_formed("far", &page_of("far.alog", &alog(positions)).html);
}

#[test]
fn one_wild_stamp_does_not_press_the_rest_together() {
    let entries = (0..600_u32).map(|k| (f64::from(k) / 10.0, "NAV_X".into(), k.to_string()));
    let mut text = alog(entries);
    text.extend(b"400000000.00000 NAV_X pApp 7\n");
    let page = page_of("wild.alog", &text);
    assert!(page.html.contains("time-outlier") && page.html.contains("with times far outside the recording"));
    assert!(page.html.contains("59.9 s"), "the recording lasts a minute");
}

#[test]
fn a_name_of_a_megabyte_is_shortened() {
    let name = "A".repeat(1_000_000);
    let entries = (0..100_u32).map(|k| (f64::from(k), name.clone(), k.to_string()));
    let bytes = alog(entries);
    let page = page_of("long.alog", &bytes);
    assert!(page.html.len() < 1_000_000, "{}", page.html.len());
}

#[test]
fn points_that_are_no_numbers_and_points_far_away_are_counted() {
    let mut document = String::from("<gpx version=\"1.1\"><trk><trkseg>");
    for n in 0..200 {
        let _ = write!(
            document,
            "<trkpt lat=\"{}\" lon=\"{}\"><time>2024-05-17T10:{:02}:{:02}Z</time></trkpt>",
            if n == 7 { 0.0 } else { 47.0 + f64::from(n) * 1e-5 },
            if n == 7 { 0.0 } else { 8.0 },
            n / 60,
            n % 60
        );
    }
    document.push_str("</trkseg></trk></gpx>");
    let page = page_of("null.gpx", document.as_bytes());
    assert!(
        page.html.contains("One distant position is off the map."),
        "the null island does not set the scale"
    );
}

#[test]
fn what_is_no_recording_is_an_error_and_no_page() {
    for (name, bytes) in [("empty.lvx", &b""[..]), ("text.txt", b"hello\n"), ("zeros.bin", &[0; 10_000])] {
        let path = file(name, bytes);
        let outcome = robolog_report::report(&path, &Options::default(), &mut |_| {});
        assert!(outcome.is_err(), "{name}");
        std::fs::remove_file(path).unwrap();
    }
}

/// Peak memory of one thread while it makes a page: the survey, the collected samples, and the document.
fn held(path: &std::path::Path) -> (u64, Verdict) {
    let mut verdict = None;
    let heap = allocation_counter::measure(|| {
        let page = robolog_report::report(path, &Options::default(), &mut |_| {}).unwrap();
        assert!(page.html.len() < 5_000_000, "{}: {}", path.display(), page.html.len());
        verdict = Some(page.verdict);
    });
    (heap.bytes_max, verdict.unwrap())
}

const MIB: u64 = 1 << 20;

#[test]
fn a_sparse_tail_is_read_in_little_memory() {
    let names = ["room.lvx", "v0_9_15.log", "nav.alog", "image.log"];
    for path in recordings().into_iter().filter(|path| names.iter().any(|name| path.ends_with(name))) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let copy = file(&format!("sparse-{name}"), &std::fs::read(&path).unwrap());
        let sparse = std::fs::OpenOptions::new().write(true).open(&copy).unwrap();
        // More than may be held.
        sparse.set_len(testkit::bound(96 * MIB, 256 * MIB)).unwrap();
        drop(sparse);
        let (held, verdict) = held(&copy);
        std::fs::remove_file(copy).unwrap();
        // A tail longer than a line may be is not read whole.
        assert!(verdict != Verdict::Sound, "{name}");
        assert!(held < 80 * MIB, "{name}: {held} bytes");
    }
}

#[test]
fn memory_does_not_grow_with_the_recording() {
    let of = |entries: u32| {
        let names = ["NAV_X", "NAV_Y", "NAV_SPEED", "MODE", "DB_EVENT"];
        let entries = (0..entries).map(|k| {
            let name = names[k as usize % names.len()];
            // Uneven intervals, to cover all kinds.
            let t = f64::from(k) / 50.0 + f64::from(k % 97) / 1e4;
            let value =
                if name.starts_with("NAV") { format!("{}", f64::from(k).sin()) } else { format!("text {k}") };
            (t, name.to_owned(), value)
        });
        let path = file("growing.alog", &alog(entries));
        let (held, _) = held(&path);
        std::fs::remove_file(path).unwrap();
        held
    };
    let (small, large) = (of(20_000), of(320_000));
    assert!(large < small + 2 * MIB, "{small} and {large} bytes");
}

#[test]
fn many_channels_of_all_kinds_of_intervals_are_kept_in_little_memory() {
    let entries = (0..400_000_u32).map(|k| {
        let t = f64::from(k) / 100.0 + f64::from(k.wrapping_mul(2_654_435_761) >> 20) / 1e4;
        (t, format!("V{}W{}", k % 40, "x".repeat((k % 50) as usize)), k.to_string())
    });
    let path = file("intervals.alog", &alog(entries));
    let (held, _) = held(&path);
    std::fs::remove_file(path).unwrap();
    assert!(held < 64 * MIB, "{held} bytes");
}

#[test]
fn recordings_with_pieces_cut_out_and_numbers_at_their_ends_make_pages() {
    let mut pages = 0;
    for path in recordings().into_iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(&path).unwrap();
        let extension = path.extension().unwrap().to_str().unwrap().to_owned();
        testkit::splices(&bytes, testkit::bound(4, 12), 7, &mut |bytes| {
            let damaged = file(&format!("spliced.{extension}"), bytes);
            // The rest may not be a recording at all, which is an error.
            if let Ok(page) = robolog_report::report(&damaged, &Options::default(), &mut |_| {}) {
                assert_well_formed(&path.display().to_string(), &page.html);
                assert!(page.html.len() < 5_000_000, "{}", path.display());
                pages += 1;
            }
            std::fs::remove_file(damaged).unwrap();
        });
    }
    assert!(pages > testkit::bound(16, 50), "{pages}");
}
