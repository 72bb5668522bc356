//! Koblenz logs.

use std::io::Cursor;

use arbitrary::{Result, Unstructured};
use koblenz_log::{
    Header, ImageData, KoblenzLog, LaserData, Payload, Reader, TypeId, VelodyneData, Writer,
    layout::{Gps, Obd, PACKET_LEN, RobotPose},
};
use testkit::laws;

use crate::values;

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
            // Mostly complete packets: others are refused.
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

/// A message accepted by the writer: its time, type, version, payload and body.
type Taken<'a> = (f64, TypeId, i32, Option<Payload<'a>>, Vec<u8>);

fn messages(u: &mut Unstructured<'_>) -> Result<()> {
    let header = Header::new(u.int_in_range(0..=4)?);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let mut taken: Vec<Taken<'_>> = Vec::new();
    let mut is_ended = false;
    while !u.is_empty() && taken.len() < 20 {
        let time = values::number(u)?;
        if u.ratio(1, 3)? {
            let known = [TypeId::OBD, TypeId::GPS, TypeId::IMAGE, TypeId::VELODYNE, TypeId::LASER, TypeId(0)];
            let type_id = if u.ratio(1, 2)? { *u.choose(&known)? } else { TypeId(u.arbitrary()?) };
            let version = if u.ratio(1, 8)? { u.arbitrary()? } else { u.int_in_range(-1..=4)? };
            let body = if u.ratio(1, 8)? { &[][..] } else { u.arbitrary()? };
            let is_mark = (type_id, version, body) == (TypeId(0), 0, &[]);
            if writer.message(time, type_id, version, body).is_ok() {
                assert!(!is_ended, "a message behind the mark of the end");
                is_ended = is_mark;
                if !is_mark {
                    taken.push((time, type_id, version, None, body.to_vec()));
                }
            }
            continue;
        }
        let payload = payload(u)?;
        if writer.write_payload(time, &payload).is_ok() {
            let mut body = Vec::new();
            payload.write(&mut body).unwrap();
            let type_id = payload.type_id().unwrap();
            taken.push((time, type_id, type_id.version().unwrap(), Some(payload), body));
        }
    }
    if u.arbitrary()? {
        assert_eq!(writer.end().is_err(), std::mem::replace(&mut is_ended, true));
    }
    let file = writer.finish().unwrap().into_inner();
    testkit::assert_agrees::<KoblenzLog>("written", &file);
    let reader = Reader::new(&file).unwrap();
    let records: Vec<_> =
        reader.records().map(core::result::Result::unwrap).filter(|r| !r.is_end()).collect();
    assert_eq!(records.len(), taken.len());
    assert_eq!(reader.records().count(), taken.len() + usize::from(is_ended));
    for (record, (time, type_id, version, payload, body)) in records.iter().zip(&taken) {
        assert_eq!(record.timestamp().map(f64::to_bits), Some(time.to_bits()));
        assert_eq!((record.type_id(), record.version(), record.body()), (*type_id, *version, &body[..]));
        if let (Ok(read), Some(payload)) = (record.decode(), payload) {
            assert_eq!(format!("{read:?}"), format!("{payload:?}"));
        }
    }
    // Copying all messages of a log gives the log.
    let mut copy = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for record in reader.records().map(core::result::Result::unwrap) {
        let time = record.timestamp().unwrap_or_default();
        copy.message(time, record.type_id(), record.version(), record.body()).unwrap();
    }
    assert_eq!(copy.finish().unwrap().into_inner(), file);
    laws::whole_files_are_copied_as_they_are::<KoblenzLog>(&file, &[]);
    Ok(())
}
