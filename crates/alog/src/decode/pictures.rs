//! Reads the pictures that entries name, from the log's folder.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use robolog_core::{
    Encoding, Error, Image, Result,
    format::read_one_over,
    text::{Escaped, file_name},
};

use crate::RawText;

/// The folder of pictures, and their maximum size.
#[derive(Debug)]
pub(super) struct Pictures {
    folder: Option<Arc<Path>>,
    limit: usize,
    /// Number of path components of the last picture inside the folder; other pictures have the same.
    depth: usize,
}

/// A picture that an entry names.
#[derive(Debug, Clone, Copy)]
struct Named<'a> {
    number: &'a [u8],
    path: &'a [u8],
}

/// Maximum number of path components inside the folder: `MOOSLog_3_11_2008_____13_43_32/Images/ladybug_1.5-0.jpg` has
/// three.
const DEPTH: usize = 8;

impl Pictures {
    pub(super) fn new(folder: Option<Arc<Path>>, limit: usize) -> Self {
        Self { folder, limit, depth: 2 }
    }

    /// Passes each picture that `value` names to `take` with its camera, such as `ladybug/0` for `GrabType=ladybug` and
    /// `File0`.
    ///
    /// Returns an error for missing and invalid pictures, after all others are delivered; `at` is the offset of the
    /// entry.
    pub(super) fn read(
        &mut self,
        value: RawText<'_>,
        at: u64,
        take: &mut dyn FnMut(&str, Image) -> Result<()>,
    ) -> Result<()> {
        let kind = value.get("GrabType").map(|kind| file_name(&kind));
        let (mut named, mut missing) = (0_u64, 0_u64);
        let mut first = None;
        for picture in value.items().filter_map(|item| Named::of(item.key?, item.value)) {
            named += 1;
            match self.image(picture.path) {
                Ok(image) => {
                    let number = file_name(picture.number);
                    let camera =
                        kind.as_ref().map_or_else(|| number.clone(), |kind| format!("{kind}/{number}"));
                    take(&camera, image)?;
                }
                Err(why) => {
                    missing += 1;
                    first.get_or_insert_with(|| format!("{}: {why}", Escaped(name_of(picture.path))));
                }
            }
        }
        match first {
            Some(first) => {
                let found = format_args!("{missing} of {named} missing, {first}");
                let expected = "JPEG or PNG files in the log's folder";
                Err(Error::invalid("pictures", found, expected, at).within("alog"))
            }
            None => Ok(()),
        }
    }

    fn image(&mut self, path: &[u8]) -> io::Result<Image> {
        let file = self.open(path)?;
        let mut data = Vec::new();
        read_one_over(file, self.limit, &mut data)?;
        if data.len() > self.limit {
            return Err(io::Error::other(format!("more than {} bytes", self.limit)));
        }
        let encoding = match &*data {
            [0xff, 0xd8, 0xff, ..] => Encoding::Jpeg,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Encoding::Png,
            _ => return Err(io::Error::other("neither JPEG nor PNG")),
        };
        Ok(Image { width: 0, height: 0, encoding, data: data.into() })
    }

    fn open(&mut self, path: &[u8]) -> io::Result<File> {
        File::open(self.find(path).ok_or(io::ErrorKind::NotFound)?)
    }

    /// The file in the folder whose path is the end of `path`, a path on the logging machine.
    fn find(&mut self, path: &[u8]) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        let parts: Vec<&str> = std::str::from_utf8(path).ok()?.split(['/', '\\']).collect();
        let (depth, file) = [self.depth].into_iter().chain(1..=DEPTH).find_map(|depth| {
            let from = parts.len().checked_sub(depth)?;
            Some((depth, beneath(folder, parts.get(from..)?)?))
        })?;
        self.depth = depth;
        Some(file)
    }
}

impl<'a> Named<'a> {
    /// The picture of a key such as `File0`.
    fn of(key: &'a [u8], path: RawText<'a>) -> Option<Self> {
        let number = key.strip_prefix(b"File")?;
        let is_number = !number.is_empty() && number.len() <= 4 && number.iter().all(u8::is_ascii_digit);
        is_number.then(|| Self { number, path: path.trimmed() })
    }
}

/// The regular file with these components below a folder: none leads out of it, and links are not followed.
fn beneath(folder: &Path, parts: &[&str]) -> Option<PathBuf> {
    let is_plain = |part: &&str| !matches!(*part, "" | "." | "..") && !part.contains([':', '\0']);
    if !parts.iter().all(is_plain) {
        return None;
    }
    let mut path = folder.to_owned();
    for part in parts {
        path.push(part);
        if fs::symlink_metadata(&path).ok()?.is_symlink() {
            return None;
        }
    }
    path.is_file().then_some(path)
}

fn name_of(path: &[u8]) -> &[u8] {
    path.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or(path)
}
