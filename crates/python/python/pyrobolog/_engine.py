"""Common code of the adapters for Spark, Ray, Dask, Daft and PyTorch: recordings, columns, the batches of a part.

The engines see one table: that of Recording.table for each recording, with a first column ``recording``, the path.
All columns are nullable, and no integer is unsigned.
"""

from __future__ import annotations

import errno
import glob
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

try:
    import pyarrow  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("folders of recordings are read with pyarrow: pip install pyarrow") from error

from . import ChannelNotFound, DamageWarning, Error, Recording, Sample, Split, Table, _remote, open as _open, recordings
from ._call import unknown
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

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Part:
    """A part of the work: small, picklable, and readable anywhere."""

    path: str
    split: Split
    size: int
    """Bytes to read; 0 where that is not known."""


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

    def within(self, start: Any, end: Any) -> Scan:
        """The same between two times; None keeps a limit."""
        return replace(self, start=self.start if start is None else start, end=self.end if end is None else end)

    def parts(self) -> list[Part]:
        """The parts that can be read in parallel as tables."""
        # Only all rows of a recording show their columns, so they are read as a whole.
        return self.splits(_WHOLE if self._first_kind() == "row" else self.split_bytes)

    def splits(self, size: int) -> list[Part]:
        """The splits of all recordings, of at least this many bytes."""
        found: list[Part] = []
        for path in self.paths:
            with self._noting(path):
                splits = self._recording(path).splits(size)
                found.extend(Part(path, split, split.end - split.start) for split in splits)
        return found

    def _first_kind(self) -> str | None:
        """The kind of the values: that of the first sample."""
        if self.kind:
            return self.kind
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
                    schema = pyarrow.schema(self._table(self._recording(path)))
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

    def batches(self, part: Part, schema: Any) -> Iterator[Any]:
        """The rows of a part as pyarrow.RecordBatch, with the columns of ``schema``: those before a failure."""
        with self._noting(part.path):
            yield from self._batches(part, schema)

    def _batches(self, part: Part, schema: Any) -> Iterator[Any]:
        try:
            reader = pyarrow.RecordBatchReader.from_stream(self._table(part.split))
        except ChannelNotFound:
            return
        here, wanted = _kind(reader.schema), _kind(schema)
        # Spark drops the kind, but only rows have columns that other recordings lack.
        missing = {one.name for one in schema} - {RECORDING, *reader.schema.names}
        if here != (wanted or here) or missing and here != "row":
            raise ValueError(f"{part.path}: holds {here}, others do not: a table holds one kind, choose with kind=")
        for batch in reader:
            yield _conformed(batch, part.path, schema)

    def samples(self, part: Part) -> Iterator[Sample]:
        """The samples of a part: those before a failure."""
        with self._noting(part.path):
            limits: dict[str, Any] = {"start": self.start, "end": self.end, "errors": self.errors}
            for sample in part.split.samples(self.channels, **limits):
                if sample.kind == (self.kind or sample.kind):
                    yield sample

    def table(self, part: Part, schema: Any) -> Any:
        """The rows of a part as one pyarrow.Table."""
        return pyarrow.Table.from_batches(self.batches(part, schema), schema)

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

    def _table(self, source: Recording | Split) -> Table:
        limits: dict[str, Any] = {"start": self.start, "end": self.end, "errors": self.errors}
        return source.table(self.channels, kind=self.kind, **limits)

    def _recording(self, path: str) -> Recording:
        recording = self.opened.get(path)
        if recording is None:
            recording = _open(path, format=self.format, **self.options)
            self.opened.clear()
            self.opened[path] = recording
        return recording

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "opened": {}}


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
