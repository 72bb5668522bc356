//! Straight lines by least squares, in one pass and constant memory.

use robolog_core::slices::InRange as _;

/// Sums over pairs of numbers, relative to their means.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    n: u64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
    largest: f64,
}

/// A line: `y = slope * x + intercept`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fit {
    /// Change of y with x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
    /// Root mean square of the residuals.
    pub rms: f64,
}

impl Moments {
    /// Adds a pair, unless it is not finite.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    pub fn push(&mut self, x: f64, y: f64) {
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        self.n = self.n.plus(1);
        let n = self.n as f64;
        let (dx, dy) = (x - self.x, y - self.y);
        self.x += dx / n;
        self.y += dy / n;
        self.xx += dx * (x - self.x);
        self.xy += dx * (y - self.y);
        self.yy += dy * (y - self.y);
        self.largest = self.largest.max(y.abs());
    }

    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The largest absolute y.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// The line with the smallest residuals; `None` while x does not change.
    pub fn fit(&self) -> Option<Fit> {
        if self.n < 2 || self.xx <= 0.0 {
            return None;
        }
        let slope = self.xy / self.xx;
        let intercept = self.y - slope * self.x;
        Some(Fit { slope, intercept, rms: self.rms(slope, Some(intercept)) })
    }

    /// Root mean square of a line's residuals; without an intercept, of the best one.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    pub fn rms(&self, slope: f64, intercept: Option<f64>) -> f64 {
        if self.n == 0 {
            return 0.0;
        }
        let spread = (self.yy - 2.0 * slope * self.xy + slope * slope * self.xx).max(0.0) / self.n as f64;
        let bias = intercept.map_or(0.0, |intercept| self.y - slope * self.x - intercept);
        (spread + bias * bias).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_again() {
        let mut moments = Moments::default();
        for raw in 0..10_000 {
            let raw = f64::from(raw * 7 % 10_007) + 30_000.0;
            moments.push(raw, raw / 1610.0 + 0.935);
        }
        moments.push(f64::NAN, 1.0);
        let fit = moments.fit().unwrap();
        assert!((1.0 / fit.slope - 1610.0).abs() < 1e-8 && (fit.intercept - 0.935).abs() < 1e-9);
        assert!(fit.rms < 1e-6 && moments.count() == 10_000);
        assert!((moments.rms(1.0 / 1610.0, Some(0.835)) - 0.1).abs() < 1e-6);
        assert!(moments.rms(1.0 / 1610.0, None) < 1e-6);
        let mut still = Moments::default();
        still.push(5.0, 1.0);
        still.push(5.0, 2.0);
        assert_eq!(still.fit(), None);
    }
}
