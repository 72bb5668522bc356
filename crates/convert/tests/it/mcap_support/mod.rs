//! Writes samples to MCAP files, and reads messages with the `mcap` crate.

use std::io::Cursor;

use robolog_convert::{
    Outcome, Sink as _,
    sink::mcap::{Mcap, McapOptions},
};
use robolog_core::{Cell, Clock, Field, FieldKind, LaserScan, Pose, Row, Sample, Timestamp, Value};

/// A sample in the frame `map`, with Unix time.
pub(crate) fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, Clock::Unix));
    Sample::new(channel, value).with_time(time).with_frame("map")
}

pub(crate) fn file(
    options: McapOptions,
    samples: impl IntoIterator<Item = Sample>,
) -> (Vec<u8>, Vec<Outcome>) {
    let mut sink = Mcap::new(Cursor::new(Vec::new()), options).unwrap();
    let took = samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect();
    (sink.into_inner().unwrap().into_inner(), took)
}

/// A message with the facts of its topic.
pub(crate) struct Read {
    pub(crate) topic: String,
    pub(crate) schema: String,
    /// Encodings of messages and schema.
    pub(crate) encodings: [String; 2],
    pub(crate) sequence: u32,
    pub(crate) log_time: u64,
    pub(crate) data: Vec<u8>,
}

/// All messages, in the order of the file.
pub(crate) fn read(file: &[u8]) -> Vec<Read> {
    let read = mcap::MessageStream::new(file).unwrap().map(|message| {
        let message = message.unwrap();
        assert_eq!(message.log_time, message.publish_time);
        let schema = message.channel.schema.as_ref().unwrap();
        Read {
            topic: message.channel.topic.clone(),
            schema: schema.name.clone(),
            encodings: [message.channel.message_encoding.clone(), schema.encoding.clone()],
            sequence: message.sequence,
            log_time: message.log_time,
            data: message.data.to_vec(),
        }
    });
    read.collect()
}

pub(crate) fn pose() -> Pose {
    Pose { position: [1.0, -2.5, 1e-7].into(), orientation: nalgebra::UnitQuaternion::identity() }
}

/// A scan of `front` with two valid ranges around an invalid one, half a radian apart, changed by `change`.
pub(crate) fn scan(scan: LaserScan) -> Sample {
    let ranges = vec![1.0, f32::NAN, 2.0];
    let scan = LaserScan { angle_increment: 0.5, range_max: 9.0, ranges, ..scan };
    sample("front", Some(1_000_000_002), Value::LaserScan(scan))
}

/// The row of a box of 5 by 2 by 1.5 metres around the actor 7, and that of the actor's end.
pub(crate) fn box_and_its_end() -> [Sample; 2] {
    let names = ["x", "y", "z", "extent_x", "extent_y", "extent_z"];
    let fields = names.map(|name| Field::new(name, FieldKind::Float).with_unit("m"));
    let cells = [0.5, 0.0, 0.75, 2.5, 1.0, 0.75].map(Cell::Float);
    let around = Value::Row(Row::new(fields.as_slice().into(), cells.to_vec()));
    let fields = [Field::new("event", FieldKind::Text), Field::new("actor", FieldKind::Int)];
    let end = Value::Row(Row::new(fields.as_slice().into(), vec!["destroy".into(), 7_i64.into()]));
    [
        sample("actor_7/bounding_boxes", Some(1_000_000_002), around),
        sample("events", Some(2_000_000_000), end),
    ]
}
