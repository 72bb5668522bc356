//! The model of a Livox, from the evidence in its packets.

use lvx::{Model, Version};

use crate::sequence::{Pace, Tick};

/// What packets of points tell about their sender.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) version: Version,
    pub(crate) source_port: u16,
    /// The first packets.
    ticks: Vec<Tick>,
    /// Of SDK 1.
    data_type: Option<u8>,
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
}

impl Evidence {
    /// Nothing but a version and a port.
    pub(crate) fn new(version: Version, source_port: u16) -> Self {
        Self { version, source_port, ticks: Vec::new(), data_type: None }
    }

    /// Adds a package of points.
    pub(crate) fn add(&mut self, tick: Option<Tick>, data_type: Option<u8>) {
        if self.ticks.len() < ENOUGH && self.data_type.is_none_or(|its| Some(its) == data_type) {
            self.data_type = data_type;
            self.ticks.extend(tick);
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
        let guess = |model, assumed, why: &str| Guess { model, assumed, why: why.to_owned() };
        if self.version == Version::V1_1 {
            return match (self.data_type, spacing) {
                (Some(7 | 8), _) => guess(Model::Avia, false, "three returns"),
                (Some(0 | 1), None) => guess(Model::Mid40, true, "points without tags"),
                (_, None) => guess(Model::Horizon, true, "points with tags"),
                (Some(0 | 1), Some(spacing @ 7000..)) => {
                    guess(Model::Mid40, false, &(micros(spacing) + ", points without tags"))
                }
                (_, Some(spacing @ 7000..)) => {
                    guess(Model::Mid70, false, &(micros(spacing) + ", points with tags"))
                }
                (_, Some(spacing)) => {
                    guess(Model::Horizon, true, &(micros(spacing) + ", as of the Horizon, Tele-15 and Avia"))
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

    fn sdk1(data_type: u8, shots: u16, spacing: i64) -> (Model, bool) {
        let mut evidence = Evidence::new(Version::V1_1, 65_000);
        for n in 0..5 {
            let stamp = Some(n * i64::from(shots) * spacing);
            evidence.add(Some(Tick { stamp, shots, ..Tick::default() }), Some(data_type));
        }
        let guess = evidence.guess();
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

    #[test]
    fn ports_or_the_spacing_tell_models_of_sdk_2() {
        let of = |port, said| {
            let mut evidence = Evidence::new(Version::V2_0, port);
            evidence.add(Some(Tick { said, shots: 96, ..Tick::default() }), None);
            let guess = evidence.guess();
            (guess.model, guess.assumed)
        };
        assert_eq!(of(57_000, 480_000), (Model::Hap, false));
        assert_eq!(of(56_300, 0), (Model::Mid360, false));
        assert_eq!(of(10_000, 212_300), (Model::Hap, false));
        assert_eq!(of(10_000, 480_000), (Model::Mid360, false));
        assert_eq!(of(10_000, 0), (Model::Mid360, true));
    }
}
