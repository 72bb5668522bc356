//! The header of a capture.

use robolog_core::Limits;

use super::{
    LateClock,
    layout::{FILE_HEADER, Order, SECTION},
};

/// The header of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Byte order of numbers; for pcapng, in the first section.
    pub(crate) order: Order,
    /// For pcap: nanoseconds per unit of the fraction, and the link type. `None` for pcapng.
    pub(crate) legacy: Option<(u32, u16)>,
    /// Limits of the reader.
    pub(crate) limits: Limits,
    /// The model of each maker's sensors, if the user knows it.
    pub(crate) livox: Option<lvx::Model>,
    pub(crate) velodyne: Option<koblenz_log::velodyne_packet::Model>,
    /// Livox LiDARs whose clocks get the date late.
    pub(crate) late: Vec<LateClock>,
}

/// For Ethernet frames, with times in nanoseconds.
impl Default for Header {
    fn default() -> Self {
        const ETHERNET: u16 = 1;
        Self {
            order: Order::Little,
            legacy: Some((1, ETHERNET)),
            limits: Limits::default(),
            livox: None,
            velodyne: None,
            late: Vec::new(),
        }
    }
}

impl Header {
    /// From the first four bytes; without a link type, which comes later.
    pub(crate) fn of_magic(start: &[u8]) -> Option<Self> {
        use Order::{Big, Little};
        let (order, legacy) = match start.first_chunk::<4>()? {
            [0xd4, 0xc3, 0xb2, 0xa1] => (Little, Some((1_000, 1))),
            [0xa1, 0xb2, 0xc3, 0xd4] => (Big, Some((1_000, 1))),
            [0x4d, 0x3c, 0xb2, 0xa1] => (Little, Some((1, 1))),
            [0xa1, 0xb2, 0x3c, 0x4d] => (Big, Some((1, 1))),
            [0x0a, 0x0d, 0x0d, 0x0a] => (Little, None),
            _ => return None,
        };
        Some(Self { order, legacy, ..Self::default() })
    }

    /// Sets the model of all Livox LiDARs, which packets of points do not name; `None` leaves it to the evidence.
    pub fn set_livox(&mut self, model: Option<lvx::Model>) {
        self.livox = model;
    }

    /// Sets the model of all Velodyne LiDARs whose packets do not name it.
    pub fn set_velodyne(&mut self, model: Option<koblenz_log::velodyne_packet::Model>) {
        self.velodyne = model;
    }

    /// Sets the [clocks that get their date late](crate::late_clocks): samples and surveys continue each backwards, so
    /// that all its stamps are on one clock.
    pub fn set_late_clocks(&mut self, late: Vec<LateClock>) {
        self.late = late;
    }

    /// The clocks that get their date late.
    pub fn late_clocks(&self) -> &[LateClock] {
        &self.late
    }

    /// Whether the file is pcapng, which consists of blocks from the first byte.
    pub fn is_pcapng(&self) -> bool {
        self.legacy.is_none()
    }

    /// [Link type](https://www.tcpdump.org/linktypes.html) of pcap packets: 1 is Ethernet. `None` for pcapng, where
    /// each interface has one.
    pub fn link_type(&self) -> Option<u16> {
        self.legacy.map(|(_, link)| link)
    }

    /// The header of a pcap file, for packets of at most 256 KiB; empty for pcapng.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        const MICROSECONDS: u32 = 0xa1b2_c3d4;
        const NANOSECONDS: u32 = 0xa1b2_3c4d;
        let Some((unit, link)) = self.legacy else { return Vec::new() };
        let mut bytes = Vec::with_capacity(FILE_HEADER);
        bytes.extend(self.order.bytes(if unit == 1 { NANOSECONDS } else { MICROSECONDS }));
        // Version 2.4.
        bytes.extend(if self.order == Order::Big { [0, 2, 0, 4] } else { [2, 0, 4, 0] });
        bytes.extend([0, 0, 1 << 18, link.into()].map(|word| self.order.bytes(word)).concat());
        bytes
    }

    /// A section of pcapng without blocks, of unknown length; `None` for pcap.
    pub(crate) fn section(&self) -> Option<Vec<u8>> {
        const LEN: u32 = 28;
        if self.legacy.is_some() {
            return None;
        }
        let word = |word: u32| self.order.bytes(word);
        // Version 1.0.
        let version = if self.order == Order::Big { [0, 1, 0, 0] } else { [1, 0, 0, 0] };
        let words =
            [word(SECTION), word(LEN), word(0x1a2b_3c4d), version, word(u32::MAX), word(u32::MAX), word(LEN)];
        Some(words.concat())
    }
}
