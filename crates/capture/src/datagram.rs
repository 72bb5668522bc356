//! UDP datagrams of a capture file.

use std::{io::Read, net::Ipv4Addr, ops::Range};

use etherparse::{
    EtherType, Ethernet2Header, IpNumber, Ipv6Header, LaxLinkExtSlice, LaxNetSlice, LaxSlicedPacket,
    LinuxSllHeader, TransportSlice,
};
use robolog_core::{
    Error, Event, Result, StreamReader,
    slices::{InRange as _, OrZero as _, Part as _, missing},
};

use super::{
    Capture, Record,
    layout::{ENHANCED_PACKET, INTERFACE, Order, SECTION},
    record::Content,
};

/// A UDP datagram over IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// Capture time, nanoseconds of unix time.
    pub time_ns: i64,
    /// Source address.
    pub source: Ipv4Addr,
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Payload.
    pub payload: &'a [u8],
}

/// An item of a capture.
#[derive(Debug)]
pub enum DatagramEvent<'a> {
    /// A datagram.
    Datagram(Datagram<'a>),
    /// A fault, and the bytes lost to it.
    Damage {
        /// The fault.
        error: Error,
        /// The bytes lost.
        lost: Range<u64>,
    },
}

/// Passes `visit` every UDP datagram of a pcap or pcapng file, and all damage. Skips other packets, fragments, and
/// packets that cannot be parsed.
///
/// Returns an error if the stream is not a capture, and the errors of the stream and of `visit`.
///
/// ```
/// use robolog_capture::{Error, DatagramEvent, datagrams};
/// # let stream = std::fs::File::open("examples/velodyne.pcap").unwrap();
/// let mut packets = 0;
/// datagrams(stream, &mut |event| {
///     match event {
///         DatagramEvent::Datagram(datagram) => packets += usize::from(datagram.destination_port == 2368),
///         DatagramEvent::Damage { error, .. } => println!("{error}"),
///     }
///     Ok::<(), Error>(())
/// })?;
/// assert!(packets > 0);
/// # Ok::<(), Error>(())
/// ```
pub fn datagrams<R: Read, E: From<Error>>(
    stream: R,
    visit: &mut dyn FnMut(DatagramEvent<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = StreamReader::<R, Capture>::new(stream)?;
    let mut dissector = Dissector::default();
    loop {
        match reader.next_event()? {
            Event::Record(record) => match dissector.datagram(&record) {
                Ok(Some(datagram)) => visit(DatagramEvent::Datagram(datagram))?,
                Ok(None) => {}
                Err(error) => visit(DatagramEvent::Damage { error, lost: record.offset()..record.end() })?,
            },
            Event::Damage { error, lost } => visit(DatagramEvent::Damage { error, lost })?,
            Event::End => return Ok(()),
        }
    }
}

/// Extracts the datagrams from records; for pcapng, with the interfaces described by earlier blocks.
#[derive(Debug, Default)]
pub struct Dissector {
    interfaces: Vec<Interface>,
}

impl Dissector {
    /// Capture time of a record, and its UDP datagram, if it has one. Returns an error for a packet of an undescribed
    /// interface, or a truncated one.
    pub fn packet<'a>(&mut self, record: &Record<'a>) -> Result<Option<(i64, Option<Datagram<'a>>)>> {
        Ok(self.open(record)?.map(|(time_ns, datagram)| (time_ns, datagram.ok())))
    }

    /// Capture time of a record, and its UDP datagram or why there is none.
    pub(crate) fn open<'a>(
        &mut self,
        record: &Record<'a>,
    ) -> Result<Option<(i64, Result<Datagram<'a>, Unread>)>> {
        Ok(match record.content() {
            Content::Packet { link, time_ns, sent, data } => {
                Some((time_ns, parse(Linktype(link), data, sent, time_ns)))
            }
            Content::Block { kind: SECTION, .. } => {
                self.interfaces.clear();
                None
            }
            Content::Block { kind: INTERFACE, order, body } => {
                if self.interfaces.len() < INTERFACES {
                    self.interfaces.extend(Interface::parse(body, order));
                }
                None
            }
            Content::Block { kind: ENHANCED_PACKET, order, body } => {
                Some(enhanced_packet(body, order, &self.interfaces, record.offset())?)
            }
            Content::Block { .. } => None,
        })
    }

    /// The UDP datagram of a record, if it has one.
    pub(crate) fn datagram<'a>(&mut self, record: &Record<'a>) -> Result<Option<Datagram<'a>>> {
        Ok(self.packet(record)?.and_then(|(_, datagram)| datagram))
    }
}

/// Why a packet gives no datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Its link type, which is not supported.
    Link(u16),
    /// Only this many of its bytes were captured.
    Cut(usize),
    /// A part of a datagram.
    Fragment,
    /// A datagram over IPv6.
    Ipv6,
    /// It has no datagram, or a damaged one.
    NoDatagram,
}

/// More interfaces than any computer has.
const INTERFACES: usize = 1 << 16;

/// An interface, as described by a pcapng block.
#[derive(Debug, Clone, Copy)]
struct Interface {
    link: Linktype,
    /// Units of time stamps per second.
    units: u64,
    /// Seconds to add to time stamps.
    offset: i64,
}

impl Interface {
    /// Options are a code, a length and the value, padded to four bytes.
    fn parse(body: &[u8], order: Order) -> Option<Self> {
        const RESOLUTION: u16 = 9;
        const OFFSET: u16 = 14;
        let (&[l0, l1, _, _, _, _, _, _], mut options) = body.split_first_chunk()?;
        let mut interface = Self { link: Linktype(order.u16([l0, l1])), units: 1_000_000, offset: 0 };
        while let Some((&[c0, c1, n0, n1], rest)) = options.split_first_chunk() {
            let len = usize::from(order.u16([n0, n1]));
            match (order.u16([c0, c1]), rest.get(..len)) {
                // Powers of two have the highest bit set.
                (RESOLUTION, Some(&[power])) => {
                    let base: u64 = if power < 0x80 { 10 } else { 2 };
                    interface.units = base.checked_pow((power & 0x7f).into()).unwrap_or(u64::MAX);
                }
                (OFFSET, Some(value)) => {
                    interface.offset = value.first_chunk().map_or(0, |value| order.i64(*value));
                }
                _ => {}
            }
            options = rest.part_or_empty(len.next_multiple_of(4)..);
        }
        Some(interface)
    }

    /// Converts a stamp to nanoseconds.
    fn nanos(self, stamp: u64) -> i64 {
        let ns = u128::from(stamp).times(1_000_000_000).div_or_zero(self.units.into());
        let ns = i64::try_from(ns).unwrap_or(i64::MAX);
        ns.saturating_add(self.offset.saturating_mul(1_000_000_000))
    }
}

/// The block has the interface, the stamp in two halves, bytes kept, bytes sent, then the bytes kept.
fn enhanced_packet<'a>(
    body: &'a [u8],
    order: Order,
    interfaces: &[Interface],
    at: u64,
) -> Result<(i64, Result<Datagram<'a>, Unread>)> {
    let Some((head, data)) = body.split_first_chunk::<20>() else {
        let missing = missing(20_usize, body);
        return Err(Error::truncated(missing, at).within("capture"));
    };
    let [i0, i1, i2, i3, h0, h1, h2, h3, l0, l1, l2, l3, k0, k1, k2, k3, s0, s1, s2, s3] = *head;
    let id = order.u32([i0, i1, i2, i3]);
    let interface = usize::try_from(id).ok().and_then(|id| interfaces.get(id));
    let interface = interface.ok_or_else(|| {
        let expected = "one that the capture describes";
        Error::invalid("interface of a packet", id, expected, at).within("capture")
    })?;
    let stamp = (u64::from(order.u32([h0, h1, h2, h3])) << 32) | u64::from(order.u32([l0, l1, l2, l3]));
    let kept = usize::try_from(order.u32([k0, k1, k2, k3])).ok().and_then(|kept| data.get(..kept));
    let (time_ns, sent) = (interface.nanos(stamp), order.u32([s0, s1, s2, s3]));
    Ok((time_ns, parse(interface.link, kept.unwrap_or(data), sent, time_ns)))
}

/// Link type of an interface, as numbered in captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Linktype(u16);

impl Linktype {
    const NULL: Self = Self(0);
    const ETHERNET: Self = Self(1);
    const RAW_BSD: Self = Self(12);
    const RAW_OPENBSD: Self = Self(14);
    const RAW: Self = Self(101);
    const LOOP: Self = Self(108);
    const LINUX_SLL: Self = Self(113);
    const IPV4: Self = Self(228);
    const IPV6: Self = Self(229);
    const LINUX_SLL2: Self = Self(276);

    /// Whether packets of this type are read.
    const fn is_known(self) -> bool {
        matches!(
            self,
            Self::NULL
                | Self::ETHERNET
                | Self::RAW_BSD
                | Self::RAW_OPENBSD
                | Self::RAW
                | Self::LOOP
                | Self::LINUX_SLL
                | Self::IPV4
                | Self::IPV6
                | Self::LINUX_SLL2
        )
    }
}

/// Bytes before the IP header in a packet of `LINUX_SLL2`.
const SLL2_HEADER: usize = 20;

/// The headers of a packet, and the number of bytes before the IP header and what belongs to it.
fn slice(link: Linktype, data: &[u8]) -> Option<(usize, LaxSlicedPacket<'_>)> {
    Some(match link {
        Linktype::ETHERNET => (Ethernet2Header::LEN, LaxSlicedPacket::from_ethernet(data).ok()?),
        // 14 bytes for the sender, then the protocol.
        Linktype::LINUX_SLL => match data {
            [_, _, _, _, _, _, _, _, _, _, _, _, _, _, p0, p1, rest @ ..] => {
                let kind = EtherType(u16::from_be_bytes([*p0, *p1]));
                (LinuxSllHeader::LEN, LaxSlicedPacket::from_ether_type(kind, rest))
            }
            _ => return None,
        },
        // The protocol, then 18 bytes for interface and sender.
        Linktype::LINUX_SLL2 => {
            let (head, rest) = data.split_first_chunk::<SLL2_HEADER>()?;
            let [p0, p1, ..] = *head;
            let kind = EtherType(u16::from_be_bytes([p0, p1]));
            (SLL2_HEADER, LaxSlicedPacket::from_ether_type(kind, rest))
        }
        Linktype::RAW | Linktype::RAW_BSD | Linktype::RAW_OPENBSD | Linktype::IPV4 | Linktype::IPV6 => {
            (0, LaxSlicedPacket::from_ip(data).ok()?)
        }
        // Four bytes with the protocol.
        Linktype::NULL | Linktype::LOOP => (4, LaxSlicedPacket::from_ip(data.get(4..)?).ok()?),
        _ => return None,
    })
}

/// Whether the headers of a packet of this link type give it a length of `len` bytes, possibly with Ethernet padding or
/// checksum.
pub(crate) fn is_as_long(link: u16, data: &[u8], len: usize) -> bool {
    const SHORTEST: usize = 60;
    const CHECK_SUM: usize = 4;
    let Some((before, sliced)) = slice(Linktype(link), data) else { return false };
    let tags: usize = sliced.link_exts.iter().map(LaxLinkExtSlice::header_len).sum();
    let before = before.plus(tags);
    let (header, total) = match &sliced.net {
        Some(LaxNetSlice::Ipv4(ip)) => (ip.header().slice().len(), usize::from(ip.header().total_len())),
        Some(LaxNetSlice::Ipv6(ip)) => {
            let len = usize::from(ip.header().payload_length());
            (Ipv6Header::LEN, Ipv6Header::LEN.plus(len))
        }
        _ => return false,
    };
    // For a datagram the UDP length counts, as in `parse`.
    let total = match &sliced.transport {
        Some(TransportSlice::Udp(udp)) => header.plus(udp.length().into()),
        _ => total,
    };
    let said = before.plus(total);
    [said, said.max(SHORTEST)].iter().any(|said| len == *said || len == said.plus(CHECK_SUM))
}

/// The datagram of a packet, of which `data` was captured and `sent` bytes were sent.
fn parse(link: Linktype, data: &[u8], sent: u32, time_ns: i64) -> Result<Datagram<'_>, Unread> {
    if let Some(datagram) = usual(link, data, time_ns) {
        return Ok(datagram);
    }
    // Some sensors write a wrong length into the IP header, so the UDP length counts.
    let Some((
        _,
        LaxSlicedPacket {
            net: Some(LaxNetSlice::Ipv4(ip)), transport: Some(TransportSlice::Udp(udp)), ..
        },
    )) = slice(link, data)
    else {
        return Err(unread(link, data, sent));
    };
    // A datagram truncated by the capture is shorter.
    if usize::from(udp.length()) != udp.payload().len().plus(udp.header_len()) {
        return Err(unread(link, data, sent));
    }
    Ok(Datagram {
        time_ns,
        source: ip.header().source_addr(),
        source_port: udp.source_port(),
        destination_port: udp.destination_port(),
        payload: udp.payload(),
    })
}

/// The datagram of a packet as nearly all are: Ethernet and IPv4 without anything between them, in one piece, with lengths
/// that agree. `None` for all others.
fn usual(link: Linktype, data: &[u8], time_ns: i64) -> Option<Datagram<'_>> {
    const IP: usize = 20;
    const UDP: usize = 8;
    let (ethernet, rest) = data.split_first_chunk::<{ Ethernet2Header::LEN }>()?;
    let (ip, rest) = rest.split_first_chunk::<IP>()?;
    let (&[s0, s1, d0, d1, n0, n1, ..], _) = rest.split_first_chunk::<UDP>()?;
    let &[0x45, _, t0, t1, _, _, f0, f1, _, 17, _, _, a, b, c, d, ..] = ip else { return None };
    let len = usize::from(u16::from_be_bytes([n0, n1]));
    // More fragments, or not the first one.
    let is_whole = u16::from_be_bytes([f0, f1]).trailing_zeros() >= 14;
    let is_long = usize::from(u16::from_be_bytes([t0, t1])) == len.plus(IP);
    let is_usual = link == Linktype::ETHERNET && ethernet.ends_with(&[8, 0]) && is_whole && is_long;
    Some(Datagram {
        time_ns,
        source: Ipv4Addr::new(a, b, c, d),
        source_port: u16::from_be_bytes([s0, s1]),
        destination_port: u16::from_be_bytes([d0, d1]),
        payload: rest.get(UDP..len).filter(|_| is_usual)?,
    })
}

/// Why a packet gives no datagram.
#[cold]
fn unread(link: Linktype, data: &[u8], sent: u32) -> Unread {
    if !link.is_known() {
        return Unread::Link(link.0);
    }
    let is_cut = usize::try_from(sent).is_ok_and(|sent| data.len() < sent);
    match slice(link, data) {
        Some((_, LaxSlicedPacket { net: Some(LaxNetSlice::Ipv4(ip)), transport, .. })) => {
            let is_udp = ip.header().protocol() == IpNumber::UDP;
            match transport {
                _ if is_udp && ip.header().is_fragmenting_payload() => Unread::Fragment,
                None | Some(TransportSlice::Udp(_)) if is_udp && is_cut => Unread::Cut(data.len()),
                _ => Unread::NoDatagram,
            }
        }
        Some((_, LaxSlicedPacket { net: Some(LaxNetSlice::Ipv6(_)), transport, .. })) => {
            let is_udp = matches!(transport, Some(TransportSlice::Udp(_)));
            if is_udp { Unread::Ipv6 } else { Unread::NoDatagram }
        }
        // Other protocols, such as ARP, are known even if cut.
        Some((_, LaxSlicedPacket { net: Some(_), .. })) => Unread::NoDatagram,
        _ if is_cut => Unread::Cut(data.len()),
        _ => Unread::NoDatagram,
    }
}
