//! `cargo xtask publish --dry-run`: packages all crates as for publishing.

use std::{fs, path::PathBuf};

use toml::Value;

use crate::{
    manifest::Manifest,
    shell::{Outcome, cargo, root, target_folder},
    workspace::{self, Crate},
};

/// Keys that every published manifest has.
const KEYS: [&str; 10] = [
    "categories",
    "description",
    "edition",
    "include",
    "keywords",
    "license",
    "name",
    "readme",
    "rust-version",
    "version",
];
/// The registry's limits.
const MOST_KEYWORDS: usize = 5;
const LONGEST_KEYWORD: usize = 20;
/// What ships with the program and is not in the registry: release-plz does not raise these versions.
const WITH_THE_PROGRAM: [&str; 3] =
    ["crates/python/Cargo.toml", "crates/web/npm/package.json", "crates/foxglove/extension/package.json"];

/// What stands for an address that is not known yet.
const PLACEHOLDER: &str = "https://example.org/";

/// Returns the folder of the archives.
pub(crate) fn run() -> Outcome<PathBuf> {
    let crates: Vec<Crate> =
        workspace::crates()?.into_iter().filter(|one| one.manifest.publishable()).collect();
    let shared = Manifest::read(&root())?;
    let mut wrong = Vec::new();
    for one in &crates {
        wrong.extend(faults(one, &shared).into_iter().map(|fault| format!("{}: {fault}", one.folder)));
    }
    if let Some(version) = crates.iter().find(|one| one.name == "robolog").and_then(Crate::version) {
        for file in WITH_THE_PROGRAM {
            let text = fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))?;
            wrong.extend(other_version(&text, version).map(|fault| format!("{file}: {fault}")));
        }
    }
    if !wrong.is_empty() {
        return Err(format!("{} findings\n{}", wrong.len(), wrong.join("\n")));
    }
    if let Err(why) = has_an_address() {
        println!("note: {why}");
    }
    // Cargo builds each archive against the others, which need not be in the registry yet. It does not build another
    // one again while its version is the same, so nothing of an earlier run may stay.
    let folder = target_folder().join("publish");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let target = folder.display().to_string();
    let mut words = vec!["publish", "--dry-run", "--no-verify", "--locked", "--allow-dirty"];
    words.extend(["--target-dir", target.as_str()]);
    words.extend(crates.iter().flat_map(|one| ["-p", one.name.as_str()]));
    cargo(&words)?;
    words.splice(..3, ["package"]);
    cargo(&words)?;
    Ok(folder.join("package"))
}

/// An error while `[workspace.package]` names a placeholder, to which the registry's pages would link.
pub(crate) fn has_an_address() -> Outcome {
    let shared = Manifest::read(&root())?;
    let placeholders = ["repository", "homepage"].into_iter().filter(|key| {
        let address =
            shared.get(&["workspace", "package", key]).and_then(Value::as_str).unwrap_or(PLACEHOLDER);
        address.starts_with(PLACEHOLDER)
    });
    match placeholders.collect::<Vec<_>>() {
        none if none.is_empty() => Ok(()),
        some => Err(format!("[workspace.package] has a placeholder for: {}", some.join(", "))),
    }
}

/// What is wrong with the version in a `Cargo.toml` or `package.json`, if it is not the program's.
fn other_version(text: &str, version: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| ["version =", "\"version\":"].iter().any(|key| line.starts_with(key)));
    let found = line.and_then(|line| line.rsplit('"').nth(1)).unwrap_or("unknown");
    (found != version).then(|| format!("is {found}, and the program {version}"))
}

/// Faults that the registry rejects, or that readers of its page would notice.
fn faults(one: &Crate, shared: &Manifest) -> Vec<String> {
    let mut found = Vec::new();
    let says = |key: &str| one.manifest.get(&["package", key]);
    found.extend(KEYS.iter().filter(|key| says(key).is_none()).map(|key| format!("no {key}")));
    let keywords = says("keywords").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let long = |word: &&Value| word.as_str().is_none_or(|word| word.len() > LONGEST_KEYWORD);
    if keywords.len() > MOST_KEYWORDS || keywords.iter().any(|word| long(&word)) {
        found.push(format!("more than {MOST_KEYWORDS} keywords, or one longer than {LONGEST_KEYWORD}"));
    }
    let Some(version) = one.version() else { return found };
    // Versions of dependencies are in the workspace's manifest, a crate's own version in its manifest.
    let depended = shared.get(&["workspace", "dependencies", &one.name]);
    if let Some(wanted) = depended.and_then(|spec| spec.get("version")?.as_str())
        && wanted != version
    {
        found.push(format!("is {version}, and the workspace depends on {wanted}"));
    }
    let changes = fs::read_to_string(one.path.join("CHANGELOG.md")).unwrap_or_default();
    let has = |heading: &str| changes.lines().any(|line| line == heading || line.starts_with(heading));
    if !has("## Unreleased") && !has(&format!("## {version}")) {
        found.push(format!("CHANGELOG.md has neither Unreleased nor {version}"));
    }
    // The registry's page has no files for relative links.
    let readme = fs::read_to_string(one.path.join("README.md")).unwrap_or_default();
    let targets = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let nearby =
        targets.filter(|target| !["https://", "http://", "#"].iter().any(|start| target.starts_with(start)));
    found.extend(
        nearby.map(|target| format!("README.md links to {target}, which the registry does not have")),
    );
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        if !one.path.join(licence).is_file() {
            found.push(format!("no {licence}"));
        }
    }
    if one.is_library() && one.manifest.get(&["package", "metadata", "docs", "rs"]).is_none() {
        found.push("no [package.metadata.docs.rs]".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Crate, Manifest, faults, other_version};

    fn one(name: &str, rest: &str) -> Crate {
        let manifest =
            Manifest::parse(&format!("[package]\nname = \"{name}\"\nversion = \"0.2.0\"\n{rest}")).unwrap();
        Crate { name: name.to_owned(), folder: name.to_owned(), path: "nowhere".into(), manifest }
    }

    #[test]
    fn what_ships_with_the_program_has_its_version() {
        for text in ["name = \"a\"\nversion = \"0.1.0\"\n", "{\n  \"version\": \"0.1.0\",\n}\n"] {
            assert_eq!(other_version(text, "0.1.0"), None);
            assert_eq!(other_version(text, "0.2.0").as_deref(), Some("is 0.1.0, and the program 0.2.0"));
        }
        assert!(other_version("name = \"a\"\n", "0.1.0").is_some());
    }

    #[test]
    fn what_is_missing_is_named() {
        let shared = "[workspace.dependencies]\na = { version = \"0.1.0\", path = \"a\" }\n";
        let found = faults(
            &one("a", "keywords = [\"a-word-that-is-far-too-long\"]\n"),
            &Manifest::parse(shared).unwrap(),
        );
        for wanted in ["no description", "is 0.2.0, and the workspace depends on 0.1.0", "no LICENSE-MIT"] {
            assert!(found.iter().any(|fault| fault == wanted), "{found:?}");
        }
        assert!(found.iter().any(|fault| fault.starts_with("more than 5 keywords")), "{found:?}");
    }
}
