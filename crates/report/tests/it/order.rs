//! Which panels come first, and what the head says of devices and collisions.

use crate::{page_of, recordings};

/// Titles of the open panels, and of the folded ones.
fn panels(html: &str) -> (Vec<&str>, Vec<&str>) {
    let (_, numbers) = html.split_once("<section id=\"numbers\">").unwrap();
    let numbers = numbers.split_once("</section>").unwrap().0;
    let titles = |html| {
        let all = str::split(html, "class=\"panel\"><figcaption><b title=\"").skip(1);
        all.map(|panel| panel.split_once('"').unwrap().0).collect()
    };
    match numbers.split_once("<details><summary>") {
        Some((open, folded)) => (titles(open), titles(folded)),
        None => (titles(numbers), Vec::new()),
    }
}

#[test]
fn what_moves_comes_before_steps_reverse_speeds_and_timings() {
    let entry = |n: i32| {
        let t = f64::from(n) / 10.0;
        let (sin, cos) = t.sin_cos();
        format!(
            "{t:.2} DESIRED_SPEED p {}\n{t:.2} PHELMIVP_ITER_LEN p {sin}\n{t:.2} NAV_SPEED p {}\n{t:.2} NAV_X p {}\n\
             {t:.2} NOISE p {}\n{t:.2} DESIRED_HEADING p {cos}\n",
            i32::from(n > 5),
            cos * 2.0,
            t * t * cos,
            sin * 1e-9,
        )
    };
    let text: String = (0..400).map(entry).collect::<String>() + "39.0 ONCE p 7\n39.0 ONCE p 9\n";
    let html = page_of("order.alog", format!("%% LOGSTART 1536314400\n{text}").as_bytes()).html;
    let (open, folded) = panels(&html);
    assert_eq!(open, ["NAV_X", "DESIRED_HEADING", "NAV_SPEED", "DESIRED_SPEED"]);
    assert_eq!(folded, ["PHELMIVP_ITER_LEN"]);
    let (_, table) =
        html.split_once("2 lines without a panel: constant, a single moment, or noise near 0").unwrap();
    let table = table.split_once("</table>").unwrap().0;
    assert!(
        table.contains("<td>NOISE </td>") && table.contains("<td>ONCE </td><td>7</td><td>9</td>"),
        "{table}"
    );
}

#[test]
fn what_is_parked_has_no_open_panel() {
    let Some(folder) = testkit::data_dir("carla-rec") else { return };
    let html = crate::page(&folder.join("crash.log")).html;
    let (open, closed) = panels(&html);
    // Two cars drive; ten stand.
    assert!(open[0].starts_with("vehicle.tesla.model3 (190)"), "{open:?}");
    assert!(open.iter().all(|title| title.contains("(190)") || title.contains("(192)")), "{open:?}");
    assert!(closed.iter().any(|title| title.contains("traffic_light")), "{closed:?}");
}

#[test]
fn a_crash_is_seen_in_the_speed() {
    let Some(folder) = testkit::data_dir("carla-rec") else { return };
    let html = crate::page(&folder.join("crash.log")).html;
    // By hand from its poses: 8.1 m/s at 3.26 s, 6.6 m/s at 3.35 s.
    let (_, row) = html.split_once("<tr><td>vehicle.tesla.model3 (192) poses speed </td>").unwrap();
    let greatest: f64 =
        row.split("<data value=\"").nth(3).unwrap().split_once('"').unwrap().0.parse().unwrap();
    assert!((8.0..8.13).contains(&greatest), "{greatest}");
    assert!(html.contains("no collisions were recorded; no actor had a <code>sensor.other.collision</code>"));
    assert!(html.contains("<dt>Collisions</dt><dd><data value=\"0\">none recorded</data>"));
}

#[test]
fn what_a_device_reports_is_in_the_verdict() {
    // The status in each package of the first device: blocked window (bits 6-7), motor error (bits 4-5).
    let path = recordings().into_iter().find(|path| path.ends_with("room.lvx")).unwrap();
    let mut file = std::fs::read(path).unwrap();
    // Headers of 24 and 5 bytes, a device of 59, a frame's header of 24, and 5 bytes of a package before its status.
    let at = 24 + 5 + 59 + 24 + 5;
    file[at..at + 4].copy_from_slice(&(0b10_u32 << 6 | 0b10 << 4).to_le_bytes());
    let page = page_of("alarm.lvx", &file);
    let (_, verdict) = page.html.split_once("class=\"verdict note\"").unwrap();
    let verdict = verdict.split_once("</ul>").unwrap().0;
    assert!(
        verdict
            .contains("<code>HORIZONROOM0001</code> reports: <b>motor error, window dirty or blocked</b>."),
        "{verdict}"
    );
}
