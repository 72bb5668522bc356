//! The directory of a zip archive, and the headers of its members.

use std::io;

use robolog_core::{
    layout::{Layout as _, Packed as _},
    slices::{InRange as _, past},
};

use super::{Zipped, pages::Pages};

robolog_core::layout! {
    /// Before each member.
    pub struct Local("zip header") {
        pub magic: [u8; 4],
        pub needs: u16,
        pub flags: u16,
        pub method: u16,
        pub time: u32,
        pub crc: u32,
        pub compressed: u32,
        pub size: u32,
        pub name: u16,
        pub extra: u16,
    }

    /// A member in the directory.
    pub struct Listed("zip directory") {
        pub magic: [u8; 4],
        pub made_by: u16,
        pub needs: u16,
        pub flags: u16,
        pub method: u16,
        pub time: u32,
        pub crc: u32,
        pub compressed: u32,
        pub size: u32,
        pub name: u16,
        pub extra: u16,
        pub comment: u16,
        pub disk: u16,
        pub internal: u16,
        pub attributes: u32,
        pub offset: u32,
    }

    /// After the directory.
    pub struct End("zip end") {
        pub magic: [u8; 4],
        pub disks: u32,
        pub here: u16,
        pub members: u16,
        pub len: u32,
        pub offset: u32,
        pub comment: u16,
    }

    /// Before the end, in an archive with 64-bit offsets.
    pub struct Locator("zip64 locator") {
        pub magic: [u8; 4],
        pub disk: u32,
        pub offset: u64,
        pub disks: u32,
    }

    /// The end with 64-bit numbers.
    pub struct End64("zip64 end") {
        pub magic: [u8; 4],
        pub size: u64,
        pub made_by: u16,
        pub needs: u16,
        pub disks: u64,
        pub here: u64,
        pub members: u64,
        pub len: u64,
        pub offset: u64,
    }

    /// After a member whose header does not have its sizes.
    pub struct Descriptor("zip descriptor") {
        pub magic: [u8; 4],
        pub crc: u32,
        pub compressed: u32,
        pub size: u32,
    }
}

pub(super) const LOCAL: [u8; 4] = *b"PK\x03\x04";
pub(super) const LISTED: [u8; 4] = *b"PK\x01\x02";
pub(super) const END: [u8; 4] = *b"PK\x05\x06";
const LOCATOR: [u8; 4] = *b"PK\x06\x07";
const END64: [u8; 4] = *b"PK\x06\x06";
pub(super) const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";

/// Flag of a member that is encrypted, and of one whose sizes follow it.
const ENCRYPTED: u16 = 1;
pub(super) const STREAMED: u16 = 8;

/// Bytes that may follow the end: a comment.
const TAIL: u64 = 64 << 10;

/// What a header says of a member.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) name: Box<[u8]>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) compressed: u64,
    pub(super) size: u64,
}

/// A member by the directory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) told: Told,
    pub(super) offset: u64,
    pub(super) is_link: bool,
}

/// A member by its own header.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) told: Told,
    pub(super) at: u64,
    pub(super) start: u64,
}

impl Told {
    pub(super) fn zipped(&self) -> Option<Zipped> {
        let deflated = match self.method {
            0 => false,
            8 => true,
            _ => return None,
        };
        let is_plain = self.flags & ENCRYPTED == 0;
        is_plain.then_some(Zipped { compressed: self.compressed, deflated, crc: Some(self.crc) })
    }

    pub(super) fn path(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// Whether a member's own header says the same.
    pub(super) fn is_confirmed(&self, local: &Self) -> bool {
        let sizes = |told: &Self| (told.crc, told.compressed, told.size);
        self.name == local.name
            && self.method == local.method
            && (self.flags ^ local.flags) & ENCRYPTED == 0
            && (local.flags & STREAMED != 0 || sizes(self) == sizes(local))
    }
}

/// Replaces the numbers that a 32-bit field cannot hold, in order, by those of the extra field for them.
fn widen(extra: &[u8], numbers: &mut [&mut u64]) {
    let mut rest = extra;
    while let (Some(id), Some(len)) = (u16::take(&mut rest), u16::take(&mut rest)) {
        let Some((mut field, after)) = rest.split_at_checked(len.into()) else { return };
        rest = after;
        if id == 1 {
            for number in numbers.iter_mut().filter(|number| ***number == u64::from(u32::MAX)) {
                **number = u64::take(&mut field).unwrap_or(**number);
            }
        }
    }
}

/// The directory, and whether it is whole.
pub(super) fn directory(pages: &mut Pages, limit: u64) -> io::Result<(Vec<Entry>, bool)> {
    let mut entries = Vec::new();
    let Some(DirectorySpan { start: mut at, end, members, mask }) = place(pages)? else {
        return Ok((entries, false));
    };
    let mut is_whole = true;
    while at < end && (entries.len() as u64) <= limit {
        if let Some((entry, next)) = entry(pages, at)? {
            entries.push(entry);
            at = next;
        } else {
            is_whole = false;
            let Some(next) = pages.find(LISTED, at.plus(1)..end)? else { break };
            at = next;
        }
    }
    let is_counted = (entries.len() as u64 ^ members) & mask == 0;
    Ok((entries, is_whole && at == end && is_counted))
}

/// What the end of an archive says of its directory.
struct DirectorySpan {
    start: u64,
    end: u64,
    /// Number of members.
    members: u64,
    /// The bits of this number that are known.
    mask: u64,
}

fn place(pages: &mut Pages) -> io::Result<Option<DirectorySpan>> {
    let len = pages.len();
    let mut at = None;
    let mut from = len.saturating_sub(TAIL);
    while let Some(next) = pages.find(END, from..len)? {
        (at, from) = (Some(next), next.plus(1));
    }
    let Some(at) = at else { return Ok(None) };
    let Some(end) = End::peek(pages.bytes(at, End::LEN)?) else { return Ok(None) };
    let locator = at.checked_sub(Locator::LEN as u64);
    let locator = match locator {
        Some(at) => Locator::peek(pages.bytes(at, Locator::LEN)?).filter(|found| found.magic == LOCATOR),
        None => None,
    };
    if let Some(locator) = locator {
        let found = End64::peek(pages.bytes(locator.offset, End64::LEN)?).filter(|end| end.magic == END64);
        return Ok(found.map(|end| DirectorySpan {
            start: end.offset,
            end: locator.offset,
            members: end.members,
            mask: u64::MAX,
        }));
    }
    // Its length is the more reliable: bytes may come before the archive.
    let by_len = at.checked_sub(end.len.into());
    let is_there = match by_len {
        Some(start) => start == at || pages.bytes(start, 4)? == LISTED,
        None => false,
    };
    let start = if is_there { by_len.unwrap_or_default() } else { end.offset.into() };
    Ok(Some(DirectorySpan { start, end: at, members: end.members.into(), mask: u16::MAX.into() }))
}

/// The member in the directory at `at`, and the place of the next.
fn entry(pages: &mut Pages, at: u64) -> io::Result<Option<(Entry, u64)>> {
    let head = Listed::peek(pages.bytes(at, Listed::LEN)?).filter(|head| head.magic == LISTED);
    let Some(head) = head else { return Ok(None) };
    let (name, extra) = (usize::from(head.name), usize::from(head.extra));
    let len = Listed::LEN.plus(name).plus(extra);
    let bytes = pages.bytes(at, len)?;
    let Some((name, extra)) = bytes.get(Listed::LEN..len).and_then(|tail| tail.split_at_checked(name)) else {
        return Ok(None);
    };
    let [mut size, mut compressed, mut offset] = [head.size, head.compressed, head.offset].map(u64::from);
    widen(extra, &mut [&mut size, &mut compressed, &mut offset]);
    let (flags, method, crc) = (head.flags, head.method, head.crc);
    let is_link = head.made_by >> 8 == 3 && head.attributes >> 28 == 0o12;
    let told = Told { name: name.into(), flags, method, crc, compressed, size };
    let next = past(at, len).plus(head.comment.into());
    Ok(Some((Entry { told, offset, is_link }, next)))
}

/// The header of a member at `at`, whatever its first bytes.
pub(super) fn local(pages: &mut Pages, at: u64) -> io::Result<Option<(Found, bool)>> {
    let Some(head) = Local::peek(pages.bytes(at, Local::LEN)?) else { return Ok(None) };
    let (name, extra) = (usize::from(head.name), usize::from(head.extra));
    let len = Local::LEN.plus(name).plus(extra);
    let bytes = pages.bytes(at, len)?;
    let Some((name, extra)) = bytes.get(Local::LEN..len).and_then(|tail| tail.split_at_checked(name)) else {
        return Ok(None);
    };
    let [mut size, mut compressed] = [head.size, head.compressed].map(u64::from);
    widen(extra, &mut [&mut size, &mut compressed]);
    let (flags, method, crc) = (head.flags, head.method, head.crc);
    let told = Told { name: name.into(), flags, method, crc, compressed, size };
    let start = past(at, len);
    Ok(Some((Found { told, at, start }, head.magic == LOCAL)))
}
