//! Headers of fixed length.

use robolog_core::{slices::InRange as _, text::Escaped};

use crate::devices::Devices;

/// Bytes reserved in the header for device names.
const NAMES: usize = 960;

/// Comment lines naming the devices, padded with blanks to [`NAMES`] bytes because names are known only at the end.
/// Each line begins with `prefix`. Lines have at most 1023 bytes, the limit of PLY readers.
pub(crate) fn device_names(prefix: &str, devices: &Devices) -> String {
    let mut lines = String::new();
    let room = NAMES.minus(prefix.len()).minus(1);
    for (number, name) in devices.list() {
        let line = format!("{prefix} device {number}: {}\n", Escaped(name.as_bytes()));
        if lines.len() + line.len() > room {
            break;
        }
        lines.push_str(&line);
    }
    let blanks = room.minus(lines.len());
    format!("{lines}{prefix}{}\n", " ".repeat(blanks))
}

/// A header of fixed length for a count known only at the end: `header` gets the count and a padding that shrinks as
/// the count grows.
pub(crate) fn padded(points: u64, header: impl Fn(u64, &str) -> String) -> String {
    let len = |points| header(points, "").len();
    let filling = len(u64::MAX).minus(len(points));
    header(points, &" ".repeat(filling))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_fill_the_same_room() {
        let mut devices = Devices::default();
        let empty = device_names("#", &devices);
        assert_eq!(empty.len(), NAMES);
        for n in 0..100 {
            assert_eq!(devices.number(&format!("lidar {n}\n").as_str().into()), Some(n + 1));
        }
        assert_eq!(devices.number(&"lidar 7\n".into()), Some(8));
        let names = device_names("#", &devices);
        assert!(names.starts_with("# device 1: lidar 0") && names.contains("\n# device 2: "), "{names}");
        assert_eq!(names.len(), NAMES);
        assert!(names.lines().all(|line| line.starts_with('#') && line.len() < 1024));
    }

    #[test]
    fn padded_headers_keep_their_length() {
        let header = |points: u64, filling: &str| format!("comment{filling}\nelement vertex {points}\n");
        let lens: Vec<_> = [0, 9, 10, u64::MAX].map(|n| padded(n, header).len()).to_vec();
        assert!(lens.iter().all(|l| *l == lens[0]));
        assert_eq!(padded(u64::MAX, header), header(u64::MAX, ""));
    }
}
