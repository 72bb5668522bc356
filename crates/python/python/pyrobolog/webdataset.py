"""Clouds and images as WebDataset shards: tar files in which members with the same name are a sample.

>>> import pyrobolog.webdataset
>>> pyrobolog.webdataset.write("logs/", "shards", "*/points")
>>> webdataset.WebDataset("shards/{000000..000003}.tar").decode()
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from . import Image, PointCloud, Sample
from ._engine import Paths, Scan

__all__ = ["write"]


def write(
    paths: Paths,
    output: str | os.PathLike[str],
    channels: str | Sequence[str] = "*",
    *,
    shard_bytes: int = 1 << 30,
    **arguments: Any,
) -> dict[str, int]:
    """Writes the clouds and images of the recordings below ``paths`` into a new folder ``output``.

    Shards are ``000000.tar`` and so on; one ends with the sample that reaches ``shard_bytes``. A sample has the members

    - ``.npy``: a cloud, a structured array of points with the fields of PointCloud.columns; or an image of pixels, in
      rows and columns;
    - ``.jpg`` or ``.png``: an image recorded in this format;
    - ``.json``: recording, channel, kind, time_ns, clock, frame_id, and offset, the byte of the record.

    Returns the number of samples written of each kind, and "skipped", those of other kinds. The folder appears when it is
    complete. ``arguments`` are those of Recording.samples (start, end, errors), ``kind``, and those of pyrobolog.open. A
    recording that cannot be read is a DamageWarning, with errors="raise" an error.
    """
    output = os.path.abspath(os.fspath(output))
    if os.path.lexists(output):
        raise FileExistsError(f"{output} is there already")
    scan = Scan.of(paths, channels, **arguments)
    folder = tempfile.mkdtemp(prefix=".shards-", dir=os.path.dirname(output))
    try:
        counts = _write(scan, folder, shard_bytes)
        os.chmod(folder, 0o755)
        os.rename(folder, output)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return counts


def _write(scan: Scan, folder: str, shard_bytes: int) -> dict[str, int]:
    counts: dict[str, int] = {"skipped": 0}
    samples, shards, shard = 0, 0, None
    try:
        for part in scan.splits():
            for sample in scan.samples(part):
                members = list(_members(sample, part.path))
                if not members:
                    counts["skipped"] += 1
                    continue
                if shard is None:
                    shard = tarfile.open(os.path.join(folder, f"{shards:06}.tar"), "w", format=tarfile.GNU_FORMAT)
                    shards += 1
                for ending, data in members:
                    member = tarfile.TarInfo(f"{samples:09}.{ending}")
                    member.size = len(data)
                    shard.addfile(member, io.BytesIO(data))
                samples += 1
                counts[sample.kind] = counts.get(sample.kind, 0) + 1
                if shard.offset >= shard_bytes:
                    shard.close()
                    shard = None
    finally:
        if shard is not None:
            shard.close()
    return counts


def _members(sample: Sample, recording: str) -> Iterator[tuple[str, bytes]]:
    """Name endings and file contents; nothing for a sample that is neither cloud nor image."""
    value = sample.value
    if isinstance(value, PointCloud):
        columns = [(name, getattr(value, name)) for name in value.columns]
        cloud = numpy.empty(len(value), [(name, column.dtype) for name, column in columns])
        for name, column in columns:
            cloud[name] = column
        yield "npy", _npy(cloud)
    elif isinstance(value, Image) and value.encoding in ("jpeg", "png"):
        yield "jpg" if value.encoding == "jpeg" else "png", value.data
    elif isinstance(value, Image):
        yield "npy", _npy(value.array)
    else:
        return
    names = ("channel", "kind", "time_ns", "clock", "frame_id", "offset")
    yield "json", json.dumps({"recording": recording, **{name: getattr(sample, name) for name in names}}).encode()


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    numpy.save(file, array, allow_pickle=False)
    return file.getvalue()
