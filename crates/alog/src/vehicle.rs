//! Whose log it is.

use robolog_core::slices::split_once;

/// The variable of a vehicle's own reports.
const OWN_REPORT: &[u8] = b"NODE_REPORT_LOCAL";
/// What the name of a community follows in the source of its database's entries.
const DATABASE: &[u8] = b"MOOSDB_";
/// A community that is no vehicle.
const SHORE: &str = "shoreside";

/// The vehicle that wrote a log, by its first bytes: the name in its first own report, or else that of the community in
/// the source of the database's entries.
///
/// ```
/// let log = b"0.5  DB_EVENT  MOOSDB_alpha  connected=pLogger\n7.1  NODE_REPORT_LOCAL  pNodeReporter  NAME=logan,X=1\n";
/// assert_eq!(alog::vehicle_of(log).as_deref(), Some("logan"));
/// assert_eq!(alog::vehicle_of(&log[..47]).as_deref(), Some("alpha"));
/// ```
pub fn vehicle_of(start: &[u8]) -> Option<String> {
    let mut community = None;
    for line in start.split_inclusive(|b| *b == b'\n').filter(|line| line.ends_with(b"\n")) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (Some(_time), Some(variable), Some(source)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        if variable == OWN_REPORT
            && let Some(rest) = words.next().and_then(|value| value.strip_prefix(b"NAME="))
        {
            let name = split_once(rest, b',').map_or(rest, |(name, _)| name);
            return text(name);
        }
        if community.is_none() {
            community = source.strip_prefix(DATABASE).and_then(text);
        }
    }
    community.filter(|name| name != SHORE)
}

/// A name, if it is one.
fn text(name: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(name).ok()?;
    (!text.is_empty() && !text.contains(char::is_control)).then(|| text.to_owned())
}
