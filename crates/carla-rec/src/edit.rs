//! Edits of recordings: times, map, and personal data.

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Change, Edited, Editing},
    layout::{Layout as _, LayoutWith as _, field},
    slices::Part as _,
};

use crate::{
    CarlaRec, Header, Record, actors, anonymise,
    layout::{FileHeader, FrameStart, PACKET_HEADER_LEN, Width},
};

const SECOND: i64 = 1_000_000_000;

/// The part of a shift that is no whole second, in steps so coarse that sums with the first time of a recording are
/// exact.
fn rest(shift: i64) -> f64 {
    const STEP: f64 = 1.0 / 4_194_304.0 / 4_194_304.0;
    #[expect(clippy::cast_precision_loss, reason = "below a billion")]
    let seconds = (shift % SECOND) as f64 / 1e9;
    (seconds / STEP).round() * STEP
}

/// Shifts the date in the header, which counts whole seconds, and adds the rest of a second to the times of the frames.
/// A shift by whole seconds leaves all packets unchanged; the opposite shift restores the recording.
impl Editing for CarlaRec {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::MapName, Change::Actors, Change::Anonymise];

    fn edit_header(header: &mut Header, bytes: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        if let Some(map) = &edit.map_name {
            header.map = map.clone().into_bytes();
        }
        let at = field!(FileHeader, date).at(0);
        let date = header.date.checked_add(edit.shift / SECOND);
        let fits = date.filter(|date| date.checked_mul(SECOND).is_some() || edit.shift == 0);
        header.date = fits.ok_or_else(|| {
            Error::unexpected("the shifted date exceeds 64-bit nanoseconds", at).within(FileHeader::NAME)
        })?;
        *bytes = header.to_bytes()?;
        Ok(())
    }

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if let Some(actors) = &edit.actors
            && record.id() > 1
        {
            return actors::without(record, &actors.dropped, out);
        }
        let Some(start) = record.frame_start().filter(|_| edit.shift % SECOND != 0) else {
            return Ok(Edited::Same);
        };
        // A frame begins where the one before ends, exactly: so rounding never adds up, and can be undone.
        let elapsed = match edit.end.get() {
            Some((end, shifted)) if end.to_bits() == start.elapsed.to_bits() => shifted,
            _ => start.elapsed + rest(edit.shift),
        };
        edit.end.set(Some((start.elapsed + start.duration, elapsed + start.duration)));
        if !elapsed.is_finite() {
            let error = Error::invalid("elapsed", elapsed, "seconds", record.body_offset());
            return Err(error.within("FrameStart packet"));
        }
        out.extend_from_slice(record.bytes().part(..PACKET_HEADER_LEN));
        FrameStart { elapsed, ..start }.encode(Width::F32, out)?;
        Ok(Edited::Changed)
    }

    fn learn(_: &Header, record: &Record<'_>, edit: &mut Edit) {
        if let Some(actors) = &mut edit.actors {
            actors::learn(record, actors);
        }
    }

    fn anonymise_header(_: &mut Header, _: &mut Vec<u8>, how: &Anonymise) -> Result<()> {
        if how.drops_places() {
            let error =
                Error::invalid("positions", "to be dropped", "to be moved: a recording is made of them", 0);
            return Err(error.within("carla-rec"));
        }
        Ok(())
    }

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        anonymise::packet(record, how, out)
    }
}
