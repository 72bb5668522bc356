//! Dead reckoning by the bicycle model, in all the variants that the documentation leaves open.

use std::fmt;

use crate::table::DeadReckoned;

/// The integrated quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Model {
    /// Velocity over time: `_DeadReckoned_Poses.txt`.
    #[default]
    Velocity,
    /// Distance between readings: `_DeadReckoned_Poses2.txt`.
    Distance,
}

/// Integration of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Integration {
    /// Along the heading before the step.
    #[default]
    Euler,
    /// Along the heading after the step.
    TurnFirst,
    /// Along the heading in the middle of the step.
    Midpoint,
    /// On the circle; straight if the heading does not change.
    Arc,
}

/// The steering angle for a reading of the motor, as the sensors are not read together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum SteeringAt {
    /// The latest one before it.
    #[default]
    Latest,
    /// Interpolated between the neighbours.
    Interpolated,
}

/// Source of the sign of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Sign {
    /// The numbers, unchanged.
    #[default]
    AsWritten,
    /// Negative if the column `direction` says backward.
    FromDirection,
}

/// The velocity between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum VelocityAt {
    /// Of the later reading.
    #[default]
    End,
    /// Of the earlier reading.
    Start,
}

/// A variant of dead reckoning; the default is the usual form of the formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variant {
    /// The integrated quantity.
    pub model: Model,
    /// Integration of a step.
    pub integration: Integration,
    /// The steering angle that is used.
    pub steering: SteeringAt,
    /// Source of the sign.
    pub sign: Sign,
    /// The velocity that is used; irrelevant for distances.
    pub velocity: VelocityAt,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.integration {
            Integration::Euler => "Euler",
            Integration::TurnFirst => "turn first",
            Integration::Midpoint => "midpoint",
            Integration::Arc => "arc",
        })?;
        f.write_str(match self.steering {
            SteeringAt::Latest => ", latest steering",
            SteeringAt::Interpolated => ", steering interpolated",
        })?;
        f.write_str(match self.sign {
            Sign::AsWritten => ", sign as written",
            Sign::FromDirection => ", sign of the direction",
        })?;
        match (self.model, self.velocity) {
            (Model::Distance, _) => Ok(()),
            (Model::Velocity, VelocityAt::End) => f.write_str(", velocity at the end"),
            (Model::Velocity, VelocityAt::Start) => f.write_str(", velocity at the start"),
        }
    }
}

impl Variant {
    /// All variants for this quantity: 32 for velocity, 16 for distance.
    pub fn all(model: Model) -> Vec<Self> {
        let mut all = Vec::new();
        for integration in
            [Integration::Euler, Integration::TurnFirst, Integration::Midpoint, Integration::Arc]
        {
            for steering in [SteeringAt::Latest, SteeringAt::Interpolated] {
                for sign in [Sign::AsWritten, Sign::FromDirection] {
                    for velocity in [VelocityAt::End, VelocityAt::Start] {
                        if model == Model::Velocity || velocity == VelocityAt::End {
                            all.push(Self { model, integration, steering, sign, velocity });
                        }
                    }
                }
            }
        }
        all
    }
}

/// Integrates steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reckoner {
    variant: Variant,
    wheelbase: f64,
    pose: DeadReckoned,
}

/// Change of heading, radians, below which an arc is straight.
const STRAIGHT: f64 = 1e-12;

impl Reckoner {
    /// Starts at the origin, heading along x; `wheelbase` in metres.
    pub fn new(variant: Variant, wheelbase: f64) -> Self {
        Self { variant, wheelbase, pose: DeadReckoned::default() }
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The middle of the rear axle.
    pub fn pose(&self) -> DeadReckoned {
        self.pose
    }

    /// Continues from another pose.
    pub fn set_pose(&mut self, pose: DeadReckoned) {
        self.pose = pose;
    }

    /// Moves by `distance` metres, negative backward, with the wheels at `steering` radians, positive to the left.
    pub fn advance(&mut self, distance: f64, steering: f64) {
        let turn = distance * steering.tan() / self.wheelbase;
        let before = self.pose.theta;
        let after = before + turn;
        let along = |heading: f64| (distance * heading.cos(), distance * heading.sin());
        let (x, y) = match self.variant.integration {
            Integration::Euler => along(before),
            Integration::TurnFirst => along(after),
            Integration::Midpoint => along(before + turn / 2.0),
            Integration::Arc if turn.abs() < STRAIGHT => along(before),
            Integration::Arc => {
                let radius = distance / turn;
                (radius * (after.sin() - before.sin()), -radius * (after.cos() - before.cos()))
            }
        };
        self.pose.x += x;
        self.pose.y += y;
        self.pose.theta = after;
    }
}
