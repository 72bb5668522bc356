//! The items at the root of every format crate, written once.

/// The readers of a format and the functions that open a file: the same items at the root of every format crate.
///
/// Expands, for a [`Recording`](crate::format::Recording), to `Reader`, `StreamReader`, `FileReader`, `Feeder`,
/// `Samples`, `Summary`, the types that these return, and `detect`, `open`, `open_with`, `survey`, `splits`,
/// `splits_with` and `samples_of`. The arguments after the format are the public path of the crate and a file in its
/// `examples` folder, both used in doc examples.
#[macro_export]
macro_rules! crate_root {
    ($format:ty, $path:path, $file:literal) => {
        $crate::__crate_root!($format, stringify!($path), concat!("examples/", $file));
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __crate_root {
    ($format:ty, $path:expr, $file:expr) => {
        pub use $crate::{
            Channel, Clock, Error, ErrorKind, Event, Finding, Index, Limits, OnDamage, Result, Sample,
            Severity, Split, Timestamp, Value,
        };

        /// Reads a recording in memory. It has the methods of [`robolog_core::Reader`]:
        /// [`new`](robolog_core::Reader::new), [`header`](robolog_core::Reader::header),
        /// [`records`](robolog_core::Reader::records), which [go on](robolog_core::Records::resync) after damage,
        /// [`raw_records`](robolog_core::Reader::raw_records) and [`index`](robolog_core::Reader::index).
        ///
        #[doc = concat!("```
# let file = std::fs::read(\"", $file, "\").unwrap();
let reader = ", $path, "::Reader::new(&file)?;
for record in reader.records() {
    println!(\"byte {}\", record?.offset());
}
# Ok::<(), ", $path, "::Error>(())
```")]
        pub type Reader<'a> = $crate::Reader<'a, $format>;
        /// Reads a recording from a stream. It has the methods of [`robolog_core::StreamReader`]:
        /// [`new`](robolog_core::StreamReader::new), [`header`](robolog_core::StreamReader::header),
        /// [`next_record`](robolog_core::StreamReader::next_record),
        /// [`next_event`](robolog_core::StreamReader::next_event) for records and damage,
        /// [`samples`](robolog_core::StreamReader::samples), [`survey`](robolog_core::StreamReader::survey) and, if
        /// the stream can, [`seek`](robolog_core::StreamReader::seek).
        ///
        #[doc = concat!("```
# let stream = std::fs::File::open(\"", $file, "\").unwrap();
let mut reader = ", $path, "::StreamReader::new(stream)?;
let mut records = 0;
while let Some(record) = reader.next_record()? {
    println!(\"byte {}\", record.offset());
    records += 1;
}
assert!(records > 0);
# Ok::<(), ", $path, "::Error>(())
```")]
        pub type StreamReader<R> = $crate::StreamReader<R, $format>;
        /// Reads a recording from bytes as they come. It has the methods of [`robolog_core::Feeder`]:
        /// [`push`](robolog_core::Feeder::push), [`next_event`](robolog_core::Feeder::next_event),
        /// [`end`](robolog_core::Feeder::end) and [`header`](robolog_core::Feeder::header).
        ///
        #[doc = concat!("```
# let file = std::fs::read(\"", $file, "\").unwrap();
let mut feeder = ", $path, "::Feeder::new();
feeder.push(&file)?;
feeder.end();
assert!(feeder.next_event()?.is_some());
# Ok::<(), ", $path, "::Error>(())
```")]
        pub type Feeder = $crate::Feeder<$format>;
        /// Reads a file, as [`open`] returns it: a [`StreamReader`], which has the methods.
        pub type FileReader = $crate::FileReader<$format>;
        /// What [`survey`] found. It has the fields and methods of [`robolog_core::Summary`]: `channels`,
        /// `findings`, `records`, `span`, `details`; [`is_ok`](robolog_core::Summary::is_ok) and
        /// [`rate_hz`](robolog_core::Summary::rate_hz).
        pub type Summary = $crate::Summary<$crate::format::DetailsOf<$format>>;
        /// Iterator over the samples of a recording, with an error in the place of damage: see
        /// [`robolog_core::Samples`].
        pub type Samples<R> = $crate::Samples<R, $format>;

        /// Whether a file that starts with these bytes is of this format.
        ///
        #[doc = concat!("```
# let file = std::fs::read(\"", $file, "\").unwrap();
assert!(", $path, "::detect(&file));
assert!(!", $path, "::detect(b\"PK\\x03\\x04\"));
```")]
        pub fn detect(start: &[u8]) -> bool {
            <$format as $crate::format::Format>::detect(start)
        }

        /// Opens the file at `path`. Returns an error if it cannot be read or is not of this format.
        ///
        /// Use [`samples`](robolog_core::StreamReader::samples) of the reader for the recorded values,
        /// [`next_event`](robolog_core::StreamReader::next_event) for its records and damage.
        ///
        #[doc = concat!("```
# let path = \"", $file, "\";
let mut channels = std::collections::BTreeMap::new();
for sample in ", $path, "::open(path)?.samples() {
    *channels.entry(sample?.channel).or_insert(0) += 1;
}
assert!(!channels.is_empty());
# Ok::<(), ", $path, "::Error>(())
```")]
        pub fn open(path: impl ::core::convert::AsRef<::std::path::Path>) -> Result<FileReader> {
            $crate::StreamReader::open(path)
        }

        /// Opens the file at `path`; `options` supply what its bytes leave open.
        ///
        #[doc = concat!("```
# let path = \"", $file, "\";
let options = ", $path, "::Options::default();
let samples = ", $path, "::open_with(path, &options)?.samples_with(options);
assert!(samples.flatten().count() > 0);
# Ok::<(), ", $path, "::Error>(())
```")]
        pub fn open_with(
            path: impl ::core::convert::AsRef<::std::path::Path>,
            options: &$crate::format::OptionsOf<$format>,
        ) -> Result<FileReader> {
            let mut reader = $crate::StreamReader::open(path)?;
            <$format as $crate::format::Recording>::apply_options(reader.header_mut(), options);
            Ok(reader)
        }

        /// Reads the file at `path` to its end, past any damage, and reports its contents and faults.
        ///
        #[doc = concat!("```
# let path = \"", $file, "\";
let summary = ", $path, "::survey(path)?;
for channel in &summary.channels {
    println!(\"{}: {} {}\", channel.name, channel.records, channel.kind);
}
for finding in &summary.findings {
    println!(\"{} at byte {}\", finding.message, finding.offset);
}
assert!(summary.is_ok());
# Ok::<(), ", $path, "::Error>(())
```")]
        pub fn survey(path: impl ::core::convert::AsRef<::std::path::Path>) -> Result<Summary> {
            open(path)?.survey()
        }

        /// Splits the file at `path` into parts of `target_bytes` or more that can be read independently. Reads all
        /// records, but decodes none: see [`robolog_core::Splits`].
        ///
        /// Returns an error if the file cannot be read or is not of this format.
        ///
        #[doc = concat!("```
# let path = \"", $file, "\";
let mut samples = 0;
for split in ", $path, "::splits(path, 64 << 20)? {
    // Each may be read by a thread or a machine of its own.
    samples += ", $path, "::samples_of(&split, ", $path, "::Options::default())?.count();
}
assert_eq!(samples, ", $path, "::open(path)?.samples().count());
# Ok::<(), ", $path, "::Error>(())
```")]
        pub fn splits(
            path: impl ::core::convert::AsRef<::std::path::Path>,
            target_bytes: u64,
        ) -> Result<::std::vec::Vec<Split>> {
            splits_with(path, target_bytes, &::core::default::Default::default())
        }

        /// Like [`splits`]; `options` supply what the bytes leave open.
        pub fn splits_with(
            path: impl ::core::convert::AsRef<::std::path::Path>,
            target_bytes: u64,
            options: &$crate::format::OptionsOf<$format>,
        ) -> Result<::std::vec::Vec<Split>> {
            $crate::splits::<$format>(path, target_bytes, options)
        }

        /// The samples of one of the [`splits`] of a file: see [`robolog_core::Split::samples`].
        pub fn samples_of(
            split: &Split,
            options: $crate::format::OptionsOf<$format>,
        ) -> Result<$crate::FileSamples<$format>> {
            split.samples::<$format>(options)
        }
    };
}
