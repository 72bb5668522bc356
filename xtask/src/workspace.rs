//! The workspace's crates.

use std::{fs, path::PathBuf};

use crate::{
    manifest::Manifest,
    shell::{Outcome, root},
};

/// Folders below `crates/` of the format crates.
pub(crate) const FORMATS: &[&str] =
    &["alog", "capture", "carla-rec", "effibox", "gpx", "kml", "koblenz-log", "lvx", "nmea"];

/// Libraries below the formats.
const BELOW: [&str; 3] = ["core", "velodyne", "xml"];

/// A member of the workspace.
pub(crate) struct Crate {
    /// The package's name.
    pub(crate) name: String,
    /// Its folder from the root, with forward slashes.
    pub(crate) folder: String,
    /// Its folder.
    pub(crate) path: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Crate {
    /// Name of the folder.
    pub(crate) fn short(&self) -> &str {
        self.folder.rsplit('/').next().unwrap_or_default()
    }

    pub(crate) fn is_format(&self) -> bool {
        FORMATS.contains(&self.short()) && self.folder.starts_with("crates/")
    }

    pub(crate) fn version(&self) -> Option<&str> {
        self.manifest.get(&["package", "version"])?.as_str()
    }

    /// Whether it is a published library.
    pub(crate) fn is_library(&self) -> bool {
        self.manifest.publishable() && self.path.join("src/lib.rs").is_file()
    }
}

/// The crates that decode: the formats and the libraries below them.
pub(crate) fn codecs() -> Outcome<Vec<Crate>> {
    let is_codec = |one: &Crate| one.is_format() || BELOW.contains(&one.short());
    Ok(crates()?.into_iter().filter(is_codec).collect())
}

/// All members: `crates/*` in order of their folders, then xtask.
pub(crate) fn crates() -> Outcome<Vec<Crate>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(root().join("crates")).map_err(|e| format!("crates: {e}"))? {
        let entry = entry.map_err(|e| format!("crates: {e}"))?;
        if entry.path().join("Cargo.toml").is_file() {
            folders.push(format!("crates/{}", entry.file_name().to_string_lossy()));
        }
    }
    folders.sort();
    folders.push("xtask".to_owned());
    folders.into_iter().map(member).collect()
}

fn member(folder: String) -> Outcome<Crate> {
    let path = root().join(&folder);
    let manifest = Manifest::read(&path)?;
    let name = manifest.name().ok_or_else(|| format!("{folder}/Cargo.toml names no package"))?.to_owned();
    Ok(Crate { name, folder, path, manifest })
}
