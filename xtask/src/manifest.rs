//! The little of TOML that this workspace's manifests use: sections, keys, values that may run over several lines.

use std::{fs, path::Path};

use crate::shell::Outcome;

/// A manifest's `key = value` lines, each with its section.
pub(crate) struct Manifest {
    entries: Vec<Entry>,
}

struct Entry {
    section: String,
    key: String,
    value: String,
}

/// One dependency of a manifest.
#[derive(Debug, PartialEq)]
pub(crate) struct Dependency {
    /// `dependencies`, `dev-dependencies` or `build-dependencies`, whatever the target.
    pub(crate) kind: String,
    /// The package's name, whatever the code calls it.
    pub(crate) package: String,
    /// Its specification: `version`, `path`, `workspace` and so on.
    pub(crate) spec: Vec<(String, String)>,
}

impl Dependency {
    pub(crate) fn has(&self, key: &str) -> bool {
        self.spec.iter().any(|(k, _)| k == key)
    }
}

impl Manifest {
    /// Reads the `Cargo.toml` of a folder.
    pub(crate) fn read(folder: &Path) -> Outcome<Self> {
        let path = folder.join("Cargo.toml");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self::parse(&text))
    }

    pub(crate) fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let mut section = String::new();
        let mut lines = text.lines().map(without_comment);
        while let Some(line) = lines.next() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                name.trim_matches(['[', ']']).clone_into(&mut section);
            } else if let Some((key, value)) = line.split_once('=') {
                let mut value = value.trim().to_owned();
                while depth(&value) > 0 {
                    let Some(next) = lines.next() else { break };
                    value.push(' ');
                    value.push_str(next.trim());
                }
                entries.push(Entry { section: section.clone(), key: key.trim().to_owned(), value });
            }
        }
        Self { entries }
    }

    /// The value of a key as it is written, quotes included.
    pub(crate) fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.entries.iter().find(|e| e.section == section && e.key == key).map(|e| e.value.as_str())
    }

    /// Whether a key is given, here or by `key.workspace = true`.
    pub(crate) fn declares(&self, section: &str, key: &str) -> bool {
        self.get(section, key).is_some() || self.get(section, &format!("{key}.workspace")) == Some("true")
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.get("package", "name").map(unquote)
    }

    pub(crate) fn publishable(&self) -> bool {
        self.get("package", "publish") != Some("false")
    }

    /// The names of the features.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|e| e.section == "features").map(|e| e.key.as_str())
    }

    /// All dependencies, of every kind and target.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let mut found: Vec<Dependency> = Vec::new();
        let mut last_table = None;
        for entry in &self.entries {
            let Some((kind, table)) = kind_of(&entry.section) else { continue };
            if let Some(name) = table {
                // A dependency with a section of its own: one key a line.
                if last_table != Some(&entry.section) {
                    found.push(Dependency {
                        kind: kind.to_owned(),
                        package: name.to_owned(),
                        spec: Vec::new(),
                    });
                    last_table = Some(&entry.section);
                }
                if let Some(dependency) = found.last_mut() {
                    dependency.spec.push((entry.key.clone(), entry.value.clone()));
                }
            } else {
                let (name, dotted) =
                    entry.key.split_once('.').map_or((&*entry.key, None), |(n, k)| (n, Some(k)));
                let spec = dotted
                    .map_or_else(|| spec_of(&entry.value), |key| vec![(key.to_owned(), entry.value.clone())]);
                found.push(Dependency { kind: kind.to_owned(), package: name.to_owned(), spec });
            }
        }
        for dependency in &mut found {
            if let Some((_, name)) = dependency.spec.iter().find(|(key, _)| key == "package") {
                unquote(name).clone_into(&mut dependency.package);
            }
        }
        found
    }
}

/// The kind of dependency that a section lists, and the dependency's name where the section is about one alone.
fn kind_of(section: &str) -> Option<(&'static str, Option<&str>)> {
    for kind in ["dev-dependencies", "build-dependencies", "dependencies"] {
        let Some(at) = section.find(kind) else { continue };
        let starts = at == 0 || section[..at].ends_with('.');
        let rest = &section[at + kind.len()..];
        if starts && rest.is_empty() {
            return Some((kind, None));
        }
        if let Some(name) = rest.strip_prefix('.').filter(|_| starts) {
            return Some((kind, Some(name)));
        }
    }
    None
}

/// The keys of `"1.2"` or `{ version = "1.2", features = ["x", "y"] }`.
fn spec_of(value: &str) -> Vec<(String, String)> {
    let Some(table) = value.strip_prefix('{').and_then(|v| v.strip_suffix('}')) else {
        return vec![("version".to_owned(), value.to_owned())];
    };
    let mut spec = Vec::new();
    let mut part = String::new();
    for piece in table.split(',') {
        part.push_str(piece);
        if depth(&part) > 0 {
            part.push(',');
        } else if let Some((key, value)) = std::mem::take(&mut part).split_once('=') {
            spec.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    spec
}

/// How many brackets are open at the end of a value.
fn depth(value: &str) -> usize {
    let mut quoted = false;
    let mut open = 0usize;
    for c in value.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => open += 1,
            ']' | '}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

pub(crate) fn unquote(value: &str) -> &str {
    value.trim_matches('"')
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
        let manifest = Manifest::parse(TEXT);
        assert_eq!(manifest.name(), Some("a"));
        assert!(!manifest.publishable());
        assert!(manifest.declares("package", "edition"));
        assert!(!manifest.declares("package", "rust-version"));
        assert_eq!(manifest.features().collect::<Vec<_>>(), ["default", "x"]);
    }

    #[test]
    fn reads_every_form_of_dependency() {
        let found = Manifest::parse(TEXT).dependencies();
        let shown: Vec<String> = found
            .iter()
            .map(|d| {
                let keys: Vec<_> = d.spec.iter().map(|(key, _)| key.as_str()).collect();
                format!("{} {} {}", d.kind, d.package, keys.join(","))
            })
            .collect();
        let expected = [
            "dependencies serde workspace,features",
            "dependencies bytes workspace",
            "dependencies my-core version,path,package",
            "dev-dependencies tempfile version",
            "dev-dependencies my-kit path,package",
        ];
        assert_eq!(shown, expected);
    }
}
