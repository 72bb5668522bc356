//! What a recording says of a channel as a whole.

use std::{borrow::Cow, sync::Arc};

/// Attributes of a channel: what a recording says once of all its samples, such as the name of a track, the blueprint of
/// an actor, the serial number of a sensor. Shared by the samples of the channel; cloning is cheap.
///
/// Keys are in snake case. Those with one meaning in every format: `name`, `description`, `type`, `number`, `link`,
/// `vehicle`, `blueprint`, `role`, `serial`, `model`, `firmware`.
///
/// ```
/// use robolog_core::Attributes;
/// let track = Attributes::from_iter([("name", "Morning ride".to_owned()), ("type", "cycling".to_owned())]);
/// assert_eq!((track.get("type"), track.get("serial")), (Some("cycling"), None));
/// assert!(Attributes::default().is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Attributes(Option<Arc<[Attribute]>>);

/// A key and its value.
type Attribute = (Cow<'static, str>, String);

impl Attributes {
    /// The value of an attribute.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Keys and values, in the order of the recording.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|list| list.iter()).map(|(key, value)| (&**key, &**value))
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether both are the same list in memory, which is a cheap way to see that nothing changed.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl<K: Into<Cow<'static, str>>> FromIterator<(K, String)> for Attributes {
    fn from_iter<T: IntoIterator<Item = (K, String)>>(pairs: T) -> Self {
        let list: Arc<[_]> = pairs.into_iter().map(|(key, value)| (key.into(), value)).collect();
        Self((!list.is_empty()).then_some(list))
    }
}

/// As a map.
#[cfg(feature = "serde")]
impl serde::Serialize for Attributes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
