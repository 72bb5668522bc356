//! Rectangles in the plan, and how far they are apart.

use nalgebra::Vector2;

/// The outline of a box seen from above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) centre: Vector2<f64>,
    /// Half of its length and width.
    pub(crate) half: Vector2<f64>,
    /// Direction of its length.
    along: Vector2<f64>,
}

impl Rectangle {
    /// Its length has the direction `yaw`, radians.
    pub(crate) fn new(centre: Vector2<f64>, half: Vector2<f64>, yaw: f64) -> Self {
        let (sin, cos) = yaw.sin_cos();
        Self { centre, half, along: Vector2::new(cos, sin) }
    }

    /// Directions of length and width.
    fn axes(&self) -> [Vector2<f64>; 2] {
        let [x, y] = self.along.into();
        [self.along, Vector2::new(-y, x)]
    }

    /// Half of the extent along a direction.
    fn reach(&self, axis: &Vector2<f64>) -> f64 {
        let [along, across] = self.axes();
        self.half.x * along.dot(axis).abs() + self.half.y * across.dot(axis).abs()
    }

    /// From the centre to a corner.
    pub(crate) fn radius(&self) -> f64 {
        self.half.norm()
    }

    fn corners(&self) -> [Vector2<f64>; 4] {
        let [along, across] = self.axes();
        let (along, across) = (along * self.half.x, across * self.half.y);
        [along + across, across - along, -along - across, along - across].map(|corner| self.centre + corner)
    }

    /// The least shift that separates the two; negative if nothing needs to.
    pub(crate) fn overlap(&self, other: &Self) -> f64 {
        let apart = other.centre - self.centre;
        let axes = self.axes().into_iter().chain(other.axes());
        axes.map(|axis| self.reach(&axis) + other.reach(&axis) - apart.dot(&axis).abs())
            .fold(f64::INFINITY, f64::min)
    }

    /// The distance between the outlines of two that do not overlap.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        let to = |corners: [Vector2<f64>; 4], of: &Self| {
            corners.into_iter().map(|corner| of.distance(&corner)).fold(f64::INFINITY, f64::min)
        };
        to(self.corners(), other).min(to(other.corners(), self))
    }

    fn distance(&self, point: &Vector2<f64>) -> f64 {
        let [along, across] = self.axes();
        let from = point - self.centre;
        let beyond = |axis: Vector2<f64>, half: f64| (from.dot(&axis).abs() - half).max(0.0);
        beyond(along, self.half.x).hypot(beyond(across, self.half.y))
    }

    /// Seconds until the two touch if the other one moves at this velocity relative to this one, without turning.
    pub(crate) fn time_to_touch(&self, other: &Self, velocity: &Vector2<f64>) -> Option<f64> {
        let apart = other.centre - self.centre;
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for axis in self.axes().into_iter().chain(other.axes()) {
            let (reach, at, speed) =
                (self.reach(&axis) + other.reach(&axis), apart.dot(&axis), velocity.dot(&axis));
            if speed.abs() < 1e-9 {
                if at.abs() > reach {
                    return None;
                }
                continue;
            }
            let (enters, leaves) = ((-reach - at) / speed, (reach - at) / speed);
            from = from.max(enters.min(leaves));
            to = to.min(enters.max(leaves));
        }
        (from <= to).then_some(from)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_4;

    use super::*;

    fn rectangle(x: f64, y: f64, yaw: f64) -> Rectangle {
        Rectangle::new(Vector2::new(x, y), Vector2::new(2.0, 1.0), yaw)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn overlap_and_gap_are_those_of_a_drawing() {
        let a = rectangle(0.0, 0.0, 0.0);
        assert!(near(a.overlap(&rectangle(3.5, 0.0, 0.0)), 0.5));
        assert!(near(a.overlap(&rectangle(3.5, 1.9, 0.0)), 0.1), "the shift sideways is shorter");
        assert!(near(a.gap(&rectangle(5.0, 0.0, 0.0)), 1.0));
        assert!(near(a.gap(&rectangle(7.0, 6.0, 0.0)), 5.0), "between corners");
        // A corner of one turned by 45 degrees points at the side.
        let turned = Rectangle { half: Vector2::new(1.0, 1.0), ..rectangle(2.0 + 2.0, 0.0, FRAC_PI_4) };
        assert!(near(a.gap(&turned), 2.0 - 2.0_f64.sqrt()));
        assert!(a.overlap(&turned) < 0.0);
    }

    #[test]
    fn times_to_touch_are_those_of_a_drawing() {
        let a = rectangle(0.0, 0.0, 0.0);
        let b = rectangle(14.0, 0.0, 0.0);
        assert_eq!(a.time_to_touch(&b, &Vector2::new(-10.0, 0.0)), Some(1.0));
        assert_eq!(a.time_to_touch(&b, &Vector2::new(10.0, 0.0)), None, "it leaves");
        assert_eq!(a.time_to_touch(&b, &Vector2::new(-10.0, 5.0)), None, "it passes beside");
        assert_eq!(a.time_to_touch(&rectangle(1.0, 0.0, 0.0), &Vector2::zeros()), Some(0.0), "it touches");
    }
}
