//! Spools in memory and in temporary files make the same files.

use std::{fs, path::Path};

use robolog_convert::{
    Feed, Input, Opening, PcdData, Selection, SinkOptions, convert,
    spool::{MemoryFile, Spools},
    targets,
};

/// A recording in a target; `None` if the target can hold nothing of it.
fn converted(file: &Path, target: &str, spools: Spools) -> Option<Vec<u8>> {
    let mut options = SinkOptions::default();
    options.spools = spools;
    options.pcd.data = PcdData::BinaryCompressed;
    let opening = Opening::new(options, Selection::Everything);
    let memory = MemoryFile::default();
    let mut sink = targets::by_name(target).unwrap().open(memory.clone(), &opening).unwrap();
    let bytes = fs::read(file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let input = Input::reopening(name, bytes.len() as u64, move || Ok(std::io::Cursor::new(bytes.clone())));
    convert(vec![Feed::new(input.unwrap())], &mut *sink, &mut |_| ()).ok()?;
    sink.finish().unwrap();
    Some(memory.into_bytes())
}

#[test]
fn memory_and_temporary_files_give_the_same_targets() {
    let mut written = 0;
    for file in ["lvx/room.lvx", "koblenz-log/drive.log", "gpx/drive.gpx", "alog/moosivp.alog"] {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata")).join(file);
        for target in targets::ALL {
            let in_memory = converted(&path, target.name, Spools::Memory);
            let in_files = converted(&path, target.name, Spools::Files);
            assert!(in_memory == in_files, "{file} as {}", target.name);
            written += usize::from(in_memory.is_some());
        }
    }
    assert!(written > 20, "{written}");
}
