//! The Rust examples of the book, as documentation tests.

/// A module for each page with examples.
macro_rules! pages {
    ($($name:ident $path:literal)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("src/", $path))]
        pub mod $name {}
    )*};
}

pages! {
    rust "tutorial/rust.md"
    add_a_format "add_a_format.md"
    add_a_target "add_a_target.md"
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

    #[test]
    fn the_format_of_the_page_is_the_example() {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/examples/tiny.rs");
        let example = fs::read_to_string(example).unwrap();
        let (_, code) = example.split_once("\nuse std::{").unwrap();
        assert!(include_str!("src/add_a_format.md").contains(code.trim_end()));
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        assert!(example.lines().filter(is_code).count() <= 125);
    }

    #[test]
    fn every_page_with_rust_is_tested() {
        let mut folders = vec![Path::new(BOOK).to_owned()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "md") {
                    let name = path.strip_prefix(BOOK).unwrap().to_str().unwrap().replace('\\', "/");
                    let is_listed = include_str!("lib.rs").contains(&format!(" \"{name}\"\n"));
                    let has_rust = fs::read_to_string(&path).unwrap().contains("\n```rust");
                    assert_eq!(has_rust, is_listed, "{name}");
                }
            }
        }
    }
}
