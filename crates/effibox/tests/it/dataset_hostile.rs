//! Archives that are cut, flipped and spliced; folders with very many files.

use crate::tree;

use std::{fs, io::Read as _, path::Path, time::Instant};

use effibox::dataset::{Dataset, Fault, Options, Span};

/// Makes every query of an archive; returns whether it could be opened.
fn survive(path: &Path, bytes: &[u8]) -> bool {
    fs::write(path, bytes).unwrap();
    let Ok(dataset) = Dataset::open(path) else { return false };
    let mut events = 0_u64;
    let visited = dataset.visit::<Fault>(&Options::default(), &mut |_| {
        events += 1;
        Ok(())
    });
    assert!(events < 10_000);
    let _ = (visited, dataset.survey(), dataset.verify());
    let out = path.with_extension("out");
    let span = Span { from: Some(200_000), to: None };
    if dataset.copy(&out, span).is_ok() {
        fs::remove_dir_all(&out).unwrap();
    }
    true
}

#[test]
fn damage_and_numbers_are_survived() {
    let dir = tempfile::tempdir().unwrap();
    // Two interfaces suffice, and every byte can be cut.
    let files: Vec<_> = tree::files()
        .into_iter()
        .filter(|(path, _)| path.contains("Range") || path.contains("Can_"))
        .collect();
    let tar = tree::tar_bytes(&files);
    let took = allocation_counter::measure(|| {
        for (name, bytes) in
            [("a.tar", tar.clone()), ("a.tar.gz", tree::gz_bytes(&tar)), ("a.zip", tree::zip_bytes(&files))]
        {
            let path = dir.path().join(name);
            let (mut opened, mut inputs) = (0, 0);
            let mut visit = |bytes: &[u8]| {
                opened += usize::from(survive(&path, bytes));
                inputs += 1;
            };
            let mut visit = testkit::thinned(&mut visit);
            (0..bytes.len()).step_by(97).for_each(|n| visit(&bytes[..n]));
            testkit::splices(&bytes, 400, 5, &mut visit);
            let step = bytes.len().div_ceil(400);
            for at in (0..bytes.len()).step_by(step) {
                for bit in [0, 3, 7] {
                    let mut flipped = bytes.clone();
                    flipped[at] ^= 1 << bit;
                    visit(&flipped);
                }
            }
            drop(visit);
            println!("{name}: {inputs} inputs, {opened} of them could be opened");
            assert!(inputs > testkit::left_of(1000) && opened > testkit::bound(0, 20));
        }
    })
    .bytes_max;
    println!("{took} bytes at most");
    assert!(took < 64 << 20, "{took}");
    let names = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(
        names.filter(|n| n.to_string_lossy().contains("partial")).count(),
        0,
        "unfinished copies are removed"
    );
    very_many_files();
    names_without_end();
}

/// Memory for a listing does not grow with the files of an interface.
fn very_many_files() {
    let dir = tempfile::tempdir().unwrap();
    let id = "Bus_InterfaceRangefinder_172_27_30_21_2112";
    let mut took = Vec::new();
    let mut made = 0;
    for count in [10_000_u32, 30_000] {
        for n in made + 1..=count {
            fs::write(dir.path().join(format!("{id}-{n}-0.txt")), "1\n0 0.5\n").unwrap();
        }
        made = count;
        let dates: Vec<_> = (0..count).map(|n| (n * 20_000).to_string()).collect();
        fs::write(dir.path().join(format!("{id}.dates")), format!("Version 1\n{}\n", dates.join("\n")))
            .unwrap();
        let start = Instant::now();
        let (mut listed, mut samples, mut opened) = (start.elapsed(), 0_u32, None);
        let heap = allocation_counter::measure(|| {
            let dataset = opened.insert(Dataset::open(dir.path()).unwrap());
            listed = start.elapsed();
            dataset
                .visit::<Fault>(&Options::default(), &mut |_| {
                    samples += 1;
                    Ok(())
                })
                .unwrap();
        });
        took.push(usize::try_from(heap.bytes_max).unwrap());
        let dataset = opened.unwrap();
        println!("{count} files listed in {listed:?}, read in {:?}", start.elapsed());
        assert_eq!((samples, dataset.interfaces().len()), (count, 1));
        assert_eq!(dataset.interfaces()[0].scans.as_ref().unwrap().last, u64::from(count));
    }
    println!("{took:?} bytes at most");
    assert!(took[1] < took[0] + (64 << 10), "{took:?}");
}

/// A name of 300 MB in an archive of some hundred KB, and one of 200 bytes, which is read.
fn names_without_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.tar.gz");
    let file = fs::File::create(&path).unwrap();
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
    let mut name = tar::Header::new_gnu();
    name.set_entry_type(tar::EntryType::GNULongName);
    name.set_size(300_000_000);
    name.set_cksum();
    tar.append(&name, std::io::repeat(b'n').take(300_000_000)).unwrap();
    let row = &b"10012 0.01 313\n"[..];
    let mut header = tar::Header::new_gnu();
    header.set_size(row.len() as u64);
    header.set_cksum();
    tar.append(&header, row).unwrap();
    let long = format!("{}/c_Steering.txt", "d".repeat(200));
    tar.append_data(&mut header, &long, row).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    let mut opened = None;
    let took = allocation_counter::measure(|| opened = Some(Dataset::open(&path).unwrap())).bytes_max;
    let dataset = opened.unwrap();
    assert_eq!(
        (dataset.interfaces()[0].tables[0].path.as_str(), dataset.skipped().len()),
        (long.as_str(), 1)
    );
    println!("{took} bytes for a name of 300 MB");
    assert!(took < 2 << 20, "{took}");
}
