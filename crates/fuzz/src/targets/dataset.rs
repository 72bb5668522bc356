//! Data sets in folders.

use std::{fs, path::Path};

use effibox::dataset::{Dataset, Fault, Options, Span};

use crate::memory;

/// Names of files, some of them of the same interface.
const NAMES: [&str; 20] = [
    "Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Motor.txt",
    "Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Steering.txt",
    "Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Wheels.txt",
    "Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Acc.txt",
    "Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Gyro.txt",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a_GGA_all.txt",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a_GSV.txt",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a_GPX.gpx",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a_KML.kml",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a.txt",
    "Bus_InterfaceGps_a/Bus_InterfaceGps_a.dates",
    "Bus_InterfaceCamera_1/Bus_InterfaceCamera_1.dates",
    "Bus_InterfaceCamera_1/Bus_InterfaceCamera_1-0.pgm",
    "Bus_InterfaceCamera_1/Bus_InterfaceCamera_1-00000001.ppm",
    "Bus_InterfaceRangefinder_b/Bus_InterfaceRangefinder_b.dates",
    "Bus_InterfaceRangefinder_b/Bus_InterfaceRangefinder_b-1-0.txt",
    "Bus_InterfaceRangefinder_b/Bus_InterfaceRangefinder_b-2-0.txt",
    "ntpupdate.txt",
    "unnamed.txt",
    "notes",
];
/// Bytes at the end of an input that determine its division into files.
const CONTROL: usize = 7;

/// Up to four files with pieces of the input.
pub(super) fn dataset(data: &[u8]) {
    let Some((content, [how_many, names @ .., cut, _])) = data.split_last_chunk::<CONTROL>() else { return };
    let files = usize::from(how_many % 4) + 1;
    // Often one file takes the whole input.
    let piece = if cut % 2 == 0 { content.len() } else { content.len().div_ceil(files) };
    let folder = memory::folder();
    let set = folder.path().join("set");
    for (number, name) in names.iter().take(files).enumerate() {
        let path = set.join(NAMES[usize::from(*name) % NAMES.len()]);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let start = (number * piece).min(content.len());
        fs::write(path, &content[start..(start + piece).min(content.len())]).unwrap();
    }
    let Ok(dataset) = Dataset::open(&set) else { return };
    look(&dataset, folder.path());
}

/// Every query of a data set; if a survey finds no damage, there is none.
pub(super) fn look(dataset: &Dataset, folder: &Path) {
    let (mut samples, mut faults) = (0_u64, 0_u64);
    let outcome = dataset.visit::<Fault>(&Options::default().with_mounts(), &mut |event| {
        match event {
            effibox::dataset::Event::Sample(_) => samples += 1,
            effibox::dataset::Event::Fault(_) => faults += 1,
        }
        Ok(())
    });
    let summary = dataset.survey();
    if outcome.is_ok() && dataset.is_random() {
        let counted: u64 = summary.channels.iter().map(|channel| channel.records).sum();
        assert_eq!(counted, samples, "counted, and delivered");
        assert_eq!(summary.is_ok(), faults == 0, "{faults} faults, and found {:?}", summary.findings);
    }
    let _ = (dataset.verify(), dataset.epoch());
    let copy = folder.join("copy");
    if dataset.copy(&copy, Span { from: None, to: None }).is_ok() {
        drop(Dataset::open(&copy).unwrap().survey());
    }
    let part = folder.join("part");
    drop(dataset.copy(&part, Span { from: Some(200_000), to: Some(2_000_000) }));
}
