//! The header: the prolog and the start tag of the root element.

use robolog_core::Error;
use robolog_xml::{Escape, Root, Tag, attribute, attributes, unescape};

/// The namespace of GPX 1.0.
pub(crate) const GPX_1_0: &str = "http://www.topografix.com/GPX/1/0";
/// The namespace of GPX 1.1.
pub(crate) const GPX_1_1: &str = "http://www.topografix.com/GPX/1/1";

/// The root element's start tag: version, program, namespaces. `Header::default()` has none.
///
/// ```
/// let reader = robolog_gpx::open("examples/drive.gpx")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), robolog_gpx::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    pub(crate) root: Root,
}

impl From<Root> for Header {
    fn from(root: Root) -> Self {
        Self { root }
    }
}

impl Header {
    /// A header with the name of the writing program.
    pub fn new(creator: &str) -> Self {
        Self::default().with_attribute("creator", creator)
    }

    /// Adds an attribute, such as a namespace of extensions.
    #[must_use]
    pub fn with_attribute(mut self, key: &str, value: &str) -> Self {
        let tag = self.root.tag().unwrap_or(b"gpx version=\"1.1\"");
        let attribute = format!(" {key}=\"{}\"", Escape(value));
        self.root = Root::new([tag, attribute.as_bytes()].concat());
        self
    }

    /// The version that the document states; a [`Writer`](super::Writer) writes 1.1.
    pub fn version(&self) -> Option<String> {
        self.attribute(b"version")
    }

    /// The program that wrote it.
    pub fn creator(&self) -> Option<String> {
        self.attribute(b"creator")
    }

    /// The namespace of the root element.
    pub fn namespace(&self) -> Option<String> {
        let prefix = Tag::Start(self.root.tag()?).prefix();
        let key = match prefix.strip_suffix(b":") {
            Some(prefix) => [b"xmlns:", prefix].concat(),
            None => b"xmlns".to_vec(),
        };
        self.attribute(&key)
    }

    /// The other attributes of the root element, unparsed: namespaces of extensions, schema locations.
    pub fn attributes(&self) -> impl Iterator<Item = (String, String)> {
        let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.root
            .tag()
            .into_iter()
            .flat_map(attributes)
            .filter(|(key, _)| !matches!(*key, b"version" | b"creator" | b"xmlns"))
            .map(move |(key, value)| (string(key), string(value)))
    }

    /// The error for a document without a root element.
    #[cold]
    pub(super) fn no_root() -> Error {
        Error::missing("root element", 0).within("gpx")
    }

    fn attribute(&self, key: &[u8]) -> Option<String> {
        let value = attribute(self.root.tag()?, key)?;
        Some(unescape(&String::from_utf8_lossy(value)).into_owned())
    }
}
