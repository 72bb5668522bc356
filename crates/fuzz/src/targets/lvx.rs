//! Reading LVX.

use lvx::{ApplyExtrinsics, ExtrinsicUnit, Lvx, Options, Version};
use testkit::laws;

/// One target per version, which runs `$run` on the bytes with that version in their header.
macro_rules! each_version {
    ($run:ident) => {
        $crate::targets::lvx::each_version!($run: lvx10 V1_0, lvx11 V1_1, lvx2 V2_0, lvx3 V2_4);
    };
    ($run:ident: $($name:ident $version:ident),+) => {
        $(pub(super) fn $name(data: &[u8]) {
            $run(&$crate::targets::lvx::of_version(data, ::lvx::Version::$version));
        })+
    };
}
pub(super) use each_version;

each_version!(read);

/// The bytes with this version in their header.
pub(super) fn of_version(data: &[u8], version: Version) -> Vec<u8> {
    let mut data = data.to_vec();
    if let Some(place) = data.get_mut(16..20) {
        place.copy_from_slice(&version.bytes());
    }
    data
}

/// Reads the bytes in every possible way.
fn read(data: &[u8]) {
    laws::reads::<Lvx>(data, 2000);
    // Points of LVX3 are counted but cannot be decoded.
    if data.get(16..18) != Some(&[2, 4]) {
        testkit::assert_agrees::<Lvx>("lvx", data);
    }

    let mut options = Options::default();
    options.apply_extrinsics = ApplyExtrinsics::Always;
    options.extrinsic_unit = ExtrinsicUnit::Centimetre;
    options.drop_no_return = true;
    laws::samples::<Lvx>(data, options);
    packages(data);
}

/// The views of packages and points; every access gives the same.
fn packages(data: &[u8]) {
    let Ok(reader) = lvx::Reader::new(data) else { return };
    for frame in reader.records().map_while(Result::ok) {
        let mut end = frame.offset() + (frame.bytes().len() - frame.body().len()) as u64;
        for package in frame.packages() {
            let Ok(package) = package else { break };
            assert_eq!(package.offset(), end, "packages lie side by side");
            end += package.bytes().len() as u64;
            let points = package.points();
            let mut cloud = lvx::PointCloud::default();
            points.append_to(&mut cloud);
            assert!(cloud.is_consistent());
            assert_eq!(cloud.len(), points.len());
            for (i, point) in points.iter().enumerate() {
                let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                assert!(same(point.x, cloud.x[i]) && same(point.y, cloud.y[i]) && same(point.z, cloud.z[i]));
            }
            let _ = (package.time(), package.imu(), package.status(), package.slot_and_lidar());
        }
        assert!(end <= frame.offset() + frame.bytes().len() as u64);
    }
}
