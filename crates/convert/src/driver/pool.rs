//! Many files with few open at a time.

use std::{
    cell::RefCell,
    collections::{BTreeMap, btree_map::Entry},
    fs::{File, OpenOptions},
    io::{Error, Result, Seek, SeekFrom, Write},
    path::Path,
    rc::Rc,
    sync::Arc,
};

/// A pool of open files. When there are too many, it closes the least recently used one, and opens it again when
/// needed.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool(Rc<RefCell<OpenFiles>>);

#[derive(Debug, Default)]
struct OpenFiles {
    /// Files by number, with the turn of their last use.
    files: BTreeMap<u64, (u64, File)>,
    turns: u64,
    numbers: u64,
}

/// Maximum number of open files: some systems allow a process only 256.
const MAX_OPEN: usize = 128;

impl Pool {
    /// Creates a file `name` in `folder`, which must not exist yet. The folder must not be moved meanwhile. `gathered`
    /// bytes are buffered before writing; the buffer grows as needed.
    pub(super) fn create(&self, folder: &Arc<Path>, name: &Rc<str>, gathered: usize) -> Result<Pooled> {
        let file = File::create_new(folder.join(&**name))?;
        let mut open = self.0.try_borrow_mut().map_err(Error::other)?;
        open.make_room();
        open.numbers += 1;
        let (turn, number) = (open.turns, open.numbers);
        open.files.insert(number, (turn, file));
        let (folder, name) = (Arc::clone(folder), Rc::clone(name));
        Ok(Pooled { pool: self.clone(), number, folder, name, position: 0, buffer: Vec::new(), gathered })
    }
}

/// Buffer size for a file beside `others`: a megabyte for few files, less for many, so that a thousand take 27 MiB.
pub(super) fn buffer_size(others: usize) -> usize {
    (4_usize << 20).checked_div(others).unwrap_or(usize::MAX).clamp(4 << 10, 1 << 20)
}

impl OpenFiles {
    fn make_room(&mut self) {
        self.turns += 1;
        while self.files.len() >= MAX_OPEN {
            let oldest = self.files.iter().min_by_key(|(_, (turn, _))| *turn).map(|(number, _)| *number);
            oldest.and_then(|number| self.files.remove(&number));
        }
    }
}

/// A file for writing that may be closed between writes.
#[derive(Debug)]
pub(super) struct Pooled {
    pool: Pool,
    number: u64,
    folder: Arc<Path>,
    name: Rc<str>,
    position: u64,
    /// Bytes to write at `position`, up to `gathered`.
    buffer: Vec<u8>,
    gathered: usize,
}

impl Pooled {
    fn with<T>(&self, work: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
        let mut open = self.pool.0.try_borrow_mut().map_err(Error::other)?;
        if !open.files.contains_key(&self.number) {
            open.make_room();
        }
        let turn = open.turns + 1;
        open.turns = turn;
        let (last, file) = match open.files.entry(self.number) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let mut file = OpenOptions::new().write(true).open(self.folder.join(&*self.name))?;
                file.seek(SeekFrom::Start(self.position))?;
                entry.insert((turn, file))
            }
        };
        *last = turn;
        work(file)
    }
}

impl Pooled {
    fn write_through(&mut self, bytes: &[u8]) -> Result<()> {
        self.with(|file| file.write_all(bytes))?;
        self.position += bytes.len() as u64;
        Ok(())
    }
}

impl Write for Pooled {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        if self.buffer.len() + buf.len() > self.gathered {
            self.flush()?;
        }
        if buf.len() >= self.gathered {
            self.write_through(buf)?;
        } else {
            self.buffer.extend_from_slice(buf);
        }
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        if !buffer.is_empty() {
            self.write_through(&buffer)?;
            buffer.clear();
        }
        self.buffer = buffer;
        Ok(())
    }
}

impl Seek for Pooled {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.flush()?;
        self.position = self.with(|file| file.seek(to))?;
        Ok(self.position)
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        // Callers that need errors flush first.
        let _ = self.flush();
        if let Ok(mut open) = self.pool.0.try_borrow_mut() {
            open.files.remove(&self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_that_were_closed_go_on_where_they_were() {
        let dir = tempfile::tempdir().unwrap();
        let pool = Pool::default();
        let paths: Vec<_> = (0..300).map(|n| dir.path().join(n.to_string())).collect();
        let folder: Arc<Path> = dir.path().into();
        let create = |n: usize| pool.create(&folder, &n.to_string().into(), 4);
        let mut files: Vec<_> = (0..300).map(|n| create(n).unwrap()).collect();
        for round in [b"abc", b"def"] {
            for file in &mut files {
                file.write_all(round).unwrap();
            }
            assert_eq!(pool.0.borrow().files.len(), MAX_OPEN);
        }
        for file in &mut files {
            assert_eq!(file.seek(SeekFrom::Start(1)).unwrap(), 1);
        }
        for file in &mut files {
            file.write_all(b"X").unwrap();
            assert_eq!(file.stream_position().unwrap(), 2);
            assert_eq!(file.seek(SeekFrom::End(0)).unwrap(), 6);
        }
        drop(files);
        assert!(pool.0.borrow().files.is_empty());
        assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"aXcdef"));
        assert!(create(0).is_err(), "nothing is overwritten");
    }

    #[test]
    fn many_buffers_are_small() {
        assert_eq!([0, 4, 5, 5000].map(buffer_size), [1 << 20, 1 << 20, 838_860, 4 << 10]);
        assert!((0..1000).map(buffer_size).sum::<usize>() <= 27 << 20);
    }
}
