"""Measures commands beside other programs for the same job: commands.py ROBOLOG FOLDER RUNS MEGABYTES prints Markdown.

Inputs are made in FOLDER. Each command runs RUNS times after a run that nobody measures; the table has the medians of the
wall time and of the CPU time of the process and its children, and the highest memory of any run.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import inputs

HERE = pathlib.Path(__file__).parent


def peak_kilobytes(pid):
    """Peak memory of a process so far; 0 after its end. The kernel's total for a finished child includes the memory of the
    process that started it."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return max((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), default=0)


def measured(words):
    """Seconds, CPU seconds and peak megabytes of a run."""
    with tempfile.TemporaryFile("w+") as said:
        start = time.monotonic()
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        peak = 0
        while True:
            peak = max(peak, peak_kilobytes(child.pid))
            done, status, used = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            time.sleep(0.002)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 3):
            said.seek(0)
            raise RuntimeError(f"{' '.join(words)} ended with {child.returncode}: {said.read().strip()}")
    return seconds, used.ru_utime + used.ru_stime, peak / 1024


def clear(path):
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


def row(name, words, target, runs, megabytes):
    found = []
    for _ in range(runs + 1):
        clear(target)
        found.append(measured([str(word) for word in words]))
    clear(target)
    wall, cpu = (statistics.median(one[i] for one in found[1:]) for i in (0, 1))
    peak = max(one[2] for one in found)
    return f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {megabytes / cpu:.0f} |"


def main(robolog, folder, runs, megabytes):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    runs, megabytes = int(runs), float(megabytes)
    gpx, nmea, lvx, drive, table, pcap, alog = inputs.make(folder, megabytes)
    out = folder / "out"

    def ours(source, *options):
        return [robolog, "convert", source, "-o", out, "--quiet", *options]

    def peer(name, source):
        return [sys.executable, HERE / "peers.py", name, source, out]

    copy = ["cat", "--", lvx]
    cloud = folder / "drive.pcd"
    clear(cloud)
    measured([robolog, "convert", drive, "-o", cloud, "--quiet"])
    jobs = [
        ("GPX to CSV", gpx, [
            ("robolog", ours(gpx, "--to", "csv", "--channel", "track1/segment1")),
            ("gpxpy 1.6.2", peer("gpxpy_csv", gpx)),
            ("GPSBabel", ["gpsbabel", "-t", "-i", "gpx", "-f", gpx, "-o", "unicsv", "-F", out]),
            ("GDAL: ogr2ogr", ["ogr2ogr", "-f", "CSV", out, gpx, "track_points", "-lco", "GEOMETRY=AS_XY"]),
        ]),
        ("NMEA to CSV: the fixes", nmea, [
            ("robolog", ours(nmea, "--to", "csv", "--channel", "fix")),
            ("pynmea2 1.19.0", peer("pynmea2_csv", nmea)),
            ("GPSBabel", ["gpsbabel", "-t", "-i", "nmea,date=20240101", "-f", nmea, "-o", "unicsv", "-F", out]),
        ]),
        ("Table of fixes (text) to Parquet, Snappy", table, [
            ("robolog", ours(table, "--to", "parquet", "--per", "name")),
            ("polars 2.1.0, lazily", peer("polars_parquet", table)),
        ]),
        ("LVX to LAS", lvx, [
            ("robolog", ours(lvx, "--to", "las")),
            ("NumPy and laspy 2.7.0", peer("laspy_las", lvx)),
        ]),
        ("LVX to MCAP with PointCloud2, not compressed", lvx, [
            ("robolog", ours(lvx, "--to", "mcap", "--mcap-compression", "none")),
            ("NumPy and rosbags 0.11.9", peer("rosbags_bag", lvx)),
        ]),
        ("LVX of a drive to PCD: points up to 20 m to the sides, one a voxel of 0.1 m", drive, [
            ("robolog", ours(drive, "--to", "pcd", "--crop", ",,-20,20,,", "--voxel", "0.1")),
            ("NumPy and Open3D 0.20.0", peer("open3d_pcd", drive)),
            ("Open3D 0.20.0, given the points as PCD", peer("open3d_pcd", cloud)),
        ]),
        ("Capture of a Velodyne to points", pcap, [
            ("robolog, into PCD", ours(pcap, "--to", "pcd")),
            ("velodyne_decoder 3.1.0, its arrays as they are", peer("velodyne_pcd", pcap)),
        ]),
        ("robolog alone", lvx, [
            ("`cat` of the LVX into nothing: the limit", copy),
            ("`info` of the LVX", [robolog, "info", lvx]),
            ("`check` of the LVX", [robolog, "check", "--quiet", lvx]),
            ("LVX to binary PCD", ours(lvx, "--to", "pcd")),
            ("LVX to LAZ", ours(lvx, "--to", "laz")),
            ("LVX to MCAP with Zstandard", ours(lvx, "--to", "mcap")),
            ("`info` of a MOOS log", [robolog, "info", alog]),
            ("MOOS log to Parquet, a file a variable", ours(alog, "--to", "parquet", "--per", "channel")),
        ]),
    ]
    for title, source, rows in jobs:
        size = source.stat().st_size / 1e6
        print(f"\n{title}: {size:.0f} MB\n\n| | s | CPU s | peak MB | MB a CPU second |\n|---|---|---|---|---|")
        for name, words in rows:
            if shutil.which(words[0]) is None:
                print(f"| {name} | not installed | | | |", flush=True)
                continue
            of = alog.stat().st_size / 1e6 if words[-1] == alog or alog in words else size
            try:
                print(row(name, words, out, runs, of), flush=True)
            except RuntimeError as error:
                if words[0] == robolog:
                    raise
                # A peer may need a library that the machine lacks.
                why = str(error).splitlines()[-1].replace("|", " ")
                print(f"| {name} | does not run: {why} | | | |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
