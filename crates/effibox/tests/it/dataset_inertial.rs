//! The accelerometers and the gyrometer of a vehicle, on separate channels and on one.

use std::{fs, path::Path};

use effibox::dataset::{Dataset, Event, Fault, Options};
use robolog_core::{Cell, Imu, Sample, Value};

use crate::tree::CAN;

fn samples(path: &Path, options: Options) -> Vec<Sample> {
    let mut samples = Vec::new();
    let dataset = Dataset::open(path).unwrap();
    dataset
        .visit::<Fault>(&options, &mut |event| {
            if let Event::Sample(sample) = event {
                samples.push(sample.clone());
            }
            Ok(())
        })
        .unwrap();
    samples
}

fn imu(sample: &Sample) -> &Imu {
    let Value::Imu(imu) = &sample.value else { panic!("{sample:?}") };
    imu
}

/// Microseconds, the rate, and the acceleration along z.
fn told(sample: &Sample) -> (i64, Option<f64>, Option<f64>) {
    let (rate, acceleration) = (imu(sample).angular_velocity, imu(sample).linear_acceleration);
    (sample.time.unwrap().nanos() / 1000, rate.map(|rate| rate.z), acceleration.map(|a| a.z))
}

#[test]
fn the_gyrometer_is_inertial_about_z() {
    let path = Path::new("../../testdata/effibox/dataset");
    let file = fs::read_to_string(path.join(CAN).join(format!("{CAN}_Gyro.txt"))).unwrap();
    let all = samples(path, Options::default());
    let of = |name: &str| all.iter().filter(|s| *s.channel == *format!("{CAN}/{name}")).collect::<Vec<_>>();
    let (rates, raw) = (of("gyro"), of("gyro/raw"));
    let lines: Vec<_> = file.lines().collect();
    assert_eq!((rates.len(), raw.len(), lines.len()), (150, 150, 150));
    for ((rate, raw), line) in rates.iter().zip(raw).zip(lines) {
        let columns: Vec<f64> = line.split_whitespace().map(|text| text.parse().unwrap()).collect();
        let [rtime, wz, temperature, raw_wz, raw_temperature] = columns[..] else { panic!("{line}") };
        let about = imu(rate).angular_velocity.unwrap();
        assert!(
            about.z.to_bits() == wz.to_bits()
                && about.x.is_nan()
                && about.y.is_nan()
                && &*rate.frame_id == "gyro"
        );
        assert!(imu(rate).linear_acceleration.is_none() && imu(rate).orientation.is_none());
        assert_eq!(rate.time.unwrap().nanos(), rtime as i64 * 1000);
        let Value::Row(row) = &raw.value else { panic!("{raw:?}") };
        assert_eq!((row.get("temp"), row.cells.len()), (Some(&Cell::Float(temperature)), 3));
        let int = |value: f64| Some(Cell::Int(value as i64));
        assert_eq!(row.get("raw_wz").cloned(), int(raw_wz));
        assert_eq!(row.get("raw_temp").cloned(), int(raw_temperature));
    }
}

#[test]
fn accelerations_and_rates_are_joined_where_they_belong_together() {
    let dir = tempfile::tempdir().unwrap();
    let write =
        |name: &str, text: &str| fs::write(dir.path().join(format!("{CAN}_{name}.txt")), text).unwrap();
    // Together in either order; 6 ms apart; an acceleration alone; a rate alone at the end.
    let acc = |(rtime, z): (i64, f64)| format!("{rtime} 0.5 0.25 {z} 0.5 0.25 {z} 1 2 3\n");
    write("Acc", &[(10_000, 9.1), (30_003, 9.2), (50_000, 9.3), (70_000, 9.4)].map(acc).concat());
    write("Gyro", "10003 0.1 25 1 2\n30000 0.2 25 1 2\n56000 0.3 25 1 2\n90000 0.4 25 1 2\n");
    write("Steering", "30001 0.01 313\n52000 0.02 317\n");

    let all = samples(dir.path(), Options::default().with_joined_imu());
    let joined: Vec<_> = all.iter().filter(|s| matches!(s.value, Value::Imu(_))).collect();
    let name = format!("{CAN}/imu");
    assert!(joined.iter().all(|s| *s.channel == *name && &*s.frame_id == "gyro"));
    assert_eq!(
        joined.iter().map(|s| told(s)).collect::<Vec<_>>(),
        [
            (10_003, Some(0.1), Some(9.1)),
            (30_003, Some(0.2), Some(9.2)),
            (50_000, None, Some(9.3)),
            (56_000, Some(0.3), None),
            (70_000, None, Some(9.4)),
            (90_000, Some(0.4), None),
        ]
    );
    let rest = |samples: &[Sample]| samples.iter().filter(|s| !matches!(s.value, Value::Imu(_))).count();
    let apart = samples(dir.path(), Options::default());
    assert_eq!((rest(&all), rest(&apart), apart.len() - rest(&apart)), (10, 10, 8));

    // One of the two alone keeps its channel.
    fs::remove_file(dir.path().join(format!("{CAN}_Acc.txt"))).unwrap();
    let alone = samples(dir.path(), Options::default().with_joined_imu());
    let names: Vec<_> =
        alone.iter().filter(|s| matches!(s.value, Value::Imu(_))).map(|s| &*s.channel).collect();
    assert_eq!(names, vec![format!("{CAN}/gyro"); 4]);
}
