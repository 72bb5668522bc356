"""Lazy tables: a query reads only what it needs, and the answer is that of the whole table."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.dataset as ds  # type: ignore[import-untyped]
import pytest

import pyrobolog
from conftest import TESTDATA
from pyrobolog import _engine, _pushdown

HEAD = "%% LOG FILE: a.alog\n%% LOGSTART 1700000000.0\n"
START = 1_700_000_000_000_000_000


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """A minute of three variables, twice a second: NAV_SPEED counts up."""
    lines = [
        f"{n / 2:.3f} {name} pSim {value}\n"
        for n in range(120)
        for name, value in (("NAV_X", n * 10), ("NAV_SPEED", n), ("MODE", "text"))
    ]
    path = tmp_path / "mission.alog"
    path.write_text(HEAD + "".join(lines))
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arguments of each table that is read."""
    calls: list[dict[str, Any]] = []
    before = _engine.Source._table

    def table(self: _engine.Source, part: _engine.Part, wanted: _pushdown.Wanted, columns: Any) -> Any:
        calls.append({"path": part.path, "wanted": wanted, "columns": list(columns)})
        return before(self, part, wanted, columns)

    monkeypatch.setattr(_engine.Source, "_table", table)
    return calls


def test_sql_of_one_variable(mission: Path, asked: list[dict[str, Any]]) -> None:
    log = pyrobolog.dataset(mission, kind="scalar")
    assert isinstance(log, ds.Dataset)
    connection = duckdb.connect()
    connection.register("log", log)
    row = connection.execute("SELECT avg(value) FROM log WHERE channel = 'NAV_SPEED'").fetchone()
    assert row == (59.5,)
    assert asked[-1]["wanted"].channels == {"NAV_SPEED"}
    assert set(asked[-1]["columns"]) == {"channel", "value"}
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (240,)
    both = connection.execute("SELECT sum(value) FROM log WHERE channel IN ('NAV_SPEED', 'NONE', 'NAV_X')").fetchone()
    assert both == (sum(range(120)) * 11,)
    assert asked[-1]["wanted"].channels == {"NAV_SPEED", "NAV_X", "NONE"}


def test_sql_between_two_times(mission: Path, asked: list[dict[str, Any]]) -> None:
    log = pyrobolog.dataset(mission, kind="scalar")
    connection = duckdb.connect()
    connection.register("log", log)
    times = f"time_ns >= {START + 10**10} AND time_ns < {START + 2 * 10**10}"
    sql = f"SELECT max(value) FROM log WHERE channel = 'NAV_SPEED' AND {times}"
    assert connection.execute(sql).fetchone() == (39.0,)
    wanted = asked[-1]["wanted"]
    assert START + 9 * 10**9 < wanted.start_ns <= START + 10**10
    assert START + 2 * 10**10 <= wanted.end_ns < START + 21 * 10**9
    stamped = "SELECT count(*) FROM log WHERE time > TIMESTAMPTZ '2023-11-14 22:13:30+00' AND value >= 0"
    assert connection.execute(stamped).fetchone() == (198,)
    assert asked[-1]["wanted"].start_ns > START + 9 * 10**9


def test_filters_that_say_nothing_of_channels_read_all(mission: Path, asked: list[dict[str, Any]]) -> None:
    log = pyrobolog.dataset(mission, kind="scalar")
    connection = duckdb.connect()
    connection.register("log", log)
    for condition, rows in (
        ("channel LIKE 'NAV_S%'", 120),
        ("channel <> 'NAV_X'", 120),
        ("channel > 'NAV_SPEED'", 120),
        ("channel = 'NAV_X' OR value > 100", 139),
        ("channel IS NOT NULL", 240),
    ):
        assert connection.execute(f"SELECT count(*) FROM log WHERE {condition}").fetchone() == (rows,), condition
        assert asked[-1]["wanted"].channels is None, condition


def _random_filter(rng: random.Random) -> tuple[pl.Expr, Any]:
    """A filter, for polars and for Arrow."""
    kind = rng.randrange(6)
    if kind == 0:
        name = rng.choice(["NAV_X", "NAV_SPEED", "MODE", 'a"b', "", "NAV_*"])
        return pl.col("channel") == name, pc.field("channel") == name
    if kind == 1:
        names = rng.sample(["NAV_X", "NAV_SPEED", "NONE"], 2)
        return pl.col("channel").is_in(names), pc.field("channel").isin(names)
    if kind in (2, 3):
        moment = START + rng.randrange(-5 * 10**9, 65 * 10**9)
        column: Any = moment
        literal: Any = moment
        name = "time_ns"
        if kind == 3:
            name = "time"
            column = datetime.fromtimestamp(0, timezone.utc) + timedelta(microseconds=moment // 1000)
            literal = pa.scalar(moment // 1000, pa.timestamp("us", "UTC"))
        ours, arrows = pl.col(name), pc.field(name)
        return rng.choice(
            [
                (ours >= column, arrows >= literal),
                (ours > column, arrows > literal),
                (ours <= column, arrows <= literal),
                (ours < column, arrows < literal),
            ]
        )
    if kind == 4:
        number = rng.uniform(0, 200)
        return pl.col("value") > number, pc.field("value") > number
    return pl.col("value").is_not_null(), pc.field("value").is_valid()


def test_any_filter_gives_what_the_whole_table_gives(mission: Path) -> None:
    """Three hundred filters at random, joined by and, or and not, by polars and by Arrow."""
    rng = random.Random(34)
    whole = pyrobolog.scan(mission, kind="scalar").collect()
    arrow = whole.to_arrow()
    log, lazy = pyrobolog.dataset(mission, kind="scalar"), pyrobolog.scan(mission, kind="scalar")
    passed = 0
    for _ in range(300):
        ours, arrows = _random_filter(rng)
        for _ in range(rng.randrange(3)):
            more = _random_filter(rng)
            joined = rng.randrange(3)
            if joined == 0:
                ours, arrows = ours & more[0], arrows & more[1]
            elif joined == 1:
                ours, arrows = ours | more[0], arrows | more[1]
            else:
                ours, arrows = ~ours & more[0], ~arrows & more[1]
        assert lazy.filter(ours).collect().equals(whole.filter(ours)), str(ours)
        found = log.to_table(filter=arrows, columns=["time_ns", "value"])
        expected = ds.dataset(arrow).to_table(filter=arrows, columns=["time_ns", "value"])
        assert found.equals(expected), str(arrows)
        passed += len(found) > 0
    assert passed > 100


def test_columns_and_rows_are_handed_down(room: Path, asked: list[dict[str, Any]]) -> None:
    points = pyrobolog.scan(room, "*/points")
    first = points.select("x", "z").head(100).collect()
    assert first.columns == ["x", "z"] and len(first) == 100
    assert asked[-1]["columns"] == ["x", "z"]
    whole = pl.DataFrame(pyrobolog.open(room).table("*/points"))
    assert points.select("x", "z").collect().equals(whole.select("x", "z"))
    assert points.filter(pl.col("z") > 0).select(pl.len()).collect().item() == whole.filter(pl.col("z") > 0).height
    assert points.select(pl.len()).collect().item() == whole.height
    assert points.collect(engine="streaming").drop("recording").equals(whole)


def test_many_recordings_by_a_glob(mission: Path) -> None:
    (mission.parent / "other.alog").write_text(HEAD + "1.000 NAV_SPEED pSim 7\n")
    lazy = pyrobolog.scan(str(mission.parent / "*.alog"), kind="scalar")
    by = dict(lazy.group_by("recording").agg(pl.len()).collect().rows())
    assert by == {str(mission): 240, str(mission.parent / "other.alog"): 1}
    log = pyrobolog.dataset(str(mission.parent / "*.alog"), kind="scalar")
    other = pc.field("recording") == str(mission.parent / "other.alog")
    assert log.to_table(filter=other)["value"].to_pylist() == [7.0]
    with pytest.raises(pyrobolog.ChannelNotFound, match="no file matches"):
        pyrobolog.scan(str(mission.parent / "*.none"))


class Counted:
    """A table without rows that can be read."""

    def __init__(self, table: pyrobolog.Table | None) -> None:
        assert table is not None
        self._counted = table._counted


def test_sql_counts_points_and_reads_none(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _engine.Source._table
    monkeypatch.setattr(_engine.Source, "_table", lambda *arguments: Counted(before(*arguments)))
    points = pyrobolog.dataset([room, room], kind="point_cloud")
    connection = duckdb.connect()
    connection.register("points", points)
    assert connection.execute("SELECT count(*) FROM points").fetchone() == (2 * 15_360,)
    assert connection.execute("SELECT DISTINCT recording FROM points").fetchall() == [(str(room),)]
    with pytest.raises(Exception, match="not iterable"):
        connection.execute("SELECT count(*) FROM points WHERE z > 0").fetchone()


def test_polars_counts_the_recordings_of_points_and_reads_none(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = pyrobolog.scan([room, room], kind="point_cloud")
    before = _engine.Source._table
    monkeypatch.setattr(_engine.Source, "_table", lambda *arguments: Counted(before(*arguments)))
    for engine in ("streaming", "in-memory"):
        count = points.select(pl.col("recording").count())
        assert count.collect(engine=engine).item() == 2 * 15_360
        by_recording = points.group_by("recording").agg(pl.len())
        assert by_recording.collect(engine=engine).rows() == [(str(room), 2 * 15_360)]


def test_counts_come_from_surveys(room: Path) -> None:
    points = pyrobolog.dataset(room, "*/points")
    assert points.count_rows() == 15_360
    assert points.count_rows(filter=pc.field("x") > 1e9) == 0


def test_rows_have_the_columns_that_are_asked_for() -> None:
    path = TESTDATA / "carla-rec" / "collisions.log"
    rows = pyrobolog.dataset(path, kind="row")
    whole = rows.to_table()
    last = whole.column_names[-1]
    assert rows.to_table(columns=["channel", last]).equals(whole.select(["channel", last]))
    table = rows._source._table(_engine.Part(str(path)), _pushdown.ANY, ["recording", last, "none"])
    assert table.columns == [last]


def test_a_recording_is_opened_once(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    before = pyrobolog.open

    def count(path: str, **options: Any) -> pyrobolog.Recording:
        opened.append(path)
        return before(path, **options)

    monkeypatch.setattr(_engine, "_open", count)
    points = pyrobolog.dataset(room, "*/points")
    assert len(points.to_table(filter=pc.field("time_ns") > 0)) == 15_360 == points.count_rows()
    assert opened == [str(room)]


@pytest.mark.parametrize(
    "query",
    [
        "duckdb.sql('SELECT x, y FROM points LIMIT 10').fetchall()",
        "duckdb.sql('SELECT x FROM points WHERE z > 0 LIMIT 10').fetchall()",
        "points.head(10, columns=['x'])",
        "points.scanner().head(10)",
    ],
)
def test_a_program_ends_that_took_the_first_rows(query: str, room: Path) -> None:
    lines = (
        "import duckdb, pyrobolog",
        f"points = pyrobolog.dataset([{str(room)!r}] * 2000, '*/points')",
        f"print(len({query}))",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["10"] and done.returncode == 0


def test_nobody_reads_on_behind_the_first_rows(room: Path, asked: list[dict[str, Any]]) -> None:
    # No thread reads ahead, so none reads when the program ends.
    points = pyrobolog.dataset([room] * 200, "*/points")
    connection = duckdb.connect()
    connection.register("points", points)
    takes: list[Callable[[], Any]] = [
        lambda: connection.execute("SELECT x, y FROM points LIMIT 10").fetchall(),
        lambda: connection.table("points").limit(10).to_arrow_table(),
        lambda: points.head(10, columns=["x"]),
        lambda: points.head(10, filter=pc.field("z") > 0),
        lambda: next(points.to_batches())[:10],
    ]
    for take in takes:
        asked.clear()
        assert len(take()) == 10
        assert len(asked) < 8, "a recording or two are read for them"


def test_a_scan_has_what_a_scanner_of_arrow_has(room: Path, tmp_path: Path) -> None:
    points = pyrobolog.dataset([room, room], "*/points")
    whole = points.to_table()
    in_memory = ds.dataset(whole)
    above = pc.field("z") > 0.5
    chosen: list[dict[str, Any]] = [
        {"columns": None, "filter": None},
        {"columns": ["z", "x"], "filter": above},
        {"columns": [], "filter": None},
        {"columns": {"double": pc.multiply(pc.field("z"), 2.0)}, "filter": above},
    ]
    for one in chosen:
        ours, arrows = (data.scanner(**one) for data in (points, in_memory))
        assert ours.projected_schema.equals(arrows.projected_schema) and ours.dataset_schema.names
        assert points.scanner(**one).to_table().equals(arrows.to_table())
        assert points.scanner(**one).count_rows() == arrows.count_rows() == arrows.to_table().num_rows
        assert points.scanner(**one).to_reader().read_all().num_rows == arrows.count_rows()
        for rows in (0, 7, 15_361):
            assert points.scanner(**one).head(rows).equals(arrows.head(rows))
    assert points.take([3, 20_000]).equals(whole.take([3, 20_000]))
    ds.write_dataset(points, tmp_path / "out", format="parquet")
    assert ds.dataset(tmp_path / "out").count_rows() == 2 * 15_360
