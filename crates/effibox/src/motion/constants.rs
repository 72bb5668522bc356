//! The published constants of conversion, unchanged: `value = raw / k + offset`.

use std::f64::consts::PI;

/// A linear conversion: `value = raw / k + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Linear {
    /// Raw counts per unit of the value.
    pub k: f64,
    /// The value at raw zero; `None` for counters with an arbitrary start.
    pub offset: Option<f64>,
}

impl Linear {
    /// The value of a raw count, with an unknown offset as zero.
    pub fn value(&self, raw: f64) -> f64 {
        raw / self.k + self.offset.unwrap_or(0.0)
    }

    /// The raw count of a value.
    pub fn raw(&self, value: f64) -> f64 {
        (value - self.offset.unwrap_or(0.0)) * self.k
    }
}

/// A column converted from a raw one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Signal {
    /// `transl_vel` of `raw_speed`, m/s.
    Velocity,
    /// `distance_odo` of `raw_odom`, m.
    Distance,
    /// `steering_angle` of `raw_steering_angle`, rad.
    Steering,
    /// `speed_right` of `raw_speed_right`, rad/s or m/s.
    SpeedRight,
    /// `speed_left` of `raw_speed_left`, rad/s or m/s.
    SpeedLeft,
    /// `dist_right` of `raw_odo_right`, m.
    DistanceRight,
    /// `dist_left` of `raw_odo_left`, m.
    DistanceLeft,
    /// `acc1` of `raw_acc1`, m/s².
    Acc1,
    /// `acc2` of `raw_acc2`, m/s².
    Acc2,
    /// `acc3` of `raw_acc3`, m/s².
    Acc3,
    /// `wz` of `raw_wz`, rad/s.
    Wz,
    /// `temp` of `raw_temp`, degrees Celsius.
    Temperature,
}

impl Signal {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Velocity,
        Self::Distance,
        Self::Steering,
        Self::SpeedRight,
        Self::SpeedLeft,
        Self::DistanceRight,
        Self::DistanceLeft,
        Self::Acc1,
        Self::Acc2,
        Self::Acc3,
        Self::Wz,
        Self::Temperature,
    ];

    /// The column of the converted value.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Velocity => "transl_vel",
            Self::Distance => "distance_odo",
            Self::Steering => "steering_angle",
            Self::SpeedRight => "speed_right",
            Self::SpeedLeft => "speed_left",
            Self::DistanceRight => "dist_right",
            Self::DistanceLeft => "dist_left",
            Self::Acc1 => "acc1",
            Self::Acc2 => "acc2",
            Self::Acc3 => "acc3",
            Self::Wz => "wz",
            Self::Temperature => "temp",
        }
    }

    /// The published constants for this column.
    pub fn published(self) -> impl Iterator<Item = &'static Published> {
        PUBLISHED.iter().filter(move |p| p.signal == self)
    }
}

/// A published constant and its source.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Published {
    /// The column it converts.
    pub signal: Signal,
    /// Its source, in the words of the documentation.
    pub source: &'static str,
    /// The constants.
    pub linear: Linear,
    /// Whether the raw value counts from the middle of its 16 bits, 32768.
    pub centred: bool,
}

/// The diameter of a wheel in metres, as given first.
pub const WHEEL_DIAMETER: f64 = 0.49;
/// The diameter of a wheel in metres, as given elsewhere.
pub const WHEEL_DIAMETER_OTHER: f64 = 0.40;
/// Turns of a wheel per turn of the motor.
pub const MOTOR_RATIO: f64 = 1.0 / 9.9;
/// Raw counts per metre per second, by the data sheet.
pub const K_SPEED: f64 = 1000.0;
/// The same as estimated for this vehicle.
pub const K_SPEED_ESTIMATED: f64 = 1095.0;
/// Raw counts per radian of steering, by the data sheet: 60 degrees are 32768.
pub const K_ANGLE: f64 = 32_768.0 / (60.0 * PI / 180.0);
/// Raw counts per metre per second squared, by the data sheet: 16 bits span twice 20.20125 m/s².
pub const K_ACC: f64 = 65_536.0 / (2.0 * 20.20125);
/// Raw counts per radian per second: 16 bits span 187.5 degrees per second.
pub const K_WZ: f64 = 65_536.0 / (187.5 * PI / 180.0);
/// Radians per second at raw zero.
pub const OFFSET_WZ: f64 = -93.75 * PI / 180.0;
/// Raw counts per degree Celsius: 16 bits span 500 of them.
pub const K_TEMPERATURE: f64 = 65_536.0 / 500.0;
/// Degrees Celsius at raw zero.
pub const OFFSET_TEMPERATURE: f64 = -225.0;

/// As in the documentation's calculation with the wheel of 40 cm.
#[expect(clippy::approx_constant, reason = "the number that was used")]
const PRINTED_PI: f64 = 3.14;

const fn known(signal: Signal, source: &'static str, k: f64, offset: f64) -> Published {
    Published { signal, source, linear: Linear { k, offset: Some(offset) }, centred: false }
}

const fn counter(signal: Signal, source: &'static str, metres: f64) -> Published {
    Published { signal, source, linear: Linear { k: 1.0 / metres, offset: None }, centred: false }
}

const fn acc(signal: Signal, source: &'static str, k: f64, offset: f64) -> Published {
    Published { centred: true, ..known(signal, source, k, offset) }
}

/// All constants of the documentation, even where it contradicts itself.
pub static PUBLISHED: [Published; 35] = [
    known(Signal::Velocity, "data sheet, 0.001 m/s", K_SPEED, 0.0),
    known(Signal::Velocity, "estimated", K_SPEED_ESTIMATED, 0.0),
    known(Signal::Velocity, "1.095 mm a count, the other way round", 1000.0 / 1.095, 0.0),
    counter(Signal::Distance, "0.0024 m as printed", 0.0024),
    counter(Signal::Distance, "wheel of 49 cm, 64 counts a turn", PI * WHEEL_DIAMETER * MOTOR_RATIO / 64.0),
    counter(
        Signal::Distance,
        "wheel of 40 cm, 128 counts a turn",
        WHEEL_DIAMETER_OTHER * PRINTED_PI * MOTOR_RATIO / 128.0,
    ),
    counter(Signal::Distance, "data sheet, 1 mm a count", 0.001),
    counter(Signal::Distance, "calibrated, 1.095 mm a count", 0.001_095),
    known(Signal::Steering, "data sheet", K_ANGLE, 0.0),
    known(Signal::Steering, "estimated", 31_060.0, -0.004),
    known(Signal::SpeedRight, "m/s", K_SPEED, 0.0),
    known(Signal::SpeedRight, "rad/s, wheel of 49 cm", K_SPEED * WHEEL_DIAMETER / 2.0, 0.0),
    known(Signal::SpeedRight, "rad/s, wheel of 40 cm", K_SPEED * WHEEL_DIAMETER_OTHER / 2.0, 0.0),
    known(Signal::SpeedLeft, "m/s", K_SPEED, 0.0),
    known(Signal::SpeedLeft, "rad/s, wheel of 49 cm", K_SPEED * WHEEL_DIAMETER / 2.0, 0.0),
    known(Signal::SpeedLeft, "rad/s, wheel of 40 cm", K_SPEED * WHEEL_DIAMETER_OTHER / 2.0, 0.0),
    counter(Signal::DistanceRight, "wheel of 49 cm, 128 counts a turn", PI * WHEEL_DIAMETER / 128.0),
    counter(
        Signal::DistanceRight,
        "wheel of 40 cm, 64 counts a turn",
        WHEEL_DIAMETER_OTHER * PRINTED_PI / 64.0,
    ),
    counter(Signal::DistanceRight, "wheel of 49 cm, 64 counts a turn", PI * WHEEL_DIAMETER / 64.0),
    counter(
        Signal::DistanceRight,
        "wheel of 40 cm, 128 counts a turn",
        WHEEL_DIAMETER_OTHER * PRINTED_PI / 128.0,
    ),
    counter(Signal::DistanceLeft, "wheel of 49 cm, 128 counts a turn", PI * WHEEL_DIAMETER / 128.0),
    counter(
        Signal::DistanceLeft,
        "wheel of 40 cm, 64 counts a turn",
        WHEEL_DIAMETER_OTHER * PRINTED_PI / 64.0,
    ),
    counter(Signal::DistanceLeft, "wheel of 49 cm, 64 counts a turn", PI * WHEEL_DIAMETER / 64.0),
    counter(
        Signal::DistanceLeft,
        "wheel of 40 cm, 128 counts a turn",
        WHEEL_DIAMETER_OTHER * PRINTED_PI / 128.0,
    ),
    acc(Signal::Acc1, "data sheet", K_ACC, 0.0),
    acc(Signal::Acc1, "estimated", 1610.0, 0.935),
    known(Signal::Acc1, "estimated, raw from zero", 1610.0, 0.935),
    acc(Signal::Acc2, "data sheet", K_ACC, 0.0),
    acc(Signal::Acc2, "estimated", 1622.4, -0.767),
    known(Signal::Acc2, "estimated, raw from zero", 1622.4, -0.767),
    acc(Signal::Acc3, "data sheet", K_ACC, 0.0),
    acc(Signal::Acc3, "estimated", 1610.6, 1.876),
    known(Signal::Acc3, "estimated, raw from zero", 1610.6, 1.876),
    known(Signal::Wz, "data sheet", K_WZ, OFFSET_WZ),
    known(Signal::Temperature, "data sheet", K_TEMPERATURE, OFFSET_TEMPERATURE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_come_out_as_the_documentation_evaluates_them() {
        let near =
            |got: f64, want: f64, tolerance: f64| assert!((got - want).abs() < tolerance, "{got} {want}");
        near(K_ANGLE, 31_291.135, 5e-4);
        near(K_ACC, 1622.078, 5e-4);
        near(K_WZ, 20_026.33, 5e-3);
        near(OFFSET_WZ, -1.636_246, 5e-7);
        near(K_TEMPERATURE, 131.072, 1e-9);
        let metres: Vec<f64> = Signal::Distance.published().map(|p| 1.0 / p.linear.k).collect();
        near(metres[1], 0.002_429_6, 5e-8);
        near(metres[2], 0.000_991, 5e-7);
        let wheel: Vec<f64> = Signal::DistanceRight.published().map(|p| 1.0 / p.linear.k).collect();
        near(wheel[0], 0.012_026, 5e-7);
        near(wheel[1], 0.019_625, 5e-7);
    }

    #[test]
    fn the_ends_of_16_bits_are_those_of_the_data_sheet() {
        let of = |signal: Signal| signal.published().next().unwrap().linear;
        assert!((of(Signal::Wz).value(0.0).to_degrees() + 93.75).abs() < 1e-9);
        assert!((of(Signal::Wz).value(65_536.0).to_degrees() - 93.75).abs() < 1e-9);
        assert!((of(Signal::Temperature).value(65_536.0) - 275.0).abs() < 1e-9);
        assert!((of(Signal::Steering).value(-32_768.0).to_degrees() + 60.0).abs() < 1e-9);
        assert!((of(Signal::Acc1).value(-32_768.0) + 20.20125).abs() < 1e-9);
        assert!((of(Signal::Wz).raw(of(Signal::Wz).value(1234.0)) - 1234.0).abs() < 1e-9);
    }
}
