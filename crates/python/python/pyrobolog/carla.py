"""Recordings of the CARLA simulator: queries of ScenarioRunner's metrics, without a server, and a writer.

A metric of ScenarioRunner runs if this replaces its import::

    from pyrobolog.carla import MetricsLog

    log = MetricsLog("drive.log")
    ego = log.get_ego_vehicle_id()
    speeds = log.get_all_actor_velocities(ego)

Names, arguments and numbering are ScenarioRunner's: states of actors count frames from 1; times and collisions count them
from 0. Values have the attributes of the package ``carla``, which need not be installed: metres, degrees, seconds, in the
simulator's left-handed axes (x forward, y right, z up).

It differs only where ScenarioRunner is wrong. Accelerations are those of the recording (there they are always 0),
walkers' speeds are numbers in m/s (there text in cm/s), and velocities come from the poses if the recording holds none:
over the interval in which vehicles really moved (recorders of 0.9.6 write their poses a frame late). In a frame longer
than 0.1 s actors move by only about 0.1 s' worth: poses give no velocity there.
"""

from __future__ import annotations

import enum
import fnmatch
import math
import os
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from ._pyrobolog import CarlaLog, CarlaRecorder as Recorder, Recording, open as _open

__all__ = [
    "BoundingBox",
    "Color",
    "LightGroup",
    "LightState",
    "Location",
    "MetricsLog",
    "Recorder",
    "Rotation",
    "TrafficLightState",
    "Transform",
    "Vector3D",
    "VehicleControl",
    "VehicleLightState",
]

_T = TypeVar("_T")
_Pair = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True)
class Vector3D:
    """Three numbers along the axes of the simulator."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def __add__(self, other: Vector3D) -> Vector3D:
        return type(self)(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector3D) -> Vector3D:
        return type(self)(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor: float) -> Vector3D:
        return type(self)(self.x * factor, self.y * factor, self.z * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Vector3D:
        return self * (1.0 / divisor)

    def length(self) -> float:
        """Length."""
        return math.hypot(self.x, self.y, self.z)

    def squared_length(self) -> float:
        """Square of the length."""
        return self.dot(self)

    def dot(self, other: Vector3D) -> float:
        """Dot product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector3D) -> Vector3D:
        """Cross product."""
        return Vector3D(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def distance(self, other: Vector3D) -> float:
        """Distance."""
        return math.dist((self.x, self.y, self.z), (other.x, other.y, other.z))

    def distance_2d(self, other: Vector3D) -> float:
        """Distance without height."""
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True)
class Location(Vector3D):
    """A location in the world, metres."""


@dataclass(frozen=True)
class Rotation:
    """Angles in degrees."""

    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0

    def get_forward_vector(self) -> Vector3D:
        """Forward unit vector."""
        pitch, yaw = math.radians(self.pitch), math.radians(self.yaw)
        return Vector3D(math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch))

    def get_right_vector(self) -> Vector3D:
        """Right unit vector."""
        pitch, yaw, roll = map(math.radians, (self.pitch, self.yaw, self.roll))
        return Vector3D(
            math.cos(yaw) * math.sin(pitch) * math.sin(roll) - math.sin(yaw) * math.cos(roll),
            math.sin(yaw) * math.sin(pitch) * math.sin(roll) + math.cos(yaw) * math.cos(roll),
            -math.cos(pitch) * math.sin(roll),
        )


@dataclass(frozen=True)
class Transform:
    """Location and rotation."""

    location: Location = Location()
    rotation: Rotation = Rotation()

    def get_forward_vector(self) -> Vector3D:
        """Forward unit vector."""
        return self.rotation.get_forward_vector()

    def get_right_vector(self) -> Vector3D:
        """Right unit vector."""
        return self.rotation.get_right_vector()


@dataclass(frozen=True)
class BoundingBox:
    """A box: centre and half the size, metres."""

    location: Location
    extent: Vector3D


@dataclass(frozen=True)
class VehicleControl:
    """Control of a vehicle: throttle and brake from 0 to 1, steer from -1 (left) to 1."""

    throttle: float = 0.0
    steer: float = 0.0
    brake: float = 0.0
    hand_brake: bool = False
    reverse: bool = False
    manual_gear_shift: bool = False
    gear: int = 0


class TrafficLightState(enum.IntEnum):
    """State of a traffic light."""

    Red = 0
    Yellow = 1
    Green = 2
    Off = 3
    Unknown = 4


class VehicleLightState(enum.IntFlag):
    """Lamps of a vehicle."""

    NONE = 0
    Position = 1
    LowBeam = 2
    HighBeam = 4
    Brake = 8
    RightBlinker = 16
    LeftBlinker = 32
    Reverse = 64
    Fog = 128
    Interior = 256
    Special1 = 512
    Special2 = 1024


class LightGroup(enum.IntEnum):
    """Group of a lamp of the scenery."""

    NONE = 0
    Vehicle = 1
    Street = 2
    Building = 3
    Other = 4


@dataclass(frozen=True)
class Color:
    """Red, green, blue and opacity, from 0 to 255."""

    r: int
    g: int
    b: int
    a: int = 255


@dataclass(frozen=True)
class LightState:
    """A lamp of the scenery: lumens, colour, group, and whether it is lit."""

    intensity: float
    color: Color
    group: LightGroup
    active: bool


class MetricsLog:
    """A recording with the queries of ScenarioRunner's metrics, all in memory."""

    def __init__(self, recording: Recording | str | os.PathLike[str] | bytes | BinaryIO) -> None:
        if not isinstance(recording, Recording):
            recording = _open(recording)
        self._log = CarlaLog(recording)
        self._actors = {actor: _attributes(told) for actor, told in self._log.actors().items()}

    def get_map_name(self) -> str:
        """Name of the map."""
        return self._log.map

    # Frames.

    def get_total_frame_count(self) -> int:
        """Number of frames."""
        return len(self._log)

    def get_elapsed_time(self, frame: int) -> float:
        """Seconds from the start of the recording to a frame, counted from 0."""
        return self._log.times(frame)[0]

    def get_delta_time(self, frame: int) -> float:
        """Seconds from the previous frame to a frame, counted from 0; 0 in the first."""
        return self._log.times(frame)[1]

    def get_platform_time(self, frame: int) -> float | None:
        """Seconds of the computer's clock up to a frame, counted from 0; None if not recorded."""
        return self._log.times(frame)[2]

    def get_actor_collisions(self, actor_id: int) -> dict[int, list[int]]:
        """Actors hit by an actor, by frame, counted from 0."""
        return self._log.collisions(actor_id)

    # Actors.

    def get_ego_vehicle_id(self) -> int:
        """The vehicle under test: the first actor with the role hero. Raises LookupError if there is none."""
        heroes = self.get_actor_ids_with_role_name("hero")
        if not heroes:
            raise LookupError("the recording has no actor with the role hero")
        return heroes[0]

    def get_actor_ids_with_role_name(self, role_name: str) -> list[int]:
        """The actors with this role."""
        return [actor for actor, told in self._actors.items() if told.get("role_name") == role_name]

    def get_actor_ids_with_type_id(self, type_id: str) -> list[int]:
        """The actors whose blueprint matches, such as ``vehicle.*``."""
        return [actor for actor, told in self._actors.items() if fnmatch.fnmatch(told["type_id"], type_id)]

    def get_actor_attributes(self, actor_id: int) -> dict[str, Any] | None:
        """Blueprint, location, attributes and frames of an actor; None if unknown."""
        return self._actors.get(actor_id)

    def get_actor_bounding_box(self, actor_id: int) -> BoundingBox | None:
        """Bounding box of an actor; None if not recorded."""
        return self._actors.get(actor_id, {}).get("bounding_box")

    def get_traffic_light_trigger_volume(self, traffic_light_id: int) -> BoundingBox | None:
        """Trigger volume of a traffic light; None if not recorded."""
        return self._actors.get(traffic_light_id, {}).get("trigger_volume")

    def get_actor_alive_frames(self, actor_id: int) -> tuple[int, int] | tuple[None, None]:
        """The first and the last frame, counted from 1, in which an actor exists."""
        told = self._actors.get(actor_id)
        if told is None:
            return None, None
        last = told["destroyed"] - 1 if "destroyed" in told else self.get_total_frame_count()
        return told["created"], last

    # Transforms.

    def get_actor_transform(self, actor_id: int, frame: int) -> Transform | None:
        """Transform of an actor in a frame, counted from 1; None if the frame lacks it."""
        return _transform(self._log.transform(actor_id, frame - 1))

    def get_all_actor_transforms(
        self, actor_id: int, first_frame: int | None = None, last_frame: int | None = None
    ) -> list[Transform | None]:
        """The same for a range of frames, including the last."""
        return self._all(self.get_actor_transform, actor_id, first_frame, last_frame)

    def get_actor_transforms_at_frame(
        self, frame: int, actor_list: Container[int] | None = None
    ) -> dict[int, Transform | None]:
        """Transforms of all actors, or of those in a list, in a frame, counted from 1."""
        return self._at_frame(self.get_actor_transform, frame, actor_list)

    # Velocities.

    def get_actor_velocity(self, actor_id: int, frame: int) -> Vector3D | None:
        """Velocity of an actor in a frame, counted from 1, m/s; None if neither recorded nor shown by its poses."""
        return _vector(self._log.velocity(actor_id, frame - 1))

    def get_all_actor_velocities(
        self, actor_id: int, first_frame: int | None = None, last_frame: int | None = None
    ) -> list[Vector3D | None]:
        """The same for a range of frames, including the last."""
        return self._all(self.get_actor_velocity, actor_id, first_frame, last_frame)

    def get_actor_velocities_at_frame(
        self, frame: int, actor_list: Container[int] | None = None
    ) -> dict[int, Vector3D | None]:
        """The same for all actors in a frame, or for those in a list."""
        return self._at_frame(self.get_actor_velocity, frame, actor_list)

    def get_actor_angular_velocity(self, actor_id: int, frame: int) -> Vector3D | None:
        """Angular velocity of an actor in a frame, counted from 1, degrees per second."""
        return _vector(self._log.angular_velocity(actor_id, frame - 1))

    def get_all_actor_angular_velocities(
        self, actor_id: int, first_frame: int | None = None, last_frame: int | None = None
    ) -> list[Vector3D | None]:
        """The same for a range of frames, including the last."""
        return self._all(self.get_actor_angular_velocity, actor_id, first_frame, last_frame)

    def get_actor_angular_velocities_at_frame(
        self, frame: int, actor_list: Container[int] | None = None
    ) -> dict[int, Vector3D | None]:
        """The same for all actors in a frame, or for those in a list."""
        return self._at_frame(self.get_actor_angular_velocity, frame, actor_list)

    # Accelerations.

    def get_actor_acceleration(self, actor_id: int, frame: int) -> Vector3D | None:
        """Acceleration of an actor, m/s²: from the previous frame to this one, counted from 1."""
        return _vector(self._log.acceleration(actor_id, frame - 1))

    def get_all_actor_accelerations(
        self, actor_id: int, first_frame: int | None = None, last_frame: int | None = None
    ) -> list[Vector3D | None]:
        """The same for a range of frames, including the last."""
        return self._all(self.get_actor_acceleration, actor_id, first_frame, last_frame)

    def get_actor_accelerations_at_frame(
        self, frame: int, actor_list: Container[int] | None = None
    ) -> dict[int, Vector3D | None]:
        """The same for all actors in a frame, or for those in a list."""
        return self._at_frame(self.get_actor_acceleration, frame, actor_list)

    # Vehicles and walkers.

    def get_vehicle_control(self, vehicle_id: int, frame: int) -> VehicleControl | None:
        """Control of a vehicle in a frame, counted from 1."""
        told = self._log.control(vehicle_id, frame - 1)
        if told is None:
            return None
        throttle, steer, brake, hand_brake, gear = told
        return VehicleControl(throttle, steer, brake, hand_brake, gear < 0, False, gear)

    def get_vehicle_physics_control(self, vehicle_id: int, frame: int) -> dict[str, float] | None:
        """Physics of a vehicle as of a frame, with the names of carla.VehiclePhysicsControl."""
        return self._log.physics(vehicle_id, frame - 1)

    def get_walker_speed(self, walker_id: int, frame: int) -> float | None:
        """Speed of a walker in a frame, counted from 1, m/s."""
        return self._log.speed(walker_id, frame - 1)

    def get_vehicle_lights(self, vehicle_id: int, frame: int) -> VehicleLightState | None:
        """The lit lamps of a vehicle in a frame, counted from 1."""
        lights = self._log.lights(vehicle_id, frame - 1)
        return None if lights is None else VehicleLightState(lights)

    def is_vehicle_light_active(self, light: VehicleLightState, vehicle_id: int, frame: int) -> bool:
        """Whether a lamp of a vehicle is lit in a frame, counted from 1."""
        return bool(light & (self.get_vehicle_lights(vehicle_id, frame) or VehicleLightState.NONE))

    # Traffic lights and lamps.

    def get_traffic_light_state(self, traffic_light_id: int, frame: int) -> TrafficLightState | None:
        """State of a traffic light in a frame, counted from 1."""
        told = self._log.traffic_light(traffic_light_id, frame - 1)
        if told is None:
            return None
        known = told[0] <= TrafficLightState.Unknown
        return TrafficLightState(told[0]) if known else TrafficLightState.Unknown

    def is_traffic_light_frozen(self, traffic_light_id: int, frame: int) -> bool | None:
        """Whether a traffic light is frozen in a frame, counted from 1."""
        told = self._log.traffic_light(traffic_light_id, frame - 1)
        return None if told is None else told[1]

    def get_traffic_light_elapsed_time(self, traffic_light_id: int, frame: int) -> float | None:
        """Seconds that a traffic light has been in its state in a frame, counted from 1."""
        told = self._log.traffic_light(traffic_light_id, frame - 1)
        return None if told is None else told[2]

    def get_traffic_light_state_time(
        self, traffic_light_id: int, state: TrafficLightState, frame: int
    ) -> float | None:
        """Seconds that a traffic light shows a colour, as of a frame, counted from 1."""
        told = self._log.light_times(traffic_light_id, frame - 1)
        return told[state] if told is not None and state <= TrafficLightState.Green else None

    def get_scene_light_state(self, light_id: int, frame: int) -> LightState | None:
        """State of a lamp of the scenery, as of a frame, counted from 1."""
        told = self._log.scene_light(light_id, frame - 1)
        if told is None:
            return None
        colour, intensity, active, group = told
        known = group <= LightGroup.Other
        r, g, b, a = (round(max(0.0, min(part, 1.0)) * 255) for part in colour)
        return LightState(intensity, Color(r, g, b, a), LightGroup(group if known else 4), active)

    def _all(
        self, get: Callable[[int, int], _T], actor_id: int, first: int | None, last: int | None
    ) -> list[_T]:
        first = 1 if first is None else first
        last = self.get_total_frame_count() if last is None else last
        return [get(actor_id, frame) for frame in range(first, last + 1)]

    def _at_frame(
        self, get: Callable[[int, int], _T], frame: int, actor_list: Container[int] | None
    ) -> dict[int, _T]:
        states = {actor: get(actor, frame) for actor in self._log.ids(frame - 1)}
        if actor_list:
            return {actor: state for actor, state in states.items() if actor in actor_list}
        return {actor: state for actor, state in states.items() if state is not None}


def _vector(xyz: tuple[float, float, float] | None) -> Vector3D | None:
    return None if xyz is None else Vector3D(*xyz)


def _transform(told: _Pair | None) -> Transform | None:
    return None if told is None else Transform(Location(*told[0]), Rotation(*told[1]))


def _attributes(told: dict[str, Any]) -> dict[str, Any]:
    told["location"] = Location(*told["location"])
    for name in ("bounding_box", "trigger_volume"):
        if name in told:
            middle, extent = told[name]
            told[name] = BoundingBox(Location(*middle), Vector3D(*extent))
    return told
