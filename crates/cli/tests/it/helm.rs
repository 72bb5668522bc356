//! `robolog alog helm`, `cd` and `avg`.

use std::fs;

use crate::run::{fixture_of, robolog, s, with_input};

/// The example of alogavg's own help.
#[test]
fn means_are_those_of_alogavg() {
    let text = "% x y\n2  289.09\n1  357.331\n2  287.762\n1  358.505\n2  289.645\n1  358.952\n";
    let run = with_input(["alog", "avg", "-"], text.as_bytes()).exits(0);
    assert_eq!(run.text(), "1 358.262667 357.331 358.952 0.683596\n2 288.832333 287.762 289.645 0.790028\n");
    let rows = with_input(["alog", "avg", "-", "--json"], text.as_bytes()).json();
    assert_eq!(
        (&rows[1]["x"], &rows[1]["count"], &rows[1]["max"]),
        (&2.0.into(), &3.into(), &289.645.into())
    );
    // A line without two numbers does not count as zeros.
    let run = with_input(["alog", "avg", "-"], b"1 2\n1 x\n1 2 3\n\n-1.5,4\n");
    assert_eq!((run.status, run.text().as_str()), (3, "-1.5 4 4 4 0\n1 2 2 2 0\n"), "{}", run.err);
    assert!(run.err.contains("skipped 2 lines"), "{}", run.err);
    assert_eq!(with_input(["alog", "avg", "-"], b"x y\n").status, 1);
}

#[test]
fn encounters_are_counted_with_their_distances() {
    let dir = tempfile::tempdir().unwrap();
    let (file, times) = (dir.path().join("m.alog"), dir.path().join("times.txt"));
    let laid = "%% LOGSTART 1750223317.5\n\
               1.00  ENCOUNTER uFldCollisionDetect 12.5 \n\
               2.50  NEAR_MISS uFldCollisionDetect 4 \n\
               3.00  ENCOUNTERS uFldCollisionDetect 1 \n\
               4.25  COLLISION uFldCollisionDetect 2.5 \n\
               5.00  ENCOUNTER uFldCollisionDetect 7.5 \n\
               6.75  COLLISION uFldCollisionDetect 1.25 \n";
    fs::write(&file, laid).unwrap();
    let run = robolog(["alog", "cd", s(&file), "--tfile", s(&times)]).exits(0);
    let text = run.text();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        rows,
        [
            ["ENCOUNTER", "2", "10.00", "7.50"],
            ["NEAR_MISS", "1", "4.00", "4.00"],
            ["COLLISION", "2", "1.88", "1.25"]
        ]
    );
    assert_eq!(fs::read_to_string(&times).unwrap(), "2.50\n4.25\n6.75\n");
    assert_eq!(robolog(["alog", "cd", s(&file), "--tfile", s(&times)]).status, 1, "it is not replaced");
    let nav = fixture_of("alog", "nav.alog").to_str().unwrap().to_owned();
    let quiet = &robolog(["alog", "cd", &nav, "--json"]).json()[0]["events"][2];
    assert_eq!((&quiet["count"], &quiet["mean_m"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn a_helm_is_told_by_what_changes() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("m.alog");
    let laid = "%% LOGSTART 1750223317.5\n\
        0.50 IVPHELM_MODESET pHelmIvP MODE#ACTIVE,INACTIVE \n\
        1.00 IVPHELM_LIFE_EVENT pHelmIvP time=3.51, iter=1, bname=survey, btype=BHV_Waypoint, event=spawn, seed=helm_startup, posting_index=0 \n\
        1.00 MODE pHelmIvP ACTIVE:SURVEYING \n\
        1.10 IVPHELM_SUMMARY pHelmIvP iter=1,utc_time=1750223318.60,var=speed:3,var=course:109,running_bhvs=none,active_bhvs=survey$1750223318.6$100.0$18$0.0$0/0$1,idle_bhvs=home$1750223318.6$0/0:slow$1750223318.6$0/0,completed_bhvs=none,ivpdomain=\"speed,0,4,41:course,0,359,360\" \n\
        1.20 IVPHELM_SUMMARY pHelmIvP iter=2,utc_time=1750223318.85,active_bhvs=survey$1750223318.6$99.0$18$0.01$0/0$1 \n\
        1.30 MODE pHelmIvP ACTIVE:SURVEYING \n\
        1.40 DEPLOY pMarineViewer true \n\
        2.00 MODE pHelmIvP ACTIVE:RETURNING \n\
        2.10 IVPHELM_SUMMARY pHelmIvP iter=3,active_bhvs=home$1$2,idle_bhvs=slow$1,completed_bhvs=survey$9 \n";
    fs::write(&file, laid).unwrap();
    let run = robolog(["alog", "helm", s(&file), "--watch", "DEPLOY"]).exits(0);
    let text = run.text();
    let lines: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        [
            "1.00 life spawn survey (BHV_Waypoint), iteration 1, by helm_startup",
            "1.00 mode ACTIVE:SURVEYING",
            "1.10 behaviors active survey; idle home, slow",
            "1.40 watch DEPLOY true",
            "2.00 mode ACTIVE:RETURNING",
            "2.10 behaviors active home; idle slow; completed survey",
        ]
    );
    let modes = robolog(["alog", "helm", s(&file), "-m", "--json"]).json();
    assert_eq!(
        (modes.len(), &modes[1]["time_s"], &modes[1]["text"]),
        (2, &2.0.into(), &"ACTIVE:RETURNING".into())
    );
    assert_eq!(robolog(["alog", "helm", s(&file), "--life"]).text().lines().count(), 1);
    let nav = fixture_of("alog", "nav.alog").to_str().unwrap().to_owned();
    assert_eq!(robolog(["alog", "helm", &nav]).status, 1, "no helm");
}
