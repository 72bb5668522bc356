//! A whole data set: its interfaces, samples in order of time, cuts, and the constants its files obey.
//!
//! ```text
//! run/
//!   Bus_InterfaceCamera_2672909685359666/
//!     Bus_InterfaceCamera_2672909685359666.dates             when each image was received
//!     Bus_InterfaceCamera_2672909685359666-0000000001.pgm    the first of them
//!   Bus_InterfaceRangefinder_172_27_30_21_2112/
//!     Bus_InterfaceRangefinder_172_27_30_21_2112.dates
//!     Bus_InterfaceRangefinder_172_27_30_21_2112-1-0.txt     scan 1, layer 0
//!   Bus_InterfaceGps__dev_ttyACM0/      _GGA_all.txt _GSV.txt _GPX.gpx .txt .dates
//!   Bus_InterfaceCan_can0/              _Motor.txt _Steering.txt _Wheels.txt _Acc.txt _Gyro.txt ...
//! ```
//!
//! [`Dataset::open`] takes the tree, one folder of it, or either in a `.tar`, `.tar.gz` or `.zip`, without unpacking to
//! disk. It lists the files once and uses a few hundred bytes for each interface, however many images and scans it has,
//! and for an archive also the list of members. Links are not followed, and names that would leave the folder are not
//! read.
//!
//! A `.tar.gz` can only be read from its start: opening expands it once, a visit or a copy once more, and reading a
//! single table expands everything before it. Its samples come in the order of the archive.
//!
//! ```
//! use effibox::dataset::{Dataset, Event, Fault, Options};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! # std::fs::write(path.join("Bus_InterfaceCan_can0_Steering.txt"), "20012 0.01 313\n40011 x 317\n60010 0 0\n")?;
//! let dataset = Dataset::open(path)?;
//! assert_eq!(dataset.interfaces()[0].id, "Bus_InterfaceCan_can0");
//! let (mut samples, mut faults) = (0, Vec::new());
//! dataset.visit::<Fault>(&Options::default(), &mut |event| {
//!     match event {
//!         Event::Sample(_) => samples += 1,
//!         Event::Fault(fault) => faults.push(fault),
//!     }
//!     Ok(())
//! })?;
//! assert_eq!(samples, 2);
//! assert_eq!((faults[0].line(), faults[0].column()), (2, Some(7)));
//! # Ok(())
//! # }
//! ```

#![allow(
    clippy::arithmetic_side_effects,
    reason = "files and rows that were read are counted; what files say is checked where it is met"
)]

#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod archive;
mod cut;
mod epoch;
mod event;
mod fault;
mod feed;
mod inertial;
mod interface;
mod lister;
mod listing;
mod merge;
mod name;
mod numbered;
mod pack;
mod recording;
mod recover;
mod samples;
mod sentence_cut;
mod sentences;
mod series;
mod source;
mod span;
mod storage;
mod survey;
mod sweep;
mod verify;
mod visit;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    io::{self, Read},
    path::Path,
};

use robolog_core::format::Format as _;

pub use self::{
    cut::Copied,
    epoch::{Epoch, EpochFrom},
    event::{Event, Options},
    fault::{Fault, Result},
    interface::{Address, Interface, InterfaceKind, TableFile},
    lister::Skipped,
    pack::Packing,
    recover::{Loss, Recovered},
    samples::Samples,
    series::Series,
    source::Rows,
    span::Span,
    survey::{Details, InterfaceDetails},
    verify::{Poses, Verification},
};
use self::{
    lister::Lister as _,
    listing::{LOOKS, Listing, NAMES},
    name::{Role, role},
    storage::Storage,
};
use crate::table::{Table, TableKind, TableRow};

/// An open data set: see the [module](self).
///
/// ```
/// use effibox::table::{Motor, TableKind};
/// let dataset = effibox::open("examples/dataset")?;
/// let tables = dataset.interfaces().iter().flat_map(|interface| &interface.tables);
/// for table in tables.filter(|table| table.kind == TableKind::Motor) {
///     let rows = dataset.rows::<Motor>(table)?;
///     assert_eq!(rows.flatten().count(), 150);
/// }
/// # Ok::<(), effibox::dataset::Fault>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    storage: Storage,
    interfaces: Vec<Interface>,
    others: u64,
    skipped: Vec<Skipped>,
    skipped_count: u64,
    /// Files and interfaces that the lists in a recovered data set name.
    left_out: HashSet<String>,
    limits: Limits,
}

/// Limits on archives, whatever they claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of members; each takes about a hundred bytes of memory.
    pub members: u64,
    /// Maximum bytes of an expanded member.
    pub member_bytes: u64,
    /// Maximum bytes of an expanded archive.
    pub total_bytes: u64,
    /// Maximum bytes of an image or a scan, which are read whole.
    pub file_bytes: usize,
}

impl Default for Limits {
    /// Sized for real data sets: 4 million members, 64 GiB in one and 4 TiB in all, images of 256 MiB.
    fn default() -> Self {
        Self { members: 4 << 20, member_bytes: 64 << 30, total_bytes: 4 << 40, file_bytes: 256 << 20 }
    }
}

/// Bytes read of each file whose kind is asked for.
const LOOK: u64 = 64 << 10;
/// Maximum bytes of a list of missing files.
const LIST: u64 = 64 << 20;

impl Dataset {
    /// Opens a folder or an archive and lists its files.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::with_limits(path, Limits::default())
    }

    /// Opens a folder or an archive with other limits.
    pub fn with_limits(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let mut listing = Listing::default();
        let storage = Storage::open(path.as_ref(), &limits, &mut listing)?;
        let Listing { mut interfaces, unknown, others, skipped, skipped_count, left_out } = listing;
        let lists = left_out;
        let (interfaces_of, left_out) = (Vec::new(), HashSet::new());
        let mut dataset =
            Self { storage, interfaces: interfaces_of, others, skipped, skipped_count, left_out, limits };
        dataset.left_out = dataset.named(&lists)?;
        let dates = interfaces.values().flat_map(|i| &i.tables).filter(|t| t.kind == TableKind::Unknown);
        let asked = dates.map(|t| &t.path).chain(unknown.iter().map(|(path, _)| path)).take(LOOKS);
        let kinds = dataset.look(&asked.cloned().collect())?;
        let kind = |path: &str| kinds.get(path).copied().unwrap_or_default();
        for (path, bytes) in unknown {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let (id, _) = role(name);
            if kind(&path) == TableKind::Unknown {
                dataset.others += 1;
                continue;
            }
            let key = (folder.to_owned(), id.to_owned());
            let interface = interfaces.entry(key).or_insert_with(|| Interface::new(folder, id));
            interface.add(&path, Role::Table(kind(&path)), bytes);
        }
        dataset.expect_left_out(&mut interfaces);
        let mut places: BTreeSet<(String, String)> = interfaces.keys().cloned().collect();
        places.extend(dataset.missing().filter_map(interface_of));
        let mut names: HashMap<String, usize> = HashMap::new();
        for (_, id) in places {
            *names.entry(id).or_default() += 1;
        }
        for interface in interfaces.values_mut() {
            for table in interface.tables.iter_mut().filter(|t| t.kind == TableKind::Unknown) {
                table.kind = kind(&table.path);
            }
            interface.settle();
        }
        for interface in interfaces.values_mut() {
            if names.get(&interface.id).is_some_and(|count| *count > 1) && !interface.folder.is_empty() {
                interface.label = format!("{}/{}", interface.folder, interface.id);
            }
        }
        dataset.interfaces = interfaces.into_values().collect();
        dataset.check_others()?;
        tracing::debug!(interfaces = dataset.interfaces.len(), "data set listed");
        Ok(dataset)
    }

    /// Reads the members of a zip archive that no interface reads, for their checksums.
    fn check_others(&mut self) -> Result<()> {
        let Some(mut budget) = self.storage.budget_for_checksums() else { return Ok(()) };
        let used: HashSet<&str> = self.tables().map(|(_, table)| &*table.path).collect();
        let is_other = |path: &str| match role(path.rsplit_once('/').map_or(path, |(_, name)| name)).1 {
            Role::Other | Role::Video => true,
            Role::Text => !used.contains(path),
            _ => false,
        };
        let mut found = Listing::default();
        self.storage.walk(&mut |path, _| is_other(path), &mut |path, bytes| {
            match io::copy(&mut bytes.take(budget), &mut io::sink()) {
                Err(error) if robolog_core::format::is_of_machine(&error) => {
                    return Err(Fault::io(path, error));
                }
                Err(_) => found.damaged(path, "its bytes do not have its size and checksum"),
                Ok(len) => {
                    budget -= len;
                    if budget == 0 {
                        found.skipped(path, "its checksum is not compared, as the archive expands too much");
                    }
                }
            }
            Ok(())
        })?;
        self.skipped_count += found.skipped_count;
        self.skipped.extend(found.skipped);
        self.skipped.truncate(NAMES);
        Ok(())
    }

    /// The interfaces, by folder and name.
    pub fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }

    /// Number of files of no interface. [`copy`](Self::copy) copies them.
    pub fn other_files(&self) -> u64 {
        self.others
    }

    /// Entries that are not read: links, invalid names, damaged members. At most 256 are kept.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Whether a list in it says what was lost when it was [recovered](Self::recover).
    pub fn is_recovered(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Whether samples can be read in order of time, as they can except from a `.tar.gz`.
    pub fn is_random(&self) -> bool {
        self.storage.is_random()
    }

    /// The rows of a table, in file order. Returns an error if the file does not exist; an invalid row is an error with
    /// its line, and the next row follows.
    pub fn rows<T: TableRow>(&self, table: &TableFile) -> Result<Rows<T>> {
        source::Lines::open(&self.storage, &table.path, table.kind).map(Rows::new)
    }

    /// All tables with their interfaces.
    fn tables(&self) -> impl Iterator<Item = (&Interface, &TableFile)> {
        self.interfaces.iter().flat_map(|i| i.tables.iter().map(move |t| (i, t)))
    }

    /// The paths in these lists of a recovered data set.
    fn named(&self, lists: &HashSet<String>) -> Result<HashSet<String>> {
        let mut named = HashSet::new();
        self.starts(lists, LIST, &mut |path, text| {
            let folder = path.rsplit_once('/').map(|(folder, _)| folder);
            for line in text.split(|b| *b == b'\n') {
                let Some((path, _)) = robolog_core::slices::split_once(line, b':') else { continue };
                let path = String::from_utf8_lossy(path).into_owned();
                named.extend(folder.map(|folder| format!("{folder}/{path}")));
                named.insert(path);
            }
        })?;
        Ok(named)
    }

    /// Files that are known by name alone: those that a list names, and damaged members of an archive. A recovered copy
    /// is read as the damaged archive is.
    fn missing(&self) -> impl Iterator<Item = &str> {
        let damaged = self.skipped.iter().filter(|skipped| skipped.is_damage);
        self.left_out.iter().map(String::as_str).chain(damaged.map(|skipped| &*skipped.path))
    }

    /// Adds images and scans of which all are missing: the rows of `.dates` are theirs.
    fn expect_left_out(&self, interfaces: &mut BTreeMap<(String, String), Interface>) {
        let mut missing: BTreeMap<(String, String), Interface> = BTreeMap::new();
        for path in self.missing() {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (id, role) = role(name);
            let key = (folder.to_owned(), id.to_owned());
            if matches!(role, Role::Image { .. } | Role::Scan { .. }) && interfaces.contains_key(&key) {
                missing.entry(key).or_insert_with(|| Interface::new(folder, id)).add(path, role, 0);
            }
        }
        for (key, Interface { images, scans, .. }) in missing {
            let Some(interface) = interfaces.get_mut(&key) else { continue };
            let none = |mut series: Series| {
                series.files = 0;
                series
            };
            interface.images = interface.images.take().or(images.map(none));
            interface.scans = interface.scans.take().or(scans.map(none));
        }
    }

    /// Kinds of tables that their names do not give.
    fn look(&self, paths: &HashSet<String>) -> Result<HashMap<String, TableKind>> {
        let mut kinds = HashMap::new();
        self.starts(paths, LOOK, &mut |path, start| {
            let is_dates = Path::new(path).extension().is_some_and(|e| e == "dates");
            kinds.insert(path.to_owned(), kind(&start, is_dates));
        })?;
        Ok(kinds)
    }

    /// Passes the first `len` bytes of each of these files to `show`: in one pass over an archive without an index.
    fn starts(&self, paths: &HashSet<String>, len: u64, show: &mut dyn FnMut(&str, Vec<u8>)) -> Result<()> {
        let mut add = |path: &str, stream: &mut dyn Read| {
            let mut start = Vec::new();
            if let Err(e) = stream.take(len).read_to_end(&mut start) {
                Fault::io(path, e).of_machine()?;
                // Reading the file reports the fault. The last line is torn.
                start.truncate(memchr::memrchr(b'\n', &start).map_or(0, |end| end + 1));
            }
            show(path, start);
            Ok(())
        };
        if !paths.is_empty() && !self.is_random() {
            return self.storage.walk(&mut |path, _| paths.contains(path), &mut add);
        }
        for path in paths {
            match self.storage.stream(path) {
                Ok(Some(mut stream)) => add(path, &mut stream)?,
                Ok(None) => {}
                Err(fault) => fault.of_machine()?,
            }
        }
        Ok(())
    }
}

/// The folder and the name of the interface of a file; `None` for other files.
fn interface_of(path: &str) -> Option<(String, String)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (id, role) = role(name);
    (!matches!(role, Role::Other | Role::Text)).then(|| (folder.to_owned(), id.to_owned()))
}

/// The kind of a table by its first bytes.
fn kind(start: &[u8], is_dates: bool) -> TableKind {
    if !is_dates && !Table::detect(start) {
        return TableKind::Unknown;
    }
    match Table::header(start, true) {
        Ok(robolog_core::format::Step::Ready(header, _)) if header.kind.is_dates() || !is_dates => {
            header.kind
        }
        _ => TableKind::Unknown,
    }
}
