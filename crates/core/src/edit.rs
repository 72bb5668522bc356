//! Changing a recording, record by record.

use std::{cell::Cell, collections::BTreeSet, fmt, ops::Range, sync::Arc};

use crate::{Anonymise, Area, Error, Result, Timestamp, format::Format, slices::Part as _};

/// A change that a recording may support. Every format can drop channels: see
/// [`Copier::copy`](crate::format::Copier::copy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Shift its times.
    Shift,
    /// Rename channels.
    Rename,
    /// Rename the map of a simulation.
    MapName,
    /// Remove everything outside an area.
    Area,
    /// Move the origin of its local frame.
    Origin,
    /// Remove actors of a simulation.
    Actors,
    /// Anonymise places, names and serial numbers.
    Anonymise,
}

impl Change {
    /// Name of what is changed, to be used in a sentence.
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

/// What to do with a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Keep it as it is.
    Same,
    /// Rename it.
    Renamed(Arc<str>),
    /// Drop it.
    Dropped,
}

/// Decides about channels by name.
type Names = Box<dyn Fn(&str) -> Verdict + Send>;

/// Decides about actors by number, model and role.
type Keeps = Box<dyn Fn(u32, &str, &str) -> bool + Send>;

/// Which actors of a simulation to keep.
pub struct Actors {
    /// Whether to keep an actor with this number, model and role.
    pub keeps: Keeps,
    /// Numbers of the dropped actors, [learned](Editing::learn) from the recording.
    pub dropped: BTreeSet<u32>,
    /// Number of actors kept.
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

/// The changes to make to a recording.
#[derive(Default)]
pub struct Edit {
    /// Nanoseconds added to each time.
    pub shift: i64,
    /// What to do with each channel; `None` keeps all.
    pub names: Option<Names>,
    /// Whether `names` renames any, rather than only dropping.
    pub renames: bool,
    /// The new name of the map.
    pub map_name: Option<String>,
    /// Keeps only data in this area.
    pub area: Option<Area>,
    /// The new origin of the local frame: latitude and longitude in degrees.
    pub origin: Option<[f64; 2]>,
    /// Which actors of a simulation to keep.
    pub actors: Option<Actors>,
    /// How to anonymise, after all other changes.
    pub anonymise: Option<Anonymise>,
    /// The end of the last span of time as read and as shifted, in seconds: for formats in which each begins where the
    /// one before ends.
    pub end: Cell<Option<(f64, f64)>>,
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
    /// The kinds of change requested.
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

    /// What to do with a channel.
    pub fn verdict(&self, channel: &str) -> Verdict {
        self.names.as_ref().map_or(Verdict::Same, |names| names(channel))
    }

    /// A time, shifted. Returns an error with offset `at` if its clock cannot hold it.
    pub fn shifted(&self, time: Timestamp, at: u64) -> Result<Timestamp> {
        time.checked_add(self.shift)
            .ok_or_else(|| Error::unexpected("the shifted time exceeds 64-bit nanoseconds", at))
    }

    /// The shift in whole `unit`s of that many nanoseconds. Returns an error if it is not a multiple.
    pub fn shift_in(&self, unit: i64, name: &'static str, at: u64) -> Result<i64> {
        match (self.shift.checked_div(unit), self.shift.checked_rem(unit)) {
            (Some(whole), Some(0)) => Ok(whole),
            _ => Err(Error::invalid("shift", format_args!("{} ns", self.shift), name, at)),
        }
    }
}

/// The result of editing a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// Copied byte for byte.
    Same,
    /// Copied as changed.
    Changed,
    /// Not copied.
    Dropped,
}

/// A format whose records can be changed one by one. A [`Copier`](crate::format::Copier) copies the result, which updates
/// chains of offsets and indexes.
///
/// The defaults change nothing: [`CHANGES`](Self::CHANGES) lists what a format supports.
pub trait Editing: Format {
    /// The changes this format supports; any other is refused before anything is written.
    const CHANGES: &'static [Change] = &[];

    /// Changes the header and its `bytes`.
    ///
    /// Returns an error if the recording cannot hold the change.
    fn edit_header(header: &mut Self::Header, bytes: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        let _ = (header, bytes, edit);
        Ok(())
    }

    /// Writes the changed bytes of `record` to the empty `out`. Writes nothing if the record stays as it is.
    ///
    /// Returns an error if the record cannot hold the change.
    fn edit(
        header: &Self::Header,
        record: &Self::Record<'_>,
        edit: &Edit,
        out: &mut Vec<u8>,
    ) -> Result<Edited> {
        let _ = (header, record, edit, out);
        Ok(Edited::Same)
    }

    /// Learns from a record what the edit must know of the whole recording: names to replace everywhere, actors to
    /// drop.
    fn learn(header: &Self::Header, record: &Self::Record<'_>, edit: &mut Edit) {
        let _ = (header, record, edit);
    }

    /// Anonymises the header and its `bytes`.
    fn anonymise_header(header: &mut Self::Header, bytes: &mut Vec<u8>, how: &Anonymise) -> Result<()> {
        let _ = (header, bytes, how);
        Ok(())
    }

    /// Anonymises a record, as [`edit`](Self::edit) changes it. [Notes](Anonymise::note_opaque) what cannot be checked.
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

/// Appends `bytes` to `out`, with each of `parts` replaced by its text. Parts are in order and do not overlap.
///
/// ```
/// let mut out = Vec::new();
/// robolog_core::format::splice(b"a=1,b=2", &[(2..3, b"10"), (6..7, b"20")], &mut out);
/// assert_eq!(out, b"a=10,b=20");
/// ```
pub fn splice<T: AsRef<[u8]>>(bytes: &[u8], parts: &[(Range<usize>, T)], out: &mut Vec<u8>) {
    let mut from = 0_usize;
    for (range, text) in parts {
        out.extend_from_slice(bytes.part(from..range.start));
        out.extend_from_slice(text.as_ref());
        from = range.end;
    }
    out.extend_from_slice(bytes.part(from..));
}
