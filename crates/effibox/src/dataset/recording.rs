//! Files of other formats in a data set: the sentences of a receiver, and its tracks.

use std::{
    collections::{HashMap, VecDeque},
    io::{Cursor, Read},
    sync::Arc,
};

use robolog_core::{
    Clock, Error, ErrorKind, Event, Finding, Limits, Sample, Severity, StreamReader, Value,
    format::{Decoder as _, Recording, SurveyBuilder},
    text::without_numbers,
};

use super::{
    Dataset, Interface,
    event::Pending,
    fault::{Fault, Result},
    feed::{Clocks, Steps, keep},
    sentences::Dates,
};
use crate::{
    gpx::{self, Gpx, Utf8Reader},
    kml::{self, Kml, read_kmz},
    nmea::{self, Checksum, Nmea},
};

/// A track or the sentences of an interface, as samples of the data set.
struct Other<R, F: TrackFormat> {
    path: String,
    reader: StreamReader<R, F>,
    decoder: F::Decoder,
    survey: Option<(F::Decoder, SurveyBuilder)>,
    context: Context,
    faults: u64,
}

/// Facts from the data set that the file lacks.
struct Context {
    /// Prefix of channel names.
    prefix: String,
    channels: HashMap<Arc<str>, Arc<str>>,
    /// The antenna's frame, if known.
    frame: Option<Arc<str>>,
    clocks: Clocks,
    /// Reception times of sentences. Tracks have times of their own.
    dates: Option<Dates>,
}

impl Context {
    fn take<F: TrackFormat>(&mut self, sample: &mut Sample, pending: &mut VecDeque<Pending>) {
        sample.time = match &self.dates {
            Some(dates) => dates.rtime(sample.offset).and_then(|rtime| self.clocks.at(rtime)),
            None => sample
                .time
                .filter(|time| !(F::COUNTS_FROM_MIDNIGHT && time.clock() == Clock::Relative))
                .and_then(|time| self.clocks.settle(time)),
        };
        if let Value::GnssFix(fix) = &mut sample.value
            && F::IS_OF_ELLIPSOID
        {
            fix.altitude = fix.altitude_msl.take().or(fix.altitude);
        }
        // A position of a feature has a height above the sea or none; the table has these.
        if let Value::Feature(feature) = &mut sample.value
            && F::IS_OF_ELLIPSOID
        {
            feature.geometry.for_each_mut(&mut |position| position.altitude_msl = None);
        }
        keep(sample, pending);
        // The decoder continues with its own names.
        let Some(Pending::Sample(kept)) = pending.back_mut() else { return };
        kept.channel = self.channel(&sample.channel);
        if let Some(frame) = &self.frame {
            kept.frame_id = Arc::clone(frame);
        }
    }

    fn channel(&mut self, name: &Arc<str>) -> Arc<str> {
        if let Some(channel) = self.channels.get(name) {
            return Arc::clone(channel);
        }
        if self.channels.len() >= CHANNELS {
            self.channels.clear();
        }
        let channel: Arc<str> = format!("{}/{name}", self.prefix).into();
        self.channels.insert(Arc::clone(name), Arc::clone(&channel));
        channel
    }
}

/// Maximum number of channel names remembered.
const CHANNELS: usize = 1 << 12;

/// Kind of a recording, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordingKind {
    Sentences,
    Gpx,
    Kml,
    Kmz,
}

impl RecordingKind {
    /// The kind of a track.
    pub(super) fn of_track(path: &str) -> Self {
        match path.rsplit('.').next() {
            Some("kmz") => Self::Kmz,
            Some("kml") => Self::Kml,
            _ => Self::Gpx,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Sentences => "nmea",
            Self::Gpx => "gpx",
            Self::Kml | Self::Kmz => "kml",
        }
    }
}

/// All tracks of an interface, and its sentences.
pub(super) fn of_interface(interface: &Interface) -> impl Iterator<Item = (&str, RecordingKind)> {
    let sentences = interface.sentences.iter().map(|path| (path.as_str(), RecordingKind::Sentences));
    sentences.chain(interface.tracks.iter().map(|path| (path.as_str(), RecordingKind::of_track(path))))
}

/// Opens a recording; `dates` are the rows with the reception times of its sentences.
pub(super) fn open<'a>(
    dataset: &Dataset,
    interface: &Interface,
    (path, kind): (&str, RecordingKind),
    mut bytes: impl Read + 'a,
    dates: Option<Dates>,
    clocks: Clocks,
) -> Result<Box<dyn Steps + 'a>> {
    let name = kind.name();
    let several = of_interface(interface).filter(|(_, other)| other.name() == name).count() > 1;
    let file = path.rsplit('/').next().unwrap_or(path);
    let label = &interface.label;
    let prefix = if several { format!("{label}/{file}") } else { format!("{label}/{name}") };
    let frame = interface.mount().map(|mount| mount.alias.into());
    let context = Context { prefix, channels: HashMap::new(), frame, clocks, dates };
    let mut track = gpx::Options::default();
    track.elevation = gpx::Elevation::Ellipsoid;
    Ok(match kind {
        RecordingKind::Sentences => {
            Box::new(Other::<_, Nmea>::new(path, bytes, nmea::Options::default(), context)?)
        }
        RecordingKind::Gpx => Box::new(Other::<_, Gpx>::new(path, Utf8Reader::new(bytes), track, context)?),
        RecordingKind::Kml => {
            Box::new(Other::<_, Kml>::new(path, Utf8Reader::new(bytes), kml::Options::default(), context)?)
        }
        RecordingKind::Kmz => {
            let archive = dataset.whole(path, &mut bytes)?;
            let document = read_kmz(Cursor::new(archive), dataset.limits.file_bytes);
            let document = Utf8Reader::new(Cursor::new(document.map_err(|e| Fault::new(path, e))?));
            Box::new(Other::<_, Kml>::new(path, document, kml::Options::default(), context)?)
        }
    })
}

/// Findings of the recording's own survey: errors, and for sentences all others too. Warnings about tracks are left to
/// a check of the track alone: the data set's tracks have no segments, and the GGA quality in place of the kind of fix.
pub(super) fn survey(
    dataset: &Dataset,
    (path, kind): (&str, RecordingKind),
    bytes: &mut dyn Read,
) -> Result<Vec<Finding>> {
    let failed = |e| Fault::new(path, e);
    let mut found = match kind {
        RecordingKind::Sentences => return findings::<Nmea>(bytes).map_err(failed),
        RecordingKind::Gpx => findings::<Gpx>(Utf8Reader::new(bytes)),
        RecordingKind::Kml => findings::<Kml>(Utf8Reader::new(bytes)),
        RecordingKind::Kmz => {
            let archive = Cursor::new(dataset.whole(path, bytes)?);
            let document = read_kmz(archive, dataset.limits.file_bytes).map_err(failed)?;
            findings::<Kml>(Utf8Reader::new(Cursor::new(document)))
        }
    }
    .map_err(failed)?;
    found.retain(|finding| finding.severity == Severity::Error);
    Ok(found)
}

fn findings<F: Recording>(bytes: impl Read) -> Result<Vec<Finding>, Error> {
    let mut reader = StreamReader::<_, F>::with_limits(bytes, Limits::default())?;
    Ok(robolog_core::survey(&mut reader)?.findings)
}

/// A format of tracks or sentences.
trait TrackFormat: Recording {
    /// Looks up the row of `.dates` for a sentence. Returns an error if the sentence is damaged.
    fn look(record: &Self::Record<'_>, dates: Option<&mut Dates>) -> Result<(), Error> {
        let _ = (record, dates);
        Ok(())
    }

    /// Whether altitudes above the sea in this format are above the ellipsoid here.
    const IS_OF_ELLIPSOID: bool = false;
    /// Whether the format's relative times count from midnight.
    const COUNTS_FROM_MIDNIGHT: bool = false;
}

impl TrackFormat for Gpx {}

impl TrackFormat for Kml {
    // Made from the GPX file, whose elevations are those of the tables.
    const IS_OF_ELLIPSOID: bool = true;
}

impl TrackFormat for Nmea {
    const COUNTS_FROM_MIDNIGHT: bool = true;

    fn look(record: &nmea::Record<'_>, dates: Option<&mut Dates>) -> Result<(), Error> {
        if let Some(dates) = dates {
            dates.sentence(record);
        }
        let Some(sentence) = record.sentence().filter(|_| is_damaged(record)) else { return Ok(()) };
        let at = record.offset();
        Err(match sentence.checksum() {
            Checksum::Wrong { found, expected } => {
                Error::invalid("checksum", format_args!("{found:02X}"), format_args!("{expected:02X}"), at)
            }
            _ => Error::invalid("sentence", "neither checksum nor end", "one of them", at),
        }
        .within("nmea sentence"))
    }
}

/// Whether a sentence is damaged.
pub(super) fn is_damaged(record: &nmea::Record<'_>) -> bool {
    record.sentence().is_some() && record.whole().is_none()
}

impl<R: Read, F: TrackFormat> Other<R, F> {
    fn new(
        path: &str,
        bytes: R,
        options: robolog_core::format::OptionsOf<F>,
        context: Context,
    ) -> Result<Self> {
        let reader = StreamReader::<R, F>::new(bytes).map_err(|e| Fault::new(path, e))?;
        let decoder = F::Decoder::new(reader.header(), options);
        let mut notes = SurveyBuilder::default();
        let mut survey = F::Decoder::new(reader.header(), robolog_core::format::OptionsOf::<F>::default());
        survey.begin(reader.header(), &mut notes);
        Ok(Self { path: path.to_owned(), reader, decoder, survey: Some((survey, notes)), context, faults: 0 })
    }

    fn fault(&mut self, error: Error, pending: &mut VecDeque<Pending>) {
        self.faults += 1;
        pending.push_back(Pending::Fault(Fault::new(&self.path, error)));
    }

    /// Delivers pending samples, and reports errors that only a survey finds, such as a document without an end.
    fn end(&mut self, pending: &mut VecDeque<Pending>) {
        let context = &mut self.context;
        context.dates.iter_mut().for_each(Dates::end);
        let mut take = |sample: &mut Sample| {
            context.take::<F>(sample, pending);
            Ok::<(), Error>(())
        };
        if let Err(e) = self.decoder.last_samples(&mut take) {
            self.fault(e, pending);
        }
        let Some((survey, mut notes)) = self.survey.take().filter(|_| self.faults == 0) else { return };
        let _ = survey.counted(&mut notes);
        for finding in notes.into_summary(String::new(), 0, 0, ()).findings {
            if finding.severity == Severity::Error {
                // The fault has the offset itself.
                let message = without_numbers(&finding.message);
                let error = std::io::Error::new(std::io::ErrorKind::InvalidData, message);
                self.fault(Error::io(error, finding.offset), pending);
            }
        }
    }
}

impl<R: Read, F: TrackFormat> Steps for Other<R, F> {
    fn step(&mut self, pending: &mut VecDeque<Pending>) -> bool {
        let (context, decoder) = (&mut self.context, &mut self.decoder);
        let (outcome, mut ends) = match self.reader.next_event() {
            Ok(Event::Record(record)) => {
                if let Some((survey, notes)) = &mut self.survey {
                    survey.count(&record, notes);
                }
                let looked = F::look(&record, context.dates.as_mut());
                let pushed = decoder.samples(&record, &mut |sample| {
                    context.take::<F>(sample, pending);
                    Ok::<(), Error>(())
                });
                (looked.and(pushed), false)
            }
            Ok(Event::Damage { error, .. }) => (Err(error), false),
            Ok(Event::End) => (Ok(()), true),
            Err(error) => (Err(error), true),
        };
        if let Err(error) = outcome {
            // A failing stream continues to fail.
            ends |= matches!(error.kind(), ErrorKind::Io(_));
            self.fault(error, pending);
        }
        if ends {
            self.end(pending);
        }
        !ends
    }
}
