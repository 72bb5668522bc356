"""Recordings as datasets of Ray: ``pip install 'pyrobolog[ray]'``.

>>> import pyrobolog.ray
>>> points = pyrobolog.ray.read("logs/", "*/points")
>>> points.count(), points.mean("z")
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from ._engine import Part, Paths, Scan

__all__ = ["RobologDatasource", "read"]


def read(paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any) -> ray.data.Dataset:
    """The table of the channels in the recordings below ``paths``.

    ``arguments`` are those of Recording.table (kind, start, end, errors) and of pyrobolog.open. ``schema`` is a
    pyarrow.Schema; by default it is found here. A recording that cannot be read is a DamageWarning, with errors="raise"
    an error; those that cannot be opened are appended to the list ``failures``, if given.
    """
    source = RobologDatasource(Scan.of(paths, channels, **arguments), schema)
    return ray.data.read_datasource(source)


class RobologDatasource(Datasource):  # type: ignore[misc]
    """The parts of recordings, each a task for a worker."""

    def __init__(self, scan: Scan, schema: Any = None) -> None:
        super().__init__()
        self._scan = scan
        self._schema = scan.schema() if schema is None else schema
        self._parts = scan.parts()

    def get_name(self) -> str:
        """Name shown by Ray."""
        return "robolog"

    def estimate_inmemory_data_size(self) -> int:
        """Bytes of the recordings: columns take about the same."""
        return sum(part.size for part in self._parts)

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        """A task for each part, however many Ray asks for."""
        return [
            ReadTask(
                partial(_blocks, self._scan, part, self._schema),
                BlockMetadata(num_rows=None, size_bytes=part.size or None, input_files=(part.path,), exec_stats=None),
                schema=self._schema,
                per_task_row_limit=per_task_row_limit,
            )
            for part in self._parts
        ]


def _blocks(scan: Scan, part: Part, schema: Any) -> Iterable[Any]:
    import pyarrow  # type: ignore[import-untyped]

    for batch in scan.batches(part, schema):
        yield pyarrow.Table.from_batches([batch])
