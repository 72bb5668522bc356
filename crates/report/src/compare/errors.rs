//! Differences between two trajectories: absolute and relative translation errors, as evo defines them.

use robolog_core::nalgebra::{Matrix3, Vector3};

/// A pose and its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stamped {
    pub(crate) nanos: i64,
    pub(crate) position: Vector3<f64>,
    pub(crate) rotation: Matrix3<f64>,
}

/// Statistics of errors, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Root mean square.
    pub rmse: f64,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// Standard deviation.
    pub std: f64,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// Sum of squares.
    pub sse: f64,
}

/// Errors of a channel's poses against the same channel of the reference recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TrajectoryError {
    /// The channel.
    pub channel: String,
    /// Number of pairs of poses whose times differ by at most [`TrajectoryError::APART`].
    pub pairs: usize,
    /// Absolute error (ATE): distances of positions at the same time, as recorded.
    pub ate: Statistics,
    /// The same after aligning the trajectories by rotation and translation (Umeyama, without scale).
    pub ate_aligned: Statistics,
    /// Relative error (RPE): differences between the steps from one pose to the next, each in the frame of its pose.
    pub rpe: Statistics,
}

impl TrajectoryError {
    /// Maximum time difference of a pair in nanoseconds, 0.01 s.
    pub const APART: i64 = 10_000_000;

    /// `None` for fewer than three pairs.
    pub(crate) fn new(channel: &str, reference: &[Stamped], estimate: &[Stamped]) -> Option<Self> {
        let pairs = matched(reference, estimate);
        if pairs.len() < 3 {
            return None;
        }
        let distance = |(a, b): &(Stamped, Stamped)| (b.position - a.position).norm();
        let (rotation, shift) = alignment(&pairs)?;
        let aligned = |(a, b): &(Stamped, Stamped)| (rotation * b.position + shift - a.position).norm();
        let steps = pairs.iter().zip(pairs.iter().skip(1)).map(|(from, to)| {
            let step =
                |from: &Stamped, to: &Stamped| from.rotation.transpose() * (to.position - from.position);
            (step(&from.1, &to.1) - step(&from.0, &to.0)).norm()
        });
        Some(Self {
            channel: channel.to_owned(),
            pairs: pairs.len(),
            ate: Statistics::of(pairs.iter().map(distance).collect())?,
            ate_aligned: Statistics::of(pairs.iter().map(aligned).collect())?,
            rpe: Statistics::of(steps.collect())?,
        })
    }
}

impl Statistics {
    fn of(mut errors: Vec<f64>) -> Option<Self> {
        errors.sort_by(f64::total_cmp);
        let n = errors.len() as f64;
        let (min, max) = (*errors.first()?, *errors.last()?);
        let sse: f64 = errors.iter().map(|error| error * error).sum();
        let mean = errors.iter().sum::<f64>() / n;
        let variance = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / n;
        let upper = errors.len() / 2;
        let lower = (errors.len() - 1) / 2;
        let median = f64::midpoint(*errors.get(lower)?, *errors.get(upper)?);
        Some(Self { rmse: (sse / n).sqrt(), mean, median, std: variance.sqrt(), min, max, sse })
    }
}

/// Pairs of poses at the same time: for each pose of the shorter trajectory, the nearest one of the longer.
fn matched(reference: &[Stamped], estimate: &[Stamped]) -> Vec<(Stamped, Stamped)> {
    let is_longer = estimate.len() > reference.len();
    let (short, long) = if is_longer { (reference, estimate) } else { (estimate, reference) };
    let mut long: Vec<Stamped> = long.to_vec();
    long.sort_by_key(|pose| pose.nanos);
    let pairs = short.iter().filter_map(|pose| {
        let after = long.partition_point(|other| other.nanos < pose.nanos);
        let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|at| long.get(at));
        let nearest = near.min_by_key(|other| other.nanos.abs_diff(pose.nanos))?;
        let is_near = nearest.nanos.abs_diff(pose.nanos) <= TrajectoryError::APART.unsigned_abs();
        let pair = if is_longer { (*pose, *nearest) } else { (*nearest, *pose) };
        is_near.then_some(pair)
    });
    pairs.collect()
}

/// The rotation and translation that map the second of each pair to the first, by least squares (Umeyama).
fn alignment(pairs: &[(Stamped, Stamped)]) -> Option<(Matrix3<f64>, Vector3<f64>)> {
    let n = pairs.len() as f64;
    let mean_a = pairs.iter().map(|pair| pair.0.position).sum::<Vector3<f64>>() / n;
    let mean_b = pairs.iter().map(|pair| pair.1.position).sum::<Vector3<f64>>() / n;
    let covariance: Matrix3<f64> = pairs
        .iter()
        .map(|(a, b)| (a.position - mean_a) * (b.position - mean_b).transpose())
        .sum::<Matrix3<f64>>()
        / n;
    if !covariance.iter().all(|value| value.is_finite()) {
        return None;
    }
    let svd = covariance.svd(true, true);
    let (u, v) = (svd.u?, svd.v_t?);
    let mut sign = Matrix3::identity();
    if u.determinant() * v.determinant() < 0.0 {
        // The smallest singular value; they are not sorted.
        let least = svd.singular_values.imin();
        if let Some(corner) = sign.get_mut((least, least)) {
            *corner = -1.0;
        }
    }
    let rotation = u * sign * v;
    Some((rotation, mean_a - rotation * mean_b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(n: i64, x: f64, y: f64) -> Stamped {
        Stamped { nanos: n * 100_000_000, position: Vector3::new(x, y, 0.0), rotation: Matrix3::identity() }
    }

    /// A quarter turn and a shift away: far apart as recorded, equal after alignment.
    #[test]
    fn a_turned_and_shifted_trajectory_is_the_same_when_aligned() {
        let way = |n: i64| (n as f64, (n as f64 / 3.0).sin());
        let a: Vec<_> = (0..20).map(|n| pose(n, way(n).0, way(n).1)).collect();
        let b: Vec<_> = (0..20).map(|n| pose(n, 5.0 - way(n).1, way(n).0 - 2.0)).collect();
        let error = TrajectoryError::new("a", &a, &b).unwrap();
        assert_eq!(error.pairs, 20);
        assert!(error.ate.rmse > 3.0 && error.ate_aligned.max < 1e-9, "{error:?}");
        assert!(error.rpe.min > 0.5, "steps are seen from poses that do not turn: {error:?}");
    }

    #[test]
    fn statistics_are_those_of_a_table() {
        let of = Statistics::of(vec![4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((of.mean, of.median, of.min, of.max, of.sse), (2.5, 2.5, 1.0, 4.0, 30.0));
        assert!((of.rmse - 7.5f64.sqrt()).abs() < 1e-12 && (of.std - 1.25f64.sqrt()).abs() < 1e-12);
        assert!(Statistics::of(Vec::new()).is_none());
    }

    #[test]
    fn poses_of_other_times_make_no_pairs() {
        let a: Vec<_> = (0..20).map(|n| pose(n, 0.0, 0.0)).collect();
        let b: Vec<_> = (100..120).map(|n| pose(n, 0.0, 0.0)).collect();
        assert!(TrajectoryError::new("a", &a, &b).is_none());
    }
}
