//! LVX 1.1 and LVX2.

use arbitrary::{Result, Unstructured};
use lvx::{Device, DeviceId, DeviceType, Header, Lvx, PointCloud, Reader, Version, Writer};
use robolog_core::Imu;
use testkit::laws;

use crate::values;

pub(in super::super) fn write(data: &[u8]) {
    let _ = frames(&mut Unstructured::new(data));
}

fn frames(u: &mut Unstructured<'_>) -> Result<()> {
    let version = *u.choose(&[
        Version::V1_1,
        Version::V1_1,
        Version::V2_0,
        Version::V2_0,
        Version::V1_0,
        Version::V2_4,
    ])?;
    let mut devices = Vec::new();
    for index in 0..u.int_in_range(0..=3_u8)? {
        let is_right = u.ratio(15, 16)?;
        let id = if (version >= Version::V2_0) == is_right {
            DeviceId::Lidar(u.arbitrary()?)
        } else {
            DeviceId::Index(index)
        };
        devices.push(Device::new(id, &values::text(u)?, DeviceType(u.arbitrary()?)));
    }
    let header = Header::new(version, devices);
    let Ok(mut writer) = Writer::new(Vec::new(), &header) else { return Ok(()) };
    let mut clouds = Vec::new();
    let (mut count, mut imus) = (0, 0_u64);
    while !u.is_empty() && count < 4 {
        writer.begin_frame().unwrap();
        count += 1;
        for _ in 0..u.int_in_range(0..=4)? {
            let id = match header.devices() {
                [] => DeviceId::Index(0),
                devices => u.choose(devices)?.id,
            };
            let time = values::time(u)?;
            if u.ratio(1, 4)? {
                imus +=
                    u64::from(writer.imu(id, time, &Imu::from_g([values::single(u)?; 3], [1.0; 3])).is_ok());
            } else {
                let cloud = values::cloud(u)?;
                if writer.cloud(id, time, &cloud).is_ok() {
                    clouds.push((cloud, 0));
                } else if let Ok(filled) = writer.filled_cloud(id, time, &cloud) {
                    clouds.push((cloud, filled));
                }
            }
        }
        writer.end_frame().unwrap();
    }
    let file = writer.finish().unwrap();
    laws::is_whole::<Lvx>(&file, &[]);
    testkit::assert_agrees::<Lvx>("written", &file);
    let reader = Reader::new(&file).unwrap();
    assert_eq!(reader.header().devices(), header.devices());
    let (mut read, mut read_imus) = (PointCloud::default(), 0);
    for frame in reader.records().map(core::result::Result::unwrap) {
        for package in frame.packages().map(core::result::Result::unwrap) {
            package.points().append_to(&mut read);
            read_imus += u64::from(package.imu().is_some());
        }
    }
    assert_eq!((reader.records().count(), read_imus), (count, imus));
    same_points(&clouds, &read);
    Ok(())
}

/// All points, to half a millimetre and to the precision of singles, with their intensities as whole numbers and their
/// tags; behind a cloud that was filled up as many points as were said to be added, at the origin.
fn same_points(clouds: &[(PointCloud, usize)], read: &PointCloud) {
    let mut at = 0;
    for (cloud, filled) in clouds {
        for i in 0..cloud.len() {
            for (a, b) in [(cloud.x[i], read.x[at]), (cloud.y[i], read.y[at]), (cloud.z[i], read.z[at])] {
                let most = 5.1e-4_f32.max(a.abs() * f32::EPSILON);
                assert!((a - b).abs() <= most, "{a} became {b}");
            }
            let intensity = cloud.intensity.get(i).map_or(0.0, |v| v.round());
            assert_eq!(
                (read.intensity[at], read.tag[at]),
                (intensity, cloud.tag.get(i).copied().unwrap_or_default())
            );
            at += 1;
        }
        for point in at..at + filled {
            let filling = [read.x[point], read.y[point], read.z[point], read.intensity[point]];
            assert!(filling.iter().all(|value| *value == 0.0), "{filling:?}");
        }
        at += filled;
    }
    assert_eq!(at, read.len());
}
