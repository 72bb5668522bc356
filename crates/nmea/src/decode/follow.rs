//! What copies ask a decoder: the times and channels of records, and where a part can begin.

use std::borrow::Cow;

use robolog_core::{Clock, Timestamp};

use super::{Decoder, station::Station};
use crate::{
    Record,
    epoch::Epoch,
    receivers::Receivers,
    record::{ERRORS, FIX, HEADING, SATELLITES},
};

impl Decoder {
    /// The time of the last sentence with one.
    pub(in super::super) fn now(&self) -> Option<Timestamp> {
        self.station.epoch.now()
    }

    /// The current day and time of day.
    pub(in super::super) fn epoch(&self) -> Epoch {
        self.station.epoch
    }

    pub(in super::super) fn receivers(&self) -> &Receivers {
        &self.receivers
    }

    /// The channel of a record's sample.
    pub(in super::super) fn channel_of<'r>(&self, record: &Record<'r>) -> Cow<'r, str> {
        match record.channel() {
            channel @ (FIX | SATELLITES | HEADING | ERRORS) => self.station_of(record).channel(channel),
            channel => channel.into(),
        }
    }

    /// The receiver of a record. One that has no sentence yet is like the current one.
    fn station_of(&self, record: &Record<'_>) -> &Station {
        let number = self.receivers.of(record);
        let other = self.others.iter().find(|station| Some(station.number) == number);
        other.unwrap_or(&self.station)
    }

    /// Continues with another log that begins at this day and time of day.
    pub(in super::super) fn go_on(&mut self, epoch: Epoch) {
        self.station.epoch = epoch;
    }

    /// Follows the time of the next record in advance. Pushing that record later changes nothing.
    pub(in super::super) fn look_ahead(&mut self, record: &Record<'_>) {
        if let Some(stamp) = record.stamp() {
            self.turn_to(record);
            self.station.epoch.apply(stamp);
        }
    }

    /// The time of the sample that `record`, the last one, belongs to.
    pub(in super::super) fn time_of(&self, record: &Record<'_>) -> Option<Timestamp> {
        let station = self.station_of(record);
        let of_sample = match (record.channel(), &station.pending) {
            (FIX, Some(pending)) => pending.time,
            (SATELLITES, _) => station.sky_logged.or(station.sky.time()),
            _ => None,
        };
        let of_group = || {
            let nanos =
                self.of_group.filter(|_| record.prefix().is_some_and(|prefix| prefix.group.is_some()))?;
            record.stamp().filter(|stamp| stamp.time.is_none())?;
            Some(Timestamp::new(nanos, Clock::Unix))
        };
        of_sample.or_else(|| record.untimed()).or_else(of_group).or(station.epoch.now())
    }

    /// Whether no sample is incomplete before `record`, the next one.
    pub(in super::super) fn rests_before(&self, record: &Record<'_>) -> bool {
        let of_record = self.station_of(record);
        let stations = self.others.iter().chain([&self.station]);
        let mut others = stations.filter(|station| station.number != of_record.number);
        of_record.rests_before(record) && others.all(Station::pauses) && !self.groups.are_open()
    }
}
