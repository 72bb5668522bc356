//! Writing a data set as an archive.

use std::{
    fs::{self, File},
    io::{self, Seek, Write},
    path::Path,
};

use flate2::{Compression, write::GzEncoder};

use super::fault::{Fault, Result};

/// Kind of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
    /// `.tar.gz` or `.tgz`.
    TarGz,
}

impl Packing {
    /// The kind of archive that a name asks for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let ends =
            [(".zip", Self::Zip), (".tar", Self::Tar), (".tar.gz", Self::TarGz), (".tgz", Self::TarGz)];
        ends.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, kind)| kind)
    }

    /// Writes all files below `folder` as an archive, by path.
    pub fn pack<W: Write + Seek>(self, folder: &Path, out: W) -> Result<W> {
        let mut files = Vec::new();
        list(folder, "", &mut files).map_err(|e| Fault::path(folder, e))?;
        files.sort();
        let packed = match self {
            Self::Zip => zip(folder, &files, out),
            Self::Tar => tar(folder, &files, out),
            Self::TarGz => {
                tar(folder, &files, GzEncoder::new(out, Compression::default())).and_then(GzEncoder::finish)
            }
        };
        packed.map_err(|e| Fault::path(folder, e))
    }
}

fn list(root: &Path, below: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            list(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn zip<W: Write + Seek>(folder: &Path, files: &[String], out: W) -> io::Result<W> {
    let mut zip = zip::ZipWriter::new(out);
    for path in files {
        let mut file = File::open(folder.join(path))?;
        let is_large = file.metadata()?.len() >= u64::from(u32::MAX);
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .large_file(is_large);
        zip.start_file(path.as_str(), options)?;
        io::copy(&mut file, &mut zip)?;
    }
    Ok(zip.finish()?)
}

fn tar<W: Write>(folder: &Path, files: &[String], out: W) -> io::Result<W> {
    let mut tar = tar::Builder::new(out);
    for path in files {
        let mut file = File::open(folder.join(path))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(file.metadata()?.len());
        header.set_mode(0o644);
        tar.append_data(&mut header, path, &mut file)?;
    }
    tar.into_inner()
}
