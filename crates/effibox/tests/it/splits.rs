//! The splits of a file, one after another, give the same as the file.

#[test]
fn all_splits_together_give_the_samples_of_the_whole() {
    let several = testkit::assert_all_splits_agree::<effibox::table::Table>("effibox");
    assert!(several > 5, "{several}");
}
