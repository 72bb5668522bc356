//! The clock of the computer that captured.

use robolog_core::{Clock, Severity, Timestamp, format::SurveyBuilder};

/// Notices when the capture's clock is set back.
#[derive(Debug, Default)]
pub(super) struct CaptureClock {
    last: Option<i64>,
}

/// Packets of several interfaces and queues are out of order by less.
const SET: i64 = 100_000_000;

impl CaptureClock {
    /// Checks the capture time of the next packet.
    pub(super) fn push(&mut self, time_ns: i64, offset: u64, notes: &mut SurveyBuilder) {
        let Some(last) = self.last.replace(time_ns) else { return };
        let back = last.saturating_sub(time_ns);
        if back > SET {
            let [from, by] = [Timestamp::new(last, Clock::Unix), Timestamp::new(back, Clock::Relative)];
            let message = format_args!("the capture's clock went back by {by} after {from}");
            notes.find(Severity::Warning, "clock-set-back", offset, message);
        } else if back > 0 {
            self.last = Some(last);
        }
    }
}
