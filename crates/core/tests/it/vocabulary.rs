//! Numbers and names shared with other software: GGA qualities, ROS encodings, column names.

use robolog_core::{Encoding, FixQuality};

#[test]
fn qualities_are_numbered_and_named_as_in_gga() {
    let names = (0..10).map(|number| FixQuality::from_gga(number).name());
    let wanted = [
        "none",
        "gps",
        "dgps",
        "pps",
        "rtk_fixed",
        "rtk_float",
        "estimated",
        "manual",
        "simulated",
        "unknown",
    ];
    assert!(names.eq(wanted));
    assert_eq!(FixQuality::from_gga(u32::MAX), FixQuality::Unknown);
    let numbers = (0..10).map(|number| FixQuality::from_gga(number).gga());
    assert!(numbers.eq((0..9).map(Some).chain([None])));
}

#[test]
fn of_two_fixes_of_a_moment_the_better_one_ranks_higher() {
    use FixQuality::{Dgps, Estimated, Gps, Manual, None, Pps, RtkFixed, RtkFloat, Simulated, Unknown};
    let worse_to_better = [None, Unknown, Simulated, Manual, Estimated, Gps, Dgps, Pps, RtkFloat, RtkFixed];
    assert!(worse_to_better.is_sorted_by(|a, b| a.rank() < b.rank()));
}

/// Names and sizes from ROS's `sensor_msgs/image_encodings.hpp`.
#[test]
fn pixels_have_the_names_and_sizes_of_ros() {
    let pixels = [
        (Encoding::Mono8, "mono8", 1, false),
        (Encoding::Mono16, "mono16", 2, true),
        (Encoding::Rgb8, "rgb8", 3, false),
        (Encoding::Rgb16, "rgb16", 6, true),
    ];
    for (encoding, name, bytes, is_big_endian) in pixels {
        assert_eq!(encoding.name(), name);
        assert_eq!(encoding.bytes_per_pixel(), Some(bytes), "{name}");
        assert_eq!(encoding.is_big_endian(), is_big_endian, "{name}");
    }
    for (encoding, name) in [(Encoding::Jpeg, "jpeg"), (Encoding::Png, "png")] {
        assert_eq!(
            (encoding.name(), encoding.bytes_per_pixel(), encoding.is_big_endian()),
            (name, None, false)
        );
    }
}

#[cfg(feature = "serde")]
#[test]
fn columns_have_the_names_of_their_fields() {
    use robolog_core::{Column, Constellation, PointCloud};

    let cloud = PointCloud {
        x: vec![0.0],
        y: vec![0.0],
        z: vec![0.0],
        intensity: vec![0.0],
        time_offset: vec![0],
        return_number: vec![0],
        tag: vec![0],
        ring: vec![0],
        ..PointCloud::default()
    };
    let json = serde_json::to_value(&cloud).unwrap();
    let fields = json.as_object().unwrap();
    assert!(fields.keys().eq(Column::ALL.iter().map(|column| column.name())));
    for column in Column::ALL {
        assert_eq!(cloud.column_len(column), 1, "{}", column.name());
        assert_eq!(PointCloud::default().column_len(column), 0, "{}", column.name());
    }
    for constellation in [Constellation::Gps, Constellation::Beidou, Constellation::Unknown] {
        assert_eq!(serde_json::to_value(constellation).unwrap(), constellation.name());
    }
}
