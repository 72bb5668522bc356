//! Sentences to samples, counts and splits.
//!
//! | channel | sentences | value |
//! |---|---|---|
//! | `fix` | GGA, GNS, RMC, GLL; VTG, GSA | a GNSS fix for each moment |
//! | `satellites` | GSV | the satellites in view, for each epoch |
//! | `heading` | HDT | radians clockwise from true north |
//! | `errors` | GST | a row |
//! | `waypoints` | WPL | a named point |
//! | `routes` | RTE, at the end of the log; each once | a line through its known waypoints |
//! | the type | all others, and RTE | the sentence as text |
//!
//! A fix has the position of the best sentence of its moment: GGA before GNS, RMC, GLL. Of several GGA of one moment,
//! each of another talker, the one with the best quality counts, and the first of these; its `talkers` are those of all
//! its sentences. The same talker's next GGA is the next fix. The altitude above the ellipsoid is GGA's altitude above
//! the sea and GGA's separation of the geoid; if the receiver does not give the separation, only `altitude_msl` is
//! known. Speed and course are RMC's, or VTG's without one. VTG and GSA have no time: they complete the fix before
//! them. GST of the same time gives the fix a covariance, from its errors in latitude, longitude and altitude, which
//! are assumed to be independent. The satellites have the last time before them.
//!
//! A log of several receivers has these channels for each, as `GP/fix`: receivers are told apart by the sources in TAG
//! blocks and prefixes, or by talkers whose times have nothing in common.
//!
//! A position of quality 0 is a sample whose quality is [`FixQuality::None`].
//!
//! Times are Unix time if a date is known: see [`Header::date`](super::Header::date). Otherwise they are on the
//! relative clock, from midnight UTC of the log's first day. Each midnight passed adds a day. The time that a logger
//! wrote beside a sentence, as `c:` in a TAG block or before it, is that of a sentence without one, and gives the date
//! of a log whose sentences have none.

mod carry;
mod clocks;
mod count;
mod errors;
mod follow;
mod group;
mod options;
mod routes;
mod station;

use std::{ops::Range, sync::Arc};

use robolog_core::{
    FixQuality, GnssFix, Result, Timestamp, Value,
    format::{LentByName, ReorderBound, SurveyBuilder, Wanted},
    geodetic::Bounds,
};

use self::{carry::Carried, count::Counts, errors::errors, group::Groups, station::Station};
pub use self::{count::Details, options::Options};
use super::{
    Decimal, Gga, Header, Message, Nmea, Record, Sentence, Time, Vtg,
    epoch::{Epoch, Stamp},
    fix::{GGA, Pending, Talkers, covariance, quality, radians},
    groups::Sky,
    layout::Satellites,
    receivers::Receivers,
    record::{ERRORS, FIX, HEADING, SATELLITES, WAYPOINTS},
    waypoints::{Routes, feature, waypoint},
};

/// Makes samples and counts of sentences: see [`robolog_core::format::Decoder`].
///
/// ```
/// use robolog_nmea::{Decoder, Error, Options, Reader, robolog_core::{Sample, format::Decoder as _}};
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
///     decoder.samples(&record?, &mut sink)?;
/// }
/// decoder.last_samples(&mut sink)?;
/// assert_eq!(channels, ["heading", "fix"]);
/// # Ok::<(), robolog_nmea::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    /// The receiver of the last sentence, and the others.
    station: Station,
    others: Vec<Station>,
    receivers: Receivers,
    groups: Groups,
    /// The time that the last sentence of a group has from its first one.
    of_group: Option<i64>,
    /// Of unknown sentences and routes.
    lent: LentByName,
    counts: Counts,
    carried: Carried,
    routes: Routes,
    lost_fixes: bool,
    /// Whether there are several receivers, or waypoints, or a sentence had its time from another one of its group.
    is_tied: bool,
    /// Whether a sentence had a time beside it, of another clock.
    has_two_clocks: bool,
}

/// Maximum number of channels kept by name.
const CHANNELS: usize = 1 << 12;
/// Metres per second of one knot.
const KNOT: f64 = 1852.0 / 3600.0;
/// Sentences of a moment follow each other.
const ORDER: ReorderBound = ReorderBound { order: 10 * SECOND, reach: 60 * SECOND };
const SECOND: i64 = 1_000_000_000;

impl robolog_core::format::Decoder for Decoder {
    type Format = Nmea;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        let mut header = *header;
        if let Some(date) = options.date {
            header.set_date(date);
        }
        let (epoch, receivers) = (header.epoch(), *header.receivers());
        Self {
            station: Station::new(0, &receivers, epoch),
            others: Vec::new(),
            receivers,
            groups: Groups::default(),
            of_group: None,
            lent: LentByName::new(CHANNELS),
            counts: Counts::new(&header),
            carried: Carried::new(epoch),
            routes: Routes::default(),
            lost_fixes: options.lost_fixes,
            is_tied: !receivers.is_one(),
            has_two_clocks: false,
        }
    }

    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        let message = if let Some(notes) = out.notes() {
            let is_sound = self.counts.record(record, notes);
            let Some(sentence) = record.sentence().filter(|_| is_sound) else {
                notes.stamp(self.station.epoch.now().filter(|_| record.sentence().is_some()));
                return Ok(());
            };
            self.counts.fields(sentence, notes)
        } else if let Some(damage) = record.damage() {
            return Err(damage);
        } else {
            let decode = |sentence| Message::decode_for(sentence, Satellites::InView, &mut None);
            record.sentence().and_then(decode)
        };
        let Some(sentence) = record.sentence() else { return Ok(()) };
        self.turn_to(record);
        let stamp = message.as_ref().map(Stamp::of).unwrap_or_default().beside(self.logged(record));
        let before = self.station.epoch;
        self.sentence(sentence, message.as_ref(), stamp, out)?;
        if let Some(notes) = out.notes() {
            notes.stamp(self.moment(stamp));
            self.counts.times(stamp, self.station.epoch.now(), sentence.offset());
        } else if let (Some(range), Some(message)) = (out.range(), &message) {
            self.carry_to(range, sentence, (message, stamp), &before);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        self.lines(out)?;
        loop {
            self.flush(out)?;
            if let Some(sky) = self.station.sky.finish() {
                let logged = self.station.sky_logged.take();
                self.sky(sky, logged, out)?;
            }
            match self.others.pop() {
                Some(station) => self.station = station,
                None => return Ok(()),
            }
        }
    }

    fn prerequisites(&self, _: &Record<'_>) -> Option<Vec<Range<u64>>> {
        if self.is_tied || self.groups.are_open() { None } else { self.carried.ranges(&self.station.epoch) }
    }

    /// Without a date, days are counted from the first sentence.
    fn reorder_bound(&self) -> Option<ReorderBound> {
        (self.carried.has_fix && !self.has_two_clocks).then_some(ORDER)
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

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        ("NMEA 0183".to_owned(), self.counts.finish(self.station.epoch.now().is_some(), notes))
    }
}

impl Decoder {
    /// Keeps a sentence that another decoder needs; `before` is the time before it.
    fn carry_to(
        &mut self,
        range: Range<u64>,
        sentence: &Sentence<'_>,
        message: (&Message<'_>, Stamp),
        before: &Epoch,
    ) {
        let at = Some(sentence.offset());
        let station = &self.station;
        let begins_fix = station.pending.as_ref().map(|pending| pending.offset) == at;
        let begins_sky = station.sky.offset() == at;
        self.carried.push(range, message, (before, &station.epoch), (begins_fix, begins_sky));
    }

    /// Continues with the receiver of a record.
    #[inline]
    fn turn_to(&mut self, record: &Record<'_>) {
        if !self.receivers.is_one() {
            self.turn(record);
        }
    }

    #[cold]
    fn turn(&mut self, record: &Record<'_>) {
        let Some(number) = self.receivers.of(record).filter(|number| *number != self.station.number) else {
            return;
        };
        let known = self.others.iter().position(|station| station.number == number);
        let next = match known {
            Some(at) => self.others.swap_remove(at),
            None => Station::new(number, &self.receivers, self.station.epoch.before_times()),
        };
        self.others.push(std::mem::replace(&mut self.station, next));
    }

    /// The time beside a sentence, its own or that of its group.
    #[inline]
    fn logged(&mut self, record: &Record<'_>) -> Option<i64> {
        let (bytes, sentence) = (record.bytes(), record.sentence()?);
        // Most sentences stand alone on their line.
        if sentence.bytes().len() == bytes.len() && sentence.behind().len() <= 2 {
            return None;
        }
        let own = record.logged();
        let logged = self.groups.time(own, record.prefix());
        self.of_group = logged.filter(|_| own.is_none());
        self.is_tied |= self.of_group.is_some();
        self.has_two_clocks |= logged.is_some();
        logged
    }

    /// The time of a sentence with this stamp, the last one.
    fn moment(&self, stamp: Stamp) -> Option<Timestamp> {
        let beside = if stamp.time.is_none() { stamp.logged() } else { None };
        beside.or(self.station.epoch.now())
    }

    /// Delivers the samples of a whole sentence.
    fn sentence(
        &mut self,
        sentence: &Sentence<'_>,
        message: Option<&Message<'_>>,
        stamp: Stamp,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let offset = sentence.offset();
        let talker = sentence.talker_bytes().first_chunk().copied().unwrap_or(*b"  ");
        let Some(message) = message else {
            if sentence.kind() == "WPL"
                && let Some(place) = waypoint(sentence)
            {
                self.is_tied = true;
                self.routes.add(&place);
                let value = Value::Feature(Box::new(feature(place)));
                return self.deliver(WAYPOINTS, value, stamp.logged(), offset, out);
            }
            if sentence.kind() == "RTE" {
                self.is_tied = true;
                self.routes.push(sentence);
            }
            if out.notes().is_some() && !self.counts.is_listed {
                return Ok(());
            }
            let text = sentence.bytes().trim_ascii_end();
            let text = text.get(..text.len() - sentence.behind().trim_ascii_end().len()).unwrap_or(text);
            let text = Value::Text(String::from_utf8_lossy(text).into_owned());
            let time = self.moment(stamp);
            return self.deliver_shared(sentence.kind_bytes(), time, offset, text, out);
        };
        self.station.epoch.apply(stamp);
        let now = self.moment(stamp);
        // The last sentence's time is not that of a fix without one.
        let of_fix = now.filter(|_| stamp.time.is_some()).or(stamp.logged());
        match message {
            Message::Gga(gga) => self.gga(gga, of_fix, talker, offset, out)?,
            Message::Gns(gns) => {
                let fix = self.at((gns.time, of_fix), talker, 3, offset, out)?;
                if fix.place(3, gns.latitude, gns.longitude, gns.quality()) {
                    fix.heights(gns.altitude, gns.separation, gns.satellites, gns.hdop);
                    fix.corrections(gns.age, gns.station);
                }
            }
            Message::Rmc(rmc) => {
                let fix = self.at((rmc.time, of_fix), talker, 2, offset, out)?;
                let quality = quality(rmc.status, rmc.mode);
                fix.place(2, rmc.latitude, rmc.longitude, quality);
                fix.fix.speed = rmc.speed.map(|knots| knots.as_f64() * KNOT).or(fix.fix.speed);
                fix.fix.course = rmc.course.map(radians).or(fix.fix.course);
            }
            Message::Gll(gll) => {
                let fix = self.at((gll.time, of_fix), talker, 1, offset, out)?;
                fix.place(1, gll.latitude, gll.longitude, quality(gll.status, gll.mode));
            }
            Message::Vtg(vtg) => self.vtg(vtg),
            Message::Gsa(gsa) => {
                if let Some(Pending { fix, .. }) = &mut self.station.pending {
                    fix.pdop = gsa.pdop.map(Decimal::as_f64).or(fix.pdop);
                    fix.vdop = gsa.vdop.map(Decimal::as_f64).or(fix.vdop);
                    fix.hdop = fix.hdop.or(gsa.hdop.map(Decimal::as_f64));
                }
            }
            Message::Gsv(gsv) => {
                let logged = self.station.sky_logged;
                let own = self.station.epoch.now();
                let ended = self.station.sky.push(sentence, gsv, own);
                if self.station.sky.offset() == Some(sentence.offset()) {
                    self.station.sky_logged = stamp.logged();
                }
                if let Some(sky) = ended {
                    self.sky(sky, logged, out)?;
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
                if self.station.pending.as_ref().is_some_and(is_over) {
                    self.flush(out)?;
                }
                self.station.covariance =
                    covariance(gst).map(|covariance| (of_day, covariance)).or(self.station.covariance);
                if let Some(pending) = &mut self.station.pending {
                    pending.cover(self.station.covariance);
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
    /// The fix of this time of day: the pending one, or a new one. A second GGA of the same talker starts a new fix.
    fn at(
        &mut self,
        (time, now): (Option<Time>, Option<Timestamp>),
        talker: [u8; 2],
        rank: u8,
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<&mut Pending> {
        let goes_on =
            self.station.pending.as_ref().is_some_and(|pending| pending.goes_on(time, talker, rank));
        if !goes_on {
            self.flush(out)?;
            // A waiting covariance is for the next fix only.
            let of_day = time.map(Time::since_midnight);
            self.station.covariance = self.station.covariance.filter(|(at, _)| *at == of_day);
        }
        let station = &mut self.station;
        let covariance = station.covariance;
        let pending = station.pending.get_or_insert_with(|| {
            let mut pending = Pending {
                time: now,
                of_day: time,
                offset,
                rank: 0,
                is_lost: false,
                untimed: 0,
                talkers: Talkers::default(),
                gga_talkers: Talkers::default(),
                first: None,
                apart: 0.0,
                fix: GnssFix::default(),
            };
            pending.cover(covariance);
            pending
        });
        pending.talkers.add(talker);
        pending.untimed |= u8::from(time.is_none()) << rank;
        if rank == GGA {
            pending.gga_talkers.add(talker);
        }
        Ok(pending)
    }

    fn gga(
        &mut self,
        gga: &Gga<'_>,
        now: Option<Timestamp>,
        talker: [u8; 2],
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let quality = gga.quality.map_or(FixQuality::Unknown, |n| FixQuality::from_gga(n.into()));
        let pending = self.at((gga.time, now), talker, GGA, offset, out)?;
        if pending.place(GGA, gga.latitude, gga.longitude, quality) {
            pending.heights(gga.altitude, gga.separation, gga.satellites, gga.hdop);
            pending.corrections(gga.age, gga.station);
        }
        Ok(())
    }

    fn vtg(&mut self, vtg: &Vtg) {
        let Some(Pending { fix, .. }) = &mut self.station.pending else { return };
        let knots = vtg.speed.map(|knots| knots.as_f64() * KNOT);
        let speed = knots.or(vtg.speed_kmh.map(|kmh| kmh.as_f64() / 3.6));
        fix.speed = fix.speed.or(speed);
        fix.course = fix.course.or(vtg.course.map(radians));
    }

    /// Delivers the pending fix if it has a position.
    fn flush(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        match self.station.pending.take() {
            Some(Pending { time, offset, rank: 1.., talkers, apart, mut fix, .. }) => {
                if out.notes().is_none() {
                    fix.talkers = talkers.to_text();
                } else if fix.quality != FixQuality::None {
                    let extent = &mut self.counts.details.extent;
                    *extent = Bounds::with(*extent, fix.latitude, fix.longitude);
                    self.counts.apart(apart, offset);
                }
                self.deliver(FIX, Value::GnssFix(fix), time, offset, out)
            }
            Some(Pending { time, offset, is_lost: true, fix, .. })
                if self.lost_fixes && out.wants_values() =>
            {
                let (latitude, longitude, quality) = (f64::NAN, f64::NAN, FixQuality::None);
                let fix = GnssFix { latitude, longitude, quality, ..fix };
                self.deliver(FIX, Value::GnssFix(fix), time, offset, out)
            }
            _ => Ok(()),
        }
    }

    fn sky(&mut self, sky: Sky, logged: Option<Timestamp>, out: &mut Wanted<'_>) -> Result<()> {
        let time = logged.or(sky.time);
        // Its satellites are counted by their systems.
        if out.count(&self.station.channel(SATELLITES), "satellites", 1, time) {
            return Ok(());
        }
        self.deliver(SATELLITES, Value::Satellites(sky.satellites), time, sky.offset, out)
    }

    /// Delivers a sample of the current receiver.
    fn deliver(
        &mut self,
        channel: &'static str,
        value: Value,
        time: Option<Timestamp>,
        offset: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        self.station.lent(channel).map_or(Ok(()), |lent| lent.deliver(time, offset, value, out))
    }

    /// Delivers a sample of a channel that all receivers share.
    fn deliver_shared(
        &mut self,
        channel: &[u8],
        time: Option<Timestamp>,
        offset: u64,
        value: Value,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let frame_id = &self.station.frame_id;
        let lent = self.lent.of(channel, || Arc::clone(frame_id));
        lent.map_or(Ok(()), |lent| lent.in_frame(frame_id).deliver(time, offset, value, out))
    }
}
