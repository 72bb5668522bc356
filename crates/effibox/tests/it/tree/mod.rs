//! A small data set laid by hand, as a folder and in archives.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
};

use effibox::dataset::{Dataset, Event, Fault, Options};
use robolog_core::Sample;

pub(crate) const CAMERA: &str = "Bus_InterfaceCamera_2672909685359666";
pub(crate) const RANGE: &str = "Bus_InterfaceRangefinder_172_27_30_21_2112";
pub(crate) const GPS: &str = "Bus_InterfaceGps__dev_ttyACM0";
pub(crate) const CAN: &str = "Bus_InterfaceCan_can0";

const GGA: &str = "\
476121 660168.799340458 2084722.75496854 460.600012207031 0.798665417515059 0.0542784685555518 460.600012207031 8 32322 2 0.980000019073486 -1
1475353 660168.786374253 2084722.75484107 460.600012207031 0.798665417515059 0.0542784656466697 460.600012207031 8 32323 2 0.980000019073486 -1
2473341 660168.786191338 2084722.77336542 460.699987792969 0.798665420423941 0.0542784656466697 460.699987792969 8 32324 2 1.25 -1
";
const NMEA: &str = "\
$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r
$GPGGA,085843.00,4545.60946,N,00306.59562,E,2,08,0.98,411.2,M,49.4,M,,*5E\r
";
const NMEA_DATES: &str = "Version 1\nGGA 0 0:0::0.476121 0:0::0.476121 0:0::0.000000\nGGA 75 0:0::1.475353 0:0::1.475353 0:0::0.000000\n";

/// Paths and contents of all files.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |path: String, bytes: &[u8]| files.push((path, bytes.to_vec()));
    add(
        format!("{CAMERA}/{CAMERA}.dates"),
        b"Version 1\n121558 121558 0\n255049 255049 0\n388331 388331 0\n1521600 1521600 0\n",
    );
    for n in 1..=4_u8 {
        let image = [&b"P5\n2 2\n255\n"[..], &[n, 10, 20, 30]].concat();
        add(format!("{CAMERA}/{CAMERA}-{n:010}.pgm"), &image);
    }
    add(format!("{RANGE}/{RANGE}.dates"), b"Version XXX\r\n191\r\n193478\r\n1213493\r\n");
    for n in 1..=3 {
        let scan = format!("3\n-0.785398 0.1{n}\n-0.776672 0.115\n-0.767945 0.113\n");
        add(format!("{RANGE}/{RANGE}-{n}-0.txt"), scan.as_bytes());
    }
    add(format!("{GPS}/{GPS}_GGA_all.txt"), GGA.as_bytes());
    add(format!("{GPS}/{GPS}.txt"), NMEA.as_bytes());
    add(format!("{GPS}/{GPS}.dates"), NMEA_DATES.as_bytes());
    add(format!("{GPS}/{GPS}_GPX.gpx"), b"<?xml version=\"1.0\"?>\n<gpx/>\n");
    add(format!("{CAN}/{CAN}_Steering.txt"), b"# by hand\n10012 0.01 313\n40011 x 317\n1500010 0 0\n");
    add(format!("{CAN}/{CAN}_DeadReckoned_Poses2.txt"), b"14816 0 0 0\n34829 0 0 0\n1054829 0 0 0");
    add("ntpupdate.log".to_owned(), b"1284105600 -0.0125\n");
    add("notes.md".to_owned(), b"A run.\n");
    add("odd/readme.txt".to_owned(), b"Nothing to see.\n");
    files
}

/// Writes them to a tree of folders.
pub(crate) fn folder(at: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    let root = at.join("run");
    for (path, bytes) in files {
        let full = root.join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, bytes).unwrap();
    }
    root
}

pub(crate) fn tar_bytes(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // Write names that the library refuses by hand.
        let name = &mut header.as_old_mut().name;
        if path.len() < name.len() {
            name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            tar.append(&header, &bytes[..]).unwrap();
        } else {
            tar.append_data(&mut header, path, &bytes[..]).unwrap();
        }
    }
    tar.into_inner().unwrap()
}

pub(crate) fn gz_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

pub(crate) fn zip_bytes(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (n, (path, bytes)) in files.iter().enumerate() {
        let method = [zip::CompressionMethod::Deflated, zip::CompressionMethod::Stored][n % 2];
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        zip.start_file(path.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The folder and all archives with these files.
pub(crate) fn everywhere(at: &Path, files: &[(String, Vec<u8>)]) -> Vec<PathBuf> {
    let tar = tar_bytes(files);
    let mut all = vec![folder(at, files)];
    for (name, bytes) in
        [("run.tar", tar.clone()), ("run.tar.gz", gz_bytes(&tar)), ("run.zip", zip_bytes(files))]
    {
        let path = at.join(name);
        File::create(&path).unwrap().write_all(&bytes).unwrap();
        all.push(path);
    }
    all
}

/// All files below a folder, by path.
pub(crate) fn read(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                all.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

/// Samples and faults of a visit.
pub(crate) fn collect(dataset: &Dataset, options: Options) -> (Vec<Sample>, Vec<String>) {
    let (mut samples, mut faults) = (Vec::new(), Vec::new());
    dataset
        .visit::<Fault>(&options, &mut |event| {
            match event {
                Event::Sample(sample) => samples.push(sample.clone()),
                Event::Fault(fault) => faults.push(fault.to_string()),
            }
            Ok(())
        })
        .unwrap();
    (samples, faults)
}
