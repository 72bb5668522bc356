//! Changes of a recording, record by record.

use std::{collections::BTreeSet, fmt, ops::Range, sync::Arc};

use crate::{Anonymise, Area, Error, Format, Result, Timestamp};

/// What a recording can be asked to change. Channels can be dropped from all formats: see
/// [`Rewriting::copy`](crate::Rewriting::copy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Its times.
    Shift,
    /// The names of its channels.
    Rename,
    /// The name of the map of a simulation.
    MapName,
    /// What lies outside of an area goes.
    Area,
    /// The origin of its local frame.
    Origin,
    /// Which actors of a simulation there are.
    Actors,
    /// Places, names and serial numbers.
    Anonymise,
}

impl Change {
    /// What is changed, as a sentence has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shift => "times",
            Self::Rename => "names of channels",
            Self::MapName => "the name of a map",
            Self::Area => "the area that it covers",
            Self::Origin => "the origin of its local frame",
            Self::Actors => "the actors of a simulation",
            Self::Anonymise => "places, names and serial numbers",
        }
    }
}

/// What becomes of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It stays as it is.
    Same,
    /// It gets this name.
    Renamed(Arc<str>),
    /// It goes.
    Dropped,
}

/// Decides about channels by name.
type Names = Box<dyn Fn(&str) -> Verdict + Send>;

/// Decides about actors by their number, model and role.
type Keeps = Box<dyn Fn(u32, &str, &str) -> bool + Send>;

/// Which actors of a simulation stay.
pub struct Actors {
    /// Whether an actor with this number, model and role stays.
    pub keeps: Keeps,
    /// The numbers of those that go: [learned](Editing::learn) from the recording.
    pub dropped: BTreeSet<u32>,
    /// How many stay.
    pub kept: u64,
}

impl fmt::Debug for Actors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Actors")
            .field("dropped", &self.dropped)
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}

/// What is to be changed in a recording.
#[derive(Default)]
pub struct Edit {
    /// Nanoseconds by which each time is later afterwards.
    pub shift: i64,
    /// What becomes of each channel; `None` leaves all of them.
    pub names: Option<Names>,
    /// Whether `names` renames any, not only drops.
    pub renames: bool,
    /// The new name of the map.
    pub map_name: Option<String>,
    /// Only what lies in this area stays.
    pub area: Option<Area>,
    /// The new origin of the local frame: latitude and longitude in degrees.
    pub origin: Option<[f64; 2]>,
    /// Which actors of a simulation stay.
    pub actors: Option<Actors>,
    /// How it is made anonymous, after all else.
    pub anonymise: Option<Anonymise>,
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edit")
            .field("shift", &self.shift)
            .field("renames", &self.renames)
            .field("map_name", &self.map_name)
            .finish_non_exhaustive()
    }
}

impl Edit {
    /// What it changes.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        let changes = [
            (self.shift != 0, Change::Shift),
            (self.renames, Change::Rename),
            (self.map_name.is_some(), Change::MapName),
            (self.area.is_some(), Change::Area),
            (self.origin.is_some(), Change::Origin),
            (self.actors.is_some(), Change::Actors),
            (self.anonymise.is_some(), Change::Anonymise),
        ];
        changes.into_iter().filter_map(|(is_made, change)| is_made.then_some(change))
    }

    /// What becomes of a channel.
    pub fn verdict(&self, channel: &str) -> Verdict {
        self.names.as_ref().map_or(Verdict::Same, |names| names(channel))
    }

    /// A time, shifted. Fails where its clock cannot hold it; `at` is where it lies.
    pub fn shifted(&self, time: Timestamp, at: u64) -> Result<Timestamp> {
        time.checked_add(self.shift).ok_or_else(|| {
            Error::invalid("shifted time", "one beyond 292 years", "one that 64 bits of nanoseconds hold", at)
        })
    }

    /// The shift in whole `unit`s of so many nanoseconds. Fails for a part of one.
    pub fn shift_in(&self, unit: i64, name: &'static str, at: u64) -> Result<i64> {
        match (self.shift.checked_div(unit), self.shift.checked_rem(unit)) {
            (Some(whole), Some(0)) => Ok(whole),
            _ => Err(Error::invalid("shift", format_args!("{} ns", self.shift), name, at)),
        }
    }
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// It is copied byte for byte.
    Same,
    /// It is copied as it was made.
    Changed,
    /// It is not copied.
    Dropped,
}

/// A format whose records can be changed one by one. A [`Rewriting`](crate::Rewriting) copies what comes of it, so that
/// chains of offsets and indexes follow.
///
/// The defaults change nothing: [`CHANGES`](Self::CHANGES) says what a format can do.
pub trait Editing: Format {
    /// What can be changed in this format; who asks for more is refused before anything is written.
    const CHANGES: &'static [Change] = &[];

    /// Changes the header, and the bytes that it stands for.
    ///
    /// Fails where the recording cannot hold the change.
    fn edit_header(header: &mut Self::Header, bytes: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        let _ = (header, bytes, edit);
        Ok(())
    }

    /// Puts the changed bytes of `record` into `out`, which is empty. Nothing is put there for a record that stays as it is.
    ///
    /// Fails where the record cannot hold the change.
    fn edit(
        header: &Self::Header,
        record: &Self::Record<'_>,
        edit: &Edit,
        out: &mut Vec<u8>,
    ) -> Result<Edited> {
        let _ = (header, record, edit, out);
        Ok(Edited::Same)
    }

    /// Finds in a record what the edit must know of the whole recording: names to be replaced wherever they stand, actors
    /// that go.
    fn learn(header: &Self::Header, record: &Self::Record<'_>, edit: &mut Edit) {
        let _ = (header, record, edit);
    }

    /// Makes the header anonymous, and the bytes that it stands for.
    fn anonymise_header(header: &mut Self::Header, bytes: &mut Vec<u8>, how: &Anonymise) -> Result<()> {
        let _ = (header, bytes, how);
        Ok(())
    }

    /// Makes a record anonymous, as [`edit`](Self::edit) changes it. What cannot be decided is
    /// [noted](Anonymise::note_opaque).
    fn anonymise(
        header: &Self::Header,
        record: &Self::Record<'_>,
        how: &Anonymise,
        out: &mut Vec<u8>,
    ) -> Result<Edited> {
        let _ = (header, record, how, out);
        Ok(Edited::Same)
    }
}

/// Appends `bytes` to `out`, with each of `parts` replaced by its text. The parts are in order and do not overlap.
///
/// ```
/// let mut out = Vec::new();
/// robolog_core::splice(b"a=1,b=2", &[(2..3, b"10"), (6..7, b"20")], &mut out);
/// assert_eq!(out, b"a=10,b=20");
/// ```
pub fn splice<T: AsRef<[u8]>>(bytes: &[u8], parts: &[(Range<usize>, T)], out: &mut Vec<u8>) {
    let mut from = 0_usize;
    for (range, text) in parts {
        out.extend_from_slice(bytes.get(from..range.start).unwrap_or_default());
        out.extend_from_slice(text.as_ref());
        from = range.end;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
}
