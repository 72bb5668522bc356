//! Tables of the Institut Pascal data set.

use arbitrary::{Result, Unstructured};
use effibox::table::{
    CameraDate, Header, Motor, Reader, Steering, Table, TableKind, TableRow, Wheels, Writer,
};
use testkit::laws;

use crate::values;

/// A number that fits fifteen digits: the largest ones would round up to infinity.
fn number(u: &mut Unstructured<'_>) -> Result<f64> {
    values::number(u).map(|value| if value.abs() > 1.797e308 { 0.1 } else { value })
}

pub(in super::super) fn write(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let outcome = match u.int_in_range(0..=3) {
        Ok(0) => rows(&mut u, TableKind::Motor, |u| {
            Ok(Motor { rtime: u.arbitrary()?, velocity: number(u)?, ..Motor::default() })
        }),
        Ok(1) => rows(&mut u, TableKind::Steering, |u| {
            Ok(Steering { rtime: u.arbitrary()?, angle: number(u)?, raw_angle: u.arbitrary()? })
        }),
        Ok(2) => rows(&mut u, TableKind::Wheels, |u| {
            Ok(Wheels { rtime: u.arbitrary()?, speed_right: number(u)?, ..Wheels::default() })
        }),
        _ => rows(&mut u, TableKind::CameraDates, |u| {
            Ok(CameraDate { rtime: u.arbitrary()?, acquired: u.arbitrary()?, latency: u.arbitrary()? })
        }),
    };
    let _ = outcome;
}

/// A number written with fifteen digits reads back, and is then written as the same text.
fn rows<T: TableRow>(
    u: &mut Unstructured<'_>,
    kind: TableKind,
    make: fn(&mut Unstructured<'_>) -> Result<T>,
) -> Result<()> {
    let mut writer = Writer::new(Vec::new(), &Header::new(kind).with_version("1")).unwrap();
    let mut lines = Vec::new();
    while !u.is_empty() && lines.len() < 20 {
        let row = make(u)?;
        if writer.row(&row).is_ok() {
            let mut line = Vec::new();
            row.write(&mut line);
            lines.push(line);
        }
    }
    let file = writer.finish().unwrap();
    let Ok(mut reader) = effibox::table::StreamReader::new(&file[..]) else { return Ok(()) };
    reader.header_mut().kind = kind;
    let mut read = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        if let Some(row) = record.read::<T>().unwrap() {
            let mut line = Vec::new();
            row.write(&mut line);
            read.push(line);
        }
    }
    let texts = |lines: &[Vec<u8>]| {
        lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&read), texts(&lines));
    assert!(Reader::new(&file).is_ok());
    laws::whole_files_are_copied_as_they_are::<Table>(&file, &[]);
    Ok(())
}
