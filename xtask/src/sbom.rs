//! `cargo xtask sbom`: the bill of materials of the program, in `CycloneDX` 1.5: each crate compiled for it on any
//! platform, with its version, licence and SHA-256.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use serde_json::{Value, json};

use crate::{
    manifest::Manifest,
    shell::{Outcome, cargo_output, package_of, root, target_folder},
};

pub(crate) const FILE: &str = "robolog.cdx.json";
/// All platforms, so that one bill is true of every archive.
const TREE: [&str; 8] =
    ["tree", "--locked", "-p", "robolog", "--all-features", "--target", "all", "--prefix=depth"];
/// The dependencies that are compiled; those for tests are not among them.
const COMPILED: [&str; 3] = ["--edges=normal,build", "--format", " {p}|{l}"];
/// The dependencies whose code is in the program: no build scripts, no procedural macros.
const LINKED: [&str; 3] = ["--edges=normal,no-proc-macro", "--format", " {p}|{l}"];

/// Name and version.
type Package = (String, String);

/// Writes the bill and returns its path.
pub(crate) fn run() -> Outcome<PathBuf> {
    let lock = root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
    let tree = |words: &[&str]| cargo_output(&[&TREE[..], words].concat());
    let bill = bill(&tree(&COMPILED)?, &tree(&LINKED)?, &lock)?;
    let path = target_folder().join(FILE);
    let text = serde_json::to_string_pretty(&bill).map_err(|e| e.to_string())?;
    fs::write(&path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    let count = components(&bill).len();
    println!("{}: {count} crates, {} of them in the program", path.display(), required(&bill));
    Ok(path)
}

/// Fails unless the bill names each package of cargo's build messages. Returns their number.
pub(crate) fn check(bill: &str, messages: &str) -> Outcome<usize> {
    let bill: Value = serde_json::from_str(bill).map_err(|e| format!("{FILE}: {e}"))?;
    let named: BTreeSet<&str> = [&bill["metadata"]["component"]]
        .into_iter()
        .chain(components(&bill))
        .filter_map(|one| one["purl"].as_str())
        .collect();
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let compiled: BTreeSet<String> = messages
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter_map(|message| Some(purl(&package_of(message["package_id"].as_str()?)?)))
        .collect();
    match compiled.iter().find(|package| !named.contains(package.as_str())) {
        Some(package) => Err(format!("{FILE} lacks {package}, which is compiled for the program")),
        None if compiled.is_empty() => Err("cargo names no compiled package".to_owned()),
        None => Ok(compiled.len()),
    }
}

fn components(bill: &Value) -> &[Value] {
    bill["components"].as_array().map_or(&[], Vec::as_slice)
}

fn required(bill: &Value) -> usize {
    components(bill).iter().filter(|one| one["scope"] == "required").count()
}

fn bill(compiled: &str, linked: &str, lock: &str) -> Outcome<Value> {
    let (all, linked) = (packages(compiled)?, packages(linked)?);
    let hashes = hashes(lock)?;
    let (program, _) = all.first().ok_or("cargo tree names no package")?;
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut libraries = BTreeMap::new();
    let mut path: Vec<&Package> = Vec::new();
    for (node, (package, licence)) in compiled.lines().zip(&all) {
        path.truncate(depth(node));
        edges.entry(purl(package)).or_default();
        if let Some(parent) = path.last() {
            edges.entry(purl(parent)).or_default().insert(purl(package));
        }
        path.push(package);
        let mut library = component("library", package, licence);
        let is_linked = linked.iter().any(|(other, _)| other == package);
        library["scope"] = if is_linked { "required" } else { "excluded" }.into();
        match hashes.get(package) {
            Some(Some(sum)) => library["hashes"] = json!([{"alg": "SHA-256", "content": sum}]),
            Some(None) => {}
            None => return Err(format!("Cargo.lock has no {} {}", package.0, package.1)),
        }
        libraries.insert(package, library);
    }
    let main = component("application", program, &all[0].1);
    libraries.remove(program);
    let dependencies: Vec<Value> =
        edges.iter().map(|(package, needs)| json!({"ref": package, "dependsOn": needs})).collect();
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": main},
        "components": libraries.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies,
    }))
}

fn component(kind: &str, package: &Package, licence: &str) -> Value {
    let (name, version) = package;
    // Older manifests separate licences by a slash, which SPDX does not have.
    let licence = licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
    let purl = purl(package);
    json!({"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "licenses": [{"expression": licence}]})
}

/// The package URL.
fn purl((name, version): &Package) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

/// The depth at the start of a line of `cargo tree`.
fn depth(line: &str) -> usize {
    line.split(' ').next().and_then(|depth| depth.parse().ok()).unwrap_or_default()
}

/// Packages and licences of the lines of `cargo tree`, such as `2 syn v2.0.1 (proc-macro)|MIT (*)`.
fn packages(tree: &str) -> Outcome<Vec<(Package, String)>> {
    let package = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let mut words = package.split(' ').skip(1);
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        (!licence.is_empty()).then(|| ((name.to_owned(), version.to_owned()), licence.to_owned()))
    };
    let read = |line| package(line).ok_or_else(|| format!("cargo tree: no version or licence in {line:?}"));
    tree.lines().map(read).collect()
}

/// The SHA-256 of each package's archive; a crate of the workspace has none.
fn hashes(lock: &str) -> Outcome<BTreeMap<Package, Option<String>>> {
    let lock = Manifest::parse(lock).map_err(|e| format!("Cargo.lock: {e}"))?;
    let packages = lock.get(&["package"]).and_then(|list| list.as_array()).map_or(&[][..], Vec::as_slice);
    let text = |package: &toml::Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    let read = packages.iter().filter_map(|package| {
        Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")))
    });
    Ok(read.collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{COMPILED, TREE, bill, check, packages};
    use crate::{shell::cargo_output, workspace};

    const COMPILED_TREE: &str = "0 robolog v0.1.0 (/a/cli)|MIT OR Apache-2.0\n\
        1 lvx v0.1.0 (/a/lvx)|MIT\n\
        2 serde_derive v1.0.9 (proc-macro)|MIT / Apache-2.0\n\
        1 lz4-sys v1.11.1+lz4-1.10.0|MIT\n\
        2 cc v1.2.0|MIT\n\
        1 lvx v0.1.0 (/a/lvx)|MIT (*)\n";
    const LINKED_TREE: &str =
        "0 robolog v0.1.0 (/a/cli)|MIT\n1 lvx v0.1.0 (/a/lvx)|MIT\n1 lz4-sys v1.11.1+lz4-1.10.0|MIT\n";
    const LOCK: &str = "[[package]]\nname = \"robolog\"\nversion = \"0.1.0\"\n\
        [[package]]\nname = \"lvx\"\nversion = \"0.1.0\"\n\
        [[package]]\nname = \"serde_derive\"\nversion = \"1.0.9\"\nchecksum = \"aa\"\n\
        [[package]]\nname = \"lz4-sys\"\nversion = \"1.11.1+lz4-1.10.0\"\nchecksum = \"bb\"\n\
        [[package]]\nname = \"cc\"\nversion = \"1.2.0\"\nchecksum = \"cc\"\n";

    #[test]
    fn a_bill_has_versions_licences_hashes_and_edges() {
        let bill = bill(COMPILED_TREE, LINKED_TREE, LOCK).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/robolog@0.1.0");
        let rows: Vec<String> = super::components(&bill)
            .iter()
            .map(|c| {
                format!(
                    "{} {} {} {}",
                    c["purl"], c["scope"], c["licenses"][0]["expression"], c["hashes"][0]["content"]
                )
            })
            .collect();
        let expected = [
            r#""pkg:cargo/cc@1.2.0" "excluded" "MIT" "cc""#,
            r#""pkg:cargo/lvx@0.1.0" "required" "MIT" null"#,
            r#""pkg:cargo/lz4-sys@1.11.1%2Blz4-1.10.0" "required" "MIT" "bb""#,
            r#""pkg:cargo/serde_derive@1.0.9" "excluded" "MIT OR Apache-2.0" "aa""#,
        ];
        assert_eq!(rows, expected);
        let edges = bill["dependencies"].as_array().unwrap();
        let needs =
            |name: &str| edges.iter().find(|one| one["ref"] == name).unwrap()["dependsOn"].to_string();
        assert_eq!(
            needs("pkg:cargo/robolog@0.1.0"),
            r#"["pkg:cargo/lvx@0.1.0","pkg:cargo/lz4-sys@1.11.1%2Blz4-1.10.0"]"#
        );
        assert_eq!(needs("pkg:cargo/lvx@0.1.0"), r#"["pkg:cargo/serde_derive@1.0.9"]"#);
    }

    #[test]
    fn a_compiled_package_must_be_in_the_bill() {
        let bill = bill(COMPILED_TREE, LINKED_TREE, LOCK).unwrap().to_string();
        let message = |id: &str| format!("{{\"reason\":\"compiler-artifact\",\"package_id\":\"{id}\"}}\n");
        let known = message("registry+https://host/index#lz4-sys@1.11.1+lz4-1.10.0")
            + &message("path+file:///a/lvx#0.1.0");
        assert_eq!(check(&bill, &known), Ok(2));
        let error = check(&bill, &(known + &message("registry+https://host/index#cc@1.2.1"))).unwrap_err();
        assert!(error.contains("pkg:cargo/cc@1.2.1"), "{error}");
        assert!(check(&bill, "").is_err());
    }

    #[test]
    fn a_package_without_a_licence_or_a_line_in_the_lock_is_an_error() {
        assert!(packages("0 a v1.0.0|\n").is_err());
        assert!(bill("0 a v1.0.0|MIT\n", "", LOCK).is_err());
    }

    /// The manifests are read here without cargo.
    #[test]
    fn the_bill_has_what_the_manifests_require() {
        let tree = cargo_output(&[&TREE[..], &COMPILED].concat()).unwrap();
        let named: BTreeSet<String> =
            packages(&tree).unwrap().into_iter().map(|((name, _), _)| name).collect();
        let mut seen = 0;
        for one in workspace::crates().unwrap().iter().filter(|one| named.contains(&one.name)) {
            for needed in one.manifest.dependencies() {
                if needed.kind != "dev-dependencies" && !needed.has("optional") {
                    assert!(named.contains(&needed.package), "{} of {}", needed.package, one.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 50, "{seen}");
        assert!(!named.contains("insta"), "tests alone need it");
    }
}
