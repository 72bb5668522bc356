//! Rules for links between the Markdown files: each leads to a file, a folder or a heading of the repository.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Finding};

/// The folder of the book: its pages link only to each other, and its list names them all.
const BOOK: &str = "crates/guide/src/";
const LIST: &str = "crates/guide/src/SUMMARY.md";

pub(super) fn check(files: &[File]) -> Vec<String> {
    let pages: BTreeMap<&str, &str> = files.iter().filter_map(page).collect();
    let mut places: BTreeSet<&str> = BTreeSet::from([""]);
    for File { path, .. } in files {
        places.insert(path.as_str());
        places.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
    }
    let mut found = Vec::new();
    for (path, text) in &pages {
        let wrong = links(text).into_iter().filter_map(|(line, link)| {
            wrong(path, &link, &places, &pages).map(|why| (line, format!("{link}: {why}")))
        });
        found.extend(wrong.map(|(line, why): Finding| format!("{path}:{line}: {why}")));
    }
    found.extend(unlisted(&pages));
    found
}

fn page(file: &File) -> Option<(&str, &str)> {
    let is_page = file.path.ends_with(".md") && !file.path.starts_with("testdata/");
    Some((file.path.as_str(), file.text.as_deref()?)).filter(|_| is_page)
}

/// The pages of the book that its list does not name.
fn unlisted(pages: &BTreeMap<&str, &str>) -> Vec<String> {
    let Some(list) = pages.get(LIST) else { return Vec::new() };
    let listed: BTreeSet<String> =
        links(list).into_iter().filter_map(|(_, link)| resolved(LIST, &link)).collect();
    let of_the_book = pages.keys().filter(|path| path.starts_with(BOOK) && **path != LIST);
    let unlisted = of_the_book.filter(|path| !listed.contains(**path));
    unlisted.map(|path| format!("{path}: is not in SUMMARY.md")).collect()
}

/// Why a link of a page leads nowhere.
fn wrong(
    page: &str,
    link: &str,
    places: &BTreeSet<&str>,
    pages: &BTreeMap<&str, &str>,
) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { Some(page.to_owned()) } else { resolved(page, path) };
    let Some(target) = target.filter(|target| places.contains(target.as_str())) else {
        return Some("leads to no file");
    };
    if page.starts_with(BOOK) && !target.starts_with(BOOK) {
        return Some("leads out of the book");
    }
    // mdBook renames it, and not the links to it.
    if page.starts_with(BOOK) && page != LIST && target.ends_with("/README.md") {
        return Some("leads to no page of mdBook");
    }
    let anchor = anchor?;
    // The page of a folder is its README.
    let readme = format!("{target}/README.md");
    let text = pages.get(target.as_str()).or_else(|| pages.get(readme.as_str()));
    let has = text.is_some_and(|text| anchors(text).contains(anchor));
    (!has).then_some("leads to no heading")
}

/// The path from the root to which a link of a page leads.
fn resolved(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !is_fence && !in_code
    })
}

/// Links and pictures, with the numbers of their lines.
fn links(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // What stands in backticks is no link; a link's text may.
        let mut is_code = false;
        let mut rest = line;
        while let Some(at) = rest.find(['`', ']']) {
            let after = &rest[at + 1..];
            if rest[at..].starts_with('`') {
                is_code = !is_code;
            } else if let Some(link) = after.strip_prefix('(').filter(|_| !is_code)
                && let Some((link, _)) = link.split_once(')')
            {
                found.push((number, link.split(' ').next().unwrap_or_default().to_owned()));
            }
            rest = after;
        }
    }
    found
}

/// The anchors of a page's headings, as forges and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        let words = line.trim_start_matches('#');
        if words.len() == line.len() || !words.starts_with(' ') {
            continue;
        }
        let slug = slug(words.trim());
        let before = seen.entry(slug.clone()).or_default();
        anchors.insert(if *before == 0 { slug } else { format!("{slug}-{before}") });
        *before += 1;
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || ['-', '_', ' '].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, check, links, resolved};
    use crate::tidy::File;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "[a](b.md) `[c](d)` ![e](f.png \"g\") [`h`](i#j)\n```\n[k](l)\n```\n[m](n)\n";
        let found = links(text).into_iter().map(|(line, link)| format!("{line} {link}"));
        assert_eq!(found.collect::<Vec<_>>(), ["1 b.md", "1 f.png", "1 i#j", "5 n"]);
    }

    #[test]
    fn headings_become_anchors() {
        let found = anchors("# It says `a: b`, what now?\n## Twice\n## Twice\n```\n# no\n```\n#no\n");
        let wanted = ["it-says-a-b-what-now", "twice", "twice-1"];
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn links_are_resolved_from_their_page() {
        assert_eq!(resolved("a/b/c.md", "../d/e.md").as_deref(), Some("a/d/e.md"));
        assert_eq!(resolved("README.md", "crates/").as_deref(), Some("crates"));
        assert_eq!(resolved("README.md", "../x"), None);
    }

    #[test]
    fn links_that_lead_nowhere_are_findings() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: Some(text.to_owned()) };
        let files = [
            file("README.md", "[a](crates/guide/src) [b](crates/guide/src/a.md#A) [c](https://x.y) [d](e)"),
            file("crates/guide/src/SUMMARY.md", "[a](a.md)"),
            file("crates/guide/src/a.md", "# a\n[b](b.md#b) [c](../../../README.md) [d](#a)"),
            file("crates/guide/src/b.md", "# b\n[e](README.md)"),
            file("crates/guide/src/README.md", "# f"),
        ];
        let wanted = [
            "README.md:1: crates/guide/src/a.md#A: leads to no heading",
            "README.md:1: e: leads to no file",
            "crates/guide/src/a.md:2: ../../../README.md: leads out of the book",
            "crates/guide/src/b.md:2: README.md: leads to no page of mdBook",
            "crates/guide/src/README.md: is not in SUMMARY.md",
            "crates/guide/src/b.md: is not in SUMMARY.md",
        ];
        assert_eq!(check(&files), wanted);
    }
}
