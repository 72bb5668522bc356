//! Edits of recordings: times, map, and personal data.

use robolog_core::{
    Anonymise, Change, Edit, Edited, Editing, Error, Result,
    layout::{Layout as _, LayoutWith as _, field},
};

use crate::{
    CarlaRec, Header, Record, actors, anonymise,
    layout::{FileHeader, FrameStart, PACKET_HEADER_LEN, Width},
};

const SECOND: i64 = 1_000_000_000;

/// Shifts the date in the header, which counts whole seconds; the rest of a second is added to the times of the frames.
/// A shift by whole seconds leaves all packets unchanged.
impl Editing for CarlaRec {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::MapName, Change::Actors, Change::Anonymise];

    fn edit_header(header: &mut Header, bytes: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        if let Some(map) = &edit.map_name {
            header.map = map.clone().into_bytes();
        }
        let at = field!(FileHeader, date).at(0);
        let date = header.date.checked_add(edit.shift.div_euclid(SECOND));
        let fits = date.filter(|date| date.checked_mul(SECOND).is_some() || edit.shift == 0);
        header.date = fits.ok_or_else(|| {
            Error::invalid("shifted date", "one beyond 292 years", "a shorter shift", at)
                .within(FileHeader::NAME)
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
        let (Some(start), rest @ 1..) = (record.frame_start(), edit.shift.rem_euclid(SECOND)) else {
            return Ok(Edited::Same);
        };
        #[expect(clippy::cast_precision_loss, reason = "below a billion")]
        let elapsed = start.elapsed + rest as f64 / 1e9;
        if !elapsed.is_finite() {
            let error = Error::invalid("elapsed", elapsed, "seconds", record.body_offset());
            return Err(error.within("FrameStart packet"));
        }
        out.extend_from_slice(record.bytes().get(..PACKET_HEADER_LEN).unwrap_or_default());
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
