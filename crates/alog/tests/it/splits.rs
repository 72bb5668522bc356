//! The splits of a file, in order, give the same samples as the file.

#[test]
fn all_splits_together_give_the_samples_of_the_whole() {
    let several = testkit::assert_all_splits_agree::<alog::Alog>("alog");
    assert!(several > 20, "{several}");
}
