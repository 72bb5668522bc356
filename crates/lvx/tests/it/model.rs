//! Times and lines of points by the model.

use lvx::{DeviceType, Model, Options, StreamReader, Value};

/// By Livox's tables: number in recordings, nanoseconds between shots, lines fired in turn.
const TABLE: [(&str, u8, u32, u16); 9] = [
    ("mid-40", 1, 10_000, 1),
    ("mid-100", 1, 10_000, 1),
    ("mid-70", 6, 10_000, 1),
    ("tele-15", 2, 4_167, 6),
    ("horizon", 3, 4_167, 6),
    ("avia", 7, 4_167, 6),
    ("mid-360", 9, 5_000, 4),
    ("mid-360s", 35, 5_000, 4),
    ("hap", 10, 2_212, 6),
];

#[test]
fn points_follow_the_model_that_is_set_whatever_the_file_says() {
    for (name, number, interval, lines) in TABLE {
        let model: Model = name.parse().unwrap();
        assert_eq!(model.device_type(), DeviceType(number), "{name}");
        for file in ["v11_type2.lvx", "v11_type4.lvx", "lvx2_type1.lvx"] {
            let bytes = testkit::fixture(&format!("lvx/{file}"));
            let mut reader = StreamReader::new(bytes.as_slice()).unwrap();
            reader.header_mut().set_model(Some(model));
            for sample in reader.samples_with(Options::default()) {
                let Value::PointCloud(cloud) = sample.unwrap().value else { continue };
                let shot = usize::from(cloud.return_number[1] == 2) + 1;
                for i in 0..24 {
                    let ring = u16::try_from(i).unwrap() % lines;
                    assert_eq!(cloud.ring[i * shot], ring, "{name} {file} shot {i}");
                    let nanos = interval * u32::try_from(i).unwrap();
                    assert_eq!(cloud.time_offset[i * shot], nanos, "{name} {file} shot {i}");
                }
            }
        }
    }
}
