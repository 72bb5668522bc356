//! Table rows: each field of a value has a distinct number, so that swapped columns are noticed.

use robolog_core::{
    Constellation, Encoding, FixQuality, GnssFix, Image, LaserScan, PointCloud, Satellite, Satellites, Value,
    columns::{self, Column, Datum},
};

/// `name=content unit` for each cell; a null is `-`.
fn shown<'a>(fill: impl FnOnce(columns::Put<'_, 'a>)) -> String {
    fn text<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(|| "-".into(), |value| value.to_string())
    }
    let mut cells = Vec::new();
    fill(&mut |name, unit, datum| {
        let content = match datum {
            Datum::Int(value) => text(value),
            Datum::Int32(value) => text(value),
            Datum::Float(value) => text(value),
            Datum::Float32(value) => text(value),
            Datum::Text(value) => text(value),
            Datum::Name(name) => name.to_owned(),
            Datum::Bytes(bytes) => format!("{bytes:?}"),
            Datum::Float32List(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            other => format!("{other:?}"),
        };
        cells.push(format!("{name}={content} {unit}").trim_end().to_owned());
    });
    cells.join(", ")
}

fn row_of(value: &Value, row: usize) -> String {
    let cells = shown(|put| columns::cells(value, "map", row, put));
    let names: Vec<_> = cells.split(", ").filter_map(|cell| cell.split('=').next()).collect();
    let declared: Vec<_> = columns::of(value).into_iter().map(|column| column.name).collect();
    assert_eq!(names, declared);
    cells
}

#[test]
fn a_cloud_has_a_row_for_each_point() {
    let cloud = PointCloud {
        x: vec![1.0, 10.0],
        y: vec![2.0, 20.0],
        z: vec![3.0, 30.0],
        intensity: vec![4.0, 40.0],
        time_offset: vec![5, 50],
        return_number: vec![6, 60],
        tag: vec![7, 70],
        ring: vec![],
        ..PointCloud::default()
    };
    let value = Value::PointCloud(cloud);
    assert_eq!(columns::rows(&value), 2);
    let second = "x=10 m, y=20 m, z=30 m, intensity=40, return_number=60, tag=70, ring=-";
    assert_eq!(row_of(&value, 1), second);
}

#[test]
fn a_fix_is_one_row_with_the_upper_half_of_its_covariance() {
    let fix = GnssFix {
        latitude: 1.0,
        longitude: 2.0,
        altitude: Some(3.0),
        altitude_msl: Some(4.0),
        quality: FixQuality::RtkFixed,
        satellites: Some(5),
        hdop: Some(6.0),
        vdop: Some(7.0),
        pdop: Some(8.0),
        speed: Some(9.0),
        course: Some(10.0),
        age_of_corrections_s: Some(11.0),
        station_id: Some(12),
        position_covariance: Some([13.0, 14.0, 15.0, 14.0, 16.0, 17.0, 15.0, 17.0, 18.0]),
        talkers: Some("GP GL".into()),
        measured: None,
        ..GnssFix::default()
    };
    let value = Value::GnssFix(fix);
    assert_eq!(columns::rows(&value), 1);
    assert_eq!(
        row_of(&value, 0),
        "frame_id=map, latitude=1 deg, longitude=2 deg, altitude=3 m, altitude_msl=4 m, quality=rtk_fixed, \
         satellites=5, hdop=6, vdop=7, pdop=8, speed=9 m/s, course=10 rad, age_of_corrections=11 s, station_id=12, \
         cov_ee=13 m^2, cov_en=14 m^2, cov_eu=15 m^2, cov_nn=16 m^2, cov_nu=17 m^2, cov_uu=18 m^2, talkers=GP GL"
    );
    let unknown = row_of(&Value::GnssFix(GnssFix::default()), 0);
    assert!(unknown.ends_with("cov_nu=- m^2, cov_uu=- m^2, talkers=-"), "{unknown}");
}

#[test]
fn satellites_have_a_row_each() {
    let satellite = |id| Satellite {
        constellation: Constellation::Glonass,
        id,
        elevation: Some(0.5),
        azimuth: Some(1.5),
        snr: None,
        signal: None,
    };
    let value = Value::Satellites(Satellites { satellites: vec![satellite(65), satellite(66)] });
    assert_eq!(columns::rows(&value), 2);
    let second =
        "constellation=glonass, satellite=66, elevation=0.5 rad, azimuth=1.5 rad, snr=- dB-Hz, signal=-";
    assert_eq!(row_of(&value, 1), second);
}

#[test]
fn a_scan_is_one_row_or_a_row_for_each_beam() {
    let scan = LaserScan {
        angle_min: 1.0,
        angle_increment: 0.5,
        time_increment: 3.0,
        scan_time: 4.0,
        range_min: 5.0,
        range_max: 6.0,
        ranges: vec![7.0, 8.0],
        intensities: vec![],
    };
    let beam = "frame_id=map, beam=1, angle=1.5 rad, range=8 m, intensity=-, scan_time=4 s, range_min=5 m, range_max=6 m";
    assert_eq!(shown(|put| columns::beam(&scan, "map", 1, put)), beam);
    let names = columns::of_beams().into_iter().map(|column| column.name);
    assert!(names.eq(beam.split(", ").filter_map(|cell| cell.split('=').next())));
    assert_eq!(
        row_of(&Value::LaserScan(scan), 0),
        "frame_id=map, angle_min=1 rad, angle_increment=0.5 rad, time_increment=3 s, scan_time=4 s, range_min=5 m, \
         range_max=6 m, ranges=7 8 m, intensities="
    );
}

#[test]
fn pictures_and_single_values_are_one_row() {
    let image = Image { width: 1, height: 2, encoding: Encoding::Mono8, data: vec![b'a', b'b'].into() };
    let cells = "frame_id=map, encoding=mono8, width=1 px, height=2 px, data=b\"ab\"";
    assert_eq!(row_of(&Value::Image(image), 0), cells);
    assert_eq!(row_of(&Value::Scalar(0.5), 0), "value=0.5");
    assert_eq!(row_of(&Value::Text("a".into()), 0), "value=a");
    let unit = |value| columns::of(&value).into_iter().map(|Column { unit, .. }| unit).collect::<Vec<_>>();
    assert_eq!(unit(Value::Scalar(0.5)), [None], "no unit is none, not an empty one");
}

#[cfg(feature = "geometry")]
#[test]
fn motion_is_one_row_in_the_axes_of_its_frame() {
    use nalgebra::{Quaternion, Unit, Vector3};
    use robolog_core::{Imu, Odometry, Pose, Transform, Twist};

    // Not normalised, so that each component is distinct.
    let orientation = Unit::new_unchecked(Quaternion::new(7.0, 4.0, 5.0, 6.0));
    let pose = Pose { position: Vector3::new(1.0, 2.0, 3.0), orientation };
    let place = "x=1 m, y=2 m, z=3 m, qx=4, qy=5, qz=6, qw=7";
    assert_eq!(row_of(&Value::Pose(pose), 0), format!("frame_id=map, {place}"));

    let child_frame_id = String::from("base");
    let transform = Transform { child_frame_id: child_frame_id.clone(), pose };
    let placed = format!("frame_id=map, child_frame_id=base, {place}");
    assert_eq!(row_of(&Value::Transform(transform), 0), placed);

    let twist = Twist { linear: Vector3::new(8.0, 9.0, 10.0), angular: Vector3::new(11.0, 12.0, 13.0) };
    let odometry = |twist| Value::Odometry(Odometry::new(child_frame_id.clone(), pose).with_twist(twist));
    let turning = "wx=11 rad/s, wy=12 rad/s, wz=13 rad/s";
    let moving = format!("{placed}, vx=8 m/s, vy=9 m/s, vz=10 m/s, {turning}");
    assert_eq!(row_of(&odometry(Some(twist)), 0), moving);
    assert!(row_of(&odometry(None), 0).ends_with("vz=- m/s, wx=- rad/s, wy=- rad/s, wz=- rad/s"));

    let imu = Imu {
        orientation: Some(orientation),
        angular_velocity: Some(twist.angular),
        linear_acceleration: Some(Vector3::new(14.0, 15.0, 16.0)),
        ..Imu::default()
    };
    let measured =
        format!("frame_id=map, qx=4, qy=5, qz=6, qw=7, {turning}, ax=14 m/s^2, ay=15 m/s^2, az=16 m/s^2");
    assert_eq!(row_of(&Value::Imu(imu), 0), measured);
}
