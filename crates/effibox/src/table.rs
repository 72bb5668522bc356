//! The tables of the Institut Pascal data sets: blank-separated columns, one row a line.
//!
//! All of them are one format, [`Table`], whose [`Record`] is a line. Their columns depend on the [`TableKind`], which
//! is found from the file's name, a line of column names, or rows that are unlike others. No byte is lost: invalid
//! lines are records too, and the error of [`Record::row`] gives the column.
//!
//! [`splits`] returns parts of a table that can be read independently and together give the same samples. They begin at
//! any row; a scan is one split.
//!
//! # Read
//! ```
//! use effibox::table::{Reader, Row, TableKind};
//!
//! let file = b"476121 660168.799340458 2084722.75496854 460.600012207031 0.798665417515059 \
//!     0.0542784685555518 460.600012207031 8 32322 2 0.980000019073486 -1\n";
//! let reader = Reader::new(file)?;
//! assert_eq!(reader.header().kind, TableKind::Gga);
//! for line in reader.records() {
//!     let Some(Row::Gga(row)) = line?.row()? else { continue };
//!     assert_eq!(format!("{:.8} {:.9}", row.latitude_deg(), row.longitude_deg()), "45.76015767 3.109927167");
//!     assert_eq!(row.age(), None);
//! }
//! # Ok::<(), effibox::Error>(())
//! ```
//! A table takes its kind from its name if its rows do not show it:
//! ```
//! use effibox::table::{Reader, Row, TableKind};
//!
//! let mut reader = Reader::new(b"20012 0.01 313\n40011 0.0101 317\n")?;
//! reader.header_mut().kind = TableKind::from_file_name("Bus_InterfaceCan_can0_Steering.txt").unwrap();
//! let Row::Steering(row) = reader.records().last().unwrap()?.row()?.unwrap() else { panic!() };
//! assert_eq!((row.rtime, row.raw_angle), (40_011, 317));
//! # Ok::<(), effibox::Error>(())
//! ```
//!
//! # Write
//! Rows are written as the logger prints them; [`Copier`] copies lines unchanged.
//! ```
//! use effibox::table::{Steering, TableRow};
//!
//! let mut line = Vec::new();
//! Steering { rtime: 20_012, angle: 0.01, raw_angle: 313 }.write(&mut line);
//! assert_eq!(line, b"20012 0.01 313");
//! # Ok::<(), effibox::Error>(())
//! ```
//!
//! # Time
//! `Rtime` counts microseconds since the start of the acquisition, on a clock of its own. [`Header::start`] converts it
//! to unix time, if the caller knows that start: no file of the data sets holds it. [`UtcReading`] and the survey
//! interpret the times of day in `_GGA_all.txt`.

mod details;
mod edit;
mod header;
mod kind;
mod layout;
mod payload;
mod record;
mod sample;
#[cfg(feature = "serde")]
mod serialize;
mod split;
mod survey;
mod utc;
mod writer;

use std::path::Path;

use robolog_core::{
    format::{Extent, Format, RawRecord, Recording, Search, Step},
    slices::InRange as _,
};

pub use self::{
    details::{Details, GgaDetails, GsvDetails, Interface, ScanDetails},
    header::{Header, KindFrom},
    kind::TableKind,
    layout::{
        Acc, CameraDate, DeadReckoned, Direction, Epoch, Epochs, Gga, Gsv, Gyro, Impact, Motor, NmeaDate,
        NtpUpdate, RangeDate, Row, Slot, Steering, TableRow, Wheels, constellation,
    },
    record::{LineKind, Record},
    sample::{Decoder, Options},
    utc::{Detector, UtcReading},
    writer::{Copier, Writer},
};
pub(crate) use self::{kind::table_suffix, sample::laser_scan, survey::widen};

/// The format: an empty type, for [`robolog_core::Reader`] and the like.
#[derive(Debug, Clone, Copy)]
pub enum Table {}

robolog_core::crate_root!(
    Table,
    effibox::table,
    "dataset/Bus_InterfaceGps__dev_ttyACM0/Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt"
);

impl Format for Table {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "effibox";

    fn detect(start: &[u8]) -> bool {
        header::detect(start)
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Ok(Header::parse(input, eof))
    }

    /// Most tables are columns of bare numbers: their names identify them.
    fn apply_name(header: &mut Header, path: &Path) {
        header.set_path(&path.to_string_lossy());
    }

    fn measure(_: &Header, input: &[u8], _: u64, eof: bool) -> Result<Extent> {
        Ok(match memchr::memchr(b'\n', input) {
            Some(end) => Extent::Whole(end.plus(1)),
            None if eof && !input.is_empty() => Extent::Whole(input.len()),
            // Twice as much, so that the search does not restart for every few bytes.
            None => Extent::Need(input.len().max(1)),
        })
    }

    #[inline]
    fn record<'a>(header: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(header, raw))
    }

    /// The next line. Only a limit makes a table damaged.
    fn resync(_: &Header, input: &[u8], _: u64, _: bool) -> Search {
        Search::next_line(input)
    }
}

impl Recording for Table {
    type Decoder = Decoder;
    type Copier<W: std::io::Write + std::io::Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["txt", "dates"];

    fn apply_options(header: &mut Header, options: &Options) {
        if let Some(kind) = options.kind {
            header.kind = kind;
            header.kind_from = KindFrom::Name;
        }
    }
}
