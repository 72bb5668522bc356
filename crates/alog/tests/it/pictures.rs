//! The pictures that New College entries name, in a hand-made folder.

use std::{fs, path::Path};

use alog::{Limits, Options, Sample, Value, robolog_core::Encoding};

const JPEG: &[u8] = b"\xff\xd8\xff\xe0 a picture";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n another";

fn options() -> Options {
    let mut options = Options::default();
    options.pictures = true;
    options
}

/// Samples of cameras, and errors.
fn read(log: &Path) -> (Vec<Sample>, Vec<String>) {
    let (mut pictures, mut errors) = (Vec::new(), Vec::new());
    for sample in alog::open(log).unwrap().samples_with(options()) {
        match sample {
            Ok(sample) if matches!(sample.value, Value::Image(_)) => pictures.push(sample),
            Ok(_) => {}
            Err(error) => errors.push(error.to_string()),
        }
    }
    (pictures, errors)
}

fn names(pictures: &[Sample]) -> Vec<&str> {
    pictures.iter().map(|sample| &*sample.channel).collect()
}

/// A log whose only entry names these files, in their folder.
fn lay(folder: &Path, files: &[&str], grab: &str) -> std::path::PathBuf {
    let list: Vec<_> = files.iter().enumerate().map(|(n, file)| format!(",File{n}={file}")).collect();
    let list = list.concat();
    let entry = format!("time=1225719872.892,Pan=0.00,{grab}NumImages=5{list}");
    let log = folder.join("run.alog");
    let text =
        format!("%% LOGSTART 1225719811.65\n61.244 CAMERA_FILE_WRITE iCamera {entry}\n61.5 NAV_X p 1\n");
    fs::write(&log, text).unwrap();
    log
}

#[test]
fn pictures_are_found_wherever_the_log_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let put = |path: &str, bytes: &[u8]| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    put("Images/ladybug_1-0.jpg", JPEG);
    put("MOOSLog_1/Images/ladybug_1-1.png", PNG);
    put("ladybug_1-2.jpg", JPEG);
    let files = [
        "/data/mrg/MOOSLog_1/Images/ladybug_1-0.jpg",
        "/data/mrg/MOOSLog_1/Images/ladybug_1-1.png",
        "C:\\logs\\ladybug_1-2.jpg",
    ];
    let (pictures, errors) = read(&lay(dir.path(), &files, "GrabType=ladybug,"));
    assert_eq!(
        (names(&pictures), errors.len()),
        (
            vec!["CAMERA_FILE_WRITE/ladybug/0", "CAMERA_FILE_WRITE/ladybug/1", "CAMERA_FILE_WRITE/ladybug/2"],
            0
        )
    );
    let Value::Image(image) = &pictures[1].value else { panic!() };
    assert_eq!((image.encoding, &image.data[..]), (Encoding::Png, PNG));
    assert_eq!(&*pictures[1].frame_id, "ladybug/1");
    assert_eq!(pictures[1].time.unwrap().nanos(), 1_225_719_872_892_000_000);
    // Pictures are not requested.
    let without = alog::open(dir.path().join("run.alog")).unwrap().samples();
    assert!(without.map(Result::unwrap).all(|sample| !matches!(sample.value, Value::Image(_))));
    // A log outside of a folder has no pictures, and reports an error.
    let bytes = fs::read(dir.path().join("run.alog")).unwrap();
    let stream = alog::StreamReader::new(&bytes[..]).unwrap().samples_with(options());
    let errors: Vec<_> = stream.filter_map(Result::err).map(|error| error.to_string()).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("3 of 3 missing, ladybug_1-0.jpg"), "{errors:?}");
}

#[test]
fn no_picture_comes_from_outside_of_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("log");
    fs::create_dir(&inner).unwrap();
    fs::write(dir.path().join("secret.jpg"), JPEG).unwrap();
    fs::write(inner.join("text.jpg"), b"no picture").unwrap();
    fs::write(inner.join("large.jpg"), [JPEG, &[0; 4096]].concat()).unwrap();
    let outside = dir.path().join("secret.jpg");
    let outside = outside.to_str().unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside, inner.join("link.jpg")).unwrap();
        std::os::unix::fs::symlink(dir.path(), inner.join("up")).unwrap();
    }
    let files =
        ["../secret.jpg", outside, "link.jpg", "up/secret.jpg", "log/../../secret.jpg", "text.jpg", ""];
    let log = lay(&inner, &files, "");
    let (pictures, errors) = read(&log);
    assert_eq!((names(&pictures), errors.len()), (vec![], 1));
    assert!(errors[0].contains("7 of 7 missing, secret.jpg"), "{errors:?}");

    // The size limit of a record applies to a picture too.
    let log = lay(&inner, &["large.jpg"], "");
    assert_eq!(names(&read(&log).0), ["CAMERA_FILE_WRITE/0"]);
    let mut reader =
        alog::StreamReader::with_limits(fs::File::open(&log).unwrap(), Limits::default().with_record(1000))
            .unwrap();
    reader.header_mut().set_folder(&inner);
    let errors: Vec<_> = reader.samples_with(options()).filter_map(Result::err).collect();
    assert!(errors.len() == 1 && errors[0].to_string().contains("more than 1000 bytes"), "{errors:?}");
}

/// The published excerpt names 50 pictures, which it does not include: some are put beside a copy of the log.
#[test]
fn pictures_of_the_published_log_are_joined() {
    let Some(data) = testkit::data_dir("alog") else { return };
    let path = data.join("new_college/QuadTree_Alog.alog");
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("QuadTree_Alog.alog");
    fs::copy(path, &log).unwrap();
    let (pictures, errors) = read(&log);
    assert_eq!((pictures.len(), errors.len()), (0, 10));
    assert!(errors.iter().all(|error| error.contains("5 of 5 missing")), "{errors:?}");
    fs::create_dir(dir.path().join("Images")).unwrap();
    for (time, camera) in [("1225719872.892", 0), ("1225719872.892", 4), ("1225719873.237", 3)] {
        fs::write(dir.path().join(format!("Images/ladybug_{time}-{camera}.jpg")), JPEG).unwrap();
    }
    let (pictures, errors) = read(&log);
    let found: Vec<_> = pictures.iter().map(|s| (&*s.channel, s.time.unwrap().nanos() / 1_000_000)).collect();
    assert_eq!(
        found,
        [
            ("CAMERA_FILE_WRITE/ladybug/0", 1_225_719_872_892),
            ("CAMERA_FILE_WRITE/ladybug/4", 1_225_719_872_892),
            ("CAMERA_FILE_WRITE/ladybug/3", 1_225_719_873_237),
        ]
    );
    assert!(errors[0].contains("3 of 5 missing") && errors[1].contains("4 of 5 missing"), "{errors:?}");
    println!("{} pictures of New College joined, {} entries without", pictures.len(), errors.len());
}
