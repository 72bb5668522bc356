//! Packets of capture files, and the test data outside the repository.

use std::{fs, path::Path};

use pcap_parser::{parse_pcap_frame, parse_pcap_header};
use velodyne_packet::{PACKET_LEN, POSITION_PACKET_LEN};

/// The payloads of a capture by type, in order.
#[derive(Debug, Default)]
pub(crate) struct Capture {
    /// Concatenated data packets.
    pub(crate) data: Vec<u8>,
    /// Host time of each data packet, nanoseconds.
    pub(crate) times: Vec<i64>,
    /// Concatenated position packets.
    pub(crate) position: Vec<u8>,
}

impl Capture {
    pub(crate) fn open(path: &Path) -> Self {
        Self::parse(&fs::read(path).unwrap())
    }

    /// Complete UDP frames; those after a damaged one are ignored.
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
