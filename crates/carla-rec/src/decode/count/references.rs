//! Finds references to actors that do not exist.

use robolog_core::{Severity, format::SurveyBuilder};

use crate::{
    Payload, PhysicsControl,
    by_id::ById,
    layout::{Layout, NO_ACTOR},
    rows::Rows,
};

/// The actors that exist, and those that are missing.
#[derive(Debug, Default)]
pub(super) struct References {
    there: ById<()>,
    /// Each is reported once.
    missed: ById<()>,
    /// The current packet.
    offset: u64,
    /// Packets that name the same actors as the last time are checked again after an actor has disappeared: one bit for
    /// each packet id.
    looked_at: u32,
}

/// Maximum number of missing actors reported separately.
const MISSED: usize = 1000;

impl References {
    /// Checks a packet with this id at `offset`; `is_repeated` means that it names the same actors as the last one of
    /// its kind.
    pub(super) fn push(
        &mut self,
        id: u8,
        payload: &Payload<'_>,
        is_repeated: bool,
        offset: u64,
        notes: &mut SurveyBuilder,
    ) {
        let bit = 1_u32.unbounded_shl(u32::from(id));
        if is_repeated && self.looked_at & bit != 0 {
            return;
        }
        self.looked_at |= bit;
        self.offset = offset;
        match payload {
            Payload::EventAdd(additions) => {
                for addition in additions.into_iter().map_while(Result::ok) {
                    self.there.get_or_insert_with(addition.id, || ());
                }
            }
            Payload::EventDel(rows) => {
                if !rows.is_empty() {
                    self.looked_at = 0;
                }
                for gone in rows {
                    self.check(gone.id, "EventDel packet", notes);
                    self.there.remove(gone.id);
                }
            }
            Payload::EventParent(rows) => {
                for link in rows {
                    self.check(link.child, "EventParent packet", notes);
                    self.check(link.parent, "EventParent packet", notes);
                }
            }
            Payload::Collision(rows) => {
                let actors = rows.iter().flat_map(|collision| [collision.actor1, collision.actor2]);
                actors.filter(|id| *id != NO_ACTOR).for_each(|id| self.check(id, "Collision packet", notes));
            }
            Payload::Position(rows) => self.rows(rows, notes),
            Payload::State(rows) => self.rows(rows, notes),
            Payload::AnimVehicle(rows) => self.rows(rows, notes),
            Payload::AnimWalker(rows) => self.rows(rows, notes),
            Payload::VehicleLight(rows) => self.rows(rows, notes),
            Payload::Kinematics(rows) => self.rows(rows, notes),
            Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => self.rows(rows, notes),
            Payload::TrafficLightTime(rows) => self.rows(rows, notes),
            Payload::AnimBiker(rows) => self.rows(rows, notes),
            Payload::VehicleDoor(rows) => self.rows(rows, notes),
            Payload::AnimVehicleWheels(vehicles) => {
                vehicles
                    .into_iter()
                    .for_each(|vehicle| self.check(vehicle.id, "AnimVehicleWheels packet", notes));
            }
            Payload::WalkerBones(walkers) => {
                walkers.into_iter().for_each(|walker| self.check(walker.id, "WalkerBones packet", notes));
            }
            Payload::PhysicsControl(physics) => {
                for control in *physics {
                    if let PhysicsControl::Vehicle(vehicle) = control {
                        self.check(vehicle.id, "PhysicsControl packet", notes);
                    }
                }
            }
            _ => {}
        }
    }

    /// Every record begins with the actor's id.
    fn rows<T: Layout>(&mut self, rows: &Rows<'_, T>, notes: &mut SurveyBuilder) {
        for (id, _) in rows.by_actor() {
            self.check(id, T::NAME, notes);
        }
    }

    #[inline]
    fn check(&mut self, id: u32, packet: &'static str, notes: &mut SurveyBuilder) {
        if self.there.get(id).is_none() {
            self.miss(id, packet, notes);
        }
    }

    #[cold]
    fn miss(&mut self, id: u32, packet: &'static str, notes: &mut SurveyBuilder) {
        if self.missed.get(id).is_some() || self.missed.len() > MISSED {
            return;
        }
        self.missed.get_or_insert_with(id, || ());
        let message = format_args!("{packet} speaks of actor {id}, which is not there");
        notes.find(Severity::Warning, "unknown-actor", self.offset, message);
    }
}
