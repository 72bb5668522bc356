//! Rows of tables.

use std::{borrow::Cow, sync::Arc};

use nalgebra::Vector3;
use robolog_core::{CellValue as _, Field, Result, Timestamp, Value, format::Wanted};

use super::{
    Decoder, Frame, known,
    tables::{Table, TableRow, rows},
};
use crate::{
    Actor, Axes, Payload, PhysicsControl, VehiclePhysics,
    layout::{
        Biker, BoundingBox, CurvePoint, Gear, Kinematics, TrafficLightState, TrafficLightTimes, Vector,
        VehicleControl, VehicleLights, Weather,
    },
    names,
};

impl Decoder {
    /// Delivers a row of a table of the recording itself.
    fn row<R: TableRow>(&mut self, row: R, at: u64, out: &mut Wanted<'_>) -> Result<()> {
        let time = self.frame.and_then(|f| f.time);
        self.deliver(self.own_channel(R::TABLE), self.number(), row, (time, at), out)
    }

    fn own_channel(&self, table: Table) -> Arc<str> {
        self.channels.get(table as usize).cloned().unwrap_or_else(|| table.name().into())
    }

    /// Delivers a row of an actor's table.
    fn actor_row<R: TableRow>(&mut self, id: u32, row: R, at: u64, out: &mut Wanted<'_>) -> Result<()> {
        let (time, number) = (self.frame.and_then(|f| f.time), self.number());
        let Self { actors, row: sample, fields, map, .. } = self;
        let names = known(actors, id).names(id, R::TABLE, map);
        let Some((names, fields)) = names.zip(fields.get(R::TABLE as usize)) else { return Ok(()) };
        // Counting references to the names would take as long as a cell.
        names.lend(sample, |sample| {
            (sample.time, sample.offset) = (time, at);
            fill(&mut sample.value, fields, (number, id), row);
            out.sample(sample)
        })
    }

    /// Passes the row to `out`. All rows share one sample, whose cells are reused if they are left.
    fn deliver<R: TableRow>(
        &mut self,
        channel: Arc<str>,
        number: Option<u64>,
        row: R,
        (time, offset): (Option<Timestamp>, u64),
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let (Some(fields), sample) = (self.fields.get(R::TABLE as usize), &mut self.row) else {
            return Ok(());
        };
        (sample.time, sample.offset, sample.channel) = (time, offset, channel);
        fill(&mut sample.value, fields, (number, 0), row);
        out.sample(sample)
    }

    pub(super) fn frame_row(&mut self, frame: &Frame, out: &mut Wanted<'_>) -> Result<()> {
        let start = frame.start;
        let row = rows::Frames {
            elapsed: start.elapsed,
            // The duration of the last frame is unknown: the file has -1.
            duration: Some(start.duration).filter(|d| *d >= 0.0),
            platform_time: frame.platform_time,
            visual_time: frame.visual_time,
        };
        let (number, place) = (Some(start.frame), (frame.time, frame.offset));
        self.deliver(self.own_channel(Table::Frames), number, row, place, out)
    }

    pub(super) fn kinematics_row(
        &mut self,
        kinematics: &Kinematics,
        before: Option<Vector3<f64>>,
        at: u64,
        out: &mut Wanted<'_>,
    ) -> Result<()> {
        let v = self.axes.velocity(kinematics.linear_velocity);
        let w = self.axes.angular_velocity(kinematics.angular_velocity);
        let acceleration = before
            .zip(self.frame)
            .zip(self.last)
            .and_then(|((u, frame), (_, then))| Axes::acceleration(u, v, frame.start.elapsed - then));
        let a = |i: usize| acceleration.and_then(|a| a.get(i).copied());
        let row = rows::Kinematics {
            vx: v.x,
            vy: v.y,
            vz: v.z,
            wx: w.x,
            wy: w.y,
            wz: w.z,
            ax: a(0),
            ay: a(1),
            az: a(2),
        };
        self.actor_row(kinematics.id, row, at, out)
    }

    pub(super) fn life_row(&mut self, actor: &Actor, out: &mut Wanted<'_>) -> Result<()> {
        let p = self.axes.location(actor.location);
        let [roll, pitch, yaw] = self.axes.euler(actor.rotation);
        let bounds =
            actor.bounding_box.as_ref().map(|b| (self.axes.location(b.origin), self.axes.extent(b.extent)));
        let (middle, extent) = bounds.unzip();
        let number = |v: Option<Vector3<f64>>, i: usize| v.and_then(|v| v.get(i).copied());
        let row = rows::Actors {
            actor: actor.id,
            kind: names::actor_kind(actor.kind),
            type_id: actor.type_id.clone(),
            role_name: actor.role_name().map(Cow::into_owned),
            hero: actor.is_hero(),
            parent: actor.parent,
            created_frame: whole(actor.created.frame),
            created: actor.created.elapsed,
            destroyed_frame: actor.destroyed.and_then(|m| whole(m.frame)),
            destroyed: actor.destroyed.map(|m| m.elapsed),
            description_uid: actor.description_uid,
            x: p.x,
            y: p.y,
            z: p.z,
            roll,
            pitch,
            yaw,
            box_x: number(middle, 0),
            box_y: number(middle, 1),
            box_z: number(middle, 2),
            extent_x: number(extent, 0),
            extent_y: number(extent, 1),
            extent_z: number(extent, 2),
        };
        let time = self.header.time(actor.created.elapsed);
        self.deliver(self.own_channel(Table::Actors), None, row, (time, 0), out)
    }

    /// All payloads other than poses, velocities and frames.
    pub(super) fn rows(&mut self, payload: &Payload<'_>, at: u64, out: &mut Wanted<'_>) -> Result<()> {
        let axes = self.axes;
        match payload {
            Payload::EventAdd(additions) => {
                for addition in additions.into_iter().map_while(Result::ok) {
                    self.introduce(&addition);
                    let type_id = Some(addition.type_id_text().into_owned());
                    let event = rows::Events { event: "create", actor: addition.id, parent: None, type_id };
                    self.row(event, addition.offset, out)?;
                    for attribute in addition.attributes {
                        let row = rows::Attributes {
                            actor: addition.id,
                            attribute: attribute.id_text().into_owned(),
                            value: attribute.value_text().into_owned(),
                            type_name: self
                                .learned
                                .dialect
                                .attribute_base
                                .and_then(|base| attribute.type_name(base)),
                            type_number: attribute.type_number,
                        };
                        self.row(row, addition.offset, out)?;
                    }
                }
            }
            Payload::EventDel(deletions) => {
                for gone in deletions {
                    let row = rows::Events { event: "destroy", actor: gone.id, parent: None, type_id: None };
                    self.row(row, at, out)?;
                }
            }
            Payload::EventParent(parentings) => {
                for link in parentings {
                    let (actor, parent) = (link.child, Some(link.parent));
                    self.row(rows::Events { event: "parent", actor, parent, type_id: None }, at, out)?;
                }
            }
            Payload::Collision(collisions) => {
                for collision in collisions {
                    let episode = self.episodes.push(self.world.moment(), &collision);
                    let type_id = |id: u32| self.world.actors.get(&id).map(|a| a.type_id.clone());
                    let row = rows::Collisions {
                        episode: whole(episode as u64),
                        sequence: collision.sequence,
                        actor1: collision.actor1,
                        actor2: collision.actor2,
                        type_id1: type_id(collision.actor1),
                        type_id2: type_id(collision.actor2),
                        hero1: collision.hero1,
                        hero2: collision.hero2,
                    };
                    self.row(row, at, out)?;
                }
            }
            Payload::State(states) => {
                for s in states {
                    let TrafficLightState { frozen, elapsed, .. } = s;
                    let state = names::traffic_light(s.state);
                    self.actor_row(s.id, rows::TrafficLights { state, frozen, elapsed }, at, out)?;
                }
            }
            Payload::AnimVehicle(controls) => {
                for VehicleControl { id, steer, throttle, brake, handbrake, gear } in controls {
                    let row = rows::Controls { steer, throttle, brake, handbrake, gear };
                    self.actor_row(id, row, at, out)?;
                }
            }
            Payload::AnimWalker(walkers) => {
                for w in walkers {
                    let speed = axes.length(w.speed.into());
                    self.actor_row(w.id, rows::Walkers { speed }, at, out)?;
                }
            }
            Payload::VehicleLight(lights) => {
                for l in lights {
                    self.actor_row(l.id, lamps(l), at, out)?;
                }
            }
            Payload::SceneLight(lights) => {
                for l in lights {
                    let row = rows::SceneLights {
                        light: l.id,
                        intensity: l.intensity,
                        red: l.red,
                        green: l.green,
                        blue: l.blue,
                        alpha: l.alpha,
                        on: l.on,
                        group: names::light_group(l.group),
                    };
                    self.row(row, at, out)?;
                }
            }
            other => self.more_rows(other, at, out)?,
        }
        Ok(())
    }

    /// Additional data, and packets of later releases.
    fn more_rows(&mut self, payload: &Payload<'_>, at: u64, out: &mut Wanted<'_>) -> Result<()> {
        let axes = self.axes;
        match payload {
            Payload::BoundingBox(boxes) => {
                for b in boxes {
                    let [x, y, z, extent_x, extent_y, extent_z] = self.bounds(b);
                    let row = rows::BoundingBoxes { x, y, z, extent_x, extent_y, extent_z };
                    self.actor_row(b.id, row, at, out)?;
                }
            }
            Payload::TriggerVolume(boxes) => {
                for b in boxes {
                    let [x, y, z, extent_x, extent_y, extent_z] = self.bounds(b);
                    let row = rows::TriggerVolumes { x, y, z, extent_x, extent_y, extent_z };
                    self.actor_row(b.id, row, at, out)?;
                }
            }
            Payload::TrafficLightTime(times) => {
                for TrafficLightTimes { id, green, yellow, red } in times {
                    self.actor_row(id, rows::TrafficLightTimes { green, yellow, red }, at, out)?;
                }
            }
            Payload::AnimVehicleWheels(vehicles) => {
                for vehicle in *vehicles {
                    for w in vehicle.wheels {
                        let angle = |degrees: f32| axes.angle(degrees.into());
                        let (steering, rotation) = (angle(w.steering), angle(w.rotation));
                        let row = rows::Wheels { wheel: w.location, steering, rotation };
                        self.actor_row(vehicle.id, row, at, out)?;
                    }
                }
            }
            Payload::AnimBiker(bikers) => {
                for Biker { id, speed, engine_rotation } in bikers {
                    self.actor_row(id, rows::Bikers { speed, engine_rotation }, at, out)?;
                }
            }
            Payload::VehicleDoor(doors) => {
                for d in doors {
                    let row = rows::Doors { door: names::door(d.door), open: d.open };
                    self.actor_row(d.id, row, at, out)?;
                }
            }
            Payload::WalkerBones(walkers) => {
                for walker in *walkers {
                    for bone in walker.bones {
                        let p = axes.location(bone.pose.location);
                        let [roll, pitch, yaw] = axes.euler(bone.pose.rotation);
                        let bone = String::from_utf8_lossy(bone.name).into_owned();
                        let row = rows::Bones { bone, x: p.x, y: p.y, z: p.z, roll, pitch, yaw };
                        self.actor_row(walker.id, row, at, out)?;
                    }
                }
            }
            Payload::Weather(states) => {
                for w in states {
                    self.row(weather(w), at, out)?;
                }
            }
            Payload::PhysicsControl(physics) => {
                for control in *physics {
                    if let PhysicsControl::Vehicle(vehicle) = control {
                        self.physics(&vehicle, at, out)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The middle and half the size.
    fn bounds(&self, b: BoundingBox) -> [f64; 6] {
        let (p, e) = (self.axes.location(b.origin), self.axes.extent(b.extent));
        [p.x, p.y, p.z, e.x, e.y, e.z]
    }

    fn physics(&mut self, vehicle: &VehiclePhysics<'_>, at: u64, out: &mut Wanted<'_>) -> Result<()> {
        let (id, axes, s) = (vehicle.id, self.axes, vehicle.scalars);
        // Already in metres, like a velocity.
        let centre = [s.center_of_mass_x, s.center_of_mass_y, s.center_of_mass_z].map(f64::from);
        let centre = axes.velocity(centre.into());
        let row = rows::Physics {
            max_rpm: s.max_rpm,
            moi: s.moi,
            damping_rate_full_throttle: s.damping_rate_full_throttle,
            damping_rate_zero_throttle_clutch_engaged: s.damping_rate_zero_throttle_clutch_engaged,
            damping_rate_zero_throttle_clutch_disengaged: s.damping_rate_zero_throttle_clutch_disengaged,
            use_gear_auto_box: s.use_gear_auto_box,
            clutch_strength: s.clutch_strength,
            final_ratio: s.final_ratio,
            mass: s.mass,
            drag_coefficient: s.drag_coefficient,
            center_of_mass_x: centre.x,
            center_of_mass_y: centre.y,
            center_of_mass_z: centre.z,
        };
        self.actor_row(id, row, at, out)?;
        for (i, w) in vehicle.wheels.iter().enumerate() {
            let p = axes.location(Vector { x: w.x.into(), y: w.y.into(), z: w.z.into() });
            let row = rows::PhysicsWheels {
                wheel: whole(i as u64),
                tire_friction: w.tire_friction,
                damping_rate: w.damping_rate,
                max_steer_angle: axes.angle(w.max_steer_angle.into()),
                radius: axes.length(w.radius.into()),
                max_brake_torque: w.max_brake_torque,
                max_handbrake_torque: w.max_handbrake_torque,
                x: p.x,
                y: p.y,
                z: p.z,
            };
            self.actor_row(id, row, at, out)?;
        }
        for (i, gear) in vehicle.forward_gears.iter().enumerate() {
            let Gear { ratio, down_ratio, up_ratio } = gear;
            let row = rows::PhysicsGears { gear: whole(i as u64), ratio, down_ratio, up_ratio };
            self.actor_row(id, row, at, out)?;
        }
        for (name, curve) in [("torque", vehicle.torque_curve), ("steering", vehicle.steering_curve)] {
            for CurvePoint { x, y } in curve {
                self.actor_row(id, rows::PhysicsCurves { curve: name, x, y }, at, out)?;
            }
        }
        Ok(())
    }
}

/// Makes the value this row, in the same memory if it is one. Frame number and actor are the head of tables that have one.
fn fill<R: TableRow>(value: &mut Value, fields: &Arc<[Field]>, (number, actor): (Option<u64>, u32), row: R) {
    let Some((head, own)) = value.row_cells(fields).split_at_mut_checked(R::TABLE.head() as usize) else {
        return;
    };
    if let Some(cell) = head.first_mut() {
        number.and_then(whole).put(cell);
    }
    if let Some(cell) = head.get_mut(1) {
        actor.put(cell);
    }
    row.put_cells(own);
}

fn lamps(VehicleLights { flags, .. }: VehicleLights) -> rows::Lights {
    let is_lit = |bit: u32| flags >> bit & 1 == 1;
    rows::Lights {
        flags,
        position: is_lit(0),
        low_beam: is_lit(1),
        high_beam: is_lit(2),
        brake: is_lit(3),
        right_blinker: is_lit(4),
        left_blinker: is_lit(5),
        reverse: is_lit(6),
        fog: is_lit(7),
        interior: is_lit(8),
        special1: is_lit(9),
        special2: is_lit(10),
    }
}

fn weather(w: Weather) -> rows::Weather {
    rows::Weather {
        cloudiness: w.cloudiness,
        precipitation: w.precipitation,
        precipitation_deposits: w.precipitation_deposits,
        wind_intensity: w.wind_intensity,
        sun_azimuth_angle: w.sun_azimuth_angle,
        sun_altitude_angle: w.sun_altitude_angle,
        fog_density: w.fog_density,
        fog_distance: w.fog_distance,
        fog_falloff: w.fog_falloff,
        wetness: w.wetness,
        scattering_intensity: w.scattering_intensity,
        mie_scattering_scale: w.mie_scattering_scale,
        rayleigh_scattering_scale: w.rayleigh_scattering_scale,
        dust_storm: w.dust_storm,
    }
}

/// A number that fits into 63 bits, as all real ones do.
fn whole(n: u64) -> Option<i64> {
    i64::try_from(n).ok()
}
