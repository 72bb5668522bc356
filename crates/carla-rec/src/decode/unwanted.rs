//! Packets whose channels nobody asked for.

use super::tables::Table;
use crate::{Payload, layout::Layout, rows::Rows};

/// The actors of the last packet of each table whose channels are all unwanted: most frames name the same ones.
#[derive(Debug, Default)]
pub(super) struct Unwanted([Vec<u32>; Table::COUNT]);

impl Unwanted {
    /// Whether nobody wants a packet. Velocities are wanted with poses, unless these are dropped.
    pub(super) fn has(
        &mut self,
        payload: &Payload<'_>,
        drop_velocities: bool,
        wants: &mut dyn FnMut(u32, Table) -> bool,
    ) -> bool {
        match payload {
            Payload::State(rows) => self.rows(Table::TrafficLights, rows, wants),
            Payload::AnimVehicle(rows) => self.rows(Table::Controls, rows, wants),
            Payload::AnimWalker(rows) => self.rows(Table::Walkers, rows, wants),
            Payload::VehicleLight(rows) => self.rows(Table::Lights, rows, wants),
            Payload::Kinematics(rows) => drop_velocities && self.rows(Table::Kinematics, rows, wants),
            Payload::AnimBiker(rows) => self.rows(Table::Bikers, rows, wants),
            Payload::AnimVehicleWheels(vehicles) => {
                let ids = vehicles.into_iter().map(|vehicle| vehicle.id);
                self.actors(Table::Wheels, ids, wants)
            }
            _ => false,
        }
    }

    /// Every record begins with the actor's id.
    fn rows<T: Layout>(
        &mut self,
        table: Table,
        rows: &Rows<'_, T>,
        wants: &mut dyn FnMut(u32, Table) -> bool,
    ) -> bool {
        self.actors(table, rows.by_actor().map(|(id, _)| id), wants)
    }

    #[expect(clippy::indexing_slicing, reason = "there is a list for each table")]
    fn actors(
        &mut self,
        table: Table,
        ids: impl Iterator<Item = u32> + Clone,
        wants: &mut dyn FnMut(u32, Table) -> bool,
    ) -> bool {
        let latest = &mut self.0[table as usize];
        if ids.clone().eq(latest.iter().copied()) {
            return true;
        }
        let is_unwanted = !ids.clone().any(|id| wants(id, table));
        if is_unwanted {
            latest.clear();
            latest.extend(ids);
        }
        is_unwanted
    }
}
