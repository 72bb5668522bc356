//! Splits of a file, one after another, give what the file gives.

#[test]
fn all_splits_together_give_the_samples_of_the_whole() {
    let several = testkit::assert_all_splits_agree::<robolog_nmea::Nmea>("nmea");
    assert!(several > 5, "{several}");
}
