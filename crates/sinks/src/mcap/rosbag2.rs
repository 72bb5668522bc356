//! The `metadata.yaml` that makes a folder with an MCAP file a ROS 2 bag.

use std::{
    fmt::Write as _,
    io::{Read, Seek},
};

use mcap::{
    Summary,
    sans_io::{SummaryReadEvent, SummaryReader},
};

use super::super::message::ros::QOS;
use crate::{Error, Result, output::BAG_START};

/// Returns the `metadata.yaml` of a bag with the single file `file_name` in the same folder.
///
/// It has version 5, which ROS 2 reads since Humble. `mcap` is the finished file; only its summary is read. Returns an
/// error if it has none.
pub fn metadata_yaml(mut mcap: impl Read + Seek, file_name: &str) -> Result<String> {
    let summary = summary(&mut mcap)?.ok_or_else(|| Error::library("MCAP", "no summary"))?;
    let (start, end, messages) = summary
        .stats
        .as_ref()
        .map_or((0, 0, 0), |stats| (stats.message_start_time, stats.message_end_time, stats.message_count));
    let duration = end.saturating_sub(start);
    let counts = summary.stats.as_ref().map(|stats| &stats.channel_message_counts);
    let file = quoted(file_name);
    let mut text = format!(
        "{BAG_START}rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: mcap\n  relative_file_paths:\n    \
         - {file}\n  duration:\n    nanoseconds: {duration}\n  starting_time:\n    \
         nanoseconds_since_epoch: {start}\n  message_count: {messages}\n  topics_with_message_count:\n"
    );
    let mut channels: Vec<_> = summary.channels.values().collect();
    channels.sort_by_key(|channel| channel.id);
    for channel in channels {
        let count = counts.and_then(|counts| counts.get(&channel.id)).map_or(0, |count| *count);
        let schema = channel.schema.as_ref().map_or("", |schema| schema.name.as_str());
        let qos = channel.metadata.get(QOS).map_or("", String::as_str);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "    - topic_metadata:\n        name: {}\n        type: {}\n        serialization_format: {}\n        \
             offered_qos_profiles: {}\n      message_count: {count}\n",
            quoted(&channel.topic),
            quoted(schema),
            quoted(&channel.message_encoding),
            quoted(qos),
        );
    }
    let _ = write!(
        text,
        "  compression_format: \"\"\n  compression_mode: \"\"\n  files:\n    - path: {file}\n      \
         starting_time:\n        nanoseconds_since_epoch: {start}\n      duration:\n        \
         nanoseconds: {duration}\n      message_count: {messages}\n"
    );
    Ok(text)
}

/// JSON strings are valid YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn summary(mcap: &mut (impl Read + Seek)) -> Result<Option<Summary>> {
    let mut reader = SummaryReader::new();
    while let Some(event) = reader.next_event() {
        match event.map_err(|error| Error::library("MCAP", error))? {
            SummaryReadEvent::ReadRequest(want) => {
                let read = mcap.read(reader.insert(want))?;
                reader.notify_read(read);
            }
            SummaryReadEvent::SeekRequest(to) => {
                reader.notify_seeked(mcap.seek(to)?);
            }
        }
    }
    Ok(reader.finish())
}
