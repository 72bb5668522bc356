//! Which channels are wanted.

use std::{fmt, sync::Arc};

use robolog_core::text::Escaped;

/// Answers whether a channel is meant. What it has met is shared by all its clones.
///
/// ```
/// use robolog_convert::ChannelFilter;
/// let points = ChannelFilter::new(|channel| channel.ends_with("/points"));
/// assert!(points.matches("3WEDH7600101501/points") && !points.matches("tf_static"));
/// ```
#[derive(Clone)]
pub struct ChannelFilter {
    is_meant: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    unmatched: Arc<dyn Fn() -> Option<NoChannel> + Send + Sync>,
    /// The same, whether or not this filter is [checked](crate::Limit::unchecked).
    unmet: Arc<dyn Fn() -> Option<NoChannel> + Send + Sync>,
    names_channels: bool,
}

/// A pattern that no channel of the recording matches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no channel matches '{}'{}", Escaped(.pattern.as_bytes()), Nearest(.nearest))]
pub struct NoChannel {
    /// The pattern.
    pub pattern: String,
    /// The channel whose name is the most like it, if one is.
    pub nearest: Option<String>,
    /// The first channels that were met, by name.
    pub met: Vec<String>,
}

struct Nearest<'a>(&'a Option<String>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "; did you mean {}?", Escaped(name.as_bytes())),
            None => Ok(()),
        }
    }
}

impl ChannelFilter {
    /// Of the channels for which `is_meant` answers true.
    pub fn new(is_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let none = Arc::new(|| None);
        Self { is_meant: Arc::new(is_meant), unmatched: none.clone(), unmet: none, names_channels: true }
    }

    /// The same; `unmatched` gives, once the whole recording has been met, a pattern that no channel matched.
    #[must_use]
    pub fn with_unmatched(self, unmatched: impl Fn() -> Option<NoChannel> + Send + Sync + 'static) -> Self {
        let unmatched = Arc::new(unmatched);
        Self { unmatched: unmatched.clone(), unmet: unmatched, ..self }
    }

    /// The same for a filter that only excludes channels: it asks for none by name.
    #[must_use]
    pub fn excluding(self) -> Self {
        Self { names_channels: false, ..self }
    }

    /// The same; that a pattern matches no channel is no error.
    pub(super) fn unchecked(self) -> Self {
        Self { unmatched: Arc::new(|| None), ..self }
    }

    /// Whether channels are chosen by name.
    pub(super) const fn names_channels(&self) -> bool {
        self.names_channels
    }

    /// Fails when a pattern matched no channel of all that were met.
    pub(crate) fn check(&self) -> Result<(), NoChannel> {
        (self.unmatched)().map_or(Ok(()), Err)
    }

    /// Whether each pattern has matched a channel: nothing that is met or not from now on changes what a user is told.
    pub(crate) fn is_settled(&self) -> bool {
        (self.unmet)().is_none()
    }

    /// Whether it is this one, among others.
    pub fn matches(&self, channel: &str) -> bool {
        (self.is_meant)(channel)
    }
}

impl fmt::Debug for ChannelFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelFilter").finish_non_exhaustive()
    }
}
