//! Packets of captured files, and the test data outside the repository.

use std::{fs, path::Path};

use pcap_parser::{parse_pcap_frame, parse_pcap_header};
use velodyne_packet::{PACKET_LEN, POSITION_PACKET_LEN};

/// The payloads of a capture by what they are, in order.
#[derive(Debug, Default)]
pub(crate) struct Capture {
    /// Data packets, end to end.
    pub(crate) data: Vec<u8>,
    /// The host's time of each, nanoseconds.
    pub(crate) times: Vec<i64>,
    /// Position packets, end to end.
    pub(crate) position: Vec<u8>,
}

impl Capture {
    pub(crate) fn open(path: &Path) -> Self {
        Self::parse(&fs::read(path).unwrap())
    }

    /// Whole frames of UDP; what follows a damaged one is left out.
    pub(crate) fn parse(file: &[u8]) -> Self {
        let mut capture = Self::default();
        let Ok((mut rest, _)) = parse_pcap_header(file) else { return capture };
        while let Ok((after, frame)) = parse_pcap_frame(rest) {
            rest = after;
            let Ok(sliced) = etherparse::LaxSlicedPacket::from_ethernet(frame.data) else { continue };
            let Some(etherparse::TransportSlice::Udp(udp)) = sliced.transport else { continue };
            match udp.payload() {
                payload if payload.len() == PACKET_LEN => {
                    capture.data.extend_from_slice(payload);
                    let time = i64::from(frame.ts_sec) * 1_000_000_000 + i64::from(frame.ts_usec) * 1000;
                    capture.times.push(time);
                }
                payload if payload.len() == POSITION_PACKET_LEN => {
                    capture.position.extend_from_slice(payload);
                }
                _ => {}
            }
        }
        capture
    }
}
