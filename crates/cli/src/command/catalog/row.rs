//! Rows of a catalogue: surveys of recordings as JSON.

use std::{
    fs::Metadata,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::Path,
};

use robolog_convert::{Result, Surveyed};
use robolog_core::{Channel, Clock, Summary, Timestamp, geodetic::Bounds, text::hex};
use robolog_events::{Event, Kind};
use serde_json::{Map, Value as Json, json};

use super::super::{
    identity::{below, digest},
    info::lines,
};

/// The columns as a Parquet schema, in order.
pub(super) const SCHEMA: &str = "message catalog {
  required binary path (STRING);
  optional binary format (STRING);
  optional binary variant (STRING);
  optional int64 start (TIMESTAMP(MICROS,true));
  optional int64 end (TIMESTAMP(MICROS,true));
  optional binary clock (STRING);
  optional double duration;
  required boolean sound;
  required group findings (LIST) { repeated group list { required binary element (STRING); } }
  required int64 finding_count;
  optional int64 bytes;
  required group channels (LIST) { repeated group list { required group element {
    required binary name (STRING);
    required binary kind (STRING);
    required int64 count;
    optional double rate;
    optional binary units (STRING);
  } } }
  optional binary extent;
  required group devices (LIST) { repeated group list { required binary element (STRING); } }
  optional binary map (STRING);
  optional int64 collisions;
  optional group events {
    required int64 contact;
    required int64 collision;
    required int64 near_miss;
    required int64 closest_approach;
    required int64 hard_braking;
    required int64 hard_acceleration;
    required int64 hard_turn;
    required int64 stop;
    required int64 start;
    required int64 gap;
    required int64 clock_jump;
    required int64 gnss_lost;
    required int64 gnss_back;
    required int64 fix_quality;
    required int64 gnss_jump;
    required int64 lidar_status;
    required int64 lost_packets;
    required int64 mode;
    required int64 warning;
  }
  optional int64 modified (TIMESTAMP(MICROS,true));
  optional binary digest (STRING);
}";

/// `GeoParquet` metadata: `extent` is a geometry in degrees of longitude and latitude, WGS 84.
#[cfg(feature = "parquet")]
pub(super) const GEO: &str = r#"{"version":"1.1.0","primary_column":"extent","columns":{"extent":{"encoding":"WKB","geometry_types":["LineString","Point","Polygon"]}}}"#;

/// The part of a row that decides whether it is still valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) identity: Identity,
    pub(super) sound: bool,
}

/// Size, modification time and digest of a recording, to detect changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Identity {
    pub(super) bytes: Option<u64>,
    pub(super) modified: Option<String>,
    /// A digest of the reading options, and one of the first and last bytes.
    pub(super) digest: Option<String>,
}

impl Known {
    /// The columns needed.
    pub(super) const COLUMNS: [&'static str; 5] = ["path", "sound", "bytes", "modified", "digest"];

    /// Parses a row into its path and the rest; `None` if it is not a row of a catalogue.
    pub(super) fn of(row: &Json) -> Option<(String, Self)> {
        let text = |name: &str| row.get(name)?.as_str().map(str::to_owned);
        let bytes = row.get("bytes")?.as_u64();
        let identity = Identity { bytes, modified: text("modified"), digest: text("digest") };
        Some((text("path")?, Self { identity, sound: row.get("sound")?.as_bool()? }))
    }
}

impl Identity {
    /// The current identity of the file at `path`, without the digest.
    pub(super) fn of(path: &Path, meta: &Metadata) -> io::Result<Self> {
        let below = below(path, meta)?;
        let nanos = i64::try_from(below.nanos).unwrap_or(i64::MAX);
        let modified = moment(Timestamp::new(nanos, Clock::Unix));
        Ok(Self { bytes: Some(below.bytes), modified, digest: None })
    }

    /// Adds the digest; `way` is the digest of the reading options.
    pub(super) fn with_digest(self, path: &Path, meta: &Metadata, way: &str) -> io::Result<Self> {
        Ok(Self { digest: Some(format!("{way}-{}", digest(path, meta)?)), ..self })
    }
}

/// Digest of the reading options.
pub(super) fn way(options: &impl std::hash::Hash) -> String {
    let mut hasher = DefaultHasher::new();
    (SCHEMA, options).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The row of a recording, or of an unreadable file.
pub(super) fn row(
    path: &str,
    identity: &Identity,
    surveyed: &Result<Surveyed>,
    events: Option<&[Event]>,
) -> Json {
    let mut row = match surveyed {
        Ok(info) => of_survey(path, info, events),
        Err(error) => json!({
            "path": path, "sound": false, "findings": [error.to_string()], "finding_count": 1,
        }),
    };
    let Identity { bytes, modified, digest } = identity;
    // An unreadable file may be readable next time.
    let digest = digest.as_ref().filter(|_| surveyed.is_ok());
    let own = [("bytes", json!(bytes)), ("modified", json!(modified)), ("digest", json!(digest))];
    let mut ordered = Map::new();
    for name in columns() {
        let lists = ["findings", "channels", "devices"];
        let absent = if lists.contains(&name) { json!([]) } else { Json::Null };
        ordered.insert(name.to_owned(), row.get_mut(name).map_or(absent, Json::take));
    }
    ordered.extend(own.map(|(name, value)| (name.to_owned(), value)));
    ordered.into()
}

/// The names of the columns: the third word of each line of the schema that is indented once.
pub(super) fn columns() -> impl Iterator<Item = &'static str> {
    let lines = SCHEMA.lines().filter_map(|line| line.strip_prefix("  "));
    let fields = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    fields.filter_map(|line| Some(line.split_whitespace().nth(2)?.trim_end_matches(';')))
}

/// Whether a column holds text; others hold numbers, booleans and lists.
pub(super) fn is_text(column: &str) -> bool {
    SCHEMA.contains(&format!("\n  required binary {column} "))
        || SCHEMA.contains(&format!("\n  optional binary {column}"))
        || SCHEMA.contains(&format!(" int64 {column} (TIMESTAMP"))
}

fn of_survey(path: &str, info: &Surveyed, events: Option<&[Event]>) -> Json {
    let (s, details) = (&info.summary, &info.summary.details);
    let at = |time: Timestamp| match info.summary.epoch {
        Some(epoch) if time.clock() != Clock::Unix => epoch.checked_add(time.nanos()).and_then(moment),
        _ => moment(time),
    };
    let duration = s.span.and_then(|(start, end)| end.since(start));
    json!({
        "path": path,
        "format": info.format,
        "variant": s.variant,
        "start": s.span.and_then(|span| at(span.0)),
        "end": s.span.and_then(|span| at(span.1)),
        "clock": s.clock.map(Clock::name),
        "duration": duration.map(|ns| Timestamp::new(ns, Clock::Relative).as_secs()),
        "sound": info.is_sound(),
        "findings": lines(s.findings.iter()).0,
        "finding_count": s.findings.len(),
        "channels": s.channels.iter().map(|c| channel(c, s)).collect::<Vec<_>>(),
        "extent": details.get("extent").and_then(bounds).map(|bounds| wkb(&bounds)),
        "devices": devices(details),
        "map": details.get("map"),
        "collisions": details.get("collisions"),
        "events": events.map(counts),
    })
}

/// The number of events of each kind.
fn counts(events: &[Event]) -> Json {
    let counts = Event::counts(events);
    let count = |kind: &Kind| (kind.name().to_owned(), json!(counts.get(kind).unwrap_or(&0)));
    Kind::ALL.iter().map(count).collect::<Map<_, _>>().into()
}

fn channel(channel: &Channel, summary: &Summary<Json>) -> Json {
    let units =
        channel.columns.iter().filter_map(|column| Some((column.name.clone(), json!(column.unit.as_ref()?))));
    let units: Map<String, Json> = units.collect();
    let units = (!units.is_empty()).then(|| Json::Object(units).to_string());
    json!({
        "name": channel.name,
        "kind": channel.kind,
        "count": channel.records,
        "rate": summary.rate_hz(channel),
        "units": units,
    })
}

/// Serial numbers, interfaces and scanners from a survey.
fn devices(details: &Json) -> Vec<String> {
    let named = |list: &str, key: &'static str| {
        let all = details.get(list).and_then(Json::as_array).into_iter().flatten();
        all.filter_map(move |device| device.get(key)?.as_str().map(str::to_owned))
    };
    let scanners = details.get("laser_sensors").and_then(Json::as_object).into_iter().flat_map(Map::keys);
    let velodyne = details.get("velodyne").and_then(|velodyne| velodyne.get("model")?.as_str());
    let listed = named("devices", "sn").chain(named("interfaces", "id"));
    listed.chain(velodyne.map(str::to_owned)).chain(scanners.cloned()).collect()
}

/// RFC 3339 in microseconds; `None` for clocks without dates.
fn moment(time: Timestamp) -> Option<String> {
    let micros = (time.clock() == Clock::Unix).then(|| time.nanos().div_euclid(1000))?;
    Some(jiff::Timestamp::from_microsecond(micros).ok()?.to_string())
}

fn bounds(extent: &Json) -> Option<Bounds> {
    let side = |name: &str| extent.get(name)?.as_f64();
    Some(Bounds { south: side("south")?, west: side("west")?, north: side("north")?, east: side("east")? })
}

/// A box in degrees as well-known binary in hexadecimal: a polygon, or a line or point if it has no area.
fn wkb(bounds: &Bounds) -> String {
    let Bounds { south, west, north, east } = *bounds;
    let is_flat = (west.to_bits() == east.to_bits(), south.to_bits() == north.to_bits());
    let (kind, counts, places): (u32, &[u32], Vec<[f64; 2]>) = match is_flat {
        (true, true) => (1, &[], vec![[west, south]]),
        (false, false) => {
            (3, &[1, 5], vec![[west, south], [east, south], [east, north], [west, north], [west, south]])
        }
        _ => (2, &[2], vec![[west, south], [east, north]]),
    };
    let words = std::iter::once(&kind).chain(counts).flat_map(|n| n.to_le_bytes());
    let places = places.iter().flatten().flat_map(|degrees| degrees.to_le_bytes());
    hex(&std::iter::once(1).chain(words).chain(places).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_a_polygon_a_line_or_a_point() {
        let of = |south, west, north, east| wkb(&Bounds { south, west, north, east });
        let (one, two) = ("000000000000F03F", "0000000000000040");
        let zero = "0000000000000000";
        assert_eq!(of(1.0, 2.0, 1.0, 2.0), format!("0101000000{two}{one}"));
        assert_eq!(of(1.0, 0.0, 1.0, 2.0), format!("010200000002000000{zero}{one}{two}{one}"));
        let corners = [zero, zero, two, zero, two, one, zero, one, zero, zero].concat();
        assert_eq!(of(0.0, 0.0, 1.0, 2.0), format!("01030000000100000005000000{corners}"));
    }

    #[test]
    fn the_columns_are_those_of_the_schema() {
        let names = "path format variant start end clock duration sound findings finding_count bytes channels extent \
                     devices map collisions events modified digest";
        assert_eq!(columns().collect::<Vec<_>>().join(" "), names);
        let texts: Vec<_> = columns().filter(|name| is_text(name)).collect();
        assert_eq!(texts.join(" "), "path format variant start end clock extent map modified digest");
        let kinds = SCHEMA.split_once("group events {").unwrap().1.split_once('}').unwrap().0;
        let kinds: Vec<_> = kinds.split_whitespace().filter_map(|word| word.strip_suffix(';')).collect();
        assert_eq!(kinds, Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    }
}
