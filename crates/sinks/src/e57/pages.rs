//! Lets E57's writer read back from a target that cannot be read.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write},
    rc::Rc,
};

/// Bytes of a page; writes are always whole pages.
const PAGE: usize = 1024;
/// Number of offset bits within a page.
const PAGE_BITS: u32 = 10;

/// The file of one writer. The writer reads back what it changes: the first page, the first pages of the open section,
/// and the last pages. Only these are kept.
#[derive(Debug)]
pub(super) struct Pages<W>(Rc<RefCell<Inner<W>>>);

#[derive(Debug)]
struct Inner<W> {
    out: W,
    /// Position of `out`.
    out_at: u64,
    /// Position of the next read or write.
    at: u64,
    /// Length of the file.
    end: u64,
    /// Kept pages, by number.
    kept: BTreeMap<u64, [u8; PAGE]>,
    /// Page in which the section began.
    section: u64,
}

impl<W> Pages<W> {
    /// Creates an empty file on `out`, which must be at its beginning.
    pub(super) fn new(out: W) -> Self {
        let kept = BTreeMap::new();
        Self(Rc::new(RefCell::new(Inner { out, out_at: 0, at: 0, end: 0, kept, section: 0 })))
    }

    /// Returns another handle of the file.
    pub(super) fn share(&self) -> Self {
        Self(Rc::clone(&self.0))
    }

    /// Begins a section at the end.
    pub(super) fn begin_section(&self) -> Result<()> {
        let mut inner = self.0.try_borrow_mut().map_err(Error::other)?;
        inner.section = number(inner.at);
        Ok(())
    }

    /// Returns the target once no other handle is left.
    pub(super) fn into_inner(self) -> Result<W> {
        let inner = Rc::try_unwrap(self.0).map_err(|_| Error::other("the file is in use"))?;
        Ok(inner.into_inner().out)
    }
}

fn number(at: u64) -> u64 {
    at >> PAGE_BITS
}

fn within(at: u64) -> u64 {
    at & (PAGE as u64 - 1)
}

impl<W> Inner<W> {
    /// Drops pages that are not read again.
    fn prune(&mut self) {
        let (first, second) = (self.section, self.section + 1);
        let last = number(self.end).saturating_sub(2);
        self.kept.retain(|n, _| *n == 0 || *n == first || *n == second || *n >= last);
    }
}

impl<W: Write + Seek> Write for Pages<W> {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        let mut inner = self.0.try_borrow_mut().map_err(Error::other)?;
        let (Ok(page), 0) = (<[u8; PAGE]>::try_from(buf), within(inner.at)) else {
            return Err(Error::new(ErrorKind::InvalidInput, "not a page"));
        };
        let at = inner.at;
        if inner.out_at != at {
            inner.out.seek(SeekFrom::Start(at))?;
        }
        inner.out.write_all(buf)?;
        inner.at = at + PAGE as u64;
        inner.out_at = inner.at;
        inner.end = inner.end.max(inner.at);
        inner.kept.insert(number(at), page);
        inner.prune();
        Ok(PAGE)
    }

    fn flush(&mut self) -> Result<()> {
        // The target is flushed once the file is complete.
        Ok(())
    }
}

impl<W> Read for Pages<W> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let mut inner = self.0.try_borrow_mut().map_err(Error::other)?;
        if inner.at >= inner.end {
            return Ok(0);
        }
        let start = usize::try_from(within(inner.at)).map_err(Error::other)?;
        let page = inner.kept.get(&number(inner.at)).and_then(|page| page.get(start..));
        let page = page.ok_or_else(|| Error::new(ErrorKind::Unsupported, "a page that was not kept"))?;
        let mut count = 0_u64;
        for (to, from) in buf.iter_mut().zip(page) {
            *to = *from;
            count += 1;
        }
        inner.at += count;
        usize::try_from(count).map_err(Error::other)
    }
}

impl<W> Seek for Pages<W> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let mut inner = self.0.try_borrow_mut().map_err(Error::other)?;
        inner.at = crate::output::seek_place(to, inner.at, || Ok(inner.end))?;
        Ok(inner.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn only_what_is_read_again_is_kept() {
        let mut pages = Pages::new(Cursor::new(Vec::new()));
        for n in 0..100_u8 {
            if n == 40 {
                pages.begin_section().unwrap();
            }
            assert_eq!(pages.write(&[n; PAGE]).unwrap(), PAGE);
        }
        let mut page = [0; PAGE];
        for (n, kept) in
            [(0_u8, true), (1, false), (40, true), (41, true), (42, false), (98, true), (99, true)]
        {
            pages.seek(SeekFrom::Start(u64::from(n) * 1024)).unwrap();
            assert_eq!(pages.read_exact(&mut page).is_ok(), kept, "{n}");
            assert!(!kept || page == [n; PAGE]);
        }
        assert_eq!(pages.seek(SeekFrom::End(0)).unwrap(), 100 * 1024);
        assert_eq!(pages.read(&mut page).unwrap(), 0);
        pages.seek(SeekFrom::Start(40 * 1024)).unwrap();
        pages.write_all(&[7; PAGE]).unwrap();
        assert!(pages.write(&[7; 10]).is_err());
        let other = pages.share();
        drop(other);
        let bytes = pages.into_inner().unwrap().into_inner();
        assert!(
            bytes
                .chunks(PAGE)
                .enumerate()
                .all(|(n, page)| usize::from(page[0]) == if n == 40 { 7 } else { n })
        );
    }
}
