//! Rules for dependencies between crates.

use crate::{
    manifest::{Dependency, Manifest},
    shell::{Outcome, root},
    workspace::Crate,
};

/// Formats that other formats contain, and the folders of those formats.
const CARRIED: [(&str, &[&str]); 6] = [
    ("koblenz-log", &["capture"]),
    ("lvx", &["capture"]),
    ("robolog-gpx", &["effibox"]),
    ("robolog-kml", &["effibox"]),
    ("robolog-nmea", &["alog", "capture", "effibox"]),
    ("velodyne-packet", &["koblenz-log"]),
];
/// Libraries of the sinks. A format maps to core's samples and does not know the targets.
const SINKS: [&str; 5] = ["las", "mcap", "parquet", "arrow", "clap"];

pub(super) fn check(crates: &[Crate]) -> Outcome<Vec<String>> {
    let workspace = Manifest::read(&root())?.dependencies();
    let formats: Vec<&str> =
        crates.iter().filter(|one| one.is_format()).map(|one| one.name.as_str()).collect();
    let internal: Vec<&str> = crates.iter().map(|one| one.name.as_str()).collect();
    let mut found = Vec::new();
    for one in crates {
        for dependency in one.manifest.dependencies() {
            let mut wrong = Vec::new();
            if one.is_format() {
                wrong.extend(from_format(one.short(), &dependency, &formats));
            }
            let knows_format = one.short() == "sinks" && formats.contains(&dependency.package.as_str());
            wrong.extend(knows_format.then(|| "sinks take samples, and know no format".to_owned()));
            if internal.contains(&dependency.package.as_str()) {
                wrong.extend(inside(&dependency, &workspace));
            }
            found.extend(
                wrong.into_iter().map(|w| format!("{}/Cargo.toml: {}: {w}", one.folder, dependency.package)),
            );
        }
        // The bindings to JavaScript need unsafe code and have their own lints.
        if !["foxglove", "web"].contains(&one.short()) && !one.manifest.takes_from_workspace("lints") {
            found.push(format!("{}/Cargo.toml: the workspace's lints are not taken", one.folder));
        }
    }
    Ok(found)
}

/// Why a format must not have a dependency.
fn from_format(folder: &str, dependency: &Dependency, formats: &[&str]) -> Option<String> {
    let package = dependency.package.as_str();
    if let Some((_, carriers)) = CARRIED.iter().find(|(carried, _)| *carried == package) {
        let expected = carriers.join(" and ");
        return (!carriers.contains(&folder)).then(|| format!("only {expected} may carry this format"));
    }
    if formats.contains(&package) {
        return Some("one format depends on another; what both need belongs in core".to_owned());
    }
    let sink = SINKS.contains(&package) || package.starts_with("arrow-");
    sink.then(|| "a format depends on a sink's library".to_owned())
}

/// Internal dependencies carry version and path, so that each crate publishes by itself. Internal dev-dependencies
/// carry only a path: with a version, two crates that test each other could not be published.
fn inside(dependency: &Dependency, workspace: &[Dependency]) -> Option<String> {
    if dependency.kind == "dev-dependencies" {
        let wrong = dependency.has("version") || dependency.has("workspace") || !dependency.has("path");
        return wrong.then(|| "an internal dev-dependency has a path and no version".to_owned());
    }
    let complete = |d: &Dependency| d.has("version") && d.has("path");
    let shared = workspace.iter().find(|shared| shared.package == dependency.package);
    let unpublished = shared.is_none() && dependency.has("path");
    let good = if dependency.has("workspace") { shared.is_some_and(complete) } else { complete(dependency) };
    (!good && !unpublished).then(|| "an internal dependency has version and path".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{from_format, inside};
    use crate::manifest::{Dependency, Manifest};

    fn only(text: &str) -> Dependency {
        Manifest::parse(text).unwrap().dependencies().remove(0)
    }

    #[test]
    fn formats_must_not_know_each_other_or_the_sinks() {
        let refused = |folder, name: &str| {
            from_format(folder, &only(&format!("[dependencies]\n{name} = \"1\"\n")), &["lvx", "moos-alog"])
                .is_some()
        };
        assert!(refused("lvx", "moos-alog"));
        assert!(refused("lvx", "velodyne-packet"));
        assert!(refused("lvx", "arrow-array"));
        assert!(!refused("koblenz-log", "velodyne-packet"));
        assert!(refused("lvx", "robolog-nmea"));
        assert!(!refused("alog", "robolog-nmea"));
        assert!(!refused("lvx", "robolog-core"));
    }

    #[test]
    fn internal_dependencies_have_version_and_path() {
        let workspace =
            Manifest::parse("[workspace.dependencies]\na = { version = \"1\", path = \"a\" }\nb = \"1\"\n");
        let workspace = workspace.unwrap().dependencies();
        let refused = |text| inside(&only(text), &workspace).is_some();
        assert!(!refused("[dependencies]\na.workspace = true\n"));
        assert!(refused("[dependencies]\nb.workspace = true\n"));
        assert!(refused("[dependencies]\na = { path = \"../a\" }\n"));
        assert!(refused("[dependencies]\na = \"1\"\n"));
        assert!(!refused("[dev-dependencies]\nkit = { path = \"../kit\", package = \"a\" }\n"));
        assert!(refused("[dev-dependencies]\na.workspace = true\n"));
        assert!(refused("[dev-dependencies]\na = { path = \"../a\", version = \"1\" }\n"));
    }
}
