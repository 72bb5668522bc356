//! Messages of Livox LiDARs about themselves: who they are.
//!
//! | SDK | message | after its head |
//! |---|---|---|
//! | 1 | broadcast: set 0, command 0 | broadcast code (16 characters), model (u8), 2 bytes |
//! | 1 | device info: set 0, command 2, as an answer | result (u8), firmware (4 bytes) |
//! | 2 | discovery: command 0, as an answer | result (u8), model (u8), serial number (16), address (4), port (u16) |
//! | 2 | state: command 0x102 | number of keys (u16), 2 bytes; then key (u16), length (u16) and value of each |

use lvx::{DeviceType, Model};
use robolog_core::layout::c_str;

/// What a LiDAR says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) model: Option<Model>,
    pub(crate) serial: Option<String>,
    pub(crate) firmware: Option<String>,
}

/// The first byte of each message.
const START: u8 = 0xaa;
/// Bytes before and behind the data of SDK 1, and before those of SDK 2.
const HEAD_1: usize = 9;
const TAIL_1: usize = 4;
const HEAD_2: usize = 24;
/// Keys of SDK 2.
const SERIAL: u16 = 0x8000;
const PRODUCT: u16 = 0x8001;
const FIRMWARE: u16 = 0x8002;

impl Identity {
    /// What a message says; `None` if it is not one, or says nothing of this.
    pub(crate) fn of(payload: &[u8]) -> Option<Self> {
        let identity = Self::of_sdk1(payload).or_else(|| Self::of_sdk2(payload))?;
        (identity != Self::default()).then_some(identity)
    }

    fn of_sdk1(payload: &[u8]) -> Option<Self> {
        let [START, 1, l0, l1, kind, ..] = *payload else { return None };
        if usize::from(u16::from_le_bytes([l0, l1])) != payload.len() {
            return None;
        }
        let end = payload.len().checked_sub(TAIL_1)?;
        match *payload.get(HEAD_1..end)? {
            [0, 0, ref data @ ..] => {
                let (code, rest) = data.split_first_chunk::<16>()?;
                let model = rest.first().and_then(|number| Model::of(DeviceType(*number)));
                Some(Self { model, serial: text(code), firmware: None })
            }
            [0, 2, 0, a, b, c, d, ..] if kind == 1 => {
                Some(Self { firmware: Some(dotted([a, b, c, d])), ..Self::default() })
            }
            _ => None,
        }
    }

    fn of_sdk2(payload: &[u8]) -> Option<Self> {
        let (head, data) = payload.split_first_chunk::<HEAD_2>()?;
        let [START, 0, l0, l1, _, _, _, _, c0, c1, kind, ..] = *head else { return None };
        if usize::from(u16::from_le_bytes([l0, l1])) != payload.len() {
            return None;
        }
        match (u16::from_le_bytes([c0, c1]), data) {
            (0, [0, number, rest @ ..]) if kind == 1 => {
                let (serial, _) = rest.split_first_chunk::<16>()?;
                let model = Model::of(DeviceType(*number));
                Some(Self { model, serial: text(serial), firmware: None })
            }
            (0x102, [n0, n1, _, _, rest @ ..]) => Some(Self::of_keys(u16::from_le_bytes([*n0, *n1]), rest)),
            _ => None,
        }
    }

    fn of_keys(count: u16, mut rest: &[u8]) -> Self {
        let mut identity = Self::default();
        for _ in 0..count {
            let [k0, k1, l0, l1, behind @ ..] = rest else { break };
            let len = usize::from(u16::from_le_bytes([*l0, *l1]));
            let Some((value, behind)) = behind.split_at_checked(len) else { break };
            match (u16::from_le_bytes([*k0, *k1]), value) {
                (SERIAL, serial) => identity.serial = text(serial),
                (PRODUCT, name) => identity.model = product(name),
                (FIRMWARE, [a, b, c, d]) => identity.firmware = Some(dotted([*a, *b, *c, *d])),
                _ => {}
            }
            rest = behind;
        }
        identity
    }

    /// Adds what another message says.
    pub(crate) fn join(&mut self, other: Self) {
        self.model = other.model.or(self.model);
        self.serial = other.serial.or(self.serial.take());
        self.firmware = other.firmware.or(self.firmware.take());
    }
}

/// The model that a description of the product begins with, such as `Mid-360`.
fn product(name: &[u8]) -> Option<Model> {
    let name = text(name)?.to_ascii_lowercase().replace('_', "-");
    let is_start = |model: &Model| name.starts_with(model.name());
    Model::ALL.into_iter().filter(is_start).max_by_key(|model| model.name().len())
}

/// Characters up to a NUL, if all can be shown.
fn text(bytes: &[u8]) -> Option<String> {
    let text = c_str(bytes);
    let is_plain = !text.is_empty() && text.iter().all(|byte| (b' '..=b'~').contains(byte));
    is_plain.then(|| String::from_utf8_lossy(text).into_owned())
}

fn dotted([a, b, c, d]: [u8; 4]) -> String {
    format!("{a}.{b}.{c}.{d}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broadcast_of_sdk_1_names_code_and_model() {
        let data = [&[0, 0][..], b"1PQDH7600100801\0", &[6, 0, 0]].concat();
        let message = [&[0xaa, 1, 34, 0, 2, 0, 0, 1, 2][..], &data, &[0; 4]].concat();
        let identity = Identity::of(&message).unwrap();
        assert_eq!(
            (identity.model, identity.serial.as_deref()),
            (Some(Model::Mid70), Some("1PQDH7600100801"))
        );
        assert_eq!(Identity::of(&message[..33]), None);
        let info = [&[0xaa, 1, 20, 0, 1, 0, 0, 1, 2, 0, 2, 0, 10, 3, 0, 1][..], &[0; 4]].concat();
        assert_eq!(Identity::of(&info).unwrap().firmware.as_deref(), Some("10.3.0.1"));
    }

    #[test]
    fn messages_of_sdk_2_name_model_serial_number_and_firmware() {
        let message = |command: u16, kind: u8, data: &[u8]| {
            let len = u16::try_from(24 + data.len()).unwrap().to_le_bytes();
            let command = command.to_le_bytes();
            let head = [0xaa, 0, len[0], len[1], 1, 0, 0, 0, command[0], command[1], kind];
            [&head[..], &[0; 13], data].concat()
        };
        let found = [&[0, 9][..], b"47MDL9T0020150\0\0", &[192, 168, 1, 150, 0, 0]].concat();
        let identity = Identity::of(&message(0, 1, &found)).unwrap();
        assert_eq!(
            (identity.model, identity.serial.as_deref()),
            (Some(Model::Mid360), Some("47MDL9T0020150"))
        );
        let mut keys = vec![3, 0, 0, 0, 0, 0x80, 4, 0];
        keys.extend(b"ABC1");
        keys.extend([2, 0x80, 4, 0, 13, 18, 1, 2, 1, 0x80, 4, 0]);
        keys.extend(b"HAP\0");
        let identity = Identity::of(&message(0x102, 0, &keys)).unwrap();
        let expected = (Some(Model::Hap), Some("ABC1"), Some("13.18.1.2"));
        assert_eq!((identity.model, identity.serial.as_deref(), identity.firmware.as_deref()), expected);
        for cut in 0..keys.len() {
            drop(Identity::of(&message(0x102, 0, &keys[..cut])));
        }
        assert_eq!(Identity::of(&message(0x101, 0, &keys)), None);
    }
}
