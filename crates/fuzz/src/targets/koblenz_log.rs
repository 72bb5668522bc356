//! Reading Koblenz logs.

use koblenz_log::{Clouds, KoblenzLog, LaserGeometry, Options, Payload, Reader, layout::PACKET_LEN};
use testkit::laws;

/// Reads the bytes in every possible way.
pub(super) fn koblenz_log(data: &[u8]) {
    laws::reads::<KoblenzLog>(data, 300);
    testkit::assert_agrees::<KoblenzLog>("koblenz-log", data);

    let mut options = Options::default();
    options.velodyne.clouds = Clouds::Messages;
    options.keep_codes = true;
    options.laser = Some(LaserGeometry { angle_min: -1.0, angle_increment: 0.01, ..LaserGeometry::UNKNOWN });
    laws::samples::<KoblenzLog>(data, options);
    let Ok(reader) = Reader::new(data) else { return };
    for record in reader.records().map_while(Result::ok) {
        assert!(record.body().len() + record.trailer().len() <= record.bytes().len());
        let Ok(payload) = record.decode() else { continue };
        let mut body = Vec::new();
        payload.write(&mut body).unwrap();
        let mut read = record.body();
        if let Payload::Velodyne(velodyne) = payload {
            assert_eq!(velodyne.packets().len() * PACKET_LEN, velodyne.data.len());
            // A partial packet is not a value.
            let part = read.len() - body.len();
            assert!(part < PACKET_LEN, "a packet is lost");
            read = &read[..read.len() - part];
        }
        assert!(body == read, "a payload is written otherwise than it was read");
    }
}
