"""Recordings as data frames of Daft: ``pip install 'pyrobolog[daft]'``.

>>> import pyrobolog.daft
>>> points = pyrobolog.daft.read("logs/", "*/points")
>>> points.groupby("recording").count("z").show()
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import daft
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from ._engine import Part, Paths, Scan

__all__ = ["RobologDataSource", "read"]


def read(paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any) -> daft.DataFrame:
    """The table of the channels in the recordings below ``paths``.

    ``arguments`` are those of Recording.table (kind, start, end, errors) and of pyrobolog.open. ``schema`` is a
    pyarrow.Schema; by default it is found here. A recording that cannot be read is a DamageWarning, with errors="raise"
    an error; those that cannot be opened are appended to the list ``failures``, if given.
    """
    return RobologDataSource(Scan.of(paths, channels, **arguments), schema).read()


class RobologDataSource(DataSource):  # type: ignore[misc]
    """The parts of recordings, each a task."""

    def __init__(self, scan: Scan, schema: Any = None) -> None:
        self._scan = scan
        self._arrow = scan.schema() if schema is None else schema

    @property
    def name(self) -> str:
        """Name shown by Daft."""
        return "robolog"

    @property
    def schema(self) -> daft.Schema:
        """The columns."""
        return daft.Schema.from_pyarrow_schema(self._arrow)

    async def get_tasks(self, pushdowns: Any) -> AsyncIterator[DataSourceTask]:
        """A task for each part. Daft applies filters and limits itself."""
        for part in self._scan.parts():
            yield _Task(self._scan, part, self._arrow)


class _Task(DataSourceTask):  # type: ignore[misc]
    def __init__(self, scan: Scan, part: Part, schema: Any) -> None:
        self._scan, self._part, self._arrow = scan, part, schema

    @property
    def schema(self) -> daft.Schema:
        return daft.Schema.from_pyarrow_schema(self._arrow)

    async def read(self) -> AsyncIterator[RecordBatch]:
        for batch in self._scan.batches(self._part, self._arrow):
            yield RecordBatch.from_arrow_record_batches([batch], self._arrow)
