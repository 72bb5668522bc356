//! `cargo xtask book`: builds the book with mdbook. Without it, the pages are still read as Markdown; `tidy` checks their links.

use std::process::Command;

use crate::shell::{self, Outcome};

pub(crate) fn run() -> Outcome {
    if !shell::exists("mdbook", &["--version"]) {
        println!("the book was not built: mdbook is not installed; `cargo install mdbook` installs it");
        return Ok(());
    }
    shell::run(Command::new("mdbook").args(["build", "crates/guide"]), "mdbook build crates/guide")
}
