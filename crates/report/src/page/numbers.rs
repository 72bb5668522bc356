//! Numbers over time, as small multiples.

mod order;

use std::{collections::BTreeMap, fmt::Write as _};

use self::order::AFTER_HEROES;
pub(crate) use self::order::{movers, sorted};
use super::{FOLD, Recording, Section, UNFOLD, map::tints, own::Actor, plural, put, table};
use crate::{
    axis::Axis,
    collect::{
        numbers::{OTHERS, Panel},
        series::Series,
    },
    draw::{GRID, LINES, QUIET, Rgb, chart},
    text::{Esc, count, digits, num, short, span, ticks},
};

/// Number of open panels, and maximum number drawn.
const OPEN: usize = 12;
const DRAWN: usize = 72;
/// Maximum bytes of all drawings.
const BYTES: usize = 900_000;
/// Maximum rows of the tables.
const LISTED: usize = 1500;
/// Units of a panel's view box.
const SIZE: (u32, u32) = (10_000, 10_000);

/// Title, unit and numbers of a line without information over time.
pub(crate) type Flat<'a> = (String, &'a str, &'a Series);

/// Lines drawn together, and the titles of equal ones.
pub(crate) struct Drawn<'a> {
    pub(crate) title: String,
    pub(crate) unit: &'a str,
    pub(crate) lines: Vec<(&'a str, &'a Series)>,
    same: Vec<String>,
    /// The actor that it is of.
    actor: Option<i64>,
    rank: u8,
    /// Whether it is ordered after similar ones: counters, single steps, reverse speeds.
    is_late: bool,
    /// Distance of the actor in decimetres.
    moved: u64,
    changes: u64,
}

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let kept = recording.kept;
    let actors = super::own::actors(kept);
    let (mut drawn, flat) = sorted(&kept.numbers.panels, &movers(recording));
    for panel in &mut drawn {
        panel.title = titled(&panel.title, &actors);
    }
    if drawn.is_empty() && flat.is_empty() {
        return None;
    }
    let mut hits = String::new();
    for t in super::own::collisions(kept).iter().filter_map(|hit| hit.t).take(20) {
        put!(hits, "<i class=\"hitline\" style=\"left:{:.2}%\"></i>", 100.0 * kept.axis.fraction(t));
    }
    // Loop times of programs, lights and parked objects are of little interest.
    let last = drawn.iter().filter(|panel| panel.is_last()).count();
    let open = OPEN.min(if last < drawn.len() { drawn.len() - last } else { OPEN });
    let few = if last > 0 && drawn.len() > open {
        format!(", {last} of them for timings, lights or parked objects")
    } else {
        String::new()
    };
    let tints = tints(recording);
    let mut body = String::from("<div class=\"panels\">");
    let mut used = 0;
    for (n, panel) in drawn.iter().take(DRAWN).enumerate() {
        if n == open {
            put!(
                body,
                "</div><details><summary>{} more{few}</summary>{FOLD}<div class=\"panels\">",
                plural(drawn.len() - open, "panel")
            );
        }
        let before = body.len();
        figure(&mut body, panel, n, (&hits, &kept.axis, &tints));
        used += body.len() - before;
        if used > BYTES {
            break;
        }
    }
    body.push_str("</div>");
    body.push_str(if drawn.len() > open { UNFOLD } else { "" });
    body.push_str(&tables(&drawn, &flat));
    let mut lead = format!(
        "Every column keeps its smallest and largest value, so no spike is lost. A line breaks at gaps of more than 5 \
         usual intervals. All charts share one time axis, 0 to {}.",
        span(kept.axis.seconds())
    );
    if kept.numbers.beyond > 0 {
        put!(lead, " {} values of further series are not shown.", count(kept.numbers.beyond));
    }
    Some(Section { id: "numbers", title: "Numbers over time", lead, body })
}

/// A title with the name of the actor in place of its number.
pub(crate) fn titled(title: &str, actors: &BTreeMap<i64, Actor>) -> String {
    let actor = title.strip_prefix("actor_").and_then(|rest| rest.split_once('/'));
    let known = actor.and_then(|(id, rest)| Some((actors.get(&id.parse().ok()?)?, rest)));
    known.map_or_else(|| title.to_owned(), |(actor, rest)| format!("{} {rest}", actor.name))
}

impl Drawn<'_> {
    /// Whether it is about loop times, lights or parked objects.
    pub(crate) fn is_last(&self) -> bool {
        self.rank % AFTER_HEROES > OTHERS
    }
}

/// The colour of each actor that the map and the replay give one.
pub(crate) type Tints = BTreeMap<i64, usize>;

impl Drawn<'_> {
    /// The colours of its lines: a single line has that of its actor, or the grey of others.
    pub(crate) fn colours(&self, tints: &Tints) -> [Rgb; LINES.len()] {
        let Some(actor) = self.actor.filter(|_| self.lines.len() == 1 && !tints.is_empty()) else {
            return LINES;
        };
        let own = tints.get(&actor).and_then(|n| LINES.get(n % LINES.len()));
        [own.copied().unwrap_or(QUIET); LINES.len()]
    }
}

pub(crate) type Lines<'a> = Vec<(&'a str, &'a Series)>;

/// The lines of a panel, split if a common scale would flatten them, such as gravity on one axis.
fn split(panel: &Panel) -> Vec<(String, Lines<'_>)> {
    let lines: Lines<'_> =
        panel.lines.iter().filter(|line| line.1.count > 0).map(|(name, series)| (&**name, series)).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let liveliest = lines.iter().map(|(_, series)| series.range()).fold(0.0, f64::max);
    let (least, greatest) = ends(&lines);
    if lines.len() > 1 && liveliest < 0.2 * (greatest - least) {
        return lines
            .into_iter()
            .map(|(name, series)| (format!("{} {name}", panel.title), vec![("", series)]))
            .collect();
    }
    vec![(panel.title.clone(), lines)]
}

fn ends(lines: &[(&str, &Series)]) -> (f64, f64) {
    lines.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), (_, series)| {
        (least.min(series.least), greatest.max(series.greatest))
    })
}

/// The scale of a panel: its ends with a margin.
fn scale((least, greatest): (f64, f64)) -> (f64, f64) {
    let room = 0.04 * (greatest - least);
    (least - room, greatest + room)
}

/// The drawing of a panel.
fn drawing(panel: &Drawn<'_>, (low, high): (f64, f64), tints: &Tints) -> String {
    let (least, greatest) = ends(&panel.lines);
    let label = format!("{}: from {} to {} {}", short(&panel.title), num(least), num(greatest), panel.unit);
    chart(SIZE, 0.0..1.0, low..high, &label, |canvas| {
        for tick in rulers(low, high) {
            canvas.line(&[(0.0, tick), (1.0, tick)], GRID, 1);
        }
        let colours = panel.colours(tints);
        for ((_, series), colour) in panel.lines.iter().zip(colours) {
            for piece in series.pieces() {
                let points: Vec<_> = piece.into_iter().map(|(x, y)| (f64::from(x), y)).collect();
                canvas.line(&points, colour, 1);
            }
        }
    })
}

/// Round numbers for the grid lines of a panel.
pub(crate) fn rulers(low: f64, high: f64) -> Vec<f64> {
    // A scale needs at least two.
    let few = [2.5, 4.0, 6.0].into_iter().map(|n| ticks(low, high, n)).find(|ticks| ticks.len() > 1);
    few.unwrap_or_else(|| ticks(low, high, 9.0))
}

/// Step between round numbers.
pub(crate) fn between(ticks: &[f64]) -> f64 {
    if let [first, second, ..] = ticks { second - first } else { 1.0 }
}

/// A round number with the decimals of its step.
pub(crate) fn ruler(tick: f64, step: f64) -> String {
    if tick.abs() >= 1e6 || step < 1e-6 {
        return digits(tick, 4);
    }
    let decimals = crate::axis::cell((-(step * 1.001).log10().floor()).max(0.0) / 10.0, 10);
    format!("{tick:.decimals$}").replace('-', "−")
}

fn figure(html: &mut String, panel: &Drawn<'_>, n: usize, (hits, axis, tints): (&str, &Axis, &Tints)) {
    figure_within(html, panel, (n, ends(&panel.lines)), (hits, axis, tints));
}

/// The same on a scale with these ends.
fn figure_within(
    html: &mut String,
    panel: &Drawn<'_>,
    (n, ends): (usize, (f64, f64)),
    (hits, axis, tints): (&str, &Axis, &Tints),
) {
    let (low, high) = scale(ends);
    let title = Esc(&short(&panel.title)).to_string();
    let same = match panel.same.as_slice() {
        [] => String::new(),
        [one] => format!(" <small>= {}</small>", Esc(&short(one))),
        [one, more @ ..] => format!(" <small>= {} and {} more</small>", Esc(&short(one)), more.len()),
    };
    put!(
        html,
        "<figure class=\"panel\"><figcaption><b title=\"{title}\">{title}</b>{same}<span class=\"keys\">"
    );
    for (k, (name, _)) in panel.lines.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
        put!(html, "<i class=\"c{}\">{}</i>", k % LINES.len(), Esc(name));
    }
    let ticks = rulers(low, high);
    let step = between(&ticks);
    let mut labels = String::new();
    for tick in ticks {
        let top = 100.0 * (high - tick) / (high - low);
        put!(labels, "<span class=\"yt\" style=\"top:{top:.1}%\">{}</span>", ruler(tick, step));
    }
    put!(
        html,
        "</span></figcaption><div class=\"fr\">{labels}<div class=\"tx\" data-p=\"v{n}\" data-low=\"{low}\" data-high=\"{high}\"><div class=\"in\">{}{hits}</div></div></div>",
        drawing(panel, (low, high), tints)
    );
    put!(html, "<div class=\"px\">{}</div>", super::time_axis(axis, 4.0));
    let unit = if panel.unit.is_empty() { "no unit recorded".to_owned() } else { powers(panel.unit) };
    put!(html, "<p class=\"rd\"><span>{}</span><output id=\"v{n}\"></output></p></figure>\n", Esc(&unit));
}

/// A single panel, number `n` of its page.
pub(crate) fn panel(html: &mut String, title: &str, unit: &str, lines: Lines<'_>, n: usize, axis: &Axis) {
    let ends = ends(&lines);
    panel_within(html, title, unit, lines, (n, ends), axis);
}

/// The same on a scale with these ends.
pub(crate) fn panel_within(
    html: &mut String,
    title: &str,
    unit: &str,
    lines: Lines<'_>,
    place: (usize, (f64, f64)),
    axis: &Axis,
) {
    let (title, same, is_late) = (title.trim().into(), Vec::new(), false);
    let drawn = Drawn { title, unit, lines, same, actor: None, rank: 0, is_late, moved: 0, changes: 0 };
    figure_within(html, &drawn, place, ("", axis, &Tints::new()));
}

/// Digits needed to distinguish the ends of a range: three, or more if these would be equal.
fn precise(least: f64, greatest: f64) -> usize {
    let apart = (least.abs().max(greatest.abs()) / (greatest - least)).log10().ceil();
    let precise = if least == 0.0 || greatest == 0.0 { 3 } else { crate::axis::cell(apart / 20.0, 20) + 2 };
    precise.clamp(3, 9)
}

/// A unit with superscripts: m/s² for m/s^2.
pub(crate) fn powers(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³")
}

fn tables(drawn: &[Drawn<'_>], flat: &[Flat<'_>]) -> String {
    let mut html = String::new();
    if !flat.is_empty() {
        let mut rows = String::new();
        for (title, _, series) in flat.iter().take(LISTED) {
            put!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                Esc(&short(title)),
                digits(series.least, 8),
                digits(series.greatest, 8),
                count(series.count)
            );
        }
        let title = format!(
            "{} without a panel: constant, a single moment, or noise near 0",
            plural(flat.len(), "line")
        );
        html.push_str(&table(&title, "Series|Smallest|Largest|Samples", &rows));
    }
    let mut rows = String::new();
    let lines = drawn.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
    for (panel, (name, series)) in lines.take(LISTED) {
        // The mean is often near one of the ends, so it needs one more digit.
        let precise = (precise(series.least, series.greatest) + 1).max(4);
        let shown = |value: f64| super::exact(value, &digits(value, precise));
        put!(
            rows,
            "<tr><td>{} {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            Esc(&short(&panel.title)),
            Esc(name),
            Esc(&powers(panel.unit)),
            count(series.count),
            shown(series.least),
            shown(series.mean()),
            shown(series.greatest),
            count(series.not_finite)
        );
    }
    html.push_str(&table(
        "All series as a table",
        "Series|Unit|Samples|Smallest|Mean|Largest|Not finite",
        &rows,
    ));
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scale_has_at_least_two_round_numbers() {
        for n in 0..2000_i32 {
            let (from, width) = (f64::from(n * 37 % 1000) / 7.0 - 60.0, 1.017f64.powi(n % 400));
            let rulers = rulers(from, from + width);
            assert!((2..=9).contains(&rulers.len()), "{from} and {width}: {rulers:?}");
        }
        assert_eq!(rulers(9.96, 956.0), [200.0, 400.0, 600.0, 800.0]);
    }
}
