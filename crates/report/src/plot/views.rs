//! Clouds, scans and images.

use robolog_core::slices::OrZero as _;

use super::{
    Side,
    charts::times,
    metres::{Labels, Metres},
    plan::{Plan, plans},
};
use crate::{
    axis::COLUMNS,
    collect::{cloud::Cloud, image::Thumb, scan::Scans},
    draw::{GRID, LINES},
    page::{clouds, scans},
    raster::{self, viridis},
    sheet::{Anchor, Frame, INK, PALE, Pixels, Point, Sheet},
    text::{count, digits, short, span, ticks},
};

/// Something beside the charts.
pub(super) enum View<'a> {
    Plan(Plan<'a>),
    /// A cloud from above, or from the side.
    Cloud {
        name: String,
        cloud: &'a Cloud,
        is_side: bool,
    },
    /// The scan in the middle of the recording.
    Scan {
        name: String,
        scans: &'a Scans,
    },
    /// All scans over time.
    Scans {
        name: String,
        scans: &'a Scans,
        seconds: f64,
    },
    Images {
        name: String,
        thumbs: Vec<&'a Thumb>,
    },
}

/// What the recordings have to show besides numbers, most wanted first.
pub(super) fn views(sides: &[Side]) -> Vec<View<'_>> {
    let mut views: Vec<View<'_>> = plans(sides).into_iter().map(View::Plan).collect();
    let named = |side: &Side, name: &str| {
        if sides.len() > 1 { format!("{}: {}", short(&side.name), short(name)) } else { short(name) }
    };
    for side in sides {
        let kept = &side.kept;
        for cloud in kept.clouds.iter().filter(|cloud| cloud.space.len() > 0) {
            let is_only = kept.clouds.len() == 1;
            for is_side in [false, true].into_iter().take(if is_only { 2 } else { 1 }) {
                views.push(View::Cloud { name: named(side, &cloud.name), cloud, is_side });
            }
        }
        for scans in kept.scans.iter().filter(|scans| scans.greatest > 0.0) {
            views.push(View::Scan { name: named(side, &scans.name), scans });
            let seconds = kept.axis.seconds();
            if seconds > 0.0 && scans.samples > 1 {
                views.push(View::Scans { name: named(side, &scans.name), scans, seconds });
            }
        }
        let thumbs: Vec<_> = kept.thumbs.iter().flat_map(|thumbs| &thumbs.small).take(12).collect();
        if let Some(first) = kept.thumbs.first().filter(|_| !thumbs.is_empty()) {
            let name = if kept.thumbs.len() > 1 { "images" } else { &first.name };
            views.push(View::Images { name: named(side, name), thumbs });
        }
    }
    views
}

impl View<'_> {
    pub(super) fn draw(&self, sheet: &mut Sheet, frame: &Frame) {
        let below = frame.inside(0.0, 20.0, 0.0, 0.0);
        let title = |sheet: &mut Sheet, text: &str| {
            sheet.brief((frame.x + 54.0, frame.y + 14.0), (12.0, frame.width - 64.0), INK, text);
        };
        match self {
            Self::Plan(plan) => {
                title(sheet, &plan.title());
                plan.draw(sheet, &below);
            }
            Self::Cloud { name, cloud, is_side } => {
                let from = if *is_side { "from the side" } else { "from above" };
                let seen = cloud.points - cloud.no_return - cloud.not_finite;
                title(sheet, &format!("{name} {from}, {} points", count(seen)));
                draw_cloud(sheet, &below, cloud, *is_side);
            }
            Self::Scan { name, scans } => {
                let when = scans.middle.as_ref().and_then(|middle| middle.0);
                let when = when.map_or_else(String::new, |t| format!(", the scan at {}", span(t)));
                title(sheet, &format!("{name}{when}"));
                draw_scan(sheet, &below, scans);
            }
            Self::Scans { name, scans, seconds } => {
                title(
                    sheet,
                    &format!("{name}: nearest echo by angle and time, to {} m", digits(scans.greatest, 3)),
                );
                draw_scans(sheet, &below, scans, *seconds);
            }
            Self::Images { name, thumbs } => {
                title(sheet, name);
                draw_images(sheet, &below, thumbs);
            }
        }
    }
}

fn draw_cloud(sheet: &mut Sheet, frame: &Frame, cloud: &Cloud, is_side: bool) {
    let (values, columns, range, (x0, x1, y0, y1)) = clouds::picture(cloud, is_side);
    let up = if is_side { "z, up, m" } else { "y, left, m" };
    let labels = Labels { across: "x, forward, m".into(), up, is_earth: false };
    let metres = Metres::new(frame, (x0, x1), (y0, y1), labels);
    metres.grid(sheet);
    let ((left, top), (right, bottom)) = (metres.at((x0, y1)), metres.at((x1, y0)));
    sheet.raster(Frame::new(left, top, right - left, bottom - top), pixels(&values, columns, range));
    let origin = metres.at((0.0, 0.0));
    if metres.inner.contains(&Frame::new(origin.0, origin.1, 0.0, 0.0)) {
        sheet.ring(origin, 4.0, INK);
    }
    metres.scale(sheet);
}

fn draw_scan(sheet: &mut Sheet, frame: &Frame, scans: &Scans) {
    let Some((_, scan)) = &scans.middle else { return };
    let surfaces = scans::surfaces(scan);
    let all = || surfaces.iter().flatten().chain(&[(0.0, 0.0)]);
    let ends = |pick: fn(&Point) -> f64| {
        all().map(pick).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let labels = Labels { across: "right, m".into(), up: "forward, m", is_earth: false };
    let metres = Metres::new(frame, ends(|at| at.0), ends(|at| at.1), labels);
    metres.grid(sheet);
    for surface in &surfaces {
        sheet.line_within(&metres.all(surface), &metres.inner, LINES[0], 2.0);
    }
    sheet.ring(metres.at((0.0, 0.0)), 5.0, INK);
    metres.scale(sheet);
}

fn draw_scans(sheet: &mut Sheet, frame: &Frame, scans: &Scans, seconds: f64) {
    let inner = frame.inside(54.0, 8.0, 10.0, 24.0);
    times(sheet, &inner, seconds, true);
    let (first, last) = (scans.angles.0.to_degrees(), scans.angles.1.to_degrees());
    // The leftmost angle is on top.
    let mut rows: Vec<&[f32]> = scans.grid.chunks(COLUMNS).collect();
    if last > first {
        rows.reverse();
    }
    let mut values = rows.concat();
    raster::hold(&mut values, COLUMNS);
    sheet.raster(inner, pixels(&values, COLUMNS, (0.0, scans.greatest)));
    let (top, bottom) = (first.max(last), first.min(last));
    for angle in ticks(bottom, top, (inner.height / 40.0).clamp(2.0, 8.0)) {
        let y = ((top - angle) / (top - bottom).max(1e-9)).mul_add(inner.height, inner.y);
        sheet.text((inner.x - 6.0, y + 4.0), Anchor::End, 11.0, PALE, &format!("{}°", digits(angle, 3)));
    }
    sheet.frame(&inner, GRID);
}

fn draw_images(sheet: &mut Sheet, frame: &Frame, thumbs: &[&Thumb]) {
    let columns = (1..=thumbs.len()).find(|n| n * n >= thumbs.len()).unwrap_or(1);
    let rows = thumbs.len().div_ceil(columns);
    let (wide, high) = (frame.width / columns as f64, frame.height / rows as f64);
    for (n, thumb) in thumbs.iter().enumerate() {
        let (left, top) = ((n % columns) as f64 * wide + frame.x, (n / columns) as f64 * high + frame.y);
        let place = Frame::new(left, top, wide, high).inside(4.0, 4.0, 4.0, 18.0);
        let Some(pixels) = raster::decode(&thumb.file) else { continue };
        let each = (place.width / pixels.width.max(1) as f64).min(place.height / pixels.height.max(1) as f64);
        let size = (pixels.width as f64 * each, pixels.height as f64 * each);
        sheet.raster(Frame::new(place.x, place.y, size.0, size.1), pixels);
        if let Some(t) = thumb.t {
            sheet.text((place.x, place.y + size.1 + 13.0), Anchor::Start, 11.0, PALE, &span(t));
        }
    }
}

/// Values as colours; NaN is transparent.
fn pixels(values: &[f32], width: usize, (low, high): (f64, f64)) -> Pixels {
    let shade = |value: &f32| {
        if value.is_nan() {
            return [0; 4];
        }
        let [r, g, b] = viridis((f64::from(*value) - low) / (high - low).max(1e-12));
        [r, g, b, 255]
    };
    let height = values.len().div_or_zero(width);
    Pixels { rgba: values.iter().take(width * height).flat_map(shade).collect(), width, height }
}
