"""Recordings as data frames of Dask: ``pip install 'pyrobolog[dask]'``.

>>> import pyrobolog.dask
>>> points = pyrobolog.dask.read("logs/", "*/points")
>>> points.z.mean().compute()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.dataframe

from ._engine import Part, Paths, Scan

__all__ = ["read"]


def read(
    paths: Paths, channels: str | Sequence[str] = "*", *, schema: Any = None, **arguments: Any
) -> dask.dataframe.DataFrame:
    """The table of the channels in the recordings below ``paths``, a partition for each part.

    ``arguments`` are those of Recording.table (kind, start, end, errors) and of pyrobolog.open. ``schema`` is a
    pyarrow.Schema; by default it is found here. A recording that cannot be read is a DamageWarning, with errors="raise"
    an error; those that cannot be opened are appended to the list ``failures``, if given.
    """
    scan = Scan.of(paths, channels, **arguments)
    schema = scan.schema() if schema is None else schema
    meta = schema.empty_table().to_pandas()
    return dask.dataframe.from_map(_frame, scan.parts(), scan=scan, schema=schema, meta=meta, label="robolog")


def _frame(part: Part, *, scan: Scan, schema: Any) -> Any:
    return scan.table(part, schema).to_pandas()
