"""Recordings as a data source of Apache Spark 4.1 and newer: ``pip install 'pyrobolog[spark]'``.

>>> import pyrobolog.spark
>>> pyrobolog.spark.register(spark)
>>> points = spark.read.format("robolog").option("channels", "*/points").load("logs/")
>>> points.groupBy("recording").count().show()

Options are the arguments of Recording.table and of pyrobolog.open: ``channels`` (globs, separated by commas), ``kind``,
``start``, ``end``, ``errors``, ``format``, ``time_offset`` and so on. Filters on ``recording``, ``channel`` and ``time``
reach the reader if ``spark.sql.python.filterPushdown.enabled`` is true, which `register` sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import reduce
from operator import and_
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    LessThan,
    LessThanOrEqual,
    Not,
)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ._engine import Failure, Part, Scan, Source
from ._pushdown import ANY, NEGATED, Wanted, compared

__all__ = ["Failure", "RobologDataSource", "failures", "register"]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_OPERATORS = {EqualTo: "==", In: "in", GreaterThan: ">", GreaterThanOrEqual: ">=", LessThan: "<", LessThanOrEqual: "<="}


def register(spark: SparkSession) -> None:
    """Registers ``spark.read.format("robolog")`` in a session, with filters pushed down."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(RobologDataSource)


def failures(path: str, **options: Any) -> list[Failure]:
    """The recordings below a path that cannot be opened, which a data frame with these options leaves out."""
    scan = _scan({"path": path, "errors": "ignore", **options})
    scan.splits()
    return scan.failures


class RobologDataSource(DataSource):  # type: ignore[misc]
    """The table of the recordings below a path."""

    @classmethod
    def name(cls) -> str:
        """Name for ``spark.read.format``."""
        return "robolog"

    def schema(self) -> StructType:
        """The columns, if the reader was given none."""
        return from_arrow_schema(Source.of(_scan(self.options)).schema)

    def reader(self, schema: StructType) -> Reader:
        """Reads with these columns."""
        return Reader(Source.of(_scan(self.options), to_arrow_schema(schema, timezone="UTC")))


def _scan(given: Mapping[str, Any]) -> Scan:
    options = dict(given)
    path = options.pop("path", None)
    if path is None:
        raise ValueError("give a path: spark.read.format('robolog').load(PATH)")
    channels = options.pop("channels", "*").split(",")
    return Scan.of(path, channels, **{name: _value(text) for name, text in options.items()})


def _value(text: Any) -> Any:
    """An option, which Spark passes as text, as a number, a truth value or a list if it is spelled as one."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


@dataclass
class _Partition(InputPartition):  # type: ignore[misc]
    part: Part


class Reader(DataSourceReader):  # type: ignore[misc]
    """Reads a partition as Arrow batches."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._wanted = ANY

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Reads less by filters on the recording, the channel and the time; Spark applies all of them itself."""
        self._wanted = reduce(and_, map(_accepted, filters), self._wanted)
        return filters

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each part that can be read independently."""
        return [_Partition(part) for part in self._source.parts(self._wanted)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of a partition."""
        return self._source.batches(partition.part, self._wanted)


def _accepted(one: Filter) -> Wanted:
    """The rows that a filter accepts."""
    if isinstance(one, Not):
        inner = one.child
        operator = NEGATED.get(_OPERATORS.get(type(inner), ""), "")
    else:
        inner, operator = one, _OPERATORS.get(type(one), "")
    if not operator or len(inner.attribute) != 1:
        return ANY
    value = inner.value
    return compared(inner.attribute[0], operator, list(map(_nanos, value)) if operator == "in" else _nanos(value))


def _nanos(value: Any) -> Any:
    """A time in nanoseconds; without a time zone it is this computer's, as in Spark's own collect."""
    if not isinstance(value, datetime):
        return value
    return (value.astimezone(timezone.utc) - _EPOCH) // timedelta(microseconds=1) * 1000
