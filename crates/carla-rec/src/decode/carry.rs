//! Split points of a recording: between frames.

use std::{mem, ops::Range};

use robolog_core::format::{extend_ranges, push_range};

use crate::{Kind, Record};

/// The earlier packets that another decoder needs: collisions, and packets about actors that frames do not repeat, each
/// with the start of its frame; and the velocities of the last frame.
#[derive(Debug, Default)]
pub(super) struct Carried {
    events: Vec<Range<u64>>,
    /// The last packet.
    last: Range<u64>,
    /// The start of the last frame, its velocities and its end.
    frame: Vec<Range<u64>>,
    /// Whether the last frame has ended, with no packet after it.
    is_between_frames: bool,
    /// Whether two actors touch in the current frame: the next frame shows whether they still do.
    has_collision: bool,
}

impl Carried {
    fn note(&mut self, range: Range<u64>) {
        if let Some(start) = self.frame.first() {
            push_range(&mut self.events, start.clone());
        }
        push_range(&mut self.events, range);
    }

    /// Their byte ranges, if the recording can be split before `next`.
    pub(super) fn ranges(&self, next: &Record<'_>) -> Option<Vec<Range<u64>>> {
        if !self.is_between_frames || next.frame_start().is_none() {
            return None;
        }
        let last = self.frame.first().map_or(u64::MAX, |start| start.start);
        let before = self.events.partition_point(|event| event.start < last);
        let (before, within) = self.events.split_at_checked(before)?;
        let mut carry = before.to_vec();
        extend_ranges(&mut carry, within.iter().chain(&self.frame));
        Some(carry)
    }

    /// Adds a record at this range. `teaches` means that it shows how others are read; its place may be a part of that.
    pub(super) fn push(&mut self, record: &Record<'_>, range: Range<u64>, teaches: bool) {
        self.is_between_frames = false;
        let before = mem::replace(&mut self.last, range.clone());
        if teaches {
            self.note(before);
            push_range(&mut self.events, range.clone());
        }
        match Kind::FIXED.get(usize::from(record.id())).copied().unwrap_or(Kind::Unknown) {
            Kind::FrameStart if record.frame_start().is_some() => {
                self.frame = vec![range.clone()];
                if mem::take(&mut self.has_collision) {
                    self.note(range);
                }
            }
            Kind::FrameEnd => {
                self.frame.push(range);
                self.is_between_frames = true;
            }
            Kind::Kinematics => self.frame.push(range),
            Kind::Collision if record.has_records() => {
                self.has_collision = true;
                self.note(range);
            }
            Kind::EventAdd | Kind::EventDel | Kind::EventParent | Kind::BoundingBox | Kind::TriggerVolume
                if record.has_records() =>
            {
                self.note(range);
            }
            _ => {}
        }
    }
}
