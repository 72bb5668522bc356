//! Velodyne packets in a Koblenz log, as a capture.

use std::io::Write;

use koblenz_log::{KoblenzLog, Payload};
use robolog_capture::TurnWriter;
use robolog_core::{Event, StreamReader, Timestamp};

use crate::{Count, Error, Limit, Reason, Report, Result, Settings, source::BoxRead};

/// Writes the Velodyne packets of a Koblenz log within `limit` as a capture: see [`TurnWriter`].
///
/// The date comes from the settings' epoch, otherwise from a `GPSDataM` before the first packet; without either the
/// capture begins in 1970. Returns an error if there is no packet, and for times after 2106, which a capture cannot
/// hold.
pub fn capture_of_log<W: Write>(
    stream: BoxRead,
    settings: &Settings,
    limit: &mut Limit,
    out: W,
) -> Result<(W, Report)> {
    let mut reader = StreamReader::<_, KoblenzLog>::new(stream)?;
    let mut capture = TurnWriter::new(out).map_err(Error::written)?;
    let mut report = Report { files: 1, ..Report::default() };
    let mut settings = settings.clone();
    loop {
        let record = match reader.next_event()? {
            Event::Record(record) => record,
            Event::Damage { error, lost } => {
                report.damage(error, lost);
                continue;
            }
            Event::End => break,
        };
        report.records += u64::from(!record.is_end());
        let velodyne = match record.decode() {
            Ok(Payload::Velodyne(velodyne)) => velodyne,
            Ok(Payload::Gps(gps)) if capture.packets() == 0 && settings.epoch.is_none() => {
                let zero = |time: Timestamp| {
                    gps.utc().filter(|_| gps.quality > 0)?.checked_add(time.nanos().checked_neg()?)
                };
                settings.epoch = record.time().and_then(zero);
                continue;
            }
            _ => continue,
        };
        let time = record.time().and_then(|time| settings.moved(time));
        if record.is_valid() && limit.wants("velodyne/points", time) {
            let nanos = time.map_or(0, Timestamp::nanos);
            capture.message(velodyne.packets(), nanos).map_err(Error::written)?;
        }
    }
    report.unjudged = limit.unjudged();
    let packets = capture.packets();
    if packets == 0 {
        return Err(Error::Empty(Reason::NoVelodyne));
    }
    report.written.insert("packet", Count { samples: packets, values: packets });
    Ok((capture.finish().map_err(Error::written)?, report))
}
