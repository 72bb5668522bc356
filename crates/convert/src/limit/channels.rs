//! Filters of channels.

use std::{fmt, sync::Arc};

use crate::NoChannel;

/// Decides which channels to keep. Clones share the channels found so far.
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
    /// Like `unmatched`, also for a filter that is [not checked](crate::Limit::unchecked).
    unmet: Arc<dyn Fn() -> Option<NoChannel> + Send + Sync>,
    names_channels: bool,
}

impl ChannelFilter {
    /// Keeps the channels for which `is_meant` returns true.
    pub fn new(is_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let none = Arc::new(|| None);
        Self { is_meant: Arc::new(is_meant), unmatched: none.clone(), unmet: none, names_channels: true }
    }

    /// Sets `unmatched`, which returns a pattern that no channel matched, at the end of the recording.
    #[must_use]
    pub fn with_unmatched(self, unmatched: impl Fn() -> Option<NoChannel> + Send + Sync + 'static) -> Self {
        let unmatched = Arc::new(unmatched);
        Self { unmatched: unmatched.clone(), unmet: unmatched, ..self }
    }

    /// Marks a filter that only excludes channels, and so chooses none by name.
    #[must_use]
    pub fn excluding(self) -> Self {
        Self { names_channels: false, ..self }
    }

    /// Allows patterns that match no channel.
    pub(super) fn unchecked(self) -> Self {
        Self { unmatched: Arc::new(|| None), ..self }
    }

    /// Whether channels are chosen by name.
    pub(super) const fn names_channels(&self) -> bool {
        self.names_channels
    }

    /// Returns an error if a pattern matched none of the channels found.
    pub(crate) fn check(&self) -> Result<(), NoChannel> {
        (self.unmatched)().map_or(Ok(()), Err)
    }

    /// Whether each pattern has matched a channel, so that further channels do not change the outcome of `check`.
    pub(crate) fn is_settled(&self) -> bool {
        (self.unmet)().is_none()
    }

    /// Whether to keep this channel.
    pub fn matches(&self, channel: &str) -> bool {
        (self.is_meant)(channel)
    }
}

impl fmt::Debug for ChannelFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelFilter").finish_non_exhaustive()
    }
}
