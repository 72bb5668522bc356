//! The state of a receiver: its clock, its pending fix and satellites.

use std::{borrow::Cow, sync::Arc};

use robolog_core::{Timestamp, format::Lent};

use crate::{
    Message, Record, SkyView, Time,
    epoch::Epoch,
    fix::{Covariance, GGA, Pending},
    receivers::Receivers,
};

#[derive(Debug)]
pub(super) struct Station {
    pub(super) number: usize,
    /// Before the names of its channels; empty for the only receiver.
    prefix: String,
    /// Of its channels so far, by their names without the prefix.
    lent: Vec<(&'static str, Lent)>,
    pub(super) frame_id: Arc<str>,
    pub(super) epoch: Epoch,
    pub(super) pending: Option<Pending>,
    pub(super) covariance: Covariance,
    pub(super) sky: SkyView,
    /// The time beside the first sentence of the satellites.
    pub(super) sky_logged: Option<Timestamp>,
}

/// The frame of an antenna.
const FRAME: &str = "gnss";

impl Station {
    pub(super) fn new(number: usize, receivers: &Receivers, epoch: Epoch) -> Self {
        let name = String::from_utf8_lossy(receivers.name(number)).into_owned();
        let prefix = if receivers.is_one() { String::new() } else { name + "/" };
        Self {
            number,
            frame_id: format!("{prefix}{FRAME}").into(),
            prefix,
            lent: Vec::new(),
            epoch,
            pending: None,
            covariance: None,
            sky: SkyView::new(),
            sky_logged: None,
        }
    }

    /// The name of a channel of this receiver.
    pub(super) fn channel<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.prefix.is_empty() { name.into() } else { format!("{}{name}", self.prefix).into() }
    }

    /// The sample of a channel of this receiver; there always is one.
    pub(super) fn lent(&mut self, name: &'static str) -> Option<&mut Lent> {
        let place = self.lent.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.lent.push((name, Lent::new(self.channel(name), Arc::clone(&self.frame_id))));
            self.lent.len().saturating_sub(1)
        });
        self.lent.get_mut(place).map(|(_, lent)| lent)
    }

    /// Whether it pauses, while another receiver sends: its sentences come in bursts.
    pub(super) fn pauses(&self) -> bool {
        self.sky.is_complete()
    }

    /// Whether no sample is incomplete before `record`, its next one.
    pub(super) fn rests_before(&self, record: &Record<'_>) -> bool {
        let message = record.message();
        let stamp = record.stamp().unwrap_or_default();
        let mut epoch = self.epoch;
        epoch.apply(stamp);
        let sky_rests = self.sky.is_empty() || stamp.time.is_some() && self.sky.is_over_at(epoch.now());
        let of_day = stamp.time.map(Time::since_midnight);
        let rank = match message {
            Some(Message::Gga(_)) => Some(GGA),
            Some(Message::Gns(_)) => Some(3),
            Some(Message::Rmc(_)) => Some(2),
            Some(Message::Gll(_)) => Some(1),
            _ => None,
        };
        let talker = record.sentence().and_then(|s| s.talker_bytes().first_chunk().copied());
        let fix_rests = match (&self.pending, rank) {
            (Some(pending), Some(rank)) => !pending.goes_on(stamp.time, talker.unwrap_or(*b"  "), rank),
            // A covariance may come before its fix.
            (Some(pending), None) if matches!(message, Some(Message::Gst(_))) => {
                of_day.is_some() && of_day != pending.of_day.map(Time::since_midnight)
            }
            (Some(_), None) => false,
            (None, _) => true,
        };
        let is_awaited =
            self.covariance.is_some_and(|(at, _)| at.is_some() && (of_day.is_none() || at == of_day));
        sky_rests && fix_rests && !is_awaited
    }
}
