//! The status code and the tag byte, for both generations of devices.

use robolog_core::slices::InRange as _;

/// State of a LiDAR of SDK 1: 32 bits, raw.
///
/// ```
/// use lvx::{Level, Status};
/// let status = Status(0b10 << 6 | 1 << 11); // a dirty window, a slow fan
/// assert_eq!((status.dirt(), status.fan_warning()), (Level::Error, true));
/// println!("{}", status.states().join(", "));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub u32);

/// One of three levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the specification's own words")]
pub enum Level {
    Normal,
    Warning,
    Error,
    Reserved,
}

/// The time source of a LiDAR's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the specification's own words")]
pub enum Sync {
    None,
    Ptp,
    Gps,
    Pps,
    Abnormal,
    Reserved,
}

impl Status {
    fn bits(self, from: u32, count: u32) -> u32 {
        let mask = 1_u32.unbounded_shl(count).minus(1);
        self.0.unbounded_shr(from) & mask
    }

    fn level(self, from: u32) -> Level {
        match self.bits(from, 2) {
            0 => Level::Normal,
            1 => Level::Warning,
            2 => Level::Error,
            _ => Level::Reserved,
        }
    }

    /// Bits 0-1.
    pub fn temperature(self) -> Level {
        self.level(0)
    }

    /// Bits 2-3.
    pub fn voltage(self) -> Level {
        self.level(2)
    }

    /// Bits 4-5.
    pub fn motor(self) -> Level {
        self.level(4)
    }

    /// Bits 6-7: a dirty or covered window.
    pub fn dirt(self) -> Level {
        self.level(6)
    }

    /// Bit 8.
    pub fn firmware_fault(self) -> bool {
        self.bits(8, 1) == 1
    }

    /// Bit 9: a pulse per second arrives.
    pub fn pps(self) -> bool {
        self.bits(9, 1) == 1
    }

    /// Bit 10: the device's life nears its end.
    pub fn end_of_life(self) -> bool {
        self.bits(10, 1) == 1
    }

    /// Bit 11.
    pub fn fan_warning(self) -> bool {
        self.bits(11, 1) == 1
    }

    /// Bit 12, raw: Livox's own documents disagree on which value means that self-heating is on.
    pub fn self_heating_bit(self) -> bool {
        self.bits(12, 1) == 1
    }

    /// Bit 13: a PTP signal arrives.
    pub fn ptp(self) -> bool {
        self.bits(13, 1) == 1
    }

    /// Bits 14-16.
    pub fn sync(self) -> Sync {
        match self.bits(14, 3) {
            0 => Sync::None,
            1 => Sync::Ptp,
            2 => Sync::Gps,
            3 => Sync::Pps,
            4 => Sync::Abnormal,
            _ => Sync::Reserved,
        }
    }

    /// Bits 30-31.
    pub fn system(self) -> Level {
        self.level(30)
    }

    /// The worse of each state; the time source is that of `later`.
    #[must_use]
    pub fn worse(self, later: Self) -> Self {
        const LEVELS: [u32; 5] = [0b11, 0b11 << 2, 0b11 << 4, 0b11 << 6, 0b11 << 30];
        const SYNC: u32 = 0b111 << 14;
        let flags = (self.0 | later.0) & !LEVELS.iter().fold(SYNC, |all, level| all | level);
        let levels = LEVELS.iter().fold(0, |all, level| all | (self.0 & level).max(later.0 & level));
        Self(flags | levels | (later.0 & SYNC))
    }

    /// Every abnormal state, such as `fan warning`, and the time source, for display.
    pub fn states(self) -> Vec<&'static str> {
        let level = |level, warning, error| match level {
            Level::Normal | Level::Reserved => None,
            Level::Warning => Some(warning),
            Level::Error => Some(error),
        };
        let states = [
            level(self.system(), "system warning", "system error"),
            level(self.temperature(), "temperature warning", "temperature error"),
            level(self.voltage(), "voltage warning", "voltage error"),
            level(self.motor(), "motor warning", "motor error"),
            level(self.dirt(), "window dirty or blocked", "window dirty or blocked"),
            self.firmware_fault().then_some("firmware fault"),
            self.fan_warning().then_some("fan warning"),
            self.end_of_life().then_some("near its end of life"),
            match self.sync() {
                Sync::None | Sync::Reserved => None,
                Sync::Ptp => Some("synchronised by PTP"),
                Sync::Gps => Some("synchronised by GPS"),
                Sync::Pps => Some("synchronised by PPS"),
                Sync::Abnormal => Some("synchronisation abnormal"),
            },
        ];
        states.into_iter().flatten().collect()
    }
}

/// The tag of a point, raw. Its bits have different meanings in the two generations of devices.
///
/// ```
/// use lvx::{Confidence, Tag};
/// assert_eq!(Tag(0x10).return_number(), 1); // a Horizon
/// assert_eq!(Tag(0b1000).weather_confidence(), Confidence::Poor); // a Mid-360
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag(pub u8);

/// Probability that a point is noise, as judged by the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "confidence that the point is noise")]
pub enum Noise {
    None,
    Low,
    Moderate,
    High,
    Reserved,
}

/// Confidence of a point of SDK 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "confidence in the point")]
pub enum Confidence {
    Good,
    Medium,
    Poor,
    Reserved,
}

impl Tag {
    fn pair(self, from: u32) -> u8 {
        self.0.unbounded_shr(from) & 3
    }

    /// SDK 1 (Horizon, Tele-15, Avia, Mid-70), bits 4-5: the number of the return, from 0. Coaxial sensors give real
    /// points number 1; on a Mid-70, 0 is the reflection of its own window.
    pub fn return_number(self) -> u8 {
        self.pair(4)
    }

    /// SDK 1, bits 2-3: noise by intensity.
    pub fn intensity_noise(self) -> Noise {
        match self.pair(2) {
            0 => Noise::None,
            1 => Noise::High,
            2 => Noise::Moderate,
            _ => Noise::Reserved,
        }
    }

    /// SDK 1, bits 0-1: noise by position.
    pub fn position_noise(self) -> Noise {
        match self.pair(0) {
            0 => Noise::None,
            1 => Noise::High,
            2 => Noise::Moderate,
            _ => Noise::Low,
        }
    }

    fn confidence(self, from: u32) -> Confidence {
        match self.pair(from) {
            0 => Confidence::Good,
            1 => Confidence::Medium,
            2 => Confidence::Poor,
            _ => Confidence::Reserved,
        }
    }

    /// SDK 2 (Mid-360, HAP), bits 4-5: other noise, near the sensor.
    pub fn other_confidence(self) -> Confidence {
        self.confidence(4)
    }

    /// SDK 2, bits 2-3: rain, fog and dust.
    pub fn weather_confidence(self) -> Confidence {
        self.confidence(2)
    }

    /// SDK 2, bits 0-1: false points between near objects.
    pub fn glue_confidence(self) -> Confidence {
        self.confidence(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_a_real_tele_15() {
        let status = Status(0x4000_6840);
        assert_eq!((status.dirt(), status.fan_warning(), status.ptp()), (Level::Warning, true, true));
        assert_eq!((status.sync(), status.system()), (Sync::Ptp, Level::Warning));
        assert_eq!(
            (status.temperature(), status.firmware_fault(), status.pps()),
            (Level::Normal, false, false)
        );
    }

    #[test]
    fn states_are_the_worst_that_were_met() {
        assert_eq!(Status(0).states(), [""; 0]);
        let real = Status(0x4000_6840);
        let states = ["system warning", "window dirty or blocked", "fan warning", "synchronised by PTP"];
        assert_eq!(real.states(), states);
        // A motor error and GPS, then only a low voltage warning without a time source.
        let worse = Status(0b10 << 4 | 0b10 << 14).worse(Status(0b01 << 2));
        assert_eq!(worse.states(), ["voltage warning", "motor error"]);
        assert_eq!(Status(0b01 << 30).worse(Status(0b10 << 30)).system(), Level::Error);
        assert_eq!(Status(0b10 << 30).worse(Status(0b01 << 30)).system(), Level::Error);
    }

    #[test]
    fn tags_by_generation() {
        let tag = Tag(0b0001_0110);
        assert_eq!(tag.return_number(), 1);
        assert_eq!((tag.intensity_noise(), tag.position_noise()), (Noise::High, Noise::Moderate));
        assert_eq!(tag.other_confidence(), Confidence::Medium);
        assert_eq!((tag.weather_confidence(), tag.glue_confidence()), (Confidence::Medium, Confidence::Poor));
    }

    /// Every value of each pair of bits, as documented by Livox for both generations.
    #[test]
    fn tags_say_what_livox_documents() {
        use Confidence::{Good, Medium, Poor};
        use Noise::{High, Low, Moderate, None};
        let pairs = |from: u32| [0, 1, 2, 3].map(|pair: u8| Tag(pair << from));
        assert_eq!(pairs(4).map(Tag::return_number), [0, 1, 2, 3]);
        assert_eq!(pairs(2).map(Tag::intensity_noise), [None, High, Moderate, Noise::Reserved]);
        assert_eq!(pairs(0).map(Tag::position_noise), [None, High, Moderate, Low]);
        let trusted = [Good, Medium, Poor, Confidence::Reserved];
        assert_eq!(pairs(4).map(Tag::other_confidence), trusted);
        assert_eq!(pairs(2).map(Tag::weather_confidence), trusted);
        assert_eq!(pairs(0).map(Tag::glue_confidence), trusted);
    }
}
