//! The channels of a recording.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use robolog_convert::Surveyed;

use crate::value::plain;

plain! {
    /// A channel of a recording: a stream of values of one kind, such as one sensor's.
    struct Channel {
        /// Its name, as the methods of Recording take it.
        name: String,
        /// The kind of its values, such as point_cloud.
        kind: String,
        /// How many records, or parts of records, it has.
        records: u64,
        /// How many values those hold: points of clouds, ranges of scans.
        values: u64,
        /// Records a second over the whole recording; None of one record.
        rate_hz: Option<f64>,
        /// The earliest stamp, nanoseconds of the recording's clock.
        start_ns: Option<i64>,
        /// The latest stamp, nanoseconds of the recording's clock.
        end_ns: Option<i64>,
        /// The names of the columns of its table, behind those for time and channel.
        columns: Vec<String>,
        /// The units of its columns, of those that have one.
        units: BTreeMap<String, String>,
    }

    fn __repr__(&self) -> String {
        format!("<Channel {:?}: {} {}, {} values>", self.name, self.records, self.kind, self.values)
    }
}

/// Those that the survey counted, by name.
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
    };
    summary.channels.iter().map(channel).collect()
}
