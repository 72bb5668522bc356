//! Data sets in `.tar`, `.tar.gz` and `.zip`, read in place.

mod directory;
mod inflate;
mod members;
mod pages;
mod tape;

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use robolog_core::{Error, ErrorKind, slices::InRange as _, text::name_of};

use self::{
    inflate::{Budget, End, Exact, Gunzip, Inflate},
    tape::Seekable,
};
use super::{
    Limits,
    fault::{Fault, Result},
    lister::{Lister, Stream},
    name::is_inside,
};

/// An archive and the places of its members.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) kind: ArchiveKind,
    path: PathBuf,
    /// In the order of the archive.
    members: Vec<Member>,
    /// Indices into `members`, by path.
    by_path: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArchiveKind {
    Tar,
    TarGz,
    Zip,
}

#[derive(Debug)]
struct Member {
    path: Box<str>,
    /// Offset of the first byte: in the file, or in its expanded bytes.
    offset: u64,
    /// Size when expanded.
    size: u64,
    zip: Option<Zipped>,
}

#[derive(Debug, Clone, Copy)]
struct Zipped {
    compressed: u64,
    deflated: bool,
    /// `None` if the member ends too early.
    crc: Option<u32>,
}

impl Zipped {
    fn end(self) -> End {
        self.crc.map_or(End::Torn, End::checksum)
    }
}

impl Archive {
    /// Lists the members. A `.tar` is walked from header to header, a `.zip` has a list of its own, a `.tar.gz` is
    /// expanded once.
    pub(crate) fn open(path: &Path, limits: &Limits, lister: &mut dyn Lister) -> Result<Self> {
        let failed = |e| Fault::path(path, e);
        let mut file = File::open(path).map_err(failed)?;
        let mut start = Vec::with_capacity(512);
        Read::by_ref(&mut file).take(512).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        let kind = kind(&start, path)?;
        let sums = Sums { limits, members: 0, total: 0 };
        let mut members = Members { list: Vec::new(), path, sums, lister };
        match kind {
            ArchiveKind::Tar => tape::index(&mut Seekable::new(file).map_err(failed)?, &mut members)?,
            ArchiveKind::TarGz => {
                let mut tape = Budget { inner: expanded(file), left: limits.total_bytes };
                tape::index(&mut tape, &mut members)?;
            }
            ArchiveKind::Zip => members::index(file, &mut members)?,
        }
        let members = members.list;
        let mut archive = Self { kind, path: path.to_owned(), members, by_path: Vec::new() };
        archive.sort(lister);
        Ok(archive)
    }

    /// Sorts by path; of several members with one path the last is kept, as when unpacking.
    fn sort(&mut self, lister: &mut dyn Lister) {
        let members = &self.members;
        let path = |place: &u32| members.get(*place as usize).map_or("", |m| &*m.path);
        let mut places: Vec<u32> = (0..u32::try_from(members.len()).unwrap_or(u32::MAX)).collect();
        places.sort_by(|a, b| path(a).cmp(path(b)).then(b.cmp(a)));
        places.dedup_by(|later, kept| {
            let same = path(later) == path(kept);
            if same {
                lister.skipped(path(later), "a later member has the same path");
            }
            same
        });
        self.by_path = places;
    }

    fn find(&self, path: &str) -> Option<&Member> {
        let of = |place: &u32| self.members.get(*place as usize);
        let found = self.by_path.binary_search_by(|place| of(place).map_or("", |m| &*m.path).cmp(path));
        of(self.by_path.get(found.ok()?)?)
    }

    pub(crate) fn list(&self, lister: &mut dyn Lister) -> Result<()> {
        for member in &self.members {
            if self.is_kept(member) {
                lister.file(&member.path, &mut || Ok(member.size))?;
            }
        }
        Ok(())
    }

    fn is_kept(&self, member: &Member) -> bool {
        self.find(&member.path).is_some_and(|kept| kept.offset == member.offset)
    }

    /// The bytes of a member. In a `.tar.gz` everything before it is expanded again.
    pub(crate) fn stream(&self, path: &str) -> Result<Option<Stream>> {
        let Some(member) = self.find(path) else { return Ok(None) };
        let failed = |e| Fault::io(path, e);
        let mut file = File::open(&self.path).map_err(failed)?;
        if self.kind == ArchiveKind::TarGz {
            let mut expanded = expanded(file);
            let before =
                io::copy(&mut expanded.by_ref().take(member.offset), &mut io::sink()).map_err(failed)?;
            if before < member.offset {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()));
            }
            return Ok(Some(Box::new(Exact::new(expanded, member.size, End::Length))));
        }
        file.seek(SeekFrom::Start(member.offset)).map_err(failed)?;
        let Some(zipped) = member.zip else {
            return Ok(Some(Box::new(Exact::new(file, member.size, End::Length))));
        };
        let packed = file.take(zipped.compressed);
        Ok(Some(if zipped.deflated {
            let expanded = Inflate::new(BufReader::with_capacity(1 << 16, packed));
            Box::new(Exact::new(expanded, member.size, zipped.end()))
        } else {
            Box::new(Exact::new(packed, member.size, zipped.end()))
        }))
    }

    /// Bytes that may be expanded to compare the checksums of members; `None` if they have none.
    pub(crate) fn budget_for_checksums(&self) -> Option<u64> {
        let len = || std::fs::metadata(&self.path).map_or(0, |meta| meta.len());
        (self.kind == ArchiveKind::Zip).then(|| members::budget(len()))
    }

    /// All members of a `.tar.gz`, in one pass.
    pub(crate) fn walk(
        &self,
        want: &mut dyn FnMut(&str, u64) -> bool,
        visit: &mut dyn FnMut(&str, &mut dyn Read) -> Result<()>,
    ) -> Result<()> {
        let failed = |e| Fault::path(&self.path, e);
        let file = File::open(&self.path).map_err(failed)?;
        let mut expanded = expanded(file);
        let mut at = 0_u64;
        for member in &self.members {
            if !self.is_kept(member) || !want(&member.path, member.size) {
                continue;
            }
            let ahead = member.offset.saturating_sub(at);
            io::copy(&mut expanded.by_ref().take(ahead), &mut io::sink()).map_err(failed)?;
            let mut bytes = Exact::new(expanded.by_ref(), member.size, End::Length);
            visit(&member.path, &mut bytes)?;
            at = member.offset.saturating_add(member.size.minus(bytes.left));
        }
        Ok(())
    }
}

fn expanded(file: File) -> Gunzip<BufReader<File>> {
    Gunzip::new(BufReader::with_capacity(1 << 18, file))
}

/// The members found so far.
struct Members<'a> {
    list: Vec<Member>,
    path: &'a Path,
    sums: Sums<'a>,
    lister: &'a mut dyn Lister,
}

impl Members<'_> {
    fn add(&mut self, path: &str, offset: u64, size: u64, zip: Option<Zipped>) -> Result<()> {
        let path = path.strip_prefix("./").unwrap_or(path);
        if !is_inside(path) {
            self.skipped(path, "its path leads out of the archive");
            return Ok(());
        }
        self.sums.add(path, size)?;
        self.list.push(Member { path: path.into(), offset, size, zip });
        Ok(())
    }

    fn skipped(&mut self, path: &str, why: &'static str) {
        self.lister.skipped(path, why);
    }

    fn damaged(&mut self, path: &str, why: &'static str) {
        self.lister.damaged(path, why);
    }

    /// Damage of the archive itself.
    fn damaged_here(&mut self, why: &'static str) {
        self.lister.damaged(&name_of(self.path), why);
    }

    fn failed(&self, error: io::Error) -> Fault {
        Fault::path(self.path, error)
    }

    /// Maximum number of members.
    fn limit(&self) -> u64 {
        self.sums.limits.members
    }
}

/// Totals of the members.
struct Sums<'a> {
    limits: &'a Limits,
    members: u64,
    total: u64,
}

impl Sums<'_> {
    fn add(&mut self, path: &str, size: u64) -> Result<()> {
        self.members = self.members.plus(1);
        self.total = self.total.saturating_add(size);
        let limits = self.limits;
        for (what, len, limit) in [
            ("number of members", self.members, limits.members.min(u64::from(u32::MAX))),
            ("expanded size of a member", size, limits.member_bytes),
            ("expanded size of the archive", self.total, limits.total_bytes),
        ] {
            if len > limit {
                return Err(Fault::new(path, Error::new(ErrorKind::Limit { what, len, limit }, 0)));
            }
        }
        Ok(())
    }
}

/// The kind of an archive, by its first bytes, or by its name: for the oldest kind of tar, and if the first member is
/// damaged.
fn kind(start: &[u8], path: &Path) -> Result<ArchiveKind> {
    if start.starts_with(&[0x1f, 0x8b]) {
        return Ok(ArchiveKind::TarGz);
    }
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(ArchiveKind::Zip);
    }
    let is_named = |end: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
    if start.get(257..262) == Some(b"ustar") || is_named("tar") {
        return Ok(ArchiveKind::Tar);
    }
    if is_named("zip") {
        return Ok(ArchiveKind::Zip);
    }
    Err(Fault::new(path.display().to_string(), Error::magic(start, "a folder or an archive of a data set")))
}
