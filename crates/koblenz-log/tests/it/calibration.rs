//! The calibration sent by an HDL-64E about itself. Truth: the values that another reader decodes from the same stream.

use std::{fs, io::Cursor};

use koblenz_log::{
    Clouds, Decoder, Header, Options, Payload, Reader, StreamReader, VelodyneData, Writer,
    velodyne_packet::{self, Calibration, CalibrationSource, PACKET_LEN},
};
use robolog_core::{PointCloud, Value, format::Decoder as _, survey};
use serde_json::Value as Json;

/// A log that repeats a cycle of packets of a capture, 260 per message.
fn log(capture: &[u8], cycles: usize) -> Vec<u8> {
    // After the port, 2368, and UDP's length and checksum.
    let is_head = |bytes: &[u8]| bytes[..4] == [0x09, 0x40, 0x04, 0xbe];
    let starts = capture.windows(6).enumerate().filter(|(_, bytes)| is_head(bytes)).map(|(at, _)| at + 6);
    let packets: Vec<u8> =
        starts.filter_map(|at| capture.get(at..at + PACKET_LEN)).flatten().copied().collect();
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(60)).unwrap();
    let all = (0..cycles).flat_map(|_| packets[..4160 * PACKET_LEN].chunks(260 * PACKET_LEN));
    for (data, message) in all.zip(1_u32..) {
        let velodyne = Payload::Velodyne(VelodyneData { claimed: 260, data });
        writer.write_payload(f64::from(message) * 75.0, &velodyne).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn clouds(file: &[u8], options: Options) -> Vec<PointCloud> {
    let reader = Reader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut clouds = Vec::new();
    let mut sink = |sample: &mut robolog_core::Sample| {
        let Value::PointCloud(cloud) = &sample.value else { panic!("{}", sample.channel) };
        clouds.push(cloud.clone());
        Ok::<(), koblenz_log::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    clouds
}

/// The sensor's own calibration, compared with the result of another reader.
fn own(file: &[u8], truth: &Json) -> Calibration {
    let mut stream = velodyne_packet::StatusStream::default();
    for record in Reader::new(file).unwrap().records() {
        let Payload::Velodyne(velodyne) = record.unwrap().decode().unwrap() else { panic!() };
        for packet in velodyne_packet::packets(velodyne.data) {
            stream.push(packet);
        }
    }
    let calibration = stream.calibration().unwrap().clone();
    assert_eq!(calibration.source, CalibrationSource::StatusStream);
    for (laser, key) in [(0, "calib_laser0"), (63, "calib_laser63")] {
        let told = truth[key]["Vertical Correction"].as_f64().unwrap();
        assert!((calibration.lasers[laser].vert_correction.to_degrees() - told).abs() < 1e-9);
    }
    calibration
}

#[test]
fn the_sensors_own_calibration_is_used_once_it_is_there() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let truth: Json = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let file = log(&fs::read(dir.join("derived_hdl64e_s2.pcap")).unwrap(), 2);
    let own = own(&file, &truth["derived_hdl64e_s2.pcap"]);

    for (mode, of_a_cycle) in [(Clouds::Turns, 12..14), (Clouds::Messages, 16..17)] {
        let mut options = Options::default();
        options.velodyne.clouds = mode;
        let found = clouds(&file, options.clone());
        options.velodyne.calibration = Some(own.clone());
        let given = clouds(&file, options.clone());
        options.velodyne.calibration = Some(Calibration::built_in(velodyne_packet::Model::Hdl64eS2));
        let stand_in = clouds(&file, options);
        assert_eq!((found.len(), stand_in.len()), (given.len(), given.len()));
        assert!(stand_in.iter().zip(&given).all(|(a, b)| a != b));
        let changed = found.iter().zip(&stand_in).take_while(|(a, b)| a == b).count();
        println!("{mode:?}: {changed} of {} clouds by the stand-in", found.len());
        assert!(of_a_cycle.contains(&changed), "{changed}");
        // In the packet where the previous turn ended, some points of the next turn still use the stand-in.
        let from = changed + usize::from(mode == Clouds::Turns);
        assert!(found.len() > from + 5 && found[from..] == given[from..]);
    }

    let mut reader = StreamReader::new(&file[..]).unwrap();
    let summary = survey(&mut reader).unwrap();
    assert_eq!(summary.details.velodyne.unwrap().calibration, own.label);
    assert!(summary.findings.iter().all(|finding| finding.code != "calibration"), "{:?}", summary.findings);
}
