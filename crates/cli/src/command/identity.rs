//! Size, modification time and digest of an input, to detect changes.

use std::{
    fs::{self, File, Metadata},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Read, Seek as _, SeekFrom},
    path::Path,
    time::UNIX_EPOCH,
};

/// Bytes at the start and at the end of a file that the digest covers.
const ENDS: u64 = 1 << 16;

/// Modification time, in nanoseconds of Unix time.
pub(super) fn nanos(file: &Metadata) -> io::Result<u64> {
    let modified = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX))
}

/// Digest of a file's first and last bytes, or of the names, sizes and times of all files below a folder.
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
        // Pipes can be read only once.
        return Err(io::ErrorKind::Unsupported.into());
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Totals of the files below a folder.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Below {
    pub(super) bytes: u64,
    /// Latest modification time, in nanoseconds of Unix time.
    pub(super) nanos: u64,
}

/// Size and modification time of a file, or of all files below a folder.
pub(super) fn below(path: &Path, meta: &Metadata) -> io::Result<Below> {
    let mut below = Below { bytes: meta.len(), nanos: nanos(meta)? };
    if meta.is_dir() {
        below = Below::default();
        list(path, &mut DefaultHasher::new(), &mut below)?;
    }
    Ok(below)
}

/// Hashes all files below a folder in order of name, and adds them to `below`.
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
