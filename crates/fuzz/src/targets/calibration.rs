//! Calibrations of Velodyne LiDARs, and transforms in YAML.

use robolog_convert::transforms;
use robolog_core::Value;
use velodyne_packet::{
    Calibration, Decoder, Detection, Generation, MAX_LASERS, Model, Options, PACKET_LEN, Points, ReturnMode,
};

pub(super) const SEEDS: &[&str] = &[
    "lasers:\n- {dist_correction: 0.1, dist_correction_x: 0.2, dist_correction_y: 0, focal_distance: 10, focal_slope: 1.5, \
     horiz_offset_correction: 0.02, laser_id: 0, min_intensity: 40, max_intensity: 255, rot_correction: -0.07, vert_correction: \
     -0.12, vert_offset_correction: 0.21}\n- {laser_id: 1, rot_correction: 0.1, vert_correction: 0.2, dist_correction: 1, \
     vert_offset_correction: 0}\nnum_lasers: 2\ndistance_resolution: 0.002\n",
    "<?xml version=\"1.0\"?><boost_serialization><DB class_id=\"0\"><distLSB_>0.2</distLSB_><points_><count>1</count><item>\
     <px><id_>0</id_><rotCorrection_>-4.1</rotCorrection_><vertCorrection_>-7.1</vertCorrection_><distCorrection_>110</distCorrection_>\
     <vertOffsetCorrection_>21</vertOffsetCorrection_><horizOffsetCorrection_>2.6</horizOffsetCorrection_></px></item></points_>\
     <minIntensity_><item>30</item></minIntensity_><enabled_><item>1</item></enabled_></DB></boost_serialization>",
    "- {parent: base_link, child: livox, translation: [0.1, 0, 0.5], rpy: [0, 0, 1.5708]}\n",
    "transforms:\n  - header: {frame_id: map}\n    child_frame_id: odom\n    transform: {translation: {x: 1, y: 2, z: 3}, \
     rotation: {x: 0, y: 0, z: 0, w: 1}}\n",
];

/// A calibration that can be read has finite numbers, and can decode a packet.
pub(super) fn calibration(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(calibration) = Calibration::parse(&text, "fuzz") {
        assert!(calibration.lasers.len() <= MAX_LASERS, "{} lasers", calibration.lasers.len());
        assert_eq!(calibration.rings().len(), calibration.lasers.len());
        let sensor = Detection::assume(Model::Hdl64eS2, ReturnMode::Strongest, Generation::Status);
        let mut points = Points::new();
        Decoder::new(&sensor, &calibration, Options::default()).decode_message(
            &[0x77; PACKET_LEN],
            0,
            &mut points,
        );
        assert!(points.take_cloud().is_consistent());
    }
    if let Ok(samples) = transforms::from_yaml(&text) {
        for sample in samples {
            let Value::Transform(transform) = sample.value else { panic!("{sample:?}") };
            let pose = transform.pose;
            assert!(pose.position.iter().all(|value| value.is_finite()), "{pose:?}");
            assert!((pose.orientation.norm() - 1.0).abs() < 1e-6, "{pose:?}");
            assert_ne!(*sample.frame_id, *transform.child_frame_id, "a frame is its own parent");
        }
    }
}
