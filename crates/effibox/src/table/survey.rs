//! Counts of a table, and its oddities.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what was read")]

use robolog_core::{
    ErrorKind, FixQuality, GnssFix, Severity, format::SurveyBuilder, geodetic::Bounds, text::Escaped,
};

use super::{
    Details, Detector, Epochs, Gga, GgaDetails, Gsv, GsvDetails, Header, Interface, LineKind, Record, Row,
    ScanDetails, TableKind, UtcReading, layout::Epoch,
};

/// Widens a bounding box by the position of a fix. Quality 0 and the zeros of a receiver without a fix are no position.
pub(crate) fn widen(extent: &mut Option<Bounds>, fix: &GnssFix) {
    let is_zero = fix.latitude == 0.0 && fix.longitude == 0.0;
    if fix.quality != FixQuality::None && !is_zero {
        *extent = Bounds::with(*extent, fix.latitude, fix.longitude);
    }
}

fn up(n: &mut u64) {
    *n += 1;
}

/// Counts lines.
#[derive(Debug)]
pub(super) struct Counts {
    details: Details,
    lines: u64,
    span: Option<(i64, i64)>,
    detector: Detector,
    /// The first row with a time of day.
    first_utc: Option<(i64, f64)>,
    epochs: Epochs,
    /// Offset of the last row.
    at: u64,
}

/// Maximum number of values of a column counted separately.
const VALUES: usize = 64;

impl Counts {
    pub(super) fn new(header: &Header, notes: &mut SurveyBuilder) -> Self {
        if header.kind == TableKind::Unknown {
            let message = "neither the name nor the first rows tell which table this is";
            notes.find(Severity::Warning, "kind-unknown", 0, message);
        }
        if let Some(names) = &header.names {
            check_names(header.kind, names, notes);
        }
        let details = Details {
            table: header.kind,
            kind_from: header.kind_from,
            columns: header.kind.columns().iter().map(|f| f.name.clone().into_owned()).collect(),
            header: described(header),
            gga: (header.kind == TableKind::Gga).then(GgaDetails::default),
            gsv: (header.kind == TableKind::Gsv).then(GsvDetails::default),
            scan: (header.kind == TableKind::Scan).then(ScanDetails::default),
            ..Details::default()
        };
        Self {
            details,
            lines: header.lines,
            span: None,
            detector: Detector::default(),
            first_utc: None,
            epochs: Epochs::default(),
            at: 0,
        }
    }

    /// Counts a line. Returns its row, if it is a sound one.
    pub(super) fn line(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) -> Option<Row> {
        up(&mut self.lines);
        let mut row = None;
        match record.kind() {
            LineKind::Row => row = self.row(record, notes),
            LineKind::Count => {
                if let Some(scan) = &mut self.details.scan {
                    scan.claimed = scan.claimed.or(record.count());
                }
            }
            LineKind::Header => {
                let message = format_args!("line {}: a header among the rows", self.lines);
                notes.find(Severity::Warning, "header-inside", record.offset(), message);
            }
            LineKind::Comment => up(&mut self.details.comments),
            LineKind::Blank => up(&mut self.details.blank_lines),
        }
        if !record.bytes().ends_with(b"\n") {
            let message = "the last line has no end: its last number may be torn";
            notes.find(Severity::Note, "no-newline", record.offset(), message);
        }
        row
    }

    /// Counts what is pending at the end.
    pub(super) fn finish(&mut self, notes: &mut SurveyBuilder) {
        if let Some(epoch) = self.epochs.finish() {
            self.epoch(&epoch, notes);
        }
        self.finish_gga(notes);
        if let Some(ScanDetails { claimed: Some(claimed), found }) = self.details.scan
            && u64::try_from(claimed) != Ok(found)
        {
            let message = format_args!("header claims {claimed} impacts, found {found}");
            notes.find(Severity::Warning, "impacts", 0, message);
        }
        self.details.rate_hz = self.span.and_then(|(first, last)| rate(self.details.rows, first, last));
    }

    pub(super) fn details(mut self, header: &Header) -> Details {
        let interface = Interface {
            id: header.interface.clone(),
            kind: header.kind.name().to_owned(),
            rows: self.details.rows,
            files: 1,
        };
        self.details.interfaces = vec![interface];
        self.details
    }

    fn row(&mut self, record: &Record<'_>, notes: &mut SurveyBuilder) -> Option<Row> {
        up(&mut self.details.rows);
        self.at = record.offset();
        let row = match record.row() {
            Ok(Some(row)) => row,
            Ok(None) => return None,
            Err(error) => {
                up(&mut self.details.odd_rows);
                let what = match error.kind() {
                    ErrorKind::Text { expected, found, column } => {
                        format!("line {}, column {column}: \"{found}\" is not {expected}", self.lines)
                    }
                    _ => format!("line {}: {error}", self.lines),
                };
                notes.find(Severity::Error, "odd-row", error.offset(), what);
                return None;
            }
        };
        if let Some(rtime) = row.rtime() {
            self.time(rtime, record.offset(), notes);
        }
        match &row {
            Row::Gga(row) => self.gga(row),
            Row::Gsv(row) => self.gsv(row, notes),
            Row::CameraDate(row) if !row.adds_up() => {
                let message = format_args!(
                    "line {}: {} is not {} + {}",
                    self.lines, row.acquired, row.rtime, row.latency
                );
                notes.find(Severity::Warning, "latency", record.offset(), message);
            }
            Row::Impact(_) => {
                if let Some(scan) = &mut self.details.scan {
                    up(&mut scan.found);
                }
            }
            _ => {}
        }
        Some(row)
    }

    fn time(&mut self, rtime: i64, at: u64, notes: &mut SurveyBuilder) {
        if let Some(last) = self.details.last_rtime.filter(|last| rtime < *last) {
            up(&mut self.details.out_of_order);
            let message = format_args!("line {}: {rtime} us follows {last} us", self.lines);
            notes.find(Severity::Note, "time-backwards", at, message);
        }
        self.details.first_rtime.get_or_insert(rtime);
        self.details.last_rtime = Some(rtime);
        let (first, last) = self.span.unwrap_or((rtime, rtime));
        self.span = Some((first.min(rtime), last.max(rtime)));
    }

    fn gga(&mut self, row: &Gga) {
        self.detector.push(row.utc_time);
        self.first_utc.get_or_insert((row.rtime, row.utc_time));
        widen(&mut self.details.extent, &row.fix());
        let Some(gga) = &mut self.details.gga else { return };
        if row.age().is_none() {
            up(&mut gga.without_age);
        }
        if gga.qualities.len() < VALUES || gga.qualities.contains_key(&row.quality_code) {
            up(gga.qualities.entry(row.quality_code).or_default());
        }
    }

    fn gsv(&mut self, row: &Gsv, notes: &mut SurveyBuilder) {
        for epoch in self.epochs.push(row).into_iter().flatten() {
            self.epoch(&epoch, notes);
        }
    }

    fn epoch(&mut self, epoch: &Epoch, notes: &mut SurveyBuilder) {
        let Some(gsv) = &mut self.details.gsv else { return };
        let satellites = &epoch.satellites.satellites;
        let idle = satellites.iter().filter(|s| s.snr.is_none()).count();
        up(&mut gsv.epochs);
        gsv.satellites += satellites.len() as u64;
        gsv.not_tracked += idle as u64;
        gsv.dropped = gsv.dropped.saturating_add(epoch.dropped());
        if epoch.dropped() > 0 {
            let message = format_args!(
                "line {}: {} satellites in view, {} listed: the logger drops the fourth of a sentence; the NMEA file has all",
                self.lines,
                epoch.in_view,
                satellites.len()
            );
            notes.find(Severity::Warning, "satellites-dropped", self.at, message);
        }
    }

    fn finish_gga(&mut self, notes: &mut SurveyBuilder) {
        let Some(gga) = &mut self.details.gga else { return };
        gga.utc_time = self.detector.reading();
        if let Some((rtime, utc)) = self.first_utc {
            #[expect(clippy::cast_precision_loss, reason = "a microsecond is enough for a time of day")]
            let since = rtime as f64 / 1e6;
            gga.start_of_day_s = gga.utc_time.seconds_of_day(utc).map(|seconds| seconds - since);
            if gga.utc_time == UtcReading::Ambiguous {
                let message = "utc_time fits seconds of the day and hhmmss: ambiguous, assumed seconds";
                notes.find(Severity::Note, "utc-time", 0, message);
            }
        }
    }
}

/// Rows per second.
#[expect(clippy::cast_precision_loss, reason = "a rate is for a person")]
fn rate(rows: u64, first: i64, last: i64) -> Option<f64> {
    let span = last.checked_sub(first).filter(|span| *span > 0)?;
    Some(rows.checked_sub(1)? as f64 * 1e6 / span as f64)
}

fn described(header: &Header) -> Option<String> {
    let version = header.version.as_ref().map(|v| format!("Version {}", Escaped(v)));
    let names = header.names.as_ref().map(|n| Escaped(n).to_string());
    match (version, names) {
        (Some(version), Some(names)) => Some(format!("{version}\n{names}")),
        (version, names) => version.or(names),
    }
}

/// Columns are read by position: names in another order mean that they are read wrongly.
fn check_names(kind: TableKind, names: &[u8], notes: &mut SurveyBuilder) {
    let given = names.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
    let columns = kind.columns();
    let same = given.clone().count() == columns.len()
        && given.zip(columns).all(|(given, field)| given.eq_ignore_ascii_case(field.name.as_bytes()));
    if !same {
        let message = format_args!(
            "the names of the columns are not those of a {kind} table, by whose order they are read"
        );
        notes.find(Severity::Warning, "columns", 0, message);
    }
}
