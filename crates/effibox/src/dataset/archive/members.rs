//! The members of a zip archive: by its directory, which each member's own header must confirm, and by those headers
//! alone where the directory is damaged or missing.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, Read},
    ops::Range,
};

use flate2::Crc;
use robolog_core::{
    layout::{Layout as _, Packed as _, first},
    slices::{InRange as _, Part as _, past},
};

use super::{
    Members, Zipped,
    directory::{DESCRIPTOR, Descriptor, END, Entry, Found, LISTED, LOCAL, STREAMED, Told, directory, local},
    inflate::{Exact, Inflate, is_damage},
    pages::Pages,
};
use crate::dataset::{
    fault::Result,
    name::{Role, role},
};

/// Bytes expanded to see which of two headers is right, how long a member is, and whether it has its checksum, beside 64 for
/// each byte of the archive.
const VERIFIED: u64 = 1 << 30;
/// Maximum bytes of a link.
const LINK: u64 = 4096;
const DIFFER: &str = "its header and the archive's directory differ";

/// Bytes of an archive of this length that may be expanded to compare checksums.
pub(super) fn budget(len: u64) -> u64 {
    VERIFIED.saturating_add(len.saturating_mul(64))
}

/// Lists the members of an archive.
pub(super) fn index(file: File, members: &mut Members<'_>) -> Result<()> {
    let mut pages = match Pages::new(file) {
        Ok(pages) => pages,
        Err(e) => return Err(members.failed(e)),
    };
    let mut reading = Reading { covered: Vec::new(), lost: Vec::new(), budget: budget(pages.len()) };
    let (entries, is_whole) = match directory(&mut pages, members.limit()) {
        Ok(found) => found,
        Err(e) => return Err(members.failed(e)),
    };
    reading.index(&mut pages, entries, is_whole, members)
}

/// The members being listed.
struct Reading {
    /// Bytes of members that are listed.
    covered: Vec<Range<u64>>,
    /// Members of the directory whose header is not where it says, or says otherwise.
    lost: Vec<Entry>,
    /// Bytes that may still be expanded.
    budget: u64,
}

impl Reading {
    fn index(
        &mut self,
        pages: &mut Pages,
        entries: Vec<Entry>,
        is_whole: bool,
        members: &mut Members<'_>,
    ) -> Result<()> {
        for entry in entries {
            match local(pages, entry.offset) {
                Ok(Some((found, true))) if entry.told.is_confirmed(&found.told) => {
                    self.add(pages, &found, &entry.told, entry.is_link, members)?;
                }
                Ok(_) => self.lost.push(entry),
                Err(e) => return Err(members.failed(e)),
            }
        }
        if !is_whole {
            members.damaged_here(
                "the directory at its end is damaged or missing: members have their own headers",
            );
        }
        if is_whole && self.lost.is_empty() {
            return Ok(());
        }
        self.resolve(pages, members)?;
        self.search(pages, is_whole, members)?;
        for entry in std::mem::take(&mut self.lost) {
            members.damaged(&entry.told.path(), "it is not where the archive's directory says");
        }
        Ok(())
    }

    fn add(
        &mut self,
        pages: &mut Pages,
        found: &Found,
        told: &Told,
        is_link: bool,
        members: &mut Members<'_>,
    ) -> Result<()> {
        self.covered.push(found.at..found.start.saturating_add(told.compressed));
        let path = told.path();
        let Some(zipped) = told.zipped() else {
            members.damaged(&path, "it is encrypted, or compressed in another way than deflate");
            return Ok(());
        };
        if path.ends_with('/') {
            return Ok(());
        }
        if is_link {
            if holds_a_path(pages, found.start, told) {
                members.skipped(&path, "links are not followed");
                return Ok(());
            }
            members.damaged(&path, "its attributes in the archive say that it is a link");
        }
        members.add(&path, found.start, told.size, Some(zipped))
    }

    /// Members whose headers differ: what fits the bytes is right.
    fn resolve(&mut self, pages: &mut Pages, members: &mut Members<'_>) -> Result<()> {
        let known = Known::of(members);
        for mut entry in std::mem::take(&mut self.lost) {
            let Ok(Some((mut found, is_header))) = local(pages, entry.offset) else {
                self.lost.push(entry);
                continue;
            };
            let fitting = self.fitting(pages, &entry.told, &found);
            if fitting.is_none() && !is_header {
                self.lost.push(entry);
                continue;
            }
            members.damaged(&entry.told.path(), DIFFER);
            if let Some((start, told)) = fitting {
                let names = [&entry.told.name, &found.told.name];
                let name =
                    names.into_iter().max_by_key(|name| (known.likeness(name), *name == &entry.told.name));
                let name = name.cloned().unwrap_or_default();
                found.start = start;
                entry.told = Told { name, ..told };
            }
            self.add(pages, &found, &entry.told, entry.is_link, members)?;
        }
        Ok(())
    }

    /// The start and the description that fit the bytes: of a header and a directory of which one is wrong.
    fn fitting(&mut self, pages: &mut Pages, entry: &Told, found: &Found) -> Option<(u64, Told)> {
        let extra = found.start.minus(found.told.name.len() as u64);
        for start in [found.start, past(extra, entry.name.len())] {
            for told in [entry, &found.told] {
                let is_known = std::ptr::eq(told, entry) || told.flags & STREAMED == 0;
                if is_known && self.fits(pages, start, told) {
                    return Some((start, told.clone()));
                }
            }
        }
        None
    }

    fn fits(&mut self, pages: &mut Pages, start: u64, told: &Told) -> bool {
        let Some(zipped) = told.zipped() else { return false };
        let Some(left) = self.budget.checked_sub(told.size) else { return false };
        self.budget = left;
        expand(pages, start, zipped, told.size, &mut |_| {}).is_ok()
    }

    /// Headers of members between those that are listed.
    fn search(&mut self, pages: &mut Pages, is_whole: bool, members: &mut Members<'_>) -> Result<()> {
        self.covered.sort_by_key(|range| range.start);
        let mut by_name: HashMap<Box<[u8]>, Entry> = std::mem::take(&mut self.lost)
            .into_iter()
            .map(|entry| (entry.told.name.clone(), entry))
            .collect();
        let (mut at, end) = (0, pages.len());
        let mut covered = std::mem::take(&mut self.covered).into_iter().peekable();
        loop {
            while covered.next_if(|range| range.end <= at || range.start <= at).is_some_and(|range| {
                at = at.max(range.end);
                true
            }) {}
            let until = covered.peek().map_or(end, |range| range.start);
            let next = match pages.find(LOCAL, at..until) {
                Ok(next) => next,
                Err(e) => return Err(members.failed(e)),
            };
            let Some(next) = next else {
                if until >= end {
                    break;
                }
                at = until;
                continue;
            };
            at = next.plus(1);
            let Ok(Some((found, true))) = local(pages, next) else { continue };
            let listed = by_name.remove(&found.told.name);
            // A sound directory leaves out members that were removed.
            if listed.is_none() && is_whole {
                continue;
            }
            at = self.own(pages, found, listed, members)?;
        }
        self.lost = by_name.into_values().collect();
        Ok(())
    }

    /// Adds a member by its own header. Returns where the next can begin.
    fn own(
        &mut self,
        pages: &mut Pages,
        mut found: Found,
        listed: Option<Entry>,
        members: &mut Members<'_>,
    ) -> Result<u64> {
        if let Some(entry) = listed {
            members.damaged(&entry.told.path(), DIFFER);
            if found.told.flags & STREAMED != 0 || self.fits(pages, found.start, &entry.told) {
                found.told = entry.told;
            }
        }
        let path = found.told.path();
        let mut is_torn = false;
        if found.told.flags & STREAMED != 0 && found.told.compressed == 0 {
            is_torn = !complete(pages, &mut found, &mut self.budget).map_err(|e| members.failed(e))?;
        }
        let Some(zipped) = found.told.zipped().filter(|_| !found.told.name.is_empty()) else {
            return Ok(found.at.plus(4));
        };
        let zipped = Zipped { crc: zipped.crc.filter(|_| !is_torn), ..zipped };
        if !path.ends_with('/') {
            members.add(&path, found.start, found.told.size, Some(zipped))?;
        }
        let end = found.start.saturating_add(found.told.compressed);
        // The size is a claim.
        let next = pages.bytes(end, 4).map_err(|e| members.failed(e))?;
        let is_next = [LOCAL, LISTED, DESCRIPTOR, END].iter().any(|magic| next == *magic);
        Ok(if is_next || end == pages.len() { end } else { found.start })
    }
}

/// Finds the sizes of a member whose header does not have them; returns false if it ends too early.
fn complete(pages: &mut Pages, found: &mut Found, budget: &mut u64) -> io::Result<bool> {
    let told = &mut found.told;
    if told.method == 8 {
        let (mut crc, mut size) = (Crc::new(), 0_u64);
        let mut inflate = Inflate::new(pages.stream(found.start)?);
        let mut bytes = [0; 1 << 14];
        let is_whole = loop {
            match inflate.read(&mut bytes) {
                Ok(0) => break true,
                Ok(n) => {
                    crc.update(bytes.part(..n));
                    size = size.plus(n as u64);
                    *budget = budget.saturating_sub(n as u64);
                }
                Err(e) if is_damage(&e) => break false,
                Err(e) => return Err(e),
            }
            if *budget == 0 {
                break false;
            }
        };
        told.size = size;
        told.compressed = inflate.taken();
        let after = pages.bytes(found.start.plus(told.compressed), 8)?;
        let after = after.strip_prefix(&DESCRIPTOR).unwrap_or(after);
        told.crc = first::<u32>(after).unwrap_or_else(|| crc.sum());
        return Ok(is_whole);
    }
    let (mut at, end) = (found.start, pages.len());
    while let Some(next) = pages.find(DESCRIPTOR, at..end)? {
        let len = next.minus(found.start);
        let after = Descriptor::peek(pages.bytes(next, Descriptor::LEN)?);
        if let Some(after) = after.filter(|after| u64::from(after.compressed) == len) {
            (told.size, told.compressed, told.crc) = (len, len, after.crc);
            return Ok(true);
        }
        at = next.plus(1);
    }
    let len = pages.find(LOCAL, found.start..end)?.unwrap_or(end).minus(found.start);
    (told.size, told.compressed) = (len, len);
    Ok(false)
}

/// Expands a member; an error if it does not have this size and checksum.
fn expand(
    pages: &mut Pages,
    start: u64,
    zipped: Zipped,
    size: u64,
    show: &mut dyn FnMut(&[u8]),
) -> io::Result<()> {
    let packed = pages.stream(start)?.take(zipped.compressed);
    let end = zipped.end();
    let mut bytes: Box<dyn Read + '_> = if zipped.deflated {
        Box::new(Exact::new(Inflate::new(packed), size, end))
    } else {
        Box::new(Exact::new(packed, size, end))
    };
    let mut block = [0; 1 << 14];
    loop {
        match bytes.read(&mut block)? {
            0 => return Ok(()),
            n => show(block.part(..n)),
        }
    }
}

/// Whether a member that claims to be a link holds a path.
fn holds_a_path(pages: &mut Pages, start: u64, told: &Told) -> bool {
    let mut text = Vec::new();
    let read = told
        .zipped()
        .filter(|_| told.size <= LINK)
        .map(|zipped| expand(pages, start, zipped, told.size, &mut |bytes| text.extend_from_slice(bytes)));
    matches!(read, Some(Ok(()))) && !text.iter().any(u8::is_ascii_control)
}

/// Folder and name of the interface of a path.
fn interface(path: &str) -> (String, String) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    (folder.to_owned(), role(name).0.to_owned())
}

/// The members whose headers agree.
struct Known {
    paths: HashSet<Box<str>>,
    interfaces: HashSet<(String, String)>,
}

impl Known {
    fn of(members: &Members<'_>) -> Self {
        let paths = members.list.iter().map(|member| member.path.clone()).collect();
        let interfaces = members.list.iter().map(|member| interface(&member.path)).collect();
        Self { paths, interfaces }
    }

    /// How much a name looks like one of the data set.
    fn likeness(&self, name: &[u8]) -> u8 {
        let Ok(path) = std::str::from_utf8(name) else { return 0 };
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_of_a_kind = !matches!(role(file).1, Role::Text | Role::Other);
        let is_of_interface = self.interfaces.contains(&interface(path));
        [is_of_a_kind, is_of_interface, !self.paths.contains(path)].into_iter().map(u8::from).sum()
    }
}
