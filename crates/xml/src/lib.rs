//! What GPX and KML share: markup told apart by bytes, elements of bounded size and depth, times, text.
//!
//! No document type definition is read or fetched and no entity is expanded but the five that XML names and numbers of
//! characters, so that the text of an element is never longer than its source.

mod copier;
mod element;
mod frame;
mod markup;
mod piece;
mod stack;
mod text;
mod time;
mod utf8;

pub use copier::{Copier, Mark};
pub use element::Element;
pub use frame::{Frame, Root, header, measure, resync, split};
pub use markup::{Tag, Token, attribute, attributes, local, token};
pub use piece::Piece;
pub use stack::Stack;
pub use text::{Escape, Indent, unescape};
pub use time::Time;
pub use time::parse as parse_time;
pub use utf8::Utf8Reader;
pub use utf8::to_utf8;

/// Levels of nesting that are followed.
pub const DEPTH: usize = 64;
/// Bytes of one tag with its attributes.
pub const TAG: usize = 64 << 10;
