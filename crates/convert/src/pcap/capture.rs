//! UDP datagrams of a capture file.

use std::net::Ipv4Addr;

use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

use crate::{Error, Result, source::Stream};

/// A UDP datagram over IPv4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// When it was captured, nanoseconds of unix time.
    pub time_ns: i64,
    /// Who sent it.
    pub source: Ipv4Addr,
    /// From which port.
    pub source_port: u16,
    /// To which port.
    pub destination_port: u16,
    /// What it holds.
    pub payload: &'a [u8],
}

/// The largest packet that a capture is allowed to hold; capture tools stop at 256 KiB.
const LARGEST: usize = 1 << 20;

/// Shows `visit` every UDP datagram of a pcap or pcapng file. Returns whether the file ends inside a packet. Packets
/// of other kinds, fragments, and what cannot be parsed are passed over.
pub fn datagrams(stream: Stream, visit: &mut dyn FnMut(&Datagram<'_>) -> Result<()>) -> Result<bool> {
    let mut reader = create_reader(LARGEST, stream).map_err(|e| capture_error(&e))?;
    let mut legacy = (Linktype::ETHERNET, 1_000_u32);
    let mut interfaces: Vec<(Linktype, u64, i64)> = Vec::new();
    loop {
        match reader.next() {
            Ok((len, block)) => {
                match &block {
                    PcapBlockOwned::LegacyHeader(header) => {
                        legacy = (header.network, if header.is_nanosecond_precision() { 1 } else { 1_000 });
                    }
                    PcapBlockOwned::Legacy(packet) => {
                        let fraction = i64::from(packet.ts_usec).saturating_mul(legacy.1.into());
                        let time_ns =
                            i64::from(packet.ts_sec).saturating_mul(1_000_000_000).saturating_add(fraction);
                        parse(legacy.0, packet.data, time_ns, visit)?;
                    }
                    PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
                    PcapBlockOwned::NG(Block::InterfaceDescription(i)) => {
                        interfaces.push((i.linktype, i.ts_resolution().unwrap_or(1_000_000), i.ts_offset()));
                    }
                    PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                        let interface = usize::try_from(packet.if_id).ok().and_then(|i| interfaces.get(i));
                        if let Some((link, units, offset)) = interface {
                            let stamp = (u64::from(packet.ts_high) << 32) | u64::from(packet.ts_low);
                            let data = usize::try_from(packet.caplen).ok().and_then(|n| packet.data.get(..n));
                            parse(*link, data.unwrap_or(packet.data), nanos(stamp, *units, *offset), visit)?;
                        }
                    }
                    PcapBlockOwned::NG(_) => {}
                }
                reader.consume(len);
            }
            Err(PcapError::Eof) => return Ok(false),
            Err(PcapError::Incomplete(_)) => {
                if reader.reader_exhausted() {
                    return Ok(true);
                }
                reader.refill().map_err(|e| capture_error(&e))?;
            }
            Err(PcapError::UnexpectedEof) => return Ok(true),
            Err(e) => return Err(capture_error(&e)),
        }
    }
}

/// A stamp in `units` a second as nanoseconds.
fn nanos(stamp: u64, units: u64, offset: i64) -> i64 {
    let units = u128::from(units.max(1));
    let ns = u128::from(stamp).saturating_mul(1_000_000_000).checked_div(units).unwrap_or_default();
    i64::try_from(ns).unwrap_or(i64::MAX).saturating_add(offset.saturating_mul(1_000_000_000))
}

fn parse(
    link: Linktype,
    data: &[u8],
    time_ns: i64,
    visit: &mut dyn FnMut(&Datagram<'_>) -> Result<()>,
) -> Result<()> {
    let sliced = match link {
        Linktype::ETHERNET => SlicedPacket::from_ethernet(data).ok(),
        Linktype::LINUX_SLL => SlicedPacket::from_linux_sll(data).ok(),
        Linktype::RAW | Linktype::IPV4 => SlicedPacket::from_ip(data).ok(),
        // Four bytes that say which protocol follows.
        Linktype::NULL | Linktype::LOOP => data.get(4..).and_then(|ip| SlicedPacket::from_ip(ip).ok()),
        _ => None,
    };
    let Some(SlicedPacket {
        net: Some(NetSlice::Ipv4(ip)), transport: Some(TransportSlice::Udp(udp)), ..
    }) = sliced
    else {
        return Ok(());
    };
    visit(&Datagram {
        time_ns,
        source: ip.header().source_addr(),
        source_port: udp.source_port(),
        destination_port: udp.destination_port(),
        payload: udp.payload(),
    })
}

fn capture_error<I: std::fmt::Debug>(error: &PcapError<I>) -> Error {
    Error::Target(match error {
        PcapError::Eof => "the capture is empty".into(),
        PcapError::BufferTooSmall => format!("the capture claims a packet of over {LARGEST} bytes"),
        PcapError::ReadError => "the capture cannot be read".into(),
        error => format!("the capture is damaged: {error:?}"),
    })
}
