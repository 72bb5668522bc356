"""Recordings as a data source of Apache Spark 4.1 and newer: ``pip install 'pyrobolog[spark]'``.

>>> import pyrobolog.spark
>>> pyrobolog.spark.register(spark)
>>> points = spark.read.format("robolog").option("channels", "*/points").load("logs/")
>>> points.groupBy("recording").count().show()

Options are the arguments of Recording.table and of pyrobolog.open: ``channels`` (globs, separated by commas), ``kind``,
``start``, ``end``, ``errors``, ``format``, ``time_offset`` and so on. Filters on the column ``time`` reach the reader if
``spark.sql.python.filterPushdown.enabled`` is true, which `register` sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    InputPartition,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ._engine import Failure, Part, Scan

__all__ = ["Failure", "RobologDataSource", "failures", "register"]

_TICK = timedelta(microseconds=1)
"""Spark's timestamps are whole microseconds."""


def register(spark: SparkSession) -> None:
    """Registers ``spark.read.format("robolog")`` in a session, with filters pushed down."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(RobologDataSource)


def failures(path: str, **options: Any) -> list[Failure]:
    """The recordings below a path that cannot be opened, which a data frame with these options leaves out."""
    scan = _scan({"path": path, "errors": "ignore", **options})
    scan.parts()
    return scan.failures


class RobologDataSource(DataSource):  # type: ignore[misc]
    """The table of the recordings below a path."""

    @classmethod
    def name(cls) -> str:
        """Name for ``spark.read.format``."""
        return "robolog"

    def schema(self) -> StructType:
        """The columns, if the reader was given none."""
        return from_arrow_schema(_scan(self.options).schema())

    def reader(self, schema: StructType) -> Reader:
        """Reads with these columns."""
        return Reader(_scan(self.options), schema)


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

    def __init__(self, scan: Scan, schema: StructType) -> None:
        self._scan = scan
        self._schema = schema
        self._start: datetime | None = None
        self._end: datetime | None = None

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Uses limits of ``time``, unless the options have some, to read less; Spark applies all filters itself."""
        if self._scan.start is None and self._scan.end is None:
            for one in filters:
                self._take(one)
        return filters

    def _take(self, one: Filter) -> None:
        value = getattr(one, "value", None)
        if getattr(one, "attribute", None) != ("time",) or not isinstance(value, datetime):
            return
        # Without a time zone it is this computer's, as in Spark's own collect.
        time = value.astimezone(timezone.utc)
        match one:
            case GreaterThanOrEqual():
                self._from(time)
            case GreaterThan():
                self._from(time + _TICK)
            case LessThan():
                self._to(time)
            case LessThanOrEqual():
                self._to(time + _TICK)
            case EqualTo():
                self._from(time)
                self._to(time + _TICK)

    def _from(self, time: datetime) -> None:
        self._start = time if self._start is None else max(self._start, time)

    def _to(self, time: datetime) -> None:
        self._end = time if self._end is None else min(self._end, time)

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each part that can be read independently."""
        return [_Partition(part) for part in self._scan.parts()]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of a partition."""
        schema = to_arrow_schema(self._schema, timezone="UTC")
        return self._scan.within(self._start, self._end).batches(partition.part, schema)
