//! Binary messages between sentences whose length and checksum tell where they end: UBX and RTCM 3.

use robolog_core::slices::InRange as _;

/// What stands at the start of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// A message of this length with a right checksum.
    Whole(usize),
    /// The first bytes of a message, so many in all.
    Begun(usize),
    None,
}

/// The message at the start of `input`.
pub(super) fn message(input: &[u8]) -> Binary {
    let len = match input {
        [0xb5, 0x62, _, _, low, high, ..] => usize::from(u16::from_le_bytes([*low, *high])).plus(8),
        // Six bits that are 0, and ten of the length.
        [0xd3, high @ 0..=3, low, ..] => usize::from(u16::from_be_bytes([*high, *low])).plus(6),
        [0xb5, 0x62, ..] | [0xb5 | 0xd3] | [0xd3, 0..=3] => return Binary::Begun(8),
        _ => return Binary::None,
    };
    match input.get(..len) {
        Some([0xb5, 0x62, body @ .., a, b]) if fletcher(body) == [*a, *b] => Binary::Whole(len),
        Some(bytes @ [0xd3, ..]) if crc(bytes) == 0 => Binary::Whole(len),
        Some(_) => Binary::None,
        None => Binary::Begun(len),
    }
}

/// Checksum of UBX.
fn fletcher(body: &[u8]) -> [u8; 2] {
    body.iter().fold([0; 2], |[a, b], byte| {
        let a: u8 = byte.wrapping_add(a);
        [a, a.wrapping_add(b)]
    })
}

/// CRC-24Q of RTCM 3; 0 for a message with its own.
fn crc(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u32::from(*byte) << 16), |crc, _| {
            let crc = crc << 1;
            if crc & 0x100_0000 == 0 { crc } else { crc ^ 0x186_4cfb }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_where_their_checksums_are_right() {
        // ACK-ACK, from a receiver's answers.
        let ack = [0xb5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0f, 0x38];
        assert_eq!(message(&ack), Binary::Whole(10));
        assert_eq!(message(&[&ack[..], b"$GP"].concat()), Binary::Whole(10));
        assert_eq!((message(&ack[..9]), message(&ack[..1])), (Binary::Begun(10), Binary::Begun(8)));
        let mut bad = ack;
        bad[7] ^= 1;
        assert_eq!(message(&bad), Binary::None);
        // RTCM 3, message 1005, as printed in the standard.
        let station = [
            0xd3, 0x00, 0x13, 0x3e, 0xd7, 0xd3, 0x02, 0x02, 0x98, 0x0e, 0xde, 0xef, 0x34, 0xb4, 0xbd, 0x62,
            0xac, 0x09, 0x41, 0x98, 0x6f, 0x33, 0x36, 0x0b, 0x98,
        ];
        assert_eq!(message(&station), Binary::Whole(25));
        assert_eq!(message(b"\xb5x"), Binary::None);
    }
}
