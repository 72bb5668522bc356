//! Any input, with its format detected: also compressed, and in other encodings.

use std::io::Cursor;

use robolog_convert::{Feed, Input, Outcome, deliver, sink, survey};
use robolog_core::Limits;

/// Maximum bytes of a record, because an input may claim any size.
const ROOM: usize = 1 << 20;

fn open(data: &[u8]) -> Option<Input> {
    let limits = Limits::default().with_record(ROOM);
    Input::new_with("input", Box::new(Cursor::new(data.to_vec())), limits).ok()
}

/// The survey, the samples and the conversion driver agree.
pub(super) fn input(data: &[u8]) {
    let Some(input) = open(data) else { return };
    assert!(!input.is_dataset());
    let Ok(surveyed) = survey(input, None, &mut |_| {}) else { return };
    let counted: u64 = surveyed.summary.channels.iter().map(|channel| channel.records).sum();
    let Some(Ok(samples)) = open(data).map(Input::samples) else { panic!("no samples of what is surveyed") };
    let (mut delivered, mut faults) = (0_u64, 0_u64);
    for sample in samples {
        match sample {
            Ok(_) => delivered += 1,
            Err(_) => faults += 1,
        }
    }
    assert_eq!(counted, delivered, "counted, and delivered");
    assert_eq!(surveyed.summary.is_ok(), faults == 0, "{:?}, and {faults} faults", surveyed.summary.findings);
    let Some(input) = open(data) else { return };
    let mut driven = 0_u64;
    let mut count = sink::from_fn(|_| {
        driven += 1;
        Ok(Outcome::Written)
    });
    // Changing clocks and the like are refused.
    let Ok(report) = deliver(vec![Feed::new(input)], &mut count, &mut |_| {}) else { return };
    assert_eq!(driven + report.left_out.values().map(|n| n.samples).sum::<u64>(), delivered, "{report:?}");
}
