//! `cargo xtask conformance [DIR]`: the command line against a folder of recordings with truth files.

use std::path::{Path, PathBuf};

use crate::shell::{EVERYTHING, Outcome, cargo_with, root};

pub(crate) fn run(folder: Option<&Path>) -> Outcome {
    let named = folder.map(|one| std::path::absolute(one).map_err(|e| format!("{}: {e}", one.display())));
    let Some(folder) = named.transpose()?.or_else(data_folder) else {
        println!("conformance: there is no data folder here; name one to compare with it");
        return Ok(());
    };
    if !folder.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    let folder = folder.to_str().ok_or("the folder's name is not UTF-8")?;
    cargo_with(
        &[("ROBOLOG_DATA", folder)],
        &[&EVERYTHING[..], &["--test", "it", "conformance::", "--", "--nocapture"]].concat(),
    )
}

/// The folder of recordings beside the checkout, if it exists.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let folder = root().join(Path::new("../shared/data"));
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}
