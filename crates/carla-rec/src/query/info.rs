//! `show_recorder_file_info`.

use std::io::{Read, Write};

use robolog_core::Result;

use super::{Driver, OnDamage, Options, Wording, number::Text};
use crate::{
    Addition, Payload, Physics, PhysicsControl, Record, StreamReader, VehiclePhysics, Walkers,
    layout::{BoundingBox, Collision, Door, FrameStart, SceneLight, Vector, VehicleControl, VehicleLights},
    learned::Learned,
    names,
    rows::Rows,
};

/// Writes events, and with [`Options::all`] everything, in file order.
///
/// ```
/// use carla_rec::query::{self, Options};
/// let mut reader = carla_rec::open("examples/v0_9_15.log")?;
/// let mut text = Vec::new();
/// query::info(&mut reader, Options::default(), &mut text, &mut |error, _| eprintln!("{error}"))?;
/// assert!(String::from_utf8_lossy(&text).contains("Create 25: vehicle.tesla.model3"));
/// # Ok::<(), carla_rec::Error>(())
/// ```
pub fn info<R: Read>(
    reader: &mut StreamReader<R>,
    options: Options,
    out: impl Write,
    on_damage: OnDamage<'_>,
) -> Result<()> {
    let learned = Learned::new(reader.header().dialect);
    let mut driver = Driver::new(reader, out, options);
    let mut printer = Printer { options, is_frame_told: false, ended: false, learned };
    driver.run(on_damage, |record, frame, text| printer.packet(record, frame, text))?;
    if printer.ended && printer.ends_frames() {
        // The server handles the last packet twice.
        driver.text.str("\n");
    }
    driver.finish(false)
}

struct Printer {
    options: Options,
    is_frame_told: bool,
    /// Whether the last packet ended a frame.
    ended: bool,
    learned: Learned,
}

impl Printer {
    /// Whether a frame ends with a blank line.
    fn ends_frames(&self) -> bool {
        self.options.wording >= Wording::V0_9_15
    }

    fn packet(&mut self, record: &Record<'_>, frame: FrameStart, text: &mut Text) -> Result<()> {
        let id = record.id();
        self.ended = id == 1;
        match id {
            0 => self.is_frame_told = false,
            1 if self.ends_frames() => {
                text.str("\n");
            }
            _ => {}
        }
        if id == 0 && self.options.all {
            self.tell_frame(frame, text);
        }
        if self.prints(id) {
            let payload = self.learned.decode(record)?;
            self.payload(&payload, frame, text)?;
        } else {
            self.learned.observe(record);
        }
        self.learned.fault().map_or(Ok(()), |fault| Err(fault.error()))
    }

    /// Whether the packet is printed. Weather is one of 21 to 24, and an event.
    fn prints(&self, id: u8) -> bool {
        match id {
            2..=5 | 21..=24 => true,
            6..=17 | 19 => self.options.all,
            _ => false,
        }
    }

    fn tell_frame(&mut self, frame: FrameStart, text: &mut Text) {
        if !self.is_frame_told {
            text.str("Frame ").int(frame.frame).str(" at ").number(frame.elapsed).str(" seconds\n");
            self.is_frame_told = true;
        }
    }

    /// Prints the number of records, after a label if there is one.
    fn count(&mut self, label: &str, count: usize, frame: FrameStart, text: &mut Text) {
        if count > 0 {
            self.tell_frame(frame, text);
        }
        if !label.is_empty() {
            text.str(" ").str(label).str(": ").int(count as u64).str("\n");
        }
    }

    fn payload(&mut self, payload: &Payload<'_>, frame: FrameStart, text: &mut Text) -> Result<()> {
        match payload {
            Payload::EventAdd(additions) => {
                self.count("", additions.len(), frame, text);
                for addition in *additions {
                    create(&addition?, text);
                }
            }
            Payload::EventDel(rows) => {
                self.count("", rows.len(), frame, text);
                for gone in rows {
                    text.str(" Destroy ").int(gone.id).str("\n");
                }
            }
            Payload::EventParent(rows) => {
                self.count("", rows.len(), frame, text);
                for link in rows {
                    text.str(" Parenting ").int(link.child).str(" with ").int(link.parent).str(" (parent)\n");
                }
            }
            Payload::Collision(rows) => {
                self.count("", rows.len(), frame, text);
                rows.iter().for_each(|c| collision(&c, text));
            }
            Payload::Position(rows) => {
                self.count("Positions", rows.len(), frame, text);
                let (location, rotation) = match self.options.wording {
                    Wording::V0_9_6 => (" Location (", ") Rotation ("),
                    Wording::V0_9_10 | Wording::V0_9_14 => (" Location: (", ") Rotation ("),
                    Wording::V0_9_15 | Wording::V0_9_16 => (" Location: (", ") Rotation: ("),
                };
                for p in rows {
                    three(text.str("  Id: ").int(p.id).str(location), p.location);
                    three(text.str(rotation), p.rotation.to_array().into()).str(")\n");
                }
            }
            other => self.state(other, frame, text),
        }
        Ok(())
    }

    /// Prints what only [`Options::all`] includes.
    fn state(&mut self, payload: &Payload<'_>, frame: FrameStart, text: &mut Text) {
        match payload {
            Payload::State(rows) => {
                self.count("State traffic lights", rows.len(), frame, text);
                for light in rows {
                    text.str("  Id: ")
                        .int(light.id)
                        .str(" state: ")
                        .escaped(&[b'0'.wrapping_add(light.state)]);
                    text.str(" frozen: ")
                        .bool(light.frozen)
                        .str(" elapsedTime: ")
                        .float(light.elapsed)
                        .str("\n");
                }
            }
            Payload::AnimVehicle(rows) => {
                self.count("Vehicle animations", rows.len(), frame, text);
                rows.iter().for_each(|c| self.control(&c, text));
            }
            Payload::AnimWalker(rows) => {
                self.count("Walker animations", rows.len(), frame, text);
                let (before, after) = match self.options.wording {
                    Wording::V0_9_6 => ("  Walker id ", ": speed "),
                    _ => ("  Id: ", " speed: "),
                };
                for walker in rows {
                    text.str(before).int(walker.id).str(after).float(walker.speed).str("\n");
                }
            }
            Payload::VehicleLight(rows) => {
                self.count("Vehicle light animations", rows.len(), frame, text);
                rows.iter().for_each(|l| lamps(l, text));
            }
            Payload::SceneLight(rows) => {
                self.count("Scene light changes", rows.len(), frame, text);
                rows.iter().for_each(|l| scene_light(&l, text));
            }
            Payload::Kinematics(rows) => {
                self.count("Dynamic actors", rows.len(), frame, text);
                for k in rows {
                    three(text.str("  Id: ").int(k.id).str(" linear_velocity: ("), k.linear_velocity);
                    three(text.str(") angular_velocity: ("), k.angular_velocity).str(")\n");
                }
            }
            Payload::BoundingBox(rows) => {
                self.count("Actor bounding boxes", rows.len(), frame, text);
                rows.iter().for_each(|b| bounds(&b, text));
            }
            Payload::TriggerVolume(rows) => {
                self.count("Actor trigger volumes", rows.len(), frame, text);
                rows.iter().for_each(|b| bounds(&b, text));
            }
            Payload::PlatformTime(seconds) => {
                self.tell_frame(frame, text);
                text.str(" Current platform time: ").number(*seconds).str("\n");
            }
            Payload::PhysicsControl(physics) => self.physics(*physics, frame, text),
            Payload::TrafficLightTime(rows) => {
                self.count("Traffic Light time events", rows.len(), frame, text);
                for t in rows {
                    text.str("  Id: ").int(t.id).str(" green_time: ").float(t.green);
                    text.str(" yellow_time: ").float(t.yellow).str(" red_time: ").float(t.red).str("\n");
                }
            }
            Payload::WalkerBones(walkers) => self.bones(*walkers, frame, text),
            Payload::VehicleDoor(rows) if self.options.all => self.doors(rows, frame, text),
            Payload::Weather(rows) => {
                self.count("Weathers", rows.len(), frame, text);
                for weather in rows {
                    text.str(" ");
                    for (name, value) in names::weather(&weather) {
                        text.str(" ").str(name).str(": ").float(value);
                    }
                    text.str("\n");
                }
            }
            _ => {}
        }
    }

    fn control(&self, c: &VehicleControl, text: &mut Text) {
        let labels = match self.options.wording {
            Wording::V0_9_6 => {
                ["  Vehicle id ", ": Steering ", " Throttle ", " Brake ", " Handbrake ", " Gear "]
            }
            Wording::V0_9_10 | Wording::V0_9_14 => {
                ["  Id: ", " Steering: ", " Throttle: ", " Brake ", " Handbrake: ", " Gear: "]
            }
            Wording::V0_9_15 | Wording::V0_9_16 => {
                ["  Id: ", " Steering: ", " Throttle: ", " Brake: ", " Handbrake: ", " Gear: "]
            }
        };
        let [id, steering, throttle, brake, handbrake, gear] = labels;
        text.str(id).int(c.id).str(steering).float(c.steer).str(throttle).float(c.throttle);
        text.str(brake).float(c.brake).str(handbrake).bool(c.handbrake).str(gear).int(c.gear).str("\n");
    }

    fn doors(&mut self, rows: &Rows<'_, Door>, frame: FrameStart, text: &mut Text) {
        let count = rows.len();
        // Before there were doors there was no line without them: ScenarioRunner fails on it.
        if count == 0 && self.options.wording < Wording::V0_9_16 {
            return;
        }
        self.count("Vehicle door animations", count, frame, text);
        for door in rows {
            // CARLA does not print whether it is open; after an unknown door the line does not end.
            let name = DOORS.get(usize::from(door.door)).copied().unwrap_or_default();
            text.str("  Id: ").int(door.id).str("\n  Doors opened: ").str(name);
        }
    }

    fn bones(&mut self, walkers: Walkers<'_>, frame: FrameStart, text: &mut Text) {
        self.count("Walkers Bones", walkers.len(), frame, text);
        for walker in walkers {
            text.str("  Id: ").int(walker.id).str("\n");
            for bone in walker.bones {
                text.str("     Bone: \"").escaped(bone.name);
                three(text.str("\" relative: Loc("), bone.pose.location);
                three(text.str(") Rot("), bone.pose.rotation.to_array().into()).str(")\n");
            }
        }
        if self.options.wording < Wording::V0_9_16 {
            text.str("\n");
        }
    }

    fn physics(&mut self, physics: Physics<'_>, frame: FrameStart, text: &mut Text) {
        self.count("Physics Control events", physics.len(), frame, text);
        for control in physics {
            if let PhysicsControl::Vehicle(vehicle) = control {
                vehicle_physics(&vehicle, text);
            }
        }
    }
}

const DOORS: [&str; 7] = [
    " Front Left \n",
    " Front Right \n",
    " Rear Left \n",
    " Rear Right \n",
    " Hood \n",
    " Trunk \n",
    " All \n",
];

/// Three numbers separated by commas.
fn three(text: &mut Text, v: Vector) -> &mut Text {
    text.number(v.x).str(", ").number(v.y).str(", ").number(v.z)
}

fn create(addition: &Addition<'_>, text: &mut Text) {
    text.str(" Create ").int(addition.id).str(": ").escaped(addition.type_id);
    three(text.str(" (").int(addition.kind.0).str(") at ("), addition.location).str(")\n");
    for attribute in addition.attributes {
        text.str("  ").escaped(attribute.id).str(" = ").escaped(attribute.value).str("\n");
    }
}

fn collision(c: &Collision, text: &mut Text) {
    let hero = |is_hero| if is_hero { " (hero) " } else { "" };
    text.str(" Collision id ").int(c.sequence).str(" between ").int(c.actor1).str(hero(c.hero1));
    text.str(" with ").int(c.actor2).str(hero(c.hero2)).str("\n");
}

fn lamps(lights: VehicleLights, text: &mut Text) {
    // Interior comes before fog.
    const LAMPS: [(u32, &str); 11] = [
        (0, " Position"),
        (1, " LowBeam"),
        (2, " HighBeam"),
        (3, " Brake"),
        (4, " RightBlinker"),
        (5, " LeftBlinker"),
        (6, " Reverse"),
        (8, " Interior"),
        (7, " Fog"),
        (9, " Special1"),
        (10, " Special2"),
    ];
    text.str("  Id: ").int(lights.id);
    let before = text.bytes.len();
    for (_, name) in LAMPS.iter().filter(|(bit, _)| lights.flags >> bit & 1 == 1) {
        text.str(name);
    }
    if text.bytes.len() == before {
        text.str(" None");
    }
    text.str("\n");
}

fn scene_light(light: &SceneLight, text: &mut Text) {
    text.str("  Id: ").int(light.id).str(" enabled: ").str(if light.on { "True" } else { "False" });
    text.str(" intensity: ").float(light.intensity).str(" RGB_color: (").float(light.red);
    text.str(", ").float(light.green).str(", ").float(light.blue).str(")\n");
}

fn bounds(bounds: &BoundingBox, text: &mut Text) {
    three(text.str("  Id: ").int(bounds.id).str(" origin: ("), bounds.origin);
    three(text.str(") extension: ("), bounds.extent).str(")\n");
}

fn vehicle_physics(vehicle: &VehiclePhysics<'_>, text: &mut Text) {
    let s = vehicle.scalars;
    text.str("  Id: ").int(vehicle.id);
    let before = [
        ("max_rpm", s.max_rpm),
        ("MOI", s.moi),
        ("damping_rate_full_throttle", s.damping_rate_full_throttle),
        ("damping_rate_zero_throttle_clutch_engaged", s.damping_rate_zero_throttle_clutch_engaged),
        ("damping_rate_zero_throttle_clutch_disengaged", s.damping_rate_zero_throttle_clutch_disengaged),
    ];
    // The file does not hold the switch time: the server prints its default.
    let after = [
        ("gear_switch_time", 0.5),
        ("clutch_strength", s.clutch_strength),
        ("final_ratio", s.final_ratio),
        ("mass", s.mass),
        ("drag_coefficient", s.drag_coefficient),
    ];
    let scalar = |text: &mut Text, (name, value): (&str, f32)| {
        text.str("\n   ").str(name).str(" = ").float(value);
    };
    for line in before {
        scalar(text, line);
    }
    text.str("\n   use_gear_auto_box = ").str(if s.use_gear_auto_box { "true" } else { "false" });
    for line in after {
        scalar(text, line);
    }
    let centre = [s.center_of_mass_x, s.center_of_mass_y, s.center_of_mass_z].map(f64::from);
    three(text.str("\n   center_of_mass = ("), centre.into()).str(")");
    for (name, curve) in [("torque", vehicle.torque_curve), ("steering", vehicle.steering_curve)] {
        text.str("\n   ").str(name).str("_curve =");
        for point in curve {
            text.str(" (").float(point.x).str(", ").float(point.y).str(")");
        }
    }
    text.str("\n   forward_gears:\n");
    for (i, gear) in (0_u64..).zip(vehicle.forward_gears) {
        text.str("    gear ").int(i).str(": ratio ").float(gear.ratio);
        text.str(" down_ratio ").float(gear.down_ratio).str(" up_ratio ").float(gear.up_ratio).str("\n");
    }
    text.str("   wheels:\n");
    for (i, w) in (0_u64..).zip(vehicle.wheels.iter()) {
        text.str("    wheel ").int(i).str(": tire_friction ").float(w.tire_friction);
        text.str(" damping_rate ").float(w.damping_rate).str(" max_steer_angle ").float(w.max_steer_angle);
        text.str(" radius ").float(w.radius).str(" max_brake_torque ").float(w.max_brake_torque);
        text.str(" max_handbrake_torque ").float(w.max_handbrake_torque);
        let place = [w.x, w.y, w.z].map(f64::from);
        three(text.str(" position ("), place.into()).str(")\n");
    }
}
