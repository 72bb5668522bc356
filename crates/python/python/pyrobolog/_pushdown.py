"""Channels and times that a filter accepts, found by asking Arrow and polars.

The engine still applies its filter to every row that is read. An unsupported filter reads everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_QUOTED = re.compile(r'"([^"]*)"')
_CALL = re.compile(r"(\w+)\(")
_KNOWN_CALLS = {"and", "or", "invert", "is_valid", "is_null", "is_in", "if_else"}
_PARTS = 16
"""A span of time is looked at in so many parts."""
_FINE = 1_000_000
"""Nanoseconds: a limit is no closer than this to the first row."""

Limits = tuple[int | None, int | None]
"""From, and up to but not including: nanoseconds of the recording's clock."""


@dataclass(frozen=True)
class Wanted:
    """The rows that may pass."""

    channels: tuple[str, ...] | None = None
    """None is all."""
    start_ns: int | None = None
    end_ns: int | None = None


class ArrowFilter:
    """A pyarrow.compute.Expression, asked through the guarantees that fragments of a data set give."""

    def __init__(self, expression: Any, schema: Any) -> None:
        import pyarrow.dataset as dataset  # type: ignore[import-untyped]
        from pyarrow import fs

        self._expression, self._schema = expression, schema
        self._dataset, self._files = dataset, fs.LocalFileSystem()
        self._format = dataset.ParquetFileFormat()

    def may_pass(self, guarantees: Sequence[Any]) -> list[bool]:
        """Whether rows may pass for which all these expressions are true."""
        # Choosing among fragments does not open them.
        fragments = [
            self._format.make_fragment(str(i), self._files, partition_expression=one) for i, one in enumerate(guarantees)
        ]
        made = self._dataset.FileSystemDataset(fragments, self._schema, self._format, self._files)
        kept = {fragment.path for fragment in made.get_fragments(filter=self._expression)}
        return [fragment.path in kept for fragment in fragments]

    def columns(self) -> set[str]:
        """The columns that it may use, and perhaps others."""
        text = str(self._expression)
        return {name for name in self._schema.names if name in text}

    def channels(self) -> tuple[str, ...] | None:
        """The channels whose rows may pass; None for any."""
        text = str(self._expression)
        bare = _QUOTED.sub('""', text)
        # Abbreviated lists, names with escapes, and text functions are not understood.
        if "channel" not in self._schema.names or "\\" in text or "..." in bare:
            return None
        if not set(_CALL.findall(bare)) <= _KNOWN_CALLS:
            return None
        named = sorted(set(_QUOTED.findall(text)))
        # Compared with only these names, all names between two of them give the same result: one represents them.
        between = ["", *(name + "\0" for name in named)]
        channel = self._dataset.field("channel")
        passing = self.may_pass([channel == name for name in [*named, *between]] + [channel.is_null()])
        if any(passing[len(named) :]):
            return None
        return tuple(name for name, passes in zip(named, passing) if passes)

    def times(self, start_ns: int, end_ns: int, is_unix: bool) -> Limits:
        """The times between which rows may pass; a recording lies between these."""
        names = set(self._schema.names) & {"time_ns", "time"}
        if not names or self.may_pass([self._untimed(names)])[0]:
            return None, None
        kept = self._survivors([None, start_ns, end_ns + 1, None], names, is_unix)
        if not kept:
            return start_ns, start_ns
        return self._closer(kept[0], 0, names, is_unix)[0], self._closer(kept[-1], -1, names, is_unix)[1]

    def _closer(self, part: Limits, which: int, names: set[str], is_unix: bool) -> Limits:
        """The first or the last small part of it whose rows may pass."""
        while part[0] is not None and part[1] is not None and part[1] - part[0] > _FINE:
            kept = self._survivors(_parts(part[0], part[1]), names, is_unix)
            if not kept:
                break
            part = kept[which]
        return part

    def _untimed(self, names: set[str]) -> Any:
        field = self._dataset.field
        return _all([field(name).is_null() for name in sorted(names)])

    def _survivors(self, edges: list[int | None], names: set[str], is_unix: bool) -> list[Limits]:
        """The parts between two edges whose rows may pass."""
        parts = list(zip(edges, edges[1:]))
        passing = self.may_pass([self._within(*part, names, is_unix) for part in parts])
        return [part for part, passes in zip(parts, passing) if passes]

    def _within(self, start: int | None, end: int | None, names: set[str], is_unix: bool) -> Any:
        import pyarrow  # type: ignore[import-untyped,unused-ignore]

        field, said = self._dataset.field, []
        if "time_ns" in names:
            said += [] if start is None else [field("time_ns") >= start]
            said += [] if end is None else [field("time_ns") < end]
        if "time" in names and is_unix:
            kind = self._schema.field("time").type
            said += [] if start is None else [field("time") >= pyarrow.scalar(start // 1000, kind)]
            said += [] if end is None else [field("time") <= pyarrow.scalar((end - 1) // 1000, kind)]
        elif "time" in names:
            said.append(field("time").is_null())
        return _all(said)


def _all(said: list[Any]) -> Any:
    together = said[0]
    for one in said[1:]:
        together = together & one
    return together


def _parts(start: int, end: int) -> list[int | None]:
    return sorted({start + (end - start) * i // _PARTS for i in range(_PARTS + 1)})  # type: ignore[return-value]


def of_polars(predicate: Any) -> Wanted:
    """The rows that a polars filter accepts, by its parts joined by ``and`` that compare a column with a value."""
    channels: set[str] | None = None
    start: int | None = None
    end: int | None = None
    for one in _conjuncts(predicate):
        column, compared, value = _comparison(one)
        if column == "channel" and compared in ("==", "in"):
            named = {value} if compared == "==" else set(value)
            if all(isinstance(name, str) for name in named):
                channels = named if channels is None else channels & named
        elif column in ("time", "time_ns"):
            low, high = _limits(column, compared, value)
            start = low if start is None else start if low is None else max(start, low)
            end = high if end is None else end if high is None else min(end, high)
    return Wanted(None if channels is None else tuple(sorted(channels)), start, end)


def _conjuncts(expression: Any) -> Iterator[Any]:
    parts = expression.meta.pop()
    for a, b in (parts, parts[::-1]) if len(parts) == 2 else ():
        if (a & b).meta.eq(expression):
            yield from _conjuncts(a)
            yield from _conjuncts(b)
            return
    yield expression


def _comparison(expression: Any) -> tuple[str | None, str, Any]:
    """A column, the comparison, and the value; None for anything else."""
    parts = expression.meta.pop()
    for a, b in (parts, parts[::-1]) if len(parts) == 2 else ():
        if not a.meta.is_column() or b.meta.root_names():
            continue
        tried = {"==": a == b, ">=": a >= b, ">": a > b, "<=": a <= b, "<": a < b}
        swapped = {"==": b == a, "<=": b >= a, "<": b > a, ">=": b <= a, ">": b < a}
        for forms in (tried, swapped):
            for compared, form in forms.items():
                if form.meta.eq(expression):
                    return a.meta.output_name(), compared, _value(b)
        if a.is_in(b).meta.eq(expression):
            return a.meta.output_name(), "in", _value(b)
    return None, "", None


def _value(literal: Any) -> Any:
    import polars

    series = polars.select(literal).to_series()
    if series.dtype in (polars.List, polars.Array) and len(series) == 1:
        series = series[0]
    elif len(series) == 1:
        one = series
        if one.dtype == polars.Datetime:
            return one.dt.timestamp("ns").item()
        return one.item()
    return series.to_list()


def _limits(column: str, compared: str, value: Any) -> Limits:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 62:
        return None, None
    # A table's time is in whole microseconds, rounded down.
    step = 1000 if column == "time" else 1
    value -= value % step
    return {
        "==": (value, value + step),
        ">=": (value, None),
        ">": (value if step > 1 else value + 1, None),
        "<=": (None, value + step),
        "<": (None, value + step),
    }.get(compared, (None, None))
