//! Third-party calibration files, compared with the built-in ones.

use std::{collections::BTreeMap, fs};

use velodyne_packet::{Calibration, CalibrationSource, Laser, Model};

fn files() -> Option<BTreeMap<String, Calibration>> {
    let dir = testkit::data_dir("velodyne")?.join("calib");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with("xml") || name.ends_with("yml") || name.ends_with("yaml") {
            let text = fs::read_to_string(&path).unwrap();
            found.insert(name.clone(), Calibration::parse(&text, &name).unwrap());
        }
    }
    Some(found)
}

fn values(laser: &Laser) -> [f64; 11] {
    [
        laser.rot_correction,
        laser.vert_correction,
        laser.dist_correction,
        laser.dist_correction_x,
        laser.dist_correction_y,
        laser.vert_offset,
        laser.horiz_offset,
        laser.focal_distance,
        laser.focal_slope,
        laser.min_intensity,
        laser.max_intensity,
    ]
}

/// The largest difference of any value.
fn apart(a: &Calibration, b: &Calibration) -> f64 {
    assert_eq!((a.lasers.len(), a.distance_resolution), (b.lasers.len(), b.distance_resolution));
    let pairs = a.lasers.iter().flat_map(values).zip(b.lasers.iter().flat_map(values));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn every_form_says_the_same() {
    let Some(files) = files() else { return };
    println!("{} files", files.len());
    assert!(files.len() >= 20);
    for (one, other) in [
        ("opendlv_hdl64e_atwall.yml", "opendlv_hdl64e_atwall_db.xml"),
        ("ros_64e_s2.1-sztaki.yaml", "ros_64e_s2.1-sztaki.db.xml"),
        ("ros_64e_s2.1-sztaki.yaml", "vd_HDL-64E_S2.1-sztaki.yml"),
        ("ros_64e_utexas.yaml", "vd_HDL-64E_S1-utexas.yml"),
        ("ros_64e_s3-xiesc.yaml", "vd_HDL-64E_S3-xiesc.yml"),
        ("ros_32db.yaml", "ros_32db.db.xml"),
    ] {
        let [mut one_file, mut other_file] = [one, other].map(|name| files[name].clone());
        if one.contains("sztaki") && other.ends_with("xml") {
            // The driver's converter omitted the zeros of minIntensity_ in this file and shifted the rest up.
            assert_eq!((one_file.lasers[0].min_intensity, other_file.lasers[1].min_intensity), (30.0, 30.0));
            for laser in one_file.lasers.iter_mut().chain(&mut other_file.lasers) {
                (laser.min_intensity, laser.max_intensity) = (0.0, 255.0);
            }
        }
        let far = apart(&one_file, &other_file);
        assert!(far < 1e-6, "{one} and {other}: {far}");
    }
    assert_eq!(files["opendlv_hdl64e_atwall_db.xml"].source, CalibrationSource::Xml);
    assert_eq!(files["ros_VLS128.yaml"].source, CalibrationSource::Yaml);
    assert_eq!(files["vd_VLP-32C.yml"].distance_resolution, 0.004);
}

#[test]
fn built_in_ones_are_those_of_the_files() {
    let Some(files) = files() else { return };
    for (model, file) in [
        (Model::Hdl64eS1, "vd_HDL-64E_S1-utexas.yml"),
        (Model::Hdl64eS2, "vd_HDL-64E_S2.1-sztaki.yml"),
        (Model::Hdl64eS3, "vd_HDL-64E_S3-VeloView.yml"),
        (Model::Hdl32e, "vd_HDL-32E.yml"),
        (Model::Vlp16, "vd_VLP-16.yml"),
        (Model::PuckHiRes, "vd_Puck_Hi-Res.yml"),
        (Model::Vlp32a, "vd_VLP-32A.yml"),
        (Model::Vlp32b, "vd_VLP-32B.yml"),
        (Model::Vlp32c, "vd_VLP-32C.yml"),
        (Model::Vls128, "vd_Alpha_Prime.yml"),
    ] {
        let mut built_in = Calibration::built_in(model);
        assert_eq!(built_in.is_stand_in(), model.is_hdl64e());
        assert_eq!(built_in.label.starts_with("stand-in"), model.is_hdl64e());
        if !model.is_hdl64e() {
            // The files are older than the manuals with the offsets.
            built_in.lasers.iter_mut().for_each(|laser| laser.vert_offset = 0.0);
        }
        let far = apart(&built_in, &files[file]);
        assert!(far < 2e-6, "{model}: {far}");
    }
}

#[test]
fn rings_count_upwards() {
    // The firing order in the VLP-16's manual: even lasers below the horizon, odd ones above.
    let rings = Calibration::built_in(Model::Vlp16).rings();
    assert_eq!(rings, [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]);
    for model in Model::ALL {
        let calibration = Calibration::built_in(model);
        let mut rings = calibration.rings();
        assert_eq!(rings.len(), model.lasers());
        rings.sort_unstable();
        assert!(rings.iter().copied().eq(0..u16::try_from(model.lasers()).unwrap()), "{model}");
    }
}

#[test]
fn errors_name_the_place() {
    let wrong = "lasers:\n- laser_id: 0\n  vert_correction: steep\n";
    let error = Calibration::parse(wrong, "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "calibration in YAML: invalid vert_correction: found \"steep\", expected a number (at byte 0x29)"
    );
    let error = Calibration::parse("<DB><px><id_>0</id_></px></DB>", "x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "db.xml: invalid number of lasers: found 1, expected 16, 32, 64 or 128, without gaps (at byte 0x1e)"
    );
}

#[test]
fn nesting_is_bounded() {
    for levels in [60, 100] {
        let yaml = format!("lasers: {}{}", "[".repeat(levels), "]".repeat(levels));
        let xml = format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
        for error in
            [Calibration::from_yaml(&yaml, ""), Calibration::from_xml(&xml, "")].map(Result::unwrap_err)
        {
            let is_over =
                matches!(error.kind(), velodyne_packet::ErrorKind::Limit { what: "depth", limit: 64, .. });
            assert_eq!(is_over, levels > 64, "{levels} levels: {error}");
        }
    }
}
