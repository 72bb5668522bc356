//! Koblenz logs.

use std::io::Cursor;

use arbitrary::{Result, Unstructured};
use koblenz_log::{
    Header, ImageData, KoblenzLog, LaserData, Payload, Reader, VelodyneData, Writer,
    layout::{Gps, Obd, PACKET_LEN, RobotPose},
};

use crate::{invariants, values};

pub(in super::super) fn write(data: &[u8]) {
    let _ = messages(&mut Unstructured::new(data));
}

fn payload<'a>(u: &mut Unstructured<'a>) -> Result<Payload<'a>> {
    Ok(match u.int_in_range(0..=6)? {
        0 => Payload::Obd(Obd { speed: u.arbitrary()?, throttle: values::single(u)?, ..Obd::default() }),
        1 => Payload::Gps(Gps {
            hour: u.arbitrary()?,
            year: u.arbitrary()?,
            latitude: values::number(u)?,
            longitude: values::number(u)?,
            hdop: values::single(u)?,
            ..Gps::default()
        }),
        2 => Payload::RobotPose(RobotPose {
            quaternion: [values::single(u)?, values::single(u)?, values::single(u)?, values::single(u)?],
            acceleration: [values::single(u)?, values::single(u)?, values::single(u)?],
        }),
        3 => Payload::Image(ImageData {
            source: u.arbitrary()?,
            compressed: u.arbitrary()?,
            compressed_len: *u.choose(&[4, 4, 4, 1, 0])?,
            width: u.arbitrary()?,
            height: u.arbitrary()?,
            data: u.arbitrary()?,
        }),
        4 => {
            let (claimed, data): (u32, &[u8]) = (u.arbitrary()?, u.arbitrary()?);
            // Mostly packets that are whole: others are refused.
            let odd = if u.ratio(1, 4)? { 0 } else { data.len() % PACKET_LEN };
            Payload::Velodyne(VelodyneData { claimed, data: &data[..data.len() - odd] })
        }
        5 => Payload::Laser(LaserData {
            sensor_type: u.arbitrary()?,
            name: u.arbitrary()?,
            data: u.arbitrary()?,
        }),
        _ => Payload::Unknown(u.arbitrary()?),
    })
}

fn messages(u: &mut Unstructured<'_>) -> Result<()> {
    let header = Header::new(u.int_in_range(0..=4)?);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let mut taken: Vec<(f64, Payload<'_>, Vec<u8>)> = Vec::new();
    while !u.is_empty() && taken.len() < 20 {
        let (time, payload) = (values::number(u)?, payload(u)?);
        if writer.write_payload(time, &payload).is_ok() {
            let mut body = Vec::new();
            payload.write(&mut body).unwrap();
            taken.push((time, payload, body));
        }
    }
    if u.arbitrary()? {
        writer.end().unwrap();
    }
    let file = writer.finish().unwrap().into_inner();
    testkit::assert_agrees::<KoblenzLog>("written", &file);
    let reader = Reader::new(&file).unwrap();
    let records: Vec<_> =
        reader.records().map(core::result::Result::unwrap).filter(|r| !r.is_end()).collect();
    assert_eq!(records.len(), taken.len());
    for (record, (time, payload, body)) in records.iter().zip(&taken) {
        assert_eq!(record.timestamp().map(f64::to_bits), Some(time.to_bits()));
        assert_eq!(record.body(), body);
        if let Ok(read) = record.decode() {
            assert_eq!(format!("{read:?}"), format!("{payload:?}"));
        }
    }
    invariants::whole_files_are_copied_as_they_are::<KoblenzLog>(&file, &[]);
    Ok(())
}
