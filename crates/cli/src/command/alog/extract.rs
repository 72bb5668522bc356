//! Files beside a log: binary payloads and synchronous tables.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
};

use ::alog::{Kind, slog};
use robolog_convert::{Error, Report, Result, csvw, target::Target};
use robolog_core::{
    format::KnownLength,
    slices::Part as _,
    text::{Escaped, file_name},
};

use super::{Out, finish, open, records};
use crate::{
    args::alog::{PayloadsArgs, TableArgs},
    progress::Context,
    render,
    status::Status,
};

/// `payloads`: one file per payload, and a table of them.
pub(super) fn payloads(args: &PayloadsArgs, context: Context) -> Result<Status> {
    super::super::each([&*args.file], |file| {
        let mut reader = open(file, context)?;
        let folder = Target::folder(&args.out.output, args.out.existing(), &[file])?;
        let path = folder.path().join("_index.csv");
        let mut index = csv::Writer::from_path(path)?;
        index.write_record(["file", "time_ns", "channel", "values"])?;
        let (mut count, mut lost) = (0_u64, Report::default());
        let report = records(&mut reader, &mut |record| {
            let Some((name, offset, len)) = record.value().binary().filter(|_| record.kind() == Kind::Entry)
            else {
                return Ok(());
            };
            // Only the file name: folders in a log are of another machine and must not be followed.
            let name = memchr::memrchr2(b'/', b'\\', name).map_or(name, |at| name.part(at + 1..));
            let blog = file.with_file_name(file_name(name));
            match payload(&blog, offset, len) {
                Ok(bytes) => {
                    count += 1;
                    let out = format!("{:06}_{}.bin", count, file_name(&record.name()));
                    let path = folder.path().join(&out);
                    fs::write(&path, &bytes).map_err(|e| Error::file(path, e))?;
                    let time = record.time().map_or_else(String::new, |t| t.nanos().to_string());
                    let channel = Escaped(&record.name()).to_string();
                    let channel = csvw::shown(channel.as_bytes());
                    let len = bytes.len().to_string();
                    index.write_record([out.as_bytes(), time.as_bytes(), &channel, len.as_bytes()])?;
                }
                Err(why) => {
                    let what = format!("{}: {why}", render::path(&blog));
                    let error =
                        robolog_core::Error::invalid("payload", what, "one within the file", record.offset());
                    lost.damage(error, 0..0);
                }
            }
            Ok(())
        })?;
        index.flush()?;
        render::losses(file, &lost);
        if count == 0 {
            return Err(Error::Empty("no entry points to an existing payload".into()));
        }
        folder.persist()?;
        Ok(finish(file, &args.out.output, &report, count, context).max(if lost.is_complete() {
            Status::Done
        } else {
            Status::Lossy
        }))
    })
}

/// The bytes that an entry points to. Neither number is trusted.
fn payload(blog: &Path, offset: u64, len: u64) -> Result<Vec<u8>, String> {
    let file = File::open(blog).map_err(|e| e.to_string())?;
    let size = file.metadata().map_err(|e| e.to_string())?.len();
    if offset.checked_add(len).is_none_or(|end| end > size) {
        return Err(format!("bytes {offset} to {} of {size}", offset.saturating_add(len)));
    }
    let mut file = KnownLength::new(file, size);
    file.seek(SeekFrom::Start(offset)).map_err(|e| e.to_string())?;
    let mut bytes = Vec::new();
    file.take(len).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    Ok(bytes)
}

/// `table`: a synchronous log as CSV.
pub(super) fn table(args: &TableArgs, context: Context) -> Result<Status> {
    super::super::each([&*args.file], |file| {
        let mut text = Vec::new();
        context.open(file)?.into_stream().read_to_end(&mut text)?;
        let table = slog::Table::new(&text)?;
        let mut out = csv::Writer::from_writer(Out::new(
            args.output.as_deref(),
            crate::args::existing(args.force),
            &[file],
        )?);
        let columns = table.columns().map(csvw::shown);
        out.write_record(std::iter::once(Cow::Borrowed(&b"time"[..])).chain(columns))?;
        let mut report = Report::default();
        for row in table.rows() {
            match row {
                Ok(row) => {
                    let values = row.values.iter().map(|v| v.map_or_else(String::new, |v| v.to_string()));
                    out.write_record(std::iter::once(row.time.to_string()).chain(values))?;
                }
                Err(error) => report.damage(error, 0..0),
            }
        }
        out.flush()?;
        let out = out.into_inner().map_err(|e| Error::Write(std::io::Error::other(e.to_string())))?;
        out.finish()?;
        render::losses(file, &report);
        Ok(if report.is_complete() { Status::Done } else { Status::Lossy })
    })
}
