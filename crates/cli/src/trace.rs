//! Log events of the crates as lines of this program.

use std::fmt;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

/// Formats events as `robolog: warning: MESSAGE`; debug events include their target.
pub(crate) struct Lines;

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let metadata = event.metadata();
        match *metadata.level() {
            Level::ERROR => write!(writer, "robolog: error: ")?,
            Level::WARN => write!(writer, "robolog: warning: ")?,
            Level::INFO => write!(writer, "robolog: info: ")?,
            _ => write!(writer, "robolog: {}: ", metadata.target())?,
        }
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
