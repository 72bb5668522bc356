//! Reads `Cargo.toml` for the tasks.

use std::{fs, path::Path};

use toml::{Table, Value};

use crate::shell::Outcome;

/// The tables of dependencies.
const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// A parsed manifest.
pub(crate) struct Manifest(Table);

/// One dependency of a manifest.
#[derive(Debug, PartialEq)]
pub(crate) struct Dependency {
    /// `dependencies`, `dev-dependencies` or `build-dependencies`, for any target.
    pub(crate) kind: &'static str,
    /// Name of the package, which code may rename.
    pub(crate) package: String,
    /// The keys of its specification: `version`, `path`, `workspace` and so on.
    pub(crate) keys: Vec<String>,
}

impl Dependency {
    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|k| k == key)
    }
}

impl Manifest {
    /// Reads the `Cargo.toml` of a folder.
    pub(crate) fn read(folder: &Path) -> Outcome<Self> {
        let path = folder.join("Cargo.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Self::parse(&text).map_err(|e| format!("{}: {e}", path.display()))
    }

    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        text.parse().map(Self).map_err(|e: toml::de::Error| e.to_string())
    }

    /// The value at a path of keys.
    pub(crate) fn get(&self, path: &[&str]) -> Option<&Value> {
        let (last, tables) = path.split_last()?;
        let table = tables.iter().try_fold(&self.0, |table, key| table.get(*key)?.as_table())?;
        table.get(*last)
    }

    /// Whether a table inherits from the workspace, as `[lints]` does.
    pub(crate) fn takes_from_workspace(&self, table: &str) -> bool {
        self.get(&[table, "workspace"]).and_then(Value::as_bool) == Some(true)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.get(&["package", "name"])?.as_str()
    }

    pub(crate) fn publishable(&self) -> bool {
        self.get(&["package", "publish"]).and_then(Value::as_bool) != Some(false)
    }

    /// The names of the features, in order.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        self.get(&["features"])
            .and_then(Value::as_table)
            .into_iter()
            .flat_map(Table::keys)
            .map(String::as_str)
    }

    /// All dependencies, of every kind and target; for a workspace's manifest, its shared ones.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let targets = self.get(&["target"]).and_then(Value::as_table).into_iter().flat_map(Table::values);
        let shared = self.get(&["workspace"]).into_iter();
        let places = shared.chain(targets).filter_map(Value::as_table).chain([&self.0]);
        let mut found = Vec::new();
        for place in places {
            for kind in KINDS {
                let listed = place.get(kind).and_then(Value::as_table).into_iter().flatten();
                found.extend(listed.map(|(name, spec)| dependency(kind, name, spec)));
            }
        }
        found
    }
}

fn dependency(kind: &'static str, name: &str, spec: &Value) -> Dependency {
    let table = spec.as_table();
    let package = table.and_then(|table| table.get("package")?.as_str()).unwrap_or(name).to_owned();
    let keys = table.map_or_else(|| vec!["version".to_owned()], |table| table.keys().cloned().collect());
    Dependency { kind, package, keys }
}

#[cfg(test)]
mod tests {
    use super::Manifest;

    const TEXT: &str = r#"
[package]
name = "a" # the name
edition.workspace = true
publish = false

[features]
default = ["x"]
x = [
    "dep:serde", # two lines
]

[dependencies]
serde = { workspace = true, features = ["derive", "rc"] }
bytes.workspace = true
core = { version = "0.1", path = "../core", package = "my-core" }

[target.'cfg(unix)'.dev-dependencies]
tempfile = "3"

[dev-dependencies.kit]
path = "../kit"
package = "my-kit"
"#;

    #[test]
    fn reads_what_manifests_hold() {
        let manifest = Manifest::parse(TEXT).unwrap();
        assert_eq!(manifest.name(), Some("a"));
        assert!(!manifest.publishable());
        assert!(manifest.get(&["package", "edition"]).is_some());
        assert!(manifest.get(&["package", "rust-version"]).is_none());
        assert!(!manifest.takes_from_workspace("lints"));
        assert_eq!(manifest.features().collect::<Vec<_>>(), ["default", "x"]);
    }

    #[test]
    fn reads_every_form_of_dependency() {
        let found = Manifest::parse(TEXT).unwrap().dependencies();
        let mut shown: Vec<String> =
            found.iter().map(|d| format!("{} {} {}", d.kind, d.package, d.keys.join(","))).collect();
        shown.sort();
        let expected = [
            "dependencies bytes workspace",
            "dependencies my-core package,path,version",
            "dependencies serde features,workspace",
            "dev-dependencies my-kit package,path",
            "dev-dependencies tempfile version",
        ];
        assert_eq!(shown, expected);
    }
}
