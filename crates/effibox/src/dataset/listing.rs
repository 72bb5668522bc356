//! The files of a data set, by interface.

use std::collections::{BTreeMap, HashSet};

use robolog_core::text::Escaped;

use super::{
    Interface, Skipped,
    fault::Result,
    lister::{Lister, Size},
    name::{Role, role},
    recover::LEFT_OUT,
};

/// Maximum number of interfaces.
const INTERFACES: usize = 1 << 10;
/// Maximum number of lists of missing files.
const LISTS: usize = 16;
/// Maximum number of skipped files whose names are kept.
pub(super) const NAMES: usize = 256;
/// Maximum number of files identified by their content, because their names do not say what they are.
pub(super) const LOOKS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) interfaces: BTreeMap<(String, String), Interface>,
    pub(super) unknown: Vec<(String, u64)>,
    pub(super) others: u64,
    pub(super) skipped: Vec<Skipped>,
    pub(super) skipped_count: u64,
    /// Lists of missing files.
    pub(super) left_out: HashSet<String>,
}

impl Lister for Listing {
    fn file(&mut self, path: &str, size: Size<'_>) -> Result<()> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (id, role) = role(name);
        match role {
            Role::Text if name == LEFT_OUT => {
                self.others += 1;
                if self.left_out.len() < LISTS {
                    self.left_out.insert(path.to_owned());
                }
            }
            Role::Text if self.unknown.len() < LOOKS => self.unknown.push((path.to_owned(), size()?)),
            Role::Text | Role::Other => self.others += 1,
            role => {
                let key = (folder.to_owned(), id.to_owned());
                if self.interfaces.len() >= INTERFACES && !self.interfaces.contains_key(&key) {
                    self.others += 1;
                    return Ok(());
                }
                let interface = self.interfaces.entry(key).or_insert_with(|| Interface::new(folder, id));
                interface.add(path, role, size()?);
            }
        }
        Ok(())
    }

    fn skipped(&mut self, path: &str, why: &'static str) {
        self.skip(path, why, false);
    }

    fn damaged(&mut self, path: &str, why: &'static str) {
        self.skip(path, why, true);
    }
}

impl Listing {
    fn skip(&mut self, path: &str, why: &'static str, is_damage: bool) {
        self.skipped_count += 1;
        if self.skipped.len() < NAMES {
            self.skipped.push(Skipped { path: Escaped(path.as_bytes()).to_string(), why, is_damage });
        }
    }
}
