"""Notebook representations of recordings, tables and samples."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from itertools import islice
from typing import Any

from . import ChannelNotFound, Image, LaserScan, PointCloud, Recording, Sample, Table

_ROWS = 10
_CHANNELS = 50
_WIDEST = 40
_PIXELS = 320
"""The longer side of a picture."""
_CELLS = 160
"""The longer side of a cloud: fewer, so that single points are seen."""
_LARGEST = 4 << 20
"""Bytes of an encoded image that is shown."""
_LOW, _MIDDLE, _HIGH = (72, 33, 115), (33, 145, 140), (253, 231, 37)
"""Colours of heights."""


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


def sample(shown: Sample) -> str:
    """Its channel, kind and time, with a picture or the value."""
    value = shown.value
    facts = [shown.kind, str(shown.time) if shown.time is not None else "no time"]
    if isinstance(value, PointCloud):
        picture = _from_above(value.x, value.y, value.z)
        facts.append(f"{len(value)} points: {', '.join(value.columns)}")
    elif isinstance(value, LaserScan):
        import numpy

        angles = value.angle_min + value.angle_increment * numpy.arange(len(value))
        picture = _from_above(value.ranges * numpy.cos(angles), value.ranges * numpy.sin(angles), value.ranges)
        facts.append(f"{len(value)} ranges")
    elif isinstance(value, Image):
        picture = _image(value)
        facts.append(f"{value.encoding}, {value.width} x {value.height}")
    else:
        picture = _table(["", "value"], _fields(value))
    return f"<b>{escape(shown.channel)}</b><br>{escape(', '.join(facts))}<br>{picture}"


def _fields(value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict):
        return value.items()
    names = [name for name in dir(value) if not name.startswith("_")]
    if isinstance(value, (float, str)) or not names:
        return [("value", value)]
    return [(name, getattr(value, name)) for name in names]


def _from_above(x: Any, y: Any, z: Any) -> str:
    """Points on the ground, x upwards and y to the left, coloured by z: the highest of each pixel."""
    import numpy as np

    is_there = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    x, y, z = (np.asarray(axis, np.float64)[is_there] for axis in (x, y, z))
    if len(x) == 0:
        return ""
    metres = max(np.ptp(x), np.ptp(y), 1e-3) / (_CELLS - 1)
    rows, columns = (np.rint((axis.max() - axis) / metres).astype(int) for axis in (x, y))
    # A few distant returns should not change the other colours.
    low, high = np.percentile(z, [2, 98])
    part = np.clip((z - low) / max(high - low, 1e-9), 0, 1)
    pixels = np.zeros((rows.max() + 1, columns.max() + 1, 4), np.uint8)
    order = np.argsort(z, kind="stable")
    colours = [np.interp(part[order], [0, 0.5, 1], ends) for ends in zip(_LOW, _MIDDLE, _HIGH)]
    pixels[rows[order], columns[order]] = np.stack([*colours, np.full(len(order), 255)], axis=1)
    return _picture("png", _png(pixels.repeat(2, 0).repeat(2, 1)))


def _image(image: Image) -> str:
    if image.encoding in ("jpeg", "png"):
        return _picture(image.encoding, image.data) if len(image.data) <= _LARGEST else ""
    try:
        pixels = image.array
    except ValueError as error:
        return escape(str(error))
    step = -(-max(pixels.shape[:2], default=1) // _PIXELS) or 1
    pixels = pixels[::step, ::step]
    return _picture("png", _png(pixels if pixels.dtype == "u1" else (pixels >> 8).astype("u1")))


def _picture(kind: str, file: bytes) -> str:
    style = f"max-width:{_PIXELS}px;max-height:{_PIXELS}px"
    return f'<img style="{style}" src="data:image/{kind};base64,{b64encode(file).decode()}">'


def _png(pixels: Any) -> bytes:
    """A PNG file of rows and columns of grey, or of these with three or four colours."""
    height, width = pixels.shape[:2]
    kind = {1: 0, 3: 2, 4: 6}[pixels[0, 0].size]
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


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
