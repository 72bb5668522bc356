"""A folder of LVX files through Spark on two cores, with the memory of all processes: folder.py [GIGABYTES].

Needs what `cargo xtask python --heavy` installs.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from columns import write
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import pyrobolog.spark

FILE = 500_000_000


class Memory(threading.Thread):
    """Samples the memory of this process and its children, ten times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0

    def run(self) -> None:
        me = psutil.Process()
        while True:
            taken = 0
            for one in [me, *me.children(recursive=True)]:
                try:
                    # Shared memory counts once, split among the processes.
                    taken += one.memory_full_info().pss
                except psutil.Error:
                    pass
            self.most = max(self.most, taken)
            time.sleep(0.1)


def main(gigabytes: int = 10) -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory(dir=os.environ.get("ROBOLOG_SCRATCH")) as folder:
        wanted = sum(write(Path(folder, f"{n:03}.lvx"), FILE) for n in range(gigabytes * 1_000_000_000 // FILE))
        memory = Memory()
        memory.start()
        builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "900m")
        spark = builder.config("spark.ui.enabled", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        pyrobolog.spark.register(spark)
        start = time.perf_counter()
        # A schema selects columns: others are not sent.
        points = spark.read.format("robolog").option("channels", "*/points").schema("recording string, z float").load(folder)
        rows = points.groupBy("recording").agg(F.count("*").alias("n"), F.sum(F.col("z").cast("double"))).collect()
        seconds = time.perf_counter() - start
        spark.stop()
        counted = sum(row["n"] for row in rows)
        assert counted == wanted, f"{counted} points of {wanted}"
        print(f"{gigabytes} GB, {len(rows)} recordings, {counted} points: {seconds:.0f} s, at most {memory.most / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
