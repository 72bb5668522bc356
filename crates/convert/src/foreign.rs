//! Files that are not recordings, recognised by their first bytes, so that a message can name them.

use crate::Foreign;

/// Advice for files that conversions write.
const OUTPUT: Option<&str> = Some("robolog writes these and does not read them");
/// Advice for recordings with tools of their own.
const MCAP: Option<&str> =
    Some("robolog writes these and does not read them; `mcap info` shows what is in it");
const BAG: Option<&str> = Some("`mcap convert` makes an MCAP file of it, rosbags reads it in Python");

const GPSBABEL: Option<&str> = Some("gpsbabel makes GPX of it, which is read");

/// Offset, magic bytes, name and advice of each kind.
const KNOWN: [(usize, &[u8], &str, Option<&str>); 32] = [
    (0, b"\x89MCAP0\r\n", "MCAP file", MCAP),
    (0, b"#ROSBAG V", "ROS 1 bag", BAG),
    (0, b"SQLite format 3\0", "SQLite database, as ROS 2 bags are", BAG),
    (8, b".FIT", "Garmin FIT file", GPSBABEL),
    (0, b"RRF", "Rerun recording", Some("`rerun` opens it")),
    (0, b"LASF", "LAS point cloud", OUTPUT),
    (0, b"ASTM-E57", "E57 point cloud", OUTPUT),
    (0, b"# .PCD", "PCD point cloud", OUTPUT),
    (0, b"ply\n", "PLY point cloud", OUTPUT),
    (0, b"ply\r\n", "PLY point cloud", OUTPUT),
    (0, b"PAR1", "Parquet table", OUTPUT),
    (0, b"ARROW1", "Arrow file", OUTPUT),
    (0, b"\xff\xd8\xff", "JPEG image", None),
    (0, b"\x89PNG\r\n\x1a\n", "PNG image", None),
    (0, b"GIF8", "GIF image", None),
    (0, b"II*\0", "TIFF image", None),
    (0, b"MM\0*", "TIFF image", None),
    (0, b"%PDF-", "PDF document", None),
    (4, b"ftyp", "MP4 video", None),
    (0, b"RIFF", "video or sound in RIFF", None),
    (0, b"\x89HDF\r\n\x1a\n", "HDF5 file", None),
    (0, b"PK\x03\x04", "Zip archive", Some("extract it first")),
    (0, b"PK\x05\x06", "empty Zip archive", None),
    (0, b"7z\xbc\xaf\x27\x1c", "7-Zip archive", Some("extract it first")),
    (0, b"Rar!", "RAR archive", Some("extract it first")),
    (0, b"BZh", "file compressed by bzip2", Some("decompress it first: `bzip2 -dc FILE | robolog ... -`")),
    (0, b"\xfd7zXZ\0", "file compressed by xz", Some("decompress it first: `xz -dc FILE | robolog ... -`")),
    (
        0,
        b"\x28\xb5\x2f\xfd",
        "file compressed by zstd",
        Some("decompress it first: `zstd -dc FILE | robolog ... -`"),
    ),
    (
        0,
        b"version https://git-lfs.github.com/spec/v1",
        "pointer of Git LFS to a file",
        Some("`git lfs pull` downloads it"),
    ),
    (257, b"ustar", "tar archive", Some("extract it first")),
    (0, b"\x7fELF", "program", None),
    (0, b"MZ", "program for Windows", None),
];

/// Detects the kind of a file by its first bytes; `None` if it is unknown.
pub(crate) fn foreign(start: &[u8]) -> Option<Foreign> {
    let is = |at: usize, magic: &[u8]| start.get(at..).is_some_and(|rest| rest.starts_with(magic));
    if contains(start, b"<TrainingCenterDatabase") {
        return Some(Foreign { name: "Garmin TCX file", advice: GPSBABEL });
    }
    let (.., name, advice) = KNOWN.into_iter().find(|(at, magic, ..)| is(*at, magic))?;
    Some(Foreign { name, advice })
}

/// Whether XML has its root element near its start.
fn contains(start: &[u8], root: &[u8]) -> bool {
    let start = start.get(..1024).unwrap_or(start);
    start.trim_ascii_start().starts_with(b"<") && start.windows(root.len()).any(|window| window == root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_program_is_named() {
        let name = |start: &[u8]| foreign(start).map(|foreign| foreign.name);
        assert_eq!(name(b"\xff\xd8\xff\xe0\0\x10JFIF"), Some("JPEG image"));
        assert_eq!(name(b"\0\0\0\x20ftypisom"), Some("MP4 video"));
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n";
        assert_eq!(name(pointer), Some("pointer of Git LFS to a file"));
        assert_eq!(name(b"\x0e\x10\x43\x08\0\0\0\0.FIT"), Some("Garmin FIT file"));
        let tcx = b"<?xml version=\"1.0\"?>\n<TrainingCenterDatabase xmlns=\"x\">";
        assert_eq!(name(tcx), Some("Garmin TCX file"));
        assert_eq!(name(b"hello"), None);
        assert_eq!(name(b""), None);
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(name(&tar), Some("tar archive"));
    }
}
