//! Filters of channels.

use std::{fmt, sync::Arc};

use robolog_core::Channel;

use crate::{NoChannel, Result};

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
    resolve: Option<Resolve>,
}

/// Makes a filter for a recording with these channels.
type Resolve = Arc<dyn Fn(&[Channel]) -> Result<ChannelFilter> + Send + Sync>;

impl ChannelFilter {
    /// Keeps the channels for which `is_meant` returns true.
    pub fn new(is_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let none = Arc::new(|| None);
        Self {
            is_meant: Arc::new(is_meant),
            unmatched: none.clone(),
            unmet: none,
            names_channels: true,
            resolve: None,
        }
    }

    /// A filter that is made anew for each recording, from its channels and their attributes: see
    /// [`Limit::know_channels`](crate::Limit::know_channels). Until then it keeps none.
    ///
    /// ```
    /// use robolog_convert::{ChannelFilter, Input, Limit, survey};
    /// let longest = ChannelFilter::by_contents(|channels| {
    ///     let name = channels.iter().max_by_key(|channel| channel.records).map(|channel| channel.name.clone());
    ///     Ok(ChannelFilter::new(move |channel| Some(channel) == name.as_deref()))
    /// });
    /// let mut limit = Limit::default().with_channels(longest);
    /// let surveyed = survey(Input::open("examples/drive.log")?, None, &mut |_| {})?;
    /// limit.know_channels(&surveyed.summary.channels)?;
    /// # Ok::<(), robolog_convert::Error>(())
    /// ```
    pub fn by_contents(resolve: impl Fn(&[Channel]) -> Result<Self> + Send + Sync + 'static) -> Self {
        Self { resolve: Some(Arc::new(resolve)), ..Self::new(|_| false) }
    }

    /// The filter for a recording with these channels, if it depends on them.
    pub(super) fn resolved(&self, channels: &[Channel]) -> Result<Option<Self>> {
        self.resolve.as_ref().map(|resolve| resolve(channels)).transpose()
    }

    /// Whether the channels must be known first.
    pub(super) const fn needs_channels(&self) -> bool {
        self.resolve.is_some()
    }

    /// Keeps these channels too.
    #[must_use]
    pub fn or(self, others: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let first = Arc::clone(&self.is_meant);
        Self { is_meant: Arc::new(move |channel| first(channel) || others(channel)), ..self }
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
