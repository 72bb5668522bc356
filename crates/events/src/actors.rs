//! What a simulator says of its actors: who they are, and how large.

use nalgebra::{Rotation3, Vector2, Vector3};
use robolog_core::Row;

use crate::{
    bodies::Placed,
    names::{Names, at},
    rectangle::Rectangle,
    rows::{integer, number, text},
};

/// The actors of a simulation, by the numbers of their bodies.
#[derive(Debug, Default)]
pub(crate) struct Actors {
    known: Vec<Option<Actor>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Actor {
    pub(crate) type_id: String,
    pub(crate) parent: Option<usize>,
    pub(crate) is_walker: bool,
    size: Option<Size>,
    pub(crate) is_measured: bool,
}

/// A box in the actor's own axes, metres.
#[derive(Debug, Clone, Copy)]
struct Size {
    centre: Vector3<f64>,
    half: Vector3<f64>,
}

impl Actors {
    /// The actor with the body of this number.
    pub(crate) fn get(&self, body: usize) -> Option<&Actor> {
        self.known.get(body)?.as_ref()
    }

    /// Learns from a row of events: what creates an actor comes before its poses; the table of actors comes when their
    /// lives are known. Returns the body's number.
    pub(crate) fn introduce(&mut self, row: &Row, names: &mut Names) -> Option<usize> {
        let (id, event) = (integer(row, "actor")?, text(row, "event")?);
        let body = names.of(&name(id))?;
        let known = at(&mut self.known, body);
        match event {
            "create" => {
                let type_id = text(row, "type_id").unwrap_or_default();
                // Traffic lights and signs have boxes, too, that overlap theirs.
                if ["vehicle.", "walker."].iter().any(|start| type_id.starts_with(start)) {
                    *known = Some(Actor::of(type_id));
                }
            }
            "parent" => {
                let parent = integer(row, "parent").and_then(|id| names.of(&name(id)));
                if let Some(actor) = known {
                    actor.parent = parent;
                }
            }
            "destroy" => *known = None,
            _ => {}
        }
        Some(body)
    }

    /// Learns the box of an actor. Returns the body's number.
    pub(crate) fn measure(&mut self, row: &Row, names: &mut Names) -> Option<usize> {
        let vector = |names: [&str; 3]| {
            let [x, y, z] = names.map(|name| number(row, name));
            Some(Vector3::new(x?, y?, z?))
        };
        let body = names.of(&name(integer(row, "actor")?))?;
        let (centre, half) = (vector(["x", "y", "z"])?, vector(["extent_x", "extent_y", "extent_z"])?);
        if half.x > 0.0
            && half.y > 0.0
            && let Some(Some(actor)) = self.known.get_mut(body)
        {
            actor.size = Some(Size { centre, half });
            actor.is_measured = true;
        }
        Some(body)
    }
}

impl Actor {
    fn of(type_id: &str) -> Self {
        Self {
            type_id: type_id.to_owned(),
            is_walker: type_id.starts_with("walker."),
            size: by_blueprint(type_id),
            ..Self::default()
        }
    }

    /// Its outline at this pose, and the height of the middle of its box.
    pub(crate) fn outline(&self, placed: &Placed) -> Option<(Rectangle, f64)> {
        let size = self.size?;
        // In plan: a nod of the body does not move its outline.
        let centre = placed.position + Rotation3::from_euler_angles(0.0, 0.0, placed.yaw) * size.centre;
        Some((Rectangle::new(centre.xy(), Vector2::new(size.half.x, size.half.y), placed.yaw), centre.z))
    }
}

/// The frame of an actor.
pub(crate) fn name(id: i64) -> String {
    format!("actor_{id}")
}

/// Half of length, width and height of the simulator's blueprints, as its own bounding boxes are, in metres.
const BLUEPRINTS: [(&str, [f64; 3]); 35] = [
    ("vehicle.audi.a2", [1.853, 0.894, 0.773]),
    ("vehicle.audi.etron", [2.428, 1.016, 0.824]),
    ("vehicle.audi.tt", [2.091, 0.997, 0.692]),
    ("vehicle.bh.crossbike", [0.744, 0.430, 0.888]),
    ("vehicle.bmw.grandtourer", [2.306, 1.121, 0.833]),
    ("vehicle.carlamotors.carlacola", [2.602, 1.307, 1.234]),
    ("vehicle.carlamotors.firetruck", [4.234, 1.446, 1.901]),
    ("vehicle.chevrolet.impala", [2.679, 1.017, 0.705]),
    ("vehicle.citroen.c3", [1.994, 0.925, 0.812]),
    ("vehicle.diamondback.century", [0.821, 0.186, 0.810]),
    ("vehicle.dodge.charger_2020", [2.503, 1.048, 0.768]),
    ("vehicle.dodge.charger_police", [2.487, 1.062, 0.771]),
    ("vehicle.dodge.charger_police_2020", [2.619, 1.037, 0.820]),
    ("vehicle.ford.ambulance", [3.183, 1.176, 1.216]),
    ("vehicle.ford.crown", [2.683, 0.900, 0.787]),
    ("vehicle.ford.mustang", [2.359, 0.947, 0.650]),
    ("vehicle.gazelle.omafiets", [0.921, 0.333, 0.886]),
    ("vehicle.harley-davidson.low_rider", [1.178, 0.382, 0.766]),
    ("vehicle.jeep.wrangler_rubicon", [1.933, 0.953, 0.939]),
    ("vehicle.kawasaki.ninja", [1.017, 0.398, 0.727]),
    ("vehicle.lincoln.mkz", [2.446, 1.092, 0.745]),
    ("vehicle.lincoln.mkz2017", [2.452, 1.030, 0.739]),
    ("vehicle.mercedes", [2.513, 1.076, 0.825]),
    ("vehicle.micro.microlino", [1.103, 0.741, 0.691]),
    ("vehicle.mini.cooper", [2.276, 1.048, 0.886]),
    ("vehicle.mini.cooperst", [1.903, 0.985, 0.737]),
    ("vehicle.nissan.micra", [1.817, 0.923, 0.751]),
    ("vehicle.nissan.patrol", [2.302, 0.966, 0.927]),
    ("vehicle.seat.leon", [2.096, 0.908, 0.737]),
    ("vehicle.tesla.cybertruck", [3.137, 1.195, 1.049]),
    ("vehicle.tesla.model3", [2.396, 1.082, 0.744]),
    ("vehicle.toyota.prius", [2.257, 1.003, 0.762]),
    ("vehicle.vespa.zx125", [0.902, 0.434, 0.790]),
    ("vehicle.volkswagen.t2", [2.240, 1.035, 1.019]),
    ("vehicle.yamaha.yzf", [1.105, 0.434, 0.766]),
];

/// The box of a blueprint, or of the one whose name begins like it; of a walker.
fn by_blueprint(type_id: &str) -> Option<Size> {
    let half = if type_id.starts_with("walker.") {
        Some([0.188, 0.188, 0.93])
    } else {
        let exact = BLUEPRINTS.iter().find(|(name, _)| *name == type_id);
        let like =
            || BLUEPRINTS.iter().filter(|(name, _)| type_id.starts_with(name)).max_by_key(|(n, _)| n.len());
        exact.or_else(like).map(|(_, half)| *half)
    }?;
    let half = Vector3::from(half);
    Some(Size { centre: Vector3::new(0.0, 0.0, half.z), half })
}

#[test]
fn a_blueprint_has_the_box_of_the_longest_name_that_begins_it() {
    let length = |type_id| by_blueprint(type_id).map(|size| size.half.x);
    assert_eq!(length("vehicle.dodge.charger_police_2020"), Some(2.619));
    assert_eq!(length("vehicle.mini.cooper_s_2021"), Some(2.276));
    assert_eq!((length("walker.pedestrian.0004"), length("sensor.camera.rgb")), (Some(0.188), None));
}
