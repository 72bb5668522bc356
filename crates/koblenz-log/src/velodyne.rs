//! stub
use crate::layout::PACKET_LEN;
use robolog_core::*;
pub(crate) const CHANNEL: &str = "velodyne/points";
/// Options.
#[derive(Debug, Clone, Default)]
pub struct Options {}
#[derive(Debug)]
pub(crate) struct Turns;
impl Turns {
    pub(crate) fn new(_: Options) -> Self {
        Self
    }
    pub(crate) fn push<E: From<Error>>(
        &mut self,
        _: &[[u8; PACKET_LEN]],
        _: u64,
        _: Option<Timestamp>,
        _: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        Ok(())
    }
    pub(crate) fn finish<E: From<Error>>(
        &mut self,
        _: &mut dyn FnMut(&mut Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        Ok(())
    }
}
/// Details.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SensorDetails {}
#[derive(Debug, Default)]
pub(crate) struct Sensor;
impl Sensor {
    pub(crate) fn push(&mut self, _: &[[u8; PACKET_LEN]], _: u64, _: &mut Notes) {}
    pub(crate) fn finish(self) -> Option<SensorDetails> {
        None
    }
}
