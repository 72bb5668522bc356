//! The channels of a recording.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use robolog_convert::Surveyed;

use crate::value::plain;

plain! {
    /// A channel of a recording: a stream of values of one kind, such as one sensor's.
    struct Channel {
        /// Its name, as used by the methods of Recording.
        name: String,
        /// The kind of its values, such as point_cloud.
        kind: String,
        /// Number of its records, or parts of records.
        records: u64,
        /// Number of values in them: points of clouds, ranges of scans.
        values: u64,
        /// Records per second over the whole recording; None for a single record.
        rate_hz: Option<f64>,
        /// The earliest stamp, nanoseconds of the recording's clock.
        start_ns: Option<i64>,
        /// The latest stamp, nanoseconds of the recording's clock.
        end_ns: Option<i64>,
        /// The names of the columns of its table, after time and channel.
        columns: Vec<String>,
        /// The units of its columns, if they have one.
        units: BTreeMap<String, String>,
        /// What the recording says of it as a whole, such as the name of a track.
        attributes: BTreeMap<String, String>,
    }

    fn __repr__(&self) -> String {
        format!("<Channel {:?}: {} {}, {} values>", self.name, self.records, self.kind, self.values)
    }
}

/// The channels of a survey, by name.
pub(crate) fn all(surveyed: &Surveyed) -> Vec<Channel> {
    let summary = &surveyed.summary;
    let channel = |channel: &robolog_core::Channel| Channel {
        name: channel.name.clone(),
        kind: channel.kind.to_owned(),
        records: channel.records,
        values: channel.values,
        rate_hz: summary.rate_hz(channel),
        start_ns: channel.span.map(|span| span.0.nanos()),
        end_ns: channel.span.map(|span| span.1.nanos()),
        columns: channel.columns.iter().map(|column| column.name.clone()).collect(),
        units: channel
            .columns
            .iter()
            .filter_map(|column| Some((column.name.clone(), column.unit.clone()?)))
            .collect(),
        attributes: channel
            .attributes
            .iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect(),
    };
    summary.channels.iter().map(channel).collect()
}
