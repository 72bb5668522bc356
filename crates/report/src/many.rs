//! Three and more recordings on one page: a table, and small multiples on shared axes.

use std::fmt::Write as _;

use robolog_convert::{Report, Result, journey::Journey};

use robolog_core::slices::Part as _;

use crate::{
    Options, Plotting, Source, Verdict,
    axis::{Axis, shared},
    collect::{numbers::OTHERS, series::Series, track::Ground},
    draw::{GRID, LINES, chart},
    page::{
        Data, Section, Turning, assemble,
        map::{Earth, Way, ends, ways},
        numbers::{movers, panel_within, sorted},
        open_table, put, verdict_of, when,
    },
    plot::{Side, sides},
    text::{Esc, digits, nice, num, short, span, ticks},
};

/// A page about several recordings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Multiples {
    /// The document.
    pub html: String,
    /// The worst verdict.
    pub verdict: Verdict,
    /// Reports of reading the samples, one for each recording.
    pub read: Vec<Report>,
}

/// Maximum number of quantities that are drawn.
const QUANTITIES: usize = 16;

/// Makes the page of several recordings: a table, and what they have in common as small multiples, which share their
/// axes. Recordings of the same time share its axis; otherwise each counts from its own start.
///
/// ```
/// use robolog_report::{Options, multiples};
/// let files = ["examples/nav.alog"; 3].map(Into::into);
/// let page = multiples(&files, &Options::default(), &mut |_| {})?;
/// assert_eq!(page.html.matches("<figure class=\"small\"").count(), 3);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn multiples(
    sources: &[Source<'_>],
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Multiples> {
    let plotting = Plotting { limit: options.limit.clone(), ..Plotting::default() };
    let sides = sides(sources, &plotting, options, progress)?;
    let spans: Vec<_> = sides.iter().map(|side| side.surveyed.summary.span).collect();
    let verdicts: Vec<Verdict> = sides.iter().map(|side| verdict_of(&side.recording())).collect();
    let sections: Vec<Section> = [maps(&sides), numbers(&sides)].into_iter().flatten().collect();
    let axis = sides.first().map_or(Axis::new(None), |side| side.kept.axis);
    let head = head(&sides, &verdicts, shared(&spans).1);
    let title = format!("{} recordings", sides.len());
    let html = assemble(&title, &head, &sections, &axis, &Data::default(), &Turning::default());
    let verdict = verdicts.into_iter().max().unwrap_or(Verdict::Sound);
    Ok(Multiples { html, verdict, read: sides.into_iter().map(|side| side.read).collect() })
}

fn head(sides: &[Side], verdicts: &[Verdict], is_one_time: bool) -> String {
    let mut html = format!("<header><h1>{} recordings</h1>", sides.len());
    let clock = if is_one_time {
        "They share one time axis."
    } else {
        "They were recorded at different times: each counts from its own start."
    };
    put!(html, "<p class=\"lead\">{clock}</p>");
    let mut rows = String::new();
    for (side, verdict) in sides.iter().zip(verdicts) {
        let summary = &side.surveyed.summary;
        let start = summary.span.map_or_else(|| "–".into(), |span| when(span.0));
        let seconds = summary.span.and_then(|(start, end)| end.since(start)).map(|nanos| nanos as f64 / 1e9);
        let duration = seconds.map_or_else(|| "–".into(), span);
        put!(
            rows,
            "<tr><td>{}</td><td class=\"{}\"><strong>{}</strong></td><td>{}</td><td>{}</td><td>{duration}</td>",
            Esc(&short(&side.name)),
            verdict.class(),
            verdict.words(),
            Esc(&side.surveyed.format_for_people()),
            Esc(&start)
        );
        for value in figures(side) {
            put!(rows, "<td>{}</td>", value.map_or_else(|| "–".to_owned(), |value| digits(value, 4)));
        }
        rows.push_str("</tr>\n");
    }
    let heads = "Recording|Verdict|Format|Starts|Duration|Distance, m|Ascent, m|Moving, s|Mean speed, m/s|Greatest speed, m/s";
    open_table(&mut html, heads, &rows);
    html.push_str("</header>\n");
    html
}

/// Distance, ascent, time in motion and speeds of its track.
fn figures(side: &Side) -> [Option<f64>; 5] {
    let journey = side.kept.journey();
    let of = |value: fn(&Journey) -> Option<f64>| journey.as_ref().and_then(value);
    [
        of(|journey| Some(journey.distance_m)),
        of(|journey| journey.ascent_m),
        of(|journey| journey.moving_s),
        of(|journey| journey.mean_speed_mps),
        of(|journey| journey.greatest_speed_mps),
    ]
}

/// West, east, south and north.
type Extent = ((f64, f64), (f64, f64));

/// The extent of the moving tracks, else of all.
fn extent(ways: &[Way<'_>]) -> Option<Extent> {
    let is_still = !ways.iter().any(|way| way.is_moving);
    let places = || ways.iter().filter(|way| way.is_moving || is_still).flat_map(|way| way.places.iter());
    Some((ends(places().map(|at| at.0))?, ends(places().map(|at| at.1))?))
}

/// A map for each recording, all of one scale; and of one place, unless they are far apart.
fn maps(sides: &[Side]) -> Option<Section> {
    let of = |ground: Ground| {
        let earth = sides.iter().find_map(|side| Earth::new(&side.kept)).filter(|_| ground == Ground::Earth);
        let found: Vec<Vec<Way<'_>>> =
            sides.iter().map(|side| ways(&side.recording(), ground, earth)).collect();
        let known = found.iter().filter(|ways| extent(ways).is_some()).count();
        (known, found)
    };
    let (local, earth) = (of(Ground::Local), of(Ground::Earth));
    let (known, found) = if local.0 >= earth.0 { local } else { earth };
    if known == 0 {
        return None;
    }
    let extents: Vec<Option<Extent>> = found.iter().map(|ways| extent(ways)).collect();
    let all = || extents.iter().flatten();
    let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    let size = |range: (f64, f64)| range.1 - range.0;
    let whole = all().copied().reduce(|a, b| (join(a.0, b.0), join(a.1, b.1)))?;
    let largest = all().map(|(x, y)| size(*x).max(size(*y))).fold(1.0, f64::max);
    let is_near = size(whole.0).max(size(whole.1)) <= 4.0 * largest;
    let side = 1.1 * if is_near { size(whole.0).max(size(whole.1)).max(1.0) } else { largest };
    let step = nice(side, 4.0);
    let mut body = String::from("<div class=\"panels\">");
    for ((recording, ways), extent) in sides.iter().zip(&found).zip(&extents) {
        let Some((x, y)) = extent.map(|own| if is_near { whole } else { own }) else { continue };
        let square = |range: (f64, f64)| {
            let middle = f64::midpoint(range.0, range.1);
            (middle - side / 2.0, middle + side / 2.0)
        };
        let name = Esc(&short(&recording.name)).to_string();
        put!(
            body,
            "<figure class=\"small\"><figcaption><b>{name}</b></figcaption><div class=\"plan sq\">{}</div></figure>\n",
            map(ways, square(x), square(y), step, &recording.name)
        );
    }
    body.push_str("</div>");
    let place = if is_near { "The same part of the world" } else { "One scale, each around its own middle" };
    let lead = format!("{place}; a square is {} m.", num(step));
    Some(Section { id: "map", title: "Where they went", lead, body })
}

fn map(ways: &[Way<'_>], x: (f64, f64), y: (f64, f64), step: f64, name: &str) -> String {
    let lines = |(low, high): (f64, f64)| ticks(low, high, (high - low) / step);
    chart((2500, 2500), x.0..x.1, y.0..y.1, &format!("where {} went", short(name)), |canvas| {
        for at in lines(x) {
            canvas.line(&[(at, y.0), (at, y.1)], GRID, 1);
        }
        for at in lines(y) {
            canvas.line(&[(x.0, at), (x.1, at)], GRID, 1);
        }
        for (way, colour) in ways.iter().zip(LINES.iter().cycle()) {
            let places = if way.is_moving { &*way.places } else { way.places.part_or_empty(..1) };
            canvas.line(places, *colour, if way.is_moving { 2 } else { 9 });
        }
    })
}

/// A quantity of several recordings: its title and unit, and the recordings that have it.
struct Quantity<'a> {
    title: String,
    unit: &'a str,
    lines: Vec<(&'a str, &'a Series)>,
    is_last: bool,
}

/// What at least two recordings have, most wanted first.
fn quantities(sides: &[Side]) -> Vec<Quantity<'_>> {
    let mut all: Vec<Quantity<'_>> = Vec::new();
    for side in sides {
        let recording = side.recording();
        let (drawn, _) = sorted(&side.kept.numbers.panels, &movers(&recording));
        for panel in drawn {
            let is_last = panel.is_last() || crate::collect::numbers::rank(&panel.title) > OTHERS;
            for (line, series) in panel.lines {
                let title = format!("{} {line}", panel.title).trim().to_owned();
                match all.iter_mut().find(|known| known.title == title && known.unit == panel.unit) {
                    Some(known) => known.lines.push((&side.name, series)),
                    None => all.push(Quantity {
                        title,
                        unit: panel.unit,
                        lines: vec![(&side.name, series)],
                        is_last,
                    }),
                }
            }
        }
    }
    all.retain(|quantity| quantity.lines.len() > 1);
    all.sort_by_key(|quantity| quantity.is_last);
    all
}

fn numbers(sides: &[Side]) -> Option<Section> {
    let axis = sides.first()?.kept.axis;
    let all = quantities(sides);
    let mut body = String::new();
    let mut n = 0;
    for quantity in all.iter().take(QUANTITIES) {
        let range =
            quantity.lines.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, series)| {
                (low.min(series.least), high.max(series.greatest))
            });
        put!(body, "<h3>{}</h3><div class=\"panels\">", Esc(&short(&quantity.title)));
        for (name, series) in &quantity.lines {
            panel_within(&mut body, name, quantity.unit, vec![("", *series)], (n, range), &axis);
            n += 1;
        }
        body.push_str("</div>");
    }
    let mut lead = String::from("Numbers of at least two recordings; those of one quantity have one scale.");
    if let more @ 1.. = all.iter().skip(QUANTITIES).len() {
        put!(lead, " {more} more are not drawn.");
    }
    (n > 0).then_some(Section { id: "numbers", title: "Numbers over time", lead, body })
}
