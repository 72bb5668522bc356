//! The time offset between two series of numbers.
//!
//! Both series are smoothed alike, so that the effect of interpolation on noise does not depend on the offset. The
//! correlation coefficient is computed for offsets, and for drifts up to five per cent, on a coarse grid; the best is
//! refined on the samples. It counts only if no other offset comes near it, and chance does not explain it.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "steps of grids are counted, and places in them are checked where they are computed"
)]

use std::fmt;

use robolog_core::slices::Part as _;

/// Times in seconds, in order, with values.
pub(crate) type Series = [(f64, f64)];

/// The best fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// Seconds to add to the time of the second series' first sample.
    pub(crate) offset: f64,
    /// Standard deviation of it.
    pub(crate) offset_sd: f64,
    /// Seconds of the first series per second of the second one, minus one.
    pub(crate) drift: f64,
    /// Standard deviation of it.
    pub(crate) drift_sd: f64,
    /// Correlation coefficient.
    pub(crate) correlation: f64,
    /// The best correlation coefficient at other offsets.
    pub(crate) next: f64,
}

/// Why no offset was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unclear {
    /// Too few samples or seconds.
    Short,
    /// A series barely changes.
    Constant,
    /// Chance explains the best correlation.
    Chance(f64),
    /// Another offset fits nearly as well.
    Ambiguous { best: f64, next: f64 },
    /// The best offset is at the limit of the search.
    Edge,
}

impl fmt::Display for Unclear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => write!(f, "fewer than {FEWEST} samples or {SHORTEST} s of both"),
            Self::Constant => write!(f, "one of them changes fewer than {CHANGES} times"),
            Self::Chance(best) => write!(f, "the best correlation is {best:.2}, which chance gives too"),
            Self::Ambiguous { best, next } => {
                write!(f, "the best correlation is {best:.2}, and another offset has {next:.2}")
            }
            Self::Edge => f.write_str("the best offset is the last that was tried: try more with --within"),
        }
    }
}

const FEWEST: usize = 30;
const SHORTEST: f64 = 10.0;
/// Minimum number of changes of a series; fewer do not determine the drift.
const CHANGES: usize = 3;
/// Maximum drift.
const DRIFT: f64 = 0.05;
/// Multiplications of the search on the grid.
const WORK: f64 = 4e8;
/// A second peak above this fraction of the best one makes the offset ambiguous.
const NEXT: f64 = 0.85;
/// The search ends with steps of the offset below this, in seconds.
const FINEST: f64 = 1e-6;
/// Error of time stamps, in seconds: logs have five decimals.
const STAMPS: f64 = 1e-5;
/// How often the drift is found anew on times stretched by it.
const TURNS: usize = 4;
/// Minimum of the best correlation: in standard deviations of a chance correlation, and in absolute terms.
const CHANCE: (f64, f64) = (6.0, 0.4);

/// Finds the offset from `b` to `a`, between `-within` and `within` seconds.
pub(crate) fn fit(a: &Series, b: &Series, within: f64) -> Result<Fit, Unclear> {
    let raw = (a, b);
    let step = interval(a)?.max(interval(b)?);
    let is_still = changes(a).min(changes(b)) < CHANGES;
    let (a, b) = (even_out(a, step), even_out(b, step));
    if a.len().min(b.len()) < 2 {
        return Err(Unclear::Short);
    }
    if is_still || spread(&a) <= 0.0 || spread(&b) <= 0.0 {
        return Err(Unclear::Constant);
    }
    let length = (last(&a) - first(&a)).min(last(&b) - first(&b));
    let width = width(&a, step).max(step);
    // The steps of the drift move the ends of the series by at most half a width.
    let drifts = (DRIFT * length / width).ceil().clamp(1.0, 100.0);
    let grid = step.max((length * 2.0 * within * 2.0 * drifts / WORK).sqrt());
    let (left, lags) = (even(&a, grid, 1.0), (within / grid).ceil());
    let mut best: Option<(f64, f64, Vec<f64>)> = None;
    for n in -(drifts as i64)..=drifts as i64 {
        let drift = DRIFT * n as f64 / drifts;
        let right = even(&b, grid, 1.0 + drift);
        let shift = ((first(&b) - first(&a)) / grid).round() as i64;
        let curve = curve(&left, &right, shift, lags as i64);
        let peak = curve.iter().copied().fold(f64::MIN, f64::max);
        if best.as_ref().is_none_or(|(old, ..)| peak > *old) {
            best = Some((peak, drift, curve));
        }
    }
    let Some((peak, drift, curve)) = best else { return Err(Unclear::Short) };
    let at = curve.iter().position(|r| *r >= peak).unwrap_or(0);
    if at == 0 || at + 1 == curve.len() {
        return Err(Unclear::Edge);
    }
    let next = elsewhere(&curve, at, peak);
    let offset = (at as f64 - lags) * grid;
    let free = (length / (2.0 * width)).max(4.0);
    let score = peak.clamp(0.0, 0.999_999).atanh() * (free - 3.0).sqrt();
    if peak < CHANCE.1 || score < CHANCE.0 {
        return Err(Unclear::Chance(peak));
    }
    if next > NEXT * peak {
        return Err(Unclear::Ambiguous { best: peak, next });
    }
    let with_drift =
        sharpen(raw, step, (offset + (raw.1[0].0 - first(&b)) * drift, drift), (grid, DRIFT / drifts))?;
    // Ignore a drift that its own error explains; one that it hardly explains counts as error of the offset.
    let doubt = with_drift.drift.abs() / with_drift.drift_sd;
    let found = if doubt > 5.0 {
        with_drift
    } else {
        let without = sharpen(raw, step, (offset, 0.0), (grid, 0.0))?;
        let apart = if doubt > 2.0 { with_drift.offset - without.offset } else { 0.0 };
        Fit { offset_sd: without.offset_sd.hypot(apart), ..without }
    };
    if found.correlation < CHANCE.1 {
        Err(Unclear::Chance(found.correlation))
    } else {
        Ok(Fit { next, ..found })
    }
}

/// Thinned and smoothed, to be compared with a series treated alike.
fn even_out(series: &Series, step: f64) -> Vec<(f64, f64)> {
    smooth(&thin(series, step / 2.0), 6.0 * step)
}

/// Refines the offset of `b`'s first sample and the drift. As smoothing in the time of `b` is not that in the time of `a`,
/// `b` is smoothed again with times stretched by the drift found before, until no drift is left.
fn sharpen(
    (a, b): (&Series, &Series),
    step: f64,
    (offset, drift): (f64, f64),
    steps: (f64, f64),
) -> Result<Fit, Unclear> {
    let (start, smooth_a) = (first(b), even_out(a, step));
    let (mut offset, mut drift, mut steps) = (offset, drift, steps);
    let mut found = Err(Unclear::Short);
    for _ in 0..TURNS {
        let stretched: Vec<_> = b.iter().map(|(t, x)| (start + (t - start) * (1.0 + drift), *x)).collect();
        let smooth_b = even_out(&stretched, step);
        if smooth_b.len() < 2 {
            return Err(Unclear::Short);
        }
        let (middle_offset, more) = refine(&smooth_a, &smooth_b, offset, 0.0, steps);
        let fit = finish((&smooth_a, &smooth_b, start), (middle_offset, more), drift);
        (offset, drift, steps) = (fit.offset, fit.drift, (steps.0 / 8.0, steps.1 / 8.0));
        found = Ok(fit);
        if more.abs() * (last(&smooth_b) - start) < STAMPS {
            break;
        }
    }
    found
}

fn first(series: &Series) -> f64 {
    series.first().map_or(0.0, |(t, _)| *t)
}

fn last(series: &Series) -> f64 {
    series.last().map_or(0.0, |(t, _)| *t)
}

/// The median interval between samples, in seconds.
fn interval(series: &Series) -> Result<f64, Unclear> {
    let mut steps: Vec<f64> =
        series.windows(2).map(|pair| pair[1].0 - pair[0].0).filter(|d| *d > 0.0).collect();
    if steps.len() < FEWEST || last(series) - first(series) < SHORTEST {
        return Err(Unclear::Short);
    }
    let middle = steps.len() / 2;
    Ok(*steps.select_nth_unstable_by(middle, f64::total_cmp).1)
}

fn changes(series: &Series) -> usize {
    series.windows(2).filter(|pair| (pair[1].1 - pair[0].1).abs() > 0.0).count()
}

fn mean(series: &Series) -> f64 {
    series.iter().map(|(_, x)| x).sum::<f64>() / series.len() as f64
}

fn spread(series: &Series) -> f64 {
    let mean = mean(series);
    series.iter().map(|(_, x)| (x - mean).powi(2)).sum::<f64>() / series.len() as f64
}

/// The average of the samples in each step, so that their number does not matter.
fn thin(series: &Series, step: f64) -> Vec<(f64, f64)> {
    // Regular samples lie within bins, not on their borders, where rounding decides.
    let bin = |t: f64| ((t - first(series)) / step + 0.37).floor();
    let of = |samples: &[(f64, f64)]| {
        let n = samples.len() as f64;
        (samples.iter().map(|(t, _)| t).sum::<f64>() / n, mean(samples))
    };
    series.chunk_by(|x, y| bin(x.0) <= bin(y.0) && bin(x.0) >= bin(y.0)).map(of).collect()
}

/// Smooths values with a bell-shaped window that reaches `reach` seconds to both sides.
///
/// Where the window reaches beyond an end, nothing comes out: the other recording may go on there, and its average would
/// differ. The window falls to zero at its ends, because regular samples lie exactly on them, so that rounding decides
/// which of them are within.
fn smooth(series: &Series, reach: f64) -> Vec<(f64, f64)> {
    let mut from = 0;
    let mut out = Vec::with_capacity(series.len());
    let (begin, end) = (first(series) + reach, last(series) - reach);
    for (t, _) in series.iter().filter(|(t, _)| (begin..=end).contains(t)) {
        while series[from].0 < t - reach {
            from += 1;
        }
        let (mut sum, mut weights, mut times) = (0.0, 0.0, 0.0);
        for (other, x) in series[from..].iter().take_while(|(other, _)| *other < t + reach) {
            let weight = (1.0 - ((other - t) / reach).powi(2)).max(0.0).powi(4);
            sum += weight * x;
            times += weight * other;
            weights += weight;
        }
        // The average is at the average time, because neighbours are not evenly spaced.
        out.push((times / weights, sum / weights));
    }
    out.dedup_by(|b, a| b.0 <= a.0);
    out
}

/// The value interpolated at time `t`; the search begins at sample `from`.
///
/// A cubic follows the slopes at both samples: chords would cut off the bends, and the best fit would be drawn to where
/// samples meet.
fn at(series: &Series, t: f64, from: &mut usize) -> Option<f64> {
    while series.get(*from + 1)?.0 < t {
        *from += 1;
    }
    let ((t0, x0), (t1, x1)) = (series[*from], series[*from + 1]);
    if t < t0 {
        return None;
    }
    let (length, chord) = (t1 - t0, (x1 - x0) / (t1 - t0));
    // The slope of the parabola through a sample and its neighbours.
    let slope = |beyond: Option<&(f64, f64)>, (t, x): (f64, f64)| {
        let Some((other, y)) = beyond else { return chord };
        let (far, outer) = ((other - t).abs(), (y - x) / (other - t));
        (chord * far + outer * length) / (far + length)
    };
    let before = from.checked_sub(1).and_then(|before| series.get(before));
    let (m0, m1) = (slope(before, (t0, x0)), slope(series.get(*from + 2), (t1, x1)));
    let u = (t - t0) / length;
    let bend = (1.0 - u) * (m0 - chord) - u * (m1 - chord);
    Some(x0 + (t - t0) * (chord + (1.0 - u) * bend))
}

/// Values at regular time steps, minus their mean, with times multiplied by `stretch`.
fn even(series: &Series, step: f64, stretch: f64) -> Vec<f64> {
    let n = ((last(series) - first(series)) * stretch / step).floor() as usize;
    let (start, mut from, mean) = (first(series), 0, mean(series));
    (0..=n)
        .map_while(|k| at(series, start + k as f64 * step / stretch, &mut from))
        .map(|x| x - mean)
        .collect()
}

/// The shift at which the autocorrelation of a series falls below 0.7, in seconds.
fn width(series: &Series, step: f64) -> f64 {
    let step = step.max((last(series) - first(series)) / 20_000.0);
    let values = even(series, step, 1.0);
    let all: f64 = values.iter().map(|x| x * x).sum();
    let like =
        |lag: &usize| values.iter().zip(values.part(*lag..)).map(|(a, b)| a * b).sum::<f64>() < 0.7 * all;
    (1..values.len() / 4).find(like).map_or(step, |lag| lag as f64 * step)
}

/// The dot product of two series of equal length, which takes nearly all the time of a search. Builds for tests do not
/// optimise this crate, and there iterators take ten times as long as this loop.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut sum, mut at) = (0.0, 0);
    while at < a.len() {
        sum += a[at] * b[at];
        at += 1;
    }
    sum
}

/// Correlation coefficients for all lags from `-lags` to `lags`; `b` begins `shift` steps after `a`. -1 if less than
/// half of the shorter series overlaps.
fn curve(a: &[f64], b: &[f64], shift: i64, lags: i64) -> Vec<f64> {
    let sums = |values: &[f64]| {
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut all = vec![(sum, squares)];
        for x in values {
            (sum, squares) = (sum + x, squares + x * x);
            all.push((sum, squares));
        }
        all
    };
    let (sums_a, sums_b) = (sums(a), sums(b));
    let least = a.len().min(b.len()) / 2;
    let of = |lag: i64| {
        // b[k] corresponds to a[k + shift + lag].
        let by = shift + lag;
        let from = usize::try_from(-by).unwrap_or(0);
        let begin = usize::try_from(by).unwrap_or(0);
        let n = b.len().saturating_sub(from).min(a.len().saturating_sub(begin));
        if n < least.max(2) {
            return -1.0;
        }
        let dot = dot(&a[begin..begin + n], &b[from..from + n]);
        let part = |sums: &[(f64, f64)], from: usize| {
            let (low, high) = (sums[from], sums[from + n]);
            (high.0 - low.0, high.1 - low.1)
        };
        correlation(n as f64, part(&sums_a, begin), part(&sums_b, from), dot)
    };
    (-lags..=lags).map(of).collect()
}

fn correlation(n: f64, a: (f64, f64), b: (f64, f64), dot: f64) -> f64 {
    let product = (a.1 - a.0 * a.0 / n) * (b.1 - b.0 * b.0 / n);
    if product > 0.0 { (dot - a.0 * b.0 / n) / product.sqrt() } else { -1.0 }
}

/// The best correlation outside the peak at `at`.
fn elsewhere(curve: &[f64], at: usize, peak: f64) -> f64 {
    let is_hill = |r: &&f64| **r > 0.6 * peak;
    let right = at + curve[at..].iter().take_while(is_hill).count();
    let left = at - curve[..at].iter().rev().take_while(is_hill).count();
    curve[..left].iter().chain(&curve[right..]).copied().fold(0.0, f64::max)
}

/// Times and values of `a`, with values of `b` interpolated at them after offset and drift.
fn pairs<'s>(
    a: &'s Series,
    b: &'s Series,
    offset: f64,
    drift: f64,
) -> impl Iterator<Item = (f64, f64, f64)> + 's {
    let (start, middle) = (first(b), middle(b));
    let mut from = 0;
    a.iter().filter_map(move |(t, x)| {
        // The offset applies to the middle of b, where drift does not change it.
        let tb = middle + (t - offset - middle) / (1.0 + drift);
        let y = if tb < start { None } else { at(b, tb, &mut from) };
        y.map(|y| (*t, *x, y))
    })
}

fn middle(b: &Series) -> f64 {
    f64::midpoint(first(b), last(b))
}

fn worth(a: &Series, b: &Series, offset: f64, drift: f64) -> f64 {
    let (mut n, mut sa, mut sb, mut dot) = (0.0, (0.0, 0.0), (0.0, 0.0), 0.0);
    for (_, x, y) in pairs(a, b, offset, drift) {
        n += 1.0;
        sa = (sa.0 + x, sa.1 + x * x);
        sb = (sb.0 + y, sb.1 + y * y);
        dot += x * y;
    }
    if n < FEWEST as f64 / 2.0 { -1.0 } else { correlation(n, sa, sb, dot) }
}

/// Refines the offset of the middle of `b` and the drift, with decreasing steps.
fn refine(a: &Series, b: &Series, offset: f64, drift: f64, mut steps: (f64, f64)) -> (f64, f64) {
    // The offset from the grid applies to the start.
    let half = (last(b) - first(b)) / 2.0;
    let mut best = (offset + half * drift, drift);
    let mut value = worth(a, b, best.0, best.1);
    while steps.0 > FINEST {
        let (dx, dy) = steps;
        let around =
            [(dx, 0.0), (-dx, 0.0), (0.0, dy), (0.0, -dy), (dx, dy), (-dx, -dy), (dx, -dy), (-dx, dy)];
        let tried = around.map(|(x, y)| (best.0 + x, best.1 + y)).map(|p| (worth(a, b, p.0, p.1), p));
        match tried.into_iter().max_by(|p, q| p.0.total_cmp(&q.0)).filter(|(r, _)| *r > value) {
            Some((r, p)) => (value, best) = (r, p),
            None => steps = (dx / 2.0, dy / 2.0),
        }
    }
    best
}

/// The fit with its errors, from the residuals and the slopes of the series; the times of `b` are stretched by `drift`
/// already, and `more` is left.
fn finish((a, b, start): (&Series, &Series, f64), (middle_offset, more): (f64, f64), drift: f64) -> Fit {
    let all: Vec<_> = pairs(a, b, middle_offset, more).collect();
    let n = all.len().max(3) as f64;
    let mean = |of: fn(&(f64, f64, f64)) -> f64| all.iter().map(of).sum::<f64>() / n;
    let (mt, mx, my) = (mean(|p| p.0), mean(|p| p.1), mean(|p| p.2));
    let sum = |of: &dyn Fn(&(f64, f64, f64)) -> f64| all.iter().map(of).sum::<f64>();
    let gain = sum(&|p| (p.1 - mx) * (p.2 - my)) / sum(&|p| (p.2 - my).powi(2));
    let left: Vec<f64> = all.iter().map(|p| p.1 - mx - gain * (p.2 - my)).collect();
    let squares = left.iter().map(|e| e * e).sum::<f64>();
    // Residuals that correlate from one sample to the next count as fewer.
    let like = left.windows(2).map(|e| e[0] * e[1]).sum::<f64>() / squares.max(f64::MIN_POSITIVE);
    let like = like.clamp(0.0, 0.99);
    let variance = squares / (n - 2.0) * (1.0 + like) / (1.0 - like);
    let slopes = || all.windows(2).map(|p| (p[1].0, gain * (p[1].2 - p[0].2) / (p[1].0 - p[0].0)));
    let steep: f64 = slopes().map(|(_, slope)| slope * slope).sum();
    let lever: f64 = slopes().map(|(t, slope)| (slope * (t - mt)).powi(2)).sum();
    let half = middle(b) - start;
    let (sd, drift_sd) =
        ((variance / steep).sqrt().hypot(STAMPS), (variance / lever).sqrt().hypot(STAMPS / half));
    let drift = (1.0 + drift) * (1.0 + more) - 1.0;
    Fit {
        offset: middle_offset - half * more,
        offset_sd: if drift == 0.0 { sd } else { sd.hypot(half * drift_sd) },
        drift,
        drift_sd,
        correlation: worth(a, b, middle_offset, more),
        next: 0.0,
    }
}
