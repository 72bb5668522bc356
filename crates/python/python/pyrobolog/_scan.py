"""Recordings as lazy tables: polars' LazyFrame, and a pyarrow Dataset that DuckDB reads.

Columns, channels, times and row limits of a query are pushed down: nothing else is decoded or read.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

try:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.dataset as _dataset  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("lazy tables need pyarrow: pip install pyarrow") from error

from ._engine import Part, Paths, Scan, Source
from ._pushdown import ANY, of_arrow, of_polars

if TYPE_CHECKING:
    import polars

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


def _rows(source: Source, part: Part | None, columns: Any, filter: Any) -> _Rows:  # noqa: A002
    """The rows of a part, or of all recordings."""
    schema = source.schema
    wanted, used = (ANY, set()) if filter is None else of_arrow(filter, schema)
    names = set(columns) | used if isinstance(columns, list) else set(schema.names)
    read = [name for name in schema.names if name in names] or [schema.names[0]]
    parts = source.wholes(wanted) if part is None else [part]
    batches = (batch for one in parts for batch in source.batches(one, wanted, read))
    return _Rows(batches, pyarrow.schema([schema.field(name) for name in read]), columns, filter)


@dataclass(frozen=True)
class Fragment:
    """A part of a dataset that can be read on its own, as a pyarrow.dataset.Fragment: small when pickled."""

    source: Source
    part: Part

    @property
    def path(self) -> str:
        """The recording."""
        return self.part.path

    @property
    def physical_schema(self) -> Any:
        """The columns, as a pyarrow.Schema."""
        return self.source.schema

    def scanner(self, columns: Any = None, filter: Any = None) -> _Rows:  # noqa: A002
        """The rows, as from a pyarrow.dataset.Scanner."""
        return _rows(self.source, self.part, columns, filter)

    def to_batches(self, columns: Any = None, filter: Any = None) -> Iterator[Any]:  # noqa: A002
        """The rows as pyarrow.RecordBatch."""
        return self.scanner(columns, filter).to_batches()

    def to_table(self, columns: Any = None, filter: Any = None) -> Any:  # noqa: A002
        """The rows as a pyarrow.Table."""
        return self.scanner(columns, filter).to_table()

    def count_rows(self, filter: Any = None) -> int:  # noqa: A002
        """Number of rows."""
        return self.source.rows(self.part) if filter is None else self.scanner([], filter).count_rows()


class RobologDataset(_dataset.Dataset):  # type: ignore[misc]
    """A pyarrow Dataset of recordings: DuckDB, polars and others read it, with filters and columns pushed down."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def schema(self) -> Any:
        """The columns, as a pyarrow.Schema."""
        return self._source.schema

    def get_fragments(self, filter: Any = None) -> Iterator[Fragment]:  # noqa: A002
        """The parts that can be read in parallel; without the recordings of which the filter accepts nothing."""
        wanted = ANY if filter is None else of_arrow(filter, self.schema)[0]
        return (Fragment(self._source, part) for part in self._source.parts(wanted))

    def scanner(self, columns: Any = _ALL, filter: Any = _ALL, **options: Any) -> Any:  # noqa: A002
        """The rows, as from a pyarrow.dataset.Scanner; without both arguments a real one, which write_dataset requires."""
        if columns is _ALL and filter is _ALL:
            batches = _Reading(_rows(self._source, None, None, None).to_batches())
            return _dataset.Scanner.from_batches(batches, schema=self.schema, **options)
        return _rows(self._source, None, *(None if one is _ALL else one for one in (columns, filter)))

    def count_rows(self, filter: Any = None, **options: Any) -> int:  # noqa: A002
        """Number of rows; without a filter by surveys, if they count them."""
        if filter is None:
            return sum(map(self._source.rows, self._source.wholes()))
        return int(self.scanner(columns=[], filter=filter, **options).count_rows())

    def __reduce__(self) -> Any:
        return RobologDataset, (self._source,)


def dataset(paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any) -> Any:
    """The table of the channels in recordings, as a pyarrow Dataset: see ``pyrobolog.dataset``."""
    return RobologDataset(Source.of(Scan.of(paths, channels, **arguments), schema))


def scan(
    paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any
) -> polars.LazyFrame:
    """The table of the channels in recordings, as a polars LazyFrame: see ``pyrobolog.scan``."""
    try:
        import polars
        from polars.io.plugins import register_io_source
    except ImportError as error:
        raise ImportError("scan makes a LazyFrame of polars: pip install polars") from error
    lazy = Source.of(Scan.of(paths, channels, **arguments), schema)
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
        wanted = ANY if predicate is None else of_polars(predicate)
        left = n_rows
        for part in lazy.wholes(wanted):
            for batch in lazy.batches(part, wanted, read):
                if left is not None and left <= 0:
                    return
                frame: Any = polars.from_arrow(pyarrow.Table.from_batches([batch]))
                frame = frame if predicate is None else frame.filter(predicate)
                frame = frame if left is None else frame.head(left)
                left = None if left is None else left - len(frame)
                yield frame.select(shown)

    return register_io_source(source, schema=columns, validate_schema=True)
