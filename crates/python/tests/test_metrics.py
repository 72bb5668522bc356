"""Queries of metrics on every CARLA recording, against the counts of its survey."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyrobolog
from conftest import DATA, TESTDATA, name
from pyrobolog.carla import MetricsLog

LOGS = sorted(p for d in (TESTDATA, DATA) for p in (d / "carla-rec").glob("*.*") if p.suffix in {".log", ".rec"})


@pytest.mark.parametrize("path", LOGS, ids=name)
def test_counts_are_those_of_the_survey(path: Path) -> None:
    try:
        recording = pyrobolog.open(path)
    except pyrobolog.Error as error:
        pytest.skip(str(error))
    told = recording.info()
    log = MetricsLog(recording)
    if not told["complete"]:
        pytest.skip("damaged")
    frames = told["details"]["frames"]
    assert log.get_total_frame_count() == frames and log.get_map_name() == told["details"]["map"]
    actors = log.get_actor_ids_with_type_id("*")
    assert len(actors) <= told["details"]["actors"]
    if frames:
        assert log.get_elapsed_time(0) == told["details"]["first_elapsed_s"]
        assert log.get_elapsed_time(frames - 1) == told["details"]["last_elapsed_s"]
    hit = [others for actor in actors for others in log.get_actor_collisions(actor).values()]
    assert sum(map(len, hit)) <= told["details"]["collisions"]
    for actor in actors[:5]:
        moments = log.get_all_actor_transforms(actor)
        assert len(moments) == frames
        first, last = log.get_actor_alive_frames(actor)
        assert first is None or last is None or first <= last + 1


def test_a_drive_of_a_real_recording() -> None:
    path = DATA / "carla-rec" / "DistanceToLaneCenter_2021-11.log"
    if not path.exists():
        pytest.skip("no real recordings here")
    log = MetricsLog(path)
    ego = log.get_ego_vehicle_id()
    speeds = [v.length() for v in log.get_all_actor_velocities(ego) if v is not None]
    assert 5 < max(speeds) < 60, "metres per second of a car"
    accelerations = [a.length() for a in log.get_all_actor_accelerations(ego) if a is not None]
    assert max(accelerations) > 0
    box = log.get_actor_bounding_box(ego)
    assert box is not None and 0.5 < box.extent.x < 5
    assert log.get_vehicle_physics_control(ego, 10) is not None
