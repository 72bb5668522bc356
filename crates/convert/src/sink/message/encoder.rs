//! What distinguishes one schema of messages from another.

use std::{borrow::Cow, fmt};

use robolog_core::{Field, Row};

use super::{
    content::{Content, Message},
    role::Role,
    stamp::Stamp,
};
use crate::Result;

/// Makes messages of one schema.
pub(crate) trait Encoder: fmt::Debug {
    /// The name of MCAP's profile.
    fn profile(&self) -> &'static str;

    /// The type of a message.
    fn definition(&self, of: Message) -> Definition;

    /// The type of messages for rows with these columns, called `name` in a package of its own.
    fn row_definition(&self, name: &str, fields: &[Field]) -> Definition;

    /// What a topic's metadata say beside its channel.
    fn metadata(&self, role: Role) -> Option<(&'static str, &'static str)>;

    /// What the message of this content has no field for.
    fn details(&self, content: Content<'_>) -> Option<Row>;

    /// Whether some pixels have no message that ROS has one for.
    fn lacks_pixels(&self) -> bool {
        false
    }

    /// Makes a message; `false` when the schema has none for this.
    fn encode(&mut self, head: Head<'_>, content: Content<'_>) -> Result<bool>;

    /// Numbers the message made last within its topic, where the schema has a place for that.
    fn number(&mut self, sequence: u32) {
        let _ = sequence;
    }

    /// The message made last.
    fn message(&self) -> &[u8];
}

/// What all messages of a sample begin with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) frame_id: &'a str,
    /// Where it came from.
    pub(crate) channel: &'a str,
}

/// A type as schemas and channels of MCAP and connections of ROS 1 describe it.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) encoding: &'static str,
    pub(crate) data: Cow<'static, [u8]>,
    pub(crate) message_encoding: &'static str,
}
