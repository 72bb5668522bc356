//! `show_recorder_collisions`.

use std::{
    collections::HashSet,
    io::{Read, Write},
};

use robolog_core::Result;

use super::{Driver, Names, OnDamage, Options};
use crate::{
    Payload, StreamReader,
    layout::{Collision, NO_ACTOR},
};

/// Writes a line for each pair of actors that begin to touch.
///
/// `types` selects actors by one letter each: `h` hero, `v` vehicle, `w` walker, `t` traffic light, `o` other, `a` any;
/// if corrected also `s` traffic sign and `n` sensor.
///
/// ```
/// use carla_rec::query::{self, Options};
/// let mut reader = carla_rec::open("examples/v0_9_15.log")?;
/// let mut text = Vec::new();
/// query::collisions(&mut reader, ['h', 'a'], Options::default(), &mut text, &mut |error, _| eprintln!("{error}"))?;
/// println!("{}", String::from_utf8_lossy(&text)); // what the hero touched
/// # Ok::<(), carla_rec::Error>(())
/// ```
pub fn collisions<R: Read>(
    reader: &mut StreamReader<R>,
    types: [char; 2],
    options: Options,
    out: impl Write,
    on_damage: OnDamage<'_>,
) -> Result<()> {
    let mut driver = Driver::new(reader, out, options);
    let text = &mut driver.text;
    text.right("Time", 8).str(" ").right("Types", 6).str(" ").right("Id", 6).str(" ").left(b"Actor 1", 35);
    text.str(" ").right("Id", 6).str(" ").left(b"Actor 2", 35).str("\n");
    let mut names = Names::default();
    let (mut before, mut now) = (HashSet::new(), HashSet::new());
    let mut fixed = false;
    driver.run(on_damage, |record, frame, text| {
        if !matches!(record.id(), 0 | 2 | 3 | 5) {
            return Ok(());
        }
        match record.decode()? {
            Payload::FrameStart(_) => before = std::mem::take(&mut now),
            Payload::EventAdd(additions) => names.add(additions, |_| {})?,
            Payload::EventDel(deletions) => {
                for gone in deletions {
                    let forgotten = names.forgotten(gone.id, options);
                    names.actors.remove(&forgotten);
                }
            }
            Payload::Collision(collisions) => {
                for c in collisions {
                    let letters = [c.actor1, c.actor2].map(|id| letter(&names, id, options));
                    if !wanted(types, letters, &c, options) {
                        continue;
                    }
                    let pair = (c.actor1, c.actor2);
                    now.insert(pair);
                    if !before.contains(&pair) {
                        fixed = true;
                        let name = |id| names.actors.get(&id).map_or(&b""[..], |(_, name)| name);
                        text.whole(frame.elapsed, 8).str("   ").right(letters[0], 0).str(" ");
                        text.right(letters[1], 0)
                            .str("  ")
                            .right(c.actor1, 6)
                            .str(" ")
                            .left(name(c.actor1), 35);
                        text.str(" ").right(c.actor2, 6).str(" ").left(name(c.actor2), 35).str("\n");
                    }
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    driver.finish(fixed && !options.corrected)
}

fn wanted(types: [char; 2], letters: [char; 2], c: &Collision, options: Options) -> bool {
    let wants = |wanted: char, letter: char, hero: bool| match wanted {
        'a' => true,
        'h' if options.corrected => hero,
        'h' => hero || letter == 'h',
        _ => wanted == letter,
    };
    let [first, second] = types;
    let [this, that] = letters;
    wants(first, this, c.hero1) && wants(second, that, c.hero2)
}

/// The letter of an actor's type; unknown types are "other".
fn letter(names: &Names, id: u32, options: Options) -> char {
    let number = names.actors.get(&id).filter(|_| id != NO_ACTOR).map_or(0, |(number, _)| *number);
    let letters =
        if options.corrected { ['o', 'v', 'w', 't', 's', 'n'] } else { ['o', 'v', 'w', 't', 'h', 'a'] };
    letters.get(usize::from(number)).copied().unwrap_or('o')
}
