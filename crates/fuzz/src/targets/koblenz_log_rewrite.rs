//! Writing Koblenz logs.

use std::io::Cursor;

use koblenz_log::{Header, IndexState, KoblenzLog, Reader, StreamReader, Writer, reindex};
use robolog_core::survey;
use testkit::laws;

/// Recovers the bytes, copies the result, writes its messages from their values, and rebuilds the index.
pub(super) fn koblenz_log_rewrite(data: &[u8]) {
    // An index that claims more than the space before the messages is dropped.
    let mended = ["index-hostile"];
    laws::whole_files_are_copied_as_they_are::<KoblenzLog>(data, &mended);
    let Some(recovered) = laws::what_is_recovered_is_whole::<KoblenzLog>(data, &mended) else { return };
    let Ok(reader) = Reader::new(&recovered) else { return };
    let mut header = Header::new(3);
    header.set_sizes(reader.header().sizes());
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for record in reader.records().map(Result::unwrap) {
        let Some((time, payload)) = record.timestamp().zip(record.decode().ok()) else { continue };
        if payload.type_id().is_some() {
            // The writer only refuses times that are not finite.
            let outcome = writer.write_payload(time, &payload);
            assert_eq!(outcome.is_ok(), time.is_finite(), "{time} ms: {outcome:?}");
        }
    }
    writer.finish().unwrap();

    let (indexed, report) = reindex(Cursor::new(&recovered), Cursor::new(Vec::new())).unwrap();
    let mut reader = StreamReader::new(Cursor::new(indexed.into_inner())).unwrap();
    let summary = survey(&mut reader).unwrap();
    // Timestamps that are not finite have no seconds.
    let has_times = !summary.findings.iter().any(|f| f.code == "time-invalid");
    if report.entries > 0 && report.lost_bytes == 0 && has_times {
        assert_eq!(summary.details.index.state, IndexState::Valid);
    }
}
