//! `show_recorder_actors_blocked`.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
};

use robolog_core::Result;

use super::{Driver, Names, OnDamage, Options, number::Text};
use crate::{
    Payload, StreamReader,
    by_id::ById,
    layout::{FrameStart, Position, Vector, Width},
};

/// Where and since when an actor stands.
#[derive(Debug, Default)]
struct Stand {
    /// Where it last moved to; if corrected, `None` before its first frame.
    place: Option<Vector>,
    since: f64,
    duration: f64,
}

/// A line of the answer, sorted by duration, longest first, then by time and actor. The server's order of equal
/// durations is that of its hash table.
#[derive(Debug)]
struct Line {
    duration: f64,
    since: f64,
    id: u32,
    text: Vec<u8>,
}

/// Writes a line for each actor that stood for `min_time` seconds within `min_distance` centimetres of a place.
///
/// ```
/// use carla_rec::query::{self, Options};
/// let mut reader = carla_rec::open("examples/v0_9_15.log")?;
/// let mut text = Vec::new();
/// // Less than a metre in a tenth of a second.
/// query::blocked(&mut reader, 0.1, 100.0, Options::default(), &mut text, &mut |error, _| eprintln!("{error}"))?;
/// println!("{}", String::from_utf8_lossy(&text));
/// # Ok::<(), carla_rec::Error>(())
/// ```
pub fn blocked<R: Read>(
    reader: &mut StreamReader<R>,
    min_time: f64,
    min_distance: f64,
    options: Options,
    out: impl Write,
    on_damage: OnDamage<'_>,
) -> Result<()> {
    let mut driver = Driver::new(reader, out, options);
    let text = &mut driver.text;
    text.right("Time", 8)
        .str(" ")
        .right("Id", 6)
        .str(" ")
        .left(b"Actor", 35)
        .str(" ")
        .right("Duration", 10)
        .str("\n");
    let mut names = Names::default();
    let mut stands = ById::<Stand>::default();
    let mut lines = Vec::new();
    driver.run(on_damage, |record, frame, _| {
        if !matches!(record.id(), 2 | 3 | 6) {
            return Ok(());
        }
        match record.decode()? {
            Payload::EventAdd(additions) => names.add(additions, |id| {
                *stands.get_or_insert_with(id, Stand::default) = Stand::default();
            })?,
            Payload::EventDel(deletions) => {
                for gone in deletions {
                    let forgotten = names.forgotten(gone.id, options);
                    if options.corrected
                        && let Some(stand) = stands.get(forgotten).filter(|s| s.duration >= min_time)
                    {
                        lines.push(line(&names, forgotten, stand));
                    }
                    stands.remove(forgotten);
                    names.actors.remove(&forgotten);
                }
            }
            Payload::Position(rows) => {
                for position in &rows {
                    let stand = stands.get_or_insert_with(position.id, Stand::default);
                    if stays(stand, &position, rows.width(), min_distance, options) {
                        step(stand, frame, options);
                    } else {
                        if stand.duration >= min_time {
                            lines.push(line(&names, position.id, stand));
                        }
                        stand.duration = 0.0;
                        stand.place = Some(position.location);
                        // The frame of the arrival counts: the actor is there until the next.
                        if options.corrected {
                            step(stand, frame, options);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    let standing: BTreeMap<_, _> = stands.iter().filter(|(_, stand)| stand.duration >= min_time).collect();
    lines.extend(standing.into_iter().map(|(id, stand)| line(&names, id, stand)));
    lines.sort_by(|a, b| {
        b.duration.total_cmp(&a.duration).then(a.since.total_cmp(&b.since)).then(a.id.cmp(&b.id))
    });
    for line in &lines {
        driver.text.raw(&line.text);
    }
    driver.finish(false)
}

/// Whether the actor is still at its place. With floats the distance is a float, as in the simulator.
fn stays(stand: &Stand, position: &Position, width: Width, min_distance: f64, options: Options) -> bool {
    let place = match stand.place {
        Some(place) => place,
        None if options.corrected => return false,
        None => Vector::default(),
    };
    let [dx, dy, dz] =
        [place.x - position.location.x, place.y - position.location.y, place.z - position.location.z];
    let distance = match width {
        Width::F32 => {
            #[expect(clippy::cast_possible_truncation, reason = "differences of floats, as floats")]
            let [dx, dy, dz] = [dx as f32, dy as f32, dz as f32];
            f64::from((dx * dx + dy * dy + dz * dz).sqrt())
        }
        Width::F64 => (dx * dx + dy * dy + dz * dz).sqrt(),
    };
    distance < min_distance
}

fn step(stand: &mut Stand, frame: FrameStart, options: Options) {
    if stand.duration == 0.0 {
        stand.since = frame.elapsed;
    }
    // The duration of the last frame is -1: unknown.
    if frame.duration > 0.0 || !options.corrected {
        stand.duration += frame.duration;
    }
}

fn line(names: &Names, id: u32, stand: &Stand) -> Line {
    let name = names.actors.get(&id).map_or(&b""[..], |(_, name)| name);
    let mut text = Text::default();
    text.whole(stand.since, 8).str(" ").right(id, 6).str(" ").left(name, 35);
    text.str(" ").whole(stand.duration, 10).str("\n");
    Line { duration: stand.duration, since: stand.since, id, text: text.bytes }
}
