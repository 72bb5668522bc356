"""Samples for training: shards of WebDataset, and the datasets of PyTorch, with a stand-in for the package."""

from __future__ import annotations

import importlib
import io
import json
import sys
import tarfile
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import webdataset

import pyrobolog
import pyrobolog.webdataset
from conftest import TESTDATA

DRIVE = TESTDATA / "koblenz-log" / "drive.log"


def _points(room: Path) -> Any:
    """Millimetres, reflectivity and tag of each package, as LVX 1.1 defines them."""
    point = np.dtype([("mm", "<i4", 3), ("reflectivity", "u1"), ("tag", "u1")])
    package = np.dtype([("head", "V19"), ("points", point, 96)])
    frame = np.dtype([("head", "V24"), ("packages", package, 16)])
    return np.frombuffer(room.read_bytes(), frame, offset=88)["packages"]["points"]


def test_shards_hold_the_clouds(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "shards"
    counts = pyrobolog.webdataset.write([room, room], out, "*/points", shard_bytes=200_000)
    assert counts == {"skipped": 0, "point_cloud": 20}
    shards = sorted(out.iterdir())
    assert [shard.name for shard in shards] == [f"{n:06}.tar" for n in range(len(shards))] and len(shards) > 2
    assert list(tmp_path.iterdir()) == [out]
    clouds, names = [], []
    for shard in shards:
        with tarfile.open(shard) as tar:
            for member in tar:
                names.append(member.name)
                file = tar.extractfile(member)
                assert file is not None
                if member.name.endswith(".npy"):
                    clouds.append(np.load(io.BytesIO(file.read())))
                else:
                    said = json.load(file)
                    assert said["recording"] == str(room) and said["kind"] == "point_cloud"
    assert names == [f"{n:09}.{ending}" for n in range(20) for ending in ("npy", "json")]
    truth = _points(room)
    for n, cloud in enumerate(clouds):
        want = truth[n % 10].reshape(-1)
        assert np.array_equal(np.stack([cloud[axis] for axis in "xyz"], axis=1), (want["mm"] / 1000).astype("f4"))
        assert np.array_equal(cloud["intensity"], want["reflectivity"]) and np.array_equal(cloud["tag"], want["tag"])


def test_webdataset_reads_the_shards(tmp_path: Path) -> None:
    out = tmp_path / "shards"
    counts = pyrobolog.webdataset.write([DRIVE, TESTDATA / "effibox" / "dataset"], out, split_bytes=1000)
    assert counts["image"] > 0 and counts["point_cloud"] > 0 and counts["skipped"] > 0
    found = list(webdataset.WebDataset(str(out / "000000.tar"), shardshuffle=False).decode())
    assert Counter(sample["json"]["kind"] for sample in found) == Counter(counts) - Counter(skipped=counts["skipped"])
    recordings = {path: list(pyrobolog.open(path)) for path in {sample["json"]["recording"] for sample in found}}
    for sample in found:
        said = sample["json"]
        known = [
            one.value
            for one in recordings[said["recording"]]
            if (one.channel, one.offset, one.time_ns) == (said["channel"], said["offset"], said["time_ns"])
        ]
        if said["kind"] == "point_cloud":
            assert any(np.array_equal(sample["npy"]["x"], cloud.x) for cloud in known)
        elif "jpg" in sample:
            assert any(sample["jpg"] == image.data for image in known)
        else:
            assert any(np.array_equal(sample["npy"], image.array) for image in known)


def test_shards_are_whole_or_absent(room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, before, left = tmp_path / "shards", pyrobolog.webdataset._npy, [3]

    def full(array: Any) -> bytes:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("No space left on device")
        return before(array)

    monkeypatch.setattr(pyrobolog.webdataset, "_npy", full)
    with pytest.raises(OSError, match="No space"):
        pyrobolog.webdataset.write(room, out)
    assert list(tmp_path.iterdir()) == []
    out.mkdir()
    with pytest.raises(FileExistsError, match="shards"):
        pyrobolog.webdataset.write(room, out)


class Worker:
    """The worker of a DataLoader; None outside of one."""

    info: SimpleNamespace | None = None


@pytest.fixture
def dataset(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """pyrobolog.torch with a stand-in that returns arrays unchanged."""
    torch, utils, data = ModuleType("torch"), ModuleType("torch.utils"), ModuleType("torch.utils.data")
    vars(torch).update(utils=utils, from_numpy=lambda array: array, Tensor=np.ndarray)
    vars(torch).update(distributed=SimpleNamespace(is_available=lambda: False))
    vars(data).update(IterableDataset=type("IterableDataset", (), {}), get_worker_info=lambda: Worker.info)
    for module in (torch, utils, data):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "pyrobolog.torch", raising=False)
    monkeypatch.setattr(Worker, "info", None)
    made = importlib.import_module("pyrobolog.torch")
    monkeypatch.delitem(sys.modules, "pyrobolog.torch")
    return made


def test_workers_share_the_splits(dataset: ModuleType, room: Path) -> None:
    clouds = dataset.Dataset([room, room], "*/points", split_bytes=50_000)
    alone = [cloud["time_ns"] for cloud in clouds]
    assert len(alone) == 20 and set(Counter(alone).values()) == {2}
    shares = []
    for number in range(3):
        Worker.info = SimpleNamespace(id=number, num_workers=3)
        shares.append([cloud["time_ns"] for cloud in clouds])
    assert Counter(sum(shares, [])) == Counter(alone) and all(shares)


def test_processes_share_the_splits(dataset: ModuleType, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []
    for rank in range(2):
        group = SimpleNamespace(
            is_available=lambda: True, is_initialized=lambda: True, get_rank=lambda: rank, get_world_size=lambda: 2
        )
        monkeypatch.setattr(dataset.torch, "distributed", group)
        clouds = dataset.Dataset(room, kind="point_cloud", split_bytes=50_000)
        shares.append([cloud["time_ns"] for cloud in clouds])
    alone = [sample.time_ns for sample in pyrobolog.open(room).samples("*/points")]
    assert Counter(shares[0] + shares[1]) == Counter(alone) and all(shares)


def test_samples_become_tensors(dataset: ModuleType, room: Path) -> None:
    cloud = next(iter(dataset.Dataset(room, "*/points")))
    assert np.array_equal(cloud["z"], (_points(room)[0].reshape(-1)["mm"][:, 2] / 1000).astype("f4"))
    assert cloud["x"].flags.writeable and cloud["ring"].dtype == np.int32 and cloud["time_offset"].dtype == np.int64
    kinds = {sample["kind"]: sample for sample in dataset.Dataset(DRIVE)}
    assert kinds["image"]["pixels"].shape[:2] == (16, 24) and kinds["laser_scan"]["ranges"].ndim == 1
    assert isinstance(kinds["gnss_fix"]["value"], pyrobolog.GnssFix)
    heights = dataset.Dataset(room, "*/points", transform=lambda sample: sample.value.z.max())
    assert len(list(heights)) == 10


def test_torch_is_named_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pyrobolog.torch", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="pip install torch"):
        importlib.import_module("pyrobolog.torch")
