//! Satellites: positions and signal strength.

use std::{f64::consts::PI, fmt::Write as _};

use super::{Recording, Section, legend, put, table, time_axis, viridis};
use crate::{
    axis::{Axis, COLUMNS},
    collect::sky::Sky,
    draw::{GRID, LINES, chart},
    quantiles::Quantiles,
    raster,
    text::{Esc, count, digits, short},
};

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let skies: Vec<&Sky> = recording.kept.skies.iter().filter(|sky| !sky.satellites.is_empty()).collect();
    if skies.is_empty() {
        return None;
    }
    let mut body = String::new();
    for sky in &skies {
        if skies.len() > 1 {
            put!(body, "<h3>{}</h3>", Esc(&short(&sky.name)));
        }
        put!(
            body,
            "<div class=\"two\">{}{}</div>\n{}",
            plot(sky),
            signals(sky, &recording.kept.axis),
            listed(sky)
        );
    }
    let lead = "Satellites in view and their signal strength. Blank: no signal.";
    Some(Section { id: "sats", title: "Satellites", lead: lead.into(), body })
}

/// Zenith in the middle, the horizon around it, north up, east to the right.
fn plot(sky: &Sky) -> String {
    let mut kinds: Vec<&str> = sky.satellites.keys().map(|key| key.0).collect();
    kinds.dedup();
    let colour_of = |kind: &str| kinds.iter().position(|known| *known == kind).unwrap_or(0) % LINES.len();
    let place = |azimuth: f64, elevation: f64| {
        let r = (1.0 - elevation.clamp(0.0, PI / 2.0) * 2.0 / PI) * 0.92;
        (r * azimuth.sin(), r * azimuth.cos())
    };
    let mut labels = String::new();
    let svg = chart((4000, 4000), -1.0..1.0, -1.0..1.0, "positions of the satellites", |canvas| {
        for ring in [0.92 / 3.0, 0.92 * 2.0 / 3.0, 0.92] {
            let circle: Vec<_> = (0..=72).map(|k| (f64::from(k) * 5.0).to_radians().sin_cos()).collect();
            canvas.line(&circle.iter().map(|(s, c)| (s * ring, c * ring)).collect::<Vec<_>>(), GRID, 1);
        }
        canvas.line(&[(-0.92, 0.0), (0.92, 0.0)], GRID, 1);
        canvas.line(&[(0.0, -0.92), (0.0, 0.92)], GRID, 1);
        for ((kind, id), satellite) in &sky.satellites {
            let colour = colour_of(kind);
            let trail: Vec<_> =
                satellite.trail.iter().map(|(azimuth, elevation)| place(*azimuth, *elevation)).collect();
            canvas.line(&trail, LINES.get(colour).copied().unwrap_or(GRID), 2);
            if let Some((x, y)) = trail.last() {
                let heard = if satellite.heard > 0 { "" } else { " off" };
                put!(
                    labels,
                    "<span class=\"sat{heard} b{colour}\" style=\"left:{:.1}%;top:{:.1}%\" title=\"{kind} {id}\">{id}</span>",
                    50.0 + 50.0 * x,
                    50.0 - 50.0 * y
                );
            }
        }
    });
    let mut html = String::from("<figure><figcaption><b>Sky</b> <span class=\"keys\">");
    for (n, kind) in kinds.iter().enumerate() {
        put!(html, "<i class=\"c{}\">{kind}</i>", n % LINES.len());
    }
    put!(html, "</span></figcaption><div class=\"plan sq\">{svg}");
    for (name, left, top) in [("N", 50.0, 2.0), ("E", 98.0, 50.0), ("S", 50.0, 98.0), ("W", 2.0, 50.0)] {
        put!(html, "<span class=\"gl c\" style=\"left:{left}%;top:{top}%\">{name}</span>");
    }
    for (name, top) in [("60°", 34.7), ("30°", 19.3)] {
        put!(html, "<span class=\"gl\" style=\"left:52.5%;top:{top}%\">{name}</span>");
    }
    put!(
        html,
        "{labels}</div><p class=\"lg\">Zenith in the middle. Filled: received; hollow: listed, never received. The line is \
         its path.</p></figure>"
    );
    html
}

fn signals(sky: &Sky, axis: &Axis) -> String {
    let heard: Vec<_> = sky.satellites.iter().filter(|(_, satellite)| satellite.heard > 0).collect();
    if heard.is_empty() {
        return "<p class=\"lg\">No satellite has a signal-to-noise ratio.</p>".into();
    }
    let mut values = Vec::new();
    for (_, satellite) in &heard {
        values.extend(satellite.signal.iter().map(|(sum, n)| sum / f32::from(*n)));
    }
    let finite = values.iter().filter(|value| value.is_finite());
    let mut signals: Quantiles = finite.map(|value| f64::from(*value)).collect();
    let (low, high) = (signals.at(0.02), signals.at(0.98));
    let height = (15 * heard.len()).max(160);
    let mut html = format!(
        "<figure><figcaption><b>Signal-to-noise ratio by satellite and time</b></figcaption>\
         <div class=\"heat\" style=\"height:{height}px\"><div class=\"hl\">"
    );
    for (n, ((kind, id), _)) in heard.iter().enumerate() {
        let at = 100.0 * (n as f64 + 0.5) / heard.len() as f64;
        put!(html, "<span style=\"top:{at:.2}%\">{kind} {id}</span>");
    }
    raster::hold(&mut values, COLUMNS);
    let image = raster::values(&values, COLUMNS, (low, high));
    let alt = format!("signal-to-noise ratio of {} satellites over time", heard.len());
    put!(
        html,
        "</div><div class=\"tx\"><div class=\"in\"><img alt=\"{alt}\" src=\"{image}\"></div></div></div>"
    );
    let key = legend(&digits(low, 3), &format!("{} dB-Hz", digits(high, 3)), &viridis());
    put!(html, "<div class=\"hx\">{}</div>{key}</figure>", time_axis(axis, 5.0));
    html
}

fn listed(sky: &Sky) -> String {
    let mut rows = String::new();
    for ((kind, id), satellite) in &sky.satellites {
        let mean = satellite.sum / satellite.heard as f64;
        put!(
            rows,
            "<tr><td>{kind}</td><td>{id}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            count(satellite.heard),
            digits(mean, 3),
            if satellite.heard > 0 { digits(satellite.best, 3) } else { "–".into() }
        );
    }
    table(
        "All satellites as a table",
        "Constellation|Number|Samples received|Mean SNR, dB-Hz|Best SNR, dB-Hz",
        &rows,
    )
}
