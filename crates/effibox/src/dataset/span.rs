//! A span of time of a data set.

/// A span of `Rtime`: microseconds since the acquisition began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First time in the span.
    pub from: Option<i64>,
    /// First time after the span.
    pub to: Option<i64>,
}

impl Span {
    /// Whether a time lies in the span.
    pub fn contains(&self, rtime: i64) -> bool {
        self.from.is_none_or(|from| rtime >= from) && self.to.is_none_or(|to| rtime < to)
    }

    /// Whether the span has no limits.
    pub fn is_everything(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }
}
