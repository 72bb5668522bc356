//! Reading MOOS logs.

use alog::{Alog, Kind, NodeReport, Options, Reader, Strictness, TimeFrom};
use testkit::laws;

/// Reads the bytes in every possible way.
pub(super) fn alog(data: &[u8]) {
    laws::reads::<Alog>(data, 300);

    let mut options = Options::default();
    options.time = TimeFrom::Column;
    laws::samples::<Alog>(data, options);
    let Ok(reader) = Reader::new(data) else { return };
    for record in reader.records().map_while(Result::ok).filter(|record| record.kind() == Kind::Entry) {
        let value = record.value();
        assert!(!record.name().is_empty() && !record.source().is_empty() && !record.time_text().is_empty());
        for strictness in [Strictness::Moos, Strictness::MoosIvp, Strictness::Ours] {
            let items = value.items_by(b',', strictness).count();
            assert!(items <= value.bytes().len() + 1, "more items than bytes");
            let _ = (value.number_as(strictness), value.get_as("x", strictness));
        }
        for item in value.items() {
            let Some(matrix) = item.value.matrix() else { continue };
            assert!(matrix.values().count() <= item.value.bytes().len(), "more numbers than bytes");
            assert_eq!(matrix.count(), matrix.values().count(), "numbers that are counted and not there");
            assert!(matrix.to_vec().is_none_or(|numbers| Some(numbers.len()) == matrix.len()));
        }
        let _ = (NodeReport::parse(value), value.binary(), record.auxiliary(), record.community());
    }
}
