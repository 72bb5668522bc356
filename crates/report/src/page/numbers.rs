//! Numbers over time, as small multiples.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{FOLD, Recording, Section, UNFOLD, plural, put, table};
use crate::{
    axis::Axis,
    collect::{
        numbers::{OTHERS, Panel, rank},
        series::Series,
    },
    draw::{GRID, LINES, chart},
    text::{Esc, count, digits, nice, num, short, span, ticks},
};

/// Panels that are open, and all that are drawn.
const OPEN: usize = 12;
const DRAWN: usize = 72;
/// Bytes of all drawings.
const BYTES: usize = 900_000;
/// Rows of the tables.
const LISTED: usize = 1500;
/// Units of a panel's view box.
pub(crate) const SIZE: (u32, u32) = (10_000, 10_000);

/// Lines that are drawn together, and what is called the same.
pub(crate) struct Drawn<'a> {
    pub(crate) title: String,
    pub(crate) unit: &'a str,
    pub(crate) lines: Vec<(&'a str, &'a Series)>,
    same: Vec<String>,
    rank: u8,
    is_counter: bool,
    changes: u64,
}

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let kept = recording.kept;
    let (mut drawn, flat) = sorted(&kept.numbers.panels, &heroes(recording));
    let actors = super::own::actors(kept);
    for panel in &mut drawn {
        let actor = panel.title.strip_prefix("actor_").and_then(|rest| rest.split_once('/'));
        let known = actor.and_then(|(id, rest)| Some((actors.get(&id.parse().ok()?)?, rest)));
        if let Some((actor, rest)) = known {
            panel.title = format!("{} {rest}", actor.name);
        }
    }
    if drawn.is_empty() && flat.is_empty() {
        return None;
    }
    let mut hits = String::new();
    for t in super::own::collisions(kept).iter().filter_map(|hit| hit.t).take(20) {
        put!(hits, "<i class=\"hitline\" style=\"left:{:.2}%\"></i>", 100.0 * kept.axis.fraction(t));
    }
    // How long a program's loops take says little of the world.
    let timings = drawn.iter().filter(|panel| panel.is_timing()).count();
    let open = OPEN.min(if timings < drawn.len() { drawn.len() - timings } else { OPEN });
    let timings = if timings > 0 && drawn.len() > open {
        format!(", {timings} of them timings")
    } else {
        String::new()
    };
    let mut body = String::from("<div class=\"panels\">");
    let mut used = 0;
    for (n, panel) in drawn.iter().take(DRAWN).enumerate() {
        if n == open {
            put!(
                body,
                "</div><details><summary>{} more{timings}</summary>{FOLD}<div class=\"panels\">",
                plural(drawn.len() - open, "panel")
            );
        }
        let before = body.len();
        figure(&mut body, panel, n, (&hits, &kept.axis));
        used += body.len() - before;
        if used > BYTES {
            break;
        }
    }
    body.push_str("</div>");
    body.push_str(if drawn.len() > open { UNFOLD } else { "" });
    body.push_str(&tables(&drawn, &flat));
    let mut lead = format!(
        "Every column keeps its smallest and largest value, so no spike is lost. The line breaks where 5 usual \
         intervals are missing. All share one time axis, 0 to {}.",
        span(kept.axis.seconds())
    );
    if kept.numbers.beyond > 0 {
        put!(lead, " {} values of further series are left out.", count(kept.numbers.beyond));
    }
    Some(Section { id: "numbers", title: "Numbers over time", lead, body })
}

/// What stands before the channels of a simulator's hero.
fn heroes(recording: &Recording<'_>) -> Vec<String> {
    let heroes = recording.surveyed.summary.details.get("heroes").and_then(serde_json::Value::as_array);
    let ids = heroes.into_iter().flatten().filter_map(serde_json::Value::as_u64);
    ids.map(|id| format!("actor_{id}/")).collect()
}

/// The panels in the order in which they are asked for, and series that never change.
pub(crate) fn sorted<'a>(
    panels: &'a [Panel],
    heroes: &[String],
) -> (Vec<Drawn<'a>>, Vec<(String, &'a Series)>) {
    let mut drawn: Vec<Drawn<'a>> = Vec::new();
    let mut flat = Vec::new();
    let mut shapes: Vec<(Vec<f64>, usize)> = Vec::new();
    for panel in panels {
        for (title, lines) in split(panel) {
            let range = lines.iter().map(|(_, series)| series.range()).fold(0.0, f64::max);
            let greatest = lines.iter().map(|(_, series)| series.greatest.abs()).fold(1.0, f64::max);
            // What has one moment is no curve, and the last digits of nothing are noise.
            let is_moment = lines.iter().all(|(_, series)| series.is_moment());
            if range <= 1e-9 * greatest || is_moment {
                flat.extend(lines.into_iter().map(|(name, series)| (format!("{title} {name}"), series)));
                continue;
            }
            if let [(_, series)] = lines.as_slice() {
                let shape = series.shape(64);
                let twin = shapes
                    .iter()
                    .find(|(known, _)| known.iter().zip(&shape).all(|(a, b)| (a - b).abs() <= 0.005 * range));
                if let Some(twin) = twin.and_then(|(_, at)| drawn.get_mut(*at)) {
                    twin.same.push(title);
                    continue;
                }
                shapes.push((shape, drawn.len()));
            }
            let changes = lines.iter().map(|(_, series)| series.changes).max().unwrap_or_default();
            let is_counter =
                lines.iter().all(|(_, series)| series.is_rising && series.count > 9 && series.changes > 2);
            let is_hero = heroes.iter().any(|hero| panel.channel.starts_with(&**hero));
            // What a hero does is asked for before what others do.
            let rank = if is_hero { rank(&title) } else { rank(&title).saturating_add(AFTER_HEROES) };
            let changes = changes.min(3000);
            drawn.push(Drawn {
                title,
                unit: &panel.unit,
                lines,
                same: Vec::new(),
                rank,
                is_counter,
                changes,
            });
        }
    }
    (in_order(drawn), flat)
}

/// How much later the numbers of others come than those of a hero.
const AFTER_HEROES: u8 = 110;
/// Panels of one rank that come before the next rank has its turn: of ten cars first three speeds, then three pedals.
const TURN: usize = 3;

/// In the order in which users ask: by rank, and the liveliest first.
fn in_order(mut drawn: Vec<Drawn<'_>>) -> Vec<Drawn<'_>> {
    drawn.sort_by_key(|panel| (panel.rank, std::cmp::Reverse(panel.changes)));
    let mut met: BTreeMap<u8, usize> = BTreeMap::new();
    let mut ordered: Vec<_> = drawn
        .into_iter()
        .map(|panel| {
            let met = met.entry(panel.rank).or_default();
            let turn = *met / TURN;
            *met += 1;
            let base = if panel.rank < AFTER_HEROES { 0 } else { AFTER_HEROES };
            // What nobody asks for waits until all that is asked for is shown.
            let is_asked = panel.rank - base < OTHERS;
            let key = (base, !is_asked, panel.is_counter, if is_asked { turn } else { 0 }, panel.rank);
            (key, panel)
        })
        .collect();
    ordered.sort_by_key(|(key, _)| *key);
    ordered.into_iter().map(|(_, panel)| panel).collect()
}

impl Drawn<'_> {
    /// Whether it is of a program's own loops.
    fn is_timing(&self) -> bool {
        self.rank % AFTER_HEROES > OTHERS
    }

    /// The least and the greatest value.
    pub(crate) fn ends(&self) -> (f64, f64) {
        ends(&self.lines)
    }
}

pub(crate) type Lines<'a> = Vec<(&'a str, &'a Series)>;

/// The lines of a panel, each by itself where a joint scale would press them flat: gravity on one axis.
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

/// The scale of a panel: its ends with a little room.
fn scale(lines: &[(&str, &Series)]) -> (f64, f64) {
    let (least, greatest) = ends(lines);
    let room = 0.04 * (greatest - least);
    (least - room, greatest + room)
}

/// The drawing of a panel.
pub(crate) fn drawing(panel: &Drawn<'_>) -> String {
    let (low, high) = scale(&panel.lines);
    let (least, greatest) = ends(&panel.lines);
    let label = format!("{}: from {} to {} {}", short(&panel.title), num(least), num(greatest), panel.unit);
    chart(SIZE, 0.0..1.0, low..high, &label, |canvas| {
        for tick in rulers(low, high) {
            canvas.line(&[(0.0, tick), (1.0, tick)], GRID, 1);
        }
        for ((_, series), colour) in panel.lines.iter().zip(LINES) {
            for piece in series.pieces() {
                let points: Vec<_> = piece.into_iter().map(|(x, y)| (f64::from(x), y)).collect();
                canvas.line(&points, colour, 1);
            }
        }
    })
}

/// The round numbers at which a panel has a line.
fn rulers(low: f64, high: f64) -> Vec<f64> {
    ticks(low, high, 2.5)
}

/// A round number with the decimals of its step.
fn ruler(tick: f64, step: f64) -> String {
    if tick.abs() >= 1e6 || step < 1e-6 {
        return digits(tick, 4);
    }
    let decimals = crate::axis::cell((-(step * 1.001).log10().floor()).max(0.0) / 10.0, 10);
    format!("{tick:.decimals$}").replace('-', "−")
}

fn figure(html: &mut String, panel: &Drawn<'_>, n: usize, (hits, axis): (&str, &Axis)) {
    let (low, high) = scale(&panel.lines);
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
    let step = nice(high - low, 2.5);
    let mut rulers = String::new();
    for tick in self::rulers(low, high) {
        let top = 100.0 * (high - tick) / (high - low);
        put!(rulers, "<span class=\"yt\" style=\"top:{top:.1}%\">{}</span>", ruler(tick, step));
    }
    put!(
        html,
        "</span></figcaption><div class=\"fr\">{rulers}<div class=\"tx\" data-p=\"v{n}\" data-low=\"{low}\" data-high=\"{high}\"><div class=\"in\">{}{hits}</div></div></div>",
        drawing(panel)
    );
    put!(html, "<div class=\"px\">{}</div>", super::time_axis(axis, 4.0));
    let unit = if panel.unit.is_empty() { "no unit recorded".to_owned() } else { powers(panel.unit) };
    put!(html, "<p class=\"rd\"><span>{}</span><output id=\"v{n}\"></output></p></figure>\n", Esc(&unit));
}

/// A panel by itself, number `n` of its page.
pub(crate) fn panel(html: &mut String, title: &str, unit: &str, lines: Lines<'_>, n: usize, axis: &Axis) {
    let (same, is_counter) = (Vec::new(), false);
    let drawn = Drawn { title: title.trim().into(), unit, lines, same, rank: 0, is_counter, changes: 0 };
    figure(html, &drawn, n, ("", axis));
}

/// How many digits tell the ends of a range apart: three, and more only where these would read the same.
fn precise(least: f64, greatest: f64) -> usize {
    let apart = (least.abs().max(greatest.abs()) / (greatest - least)).log10().ceil();
    let precise = if least == 0.0 || greatest == 0.0 { 3 } else { crate::axis::cell(apart / 20.0, 20) + 2 };
    precise.clamp(3, 9)
}

/// A unit as people write it: m/s² for m/s^2.
fn powers(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³")
}

fn tables(drawn: &[Drawn<'_>], flat: &[(String, &Series)]) -> String {
    let mut html = String::new();
    if !flat.is_empty() {
        let mut rows = String::new();
        for (title, series) in flat.iter().take(LISTED) {
            put!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                Esc(&short(title)),
                digits(series.least, 8),
                count(series.count)
            );
        }
        let title = format!("{} that never change", plural(flat.len(), "line"));
        html.push_str(&table(&title, "Series|Value|Samples", &rows));
    }
    let mut rows = String::new();
    let lines = drawn.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
    for (panel, (name, series)) in lines.take(LISTED) {
        // The mean lies between the ends, and often near one of them.
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
