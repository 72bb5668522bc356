"""Reads robolog's folders of Parquet files with Apache Spark, which needs Java.

spark.py ROBOLOG OUT RECORDING... converts each recording to Hive-partitioned folders in OUT. `spark.read.parquet` of the whole
folder must have the number of rows per channel in the folder's table of files; all values of each kind are read.
"""

import os
import pathlib
import sys

# Spark's workers use this interpreter.
os.environ["PYSPARK_PYTHON"] = sys.executable

import common
from common import check
from pyspark.sql import SparkSession


def by_spark(spark, robolog, source, out):
    hive, flat = out / f"{source.stem}.hive", out / f"{source.stem}.jsonl"
    common.convert(robolog, source, hive, "--to", "parquet", "--per", "channel", "--hive")
    common.convert(robolog, source, flat, "--to", "jsonl", "--per", "channel")
    frame = spark.read.parquet(str(hive))
    found = {row["channel"]: row["count"] for row in frame.groupBy("channel").count().collect()}
    wanted = {row["channel"] for row in common.index_of(flat)}
    check("the channels", set(found), wanted)
    check("the number of rows", frame.count(), sum(found.values()))
    values = 0
    for kind in sorted(path.name for path in hive.glob("kind=*")):
        rows = spark.read.option("mergeSchema", "true").parquet(str(hive / kind)).collect()
        values += sum(len(row) for row in rows)
    return f"{sum(found.values())} rows, {len(found)} channels, {values} values"


def main(robolog, out, *recordings):
    out, tally = common.folder(out), common.Tally()
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for source in map(pathlib.Path, recordings):
        tally.take(source.name, by_spark, spark, robolog, source, out)
    spark.stop()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
