//! Sensor logs of the University of Koblenz.

mod payload;

use std::{
    collections::{HashMap, HashSet},
    io::{BufReader, BufWriter, Seek, Write},
    sync::Arc,
};

use ::koblenz_log::{Header, ImageData, Payload, Writer, layout::Gps, reindex};
use robolog_core::{Clock, Sample, Timestamp, Value};

use self::payload::{attitude, date_of, gps, laser, picture, vehicle};
use super::{Holds, Lacks, Need, TargetSpec, takes};
use crate::{
    Error, Outcome, Result, Sink,
    spool::{Spool, Spools},
};

/// Sensor logs of the University of Koblenz.
pub static KOBLENZ_LOG: TargetSpec = TargetSpec {
    name: "koblenz-log",
    extensions: &["log"],
    about: "a sensor log of the University of Koblenz",
    holds: Holds::Messages,
    lacks: Lacks::MEASURED.and(Lacks::ATTRIBUTES).and(Lacks::RECEIVER),
    needs: &[Need::Start],
    takes: |sample, _| sample.time.is_some() && has_message(&sample.value),
    instead: takes::no_advice,
    open: |out, opening| Ok(Box::new(KoblenzLog::with_spools(out, opening.options.spools)?)),
};

const fn has_message(value: &Value) -> bool {
    matches!(value, Value::LaserScan(_) | Value::Image(_) | Value::GnssFix(_) | Value::Imu(_) | Value::Row(_))
}

/// Cameras without their own number get one below this.
const CAMERAS: i32 = 1 << 10;

/// Writes scans, pictures, fixes, IMU samples and vehicle values as messages of a Koblenz log.
///
/// | kind | message | content |
/// |---|---|---|
/// | laser scans | `LaserRange2DDataM` | millimetres; 0 for invalid ranges. The log has no angles: only scans with the angles of a URG-04LX or UTM-30LX. No intensities. |
/// | images | `ImageM` | JPEG and PNG files unchanged, 8-bit pixels; the camera's number is that of `camera/N` or the next free one |
/// | GNSS fixes | `GPSDataM` | the receiver's date in whole seconds, if the time is Unix time. The height above the ellipsoid needs the height above sea level. |
/// | imu | `RobotPoseM` | samples with orientation and acceleration; single precision, no angular rates |
/// | rows | `OBDDataM` | only rows with the same fields |
/// | rows | `GPSDataM` | date, warning and quality of a receiver, as in a Koblenz log: merged with the preceding fix of the same time, or alone |
///
/// Poses and odometry are left out because no message has a position, and points because the log stores Velodyne
/// packets. Messages are stamped in milliseconds: of the relative clock unchanged, of other clocks since the start of
/// the recording. Samples without a time, or on another clock than the first, are left out.
///
/// Messages are kept in a temporary file because the index precedes them; its entries count from the first message.
#[derive(Debug)]
pub struct KoblenzLog<W> {
    out: W,
    writer: Option<Writer<BufWriter<Spool>>>,
    start: Option<Timestamp>,
    zero: Option<Timestamp>,
    cameras: HashMap<Arc<str>, i32>,
    numbers: HashSet<i32>,
    ranges: Vec<u8>,
    /// A fix that may still get the row with the receiver's date, with its stamp in the log.
    fix: Option<(Timestamp, f64, Gps)>,
}

impl<W: Write + Seek> KoblenzLog<W> {
    /// Creates a log on `out`. Returns an error if the temporary file cannot be created.
    pub fn new(out: W) -> Result<Self> {
        Self::with_spools(out, Spools::default())
    }

    /// Creates a log with its temporary file in `spools`.
    pub fn with_spools(out: W, spools: Spools) -> Result<Self> {
        let spool = BufWriter::new(spools.open()?);
        let writer = Writer::new(spool, &Header::new(0)).map_err(Error::written)?;
        Ok(Self {
            out,
            writer: Some(writer),
            start: None,
            zero: None,
            cameras: HashMap::new(),
            numbers: HashSet::new(),
            ranges: Vec::new(),
            fix: None,
        })
    }

    /// Completes the log and returns the target; `None` after a failure.
    pub fn into_inner(mut self) -> Result<Option<W>> {
        self.end_fix()?;
        let Some(writer) = self.writer else { return Ok(None) };
        let spool = writer.finish().map_err(Error::written)?;
        let mut file = spool.into_inner().map_err(|e| Error::Write(e.into_error()))?;
        file.rewind()?;
        let (mut out, _) = reindex(BufReader::new(file), self.out).map_err(Error::written)?;
        out.flush()?;
        Ok(Some(out))
    }

    /// Milliseconds since the zero set by the first message; `None` on another clock.
    fn milliseconds(&mut self, time: Timestamp) -> Option<f64> {
        let start = self.start.filter(|start| start.clock() == time.clock());
        let is_relative = time.clock() == Clock::Relative;
        let zero = if is_relative { Timestamp::new(0, Clock::Relative) } else { start.unwrap_or(time) };
        let nanos = time.since(*self.zero.get_or_insert(zero))?;
        #[expect(clippy::cast_precision_loss, reason = "the log's times are doubles")]
        Some(nanos as f64 / 1e6)
    }

    /// Returns the number of a camera; `None` if there are too many.
    fn camera(&mut self, channel: &Arc<str>) -> Option<i32> {
        if let Some(number) = self.cameras.get(channel) {
            return Some(*number);
        }
        let own = channel.strip_prefix("camera/").and_then(|number| number.parse().ok());
        let free = own.into_iter().chain(0..CAMERAS).find(|number| self.numbers.insert(*number));
        self.cameras.insert(Arc::clone(channel), free?);
        free
    }

    /// Writes the pending fix, if any.
    fn end_fix(&mut self) -> Result<()> {
        let Some((_, milliseconds, gps)) = self.fix.take() else { return Ok(()) };
        self.message(milliseconds, &Payload::Gps(gps)).map(drop)
    }

    /// Writes a receiver's date, merged with the fix of the same message if there is one.
    fn receiver_time(&mut self, time: Timestamp, date: impl Fn(Gps) -> Gps) -> Result<Outcome> {
        if let Some((_, milliseconds, gps)) = self.fix.take_if(|(stamp, ..)| *stamp == time) {
            return self.message(milliseconds, &Payload::Gps(date(gps)));
        }
        self.end_fix()?;
        let Some(milliseconds) = self.milliseconds(time) else { return Ok(Outcome::LeftOut) };
        let nowhere = Gps { latitude: f64::NAN, longitude: f64::NAN, ..Gps::default() };
        self.message(milliseconds, &Payload::Gps(date(nowhere)))
    }

    fn message(&mut self, milliseconds: f64, payload: &Payload<'_>) -> Result<Outcome> {
        let Some(writer) = &mut self.writer else { return Ok(Outcome::LeftOut) };
        writer.write_payload(milliseconds, payload).map_err(Error::written)?;
        Ok(Outcome::Written)
    }
}

impl<W: Write + Seek> Sink for KoblenzLog<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.start.get_or_insert(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time else { return Ok(Outcome::LeftOut) };
        if self.zero.is_some_and(|zero| zero.clock() != time.clock()) {
            return Ok(Outcome::LeftOut);
        }
        if let Value::Row(row) = &sample.value
            && let Some(date) = date_of(row)
        {
            return self.receiver_time(time, date);
        }
        self.end_fix()?;
        if let Value::GnssFix(fix) = &sample.value {
            // A Koblenz log has no fixes without a position.
            let has_place = fix.latitude.is_finite() && fix.longitude.is_finite();
            let milliseconds = self.milliseconds(time).filter(|_| has_place);
            let Some(milliseconds) = milliseconds else { return Ok(Outcome::LeftOut) };
            self.fix = Some((time, milliseconds, gps(fix, time)));
            return Ok(Outcome::Written);
        }
        let mut ranges = std::mem::take(&mut self.ranges);
        let payload = match &sample.value {
            Value::LaserScan(scan) => laser(scan, &sample.channel, &mut ranges),
            Value::Image(image) if takes::is_whole(image) => picture(image)
                .zip(self.camera(&sample.channel))
                .map(|(picture, source)| Payload::Image(ImageData { source, ..picture })),
            Value::Imu(imu) => attitude(imu).map(Payload::RobotPose),
            Value::Row(row) => vehicle(row).map(Payload::Obd),
            _ => None,
        };
        let took = match payload {
            Some(payload) => match self.milliseconds(time) {
                Some(milliseconds) => self.message(milliseconds, &payload)?,
                None => Outcome::LeftOut,
            },
            None => Outcome::LeftOut,
        };
        self.ranges = ranges;
        Ok(took)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
