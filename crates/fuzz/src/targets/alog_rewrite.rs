//! Writing MOOS logs.

use alog::{Alog, Kind, Reader, Writer};
use testkit::laws;

/// Recovers the bytes, copies the result, and writes its entries from their parts.
pub(super) fn alog_rewrite(data: &[u8]) {
    laws::whole_files_are_copied_as_they_are::<Alog>(data, &[]);
    testkit::assert_agrees::<Alog>("alog", data);
    let Some(recovered) = laws::what_is_recovered_is_whole::<Alog>(data, &[]) else { return };
    let Ok(reader) = Reader::new(&recovered) else { return };
    let mut writer = Writer::new(Vec::new(), reader.header()).unwrap();
    let mut written = Vec::new();
    for record in reader.records().map(Result::unwrap).filter(|record| record.kind() == Kind::Entry) {
        let texts =
            (std::str::from_utf8(record.name().bytes()), std::str::from_utf8(record.source().bytes()));
        let (Some(time), (Ok(name), Ok(source))) = (record.seconds(), texts) else { continue };
        if writer.entry(time, name, source, record.value().bytes()).is_ok() {
            written.push((name, source, record.value()));
        }
    }
    let file = writer.finish().unwrap();
    if written.is_empty() {
        return;
    }
    let again = Reader::new(&file).unwrap();
    let entries: Vec<_> = again.records().map(Result::unwrap).filter(|r| r.kind() == Kind::Entry).collect();
    assert_eq!(entries.len(), written.len());
    for (entry, (name, source, value)) in entries.iter().zip(written) {
        assert!(entry.name() == name && entry.source() == source);
        assert_eq!(entry.value(), value);
    }
}
