//! MOOS logs.

use alog::{Alog, Header, Kind, Reader, Seconds, Writer, layout::Columns};
use arbitrary::{Result, Unstructured};
use testkit::laws;

use crate::values;

pub(in super::super) fn write(data: &[u8]) {
    let _ = entries(&mut Unstructured::new(data));
}

fn entries(u: &mut Unstructured<'_>) -> Result<()> {
    let start = Seconds::from_nanos(u.arbitrary::<i64>()?.into());
    let header = Header::new(values::text(u)?, start);
    let Ok(mut writer) = Writer::new(Vec::new(), &header) else { return Ok(()) };
    let is_exact = u.arbitrary()?;
    if is_exact {
        writer = writer.with_columns(Columns { decimals: 9, ..Columns::MOOS_IVP });
    }
    let mut taken = Vec::new();
    while !u.is_empty() && taken.len() < 20 {
        let time = Seconds::from_nanos(i128::from(u.arbitrary::<i64>()?));
        let (name, source) = (values::text(u)?, values::text(u)?);
        let value =
            if u.arbitrary()? { values::text(u)?.into_bytes() } else { u.arbitrary::<&[u8]>()?.to_vec() };
        if writer.entry(time, &name, &source, &value).is_ok() {
            taken.push((time, name, source, value));
        }
    }
    let file = writer.finish().unwrap();
    laws::is_whole::<Alog>(&file, &[]);
    let reader = Reader::new(&file).unwrap();
    assert_eq!(reader.header().logstart(), Some(start));
    assert_eq!(reader.header().log_file, header.log_file);
    let records = reader.records().map(core::result::Result::unwrap);
    let entries: Vec<_> = records.filter(|record| record.kind() == Kind::Entry).collect();
    assert_eq!(entries.len(), taken.len());
    for (entry, (time, name, source, value)) in entries.iter().zip(&taken) {
        assert!(!is_exact || entry.seconds() == Some(*time), "{time} became {:?}", entry.seconds());
        assert!(entry.name() == *name && entry.source() == *source);
        assert_eq!(entry.value().bytes(), value);
    }
    Ok(())
}
