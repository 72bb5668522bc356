"""Recordings, channels and times that a filter accepts, found in its expression tree.

The engine still applies its filter to every row that is read. What is not understood reads everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import and_, or_
from typing import Any, cast

Limits = tuple[int | None, int | None]
"""From, and up to but not including: nanoseconds of the recording's clock."""

NEGATED = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
"""The comparisons that are true where these are false."""
_SWAPPED = {"==": "==", ">=": "<=", ">": "<", "<=": ">=", "<": ">"}


@dataclass(frozen=True)
class Wanted:
    """The rows that may pass; None is any. Joined by ``&`` and ``|`` as filters are."""

    recordings: frozenset[str] | None = None
    channels: frozenset[str] | None = None
    start_ns: int | None = None
    end_ns: int | None = None

    def __and__(self, other: Wanted) -> Wanted:
        return self._joined(other, lambda joined, a, b: b if a is None else a if b is None else joined(a, b), and_, max, min)

    def __or__(self, other: Wanted) -> Wanted:
        if self.passes_nothing or other.passes_nothing:
            return other if self.passes_nothing else self
        return self._joined(other, lambda joined, a, b: None if a is None or b is None else joined(a, b), or_, min, max)

    @property
    def passes_nothing(self) -> bool:
        """Whether no channel passes."""
        return self.channels is not None and not self.channels

    def _joined(self, other: Wanted, by: Any, names: Any, start: Any, end: Any) -> Wanted:
        return Wanted(
            by(names, self.recordings, other.recordings),
            by(names, self.channels, other.channels),
            by(start, self.start_ns, other.start_ns),
            by(end, self.end_ns, other.end_ns),
        )


ANY = Wanted()
_NOTHING = Wanted(channels=frozenset())


def compared(column: str | None, operator: str, value: Any) -> Wanted:
    """The rows of which a column compares so with a value, for ``in`` with one of several; times are in nanoseconds."""
    if operator == "in":
        return reduce(or_, (compared(column, "==", one) for one in value), _NOTHING)
    if operator == "==" and isinstance(value, str):
        named = frozenset([value])
        return Wanted(recordings=named) if column == "recording" else Wanted(channels=named) if column == "channel" else ANY
    if column in ("time", "time_ns") and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62:
        # A table's time is in whole microseconds, rounded down.
        step = 1000 if column == "time" else 1
        return Wanted(None, None, *_limits(operator, value - value % step, step))
    return ANY


def _limits(operator: str, value: int, step: int) -> Limits:
    return {
        "==": (value, value + step),
        ">=": (value, None),
        ">": (value if step > 1 else value + 1, None),
        "<=": (None, value + step),
        "<": (None, value + step),
    }.get(operator, (None, None))


def of_arrow(expression: Any, schema: Any) -> tuple[Wanted, set[str]]:
    """The rows that a pyarrow.compute.Expression accepts, and the columns that it uses."""
    import pyarrow  # type: ignore[import-untyped]

    try:
        tree = _Tree(expression, schema)
        return tree.wanted(tree.root), tree.columns(tree.root)
    except (pyarrow.ArrowException, LookupError):
        # A function that only Arrow has.
        return ANY, set(schema.names)


Message = dict[int, list[Any]]


class _Tree:
    """An expression in the form in which engines exchange them, Substrait: the numbers are those of its messages' fields."""

    _COMPARED = {"equal": "==", "gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}

    def __init__(self, expression: Any, schema: Any) -> None:
        self._schema = schema
        whole = _message(bytes(expression.to_substrait(schema)))
        declared = [_message(_message(one)[3][0]) for one in whole.get(2, [])]
        self._functions = {one.get(2, [0])[0]: one[3][0].decode() for one in declared}
        self.root = _message(_message(whole[3][0])[1][0])

    def wanted(self, node: Message, is_negated: bool = False) -> Wanted:
        """The rows that may pass."""
        if 8 in node and not is_negated:
            column, values = self._operand(_message(node[8][0])[1][0]), _message(node[8][0]).get(2, [])
            return self._compared(column, "in", [self._operand(one) for one in values])
        if 6 in node and not is_negated:
            # DuckDB's IN is null where the column is.
            choice = _message(node[6][0])
            parts = [_message(one)[2][0] for one in choice[1]] + choice[2]
            return reduce(or_, (self.wanted(_message(one)) for one in parts))
        if 1 in node:
            return _NOTHING if 29 in _message(node[1][0]) else ANY
        name, inner = self._call(node)
        if name in ("and", "or"):
            parts = [self.wanted(_message(one), is_negated) for one in inner]
            by: Any = and_ if (name == "and") != is_negated else or_
            return cast(Wanted, reduce(by, parts))
        if name == "not":
            return self.wanted(_message(inner[0]), not is_negated)
        operator = self._COMPARED.get(name, "")
        if is_negated:
            operator = NEGATED.get(operator, "")
        if not operator:
            return ANY
        a, b = map(self._operand, inner)
        return self._compared(a, operator, b) & self._compared(b, _SWAPPED[operator], a)

    def columns(self, node: Message) -> set[str]:
        """The columns that it uses."""
        if 1 in node:
            return set()
        if 2 in node:
            return {self._column(node).name}
        if 8 in node:
            fields = _message(node[8][0])
            inner = fields[1] + fields.get(2, [])
        elif 6 in node:
            choice = _message(node[6][0])
            inner = [one for pair in choice[1] for values in _message(pair).values() for one in values] + choice[2]
        elif 3 in node:
            _, inner = self._call(node)
        else:
            inner = _message(node[11][0])[2]
        return set().union(*(self.columns(_message(one)) for one in inner))

    def _call(self, node: Message) -> tuple[str, list[bytes]]:
        """A function's name and arguments."""
        if 3 not in node:
            return "", []
        call = _message(node[3][0])
        arguments = (_message(one) for one in call.get(4, []))
        return self._functions[call.get(1, [0])[0]], [one[3][0] for one in arguments if 3 in one]

    def _column(self, node: Message) -> Any:
        """The column of a reference, a pyarrow.Field."""
        segment = _message(_message(_message(node[2][0])[1][0])[2][0])
        return self._schema.field(segment.get(1, [0])[0])

    def _operand(self, data: bytes) -> Any:
        """A column as pyarrow.Field, a literal as text or a number, None for anything else."""
        node = _message(data)
        if 2 in node:
            return self._column(node)
        literal = _message(node[1][0]) if 1 in node else {}
        if 12 in literal:
            return literal[12][0].decode()
        for number, nanos in _INTEGERS.items():
            if number in literal:
                value = literal[number][0]
                return (value - (1 << 64) if value >> 63 else value) * nanos
        return None

    @staticmethod
    def _compared(column: Any, operator: str, value: Any) -> Wanted:
        return compared(getattr(column, "name", None), operator, value)


_INTEGERS = {2: 1, 3: 1, 5: 1, 7: 1, 14: 1000, 27: 1000}
"""Literals of 8 to 64 bits, and times in microseconds: their size."""


def _message(data: bytes) -> Message:
    """The values of a message of Protocol Buffers by the numbers of their fields."""
    found: Message = {}
    rest = iter(data)
    for tag in rest:
        tag = _varint(tag, rest)
        if tag & 7 == 0:
            value: Any = _varint(next(rest), rest)
        else:
            size = {1: 8, 5: 4}.get(tag & 7) or _varint(next(rest), rest)
            value = bytes(islice(rest, size))
        found.setdefault(tag >> 3, []).append(value)
    return found


def _varint(first: int, rest: Iterator[int]) -> int:
    value, shift = first & 127, 7
    while first > 127:
        first = next(rest)
        value |= (first & 127) << shift
        shift += 7
    return value


def of_polars(predicate: Any) -> Wanted:
    """The rows that a polars filter accepts: its parts show what it is when they are put together again."""
    parts: list[Any] = predicate.meta.pop()
    for a, b in (parts, parts[::-1]) if len(parts) == 2 else ():
        if (a & b).meta.eq(predicate):
            return of_polars(a) & of_polars(b)
        if (a | b).meta.eq(predicate):
            return of_polars(a) | of_polars(b)
        if a.meta.is_column() and not b.meta.root_names():
            tried = {"==": a == b, ">=": a >= b, ">": a > b, "<=": a <= b, "<": a < b, "in": a.is_in(b)}
            swapped = {"==": b == a, "<=": b >= a, "<": b > a, ">=": b <= a, ">": b < a}
            for forms in (tried, swapped):
                for operator, form in forms.items():
                    if form.meta.eq(predicate):
                        return compared(a.meta.output_name(), operator, _value(b))
    return ANY


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
