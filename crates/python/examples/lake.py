"""Writes the points of a folder of recordings as Parquet, with Spark: lake.py FOLDER OUT. A second run does the rest."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import pyrobolog
import pyrobolog.spark


def main(folder: str, out: str) -> list[str]:
    """Returns the recordings that could not be written: one does not stop the others."""
    spark = SparkSession.builder.getOrCreate()
    pyrobolog.spark.register(spark)
    failed = []
    for path in pyrobolog.recordings(folder):
        target = Path(out, f"recording={Path(path).name}")
        if (target / "_SUCCESS").exists():
            continue
        try:
            wanted = sum(channel.values for channel in pyrobolog.open(path).channels if channel.kind == "point_cloud")
            if wanted == 0:
                continue
            points = spark.read.format("robolog").option("kind", "point_cloud").load(path)
            points.drop("recording").write.mode("overwrite").parquet(str(target))
            if (written := spark.read.parquet(str(target)).count()) != wanted:
                shutil.rmtree(target)
                raise ValueError(f"{written} of {wanted} points written")
        except (OSError, ValueError, pyrobolog.Error, PySparkException) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed.append(path)
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2]) else 0)
