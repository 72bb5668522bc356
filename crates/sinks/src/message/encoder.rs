//! Interface of a message schema.

use std::{borrow::Cow, fmt};

use robolog_core::{Field, Row};

use super::{
    content::{Content, Message},
    role::Role,
    stamp::Stamp,
};
use crate::Result;

/// Encodes messages of one schema.
pub(crate) trait Encoder: fmt::Debug {
    /// Name of the MCAP profile.
    fn profile(&self) -> &'static str;

    /// Type of a message.
    fn definition(&self, of: Message) -> Definition;

    /// Type of row messages with these columns, called `name` in its own package.
    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition;

    /// The last second since the clock's zero that stamps can hold.
    fn last_second(&self) -> i64;

    /// Metadata of a topic, beside its channel.
    fn metadata(&self, role: Role) -> Option<(&'static str, &'static str)>;

    /// Values that the message of this content has no field for.
    fn details(&self, content: Content<'_>) -> Option<Row>;

    /// Whether some encodings of pixels have no message here but one in ROS.
    fn lacks_pixels(&self) -> bool {
        false
    }

    /// Encodes a message; `false` if the schema has none for the content.
    fn encode(&mut self, head: Head<'_>, content: Content<'_>) -> Result<bool>;

    /// Sets the sequence number of the last message in its topic, if the schema has one.
    fn number(&mut self, sequence: u32) {
        let _ = sequence;
    }

    /// The last message.
    fn message(&self) -> &[u8];
}

/// Common data of a sample's messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) frame_id: &'a str,
    /// Channel of the sample.
    pub(crate) channel: &'a str,
}

/// A message type, as stored in MCAP schemas and channels and in ROS 1 connections.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) encoding: &'static str,
    pub(crate) data: Cow<'static, [u8]>,
    pub(crate) message_encoding: &'static str,
}
