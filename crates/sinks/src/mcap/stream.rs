//! Messages that a caller takes one by one, without a file.

use std::{borrow::Cow, collections::BTreeMap, fmt, ops::Range};

use robolog_core::{Sample, slices::Part as _};

use super::{
    super::message::{Container, Messages, NewTopic, encoder::Definition, progress::Progress, stamp::Stamp},
    encoder,
};
use crate::{McapOptions, Note, Outcome, Result};

/// Makes the topics and messages that [`Mcap`](super::Mcap) writes, for a caller that takes them one by one.
///
/// ```
/// use robolog_core::{Clock, Point, Sample, Timestamp, Value};
/// use robolog_sinks::{McapOptions, McapSchema, mcap::MessageStream};
/// let mut options = McapOptions::default();
/// options.schema = McapSchema::Foxglove;
/// let mut stream = MessageStream::new(options)?;
/// let value = Value::PointCloud([Point::new(1.0, 2.0, 3.0)].into_iter().collect());
/// let time = Some(Timestamp::new(0, Clock::Relative));
/// stream.write(&Sample::new("lidar/points", value).with_time(time).with_frame("lidar"))?;
/// assert!(stream.messages().count() > 0);
/// stream.finish()?;
/// let topic = stream.topics().iter().find(|topic| &*topic.name == "/lidar/points").expect("a topic for the channel");
/// assert_eq!(&*stream.schemas()[usize::from(topic.schema)].name, "foxglove.PointCloud");
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
pub struct MessageStream {
    messages: Messages<Taken>,
    options: McapOptions,
}

/// A message type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageSchema {
    /// Its name, such as `foxglove.PointCloud`.
    pub name: String,
    /// Encoding of `data`, such as `protobuf`.
    pub encoding: &'static str,
    /// The definition.
    pub data: Cow<'static, [u8]>,
}

/// A topic with messages.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageTopic {
    /// Its name, which starts with a slash.
    pub name: String,
    /// Index of its messages' type in [`schemas`](MessageStream::schemas).
    pub schema: u16,
    /// Encoding of its messages.
    pub encoding: &'static str,
}

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Index of its topic in [`topics`](MessageStream::topics).
    pub topic: u16,
    /// Nanoseconds of the recording's clock.
    pub log_time: u64,
    /// Its bytes.
    pub data: &'a [u8],
}

/// A place between two samples from which messages can be made again: see [`MessageStream::place`].
#[derive(Debug, Clone)]
pub struct MessagePlace(Progress);

impl MessagePlace {
    /// Approximate memory, as a number of small values.
    pub fn weight(&self) -> usize {
        self.0.weight()
    }
}

impl MessageStream {
    /// Creates an empty stream. Ignores the compression in `options`.
    pub fn new(options: McapOptions) -> Result<Self> {
        let messages = Messages::new(Taken::default(), encoder(options)?, options.messages);
        Ok(Self { messages, options })
    }

    /// Makes the messages of a sample, which replace those before. There are none while samples wait for the first
    /// time.
    pub fn write(&mut self, sample: &Sample) -> Result<Outcome> {
        self.messages.file_mut().clear();
        self.messages.write(sample)
    }

    /// Makes the messages of samples still waiting for a time. Returns notes for the user.
    pub fn finish(&mut self) -> Result<Vec<Note>> {
        self.messages.file_mut().clear();
        self.messages.notes()
    }

    /// The messages of the last call.
    pub fn messages(&self) -> impl Iterator<Item = Message<'_>> {
        let taken = self.messages.file();
        taken.messages.iter().map(|(topic, log_time, range)| Message {
            topic: *topic,
            log_time: *log_time,
            data: taken.bytes.part(range.clone()),
        })
    }

    /// The topics so far.
    pub fn topics(&self) -> &[MessageTopic] {
        &self.messages.file().topics
    }

    /// The message types so far.
    pub fn schemas(&self) -> &[MessageSchema] {
        &self.messages.file().schemas
    }

    /// Returns the place between the last sample and the next; `None` while samples wait for a time.
    pub fn place(&self) -> Option<MessagePlace> {
        self.messages.progress().map(MessagePlace)
    }

    /// Returns a stream with the topics of this one that continues at its earlier `place`. For the samples after that
    /// place it makes the same messages.
    pub fn from_place(&self, place: &MessagePlace) -> Result<Self> {
        let mut messages = self.messages.resumed(&place.0, encoder(self.options)?);
        messages.file_mut().clear();
        Ok(Self { messages, options: self.options })
    }
}

impl fmt::Debug for MessageStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageStream").field("topics", &self.topics().len()).finish_non_exhaustive()
    }
}

/// Messages made but not yet taken.
#[derive(Clone, Default)]
struct Taken {
    schemas: Vec<MessageSchema>,
    topics: Vec<MessageTopic>,
    /// Topic, log time and range in `bytes`.
    messages: Vec<(u16, u64, Range<usize>)>,
    bytes: Vec<u8>,
}

impl Taken {
    fn clear(&mut self) {
        self.messages.clear();
        self.bytes.clear();
    }
}

impl Container for Taken {
    type Out = ();

    fn add_type(&mut self, definition: &Definition) -> Result<u16> {
        let Definition { name, encoding, data, .. } = definition;
        self.schemas.push(MessageSchema { name: name.clone(), encoding, data: data.clone() });
        Ok(last(self.schemas.len()))
    }

    fn add_topic(&mut self, of: u16, topic: &NewTopic<'_>) -> Result<u16> {
        self.topics.push(MessageTopic { name: topic.name.to_owned(), schema: of, encoding: topic.encoding });
        Ok(last(self.topics.len()))
    }

    fn put(&mut self, topic: u16, _: u32, stamp: Stamp, message: &[u8]) -> Result<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(message);
        self.messages.push((topic, stamp.log_time, start..self.bytes.len()));
        Ok(())
    }

    fn attach(&mut self, _: &str, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn finish(self, _: BTreeMap<String, String>) -> Result<()> {
        Ok(())
    }
}

/// Index of the last of `count` items; topics and types number less than 2¹⁶.
fn last(count: usize) -> u16 {
    u16::try_from(count.saturating_sub(1)).unwrap_or(u16::MAX)
}
