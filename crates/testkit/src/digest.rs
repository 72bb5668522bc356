//! A recording in a screenful of text: what the snapshots hold.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{Error, Reader, Recording, Sample, Sampling, StreamReader, Value, survey};

use crate::Fnv;

/// So many records are shown at either end.
const SHOWN: usize = 3;
/// So many lines of damage between them.
const DAMAGES: usize = 40;

/// The header, the first and last three records, all damage, counts of the samples with a hash over them, and the survey.
/// `group` says under which name the samples of a channel are counted.
pub fn digest<F: Recording>(file: &[u8], group: fn(&str) -> &str) -> String {
    digest_with::<F>(file, group, &|_| {})
}

/// The same; `set` puts into the header what the caller knows beside the file.
pub fn digest_with<F: Recording>(
    file: &[u8],
    group: fn(&str) -> &str,
    set: &dyn Fn(&mut F::Header),
) -> String {
    let mut reader = match Reader::<F>::new(file) {
        Ok(reader) => reader,
        Err(error) => return format!("error: {error}\n"),
    };
    set(reader.header_mut());
    let mut lines = Vec::new();
    let mut hash = Fnv::default();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut sink = |sample: &mut Sample| {
        *counts.entry(group(&sample.channel).to_owned()).or_default() += 1;
        hash.text(&text(sample));
        Ok::<(), Error>(())
    };
    let mut sampler = F::Sampler::new(reader.header(), Default::default());
    let mut raws = reader.raw_records();
    while let Some(raw) = raws.next() {
        let lost = raw.as_ref().ok().map(|raw| raw.offset..raw.end());
        let record = raw.and_then(|raw| Ok((raw, F::record(reader.header(), raw)?)));
        match record {
            Ok((raw, record)) => {
                let text = format!("{record:?}");
                let short: String = text.chars().take(300).collect();
                let more = if short.len() < text.len() { " ..." } else { "" };
                lines.push(format!("{:#x}, {} bytes: {short}{more}", raw.offset, raw.bytes.len()));
                if let Err(error) = sampler.push(&record, &mut sink) {
                    lines.push(format!("  error: {error}"));
                }
            }
            Err(error) => {
                let lost = lost.unwrap_or_else(|| raws.resync());
                lines.push(format!("damage: {error}; lost {lost:?}"));
            }
        }
    }
    if let Err(error) = sampler.finish(&mut sink) {
        lines.push(format!("  error at the end: {error}"));
    }

    let mut out = format!("{:#?}\n", reader.header());
    shorten(&lines, &mut out);
    writeln!(out, "samples: {counts:?}").unwrap();
    writeln!(out, "hash of the samples: {:016x}", hash.finish()).unwrap();
    let mut reader = StreamReader::new(file).unwrap();
    set(reader.header_mut());
    let summary = survey::<F::Survey>(&mut reader).unwrap();
    writeln!(out, "{summary:#?}").unwrap();
    out
}

/// The first and last lines, and those of damage between them.
fn shorten(lines: &[String], out: &mut String) {
    let is_damage = |line: &str| line.starts_with("damage") || line.starts_with("  error");
    let cut = lines.len().saturating_sub(SHOWN).max(SHOWN);
    let (mut left_out, mut damages) = (0, 0);
    for (i, line) in lines.iter().enumerate() {
        if i >= SHOWN && i < cut {
            let is_shown = is_damage(line) && damages < DAMAGES;
            damages += usize::from(is_shown);
            if !is_shown {
                left_out += 1;
                continue;
            }
        }
        if left_out > 0 {
            writeln!(out, "... {left_out} more ...").unwrap();
            left_out = 0;
        }
        writeln!(out, "{line}").unwrap();
    }
}

/// A sample as text. What went through a sine is rounded: it differs in its last bit from one platform to another.
fn text(sample: &Sample) -> String {
    let mut text = format!("{:?} {} {} {} ", sample.time, sample.offset, sample.channel, sample.frame_id);
    match &sample.value {
        Value::Odometry(odometry) => {
            let twist = odometry.twist.map(|t| [t.linear, t.angular].map(|v| v.map(rounded)));
            let pose = odometry.pose;
            let orientation = pose.orientation.coords.map(rounded);
            let child = &odometry.child_frame_id;
            write!(text, "{child} {:?} {orientation:?} {twist:?}", pose.position).unwrap();
        }
        Value::PointCloud(cloud) => {
            for point in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
                let ((x, y), z) = point;
                let millimetres = [x, y, z].map(|v| rounded(f64::from(*v) * 1e-3));
                write!(text, "{millimetres:?}").unwrap();
            }
            write!(text, "{:?} {:?} {:?}", cloud.ring, cloud.time_offset, cloud.return_number).unwrap();
        }
        Value::Imu(imu) => {
            let orientation = imu.orientation.map(|q| q.coords.map(rounded));
            write!(text, "{orientation:?} {:?}", imu.linear_acceleration.map(|v| v.map(rounded))).unwrap();
        }
        value => write!(text, "{value:?}").unwrap(),
    }
    text
}

fn rounded(v: f64) -> f64 {
    (v * 1e6).round() + 0.0
}
