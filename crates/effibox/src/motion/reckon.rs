//! Dead reckoning by the bicycle model, in all the ways that the documentation leaves open.

use std::fmt;

use crate::table::DeadReckoned;

/// What is integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Model {
    /// Velocity over time: `_DeadReckoned_Poses.txt`.
    #[default]
    Velocity,
    /// Distance between readings: `_DeadReckoned_Poses2.txt`.
    Distance,
}

/// How a step is taken.
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
    /// On the circle; straight where the heading does not change.
    Arc,
}

/// Which steering angle belongs to a reading of the motor: the sensors are not read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum SteeringAt {
    /// The latest before it.
    #[default]
    Latest,
    /// Between those around it.
    Interpolated,
}

/// Whether the sign of the motion is in the numbers already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Sign {
    /// The numbers as they stand.
    #[default]
    AsWritten,
    /// Negative where the column `direction` says backward.
    FromDirection,
}

/// Which velocity counts between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum VelocityAt {
    /// That of the later.
    #[default]
    End,
    /// That of the earlier.
    Start,
}

/// One way to reckon; the default is that of the formulas as they are usually written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variant {
    /// What is integrated.
    pub model: Model,
    /// How a step is taken.
    pub integration: Integration,
    /// Which steering angle counts.
    pub steering: SteeringAt,
    /// Where the sign comes from.
    pub sign: Sign,
    /// Which velocity counts; distances have no such choice.
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
    /// Every way to integrate this: 32 for velocity, 16 for distance.
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

/// Adds up steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reckoner {
    variant: Variant,
    wheelbase: f64,
    pose: DeadReckoned,
}

/// Below this change of heading, radians, an arc is straight.
const STRAIGHT: f64 = 1e-12;

impl Reckoner {
    /// At the origin, heading along x; `wheelbase` in metres.
    pub fn new(variant: Variant, wheelbase: f64) -> Self {
        Self { variant, wheelbase, pose: DeadReckoned::default() }
    }

    /// The way in which it reckons.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Where the middle of the rear axle is.
    pub fn pose(&self) -> DeadReckoned {
        self.pose
    }

    /// Goes on from another pose.
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
