//! Limits by time, channel and number.

use super::*;

fn sample(value: Value) -> Sample {
    Sample::new("a", value)
}

#[test]
fn bounds_are_half_open_and_count_from_the_first_stamp() {
    let at = |ns| Some(Timestamp::new(ns, Clock::Device));
    let mut limit = Limit::new(Some(Bound::FromStart(5)), Some(Bound::FromStart(10)), None);
    let wanted = [100, 104, 105, 109, 110].map(|ns| limit.wants("a", at(ns)));
    assert_eq!(wanted, [false, false, true, true, false]);
    assert_eq!(limit.unjudged(), 0);
    assert!(!limit.wants("a", None));
    assert_eq!(limit.unjudged(), 1);
    assert!(Limit::default().wants("a", None));
}

#[test]
fn the_start_can_be_told_and_else_is_the_first_stamp_of_any_channel() {
    let at = |ns| Some(Timestamp::new(ns, Clock::Device));
    let from_0 = || Limit::new(Some(Bound::FromStart(0)), None, Some(ChannelFilter::new(|c| c == "a")));
    let mut limit = from_0();
    assert!(!limit.wants("b", None), "what has no stamp does not begin the recording");
    assert!(!limit.wants("b", at(100)));
    assert!(!limit.wants("a", at(99)), "before the first stamp");
    let mut limit = from_0();
    limit.begin_at(Timestamp::new(99, Clock::Device));
    assert!(!limit.wants("b", at(100)) && limit.wants("a", at(99)));
}

#[test]
fn the_first_n_are_wanted_and_then_no_more() {
    let mut limit = Limit::default().with_most(Some(2));
    let wanted = [1, 2, 3].map(|ns| limit.wants("a", Some(Timestamp::new(ns, Clock::Device))));
    assert_eq!((wanted, limit.is_full(), limit.is_unlimited()), ([true, true, false], true, false));
    assert!(!limit.wants_always(&sample(Value::Scalar(1.0))));
}

#[test]
fn kinds_are_chosen_as_channels_are() {
    let mut limit = Limit::default().with_kinds(["scalar".to_owned()]);
    assert!(limit.chooses_channels() && !limit.is_unlimited());
    let samples = [Value::Scalar(1.0), Value::Text("1".into())].map(sample);
    let wanted = samples.each_ref().map(|sample| limit.wants_sample(sample));
    let always = samples.each_ref().map(|sample| limit.wants_always(sample));
    assert_eq!((wanted, always), ([true, false], [true, false]));
}

#[test]
fn a_pattern_without_a_channel_is_told_once_all_is_met() {
    let missing = || NoChannel { pattern: "nav_x".into(), nearest: Some("NAV_X".into()), met: Vec::new() };
    let filter = ChannelFilter::new(|_| true).with_unmatched(move || Some(missing()));
    let mut limit = Limit::new(None, None, Some(filter));
    let error = limit.check_channels().unwrap_err();
    assert_eq!(error.to_string(), "no channel matches 'nav_x'; did you mean NAV_X?");
    limit = limit.with_most(Some(1));
    assert!(limit.wants("a", None) && limit.check_channels().is_ok(), "the rest was not met");
}

#[test]
fn a_filter_that_only_excludes_chooses_nothing_by_name() {
    let limit = Limit::new(None, None, Some(ChannelFilter::new(|c| c != "a").excluding()));
    assert!(limit.filters_channels() && !limit.chooses_channels() && !limit.is_unlimited());
}

#[test]
fn bounds_from_the_end_need_an_end() {
    let at = |ns| Some(Timestamp::new(ns, Clock::Device));
    let mut limit = Limit::new(Some(Bound::FromEnd(10)), Some(Bound::FromEnd(2)), None);
    assert!(limit.needs_end() && !limit.wants("a", at(95)));
    assert_eq!(limit.unjudged(), 1);
    limit.end_at(Timestamp::new(100, Clock::Device));
    let wanted = [89, 90, 97, 98, 100].map(|ns| limit.wants("a", at(ns)));
    assert_eq!(wanted, [false, true, true, false, false]);
}

#[test]
fn unix_bounds_need_unix_stamps() {
    let mut limit = Limit::new(Some(Bound::Unix(50)), None, Some(ChannelFilter::new(|c| c.ends_with("imu"))));
    assert!(limit.wants("x/imu", Some(Timestamp::new(50, Clock::Unix))));
    assert!(!limit.wants("x/points", Some(Timestamp::new(50, Clock::Unix))));
    assert!(!limit.wants("x/imu", Some(Timestamp::new(60, Clock::Device))));
    assert_eq!(limit.unjudged(), 1);
    let mut limit = Limit::new(None, Some(Bound::Unix(50)), None);
    assert!(!limit.wants("a", Some(Timestamp::new(60, Clock::Device))), "an upper bound binds too");
    assert!(limit.wants("a", Some(Timestamp::new(49, Clock::Unix))));
    assert_eq!(limit.unjudged(), 1);
}
