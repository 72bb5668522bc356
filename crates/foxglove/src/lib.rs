//! Serves the Foxglove extension: topics, the messages of a window, and the last messages before a time.
//!
//! [`Index::new`] reads a recording once. It keeps no messages, only their location: independently readable parts, the
//! times in each, and the state that the messages of a part depend on. A window then reads the parts that it overlaps,
//! for every format.

mod backfill;
#[cfg(target_arch = "wasm32")]
mod border;
mod index;
mod part;
mod window;

use std::{fmt, io, sync::Arc};

use robolog_convert::{Feed, Input, ReadSeek, Reopen, Result, robolog_core::Limits};

#[cfg(target_arch = "wasm32")]
use self::border::Loader;
pub use self::{
    index::{Index, Problem, Topic},
    window::{Owned, Window},
};

/// A recording that can be opened repeatedly.
#[derive(Clone)]
pub struct Recording {
    name: Arc<str>,
    len: u64,
    open: Reopen,
}

impl Recording {
    /// A recording of `len` bytes; `open` returns a new reader on each call. The format is detected from the bytes.
    pub fn new<S: ReadSeek + 'static>(
        name: &str,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), len, open: Arc::new(move || Ok(Box::new(open()?))) }
    }

    fn input(&self) -> Result<Input> {
        let open = Arc::clone(&self.open);
        Input::reopening_with(&*self.name, self.len, move || open(), Limits::default())
    }

    fn feed(&self) -> Result<Feed> {
        self.input().map(Feed::new)
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("name", &self.name).field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
