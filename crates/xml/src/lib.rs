//! Reads and writes XML documents one element at a time, in bounded memory and past damage: the basis of the readers of
//! GPX and KML.
//!
//! ```
//! use robolog_xml::{Tag, attribute, tags};
//! let document = b"<wpt lat='45.5' lon='3.1'><name>a</name></wpt>";
//! let Some(Tag::Start(wpt)) = tags(document).next() else { unreachable!() };
//! assert_eq!(attribute(wpt, b"lon"), Some(&b"3.1"[..]));
//! ```
//! A format implements [`Frame`] to say which elements are one record each; [`documents!`] defines its record type.
//! [`Events`] and [`Element`] read an element with quick-xml, [`ElementWriter`] writes one, and [`ElementCopier`] copies a
//! damaged document so that the copy is well-formed.
//!
//! Document type definitions are not read, and only XML's own five entities are expanded: the text of an element is
//! never longer than its source.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read: numbers of a document are computed in `time` alone"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod anonymise;
mod carried;
mod copier;
mod earth;
mod edit;
mod element;
mod events;
mod format;
mod frame;
mod leaf;
mod leaves;
mod markup;
mod piece;
mod rows;
mod stack;
mod survey;
mod text;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the document")]
mod time;
mod tuples;
mod utf8;
mod writer;
mod written;

pub use anonymise::{Holds, Rules, anonymise, learn};
pub use carried::Carried;
pub use copier::{ElementCopier, Mark};
pub use earth::{Wrapped, is_on_earth, wrapped};
pub use edit::shift_times;
pub use element::Element;
pub use events::{Events, Part};
pub use frame::{Frame, Root, check, header, measure, resync, split};
pub use leaf::{Leaf, leaf};
pub use leaves::leaves;
pub use markup::{Tag, Token, attribute, attributes, cdata, last_of, local, tags, token};
pub use piece::{Kind, Piece};
/// For the macros of this crate.
pub use robolog_core;
pub use rows::{Column, OF_FEATURES, OF_FIXES, Rows, column, named};
pub use stack::{DocumentPosition, Stack};
pub use survey::{note_another_document, note_unfinished, variant};
pub use text::{Escape, Indent, lossy, unescape};
pub use time::Time;
pub use time::parse as parse_time;
pub use time::shift_time;
pub use tuples::tuples;
pub use utf8::Utf8Reader;
pub use utf8::to_utf8;
pub use writer::{Attributes, ElementWriter};
pub use written::written_times;

/// Maximum depth of nested elements.
pub const DEPTH: usize = 128;
/// Maximum size of a tag with its attributes, bytes.
pub const TAG: usize = 64 << 10;
