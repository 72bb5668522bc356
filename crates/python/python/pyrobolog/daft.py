"""Recordings as data frames of Daft: ``pip install 'pyrobolog[daft]'``.

>>> import pyrobolog.daft
>>> points = pyrobolog.daft.read("logs/", "*/points")
>>> points.groupby("recording").count("z").show()
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any

import daft
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from ._engine import Part, Paths, Scan, Source
from ._pushdown import ANY, Wanted, of_arrow

__all__ = ["RobologDataSource", "read"]


def read(paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any) -> daft.DataFrame:
    """The table of the channels in the recordings below ``paths``.

    ``arguments`` are those of Recording.table (kind, start, end, errors) and of pyrobolog.open. ``schema`` is a
    pyarrow.Schema; by default it is found here. A recording that cannot be read is a DamageWarning, with errors="raise"
    an error; those that cannot be opened are appended to the list ``failures``, if given.
    """
    return RobologDataSource(Source.of(Scan.of(paths, channels, **arguments), schema)).read()


class RobologDataSource(DataSource):  # type: ignore[misc]
    """The parts of recordings, each a task."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def name(self) -> str:
        """Name shown by Daft."""
        return "robolog"

    @property
    def schema(self) -> daft.Schema:
        """The columns."""
        return daft.Schema.from_pyarrow_schema(self._source.schema)

    async def get_tasks(self, pushdowns: Any) -> AsyncIterator[DataSourceTask]:
        """A task for each part with rows that may match. Daft applies filters and limits itself."""
        wanted = ANY
        if pushdowns.filters is not None:
            # Not every function of Daft is one of Arrow's.
            with suppress(ValueError, TypeError, NotImplementedError):
                wanted, _ = of_arrow(pushdowns.filters.to_arrow_expr(), self._source.schema)
        for part in self._source.parts(wanted):
            yield _Task(self._source, part, wanted)


class _Task(DataSourceTask):  # type: ignore[misc]
    def __init__(self, source: Source, part: Part, wanted: Wanted) -> None:
        self._source, self._part, self._wanted = source, part, wanted

    @property
    def schema(self) -> daft.Schema:
        return daft.Schema.from_pyarrow_schema(self._source.schema)

    async def read(self) -> AsyncIterator[RecordBatch]:
        for batch in self._source.batches(self._part, self._wanted):
            yield RecordBatch.from_arrow_record_batches([batch], self._source.schema)
