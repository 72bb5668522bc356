//! The answers of CARLA's server to `show_recorder_file_info`, `show_recorder_collisions` and
//! `show_recorder_actors_blocked`: the same text byte for byte, without a server.
//!
//! The server's mistakes are part of its text; the option `corrected` avoids them:
//!
//! | query | the server | corrected |
//! |---|---|---|
//! | collisions, blocked | when an actor disappears, forgets the last one that appeared | forgets the right one |
//! | collisions | calls traffic signs `h` and sensors `a` | `s` and `n`; `h` selects heroes alone |
//! | collisions | prints the duration without decimals after the first line | with decimals |
//! | blocked | adds the last frame's -1 s; takes the world's origin for everyone's first place | leaves it out; takes the first place |
//! | blocked | counts from the frame after the arrival | from the arrival |
//!
//! Control characters in names are escaped; the server prints them raw.
//!
//! All three read streams of any length; their memory grows with the number of actors at most.

mod blocked;
mod collisions;
mod info;
mod number;

use std::{
    collections::HashMap,
    io::{Read, Write},
    ops::Range,
};

use robolog_core::{Event, OnDamage, Result, Timestamp, format::CountingWriter, slices::past};

use self::number::Text;
pub use self::{blocked::blocked, collisions::collisions, info::info};
use crate::{Additions, Record, StreamReader, layout::FrameStart};

/// Release whose wording is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "their own names; what differs stands at Options::wording")]
pub enum Wording {
    V0_9_6,
    V0_9_10,
    V0_9_14,
    #[default]
    V0_9_15,
    V0_9_16,
}

impl Wording {
    /// All of them, in order of time.
    pub const ALL: [Self; 5] = [Self::V0_9_6, Self::V0_9_10, Self::V0_9_14, Self::V0_9_15, Self::V0_9_16];

    /// The release.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V0_9_6 => "0.9.6",
            Self::V0_9_10 => "0.9.10",
            Self::V0_9_14 => "0.9.14",
            Self::V0_9_15 => "0.9.15",
            Self::V0_9_16 => "0.9.16",
        }
    }
}

robolog_core::names!(Wording, "wording");

/// Options of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Wording: labels changed in 0.9.10 and 0.9.15, the blank lines between frames in 0.9.15 and 0.9.16. Packets newer
    /// than the release are printed too.
    pub wording: Wording,
    /// Seconds by which the server's clock is ahead of UTC.
    pub utc_offset: i32,
    /// Prints everything, not only events.
    pub all: bool,
    /// Gives right answers in place of the server's.
    pub corrected: bool,
}

impl Options {
    /// With the wording of another release.
    #[must_use]
    pub const fn with_wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// With everything.
    #[must_use]
    pub const fn with_all(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// With right answers, or with the server's.
    #[must_use]
    pub const fn with_corrected(mut self, corrected: bool) -> Self {
        self.corrected = corrected;
        self
    }

    /// With a server's clock that is ahead of UTC by these seconds.
    #[must_use]
    pub const fn with_utc_offset(mut self, seconds: i32) -> Self {
        self.utc_offset = seconds;
        self
    }
}

/// Reads packets to the end, past damage, and writes the text that `each` appends.
struct Driver<'a, R, W> {
    reader: &'a mut StreamReader<R>,
    out: CountingWriter<W>,
    text: Text,
    /// The last frame that began.
    frame: FrameStart,
}

/// Bytes of text gathered before they are written.
const BLOCK: usize = 64 << 10;

impl<'a, R: Read, W: Write> Driver<'a, R, W> {
    /// Writes the common first lines.
    fn new(reader: &'a mut StreamReader<R>, out: W, options: Options) -> Self {
        let header = reader.header();
        let mut text = Text::default();
        text.str("Version: ").int(header.version);
        text.str("\nMap: ").escaped(&header.map);
        text.str("\nDate: ").str(&date(header.date, options.utc_offset)).str("\n\n");
        Self { reader, out: CountingWriter::new(out), text, frame: FrameStart::default() }
    }

    fn run(
        &mut self,
        on_damage: OnDamage<'_>,
        mut each: impl FnMut(&Record<'_>, FrameStart, &mut Text) -> Result<()>,
    ) -> Result<()> {
        loop {
            match self.reader.next_event()? {
                Event::Record(record) => {
                    if let Some(start) = record.frame_start() {
                        self.frame = start;
                    }
                    if let Err(error) = each(&record, self.frame, &mut self.text) {
                        // An earlier packet may turn out to be damaged.
                        let end = past(record.offset(), record.bytes().len());
                        let lost = error.offset().max(record.offset())..end;
                        on_damage(error, lost);
                    }
                }
                Event::Damage { error, lost } => on_damage(error, lost),
                Event::End => return Ok(()),
            }
            if self.text.bytes.len() >= BLOCK {
                self.flush()?;
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.bytes(&self.text.bytes)?;
        self.text.bytes.clear();
        Ok(())
    }

    /// Writes the common last lines. With `fixed` the stream still rounds to whole numbers.
    fn finish(mut self, fixed: bool) -> Result<()> {
        let FrameStart { frame, elapsed, .. } = self.frame;
        self.text.str("\nFrames: ").int(frame).str("\nDuration: ");
        if fixed {
            self.text.whole(elapsed, 0);
        } else {
            self.text.number(elapsed);
        }
        self.text.str(" seconds\n");
        self.flush()?;
        self.out.finish().map(|_| ())
    }
}

/// `strftime("%x %X")` of the C locale.
fn date(unix: i64, utc_offset: i32) -> String {
    let local = unix.saturating_add(utc_offset.into());
    let time =
        local.checked_mul(1_000_000_000).map(|ns| Timestamp::new(ns, robolog_core::Clock::Unix).to_string());
    // 2023-11-21T14:08:48.000000000Z
    let part = |range: Range<usize>| time.as_deref().and_then(|t| t.get(range)).unwrap_or("??");
    format!("{}/{}/{} {}", part(5..7), part(8..10), part(2..4), part(11..19))
}

/// Known actors: number of the type and blueprint.
#[derive(Debug, Default)]
struct Names {
    actors: HashMap<u32, (u8, Vec<u8>)>,
    last_added: u32,
}

impl Names {
    fn add(&mut self, additions: Additions<'_>, mut each: impl FnMut(u32)) -> Result<()> {
        for addition in additions {
            let addition = addition?;
            self.last_added = addition.id;
            self.actors.insert(addition.id, (addition.kind.0, addition.type_id.to_vec()));
            each(addition.id);
        }
        Ok(())
    }

    /// The actor that is forgotten when `gone` disappears.
    fn forgotten(&self, gone: u32, options: Options) -> u32 {
        if options.corrected { gone } else { self.last_added }
    }
}
