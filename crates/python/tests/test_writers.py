"""Written recordings read back, and answer the queries of metrics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pyrobolog
from pyrobolog import alog, carla, koblenz, lvx


def test_points_come_back(tmp_path: Path) -> None:
    path = tmp_path / "wall.lvx"
    rng = np.random.default_rng(7)
    x, y, z = rng.integers(-20_000, 20_000, (3, 500)) / 1000.0
    intensity = rng.integers(0, 256, 500)
    offsets = np.arange(500, dtype=np.uint64) * 4000
    start = 1_700_000_000_000_000_000
    with lvx.Writer(path, [("3WEDH7600101501", 3)]) as writer:
        for frame in range(3):
            writer.frame()
            writer.points(0, start + frame * 50_000_000, x, y, z, intensity=intensity, time_offset=offsets)
        writer.imu(0, start, (0.0, 0.0, 0.1), (0.0, 0.0, 9.8))
        assert not path.exists(), "it appears when it is closed"
    recording = pyrobolog.open(path)
    assert recording.check()["ok"] and recording.info()["details"]["frames"] == 3
    # The last package of a frame is padded with points without a return.
    clouds = [s.value for s in pyrobolog.open(path, drop_no_return=True).samples("*/points")]
    assert len(clouds) == 3
    for cloud in clouds:
        np.testing.assert_allclose(cloud.x, x, atol=1e-3)
        np.testing.assert_allclose(cloud.z, z, atol=1e-3)
        assert (cloud.intensity == intensity).all()
    imu = next(pyrobolog.open(path).samples("*/imu")).value
    assert imu.angular_velocity[2] == pytest.approx(0.1)


def test_an_exception_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), lvx.Writer(tmp_path / "a.lvx", [("A", 3)]) as writer:
        writer.frame()
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="fit"), alog.Writer(tmp_path / "b.alog", 0.0):
        koblenz.Writer(tmp_path / "c.log").laser(0.0, np.array([-1]))
    (tmp_path / "b.alog").write_text("mine")
    with pytest.raises(FileExistsError, match="force"):
        alog.Writer(tmp_path / "b.alog", 0.0)
    log = alog.Writer(tmp_path / "b.alog", 0.0, force=True)
    log.close()
    with pytest.raises(ValueError, match="closed"):
        log.number(0, "A", 1.0)


def test_variables_come_back(tmp_path: Path) -> None:
    path = tmp_path / "circle.alog"
    times = np.arange(100) / 10
    with alog.Writer(path, start=1_750_223_317.5) as writer:
        writer.numbers(times, "NAV_X", np.cos(times), source="circle")
        writer.text(10.0, "DEPLOY", "true")
    recording = pyrobolog.open(path)
    samples = list(recording.samples("NAV_X"))
    np.testing.assert_allclose([s.value for s in samples], np.cos(times), atol=1e-5)
    assert samples[3].time_ns == 1_750_223_317_800_000_000
    assert [s.value for s in recording.samples("DEPLOY")] == ["true"]


def test_messages_come_back(tmp_path: Path) -> None:
    path = tmp_path / "drive.log"
    ranges = np.linspace(500, 4000, 681).astype(int)
    with koblenz.Writer(path, seconds=10) as writer:
        for second in range(5):
            utc = (2009, 7, 17, 12, 0, second)
            writer.gps(second, utc, 50.36 + second * 1e-5, 7.55, satellites=8, quality=1, speed=36.0)
            writer.laser(second + 0.5, ranges)
    recording = pyrobolog.open(path)
    assert recording.check()["ok"] and recording.info()["records"] == 10
    fixes = [s.value for s in recording.samples() if s.kind == "gnss_fix"]
    assert len(fixes) == 5 and fixes[4].latitude == pytest.approx(50.36004)
    scan = next(s.value for s in recording.samples() if s.kind == "laser_scan")
    np.testing.assert_allclose(scan.ranges, ranges / 1000, atol=1e-3)


def test_a_drive_is_asked_as_metrics_ask(tmp_path: Path) -> None:
    path = tmp_path / "drive.log"
    with carla.Recorder(path, "Town01", date=1_700_000_000) as recorder:
        for step in range(20):
            recorder.begin_frame(step / 10)
            if step == 0:
                recorder.add(25, "vehicle", "vehicle.tesla.model3", attributes={"role_name": "hero"})
                recorder.add(26, "walker", "walker.pedestrian.0001")
            place = [[step * 0.5, 0.02 * step**2, 0.3], [5.0, 5.0, 1.0]]
            recorder.poses([25, 26], place, [[0.0, 45.0, 0.0], [0.0, 0.0, 0.0]])
            recorder.control(25, throttle=0.5, steer=-0.25, gear=3)
            recorder.walker(26, 1.5)
            recorder.lights(25, 8 | 32)
            if step == 10:
                recorder.collision(25, 26)
    log = carla.MetricsLog(path)
    assert log.get_map_name() == "Town01" and log.get_total_frame_count() == 20
    ego = log.get_ego_vehicle_id()
    assert ego == 25 and log.get_actor_ids_with_type_id("walker.*") == [26]
    transform = log.get_actor_transform(ego, 11)
    assert transform is not None and transform.location.x == pytest.approx(5.0)
    assert transform.rotation.yaw == pytest.approx(45.0)
    assert transform.get_forward_vector().x == pytest.approx(2**-0.5)
    velocity = log.get_actor_velocity(ego, 11)
    assert velocity is not None and velocity.x == pytest.approx(5.0, rel=1e-4)
    acceleration = log.get_actor_acceleration(ego, 11)
    assert acceleration is not None and acceleration.y == pytest.approx(4.0, rel=1e-2)
    assert log.get_vehicle_control(ego, 3) == carla.VehicleControl(0.5, -0.25, 0.0, False, False, False, 3)
    assert log.get_walker_speed(26, 3) == pytest.approx(1.5)
    assert log.is_vehicle_light_active(carla.VehicleLightState.Brake, ego, 1)
    assert not log.is_vehicle_light_active(carla.VehicleLightState.Fog, ego, 1)
    assert log.get_actor_collisions(ego) == {10: [26]}
    assert log.get_actor_alive_frames(26) == (1, 20) and log.get_actor_alive_frames(5) == (None, None)
    assert log.get_elapsed_time(10) == pytest.approx(1.0) and log.get_delta_time(19) == pytest.approx(0.1)
    assert len(log.get_all_actor_transforms(ego)) == 20
    assert set(log.get_actor_transforms_at_frame(5)) == {25, 26}
    assert set(log.get_actor_velocities_at_frame(5, [26])) == {26}
    with pytest.raises(IndexError):
        log.get_actor_transform(ego, 0)
