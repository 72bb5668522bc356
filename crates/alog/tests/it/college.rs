//! The messages of New College: frames, mounts and tables.

use alog::{Decoder, Options, Reader};
use robolog_core::{Cell, Field, Row, Sample, Value, format::Decoder as _};

fn sampled(log: &[u8]) -> Vec<Sample> {
    let reader = Reader::new(log).unwrap();
    let mut decoder = Decoder::new(reader.header(), Options::default());
    let mut found = Vec::new();
    let mut sink = |sample: &mut Sample| {
        found.push(sample.clone());
        Ok::<(), alog::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    found
}

fn row<'s>(samples: &'s [Sample], channel: &str) -> &'s Row {
    let sample = samples.iter().find(|s| &*s.channel == channel).unwrap_or_else(|| panic!("{channel}"));
    let Value::Row(row) = &sample.value else { panic!("{sample:?}") };
    row
}

/// A scan of `count` ranges of 1 m and as many reflectances.
fn scan(name: &str, angles: &str, count: usize, reflectances: usize) -> String {
    let list = |text: &str, n: usize| vec![text; n].join(",");
    let (ranges, bright) = (list("1.000", count), list("38.000", reflectances));
    format!(
        "2.0 {name} LMS1 ID=77,time=3.0,{angles},scanCount=170,Range=[{count}]{{{ranges}}},\
         Reflectance=[{reflectances}]{{{bright}}} \n"
    )
}

const ANGLES: &str = "angRes=0.50,offset=0.00,minAngle=45.00,maxAngle=135.00";

#[test]
fn scans_have_frames_of_their_own_and_mounts_before_them() {
    let log =
        [scan("LMS_LASER_2D_LEFT", ANGLES, 181, 181), scan("LMS_LASER_2D_RIGHT", ANGLES, 181, 181)].concat();
    let samples = sampled(log.repeat(2).as_bytes());
    let channels: Vec<_> = samples.iter().map(|s| (&*s.channel, &*s.frame_id)).collect();
    let (left, right) = (("LMS_LASER_2D_LEFT", "laser/left"), ("LMS_LASER_2D_RIGHT", "laser/right"));
    let fields = [("LMS_LASER_2D_LEFT/fields", ""), ("LMS_LASER_2D_RIGHT/fields", "")];
    let mount = ("tf_static", "base_link");
    assert_eq!(
        channels,
        [mount, left, fields[0], mount, right, fields[1], left, fields[0], right, fields[1]]
    );
    // By ncd_parser's calibration: metres, x right and y ahead, and roll, pitch and yaw about those; the middle beam,
    // at 90 degrees, is the scanner's y axis. Worked out by hand: the left scanner is 0.27 m to the left, its middle
    // beam points left, its first one down and left.
    for (sample, child, y, first) in [
        (&samples[0], "laser/left", 0.27, [0.0, 1.0, -1.0]),
        (&samples[3], "laser/right", -0.27, [0.0, -1.0, 1.0]),
    ] {
        let Value::Transform(mount) = &sample.value else { panic!("{sample:?}") };
        assert_eq!((mount.child_frame_id.as_str(), sample.time), (child, None));
        let at = mount.pose.position;
        assert_eq!([at.x, at.y, at.z], [-0.03, y, 0.495]);
        let scan = samples.iter().find(|s| &*s.frame_id == child).unwrap();
        let Value::LaserScan(scan) = &scan.value else { panic!("{scan:?}") };
        for (beam, want) in [(0, first), (90, [0.0, 2_f64.sqrt() * y.signum(), 0.0])] {
            let angle = f64::from(scan.angle(beam));
            let way = mount.pose.orientation * nalgebra::Vector3::new(angle.cos(), angle.sin(), 0.0);
            let want = nalgebra::Vector3::from(want) / 2_f64.sqrt();
            assert!((way - want).norm() < 1e-6, "{child}: beam {beam} goes {way:?}, not {want:?}");
        }
    }
}

#[test]
fn scans_of_any_number_of_ranges_and_with_an_offset_are_scans() {
    for (angles, count, first) in [
        ("angRes=0.25,offset=0.00,minAngle=45.00,maxAngle=135.00", 361, -45.0),
        ("angRes=0.50,offset=0.00,minAngle=0.00,maxAngle=180.00", 361, -90.0),
        ("angRes=1.00,offset=0.25,minAngle=0.00,maxAngle=180.00", 180, -89.75),
    ] {
        let samples = sampled(scan("LMS_LASER_2D_LEFT", angles, count, count).as_bytes());
        let Value::LaserScan(scan) = &samples[1].value else { panic!("{angles}: {:?}", samples[1]) };
        assert_eq!((scan.ranges.len(), scan.intensities.len()), (count, count));
        assert!((scan.angle_min.to_degrees() - first).abs() < 1e-4, "{angles}: {}", scan.angle_min);
        let offset = row(&samples, "LMS_LASER_2D_LEFT/fields").get("offset");
        assert_eq!(offset, Some(&Cell::Float(if count == 180 { 0.25 } else { 0.0 })));
    }
    // Missing ranges, or reflectances that do not match them: text, unchanged.
    let torn = scan("LMS_LASER_2D_LEFT", ANGLES, 181, 181).replacen("1.000,", "", 1);
    for log in [torn, scan("LMS_LASER_2D_LEFT", ANGLES, 181, 180)] {
        assert!(matches!(sampled(log.as_bytes())[0].value, Value::Text(_)));
    }
}

#[test]
fn what_samples_have_no_place_for_is_a_row_beside_them() {
    let log = b"61.855 ODOMETRY_POSE iPlatform Pose=[3x1]{4.2216,18.5450,-0.7990},Vel=[3x1]{-0.7904,-0.7686,0.0011},\
        Raw=[2x1]{19.9981,-0.7993},time=1225719873.5024,Speed=1.1025,Pitch=-0.0241,Roll=0.0235,PitchDot=0.0359,RollDot=0.0013\n\
        61.9 RAW_ODOMETRY_POSE iPlatform Pose=[3x1]{4.2,18.5,-0.7990},Vel=[3x1]{-0.7904,-0.7686,-6.2821}\n";
    let log = [&log[..], scan("LMS_LASER_2D_LEFT", ANGLES, 181, 181).as_bytes()].concat();
    let samples = sampled(&log);
    let fields = row(&samples, "ODOMETRY_POSE/fields");
    let want = [
        ("vel_x", -0.7904, "m/s"),
        ("vel_y", -0.7686, "m/s"),
        ("vel_yaw", 0.0011, ""),
        ("raw_distance", 19.9981, "m"),
        ("raw_yaw", -0.7993, "rad"),
        ("speed", 1.1025, "m/s"),
        ("pitch", -0.0241, "rad"),
        ("roll", 0.0235, "rad"),
        ("pitch_rate", 0.0359, "rad/s"),
        ("roll_rate", 0.0013, "rad/s"),
    ];
    let got: Vec<_> = fields.iter().map(|(f, cell)| (&*f.name, cell.clone(), f.unit.as_deref())).collect();
    assert_eq!(
        got,
        want.map(|(name, value, unit)| (
            name,
            Cell::Float(value),
            Some(unit).filter(|unit| !unit.is_empty())
        ))
    );
    let raw = row(&samples, "RAW_ODOMETRY_POSE/fields");
    // The Segway's rate: -49 counts of 7.8 to a degree per second. In ODOMETRY_POSE it is wrapped by whole turns.
    assert_eq!(raw.get("vel_yaw"), Some(&Cell::Float(-6.2821)));
    let unit = |row: &Row| row.fields.iter().find(|f| f.name == "vel_yaw").unwrap().unit.clone();
    assert_eq!((unit(raw).as_deref(), unit(fields)), (Some("deg/s"), None));
    assert_eq!(raw.get("raw_distance"), Some(&Cell::Null));
    // Without a speed, `Vel` is the velocity: with the opposite sign, along the vehicle's y axis, which points ahead.
    let Value::Odometry(odometry) = &samples[2].value else { panic!("{:?}", samples[2]) };
    let linear = odometry.twist.unwrap().linear;
    assert!((linear.x - 1.1025).abs() < 1e-3 && linear.y.abs() < 1e-3, "{linear:?}");

    let laser = row(&samples, "LMS_LASER_2D_LEFT/fields");
    assert_eq!((laser.get("id"), laser.get("scan_count")), (Some(&Cell::Int(77)), Some(&Cell::Int(170))));
    assert_eq!(laser.get("max_angle"), Some(&Cell::Float(135.0)));
}

#[test]
fn fixes_are_in_the_frame_of_what_they_locate() {
    let log = b"0.1 NAV_LAT pNav 43\n0.1 NAV_LONG pNav -70\n\
        0.5 NODE_REPORT pReport NAME=beta,LAT=1,LON=2\n\
        0.7 MSG_UDP iUDP $GPGGA,120000,4330.0,N,07000.0,W,1,08,1.0,5,M,0,M,,\r\n\
        0.8 ODOMETRY_POSE iPlatform Pose=[3x1]{1,2,3}\n";
    let samples = sampled(log);
    let frame = |channel: &str| &*samples.iter().find(|s| &*s.channel == channel).unwrap().frame_id;
    assert_eq!(frame("NAV/fix"), "base_link");
    assert_eq!(frame("NODE_REPORT/fix"), "beta");
    assert_eq!(frame("MSG_UDP/gnss_fix"), "gps");
    assert_eq!(frame("ODOMETRY_POSE"), "map");
    let text = samples.iter().find(|s| &*s.channel == "MSG_UDP").unwrap();
    assert!(matches!(&text.value, Value::Text(text) if text.starts_with("$GPGGA")));
}

/// Sentences are read by `robolog-nmea`: a bad hemisphere or minute gives no position; corrections and talkers are
/// kept.
#[test]
fn sentences_are_read_as_the_nmea_crate_reads_them() {
    let fix = |sentence: &str| {
        let log = format!("0.7 MSG_UDP iUDP {sentence}\n");
        let samples = sampled(log.as_bytes());
        samples.into_iter().find_map(|s| match s.value {
            Value::GnssFix(fix) => Some(fix),
            _ => None,
        })
    };
    let good = fix("$GNGGA,120000,4330.0,N,07000.0,W,2,08,1.0,5,M,-30.5,M,1.5,0123").unwrap();
    assert_eq!((good.latitude, good.longitude, good.altitude), (43.5, -70.0, Some(-25.5)));
    assert_eq!((good.age_of_corrections_s, good.station_id), (Some(1.5), Some(123)));
    assert_eq!(good.talkers.as_deref(), Some("GN"));
    assert_eq!(fix("$GPGGA,120000,4330.0,X,07000.0,W,1,08,1.0,5,M,0,M,,"), None, "hemisphere X");
    assert_eq!(fix("$GPGGA,120000,4361.0,N,07000.0,W,1,08,1.0,5,M,0,M,,"), None, "61 minutes");
    assert_eq!(fix("$GPGGA,120000,4330.0,N,07000.0,W,1,08,1.0,5,M,0,M,,*00"), None, "a wrong checksum");
    assert_eq!(fix("$GPRMC,120000,A,4330.0,N,07000.0,W,0.1,113.0,111206,,,A"), None, "not a GGA");
}

/// The page of the data set has a blank between size and numbers; the log has a comma behind the last one.
#[test]
fn the_messages_of_the_data_set_have_units_and_the_matrices_of_the_geometry_are_numbers() {
    let log = b"%% LOGSTART 1225719811.65\n\
        1.0 GPS iGPS time=1225719812.65,N=-7077.75,E=4177.5,X=3996.5,Y=-7164.5,Sats=5\n\
        1.0 IPLATFORM_STATUS iPlatform MainBattery=72.5,UIBattery=7.1,GainSchedule=light,OperationMode=tractor\n\
        1.0 IJOYSTICK_STATUS iJoystick AppErrorFlag=false,Uptime=2642.1\n\
        1.0 CAMERA_FILE_WRITE iCameraLadybug time=1225719812.65,Pan=0.5,Tilt=0.25, GrabType=ladybug,NumImages=5\n\
        1.0 VEHICLE_GEOMETRY iPlatform Name=LISA, Sensor_0=LMS_LASER_2D, Pose3D_0=[4x1] {0.0,0.35,0.0,0.1}, \
        SHAPE_2D=[2x3]{0.33,0.34,-0.35,1,2,3,}, Other=[2x2]{1,2}\n";
    let samples = sampled(log);
    let units = |channel: &str| {
        let row = row(&samples, channel);
        let unit = |field: &Field| format!("{}:{}", field.name, field.unit.as_deref().unwrap_or("-"));
        row.fields.iter().map(unit).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(units("GPS"), "time:s N:m E:m X:m Y:m Sats:-");
    assert_eq!(units("IPLATFORM_STATUS"), "MainBattery:V UIBattery:V GainSchedule:- OperationMode:-");
    assert_eq!(units("IJOYSTICK_STATUS"), "AppErrorFlag:- Uptime:s");
    assert_eq!(units("CAMERA_FILE_WRITE"), "time:s Pan:deg Tilt:deg GrabType:- NumImages:-");
    let geometry = row(&samples, "VEHICLE_GEOMETRY");
    let numbers: Vec<_> = geometry.iter().filter(|(_, cell)| matches!(cell, Cell::Float(_))).collect();
    let want = [
        ("Pose3D_0_0", 0.0),
        ("Pose3D_0_1", 0.35),
        ("Pose3D_0_2", 0.0),
        ("Pose3D_0_3", 0.1),
        ("SHAPE_2D_0_0", 0.33),
        ("SHAPE_2D_0_1", 0.34),
        ("SHAPE_2D_0_2", -0.35),
        ("SHAPE_2D_1_0", 1.0),
        ("SHAPE_2D_1_1", 2.0),
        ("SHAPE_2D_1_2", 3.0),
    ];
    assert_eq!(numbers.len(), want.len());
    for ((field, cell), (name, number)) in numbers.iter().zip(want) {
        assert_eq!((&*field.name, *cell), (name, &Cell::Float(number)));
    }
    // A matrix that has not the numbers it says stays text.
    assert_eq!(geometry.get("Other"), Some(&Cell::Text("[2x2]{1,2}".into())));
}
