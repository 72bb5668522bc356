"""Recordings as datasets of PyTorch: ``pip install 'pyrobolog[torch]'``.

>>> import pyrobolog.torch
>>> clouds = pyrobolog.torch.Dataset("logs/", "*/points")
>>> for cloud in torch.utils.data.DataLoader(clouds, batch_size=None, num_workers=4):
...     print(cloud["time_ns"], cloud["x"].mean())
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError as error:
    raise ImportError("pyrobolog.torch needs PyTorch: pip install torch") from error

import numpy

from . import ImageSample, LaserScanSample, PointCloudSample, Sample
from ._engine import Paths, Scan

__all__ = ["Dataset", "tensors"]


class Dataset(IterableDataset):  # type: ignore[misc]
    """The samples of the channels in the recordings below ``paths``, each passed to ``transform``, by default tensors().

    Recordings are read in splits of ``split_bytes`` (64 MiB). The workers of a DataLoader share the splits, so that each
    sample comes once, and so do the processes of torch.distributed if its group is initialized before. These may get
    different numbers of samples. ``arguments`` are those of Recording.samples (start, end, errors), ``kind``, which
    leaves out other kinds, and those of pyrobolog.open.
    A recording that cannot be read is a DamageWarning, with errors="raise" an error.
    """

    def __init__(
        self,
        paths: Paths,
        channels: str | Sequence[str] = "*",
        *,
        transform: Callable[[Sample], Any] | None = None,
        **arguments: Any,
    ) -> None:
        super().__init__()
        self._scan = Scan.of(paths, channels, **arguments)
        parts, group = self._scan.splits(), torch.distributed
        if group.is_available() and group.is_initialized():
            parts = parts[group.get_rank() :: group.get_world_size()]
        self._parts = parts
        self._transform = transform or tensors

    def __iter__(self) -> Iterator[Any]:
        worker = get_worker_info()
        mine = self._parts if worker is None else self._parts[worker.id :: worker.num_workers]
        for part in mine:
            yield from map(self._transform, self._scan.samples(part))


def tensors(sample: Sample) -> dict[str, Any]:
    """A sample as a dictionary: channel, kind, time_ns, and its value.

    A cloud is a tensor for each of its columns, a scan ``ranges`` and ``intensities``, an image ``pixels`` of shape (rows,
    columns) or (rows, columns, 3). Other values are ``value``, unchanged. Tensors are copies.
    """
    made: dict[str, Any] = {"channel": sample.channel, "kind": sample.kind, "time_ns": sample.time_ns}
    if isinstance(sample, PointCloudSample):
        arrays = {name: getattr(sample.value, name) for name in sample.value.columns}
    elif isinstance(sample, LaserScanSample):
        arrays = {"ranges": sample.value.ranges, "intensities": sample.value.intensities}
    elif isinstance(sample, ImageSample):
        arrays = {"pixels": sample.value.array}
    else:
        return {**made, "value": sample.value}
    return {**made, **{name: _tensor(array) for name, array in arrays.items() if array is not None}}


def _tensor(array: Any) -> torch.Tensor:
    # Releases before 2.3 have no unsigned integers of more than 8 bits.
    wider = {"u2": numpy.int32, "u4": numpy.int64}
    return torch.from_numpy(numpy.array(array, dtype=wider.get(array.dtype.str[1:], array.dtype)))
