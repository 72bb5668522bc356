"""What notebooks show of recordings and tables."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import islice
from typing import Any

from . import ChannelNotFound, Recording, Table

_ROWS = 10
_CHANNELS = 50
_WIDEST = 40


def recording(shown: Recording) -> str:
    """Its name, format, times and channels."""
    channels = shown.channels
    facts = [shown.format, f"{len(channels)} channels"]
    if shown.start is not None:
        facts += [f"{shown.start}", f"{shown.duration.astype(float) / 1e9:.3f} s" if shown.duration is not None else ""]
    rows = ([one.name, one.kind, one.records, one.values, _rate(one.rate_hz)] for one in channels)
    head = f"<b>{escape(shown.name)}</b><br>{escape(', '.join(facts))}"
    more = f"<p>and {len(channels) - _CHANNELS} more</p>" if len(channels) > _CHANNELS else ""
    return head + _table(["channel", "kind", "records", "values", "Hz"], islice(rows, _CHANNELS)) + more


def table(shown: Table) -> str:
    """Its first rows."""
    try:
        columns, units = shown.columns, shown.units
    except ChannelNotFound as error:
        return f"<p>{escape(str(error))}</p>"
    import pyarrow  # type: ignore[import-untyped]

    rows: list[dict[str, Any]] = []
    for batch in shown:
        rows = pyarrow.record_batch(batch).slice(0, _ROWS).to_pylist()
        break
    heads = [f"{name} [{units[name]}]" if name in units else name for name in columns]
    return _table(heads, ([row[name] for name in columns] for row in rows))


def _rate(rate: float | None) -> str:
    return "" if rate is None else f"{rate:.2f}"


def _table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    def line(cells: Iterable[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else f"{len(value)} bytes" if isinstance(value, bytes) else str(value)
    return escape(text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "\N{HORIZONTAL ELLIPSIS}")
