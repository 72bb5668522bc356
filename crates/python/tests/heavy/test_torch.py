"""Recordings as datasets of PyTorch, if installed: with CUDA it takes 5 GB, so requirements.txt leaves it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import COPIES, SPLIT

torch = pytest.importorskip("torch")
data = pytest.importorskip("torch.utils.data")


@pytest.mark.parametrize("workers", [0, 2, 3])
def test_each_point_comes_once(lake: Path, points: int, sums: list[float], workers: int) -> None:
    import pyrobolog.torch

    clouds: Any = pyrobolog.torch.Dataset(lake, kind="point_cloud", split_bytes=SPLIT)
    loader = data.DataLoader(clouds, batch_size=None, num_workers=workers)
    found = list(loader)
    assert len(found) == 10 * COPIES and sum(len(cloud["x"]) for cloud in found) == points
    assert all(isinstance(cloud["x"], torch.Tensor) and cloud["x"].dtype == torch.float32 for cloud in found)
    for axis, total in zip("xyz", sums):
        assert sum(cloud[axis].double().sum().item() for cloud in found) == pytest.approx(total, rel=1e-6)


def test_batches_of_numbers(lake: Path) -> None:
    import pyrobolog.torch

    heights: Any = pyrobolog.torch.Dataset(lake, "*/points", transform=lambda sample: sample.value.z.mean())
    batches = list(data.DataLoader(heights, batch_size=8))
    assert [len(batch) for batch in batches] == [8] * 5
