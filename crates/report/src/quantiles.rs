//! Quantiles of many numbers, found without sorting them.

use crate::axis::cell;

/// Numbers, in any order.
pub(crate) struct Quantiles(Vec<f64>);

impl FromIterator<f64> for Quantiles {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl Quantiles {
    /// The number that would be at this fraction of the sorted list: the least at 0, the greatest at 1. NaN is the
    /// greatest; 0 if there is none.
    pub(crate) fn at(&mut self, fraction: f64) -> f64 {
        let Self(values) = self;
        if values.is_empty() {
            return 0.0;
        }
        let place = cell(fraction, values.len());
        let (_, value, _) = values.select_nth_unstable_by(place, f64::total_cmp);
        *value
    }
}

#[test]
fn quantiles_are_those_of_the_sorted_list() {
    let values = [3.0, -1.0, f64::INFINITY, 2.0, 2.0, -7.5];
    let mut sorted = values;
    sorted.sort_by(f64::total_cmp);
    let mut quantiles: Quantiles = values.into_iter().collect();
    for fraction in [1.0, 0.0, 0.5, 0.98, 0.02, 0.34, -3.0, f64::NAN] {
        assert_eq!(quantiles.at(fraction), sorted[cell(fraction, sorted.len())], "{fraction}");
    }
    assert_eq!(Quantiles(Vec::new()).at(0.5), 0.0);
}
