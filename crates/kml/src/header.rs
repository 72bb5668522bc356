//! The header: the prolog and the start tag of the root element.

use robolog_xml::{Root, attribute, attributes};

/// The root element's start tag. `Header::default()` has none; a [`Writer`](super::Writer) writes that of KML 2.2.
///
/// ```
/// let reader = robolog_kml::open("examples/gx_track.kml")?;
/// println!("{:?}", reader.header());
/// # Ok::<(), robolog_kml::Error>(())
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
    /// The version, by the attribute of KML 2.3 or by the namespace.
    pub fn version(&self) -> Option<String> {
        let root = self.root.tag()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if let Some(version) = attribute(root, b"version") {
            return Some(text(version));
        }
        let spaces = attributes(root).filter(|(key, _)| key.starts_with(b"xmlns"));
        spaces.filter(|(_, value)| memchr::memmem::find(value, b"/kml/").is_some()).find_map(|(_, value)| {
            let last = value.rsplit(|b| *b == b'/').next()?;
            let is_own = memchr::memmem::find(value, b"/ext/").is_none();
            (is_own && last.first()?.is_ascii_digit()).then(|| text(last))
        })
    }
}
