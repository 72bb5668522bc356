//! Fixes as words: most have few of the many values that a fix can have.

use std::sync::Arc;

use robolog_core::{Field, FixQuality, GnssFix, Value, slices::fitting};

use super::{no_row, row_of, words::Words};

/// Bits of the first word, from the lowest: which of [`numbers`] the fix has, which of the others, its quality, then the
/// station and the satellites themselves.
const COVARIANCE: u32 = 8;
const TALKERS: u32 = 9;
const SATELLITES: u32 = 10;
const STATION: u32 = 11;
const QUALITY: u32 = 12;
const OF_STATION: u32 = 16;
const OF_SATELLITES: u32 = 32;

/// The number of an unknown quality, which GGA does not have.
const UNKNOWN: u8 = 0xf;

/// Makes the value the next fix, in the same memory if it is one.
pub(super) fn take_fix(words: &mut Words, fields: &[Arc<[Field]>], value: &mut Value, is_measured: bool) {
    if !matches!(value, Value::GnssFix(_)) {
        *value = Value::GnssFix(GnssFix::default());
    }
    let Value::GnssFix(fix) = value else { return };
    words.take_fix(fix);
    if is_measured {
        row_of(words, fields, fix.measured.get_or_insert_with(|| Box::new(no_row())));
    } else {
        fix.measured = None;
    }
}

fn numbers(fix: &GnssFix) -> [Option<f64>; 8] {
    let GnssFix { altitude, altitude_msl, hdop, vdop, pdop, speed, course, age_of_corrections_s, .. } = fix;
    [*altitude, *altitude_msl, *hdop, *vdop, *pdop, *speed, *course, *age_of_corrections_s]
}

impl Words {
    /// Puts a fix without what was measured beside it.
    pub(super) fn put_fix(&mut self, fix: &GnssFix) {
        let numbers = numbers(fix);
        let bit = |has: bool, place: u32| u64::from(has) << place;
        let mut head = bit(fix.position_covariance.is_some(), COVARIANCE)
            | bit(fix.talkers.is_some(), TALKERS)
            | bit(fix.satellites.is_some(), SATELLITES)
            | bit(fix.station_id.is_some(), STATION)
            | u64::from(fix.quality.gga().unwrap_or(UNKNOWN)) << QUALITY
            | u64::from(fix.station_id.unwrap_or(0)) << OF_STATION
            | u64::from(fix.satellites.unwrap_or(0)) << OF_SATELLITES;
        for (place, number) in (0..).zip(&numbers) {
            head |= bit(number.is_some(), place);
        }
        self.put([head]);
        self.put_numbers([fix.latitude, fix.longitude]);
        for number in numbers.into_iter().flatten() {
            self.put_numbers([number]);
        }
        if let Some(covariance) = fix.position_covariance {
            self.put_numbers(covariance);
        }
        if let Some(talkers) = &fix.talkers {
            self.put_text(talkers);
        }
    }

    /// Takes a fix into the memory of another, except what was measured beside it.
    pub(super) fn take_fix(&mut self, fix: &mut GnssFix) {
        let [head] = self.take();
        let has = |place: u32| head >> place & 1 == 1;
        [fix.latitude, fix.longitude] = self.take_numbers();
        let GnssFix { altitude, altitude_msl, hdop, vdop, pdop, speed, course, age_of_corrections_s, .. } =
            fix;
        let slots = [altitude, altitude_msl, hdop, vdop, pdop, speed, course, age_of_corrections_s];
        for (place, slot) in (0..).zip(slots) {
            *slot = has(place).then(|| self.take_numbers::<1>()[0]);
        }
        fix.position_covariance = has(COVARIANCE).then(|| self.take_numbers());
        if has(TALKERS) {
            let talkers = fix.talkers.get_or_insert_default();
            talkers.clear();
            talkers.push_str(self.take_text());
        } else {
            fix.talkers = None;
        }
        fix.satellites = has(SATELLITES).then(|| fitting::<u32>(head >> OF_SATELLITES));
        fix.station_id = has(STATION).then(|| fitting::<u16>(head >> OF_STATION & 0xffff));
        fix.quality = FixQuality::from_gga(fitting::<u32>(head >> QUALITY & 0xf));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value alone, and all.
    #[test]
    fn each_value_of_a_fix_comes_back() {
        let (mut words, mut fixes) = (Words::default(), vec![GnssFix::default()]);
        for n in 0..23 {
            let (number, is) = (f64::from(n) - 0.5, |value: i32| n == value || n > 20);
            let mut fix = GnssFix { latitude: number, longitude: -0.0, ..GnssFix::default() };
            fix.altitude = is(0).then_some(number);
            fix.altitude_msl = is(1).then_some(number);
            fix.hdop = is(2).then_some(number);
            fix.vdop = is(3).then_some(number);
            fix.pdop = is(4).then_some(number);
            fix.speed = is(5).then_some(number);
            fix.course = is(6).then_some(f64::INFINITY);
            fix.age_of_corrections_s = is(7).then_some(number);
            fix.position_covariance = is(8).then_some([number; 9]);
            fix.talkers = is(9).then(|| "GP GL".repeat(n.unsigned_abs() as usize % 3));
            fix.satellites = is(10).then_some(u32::MAX);
            fix.station_id = is(11).then_some(u16::MAX);
            if (12..21).contains(&n) {
                fix.quality = FixQuality::from_gga(n.unsigned_abs() - 12);
            }
            fixes.push(fix);
        }
        for fix in &fixes {
            words.put_fix(fix);
        }
        let mut taken = GnssFix::default();
        for fix in &fixes {
            words.take_fix(&mut taken);
            assert_eq!(&taken, fix);
        }
    }
}
