//! Recordings of the CARLA simulator.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::SystemTime};

use carla_rec::{
    ActorKind, Clock, Header, NewActor, Recorder, Release, Timestamp,
    layout::{
        Collision, Deletion, Kinematics, Position, Rotation, TrafficLightState, Vector, VehicleControl,
        VehicleLights, WalkerSpeed,
    },
};
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{Closing, Out, Output};
use crate::{array, limit::unix};

/// Writes a recording that the simulator can replay: in its axes, metres and degrees.
#[pyclass(frozen, extends = Closing, module = "pyrobolog")]
pub(crate) struct CarlaRecorder {
    out: Arc<Out<Recorder<Output>>>,
}

/// Three numbers for each actor.
type ActorVectors = Vec<(u32, [f64; 3])>;

#[pymethods]
impl CarlaRecorder {
    /// Begins a recording on a map, in the format of a release of the simulator. `date` is now by default.
    #[new]
    #[pyo3(signature = (path, map, *, release="0.9.15", date=None, force=false))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        map: &str,
        release: &str,
        date: Option<&Bound<'_, PyAny>>,
        force: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let chosen: Release =
            release.parse().map_err(|e| PyValueError::new_err(format!("release={release:?}: {e}")))?;
        let date = match date {
            None => Timestamp::from_system_time(SystemTime::now()),
            Some(date) => match unix(date)? {
                Some(nanos) => Some(Timestamp::new(nanos, Clock::Unix)),
                None => Timestamp::from_secs(date.extract()?, Clock::Unix),
            },
        };
        let date = date.ok_or_else(|| PyValueError::new_err("date: out of range"))?;
        let header = Header::new(map, date, chosen);
        let (out, base) = Out::create(py, path, force, |out| Recorder::new(out, &header), Recorder::finish)?;
        Ok(base.add_subclass(Self { out }))
    }

    /// Begins a frame, `elapsed` seconds after the start.
    fn begin_frame(&self, py: Python<'_>, elapsed: f64) -> PyResult<()> {
        self.out.write(py, |out| out.begin_frame(elapsed))
    }

    /// Adds an actor: vehicle, walker, traffic_light, traffic_sign, sensor or other.
    #[pyo3(signature = (actor, kind, type_id, *, attributes=None))]
    fn add(
        &self,
        py: Python<'_>,
        actor: u32,
        kind: &str,
        type_id: &str,
        attributes: Option<BTreeMap<String, String>>,
    ) -> PyResult<()> {
        let kind = match kind {
            "other" => ActorKind::OTHER,
            "vehicle" => ActorKind::VEHICLE,
            "walker" => ActorKind::WALKER,
            "traffic_light" => ActorKind::TRAFFIC_LIGHT,
            "traffic_sign" => ActorKind::TRAFFIC_SIGN,
            "sensor" => ActorKind::SENSOR,
            other => {
                let names = "vehicle, walker, traffic_light, traffic_sign, sensor or other";
                return Err(PyValueError::new_err(format!("kind={other:?}: choose {names}")));
            }
        };
        let mut new = NewActor::new(actor, kind, type_id);
        for (name, value) in attributes.into_iter().flatten() {
            new = new.attribute(name, value);
        }
        self.out.write(py, |out| out.add(&new))
    }

    /// Removes an actor.
    fn delete(&self, py: Python<'_>, actor: u32) -> PyResult<()> {
        self.out.write(py, |out| out.delete(Deletion { id: actor }))
    }

    /// Sets poses of actors: their ids, x, y, z in metres, and pitch, yaw, roll in degrees, a row each.
    fn poses(
        &self,
        py: Python<'_>,
        actors: &Bound<'_, PyAny>,
        locations: &Bound<'_, PyAny>,
        rotations: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (places, turns) = (rows(actors, locations)?, rows(actors, rotations)?);
        self.out.write(py, |out| {
            places.iter().zip(&turns).try_for_each(|((id, place), (_, [pitch, yaw, roll]))| {
                let location = vector(place.map(|metres| metres * 100.0));
                let rotation = Rotation { pitch: *pitch, yaw: *yaw, roll: *roll };
                out.position(Position { id: *id, location, rotation })
            })
        })
    }

    /// Sets velocities of actors: their ids, m/s, and degrees per second, a row each.
    fn velocities(
        &self,
        py: Python<'_>,
        actors: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (linear, angular) = (rows(actors, linear)?, rows(actors, angular)?);
        self.out.write(py, |out| {
            linear.iter().zip(&angular).try_for_each(|((id, linear), (_, angular))| {
                let (linear_velocity, angular_velocity) = (vector(*linear), vector(*angular));
                out.kinematics(Kinematics { id: *id, linear_velocity, angular_velocity })
            })
        })
    }

    /// Sets the control of a vehicle: throttle and brake from 0 to 1, steer from -1 (left) to 1.
    #[pyo3(signature = (vehicle, *, throttle=0.0, steer=0.0, brake=0.0, hand_brake=false, gear=1))]
    #[expect(clippy::too_many_arguments, reason = "they are the fields of a control")]
    fn control(
        &self,
        py: Python<'_>,
        vehicle: u32,
        throttle: f32,
        steer: f32,
        brake: f32,
        hand_brake: bool,
        gear: i32,
    ) -> PyResult<()> {
        let control = VehicleControl { id: vehicle, steer, throttle, brake, handbrake: hand_brake, gear };
        self.out.write(py, |out| out.control(control))
    }

    /// Sets the speed of a walker, m/s.
    fn walker(&self, py: Python<'_>, walker: u32, speed: f32) -> PyResult<()> {
        self.out.write(py, |out| out.walker(WalkerSpeed { id: walker, speed: speed * 100.0 }))
    }

    /// Sets the lit lamps of a vehicle: see carla.VehicleLightState.
    fn lights(&self, py: Python<'_>, vehicle: u32, flags: u32) -> PyResult<()> {
        self.out.write(py, |out| out.lights(VehicleLights { id: vehicle, flags }))
    }

    /// Sets the state of a traffic light: see carla.TrafficLightState.
    #[pyo3(signature = (light, state, *, elapsed=0.0, frozen=false))]
    fn traffic_light(
        &self,
        py: Python<'_>,
        light: u32,
        state: u8,
        elapsed: f32,
        frozen: bool,
    ) -> PyResult<()> {
        self.out.write(py, |out| out.traffic_light(TrafficLightState { id: light, frozen, elapsed, state }))
    }

    /// Adds a contact of two actors.
    #[pyo3(signature = (actor, other, *, sequence=0))]
    fn collision(&self, py: Python<'_>, actor: u32, other: u32, sequence: u32) -> PyResult<()> {
        let (actor1, actor2) = (actor, other);
        self.out.write(py, |out| {
            out.collision(Collision { sequence, actor1, actor2, hero1: false, hero2: false })
        })
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector { x, y, z }
}

/// Three numbers for each actor.
fn rows(actors: &Bound<'_, PyAny>, numbers: &Bound<'_, PyAny>) -> PyResult<ActorVectors> {
    let (actors, numbers) = (array::integers(actors)?, array::doubles(numbers)?);
    let (rows, rest) = numbers.as_chunks::<3>();
    if rows.len() != actors.len() || !rest.is_empty() {
        let (actors, numbers) = (actors.len(), numbers.len());
        return Err(PyValueError::new_err(format!("{actors} actors and {numbers} numbers: give three each")));
    }
    Ok(actors.into_iter().zip(rows.iter().copied()).collect())
}
