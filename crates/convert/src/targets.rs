//! All target formats.
//!
//! To add one, write a file of `robolog-sinks` with a [`Sink`](crate::Sink) and its [`TargetSpec`], and a row here.
//! Names, extensions, help, completions and the README's matrix come from the list.

use std::path::Path;

use robolog_core::text::name_of;

use crate::{Error, Result, sink::TargetSpec};

/// The list of targets, and the names of those whose features are off.
macro_rules! targets {
    ($($feature:literal: $module:ident { $($spec:ident $name:literal),+ $(,)? })+) => {
        /// All targets of this build, in the order for users.
        pub static ALL: &[&TargetSpec] = &[$($(#[cfg(feature = $feature)] &crate::sink::$module::$spec),+),+];

        /// Names of targets that are not in this build, and the features that they need.
        pub static NOT_BUILT: &[(&str, &str)] = &[$($(#[cfg(not(feature = $feature))] ($name, $feature)),+),+];

        #[test]
        fn rows_are_named_as_their_targets_are() {
            $($(#[cfg(feature = $feature)] assert_eq!(crate::sink::$module::$spec.name, $name);)+)+
        }
    };
}

targets! {
    "to-pcd": pcd { PCD "pcd" }
    "to-ply": ply { PLY "ply" }
    "to-xyz": xyz { XYZ "xyz" }
    "to-kitti": kitti_bin { KITTI_BIN "kitti-bin" }
    "to-csv": csv { CSV "csv" }
    "to-jsonl": jsonl { JSONL "jsonl" }
    "to-tum": tum { TUM "tum" }
    "to-kitti": kitti { KITTI "kitti" }
    "to-las": las { LAS "las", LAZ "laz", COPC "copc" }
    "to-e57": e57 { E57 "e57" }
    "to-parquet": parquet { PARQUET "parquet" }
    "to-arrow": arrow { ARROW "arrow" }
    "to-mcap": mcap { MCAP "mcap" }
    "to-bag": bag { BAG "bag" }
    "to-gpx": gpx { GPX "gpx" }
    "to-kml": kml { KML "kml", KMZ "kmz" }
    "to-geojson": geojson { GEOJSON "geojson" }
    "to-images": images { PNG "png", JPG "jpg", IMAGES "images" }
    "to-euroc": euroc { EUROC "euroc" }
    "to-kitti": kitti_times { KITTI_TIMES "kitti-times" }
    "to-alog": alog { ALOG "alog" }
    "to-lvx": lvx { LVX "lvx" }
    "to-carla-rec": carla_rec { CARLA_REC "carla-rec" }
    "to-koblenz-log": koblenz_log { KOBLENZ_LOG "koblenz-log" }
}

/// Targets of points alone, which leave out shots without a return unless asked: their points are at the origin.
const CLOUDS: [&str; 7] = ["las", "laz", "copc", "e57", "ply", "pcd", "xyz"];

/// Whether a target leaves out shots without a return, unless asked to keep them.
pub fn drops_no_returns(target: &TargetSpec) -> bool {
    CLOUDS.contains(&target.name)
}

/// Returns the target with this name, or with this extension if only one has it; ignores case.
///
/// ```
/// use robolog_convert::targets;
/// assert_eq!(targets::by_name("PCD")?.holds.to_string(), "holds points only");
/// assert_eq!(targets::by_name("ndjson")?.name, "jsonl");
/// assert!(targets::by_name("log").is_err(), "several formats have it");
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn by_name(name: &str) -> Result<&'static TargetSpec> {
    let lower = name.to_ascii_lowercase();
    if let Some(target) = ALL.iter().find(|target| target.name == lower) {
        return Ok(target);
    }
    if let Some((name, feature)) = NOT_BUILT.iter().find(|(name, _)| *name == lower) {
        return Err(Error::NotBuilt { what: (*name).to_owned(), feature });
    }
    let mut others = ALL.iter().filter(|target| target.extensions.contains(&&*lower));
    match (others.next(), others.next()) {
        (Some(target), None) => Ok(target),
        _ => Err(Error::NoSuchTarget { name: name.to_owned(), known: names() }),
    }
}

/// Returns the target of a path's extension, or of the whole name if it has none. A folder has no target.
pub fn by_path(path: &Path) -> Result<&'static TargetSpec> {
    if is_folder(path) {
        return Err(Error::FolderTarget(path.to_owned()));
    }
    let name = extension(path).unwrap_or_else(|| path.to_string_lossy().into_owned());
    by_name(&name).map_err(|error| match error {
        Error::NoSuchTarget { name, known } => {
            let extension = if path.extension().is_some() { format!(".{name}") } else { name };
            Error::UnknownTarget { path: path.to_owned(), extension, known }
        }
        error => error,
    })
}

/// Returns the target with this name, unless the extension of `path` implies another one.
///
/// ```
/// use robolog_convert::targets;
/// assert_eq!(targets::asked("las", "scan.las".as_ref())?.name, "las");
/// assert_eq!(targets::asked("las", "scan.data".as_ref())?.name, "las");
/// assert!(targets::asked("las", "scan.laz".as_ref()).is_err());
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn asked(name: &str, path: &Path) -> Result<&'static TargetSpec> {
    let target = by_name(name)?;
    let others = extension(path).filter(|extension| !target.extensions.contains(&&**extension));
    match others.and_then(|extension| by_name(&extension).ok()) {
        Some(named) if named != target => {
            Err(Error::TargetDisagrees { path: path.to_owned(), named: named.name, asked: target.name })
        }
        _ => Ok(target),
    }
}

/// Whether an output is a folder: an existing one, or a name that ends in a slash.
///
/// ```
/// use robolog_convert::targets::is_folder;
/// assert!(is_folder("clouds/".as_ref()) && is_folder(".".as_ref()));
/// assert!(!is_folder("cloud.las".as_ref()));
/// ```
pub fn is_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|last| std::path::is_separator(char::from(*last))) || path.is_dir()
}

/// The extension of a path in lower case, including the whole of `copc.laz`.
fn extension(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    let name = name_of(path).to_ascii_lowercase();
    let is_copc = name.len() > COPC.len() && name.ends_with(COPC);
    Some(if is_copc { COPC.trim_start_matches('.').to_owned() } else { extension })
}

/// Extension of cloud-optimized point clouds.
const COPC: &str = ".copc.laz";

/// Names of all targets, as text.
pub fn names() -> String {
    ALL.iter().map(|target| target.name).collect::<Vec<_>>().join(", ")
}
