//! Pieces of HTML that sections share: tables, numbers, time axes, legends.

use std::fmt::Write as _;

use super::put;
use crate::{
    axis::Axis,
    text::{Esc, count, digits, ticks},
};

/// A folded table with the numbers of a picture. `heads` are separated by bars.
pub(super) fn table(title: &str, heads: &str, rows: &str) -> String {
    let mut html = format!("<details class=\"data\"><summary>{}</summary>{FOLD}", Esc(title));
    open_table(&mut html, heads, rows);
    html.push_str(UNFOLD);
    html
}

/// Around folded content: with scripts it stays text until opened, so the page has few nodes; without scripts it is
/// shown. It cannot contain `</noscript`, because all text is escaped.
pub(crate) const FOLD: &str = "<noscript>";
pub(crate) const UNFOLD: &str = "</noscript></details>\n";

/// A table.
pub(crate) fn open_table(html: &mut String, heads: &str, rows: &str) {
    html.push_str("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    for head in heads.split('|') {
        put!(html, "<th scope=\"col\">{head}</th>");
    }
    put!(html, "</tr></thead><tbody>{rows}</tbody></table></div>");
}

/// A number with its exact value for programs.
pub(super) fn exact(value: impl std::fmt::Display, shown: &str) -> String {
    format!("<data value=\"{value}\">{shown}</data>")
}

/// A suitable unit for this many seconds: its length in seconds, and its name.
pub(crate) fn clock(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 180.0 => (1.0, "s"),
        s if s < 10_800.0 => (60.0, "min"),
        s if s < 200_000.0 => (3600.0, "h"),
        _ => (86_400.0, "d"),
    }
}

/// The labels below a picture over time.
pub(super) fn time_axis(axis: &Axis, n: f64) -> String {
    let seconds = axis.seconds();
    let (scale, unit) = clock(seconds);
    let mut html = String::from("<div class=\"taxis\" aria-hidden=\"true\">");
    for tick in ticks(0.0, seconds / scale, n) {
        let at = 100.0 * axis.fraction(tick * scale);
        let edge = if at > 96.0 {
            "-100%"
        } else if at < 2.0 {
            "0"
        } else {
            "-50%"
        };
        put!(
            html,
            "<span style=\"left:{at:.3}%;transform:translateX({edge})\">{} {unit}</span>",
            digits(tick, 3)
        );
    }
    html.push_str("</div>");
    html
}

/// The legend of a picture's colours.
pub(super) fn legend(low: &str, high: &str, colours: &[String]) -> String {
    let mut html = format!("<p class=\"legend\"><span>{low}</span><b aria-hidden=\"true\">");
    for colour in colours {
        put!(html, "<i style=\"background:{colour}\" data-c=\"{colour}\"></i>");
    }
    put!(html, "</b><span>{high}</span></p>");
    html
}

/// Viridis as colours of a legend.
pub(super) fn viridis() -> Vec<String> {
    crate::raster::VIRIDIS.iter().map(|[r, g, b]| format!("#{r:02X}{g:02X}{b:02X}")).collect()
}

/// `1 gap`, `2 gaps`.
pub(super) fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", count(n as u64)) }
}
