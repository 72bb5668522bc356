//! Messages into topics, topics into an MCAP file.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    io::{Seek, Write},
    sync::Arc,
};

use mcap::{McapError, WriteOptions, records::MessageHeader};
use robolog_core::Field;

use super::{
    content::{Message, Type},
    encoder::{Definition, Encoder},
    role::{Role, SHARED},
    stamp::Stamp,
    topic::{self, Names},
    watched::{Failure, Watched},
};
use crate::{Error, Result};

/// The file and what is in it so far.
pub(super) struct TopicWriter<W: Write + Seek> {
    writer: mcap::Writer<Watched<W>>,
    failure: Failure,
    names: Names,
    schemas: BTreeMap<Message, Known>,
    /// By the name of the first channel and the columns.
    rows: HashMap<(String, Arc<[Field]>), Known>,
    row_types: Names,
    channels: HashMap<Arc<str>, Channel>,
    shared: Vec<Topic>,
    topics: usize,
    /// Some channels have no topics beside that of their values, or none at all.
    is_full: bool,
}

/// A schema of the file, and how its messages are encoded.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: u16,
    encoding: &'static str,
}

struct Channel {
    /// The topic of its first values.
    name: String,
    topics: Vec<Topic>,
}

struct Topic {
    role: Role,
    schema: Schema,
    id: u16,
    sequence: u32,
}

enum Schema {
    Standard(Message),
    Row(Arc<[Field]>),
}

/// An MCAP file has 16-bit numbers for topics; the last are kept for values.
const MOST_TOPICS: usize = 65_000;
const MOST_BESIDE: usize = 50_000;

/// Each has a definition of its own in memory.
const MOST_ROW_TYPES: usize = 4096;

impl<W: Write + Seek> TopicWriter<W> {
    pub(super) fn new(out: W, options: WriteOptions) -> Result<Self> {
        let out = Watched::new(out);
        let failure = out.failure();
        let writer = options.create(out).map_err(|error| failed(&failure, &error))?;
        Ok(Self {
            writer,
            failure,
            names: Names::new(SHARED.into_iter().filter_map(Role::shared)),
            schemas: BTreeMap::new(),
            rows: HashMap::new(),
            row_types: Names::new([]),
            channels: HashMap::new(),
            shared: Vec::new(),
            topics: 0,
            is_full: false,
        })
    }

    /// Writes the message that `encoder` made last; `false` when there is no topic left for it.
    pub(super) fn put(
        &mut self,
        (channel, role, of): (&Arc<str>, Role, Type<'_>),
        stamp: Stamp,
        encoder: &dyn Encoder,
    ) -> Result<bool> {
        if self.topic(channel, role, of).is_none() && !self.create(channel, role, of, encoder)? {
            self.is_full = true;
            return Ok(false);
        }
        let Some(topic) = self.topic(channel, role, of) else { return Ok(false) };
        let header = MessageHeader {
            channel_id: topic.id,
            sequence: topic.sequence,
            log_time: stamp.log_time,
            publish_time: stamp.log_time,
        };
        topic.sequence = topic.sequence.wrapping_add(1);
        self.writer
            .write_to_known_channel(&header, encoder.message())
            .map_err(|error| failed(&self.failure, &error))?;
        Ok(true)
    }

    fn topic(&mut self, channel: &Arc<str>, role: Role, of: Type<'_>) -> Option<&mut Topic> {
        let topics = match role.shared() {
            Some(_) => &mut self.shared,
            None => &mut self.channels.get_mut(channel)?.topics,
        };
        topics.iter_mut().find(|topic| topic.role == role && topic.schema.is(of))
    }

    fn create(
        &mut self,
        channel: &Arc<str>,
        role: Role,
        of: Type<'_>,
        encoder: &dyn Encoder,
    ) -> Result<bool> {
        let most = if let Role::Beside(_) = role { MOST_BESIDE } else { MOST_TOPICS };
        if self.topics >= most {
            return Ok(false);
        }
        let Some(schema) = self.schema(channel, role, of, encoder)? else { return Ok(false) };
        let mut metadata: BTreeMap<String, String> = encoder
            .metadata(role)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let name = match role {
            Role::Value(kind) | Role::Beside(kind) => {
                metadata.insert("channel".to_owned(), channel.to_string());
                self.name(channel, kind)
            }
            _ => role.shared().unwrap_or_default().to_owned(),
        };
        let id = self
            .writer
            .add_channel(schema.id, &name, schema.encoding, &metadata)
            .map_err(|error| failed(&self.failure, &error))?;
        self.topics += 1;
        let topic = Topic { role, schema: of.into(), id, sequence: 0 };
        if role.shared().is_some() {
            self.shared.push(topic);
        } else {
            let of_channel = || Channel { name, topics: Vec::new() };
            self.channels.entry(Arc::clone(channel)).or_insert_with(of_channel).topics.push(topic);
        }
        Ok(true)
    }

    /// The name of a new topic of a channel: the channel's own for its first values, else one below that.
    fn name(&mut self, channel: &Arc<str>, kind: &str) -> String {
        match self.channels.get(channel) {
            Some(channel) => self.names.unused(&format!("{}/{kind}", channel.name)),
            None => self.names.topic(channel),
        }
    }

    fn schema(
        &mut self,
        channel: &str,
        role: Role,
        of: Type<'_>,
        encoder: &dyn Encoder,
    ) -> Result<Option<Known>> {
        let fields = match of {
            Type::Standard(message) => {
                if let Some(known) = self.schemas.get(&message) {
                    return Ok(Some(*known));
                }
                let known = self.add(&encoder.definition(message))?;
                self.schemas.insert(message, known);
                return Ok(Some(known));
            }
            Type::Row(fields) => fields,
        };
        let name = match role {
            Role::Beside(name) => name,
            _ => channel.rsplit('/').find(|part| !part.is_empty()).unwrap_or(channel),
        };
        let key = (topic::type_name(name), Arc::clone(fields));
        if let Some(known) = self.rows.get(&key) {
            return Ok(Some(*known));
        }
        if self.rows.len() >= MOST_ROW_TYPES {
            return Ok(None);
        }
        // The names of types have no underscores.
        let name = self.row_types.numbered(&key.0, "");
        let known = self.add(&encoder.row_definition(&name, fields))?;
        self.rows.insert(key, known);
        Ok(Some(known))
    }

    fn add(&mut self, definition: &Definition) -> Result<Known> {
        let Definition { name, encoding, data, message_encoding } = definition;
        let added = self.writer.add_schema(name, encoding, data);
        let id = added.map_err(|error| failed(&self.failure, &error))?;
        Ok(Known { id, encoding: message_encoding })
    }

    /// Attaches bytes as they stand.
    pub(super) fn attach(&mut self, name: &str, data: &[u8]) -> Result<()> {
        let attachment = mcap::Attachment {
            log_time: 0,
            create_time: 0,
            name: name.to_owned(),
            media_type: "application/octet-stream".to_owned(),
            data: data.into(),
        };
        self.writer.attach(&attachment).map_err(|error| failed(&self.failure, &error))
    }

    /// Writes the record of metadata and completes the file.
    pub(super) fn finish(mut self, metadata: BTreeMap<String, String>) -> Result<W> {
        let record = mcap::records::Metadata { name: "robolog".to_owned(), metadata };
        self.writer.write_metadata(&record).map_err(|error| failed(&self.failure, &error))?;
        self.writer.finish().map_err(|error| failed(&self.failure, &error))?;
        Ok(self.writer.into_inner().into_inner())
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }
}

impl Schema {
    fn is(&self, of: Type<'_>) -> bool {
        match (self, of) {
            (Self::Standard(a), Type::Standard(b)) => *a == b,
            (Self::Row(a), Type::Row(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl From<Type<'_>> for Schema {
    fn from(of: Type<'_>) -> Self {
        match of {
            Type::Standard(message) => Self::Standard(message),
            Type::Row(fields) => Self::Row(Arc::clone(fields)),
        }
    }
}

impl<W: Write + Seek> fmt::Debug for TopicWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TopicWriter").field("topics", &self.topics).finish_non_exhaustive()
    }
}

/// The target's own failure if there was one: a pipe that broke is a broken pipe, a full disk a full disk.
fn failed(failure: &Failure, error: &McapError) -> Error {
    failure.take().map_or_else(|| Error::library("MCAP", error), Error::Write)
}
