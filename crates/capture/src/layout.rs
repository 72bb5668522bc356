//! The numbers in captures: before a packet of pcap, and around a block of pcapng.
//!
//! | file | before the records | a record |
//! |---|---|---|
//! | pcap | 24 bytes: magic (byte order, µs or ns), version, ..., link type | seconds, fraction, bytes kept, bytes sent, then the bytes kept |
//! | pcapng | nothing: blocks from the first byte on | type, length, body, the length again |

/// Maximum size of a packet or block; capture tools stop at 256 KiB.
pub(crate) const LARGEST: usize = 1 << 20;
/// Bytes before the first packet of pcap.
pub(crate) const FILE_HEADER: usize = 24;
/// Bytes before the data of a packet of pcap.
pub(crate) const PACKET_HEADER: usize = 16;
/// Minimum bytes of a packet with an IP header.
const LEAST_PACKET: u32 = 20;
/// Maximum seconds between consecutive packets: a longer gap is damage.
const GAP: u32 = 86_400;
/// Minimum length of a block: type, length and the length again.
pub(crate) const LEAST_BLOCK: usize = 12;

/// Types of blocks.
pub(crate) const SECTION: u32 = 0x0a0d_0d0a;
pub(crate) const INTERFACE: u32 = 1;
pub(crate) const ENHANCED_PACKET: u32 = 6;

/// The byte order of numbers: that of the computer that wrote them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Order {
    /// The byte order indicated by these bytes of a pcapng section.
    pub(crate) fn of_section(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1a, 0x2b, 0x3c, 0x4d] => Some(Self::Big),
            [0x4d, 0x3c, 0x2b, 0x1a] => Some(Self::Little),
            _ => None,
        }
    }

    /// Decodes a 16-bit number.
    pub(crate) fn u16(self, bytes: [u8; 2]) -> u16 {
        if self == Self::Big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    /// Decodes a 32-bit number.
    pub(crate) fn u32(self, bytes: [u8; 4]) -> u32 {
        if self == Self::Big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    /// Decodes a signed 64-bit number.
    pub(crate) fn i64(self, bytes: [u8; 8]) -> i64 {
        if self == Self::Big { i64::from_be_bytes(bytes) } else { i64::from_le_bytes(bytes) }
    }

    /// Encodes a 32-bit number.
    pub(crate) fn bytes(self, number: u32) -> [u8; 4] {
        if self == Self::Big { number.to_be_bytes() } else { number.to_le_bytes() }
    }
}

/// The header of a pcap packet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PacketHead {
    pub(crate) seconds: u32,
    pub(crate) fraction: u32,
    pub(crate) kept: u32,
    pub(crate) sent: u32,
}

impl PacketHead {
    pub(crate) fn parse(order: Order, input: &[u8]) -> Option<Self> {
        let [s0, s1, s2, s3, f0, f1, f2, f3, k0, k1, k2, k3, n0, n1, n2, n3] = *input.first_chunk()?;
        let [seconds, fraction, kept, sent] =
            [[s0, s1, s2, s3], [f0, f1, f2, f3], [k0, k1, k2, k3], [n0, n1, n2, n3]].map(|b| order.u32(b));
        Some(Self { seconds, fraction, kept, sent })
    }

    /// Length of the record in bytes.
    pub(crate) fn len(self) -> usize {
        kept_bytes(self.kept).saturating_add(PACKET_HEADER)
    }

    /// Whether a capture tool writes such numbers.
    pub(crate) fn is_possible(self, unit: u32) -> bool {
        self.sent > 0
            && self.kept <= self.sent
            && usize::try_from(self.sent).is_ok_and(|sent| sent <= LARGEST)
            && self.len() <= LARGEST
            && u64::from(self.fraction) * u64::from(unit) < 1_000_000_000
    }

    /// Whether they fit a packet with an IP header, as required when searching for packets.
    pub(crate) fn is_plausible(self, unit: u32) -> bool {
        self.kept >= LEAST_PACKET && self.is_possible(unit)
    }

    pub(crate) fn follows(self, before: Self, unit: u32) -> bool {
        self.is_plausible(unit) && self.seconds.abs_diff(before.seconds) <= GAP
    }
}

/// Number of bytes stored for a packet with this kept length.
pub(crate) fn kept_bytes(kept: u32) -> usize {
    usize::try_from(kept).unwrap_or(usize::MAX)
}

/// The byte order of a block: a section specifies it. Others have that of the file, unless their length is only valid
/// in the other: a capture may continue with a section from another computer.
pub(crate) fn block_order(file: Order, input: &[u8]) -> Order {
    let can_be = |len: u32| usize::try_from(len).is_ok_and(|len| (LEAST_BLOCK..=LARGEST).contains(&len));
    match input.first_chunk::<LEAST_BLOCK>() {
        Some([0x0a, 0x0d, 0x0d, 0x0a, _, _, _, _, order @ ..]) => Order::of_section(order).unwrap_or(file),
        Some([_, _, _, _, l0, l1, l2, l3, ..]) => {
            let len = [*l0, *l1, *l2, *l3];
            match (can_be(u32::from_be_bytes(len)), can_be(u32::from_le_bytes(len))) {
                (true, false) => Order::Big,
                (false, true) => Order::Little,
                _ => file,
            }
        }
        None => file,
    }
}

/// Type and length of the block at the start of `input`.
pub(crate) fn block_head(file: Order, input: &[u8]) -> [u32; 2] {
    let Some([k0, k1, k2, k3, l0, l1, l2, l3]) = input.first_chunk() else { return [0; 2] };
    let order = block_order(file, input);
    [order.u32([*k0, *k1, *k2, *k3]), order.u32([*l0, *l1, *l2, *l3])]
}

/// The length of the block at the start of `input`, if valid.
pub(crate) fn block_len(file: Order, input: &[u8]) -> Option<usize> {
    let [_, len] = block_head(file, input.get(..LEAST_BLOCK)?.first_chunk::<LEAST_BLOCK>()?);
    usize::try_from(len).ok().filter(|len| (LEAST_BLOCK..=LARGEST).contains(len) && len.is_multiple_of(4))
}

/// Whether a block ends with its length.
pub(crate) fn has_same_length(file: Order, block: &[u8]) -> bool {
    let [_, len] = block_head(file, block);
    let order = block_order(file, block);
    block.last_chunk().is_some_and(|last| order.u32(*last) == len)
}
