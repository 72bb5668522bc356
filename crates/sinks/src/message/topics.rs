//! Topics of a file.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use robolog_core::{Field, Sample};

use super::{
    content::{Message, Type},
    encoder::{Definition, Encoder},
    role::{Role, SHARED},
    stamp::Stamp,
    topic::{self, Names},
};
use crate::{Result, numbered::Numbered};

/// A file of topics with messages.
pub(crate) trait Container {
    /// Returned by a complete file.
    type Out;

    /// Adds a message type; returns its number.
    fn add_type(&mut self, definition: &Definition) -> Result<u16>;

    /// Adds a topic of a type added before; returns its number.
    fn add_topic(&mut self, of: u16, topic: &NewTopic<'_>) -> Result<u16>;

    /// Writes a message to a topic added before.
    fn put(&mut self, topic: u16, sequence: u32, stamp: Stamp, message: &[u8]) -> Result<()>;

    /// Stores named bytes unchanged, if the format can.
    fn attach(&mut self, name: &str, data: &[u8]) -> Result<()>;

    /// Stores the metadata, if the format can, and completes the file.
    fn finish(self, metadata: BTreeMap<String, String>) -> Result<Self::Out>;
}

/// A topic to be added.
#[derive(Debug)]
pub(crate) struct NewTopic<'a> {
    pub(crate) name: &'a str,
    pub(crate) encoding: &'static str,
    /// Whether late subscribers get its last message.
    pub(crate) is_latched: bool,
    pub(crate) metadata: BTreeMap<String, String>,
}

/// A file and its topics.
#[derive(Debug, Clone)]
pub(super) struct Topics<C> {
    file: C,
    names: Names,
    schemas: BTreeMap<Message, Known>,
    /// By the name of the first channel and the columns.
    rows: HashMap<(String, Arc<[Field]>), Known>,
    row_types: Names,
    names_of_channels: Numbered,
    /// By the number of their name.
    channels: Vec<Channel>,
    shared: Vec<Topic>,
    count: usize,
    /// Whether some channels have only the topic of their values, or none.
    is_full: bool,
}

/// A schema of the file, and the encoding of its messages.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: u16,
    encoding: &'static str,
}

#[derive(Debug, Clone)]
struct Channel {
    /// Topic of its first values.
    name: String,
    topics: Vec<Topic>,
}

#[derive(Debug, Clone)]
struct Topic {
    role: Role,
    schema: Schema,
    id: u16,
    sequence: u32,
}

#[derive(Debug, Clone)]
enum Schema {
    Standard(Message),
    Row(Arc<[Field]>),
}

/// Topic numbers have 16 bits; the last ones are reserved for values.
const MOST_TOPICS: usize = 65_000;
const MOST_BESIDE: usize = 50_000;

/// Each row type keeps its definition in memory.
const MOST_ROW_TYPES: usize = 4096;

impl<C: Container> Topics<C> {
    pub(super) fn new(file: C) -> Self {
        Self {
            file,
            names: Names::new(SHARED.into_iter().filter_map(Role::shared)),
            schemas: BTreeMap::new(),
            rows: HashMap::new(),
            row_types: Names::new([]),
            names_of_channels: Numbered::default(),
            channels: Vec::new(),
            shared: Vec::new(),
            count: 0,
            is_full: false,
        }
    }

    /// Writes the last message of `encoder`; `false` if no topic is left.
    pub(super) fn put(
        &mut self,
        (sample, role, of): (&Sample, Role, Type<'_>),
        stamp: Stamp,
        encoder: &mut dyn Encoder,
    ) -> Result<bool> {
        let channel = &sample.channel;
        let mut number = self.number(channel, role, of);
        if number.is_none() && self.create(sample, role, of, encoder)? {
            number = self.number(channel, role, of);
        }
        let Some((id, sequence)) = number else {
            self.is_full = true;
            return Ok(false);
        };
        encoder.number(sequence);
        self.file.put(id, sequence, stamp, encoder.message())?;
        Ok(true)
    }

    /// Returns the number of an existing topic and the sequence number of its next message.
    fn number(&mut self, channel: &Arc<str>, role: Role, of: Type<'_>) -> Option<(u16, u32)> {
        let topics = match role.shared() {
            Some(_) => &mut self.shared,
            None => &mut self.channel(channel)?.topics,
        };
        let topic = topics.iter_mut().find(|topic| topic.role == role && topic.schema.is(of))?;
        let sequence = topic.sequence;
        topic.sequence = sequence.wrapping_add(1);
        Some((topic.id, sequence))
    }

    fn create(&mut self, sample: &Sample, role: Role, of: Type<'_>, encoder: &dyn Encoder) -> Result<bool> {
        let channel = &sample.channel;
        let most = if let Role::Beside(_) = role { MOST_BESIDE } else { MOST_TOPICS };
        if self.count >= most {
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
                for (key, value) in sample.attributes.iter() {
                    metadata.entry(key.to_owned()).or_insert_with(|| value.to_owned());
                }
                metadata.insert("channel".to_owned(), channel.to_string());
                self.name(channel, kind)
            }
            _ => role.shared().map_or_else(String::new, str::to_owned),
        };
        let is_latched = role == Role::StaticTransform;
        let topic = NewTopic { name: &name, encoding: schema.encoding, is_latched, metadata };
        let id = self.file.add_topic(schema.id, &topic)?;
        self.count += 1;
        let topic = Topic { role, schema: of.into(), id, sequence: 0 };
        if role.shared().is_some() {
            self.shared.push(topic);
        } else {
            if self.channel(channel).is_none() {
                self.names_of_channels.number(channel, || Arc::clone(channel));
                self.channels.push(Channel { name, topics: Vec::new() });
            }
            if let Some(channel) = self.channel(channel) {
                channel.topics.push(topic);
            }
        }
        Ok(true)
    }

    /// Names a new topic of a channel: the channel's name for its first values, otherwise a name below it.
    fn name(&mut self, channel: &Arc<str>, kind: &str) -> String {
        match self.channel(channel).map(|channel| format!("{}/{kind}", channel.name)) {
            Some(name) => self.names.unused(&name),
            None => self.names.topic(channel),
        }
    }

    fn channel(&mut self, name: &str) -> Option<&mut Channel> {
        self.channels.get_mut(self.names_of_channels.find(name)?)
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
        // Type names have no underscores.
        let name = self.row_types.numbered(&key.0, "");
        let known = self.add(&encoder.row_definition(&name, fields))?;
        self.rows.insert(key, known);
        Ok(Some(known))
    }

    fn add(&mut self, definition: &Definition) -> Result<Known> {
        Ok(Known { id: self.file.add_type(definition)?, encoding: definition.message_encoding })
    }

    /// Attaches bytes unchanged.
    pub(super) fn attach(&mut self, name: &str, data: &[u8]) -> Result<()> {
        self.file.attach(name, data)
    }

    /// Completes the file.
    pub(super) fn finish(self, metadata: BTreeMap<String, String>) -> Result<C::Out> {
        self.file.finish(metadata)
    }

    pub(super) fn file(&self) -> &C {
        &self.file
    }

    pub(super) fn file_mut(&mut self) -> &mut C {
        &mut self.file
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
