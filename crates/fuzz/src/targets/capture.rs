//! Captured packets of LiDARs.

use std::io::Cursor;

use koblenz_log::KoblenzLog;
use robolog_convert::{
    Limit, Settings,
    pcap::{self, Capture, Options},
};
use robolog_core::Limits;

use crate::invariants;

/// Reads the bytes in every way there is.
pub(super) fn capture(data: &[u8]) {
    invariants::slice_is_stream::<Capture>(data, Limits::default());
    invariants::slice_is_stream::<Capture>(data, Limits::default().with_record(2000));
    invariants::every_byte_is_accounted_for::<Capture>(data);
    invariants::survey_ends::<Capture>(data);
    invariants::samples::<Capture>(data, Options::default());
    testkit::assert_agrees::<Capture>("capture", data);
}

/// Recovers what the bytes hold, copies that, and writes its packets as recordings and as a capture again.
pub(super) fn capture_rewrite(data: &[u8]) {
    invariants::whole_files_are_copied_as_they_are::<Capture>(data, &[]);
    invariants::recovering_twice_is_recovering_once::<Capture>(data);
    let mut open = || Ok(Box::new(Cursor::new(data.to_vec())) as robolog_convert::source::Stream);
    if let Ok((file, report)) = pcap::to_lvx(&mut open, Vec::new(), None) {
        invariants::is_whole::<lvx::Lvx>(&file, &[]);
        let summary = invariants::summary::<lvx::Lvx>(&file);
        assert_eq!(summary.details.packages, report.packages, "packages are lost on the way");
        assert_eq!(summary.records, report.frames, "frames are lost on the way");
    }
    let Ok((file, report)) = pcap::to_log(&mut open, Cursor::new(Vec::new())) else { return };
    let log = file.into_inner();
    invariants::is_whole::<KoblenzLog>(&log, &[]);
    assert!(
        invariants::summary::<KoblenzLog>(&log).records >= report.messages,
        "messages are lost on the way"
    );
    let stream = Box::new(Cursor::new(log));
    // A capture ends in 2106.
    let Ok((again, _)) = pcap::from_log(stream, &Settings::default(), &mut Limit::default(), Vec::new())
    else {
        return;
    };
    let before = invariants::summary::<Capture>(&again);
    assert!(before.is_ok(), "{:?}", before.findings);
    assert_eq!(before.details.velodyne_packets, report.packets, "packets are lost on the way");
}
