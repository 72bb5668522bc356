"""Addresses: a server on this computer counts the requested bytes."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import duckdb
import fsspec
import polars
import pyarrow  # type: ignore[import-untyped]
import pytest

import pyrobolog
from pyrobolog._engine import Scan, Source

ENTRIES = 300_000


class _Ranges(BaseHTTPRequestHandler):
    """Serves the files of a folder, in ranges."""

    folder: Path
    sent = 0

    def do_HEAD(self) -> None:
        self._serve(with_body=False)

    def do_GET(self) -> None:
        self._serve(with_body=True)

    def _serve(self, *, with_body: bool) -> None:
        path = self.folder / self.path.lstrip("/")
        if not path.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        data = path.read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = 0, len(data) - 1
        if asked:
            first, last = int(asked[1]), min(int(asked[2] or last), last)
        part = data[first : last + 1]
        self.send_response(HTTPStatus.PARTIAL_CONTENT if asked else HTTPStatus.OK)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        if with_body:
            _Ranges.sent += len(part)
            self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of MOOS of some 13 MB."""
    path = tmp_path_factory.mktemp("server") / "long.alog"
    lines = (f"{i / 100:<16.5f}NAV_X                pSim            {i}.5\n" for i in range(ENTRIES))
    path.write_text("%% LOGSTART           1714983600.5\n" + "".join(lines))
    return path


@pytest.fixture
def server(log: Path) -> Iterator[str]:
    """The address of the folder of the log."""
    _Ranges.folder, _Ranges.sent = log.parent, 0
    with ThreadingHTTPServer(("127.0.0.1", 0), _Ranges) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def test_what_is_not_needed_is_not_asked_for(server: str, log: Path) -> None:
    recording = pyrobolog.open(f"{server}/{log.name}")
    assert recording.format == "alog" and recording.name == f"{server}/{log.name}"
    first = next(recording.samples("NAV_X"))
    assert first.value == 0.5 and first.time_ns == 1_714_983_600_500_000_000
    assert log.stat().st_size > 12_000_000
    assert 0 < _Ranges.sent < 8_000_000, "three looks at the beginning"


def test_all_of_it_is_what_the_file_holds(server: str, log: Path, tmp_path: Path) -> None:
    far, near = pyrobolog.open(f"{server}/{log.name}"), pyrobolog.open(log)
    before = _Ranges.sent
    assert far.info() == {**near.info(), "path": far.name}
    assert _Ranges.sent - before < 1.2 * log.stat().st_size, "each byte once"
    assert pyarrow.table(far.table("NAV_X")).equals(pyarrow.table(near.table("NAV_X")))
    far.convert(tmp_path / "far.csv", channels="NAV_X")
    near.convert(tmp_path / "near.csv", channels="NAV_X")
    assert (tmp_path / "far.csv").read_bytes() == (tmp_path / "near.csv").read_bytes()


@pytest.mark.parametrize(("a_second", "share"), [(5, 0.2), (100, 1.1)])
def test_a_minute_is_read_once_and_what_is_far_from_it_not(
    a_second: int, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str
) -> None:
    # A log of 33 hours, and one of 100 minutes: values may hold times of an hour before and after.
    path, entries = tmp_path / "far.alog", 600_000
    lines = (f"{i / a_second:<16.5f}NAV_X                pSim            {i}.5\n" for i in range(entries))
    path.write_text("%% LOGSTART           1714983600.5\n" + "".join(lines))
    monkeypatch.setattr(_Ranges, "folder", tmp_path)
    start = 1_714_983_600_500_000_000 + entries // a_second // 2 * 10**9
    end = start + 60 * 10**9
    log = pyrobolog.scan(f"{server}/far.alog", kind="scalar")
    minute = log.filter(polars.col("time_ns") >= start, polars.col("time_ns") < end)
    assert minute.select("value").collect().height == 60 * a_second
    assert 0 < _Ranges.sent < share * path.stat().st_size
    _Ranges.sent = 0
    log = pyrobolog.dataset(f"{server}/far.alog", kind="scalar")
    sql = f"SELECT value FROM log WHERE time_ns >= {start} AND time_ns < {end}"
    connection = duckdb.connect()
    connection.register("log", log)
    assert len(connection.execute(sql).fetchall()) == 60 * a_second
    assert 0 < _Ranges.sent < share * path.stat().st_size


def test_engines_read_addresses_too(server: str, log: Path) -> None:
    source = Source.of(Scan.of(f"{server}/{log.name}", "NAV_X"))
    tables = [source.table(part) for part in source.parts()]
    assert sum(table.num_rows for table in tables) == ENTRIES


def test_a_folder_of_a_store_stands_for_the_recordings_below_it(room: Path) -> None:
    store = fsspec.filesystem("memory")
    for path, data in {"a/room.lvx": room.read_bytes(), "b.lvx": room.read_bytes(), "notes.md": b"none"}.items():
        store.pipe(f"/lake/{path}", data)
    source = Source.of(Scan.of("memory://lake", "*/points"))
    tables = [source.table(part) for part in source.parts()]
    assert [table.num_rows for table in tables] == [15_360, 15_360]
    assert tables[0]["recording"][0].as_py().endswith("/lake/a/room.lvx")


def test_what_is_wrong_with_an_address(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        pyrobolog.open(f"{server}/none.alog")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError, match="pip install fsspec"):
        pyrobolog.open(f"{server}/long.alog")
