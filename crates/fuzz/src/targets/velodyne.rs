//! Packets of Velodyne LiDARs.

use velodyne_packet::{
    Calibration, Decoder, Detector, DualReturns, Generation, Options, PACKET_LEN, Packet, Points,
    PositionPacket, Profile, ScanSplitter, StatusStream, packets,
};

/// Every query of packets; scans neither lose nor add points.
pub(super) fn velodyne(data: &[u8]) {
    if let Ok(position) = PositionPacket::parse(data, 0) {
        let _ = (position.clock(), position.pps(), position.nmea().len());
    }
    let Some(sensor) = Detector::detect(packets(data)) else { return };
    let mut status = StatusStream::default();
    for packet in packets(data) {
        status.push(packet);
        for generation in [Generation::SpinTemperature, Generation::Status, Generation::Factory] {
            packet.trailer(generation).clock();
        }
    }
    let built_in = Calibration::built_in(sensor.model);
    let calibration = status.calibration().unwrap_or(&built_in);
    let control = data.last().copied().unwrap_or_default();
    let mut options =
        Options::default().with_profile(Profile::ALL[usize::from(control) % Profile::ALL.len()]);
    if control & 64 != 0 {
        options = options.with_dual_returns(DualReturns::Merged);
    }
    if control & 128 != 0 {
        options = options.with_interpolation(true);
    }
    let mut points = Points::new();
    Decoder::new(&sensor, calibration, options).decode_message(data, i64::MAX, &mut points);
    let in_one = points.len();
    assert!(in_one <= data.len() / PACKET_LEN * 384, "{in_one} points");
    let mut in_scans = 0;
    let mut scans = ScanSplitter::new(Decoder::new(&sensor, calibration, options));
    for packet in data.as_chunks::<PACKET_LEN>().0.iter().map(Packet::new) {
        scans.push(packet, 0, |scan| in_scans += scan.len());
    }
    scans.finish(|scan| in_scans += scan.len());
    assert_eq!(in_one, in_scans, "scans lose nothing and add nothing");
    for column in [points.x(), points.y(), points.z(), points.intensity()] {
        assert!(column.iter().all(|value| value.is_finite()));
    }
    assert!(points.take_cloud().is_consistent());
}
