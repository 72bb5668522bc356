"""Prints who collides with whom in a recording of CARLA, and how far each vehicle drives: simulation.py FILE."""

from __future__ import annotations

import sys

from pyrobolog.carla import Location, MetricsLog


def collisions(log: MetricsLog) -> set[tuple[int, int, int]]:
    """Frame, actor and the actor it hits, for each frame in which two actors touch."""
    return {
        (frame, actor, other)
        for actor in log.get_actor_ids_with_type_id("*")
        for frame, others in log.get_actor_collisions(actor).items()
        for other in others
    }


def trajectory(log: MetricsLog, actor: int) -> list[Location]:
    """Location of an actor in each frame that has it."""
    return [pose.location for pose in log.get_all_actor_transforms(actor) if pose is not None]


def main(path: str) -> None:
    log = MetricsLog(path)
    for frame, actor, other in sorted(collisions(log)):
        print(f"{log.get_elapsed_time(frame):.2f} s: {actor} hits {other}")
    for vehicle in log.get_actor_ids_with_type_id("vehicle.*"):
        places = trajectory(log, vehicle)
        metres = sum(a.distance(b) for a, b in zip(places, places[1:]))
        print(f"vehicle {vehicle}: {metres:.2f} m in {len(places)} frames")


if __name__ == "__main__":
    main(sys.argv[1])
