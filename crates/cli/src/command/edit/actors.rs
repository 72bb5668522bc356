//! `edit --drop-actor`, `--keep-actor` and `--life-of`: selects actors and frames of a CARLA recording.

use std::{collections::BTreeSet, ops::Range, path::Path};

use carla_rec::{CarlaRec, Payload, StreamReader};
use robolog_convert::{
    Error, Result,
    robolog_core::{
        Event,
        format::{Actors, Format as _},
    },
};

use crate::{args::edit::EditStep, progress::Context};

/// The actors that stay, if options select any: with `--keep-actor` only those, and none of `--drop-actor`.
pub(super) fn chosen(steps: &[EditStep]) -> Option<Actors> {
    let is_of_actors = |step: &&EditStep| matches!(step, EditStep::DropActor(_) | EditStep::KeepActor(_));
    let steps: Vec<EditStep> = steps.iter().filter(is_of_actors).cloned().collect();
    if steps.is_empty() {
        return None;
    }
    let keeps = move |number: u32, model: &str, role: &str| {
        let mut kept = None;
        for step in &steps {
            match step {
                EditStep::DropActor(actor) if actor.is(number, model, role) => return false,
                EditStep::KeepActor(actor) => {
                    kept = Some(kept == Some(true) || actor.is(number, model, role));
                }
                _ => {}
            }
        }
        kept != Some(false)
    };
    Some(Actors { keeps: Box::new(keeps), dropped: BTreeSet::new(), kept: 0 })
}

/// The frames from the first appearance of an actor of `--life-of` to the last disappearance.
pub(super) fn life(steps: &[EditStep], file: &Path, context: Context) -> Result<Option<Range<u64>>> {
    let wanted: Vec<_> = steps
        .iter()
        .filter_map(|step| if let EditStep::LifeOf(actor) = step { Some(actor) } else { None })
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let input = context.open(file)?;
    if input.format()? != CarlaRec::NAME {
        return Err(Error::Target("--life-of needs a CARLA recording".into()));
    }
    let mut reader: StreamReader<_> = StreamReader::new(input.into_stream())?;
    let (mut frame, mut life, mut alive) = (0, None::<Range<u64>>, Vec::new());
    loop {
        let payload = match reader.next_event()? {
            Event::Record(record) => record.decode(),
            Event::Damage { .. } => continue,
            Event::End => break,
        };
        match payload {
            Ok(Payload::FrameStart(start)) => frame = start.frame,
            Ok(Payload::EventAdd(additions)) => {
                for actor in additions.into_iter().map_while(Result::ok) {
                    let role = String::from_utf8_lossy(actor.attribute("role_name").unwrap_or_default());
                    if wanted.iter().any(|wanted| wanted.is(actor.id, &actor.type_id_text(), &role)) {
                        alive.push(actor.id);
                        life.get_or_insert(frame..u64::MAX);
                    }
                }
            }
            Ok(Payload::EventDel(rows)) => {
                let before = alive.len();
                alive.retain(|id| !rows.iter().any(|row| row.id == *id));
                if let (Some(life), true) = (&mut life, alive.is_empty() && before > 0) {
                    life.end = frame.saturating_add(1);
                }
            }
            _ => {}
        }
        if let (Some(life), false) = (&mut life, alive.is_empty()) {
            life.end = u64::MAX;
        }
    }
    life.map(Some).ok_or_else(|| Error::Empty("no such actor: robolog carla info lists them".into()))
}
