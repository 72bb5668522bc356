//! Data sets in `.tar`, `.tar.gz` and `.zip`, read in place.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use flate2::{Crc, read::DeflateDecoder, read::MultiGzDecoder};
use robolog_core::{Error, ErrorKind};

use super::{
    Limits,
    fault::{Fault, Result},
    lister::{Lister, Stream},
    name::is_inside,
};

/// An archive and the places of its members.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) kind: Kind,
    path: PathBuf,
    /// In the order of the archive.
    members: Vec<Member>,
    /// Indices into `members`, by path.
    by_path: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
    crc: u32,
}

impl Archive {
    /// Lists the members. A `.tar` is walked from header to header, a `.zip` has a list of its own, a `.tar.gz` is
    /// expanded once.
    pub(crate) fn open(path: &Path, limits: &Limits, lister: &mut dyn Lister) -> Result<Self> {
        let failed = |e| Fault::path(path, e);
        let mut file = File::open(path).map_err(failed)?;
        let mut start = Vec::with_capacity(512);
        file.by_ref().take(512).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        let kind = kind(&start, path)?;
        let mut archive = Self { kind, path: path.to_owned(), members: Vec::new(), by_path: Vec::new() };
        let mut sums = Sums { limits, members: 0, total: 0 };
        match kind {
            Kind::Tar => {
                let mut tar = tar::Archive::new(file);
                let entries = tar.entries_with_seek().map_err(failed)?;
                archive.index_tar(entries, &mut sums, lister)?;
            }
            Kind::TarGz => {
                let expanded = MultiGzDecoder::new(BufReader::with_capacity(1 << 18, file));
                let mut tar = tar::Archive::new(Budget { inner: expanded, left: limits.total_bytes });
                let entries = tar.entries().map_err(failed)?;
                archive.index_tar(entries, &mut sums, lister)?;
            }
            Kind::Zip => archive.index_zip(file, &mut sums, lister)?,
        }
        archive.sort(lister);
        Ok(archive)
    }

    fn index_tar<R: Read>(
        &mut self,
        entries: tar::Entries<'_, R>,
        sums: &mut Sums<'_>,
        lister: &mut dyn Lister,
    ) -> Result<()> {
        // Raw: the library would read names and extensions whole, however large; here they have a limit.
        let mut told = Told::default();
        for entry in entries.raw(true) {
            let mut entry = match entry {
                Ok(entry) => entry,
                // The members found so far are a data set too.
                Err(e) if !self.members.is_empty() && e.kind() != io::ErrorKind::FileTooLarge => {
                    tracing::info!(error = %e, "the archive is damaged");
                    lister.damaged(
                        &self.path.display().to_string(),
                        "the archive ends too early or is damaged",
                    );
                    return Ok(());
                }
                Err(e) => return Err(Fault::path(&self.path, e)),
            };
            let kind = entry.header().entry_type();
            if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
                told.read(kind.is_gnu_longname(), &mut entry);
                continue;
            }
            if kind.is_dir() || kind.is_pax_global_extensions() || kind.is_gnu_longlink() {
                continue;
            }
            let Told { path, size } = std::mem::take(&mut told);
            let path = path.unwrap_or_else(|| String::from_utf8_lossy(&entry.path_bytes()).into_owned());
            if !(kind.is_file() || kind.is_contiguous()) {
                lister.skipped(&path, "it is no plain file");
                continue;
            }
            if size.is_some_and(|size| size != entry.size()) {
                lister.damaged(&path, "its size is not the one in its header");
                continue;
            }
            let (offset, size) = (entry.raw_file_position(), entry.size());
            self.member(&path, offset, size, None, sums, lister)?;
        }
        Ok(())
    }

    fn index_zip(&mut self, file: File, sums: &mut Sums<'_>, lister: &mut dyn Lister) -> Result<()> {
        let broken = |e: zip::result::ZipError| Fault::path(&self.path, io::Error::other(e));
        let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(broken)?;
        for place in 0..zip.len() {
            let Ok(member) = zip.by_index_raw(place) else {
                lister.damaged(&format!("member {place}"), "its header is damaged");
                continue;
            };
            let path = String::from_utf8_lossy(member.name_raw()).into_owned();
            let deflated = match member.compression() {
                zip::CompressionMethod::Stored => Some(false),
                zip::CompressionMethod::Deflated => Some(true),
                _ => None,
            };
            let (Some(deflated), Some(offset), false) = (deflated, member.data_start(), member.encrypted())
            else {
                lister.damaged(&path, "it is encrypted, or compressed in another way than deflate");
                continue;
            };
            if member.is_symlink() {
                lister.skipped(&path, "links are not followed");
            } else if !path.ends_with('/') {
                let zipped = Zipped { compressed: member.compressed_size(), deflated, crc: member.crc32() };
                let size = member.size();
                drop(member);
                self.member(&path, offset, size, Some(zipped), sums, lister)?;
            }
        }
        Ok(())
    }

    fn member(
        &mut self,
        path: &str,
        offset: u64,
        size: u64,
        zip: Option<Zipped>,
        sums: &mut Sums<'_>,
        lister: &mut dyn Lister,
    ) -> Result<()> {
        let path = path.strip_prefix("./").unwrap_or(path);
        if !is_inside(path) {
            lister.skipped(path, "its path leads out of the archive");
            return Ok(());
        }
        sums.add(path, size)?;
        self.members.push(Member { path: path.into(), offset, size, zip });
        Ok(())
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
        if self.kind == Kind::TarGz {
            let mut expanded = MultiGzDecoder::new(BufReader::with_capacity(1 << 18, file));
            let before =
                io::copy(&mut expanded.by_ref().take(member.offset), &mut io::sink()).map_err(failed)?;
            if before < member.offset {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()));
            }
            return Ok(Some(Box::new(Exact::new(expanded, member.size, None))));
        }
        file.seek(SeekFrom::Start(member.offset)).map_err(failed)?;
        let Some(zipped) = member.zip else {
            return Ok(Some(Box::new(Exact::new(file, member.size, None))));
        };
        let packed = file.take(zipped.compressed);
        Ok(Some(if zipped.deflated {
            let expanded = DeflateDecoder::new(BufReader::with_capacity(1 << 16, packed));
            Box::new(Exact::new(expanded, member.size, Some(zipped.crc)))
        } else {
            Box::new(Exact::new(packed, member.size, Some(zipped.crc)))
        }))
    }

    /// All members of a `.tar.gz`, in one pass.
    pub(crate) fn walk(
        &self,
        want: &mut dyn FnMut(&str, u64) -> bool,
        visit: &mut dyn FnMut(&str, &mut dyn Read) -> Result<()>,
    ) -> Result<()> {
        let failed = |e| Fault::path(&self.path, e);
        let file = File::open(&self.path).map_err(failed)?;
        let mut expanded = MultiGzDecoder::new(BufReader::with_capacity(1 << 18, file));
        let mut at = 0_u64;
        for member in &self.members {
            if !self.is_kept(member) || !want(&member.path, member.size) {
                continue;
            }
            let ahead = member.offset.saturating_sub(at);
            io::copy(&mut expanded.by_ref().take(ahead), &mut io::sink()).map_err(failed)?;
            let mut bytes = Exact::new(expanded.by_ref(), member.size, None);
            visit(&member.path, &mut bytes)?;
            at = member.offset.saturating_add(member.size.saturating_sub(bytes.left));
        }
        Ok(())
    }
}

/// Entries before the header of a member: a name that is too long for it, and a size.
#[derive(Debug, Default)]
struct Told {
    path: Option<String>,
    size: Option<u64>,
}

/// Maximum bytes of a name or a list of extensions.
const TOLD: u64 = 64 << 10;

impl Told {
    fn read(&mut self, is_name: bool, entry: &mut impl Read) {
        let mut bytes = Vec::new();
        if entry.take(TOLD).read_to_end(&mut bytes).is_err() {
            return;
        }
        if is_name {
            let name = bytes.split(|b| *b == 0).next().unwrap_or_default();
            self.path = Some(String::from_utf8_lossy(name).into_owned());
            return;
        }
        for extension in tar::PaxExtensions::new(&bytes).flatten() {
            let value = String::from_utf8_lossy(extension.value_bytes());
            match extension.key_bytes() {
                b"path" => self.path = Some(value.into_owned()),
                b"size" => self.size = value.parse().ok(),
                _ => {}
            }
        }
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
        self.members = self.members.saturating_add(1);
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

/// The kind of an archive, by its first bytes, or by its name for the oldest kind of tar.
fn kind(start: &[u8], path: &Path) -> Result<Kind> {
    if start.starts_with(&[0x1f, 0x8b]) {
        return Ok(Kind::TarGz);
    }
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(Kind::Zip);
    }
    if start.get(257..262) == Some(b"ustar")
        || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("tar"))
    {
        return Ok(Kind::Tar);
    }
    Err(Fault::new(path.display().to_string(), Error::magic(start, "a folder or an archive of a data set")))
}

/// A stream that returns an error if it has more bytes than allowed.
struct Budget<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Budget<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buf)?;
        let left = self.left.checked_sub(got as u64);
        self.left = left.ok_or_else(|| {
            let message = "what the archive expands to exceeds the limit";
            io::Error::new(io::ErrorKind::FileTooLarge, message)
        })?;
        Ok(got)
    }
}

/// A stream that must have a known number of bytes and, if known, a certain checksum.
struct Exact<R> {
    inner: R,
    left: u64,
    crc: Option<(Crc, u32)>,
}

impl<R> Exact<R> {
    fn new(inner: R, size: u64, crc: Option<u32>) -> Self {
        Self { inner, left: size, crc: crc.map(|want| (Crc::new(), want)) }
    }
}

impl<R: Read> Read for Exact<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buf.len());
        let room = buf.get_mut(..most).unwrap_or_default();
        if room.is_empty() {
            return match self.crc.take_if(|_| self.left == 0) {
                Some((crc, want)) if crc.sum() != want => Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the checksum in the archive is another one",
                )),
                _ => Ok(0),
            };
        }
        let got = self.inner.read(room)?;
        if got == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some((crc, _)) = &mut self.crc {
            crc.update(room.get(..got).unwrap_or_default());
        }
        self.left = self.left.saturating_sub(got as u64);
        Ok(got)
    }
}
