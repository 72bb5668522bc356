//! Captured packets of LiDARs.

use std::{error::Error, io::Cursor};

use koblenz_log::KoblenzLog;
use robolog_capture::{Capture, to_log, to_lvx};
use robolog_convert::{Limit, Settings, capture_of_log};
use testkit::laws;

/// Reads the bytes in every possible way.
pub(super) fn capture(data: &[u8]) {
    laws::reads::<Capture>(data, 2000);
    testkit::assert_agrees::<Capture>("capture", data);
}

/// Recovers the bytes, copies the result, and writes its packets as recordings and as a capture again.
pub(super) fn capture_rewrite(data: &[u8]) {
    laws::copies::<Capture>(data);
    let open = &mut || Ok::<_, Box<dyn Error>>(Cursor::new(data));
    if let Ok((file, report)) = to_lvx(open, Vec::new(), None, &mut |_, _| ()) {
        laws::is_whole::<lvx::Lvx>(&file, &[]);
        let summary = laws::summary::<lvx::Lvx>(&file);
        assert_eq!(summary.details.packages, report.packages, "packages are lost on the way");
        assert_eq!(summary.records, report.frames, "frames are lost on the way");
    }
    let Ok((file, report)) = to_log(open, Cursor::new(Vec::new()), &mut |_, _| ()) else { return };
    let log = file.into_inner();
    laws::is_whole::<KoblenzLog>(&log, &[]);
    assert!(laws::summary::<KoblenzLog>(&log).records >= report.messages, "messages are lost on the way");
    let stream = Box::new(Cursor::new(log));
    // Times of a capture end in 2106.
    let written = capture_of_log(stream, &Settings::default(), &mut Limit::default(), Vec::new());
    let Ok((again, _)) = written else { return };
    let before = laws::summary::<Capture>(&again);
    assert!(before.is_ok(), "{:?}", before.findings);
    assert_eq!(before.details.velodyne_packets, report.packets, "packets are lost on the way");
}
