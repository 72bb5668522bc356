//! The MCAP file of topics.

use std::{
    collections::BTreeMap,
    io::{Seek, Write},
};

use mcap::{McapError, WriteOptions, records::MessageHeader};

use super::{
    super::message::{Container, NewTopic, encoder::Definition, stamp::Stamp},
    watched::{Failure, Watched},
};
use crate::{Error, Result};

pub(super) struct McapFile<W: Write + Seek> {
    writer: mcap::Writer<Watched<W>>,
    failure: Failure,
}

impl<W: Write + Seek> McapFile<W> {
    pub(super) fn new(out: W, options: WriteOptions) -> Result<Self> {
        let out = Watched::new(out);
        let failure = out.failure();
        let writer = options.create(out).map_err(|error| failed(&failure, &error))?;
        Ok(Self { writer, failure })
    }

    fn done<T>(&self, outcome: Result<T, McapError>) -> Result<T> {
        outcome.map_err(|error| failed(&self.failure, &error))
    }
}

impl<W: Write + Seek> Container for McapFile<W> {
    type Out = W;

    fn add_type(&mut self, definition: &Definition) -> Result<u16> {
        let Definition { name, encoding, data, .. } = definition;
        let added = self.writer.add_schema(name, encoding, data);
        self.done(added)
    }

    fn add_topic(&mut self, of: u16, topic: &NewTopic<'_>) -> Result<u16> {
        let added = self.writer.add_channel(of, topic.name, topic.encoding, &topic.metadata);
        self.done(added)
    }

    fn put(&mut self, topic: u16, sequence: u32, stamp: Stamp, message: &[u8]) -> Result<()> {
        let time = stamp.log_time;
        let header = MessageHeader { channel_id: topic, sequence, log_time: time, publish_time: time };
        let written = self.writer.write_to_known_channel(&header, message);
        self.done(written)
    }

    fn attach(&mut self, name: &str, data: &[u8]) -> Result<()> {
        let attachment = mcap::Attachment {
            log_time: 0,
            create_time: 0,
            name: name.to_owned(),
            media_type: "application/octet-stream".to_owned(),
            data: data.into(),
        };
        let attached = self.writer.attach(&attachment);
        self.done(attached)
    }

    /// Writes the metadata record and completes the file.
    fn finish(mut self, metadata: BTreeMap<String, String>) -> Result<W> {
        let record = mcap::records::Metadata { name: "robolog".to_owned(), metadata };
        let written = self.writer.write_metadata(&record);
        self.done(written)?;
        let finished = self.writer.finish();
        self.done(finished)?;
        Ok(self.writer.into_inner().into_inner())
    }
}

/// Returns the target's own error if there was one, such as a broken pipe or a full disk.
fn failed(failure: &Failure, error: &McapError) -> Error {
    failure.take().map_or_else(|| Error::library("MCAP", error), Error::Write)
}
