//! Sentences to samples, counts and splits.
//!
//! | channel | sentences | value |
//! |---|---|---|
//! | `fix` | GGA, GNS, RMC, GLL; VTG, GSA | a GNSS fix for each moment |
//! | `satellites` | GSV | the satellites in view, for each epoch |
//! | `heading` | HDT | radians clockwise from true north |
//! | `errors` | GST | a row |
//! | the type | all others | the sentence as text |
//!
//! A fix has the position of the best sentence of its moment: GGA before GNS, RMC, GLL. Of several GGA of one moment,
//! each of another talker, the one with the best quality counts, and the first of these; its `talkers` are those of all
//! its sentences. The same talker's next GGA is the next fix. The altitude above the ellipsoid is GGA's altitude above
//! the sea and GGA's separation of the geoid; if the receiver does not give the separation, only `altitude_msl` is
//! known. Speed and course are RMC's, or VTG's without one. VTG and GSA have no time: they complete the fix before
//! them. GST of the same time gives the fix a covariance, from its errors in latitude, longitude and altitude, which
//! are assumed to be independent. The satellites have the last time before them.
//!
//! A position of quality 0 is a sample whose quality is [`FixQuality::None`].
//!
//! Times are Unix time if a date is known: see [`Header::date`](super::Header::date). Otherwise they are on the
//! relative clock, from midnight UTC of the log's first day. Each midnight passed adds a day.

mod carry;
mod count;

use std::{ops::Range, sync::Arc};

use robolog_core::{
    ChannelNames, Columns as _, FixQuality, GnssFix, Notes, Out, ReorderBound, Result, Row, Sample,
    Timestamp, Value, geodetic::Bounds,
};

pub use self::count::Details;
use self::{carry::Carried, count::Counts};
use super::{
    Date, Decimal, Gga, Gst, Header, Message, Nmea, Record, Sentence, SkyView, Time, Vtg,
    epoch::{Epoch, Stamp},
    fix::{Covariance, Pending, Talkers, covariance, quality, radians},
    groups::Sky,
    record::{ERRORS, FIX, HEADING, SATELLITES},
};

/// Options for decoding sentences.
///
/// ```
/// use robolog_nmea::{Date, Options};
/// let mut options = Options::default();
/// options.date = Date::new(2024, 5, 17); // of a log that holds times of day alone
/// let samples = robolog_nmea::open_with("examples/types.nmea", &options)?.samples_with(options);
/// assert!(samples.flatten().count() > 0);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// First day of the log; `None` searches the log for a date.
    pub date: Option<Date>,
}

/// Makes samples and counts of sentences: see [`robolog_core::Decoder`] and [`robolog_core::Sampling`].
///
/// ```
/// use robolog_nmea::{Decoder, Error, Options, Reader, robolog_core::{Sample, Sampling}};
///
/// let log = b"$GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E\r\n$GPHDT,92.5,T\r\n";
/// let reader = Reader::new(log)?;
/// let mut decoder = Decoder::new(reader.header(), Options::default());
/// let mut channels = Vec::new();
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     channels.push(sample.channel.to_string());
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     decoder.push(&record?, &mut sink)?;
/// }
/// decoder.finish(&mut sink)?;
/// assert_eq!(channels, ["heading", "fix"]);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    epoch: Epoch,
    pending: Option<Pending>,
    covariance: Covariance,
    sky: SkyView,
    channels: ChannelNames,
    frame_id: Arc<str>,
    counts: Counts,
    carried: Carried,
}

/// Maximum number of channels kept by name.
const CHANNELS: usize = 1 << 12;
/// The rank of GGA among sentences with a position.
const GGA: u8 = 4;
/// Metres per second of one knot.
const KNOT: f64 = 1852.0 / 3600.0;
/// Sentences of a moment follow each other.
const ORDER: ReorderBound = ReorderBound { order: 10 * SECOND, reach: 60 * SECOND };
const SECOND: i64 = 1_000_000_000;

impl robolog_core::Decoder for Decoder {
    type Format = Nmea;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = *header;
        if let Some(date) = options.date {
            header.set_date(date);
        }
        let epoch = header.epoch();
        Self {
            epoch,
            pending: None,
            covariance: None,
            sky: SkyView::new(),
            channels: ChannelNames::new(CHANNELS),
            frame_id: "gnss".into(),
            counts: Counts::new(&header),
            carried: Carried::new(epoch),
        }
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Out<'_>) -> Result<()> {
        let message = if let Some(notes) = out.notes() {
            self.counts.record(record, notes);
            let Some(sentence) = record.whole() else {
                notes.stamp(self.epoch.now().filter(|_| record.sentence().is_some()));
                return Ok(());
            };
            self.counts.fields(sentence, notes)
        } else if let Some(damage) = record.damage() {
            return Err(damage);
        } else {
            record.message()
        };
        let Some(sentence) = record.sentence() else { return Ok(()) };
        let before = self.epoch;
        self.sentence(record, sentence, message.as_ref(), out)?;
        if let Some(notes) = out.notes() {
            notes.stamp(self.epoch.now());
        } else if let (Some(range), Some(message)) = (out.range(), &message) {
            self.carry_to(range, sentence, message, &before);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<()> {
        self.flush(out)?;
        self.sky.finish().map_or(Ok(()), |sky| self.sky(sky, out))
    }

    fn carry(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        self.carried.ranges(&self.epoch)
    }

    /// Without a date, days are counted from the first sentence.
    fn order(&self) -> Option<ReorderBound> {
        self.carried.has_fix.then_some(ORDER)
    }

    /// Of a sentence whose date counts regardless of the sentences before it.
    fn span(&self, record: &Record<'_>) -> Option<(Timestamp, Timestamp)> {
        if record.damage().is_some() {
            return None;
        }
        let message = record.message().filter(|message| matches!(message, Message::Rmc(_)))?;
        let now = Epoch::default().begin(&message)?;
        Some((now, now))
    }

    /// Epochs before the first date may be earlier.
    fn knows_start(&self) -> bool {
        false
    }

    fn details(self, notes: &mut Notes) -> (String, Details) {
        ("NMEA 0183".to_owned(), self.counts.finish(self.epoch.now().is_some(), notes))
    }
}

impl Decoder {
    /// Keeps a sentence that another decoder needs; `before` is the time before it.
    fn carry_to(
        &mut self,
        range: Range<u64>,
        sentence: &Sentence<'_>,
        message: &Message<'_>,
        before: &Epoch,
    ) {
        let at = Some(sentence.offset());
        let begins_fix = self.pending.as_ref().map(|pending| pending.offset) == at;
        let begins_sky = self.sky.offset() == at;
        self.carried.push(range, message, (before, &self.epoch), (begins_fix, begins_sky));
    }

    /// Delivers the samples of a whole sentence.
    fn sentence(
        &mut self,
        record: &Record<'_>,
        sentence: &Sentence<'_>,
        message: Option<&Message<'_>>,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let offset = record.offset();
        let talker = sentence.talker().as_bytes().first_chunk().copied().unwrap_or(*b"  ");
        let Some(message) = message else {
            if out.notes().is_some() && !self.counts.is_listed {
                return Ok(());
            }
            let text = String::from_utf8_lossy(record.bytes().trim_ascii_end()).into_owned();
            return self.deliver(sentence.kind(), Value::Text(text), self.epoch.now(), offset, out);
        };
        self.epoch.push(message);
        let now = self.epoch.now();
        match message {
            Message::Gga(gga) => self.gga(gga, talker, offset, out)?,
            Message::Gns(gns) => {
                let fix = self.at(gns.time, talker, 3, offset, out)?;
                if fix.place(3, gns.latitude, gns.longitude, gns.quality()) {
                    fix.heights(gns.altitude, gns.separation, gns.satellites, gns.hdop);
                    fix.corrections(gns.age, gns.station);
                }
            }
            Message::Rmc(rmc) => {
                let fix = self.at(rmc.time, talker, 2, offset, out)?;
                let quality = quality(rmc.status, rmc.mode);
                fix.place(2, rmc.latitude, rmc.longitude, quality);
                fix.fix.speed = rmc.speed.map(|knots| knots.as_f64() * KNOT).or(fix.fix.speed);
                fix.fix.course = rmc.course.map(radians).or(fix.fix.course);
            }
            Message::Gll(gll) => {
                let fix = self.at(gll.time, talker, 1, offset, out)?;
                fix.place(1, gll.latitude, gll.longitude, quality(gll.status, gll.mode));
            }
            Message::Vtg(vtg) => self.vtg(vtg),
            Message::Gsa(gsa) => {
                if let Some(Pending { fix, .. }) = &mut self.pending {
                    fix.pdop = gsa.pdop.map(Decimal::as_f64).or(fix.pdop);
                    fix.vdop = gsa.vdop.map(Decimal::as_f64).or(fix.vdop);
                    fix.hdop = fix.hdop.or(gsa.hdop.map(Decimal::as_f64));
                }
            }
            Message::Gsv(gsv) => {
                if let Some(sky) = self.sky.push(sentence, gsv, now) {
                    self.sky(sky, out)?;
                }
            }
            Message::Hdt(hdt) => {
                if let Some(heading) = hdt.heading {
                    self.deliver(HEADING, Value::Scalar(radians(heading)), now, offset, out)?;
                }
            }
            Message::Gst(gst) => {
                let of_day = gst.time.map(Time::since_midnight);
                let is_over =
                    |fix: &Pending| of_day.is_some() && of_day != fix.of_day.map(Time::since_midnight);
                if self.pending.as_ref().is_some_and(is_over) {
                    self.flush(out)?;
                }
                self.covariance = covariance(gst).map(|covariance| (of_day, covariance)).or(self.covariance);
                if let Some(pending) = &mut self.pending {
                    pending.cover(self.covariance);
                }
                let row = errors(gst);
                self.deliver(ERRORS, Value::Row(row), now, offset, out)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Decoder {
    /// The time of the last sentence with one.
    pub(super) fn now(&self) -> Option<Timestamp> {
        self.epoch.now()
    }

    /// The current day and time of day.
    pub(super) fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Continues with another log that begins at this day and time of day.
    pub(super) fn go_on(&mut self, epoch: Epoch) {
        self.epoch = epoch;
    }

    /// Follows the time of the next record in advance. Pushing that record later changes nothing.
    pub(super) fn look_ahead(&mut self, record: &Record<'_>) {
        if let Some(message) = record.message() {
            self.epoch.push(&message);
        }
    }

    /// The time of the sample that `record`, the last one, belongs to.
    pub(super) fn time_of(&self, record: &Record<'_>) -> Option<Timestamp> {
        let of_sample = match (record.channel(), &self.pending) {
            (FIX, Some(pending)) => pending.time,
            (SATELLITES, _) => self.sky.time(),
            _ => None,
        };
        of_sample.or(self.now())
    }

    /// Whether no sample is incomplete before `record`, the next one.
    pub(super) fn rests_before(&self, record: &Record<'_>) -> bool {
        let message = record.message();
        let stamp = message.as_ref().map(Stamp::of).unwrap_or_default();
        let mut epoch = self.epoch;
        epoch.apply(stamp);
        let sky_rests = self.sky.is_empty() || stamp.time.is_some() && self.sky.is_over_at(epoch.now());
        let of_day = stamp.time.map(Time::since_midnight);
        let is_gga = matches!(message, Some(Message::Gga(_)));
        let is_fix = is_gga || matches!(message, Some(Message::Gns(_) | Message::Rmc(_) | Message::Gll(_)));
        let talker = record.sentence().and_then(|s| s.talker().as_bytes().first_chunk().copied());
        let fix_rests = match &self.pending {
            Some(pending) if is_fix => !pending.goes_on(stamp.time, talker.unwrap_or(*b"  "), is_gga),
            // A covariance may come before its fix.
            Some(pending) if matches!(message, Some(Message::Gst(_))) => {
                of_day.is_some() && of_day != pending.of_day.map(Time::since_midnight)
            }
            Some(_) => false,
            None => true,
        };
        let is_awaited =
            self.covariance.is_some_and(|(at, _)| at.is_some() && (of_day.is_none() || at == of_day));
        sky_rests && fix_rests && !is_awaited
    }

    /// The fix of this time of day: the pending one, or a new one. A second GGA of the same talker starts a new fix.
    fn at(
        &mut self,
        time: Option<Time>,
        talker: [u8; 2],
        rank: u8,
        offset: u64,
        out: &mut Out<'_>,
    ) -> Result<&mut Pending> {
        let goes_on = self.pending.as_ref().is_some_and(|pending| pending.goes_on(time, talker, rank == GGA));
        if !goes_on {
            self.flush(out)?;
            // A waiting covariance is for the next fix only.
            let of_day = time.map(Time::since_midnight);
            self.covariance = self.covariance.filter(|(at, _)| *at == of_day);
        }
        let time_now = if time.is_some() { self.epoch.now() } else { None };
        let covariance = self.covariance;
        let pending = self.pending.get_or_insert_with(|| {
            let mut pending = Pending {
                time: time_now,
                of_day: time,
                offset,
                rank: 0,
                talkers: Talkers::default(),
                gga_talkers: Talkers::default(),
                fix: GnssFix::default(),
            };
            pending.cover(covariance);
            pending
        });
        pending.talkers.add(talker);
        if rank == GGA {
            pending.gga_talkers.add(talker);
        }
        Ok(pending)
    }

    fn gga(&mut self, gga: &Gga<'_>, talker: [u8; 2], offset: u64, out: &mut Out<'_>) -> Result<()> {
        let quality = gga.quality.map_or(FixQuality::Unknown, |n| FixQuality::from_gga(n.into()));
        let pending = self.at(gga.time, talker, GGA, offset, out)?;
        if pending.place(GGA, gga.latitude, gga.longitude, quality) {
            pending.heights(gga.altitude, gga.separation, gga.satellites, gga.hdop);
            pending.corrections(gga.age, gga.station);
        }
        Ok(())
    }

    fn vtg(&mut self, vtg: &Vtg) {
        let Some(Pending { fix, .. }) = &mut self.pending else { return };
        let knots = vtg.speed.map(|knots| knots.as_f64() * KNOT);
        let speed = knots.or(vtg.speed_kmh.map(|kmh| kmh.as_f64() / 3.6));
        fix.speed = fix.speed.or(speed);
        fix.course = fix.course.or(vtg.course.map(radians));
    }

    /// Delivers the pending fix if it has a position.
    fn flush(&mut self, out: &mut Out<'_>) -> Result<()> {
        match self.pending.take() {
            Some(Pending { time, offset, rank: 1.., talkers, mut fix, .. }) => {
                fix.talkers = talkers.to_text();
                if out.notes().is_some() && fix.quality != FixQuality::None {
                    let extent = &mut self.counts.details.extent;
                    *extent = Bounds::with(*extent, fix.latitude, fix.longitude);
                }
                self.deliver(FIX, Value::GnssFix(fix), time, offset, out)
            }
            _ => Ok(()),
        }
    }

    fn sky(&mut self, sky: Sky, out: &mut Out<'_>) -> Result<()> {
        // Its satellites are counted by their systems.
        if out.count(SATELLITES, "satellites", 1, sky.time) {
            return Ok(());
        }
        self.deliver(SATELLITES, Value::Satellites(sky.satellites), sky.time, sky.offset, out)
    }

    fn deliver(
        &mut self,
        channel: &str,
        value: Value,
        time: Option<Timestamp>,
        offset: u64,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let channel = self.channels.share(channel.as_bytes());
        out.sample(&mut Sample { time, offset, channel, frame_id: self.frame_id.clone(), value })
    }
}

robolog_core::row! {
    /// Errors of a fix: GST.
    struct Errors {
        rms: Option<f64> ["m"],
        semi_major: Option<f64> ["m"],
        semi_minor: Option<f64> ["m"],
        latitude: Option<f64> ["m"],
        longitude: Option<f64> ["m"],
        altitude: Option<f64> ["m"],
        orientation: Option<f64> ["rad"],
    }
}

fn errors(gst: &Gst) -> Row {
    let metres = |value: Option<Decimal>| value.map(Decimal::as_f64);
    let row = Errors {
        rms: metres(gst.rms),
        semi_major: metres(gst.semi_major),
        semi_minor: metres(gst.semi_minor),
        latitude: metres(gst.latitude),
        longitude: metres(gst.longitude),
        altitude: metres(gst.altitude),
        orientation: gst.orientation.map(radians),
    };
    row.into_row()
}
