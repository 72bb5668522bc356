//! The model of a Livox, from the evidence in its packets.

use lvx::{Model, Version, wire};
use robolog_core::PointCloud;

use crate::{
    payload::data_type,
    sequence::{Pace, Tick},
};

/// What packets of points tell about their sender.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) version: Version,
    pub(crate) source_port: u16,
    /// The first packets.
    ticks: Vec<Tick>,
    /// Of SDK 1.
    data_type: Option<u8>,
    view: View,
}

/// How far points lie from straight ahead: the tangent of the greatest angle to the side, and its square in height.
#[derive(Debug, Clone, Copy, Default)]
struct View {
    points: usize,
    side: f32,
    height: f32,
}

/// Number of packets that suffice.
const ENOUGH: usize = 64;

/// The model of a LiDAR, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) model: Model,
    /// Whether it is only the most common model with such packets.
    pub(crate) assumed: bool,
    pub(crate) why: String,
    /// Other models with such packets.
    pub(crate) others: &'static [Model],
}

/// The models that fire every 4.17 µs, with tags, and how far each sees to the side and in height, by Livox's tables: 14.5
/// by 16.2 degrees, 81.7 by 25.1, 70.4 by 77.2.
const FAST: [(Model, f32, f32); 3] =
    [(Model::Tele15, 7.3, 8.1), (Model::Horizon, 40.9, 12.6), (Model::Avia, 35.2, 38.6)];
/// Degrees by which a point may lie beyond.
const BEYOND: f32 = 0.5;
/// Minimum number of points that show a field of view.
const SHOWN: usize = 1000;

/// The other models with packets like the Horizon's.
const OTHERS: &[Model] = &[Model::Tele15, Model::Avia];

impl View {
    fn add(&mut self, package: &[u8]) {
        let Some(package) = wire::package(Version::V1_1, package) else { return };
        let mut cloud = PointCloud::default();
        package.points().append_to(&mut cloud);
        for ((x, y), z) in cloud.x.iter().zip(&cloud.y).zip(&cloud.z) {
            if (*x, *y, *z) != (0.0, 0.0, 0.0) {
                self.points += 1;
                let side = if *x > 0.0 { y.abs() / x } else { f32::INFINITY };
                self.side = self.side.max(side);
                self.height = self.height.max(z * z / (x * x + y * y));
            }
        }
    }

    /// The greatest angles to the side and in height.
    fn degrees(&self) -> (f32, f32) {
        (self.side.atan().to_degrees(), self.height.sqrt().atan().to_degrees())
    }

    /// The only model that sees this far; and the narrowest, only if its field of view is filled.
    fn model(&self) -> Option<Model> {
        let (own_side, own_height) = self.degrees();
        let sees = |(_, side, height): &&(Model, f32, f32)| {
            own_side <= side + BEYOND && own_height <= height + BEYOND
        };
        let mut models = FAST.iter().filter(sees);
        let (model, side, height) = *models.next().filter(|_| self.points >= SHOWN)?;
        let is_filled = own_side >= side - 1.0 && own_height >= height - 1.0;
        let is_only = if model == Model::Tele15 { is_filled } else { models.next().is_none() };
        is_only.then_some(model)
    }
}

impl Evidence {
    /// Nothing but a version and a port.
    pub(crate) fn new(version: Version, source_port: u16) -> Self {
        Self { version, source_port, ticks: Vec::new(), data_type: None, view: View::default() }
    }

    /// Adds a package of points of SDK 1.
    pub(crate) fn add_sdk1(&mut self, package: &[u8], arrival: i64) {
        let data_type = data_type(package);
        if self.ticks.len() < ENOUGH && self.data_type.is_none_or(|its| Some(its) == data_type) {
            self.data_type = data_type;
            self.ticks.extend(Tick::of_sdk1(package, arrival));
            self.view.add(package);
        }
    }

    /// Adds a payload of points of SDK 2.
    pub(crate) fn add_sdk2(&mut self, payload: &[u8], arrival: i64) {
        if self.ticks.len() < ENOUGH {
            self.ticks.extend(Tick::of_sdk2(payload, arrival));
        }
    }

    /// Nanoseconds between shots: as SDK 2 says, or as packages follow each other.
    fn spacing(&self) -> Option<i64> {
        let first = self.ticks.first()?;
        let shots = i64::from(first.shots);
        let packet = match first.said {
            0 => Pace::of(&self.ticks).interval(),
            said => Some(said),
        };
        packet?.checked_div(shots).filter(|spacing| *spacing > 0)
    }

    /// The model.
    pub(crate) fn guess(&self) -> Guess {
        let spacing = self.spacing();
        let micros =
            |spacing: i64| format!("{}.{:02} µs from shot to shot", spacing / 1000, spacing % 1000 / 10);
        let guess = |model, assumed, why: &str| Guess { model, assumed, why: why.to_owned(), others: &[] };
        if self.version == Version::V1_1 {
            return match (self.data_type, spacing) {
                (Some(7 | 8), _) => guess(Model::Avia, false, "three returns"),
                (Some(0 | 1), None) => guess(Model::Mid40, true, "points without tags"),
                (_, None) => Guess { others: OTHERS, ..guess(Model::Horizon, true, "points with tags") },
                (Some(0 | 1), Some(spacing @ 7000..)) => {
                    guess(Model::Mid40, false, &(micros(spacing) + ", points without tags"))
                }
                (_, Some(spacing @ 7000..)) => {
                    guess(Model::Mid70, false, &(micros(spacing) + ", points with tags"))
                }
                (_, Some(spacing)) => {
                    let (side, height) = self.view.degrees();
                    let view = format!(", points up to {side:.1}° to the side and {height:.1}° in height");
                    if let Some(model) = self.view.model() {
                        return guess(model, false, &(micros(spacing) + &view));
                    }
                    let why = micros(spacing) + ", as of the Horizon, Tele-15 and Avia";
                    Guess { others: OTHERS, ..guess(Model::Horizon, true, &why) }
                }
            };
        }
        let sends = |model: &Model| model.source_ports().contains(&self.source_port);
        match (Model::ALL.into_iter().find(sends), spacing) {
            (Some(model), _) => guess(model, false, &format!("source port {}", self.source_port)),
            (None, Some(spacing @ ..3500)) => guess(Model::Hap, false, &micros(spacing)),
            (None, Some(spacing)) => guess(Model::Mid360, false, &micros(spacing)),
            (None, None) => guess(Model::Mid360, true, "packets of SDK 2"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package of SDK 1 with tagged points at these degrees to the side and in height, 10 m away.
    fn package(data_type: u8, stamp: i64, points: &[(f64, f64)]) -> Vec<u8> {
        let mut package = vec![0, 5, 1, 1, 0, 0, 0, 0, 0, 0, data_type];
        package.extend(stamp.to_le_bytes());
        for (side, height) in points {
            let (side, height) = (side.to_radians(), height.to_radians());
            for metres in [height.cos() * side.cos(), height.cos() * side.sin(), height.sin()] {
                #[expect(clippy::cast_possible_truncation, reason = "metres of a test")]
                let tenths = (metres * 10_000.0) as i32;
                package.extend(tenths.to_le_bytes());
            }
            package.extend([50, 0]);
        }
        package
    }

    fn guess(data_type: u8, shots: i64, spacing: i64, at: impl Fn(i64) -> (f64, f64)) -> Guess {
        let mut evidence = Evidence::new(Version::V1_1, 65_000);
        for n in 0..20 {
            let points: Vec<_> = (0..96).map(|point| at(n * 96 + point)).collect();
            evidence.add_sdk1(&package(data_type, n * shots * spacing, &points), 0);
        }
        evidence.guess()
    }

    fn sdk1(data_type: u8, shots: i64, spacing: i64) -> (Model, bool) {
        let guess = guess(data_type, shots, spacing, |_| (0.0, 0.0));
        (guess.model, guess.assumed)
    }

    /// Livox's tables: shots per package, and time from shot to shot.
    #[test]
    fn the_spacing_of_packages_tells_the_model() {
        assert_eq!(sdk1(0, 100, 10_000), (Model::Mid40, false));
        assert_eq!(sdk1(2, 96, 10_000), (Model::Mid70, false));
        assert_eq!(sdk1(4, 48, 10_000), (Model::Mid70, false));
        assert_eq!(sdk1(2, 96, 4_167), (Model::Horizon, true));
        assert_eq!(sdk1(4, 48, 4_167), (Model::Horizon, true));
        assert_eq!(sdk1(7, 30, 4_167), (Model::Avia, false));
    }

    /// Livox's tables: 14.5 by 16.2 degrees, 81.7 by 25.1, 70.4 by 77.2.
    #[test]
    fn the_field_of_view_tells_models_of_one_spacing_apart() {
        let of = |side: f64, height: f64| {
            let at = |n: i64| {
                let angle = f64::from(i32::try_from(n * 37 % 360).unwrap());
                (side * angle.to_radians().cos(), height * angle.to_radians().sin())
            };
            let guess = guess(2, 96, 4_167, at);
            (guess.model, guess.assumed)
        };
        assert_eq!(of(7.25, 8.1), (Model::Tele15, false));
        assert_eq!(of(40.8, 12.5), (Model::Horizon, false));
        assert_eq!(of(35.2, 38.6), (Model::Avia, false));
        // A part of more than one.
        assert_eq!(of(3.0, 3.0), (Model::Horizon, true));
        assert_eq!(of(30.0, 12.0), (Model::Horizon, true));
        assert_eq!(guess(2, 96, 4_167, |_| (0.0, 0.0)).others, [Model::Tele15, Model::Avia]);
    }

    #[test]
    fn ports_or_the_spacing_tell_models_of_sdk_2() {
        let of = |port, said: u16| {
            let mut evidence = Evidence::new(Version::V2_0, port);
            let mut payload = [0; 36];
            payload[3..5].copy_from_slice(&said.to_le_bytes());
            payload[5] = 96;
            evidence.add_sdk2(&payload, 0);
            let guess = evidence.guess();
            (guess.model, guess.assumed)
        };
        assert_eq!(of(57_000, 4800), (Model::Hap, false));
        assert_eq!(of(56_300, 0), (Model::Mid360, false));
        assert_eq!(of(10_000, 2123), (Model::Hap, false));
        assert_eq!(of(10_000, 4800), (Model::Mid360, false));
        assert_eq!(of(10_000, 0), (Model::Mid360, true));
    }
}
