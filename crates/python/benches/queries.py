"""Eight queries of an LVX recording and a MOOS log: queries.py [MEGABYTES].

Each runs in a separate process: with pyrobolog's scan through polars, its dataset through DuckDB, its whole table as
polars.DataFrame, and with polars, DuckDB and pandas on the Parquet of the same data. Prints CPU seconds, peak memory,
and the bytes read from files, without those of imports.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from columns import write

START_S = 1_700_000_000

# A query: recording, channels and kind, as an expression of polars on the lazy frame `t`, as SQL, and of pandas on `d`.
QUERIES = {
    "count points": ("lvx", "t.select(pl.len())", "SELECT count(*) FROM t", "len(d)", ["x"]),
    "mean of z": ("lvx", "t.select(pl.col('z').mean())", "SELECT avg(z) FROM t", "d.z.mean()", ["z"]),
    "points above": (
        "lvx",
        "t.filter(pl.col('z') > 1).select(pl.len())",
        "SELECT count(*) FROM t WHERE z > 1",
        "(d.z > 1).sum()",
        ["z"],
    ),
    "first 1000": ("lvx", "t.select('x', 'y', 'z').head(1000)", "SELECT x, y, z FROM t LIMIT 1000", "d.head(1000)", ["x", "y", "z"]),
    "half a second": (
        "lvx",
        "t.filter((pl.col('time_ns') >= T0) & (pl.col('time_ns') < T1)).select(pl.col('x').mean())",
        "SELECT avg(x) FROM t WHERE time_ns >= T0 AND time_ns < T1",
        "d[(d.time_ns >= T0) & (d.time_ns < T1)].x.mean()",
        ["time_ns", "x"],
    ),
    "one variable": (
        "alog",
        "t.filter(pl.col('channel') == 'NAV_SPEED').select(pl.col('value').mean())",
        "SELECT avg(value) FROM t WHERE channel = 'NAV_SPEED'",
        "d[d.channel == 'NAV_SPEED'].value.mean()",
        ["channel", "value"],
    ),
    "by channel": (
        "alog",
        "t.group_by('channel').agg(pl.col('value').mean())",
        "SELECT channel, avg(value) FROM t GROUP BY channel",
        "d.groupby('channel').value.mean()",
        ["channel", "value"],
    ),
    "one minute": (
        "alog",
        "t.filter((pl.col('time_ns') >= T0) & (pl.col('time_ns') < T1)).select(pl.col('value').max())",
        "SELECT max(value) FROM t WHERE time_ns >= T0 AND time_ns < T1",
        "d[(d.time_ns >= T0) & (d.time_ns < T1)].value.max()",
        ["time_ns", "value"],
    ),
}
KINDS = {"lvx": "point_cloud", "alog": "scalar"}
ENGINES = ["scan", "dataset", "whole table", "polars", "duckdb", "pandas"]


def code(engine: str, query: str, folder: Path, times: dict[str, tuple[int, int]]) -> str:
    """The lines that answer a query."""
    name, lazy, sql, frame, columns = QUERIES[query]
    low, high = times[name]
    lazy, sql, frame = (text.replace("T0", str(low)).replace("T1", str(high)) for text in (lazy, sql, frame))
    recording, parquet = str(folder / f"a.{name}"), str(folder / f"{name}.parquet")
    ours = f"({recording!r}, kind={KINDS[name]!r})"
    heads = {
        "scan": f"t = pyrobolog.scan{ours}; a = {lazy}.collect(engine='streaming')",
        "dataset": f"t = pyrobolog.dataset{ours}; a = duckdb.sql({sql!r}).fetchall()",
        "whole table": f"t = pl.DataFrame(pyrobolog.open({recording!r}).table('*', kind={KINDS[name]!r})).lazy(); a = {lazy}.collect()",
        "polars": f"t = pl.scan_parquet({parquet!r}); a = {lazy}.collect(engine='streaming')",
        "duckdb": f"a = duckdb.sql({sql.replace('FROM t', f'FROM {parquet!r}')!r}).fetchall()",
        "pandas": f"d = pd.read_parquet({parquet!r}, columns={columns!r}); a = {frame}",
    }
    return heads[engine]


CHILD = """
import resource, pyrobolog, pyarrow, pyarrow.dataset, pyarrow.parquet, numpy
import {imports}
def read():
    return int(open('/proc/self/io').read().split()[1])
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
bytes_before, cpu_before = read(), cpu()
{code}
print(cpu() - cpu_before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, read() - bytes_before)
"""
IMPORTS = {
    "scan": "polars as pl",
    "dataset": "duckdb",
    "whole table": "polars as pl",
    "polars": "polars as pl",
    "duckdb": "duckdb",
    "pandas": "pandas as pd",
}


def log(path: Path, size: int) -> None:
    """A MOOS log of 20 variables, each ten times a second."""
    names = ["NAV_X", "NAV_SPEED", *(f"VARIABLE_{n}" for n in range(18))]
    with path.open("w") as out:
        out.write(f"%% LOG FILE: a.alog\n%% LOGSTART {START_S}.0\n")
        tick = 0
        while out.tell() < size:
            out.writelines(f"{tick / 10:<15.5f} {name:<20} {'pSimulator':<15} {tick % 977 / 8:.5f} \n" for name in names)
            tick += 1


def main(megabytes: int = 500) -> None:
    import pyrobolog

    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        write(base / "a.lvx", megabytes * 1_000_000)
        log(base / "a.alog", megabytes * 1_000_000 // 5)
        times = {}
        for name, kind in KINDS.items():
            recording = pyrobolog.open(base / f"a.{name}")
            channels = [one.name for one in recording.channels if one.kind == kind]
            recording.convert(base / f"{name}.parquet", channels=channels)
            assert recording.start is not None and recording.duration is not None
            middle = int(recording.start.astype(int)) + int(recording.duration.astype(int)) // 2
            times[name] = (middle, middle + (500_000_000 if name == "lvx" else 60_000_000_000))
            print(f"{name}: {(base / f'a.{name}').stat().st_size} bytes, Parquet {(base / f'{name}.parquet').stat().st_size}")
        print(f"{'':16}" + "".join(f"{engine:>24}" for engine in ENGINES))
        print(f"{'':16}" + "   CPU s   MiB  MB read" * len(ENGINES))
        for query in QUERIES:
            cells = []
            for engine in ENGINES:
                lines = CHILD.format(imports=IMPORTS[engine], code=code(engine, query, base, times))
                done = subprocess.run([sys.executable, "-W", "ignore", "-c", lines], capture_output=True, text=True)
                # DuckDB may print its progress first.
                words = done.stdout.split()[-3:]
                if done.returncode or len(words) != 3:
                    cells.append(f"{'failed':>24}")
                    print(done.stderr.strip().splitlines()[-1:], file=sys.stderr)
                    continue
                cpu, peak, read = float(words[0]), int(words[1]) / 1024, int(words[2]) / 1e6
                cells.append(f"{cpu:8.3f}{peak:6.0f}{read:10.1f}")
            print(f"{query:16}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
