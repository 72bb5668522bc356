"""Prints the maximum speed of the vehicle under test in a recording of CARLA: speed.py FILE."""

import sys

from pyrobolog.carla import MetricsLog


def main(path: str) -> None:
    log = MetricsLog(path)
    velocities = log.get_all_actor_velocities(log.get_ego_vehicle_id())
    fastest = max((v.length() for v in velocities if v is not None), default=0.0)
    print(f"{fastest:.2f} m/s in {log.get_total_frame_count()} frames")


if __name__ == "__main__":
    main(sys.argv[1])
