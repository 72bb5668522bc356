//! A checked cursor over structures of varying size, and the packets of a frame.

use robolog_core::{
    Error, Result,
    layout::{Layout as _, Packed, first},
    slices::{before, past},
};

use crate::{
    layout::{Layout, PACKET_HEADER_LEN, PacketHeader, Width},
    rows::{self, Rows},
};

/// The remaining bytes and their offset.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) at: u64,
    within: &'static str,
}

impl<'a> Walk<'a> {
    /// Walks over `bytes` at offset `at`; `within` names the structure in errors.
    pub(crate) fn new(bytes: &'a [u8], at: u64, within: &'static str) -> Self {
        Self { rest: bytes, at, within }
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.invalid("length", len));
        };
        self.rest = rest;
        self.at = past(self.at, len);
        Ok(taken)
    }

    pub(crate) fn number<T: Packed>(&mut self) -> Result<T> {
        let mut bytes = self.take(T::LEN)?;
        Ok(T::take(&mut bytes).unwrap_or(T::ZERO))
    }

    /// A string after its length.
    pub(crate) fn text(&mut self) -> Result<&'a [u8]> {
        let len: u16 = self.number()?;
        self.take(len.into())
    }

    pub(crate) fn one<T: Layout>(&mut self, width: Width) -> Result<T> {
        self.take(T::len(width)).map(|bytes| rows::read(bytes, width))
    }

    /// A u32 count, then that many structures without vectors.
    pub(crate) fn list<T: Layout>(&mut self) -> Result<Rows<'a, T>> {
        let count: u32 = self.number()?;
        let at = self.at;
        let len = usize::try_from(count).ok().and_then(|n| n.checked_mul(T::len(Width::F32)));
        let Some(len) = len else { return Err(self.invalid("count", count)) };
        self.take(len).map(|bytes| Rows::new(bytes, Width::F32, at))
    }

    /// Returns an error unless the last record of the packet `body` at `offset` ends where the body ends.
    pub(crate) fn check_end(&self, body: &[u8], offset: u64) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let used = before(body, self.rest).len();
        let expected = format_args!("{used} for its records");
        Err(Error::invalid("packet size", body.len(), expected, offset).within(self.within))
    }

    #[cold]
    fn invalid(&self, what: &'static str, found: impl std::fmt::Display) -> Error {
        let expected = format_args!("something that fits into the {} bytes that are left", self.rest.len());
        Error::invalid(what, found, expected, self.at).within(self.within)
    }
}

/// Packets in a frame's bytes: id and body.
pub(crate) fn packets(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let PacketHeader { id, size } = PacketHeader::peek(bytes)?;
        let len = usize::try_from(size).ok()?.checked_add(PACKET_HEADER_LEN)?;
        let (packet, rest) = bytes.split_at_checked(len)?;
        bytes = rest;
        Some((id, packet.get(PACKET_HEADER_LEN..)?))
    })
}

/// Number of records that a body claims.
pub(crate) fn count(body: &[u8]) -> u16 {
    first(body).unwrap_or_default()
}
