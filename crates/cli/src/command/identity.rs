//! Size, time and digest of an input: they show whether it was changed.

use std::{
    fs::{self, File, Metadata},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Read, Seek as _, SeekFrom},
    path::Path,
    time::UNIX_EPOCH,
};

/// Bytes that the digest takes from the start of a file, and from its end.
const ENDS: u64 = 1 << 16;

/// When a file was changed last, nanoseconds of Unix time.
pub(super) fn nanos(file: &Metadata) -> io::Result<u64> {
    let modified = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX))
}

/// A digest of a file's first and last bytes; of a folder, of the names, sizes and times below it.
pub(super) fn digest(path: &Path, meta: &Metadata) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    if meta.is_dir() {
        list(path, &mut hasher, &mut Below::default())?;
    } else if meta.is_file() {
        let mut file = File::open(path)?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(ENDS).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::Start(meta.len().saturating_sub(ENDS)))?;
        file.take(ENDS).read_to_end(&mut bytes)?;
        hasher.write(&bytes);
    } else {
        // A pipe is read once.
        return Err(io::ErrorKind::Unsupported.into());
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// The files below a folder together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Below {
    pub(super) bytes: u64,
    /// When the last of them was changed, nanoseconds of Unix time.
    pub(super) nanos: u64,
}

/// The size of a file, or of all files below a folder, and when it was changed last.
pub(super) fn below(path: &Path, meta: &Metadata) -> io::Result<Below> {
    let mut below = Below { bytes: meta.len(), nanos: nanos(meta)? };
    if meta.is_dir() {
        below = Below::default();
        list(path, &mut DefaultHasher::new(), &mut below)?;
    }
    Ok(below)
}

/// All files of a folder, in order of name.
fn list(folder: &Path, hasher: &mut DefaultHasher, below: &mut Below) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let meta = entry.metadata()?;
        entry.file_name().hash(hasher);
        if meta.is_dir() {
            list(&entry.path(), hasher, below)?;
        } else {
            let (bytes, nanos) = (meta.len(), nanos(&meta)?);
            (bytes, nanos).hash(hasher);
            *below = Below { bytes: below.bytes.saturating_add(bytes), nanos: below.nanos.max(nanos) };
        }
    }
    Ok(())
}
