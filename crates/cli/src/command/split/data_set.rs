//! Data sets: split by time, into folders.

use std::path::Path;

use effibox::dataset::{Dataset, Span};
use robolog_convert::{Error, Result, of_data_set};

use robolog_core::slices::OrZero as _;

use super::{Parts, Plan, plan::By};
use crate::{render, status::Status};

/// Splits a data set into copies of time spans. Files without times go into each.
pub(super) fn split(dataset: &Dataset, plan: &Plan, parts: &mut Parts, file: &Path) -> Result<Status> {
    let Some((start, _)) = plan.span else {
        return Err(Error::Target("the data set has no times".into()));
    };
    let slots = plan.slots();
    let step = match plan.by {
        By::Time(nanos) => nanos,
        By::Moments => 0,
        By::Size(_) | By::Number(_) => plan.nanos().div_or_zero(slots).saturating_add(1),
    };
    // Microseconds since the acquisition began.
    let at = |slot: u64| {
        if let Some(moment) = plan.moment(slot) {
            return moment.div_euclid(1000);
        }
        let nanos = i64::try_from(slot.saturating_mul(step)).unwrap_or(i64::MAX);
        start.nanos().saturating_add(nanos).div_euclid(1000)
    };
    let (mut odd, mut skipped) = (0, 0);
    for slot in 0..slots {
        let next = slot + 1;
        let from = (slot > 0).then(|| at(slot));
        let to = (next < slots).then(|| at(next));
        let (folder, len) = parts.next_folder();
        let copied = dataset.copy(&folder, Span { from, to }).map_err(of_data_set)?;
        len.set(copied.bytes);
        (odd, skipped) = (copied.rows_odd, copied.skipped);
    }
    if odd > 0 {
        render::note(file, format_args!("left out {} whose time cannot be read", render::count(odd, "row")));
    }
    if skipped > 0 {
        render::note(
            file,
            format_args!("left out {} that cannot be read", render::count(skipped, "link or damaged file")),
        );
    }
    Ok(if odd > 0 || skipped > 0 { Status::Lossy } else { Status::Done })
}
