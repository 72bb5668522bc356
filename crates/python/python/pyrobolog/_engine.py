"""What all engines read: recordings, their columns, and the batches of a part. An adapter hands a filter to it as Wanted.

The engines see one table: that of Recording.table for each recording, with a first column ``recording``, the path.
All columns are nullable, and no integer is unsigned.
"""

from __future__ import annotations

import errno
import glob
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

try:
    import pyarrow  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("folders of recordings are read with pyarrow: pip install pyarrow") from error

from . import ChannelNotFound, DamageWarning, Error, Recording, Sample, Split, Table, _remote, open as _open, recordings
from ._call import unknown
from ._pushdown import ANY, Wanted
from ._verbs import READING

if TYPE_CHECKING:
    from ._pyrobolog import _Errors, _Time
    from ._verbs import Reading

    class TableOptions(Reading, total=False):
        """Arguments of Recording.table and options of open."""

        kind: str | None
        start: _Time | None
        end: _Time | None
        errors: _Errors
        split_bytes: int
        failures: list[Any]

RECORDING = "recording"
"""The column with the path of the recording."""
KIND = b"robolog.kind"
"""The kind of values, in the metadata of a schema."""

_WHOLE = 1 << 62
"""More bytes than a file has."""
_ROWS = 1 << 16
"""Of a batch."""

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Part:
    """A part of the work: small, picklable, and readable anywhere."""

    path: str
    split: Split | None = None
    """None is the whole recording."""


@dataclass(frozen=True)
class Failure:
    """A recording that could not be read."""

    path: str
    error: str


@dataclass(frozen=True)
class Scan:
    """A request: recordings, arguments of Recording.table, and options of open."""

    paths: tuple[str, ...]
    channels: tuple[str, ...] = ("*",)
    kind: str | None = None
    start: Any = None
    end: Any = None
    errors: str = "warn"
    split_bytes: int = 64 << 20
    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list, compare=False)
    """What could not be read so far, by this process."""
    opened: dict[str, Recording] = field(default_factory=dict, compare=False, repr=False)
    """The recording that was opened last, with what is known of it."""

    @classmethod
    def of(cls, paths: Paths, channels: str | Sequence[str] = "*", **arguments: Any) -> Scan:
        """From the arguments of a reader. A folder means the recordings below it."""
        names = ("kind", "start", "end", "errors", "format", "split_bytes", "failures")
        for name in arguments:
            if name not in names and name not in READING:
                raise unknown(name, (*names, *READING), "scan")
        chosen = {name: arguments.pop(name) for name in names if arguments.get(name) is not None}
        globs = (channels,) if isinstance(channels, str) else tuple(channels)
        scan = cls((), globs, **chosen, options=arguments)
        if scan.errors not in ("raise", "warn", "ignore"):
            raise ValueError(f'errors={scan.errors!r}: choose "warn", "raise" or "ignore"')
        given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        found: list[str] = []
        for one in (os.fspath(path) for path in given):
            with scan._noting(one):
                for path in _matching(one):
                    found.extend(_below(path))
        return replace(scan, paths=tuple(found))

    def splits(self) -> list[Part]:
        """The splits of all recordings, of at least ``split_bytes``."""
        found: list[Part] = []
        for path in self.paths:
            with self._noting(path):
                found.extend(Part(path, split) for split in self._recording(path).splits(self.split_bytes))
        return found

    def _first_kind(self) -> str | None:
        """The kind of the values: that of the first sample."""
        for path in self.paths:
            with self._noting(path):
                try:
                    for sample in self._recording(path).samples(self.channels, errors="ignore"):
                        return sample.kind
                except ChannelNotFound:
                    continue
        return None

    def schema(self) -> Any:
        """The columns of all recordings together, as a pyarrow.Schema.

        Values of most kinds have the same columns everywhere, known from the first recording with such a value. Rows have
        columns of their own, so every recording is read for them: give a schema to the engine to avoid that.
        """
        found: list[Any] = []
        for path in self.paths:
            with self._noting(path):
                try:
                    schema = pyarrow.schema(self._recording(path).table(self.channels, **self._chosen()))
                except ChannelNotFound:
                    continue
                found.append(schema)
                if _kind(schema) != "row":
                    break
        if not found:
            what = f" of kind {self.kind}" if self.kind else ""
            failed = f"; {len(self.failures)} could not be read, {self.failures[0].error}" if self.failures else ""
            names = ", ".join(self.channels)
            raise ChannelNotFound(f"none of {len(self.paths)} recordings has samples{what} in {names}{failed}")
        return _joined(found)

    def samples(self, part: Part) -> Iterator[Sample]:
        """The samples of a part: those before a failure."""
        with self._noting(part.path):
            limits: dict[str, Any] = {"start": self.start, "end": self.end, "errors": self.errors}
            source = part.split or self._recording(part.path)
            for sample in source.samples(self.channels, **limits):
                if sample.kind == (self.kind or sample.kind):
                    yield sample

    @contextmanager
    def _noting(self, path: str) -> Iterator[None]:
        """Notes a recording that cannot be read, unless its error is raised."""
        try:
            yield
        except ChannelNotFound:
            raise
        except (Error, OSError) as error:
            if self.errors == "raise":
                raise
            if any(one.path == path for one in self.failures):
                return
            text = str(error)
            self.failures.append(Failure(path, text))
            if self.errors == "warn":
                warnings.warn(text if path in text else f"{path}: {text}", DamageWarning, stacklevel=4)

    def _chosen(self) -> dict[str, Any]:
        return {"kind": self.kind, "start": self.start, "end": self.end, "errors": self.errors}

    def _recording(self, path: str) -> Recording:
        recording = self.opened.get(path)
        if recording is None:
            recording = _open(path, format=self.format, **self.options)
            self.opened.clear()
            self.opened[path] = recording
        return recording

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "opened": {}}


@dataclass(frozen=True)
class Source:
    """The table of a scan, which an engine reads part by part."""

    scan: Scan
    schema: Any
    is_guessed: bool
    """Whether the kind is that of the first sample, which nobody named."""

    @classmethod
    def of(cls, scan: Scan, schema: Any = None) -> Source:
        """With the columns of ``schema``, a pyarrow.Schema; by default those of the recordings."""
        is_guessed = scan.kind is None
        if is_guessed:
            scan = replace(scan, kind=scan._first_kind())
        return cls(scan, scan.schema() if schema is None else schema, is_guessed)

    def parts(self, wanted: Wanted = ANY) -> list[Part]:
        """The parts with rows that may match, to be read in parallel."""
        # Only all rows of a recording show their columns, so they are read as a whole.
        size = _WHOLE if self.scan.kind == "row" else self.scan.split_bytes
        paths = tuple(part.path for part in self.wholes(wanted))
        return replace(self.scan, paths=paths, split_bytes=size).splits()

    def wholes(self, wanted: Wanted = ANY) -> list[Part]:
        """The recordings with rows that may match."""
        return [Part(path) for path in self.scan.paths if wanted.recordings is None or path in wanted.recordings]

    def table(self, part: Part) -> Any:
        """The rows of a part as one pyarrow.Table."""
        return pyarrow.Table.from_batches(self.batches(part), self.schema)

    def batches(self, part: Part, wanted: Wanted = ANY, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """The rows of a part that may match, and perhaps others, as pyarrow.RecordBatch: those before a failure."""
        schema = self.schema if columns is None else pyarrow.schema([self.schema.field(name) for name in columns])
        with self.scan._noting(part.path):
            table = self._table(part, wanted, schema.names)
            if table is None:
                return
            rows = table._counted() if schema.names == [RECORDING] else None
            if rows is not None:
                # All batches share one memory.
                paths = pyarrow.repeat(pyarrow.scalar(part.path), min(_ROWS, rows))
                whole = pyarrow.RecordBatch.from_arrays([paths], schema=schema)
                for first in range(0, rows, _ROWS):
                    yield whole.slice(0, rows - first)
                return
            try:
                for batch in table:
                    yield _conformed(pyarrow.record_batch(batch), part.path, schema)
            except ChannelNotFound:
                self._has_nothing_else(part)

    def rows(self, part: Part) -> int:
        """Number of rows: by a survey, if it counts them."""
        with self.scan._noting(part.path):
            table = self._table(part, ANY, [])
            try:
                return 0 if table is None else len(table)
            except ChannelNotFound:
                self._has_nothing_else(part)
        return 0

    def _table(self, part: Part, wanted: Wanted, columns: Sequence[str]) -> Table | None:
        scan = self.scan
        source = part.split or scan._recording(part.path)
        recording = source if isinstance(source, Recording) else source.recording
        limits = _limits(recording, wanted) if scan.start is None and scan.end is None else {}
        if limits is None or wanted.passes_nothing:
            return None
        channels: Sequence[str] = scan.channels
        if wanted.channels is not None and channels == ("*",):
            # A name with wildcards is a glob too; the engine filters the rows.
            channels = sorted(wanted.channels)
        # Rows of other channels have other columns, known only from all of them.
        table = source.table(channels, **(scan._chosen() | limits))
        return table._having([name for name in columns if name != RECORDING])

    def _has_nothing_else(self, part: Part) -> None:
        """Refuses a recording with values of other kinds, if nobody said which kind is meant."""
        if not self.is_guessed:
            return
        with suppress(ChannelNotFound):
            for sample in self.scan._recording(part.path).samples(self.scan.channels, errors="ignore"):
                if sample.kind == self.scan.kind:
                    return
                what = f"holds {sample.kind}, others {self.scan.kind}"
                raise ValueError(f"{part.path}: {what}: a table holds one kind, choose with kind=")


def _limits(recording: Recording, wanted: Wanted) -> dict[str, Any] | None:
    """The arguments for these times; None if nothing lies between them."""
    import numpy

    if wanted.start_ns is None and wanted.end_ns is None:
        return {}
    if wanted.start_ns is not None and wanted.end_ns is not None and wanted.end_ns <= wanted.start_ns:
        return None
    sample = next(iter(recording.samples(errors="ignore")), None)
    # If the first sample has a calendar time, the recording is not read to its end.
    is_unix = sample is not None and isinstance(sample.time, numpy.datetime64)
    start = sample.time if sample is not None and is_unix else recording.start
    if start is None:
        return {}

    def time(nanos: int | None) -> Any:
        if nanos is None:
            return None
        if isinstance(start, numpy.datetime64):
            return numpy.datetime64(nanos, "ns")
        return numpy.timedelta64(max(nanos - int(start.astype(int)), 0), "ns")

    return {"start": time(wanted.start_ns), "end": time(wanted.end_ns)}


def _matching(path: str) -> list[str]:
    """The paths that match a glob, in order; an existing path or an address matches itself."""
    if _remote.is_url(path) or not glob.has_magic(path) or os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(errno.ENOENT, "no file matches", path)
    return found


def _below(path: str) -> Iterable[str]:
    """The recordings at a path."""
    if not _remote.is_url(path):
        return recordings(path)
    found = _remote.below(path)
    return found if found == [path] else filter(_is_recording, found)


def _is_recording(url: str) -> bool:
    """Whether a file begins like a recording."""
    try:
        _open(url)
    except Error:
        return False
    return True


def _kind(schema: Any) -> str | None:
    kind = (schema.metadata or {}).get(KIND)
    return kind.decode() if kind else None


def _joined(schemas: list[Any]) -> Any:
    """The union of columns, in order of first appearance."""
    fields: dict[str, Any] = {RECORDING: pyarrow.field(RECORDING, pyarrow.string())}
    for schema in schemas:
        for one in schema:
            known = fields.setdefault(one.name, one)
            if known.type != one.type:
                fields[one.name] = known.with_type(_common(known.type, one.type))
    return pyarrow.schema(list(fields.values()), metadata=schemas[0].metadata)


def _common(a: Any, b: Any) -> Any:
    """Numbers of two types become float64, other mixtures text: as in a table of one recording."""
    is_number = [pyarrow.types.is_integer(one) or pyarrow.types.is_floating(one) for one in (a, b)]
    return pyarrow.float64() if all(is_number) else pyarrow.string()


def _conformed(batch: Any, path: str, schema: Any) -> Any:
    """The columns of ``schema``: null if the recording lacks them."""
    columns = []
    for one in schema:
        if one.name == RECORDING:
            column = pyarrow.repeat(pyarrow.scalar(path, one.type), batch.num_rows)
        elif one.name in batch.schema.names:
            column = batch.column(one.name)
            column = column if column.type == one.type else column.cast(one.type)
        else:
            column = pyarrow.nulls(batch.num_rows, one.type)
        columns.append(column)
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)
