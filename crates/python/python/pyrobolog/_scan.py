"""Recordings as lazy tables: polars' LazyFrame, and a pyarrow Dataset that DuckDB reads.

Columns, channels, times and row limits of a query are pushed down: nothing else is decoded or read.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

try:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.dataset as _dataset  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("lazy tables need pyarrow: pip install pyarrow") from error

from . import ChannelNotFound, Recording
from ._engine import RECORDING, Paths, Scan, _conformed, _kind
from ._pushdown import ArrowFilter, Wanted, of_polars

if TYPE_CHECKING:
    import polars

_ROWS = 1 << 16
"""Of a batch."""
_DAY = 86_400_000_000_000
"""Nanoseconds."""


_ALL: Any = object()
"""An argument that was not given."""


class _Rows:
    """The rows of a scan, with the methods of a pyarrow.dataset.Scanner that engines use. Rows are read in the call.

    Arrow's own Scanner reads ahead in threads, one of which may wait forever for the interpreter when the program ends.
    """

    def __init__(self, batches: Iterator[Any], schema: Any, columns: Any, filter: Any) -> None:  # noqa: A002
        self._batches, self._columns, self._filter = batches, columns, filter
        self.dataset_schema = schema
        self.projected_schema = self._chosen(schema.empty_table()).schema

    def _chosen(self, table: Any) -> Any:
        if isinstance(self._columns, dict):
            return _dataset.dataset(table).to_table(columns=self._columns, filter=self._filter)
        table = table if self._filter is None else table.filter(self._filter)
        return table if self._columns is None else table.select(self._columns)

    def to_batches(self) -> Iterator[Any]:
        for batch in self._batches:
            yield from self._chosen(pyarrow.Table.from_batches([batch])).to_batches()

    def to_reader(self) -> Any:
        return pyarrow.RecordBatchReader.from_batches(self.projected_schema, self.to_batches())

    def to_table(self) -> Any:
        return self.to_reader().read_all()

    def head(self, num_rows: int) -> Any:
        found, left = [], num_rows
        for batch in self.to_batches() if left > 0 else ():
            found.append(batch.slice(0, left))
            left -= len(found[-1])
            if left <= 0:
                break
        return pyarrow.Table.from_batches(found, self.projected_schema)

    def take(self, indices: Any) -> Any:
        return self.to_table().take(indices)

    def count_rows(self) -> int:
        return sum(batch.num_rows for batch in self.to_batches())


class _Reading:
    """Batches until the program ends, for Arrow's own Scanner."""

    all: weakref.WeakSet[_Reading] = weakref.WeakSet()
    is_over = False

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches, self._busy = batches, threading.Lock()
        _Reading.all.add(self)

    def __iter__(self) -> _Reading:
        return self

    def __next__(self) -> Any:
        with self._busy:
            if _Reading.is_over:
                raise StopIteration
            return next(self._batches)


@atexit.register
def _end() -> None:
    _Reading.is_over = True
    for reading in list(_Reading.all):
        with reading._busy:
            pass
    if _Reading.all:
        # Threads with their last batch leave the interpreter.
        time.sleep(0.05)


class Lazy:
    """The table of the channels in some recordings, read as far as a query needs."""

    def __init__(self, scan: Scan, schema: Any = None) -> None:
        self.scan = scan if scan.kind else replace(scan, kind=scan._first_kind())
        self.schema = self.scan.schema() if schema is None else schema

    def batches(self, path: str, wanted: Wanted, columns: Sequence[str]) -> Iterator[Any]:
        """The rows of a recording that may match, and perhaps others, with these columns."""
        schema = pyarrow.schema([self.schema.field(name) for name in columns])
        with self.scan._noting(path):
            table = self._table(path, wanted, columns)
            if table is None:
                return
            rows = table._counted() if list(columns) == [RECORDING] else None
            if rows is not None:
                # All batches share one memory.
                paths = pyarrow.repeat(pyarrow.scalar(path), min(_ROWS, rows))
                whole = pyarrow.RecordBatch.from_arrays([paths], schema=schema)
                for first in range(0, rows, _ROWS):
                    yield whole.slice(0, rows - first)
                return
            try:
                for batch in table:
                    yield _conformed(pyarrow.record_batch(batch), path, schema)
            except ChannelNotFound:
                return

    def _table(self, path: str, wanted: Wanted, columns: Sequence[str]) -> Any:
        scan = self.scan
        recording = scan._recording(path)
        chosen: dict[str, Any] = {"start": scan.start, "end": scan.end, "kind": scan.kind, "errors": scan.errors}
        if scan.start is None and scan.end is None:
            limits = self._limits(recording, wanted)
            if limits is None:
                return None
            chosen |= limits
        channels: Sequence[str] = scan.channels
        if wanted.channels is not None:
            if not wanted.channels:
                return None
            # A name with wildcards is a glob too; the engine filters the rows.
            channels = wanted.channels
            if scan.channels != ("*",):
                channels = scan.channels
        # Rows of other channels have other columns, known only from all of them.
        return recording.table(channels, **chosen)._having([name for name in columns if name != RECORDING])

    def _limits(self, recording: Recording, wanted: Wanted) -> dict[str, Any] | None:
        """The arguments for these times; None if nothing lies between them."""
        if wanted.start_ns is None and wanted.end_ns is None:
            return {}
        import numpy

        met = self._met(recording)
        if met is None:
            return {}
        is_unix, first, _ = met

        def time(nanos: int | None) -> Any:
            if nanos is None:
                return None
            return numpy.datetime64(nanos, "ns") if is_unix else numpy.timedelta64(max(nanos - first, 0), "ns")

        if wanted.start_ns is not None and wanted.end_ns is not None and wanted.end_ns <= wanted.start_ns:
            return None
        return {"start": time(wanted.start_ns), "end": time(wanted.end_ns)}

    def _met(self, recording: Recording) -> tuple[bool, int, int] | None:
        """Whether its times are calendar times, and two between which to search for a filter's limits. None without times.

        If the first sample has a calendar time, the recording is not read to its end: a filter is asked for all times.
        """
        import numpy

        sample = next(iter(recording.samples(errors="ignore")), None)
        if sample is not None and isinstance(sample.time, numpy.datetime64):
            first = int(sample.time.astype("datetime64[ns]").astype(int))
            return True, first - _DAY, min(first + 3653 * _DAY, (1 << 63) - 2)
        start, end = recording.start, recording.end
        if start is None or end is None:
            return None
        return isinstance(start, numpy.datetime64), int(start.astype(int)), int(end.astype(int))

    def rows(self, path: str) -> int:
        """Number of rows of a recording: by a survey, if it counts them."""
        with self.scan._noting(path):
            table = self._table(path, Wanted(), [])
            try:
                return 0 if table is None else len(table)
            except ChannelNotFound:
                return 0
        return 0


class RobologDataset(_dataset.Dataset):  # type: ignore[misc]
    """A pyarrow Dataset of recordings: DuckDB, polars and others read it, with filters and columns pushed down."""

    def __init__(self, lazy: Lazy) -> None:
        self._lazy = lazy

    @property
    def schema(self) -> Any:
        """The columns, as a pyarrow.Schema."""
        return self._lazy.schema

    def scanner(self, columns: Any = _ALL, filter: Any = _ALL, **options: Any) -> Any:  # noqa: A002
        """The rows, as from a pyarrow.dataset.Scanner; without both arguments a real one, which write_dataset requires."""
        schema = self.schema
        if columns is _ALL and filter is _ALL:
            batches = _Reading(self._batches(None, schema.names))
            return _dataset.Scanner.from_batches(batches, schema=schema, **options)
        columns, filter = (None if one is _ALL else one for one in (columns, filter))  # noqa: A001
        asked = ArrowFilter(filter, schema) if filter is not None else None
        names = set(schema.names)
        if isinstance(columns, list):
            names = set(columns) | (asked.columns() if asked else set())
        read = [name for name in schema.names if name in names] or [schema.names[0]]
        part = pyarrow.schema([schema.field(name) for name in read])
        return _Rows(self._batches(asked, read), part, columns, filter)

    def _batches(self, asked: ArrowFilter | None, columns: Sequence[str]) -> Iterator[Any]:
        channels = asked.channels() if asked else None
        paths = self._lazy.scan.paths
        passing = asked.may_pass([_dataset.field(RECORDING) == path for path in paths]) if asked else [True] * len(paths)
        for path in (path for path, passes in zip(paths, passing) if passes):
            yield from self._lazy.batches(path, self._wanted(path, asked, channels), columns)

    def _wanted(self, path: str, asked: ArrowFilter | None, channels: tuple[str, ...] | None) -> Wanted:
        # Finding the start and end of a recording takes time: only for filters on time.
        if asked is None or not asked.columns() & {"time", "time_ns"}:
            return Wanted(channels)
        with self._lazy.scan._noting(path):
            met = self._lazy._met(self._lazy.scan._recording(path))
            if met is not None:
                is_unix, start, end = met
                return Wanted(channels, *asked.times(start, end, is_unix))
        return Wanted(channels)

    def count_rows(self, filter: Any = None, **options: Any) -> int:  # noqa: A002
        """Number of rows; without a filter by surveys, if they count them."""
        if filter is None:
            return sum(self._lazy.rows(path) for path in self._lazy.scan.paths)
        return int(self.scanner(columns=[], filter=filter, **options).count_rows())

    def __reduce__(self) -> Any:
        return RobologDataset, (self._lazy,)


def dataset(paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any) -> Any:
    """The table of the channels in recordings, as a pyarrow Dataset: see ``pyrobolog.dataset``."""
    return RobologDataset(Lazy(Scan.of(paths, channels, **arguments), schema))


def scan(
    paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any
) -> polars.LazyFrame:
    """The table of the channels in recordings, as a polars LazyFrame: see ``pyrobolog.scan``."""
    try:
        import polars
        from polars.io.plugins import register_io_source
    except ImportError as error:
        raise ImportError("scan makes a LazyFrame of polars: pip install polars") from error
    lazy = Lazy(Scan.of(paths, channels, **arguments), schema)
    columns = dict(polars.from_arrow(lazy.schema.empty_table()).schema)  # type: ignore[union-attr]

    def source(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        del batch_size  # Batches have the size in which they are made.
        shown = list(columns) if with_columns is None else with_columns
        named = set(shown) | (set(predicate.meta.root_names()) if predicate is not None else set())
        read = [name for name in columns if name in named] or [next(iter(columns))]
        wanted = Wanted() if predicate is None else of_polars(predicate)
        left = n_rows
        for path in lazy.scan.paths:
            for batch in lazy.batches(path, wanted, read):
                if left is not None and left <= 0:
                    return
                frame: Any = polars.from_arrow(pyarrow.Table.from_batches([batch]))
                frame = frame if predicate is None else frame.filter(predicate)
                frame = frame if left is None else frame.head(left)
                left = None if left is None else left - len(frame)
                yield frame.select(shown)

    return register_io_source(source, schema=columns, validate_schema=True)
