/// A test for a format with the feature `serde`: its survey and samples are JSON with the names that users of JSON rely
/// on. Takes the format's crate, a recording, and a field of the format's own details.
#[macro_export]
macro_rules! serializes {
    ($format:ident, $recording:literal, $detail:literal) => {
        #[cfg(feature = "serde")]
        #[test]
        fn summaries_and_samples_serialize() {
            let path = concat!("../../testdata/", $recording);
            let summary = serde_json::to_value($format::survey(path).unwrap()).unwrap();
            assert!(summary["records"].as_u64() > Some(0) && summary["channels"][0]["name"].is_string());
            assert!(!summary["details"][$detail].is_null(), "{}", summary["details"]);
            let mut samples = 0;
            for sample in $format::open(path).unwrap().samples() {
                let sample = sample.unwrap();
                let json = serde_json::to_value(&sample).unwrap();
                assert_eq!(
                    (json["kind"].as_str(), json["offset"].as_u64()),
                    (Some(sample.value.kind()), Some(sample.offset))
                );
                assert!(json["channel"] == *sample.channel && json.get("value").is_some());
                samples += 1;
            }
            assert_ne!(samples, 0);
        }
    };
}
