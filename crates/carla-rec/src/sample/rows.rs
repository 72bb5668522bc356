//! What becomes rows of tables.

use robolog_core::{Cell, Error, Result, Row, Sample, Value};

use super::{Frame, Sampler, Sink, tables::Table};
use crate::{
    Actor, Axes, Payload, PhysicsControl, VehiclePhysics,
    layout::{BoundingBox, CurvePoint, Kinematics, Vector, VehicleLights},
    names,
};

/// Cells from values of any kind that a cell can hold.
macro_rules! cells {
    ($($value:expr),* $(,)?) => { vec![$(Cell::from($value)),*] };
}

impl Sampler {
    /// A row of a table that is the recording's own.
    fn row<E: From<Error>>(
        &self,
        table: Table,
        cells: Vec<Cell>,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let channel = self.channels.get(table as usize).cloned().unwrap_or_else(|| table.name().into());
        self.deliver(channel, table, cells, at, sink)
    }

    /// A row of an actor's table.
    fn actor_row<E: From<Error>>(
        &mut self,
        (table, id): (Table, u32),
        mut cells: Vec<Cell>,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        cells.splice(0..0, [self.frame_cell(), Cell::from(id)]);
        let channel = self.channel(id, table);
        self.deliver(channel, table, cells, at, sink)
    }

    fn deliver<E: From<Error>>(
        &self,
        channel: std::sync::Arc<str>,
        table: Table,
        cells: Vec<Cell>,
        offset: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let fields = self.fields.get(table as usize).cloned().unwrap_or_else(|| [].into());
        let time = self.frame.and_then(|f| f.time);
        let value = Value::Row(Row::new(fields, cells));
        sink(&mut Sample { time, offset, channel, frame_id: self.map.clone(), value })
    }

    fn frame_cell(&self) -> Cell {
        self.number().map_or(Cell::Null, whole)
    }

    pub(super) fn frame_row<E: From<Error>>(&mut self, frame: &Frame, sink: Sink<'_, E>) -> Result<(), E> {
        let start = frame.start;
        let cells = cells![
            whole(start.frame),
            start.elapsed,
            // The last frame's duration is not known: the file says -1.
            Some(start.duration).filter(|d| *d >= 0.0),
            frame.platform_time,
            frame.visual_time,
        ];
        let (channel, fields) = (self.channels.first().cloned(), self.fields.first().cloned());
        let (Some(channel), Some(fields)) = (channel, fields) else { return Ok(()) };
        let value = Value::Row(Row::new(fields, cells));
        sink(&mut Sample {
            time: frame.time,
            offset: frame.offset,
            channel,
            frame_id: self.map.clone(),
            value,
        })
    }

    pub(super) fn kinematics_row<E: From<Error>>(
        &mut self,
        kinematics: &Kinematics,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let v = self.axes.velocity(kinematics.linear_velocity);
        let w = self.axes.angular_velocity(kinematics.angular_velocity);
        let before = self.before.get(&kinematics.id).copied();
        let acceleration = before
            .zip(self.frame)
            .and_then(|((then, u), frame)| Axes::acceleration(u, v, frame.start.elapsed - then));
        let a = |i: usize| acceleration.and_then(|a| a.get(i).copied());
        let cells = cells![v.x, v.y, v.z, w.x, w.y, w.z, a(0), a(1), a(2)];
        self.actor_row((Table::Kinematics, kinematics.id), cells, at, sink)
    }

    /// Actors that have disappeared.
    pub(super) fn departed<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        std::mem::take(&mut self.world.departed).into_iter().try_for_each(|actor| self.life_row(&actor, sink))
    }

    pub(super) fn life_row<E: From<Error>>(&mut self, actor: &Actor, sink: Sink<'_, E>) -> Result<(), E> {
        let p = self.axes.location(actor.location);
        let [roll, pitch, yaw] = self.axes.euler(actor.rotation);
        let bounds =
            actor.bounding_box.as_ref().map(|b| (self.axes.location(b.origin), self.axes.extent(b.extent)));
        let (middle, extent) = bounds.unzip();
        let number = |v: Option<nalgebra::Vector3<f64>>, i: usize| v.and_then(|v| v.get(i).copied());
        let cells = cells![
            actor.id,
            names::actor_kind(actor.kind),
            actor.type_id.as_str(),
            actor.role_name().as_deref(),
            actor.is_hero(),
            actor.parent,
            whole(actor.created.frame),
            actor.created.elapsed,
            actor.destroyed.map_or(Cell::Null, |m| whole(m.frame)),
            actor.destroyed.map(|m| m.elapsed),
            actor.description_uid,
            p.x,
            p.y,
            p.z,
            roll,
            pitch,
            yaw,
            number(middle, 0),
            number(middle, 1),
            number(middle, 2),
            number(extent, 0),
            number(extent, 1),
            number(extent, 2),
        ];
        let channel = Table::Actors.name().into();
        let fields = self.fields.get(Table::Actors as usize).cloned().unwrap_or_else(|| [].into());
        let value = Value::Row(Row::new(fields, cells));
        let time = self.header.time(actor.created.elapsed);
        sink(&mut Sample { time, offset: 0, channel, frame_id: self.map.clone(), value })
    }

    /// All payloads that are neither poses, velocities nor frames.
    pub(super) fn rows<E: From<Error>>(
        &mut self,
        payload: &Payload<'_>,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let axes = self.axes;
        match payload {
            Payload::EventAdd(additions) => {
                for addition in additions.into_iter().map_while(Result::ok) {
                    let type_id = addition.type_id_text();
                    let event = cells![self.frame_cell(), "create", addition.id, Cell::Null, &*type_id];
                    self.row(Table::Events, event, addition.offset, sink)?;
                    for attribute in addition.attributes {
                        let type_name = self.attribute_base.and_then(|base| attribute.type_name(base));
                        let cells = cells![
                            addition.id,
                            &*attribute.id_text(),
                            &*attribute.value_text(),
                            type_name,
                            i64::from(attribute.type_number),
                        ];
                        self.row(Table::Attributes, cells, addition.offset, sink)?;
                    }
                }
            }
            Payload::EventDel(deletions) => {
                for gone in deletions {
                    let cells = cells![self.frame_cell(), "destroy", gone.id];
                    self.row(Table::Events, cells, at, sink)?;
                }
            }
            Payload::EventParent(parentings) => {
                for link in parentings {
                    let cells = cells![self.frame_cell(), "parent", link.child, link.parent];
                    self.row(Table::Events, cells, at, sink)?;
                }
            }
            Payload::Collision(collisions) => {
                for collision in collisions {
                    let episode = self.episodes.push(self.world.moment(), &collision);
                    let type_id = |id: u32| self.world.actors.get(&id).map(|a| a.type_id.as_str());
                    let cells = cells![
                        self.frame_cell(),
                        whole(episode as u64),
                        collision.sequence,
                        collision.actor1,
                        collision.actor2,
                        type_id(collision.actor1),
                        type_id(collision.actor2),
                        collision.hero1,
                        collision.hero2,
                    ];
                    self.row(Table::Collisions, cells, at, sink)?;
                }
            }
            Payload::State(states) => {
                for s in states {
                    let cells = cells![names::traffic_light(s.state), s.frozen, s.elapsed];
                    self.actor_row((Table::TrafficLights, s.id), cells, at, sink)?;
                }
            }
            Payload::AnimVehicle(controls) => {
                for c in controls {
                    let cells = cells![c.steer, c.throttle, c.brake, c.handbrake, i64::from(c.gear)];
                    self.actor_row((Table::Controls, c.id), cells, at, sink)?;
                }
            }
            Payload::AnimWalker(walkers) => {
                for w in walkers {
                    self.actor_row((Table::Walkers, w.id), cells![axes.length(w.speed.into())], at, sink)?;
                }
            }
            Payload::VehicleLight(lights) => {
                for l in lights {
                    self.actor_row((Table::Lights, l.id), light_cells(l), at, sink)?;
                }
            }
            Payload::SceneLight(lights) => {
                for l in lights {
                    let (light, group) = (i64::from(l.id), names::light_group(l.group));
                    let frame = self.frame_cell();
                    let cells =
                        cells![frame, light, l.intensity, l.red, l.green, l.blue, l.alpha, l.on, group];
                    self.row(Table::SceneLights, cells, at, sink)?;
                }
            }
            other => self.more_rows(other, at, sink)?,
        }
        Ok(())
    }

    /// Additional data, and what came with later releases.
    fn more_rows<E: From<Error>>(
        &mut self,
        payload: &Payload<'_>,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let axes = self.axes;
        match payload {
            Payload::BoundingBox(boxes) => {
                for b in boxes {
                    self.actor_row((Table::BoundingBoxes, b.id), self.box_cells(b), at, sink)?;
                }
            }
            Payload::TriggerVolume(boxes) => {
                for b in boxes {
                    self.actor_row((Table::TriggerVolumes, b.id), self.box_cells(b), at, sink)?;
                }
            }
            Payload::TrafficLightTime(times) => {
                for t in times {
                    let cells = cells![t.green, t.yellow, t.red];
                    self.actor_row((Table::TrafficLightTimes, t.id), cells, at, sink)?;
                }
            }
            Payload::AnimVehicleWheels(vehicles) => {
                for vehicle in *vehicles {
                    for w in vehicle.wheels {
                        let angle = |degrees: f32| axes.angle(degrees.into());
                        let cells = cells![i64::from(w.location), angle(w.steering), angle(w.rotation)];
                        self.actor_row((Table::Wheels, vehicle.id), cells, at, sink)?;
                    }
                }
            }
            Payload::AnimBiker(bikers) => {
                for b in bikers {
                    self.actor_row((Table::Bikers, b.id), cells![b.speed, b.engine_rotation], at, sink)?;
                }
            }
            Payload::VehicleDoor(doors) => {
                for d in doors {
                    self.actor_row((Table::Doors, d.id), cells![names::door(d.door), d.open], at, sink)?;
                }
            }
            Payload::WalkerBones(walkers) => {
                for walker in *walkers {
                    for bone in walker.bones {
                        let p = axes.location(bone.pose.location);
                        let [roll, pitch, yaw] = axes.euler(bone.pose.rotation);
                        let name = String::from_utf8_lossy(bone.name);
                        let cells = cells![&*name, p.x, p.y, p.z, roll, pitch, yaw];
                        self.actor_row((Table::Bones, walker.id), cells, at, sink)?;
                    }
                }
            }
            Payload::Weather(states) => {
                for w in states {
                    let numbers = names::weather(&w).map(|(_, value)| Cell::from(value));
                    let cells = [self.frame_cell()].into_iter().chain(numbers).collect();
                    self.row(Table::Weather, cells, at, sink)?;
                }
            }
            Payload::PhysicsControl(physics) => {
                for control in *physics {
                    if let PhysicsControl::Vehicle(vehicle) = control {
                        self.physics(&vehicle, at, sink)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn box_cells(&self, b: BoundingBox) -> Vec<Cell> {
        let (p, e) = (self.axes.location(b.origin), self.axes.extent(b.extent));
        cells![p.x, p.y, p.z, e.x, e.y, e.z]
    }

    fn physics<E: From<Error>>(
        &mut self,
        vehicle: &VehiclePhysics<'_>,
        at: u64,
        sink: Sink<'_, E>,
    ) -> Result<(), E> {
        let (id, axes, s) = (vehicle.id, self.axes, vehicle.scalars);
        // In metres already, like a velocity.
        let centre = [s.center_of_mass_x, s.center_of_mass_y, s.center_of_mass_z].map(f64::from);
        let centre = axes.velocity(centre.into());
        let cells = cells![
            s.max_rpm,
            s.moi,
            s.damping_rate_full_throttle,
            s.damping_rate_zero_throttle_clutch_engaged,
            s.damping_rate_zero_throttle_clutch_disengaged,
            s.use_gear_auto_box,
            s.clutch_strength,
            s.final_ratio,
            s.mass,
            s.drag_coefficient,
            centre.x,
            centre.y,
            centre.z,
        ];
        self.actor_row((Table::Physics, id), cells, at, sink)?;
        for (i, w) in vehicle.wheels.iter().enumerate() {
            let p = axes.location(Vector { x: w.x.into(), y: w.y.into(), z: w.z.into() });
            let cells = cells![
                whole(i as u64),
                w.tire_friction,
                w.damping_rate,
                axes.angle(w.max_steer_angle.into()),
                axes.length(w.radius.into()),
                w.max_brake_torque,
                w.max_handbrake_torque,
                p.x,
                p.y,
                p.z,
            ];
            self.actor_row((Table::PhysicsWheels, id), cells, at, sink)?;
        }
        for (i, gear) in vehicle.forward_gears.iter().enumerate() {
            let cells = cells![whole(i as u64), gear.ratio, gear.down_ratio, gear.up_ratio];
            self.actor_row((Table::PhysicsGears, id), cells, at, sink)?;
        }
        for (name, curve) in [("torque", vehicle.torque_curve), ("steering", vehicle.steering_curve)] {
            for CurvePoint { x, y } in curve {
                self.actor_row((Table::PhysicsCurves, id), cells![name, x, y], at, sink)?;
            }
        }
        Ok(())
    }
}

fn light_cells(lights: VehicleLights) -> Vec<Cell> {
    let bits = (0..11).map(|bit| Cell::Bool(lights.flags >> bit & 1 == 1));
    [Cell::from(lights.flags)].into_iter().chain(bits).collect()
}

/// A number that fits into 63 bits, as every real one does.
fn whole(n: u64) -> Cell {
    i64::try_from(n).map_or(Cell::Null, Cell::Int)
}
