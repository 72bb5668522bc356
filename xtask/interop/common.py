"""Shared code: runs of robolog, comparisons that report differences, and the count at the end."""

import csv
import json
import pathlib
import shutil
import struct
import subprocess


class Difference(Exception):
    """The result differs from the expected one."""


def check(what, found, wanted):
    if found != wanted:
        raise Difference(f"{what} is {found}, not {wanted}")


def close(what, found, wanted, tolerance):
    # NaN is not close to anything.
    if not abs(found - wanted) <= tolerance:
        raise Difference(f"{what} is {found}, not {wanted} within {tolerance:g}")


def run(*command):
    """The output of a program that must succeed; 3 is robolog's status for damaged input or omitted values."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(words[:2])} ended with {done.returncode}: {done.stderr.strip()}")
    return done


def lvx(devices, frames):
    """The bytes of an LVX 1.1 file. Devices are pairs of serial number and type; `frames` are lists of packages, as bytes."""
    out = bytearray(struct.pack("<16s4BIIB", b"livox_tech", 1, 1, 0, 0, 0xAC0EA767, 50, len(devices)))
    for number, (serial, device_type) in enumerate(devices):
        out += struct.pack("<16s16sBBB6f", serial, b"", number, device_type, 0, *[0.0] * 6)
    for number, packages in enumerate(frames):
        out += struct.pack("<QQQ", len(out), len(out) + 24 + len(packages), number) + packages
    return out


def folder(path):
    """A folder for a script's files, created if missing."""
    path = pathlib.Path(path)
    path.mkdir(parents=True, exist_ok=True)
    return path


def convert(robolog, source, target, *options):
    """Converts to a new file or folder; returns the program's messages."""
    target = pathlib.Path(target)
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    # Truths count all points, also those of shots without a return.
    return run(robolog, "convert", source, "-o", target, "--keep-no-returns", *options).stderr


def samples(robolog, source):
    """The lines of `robolog cat`, one at a time."""
    command = [str(robolog), "cat", str(source)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode not in (0, 3):
        raise RuntimeError(f"robolog cat {source} ended with {process.returncode}")


def index_of(folder):
    """The rows of the files table of a folder."""
    with open(pathlib.Path(folder) / "_index.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Tally:
    """Prints and counts passed and failed comparisons."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, what, found, told):
        """`found` lists differences, `told` describes the comparison."""
        if found:
            self.failed += 1
            print(f"FAILED {what}: {'; '.join(found)}")
        else:
            self.passed += 1
            print(f"ok     {what}: {told}")

    def take(self, what, work, *arguments):
        """Runs a comparison, which returns its description."""
        found, told = [], ""
        try:
            told = work(*arguments)
        except Exception as error:  # An exception of a reader is a result, of any type.
            found = [str(error) if isinstance(error, Difference) else f"{type(error).__name__}: {error}"]
        self.add(what, found, told)

    def end(self):
        print(f"interop: {self.passed} passed, {self.failed} failed")
        # No passed comparison shows nothing.
        return 1 if self.failed or not self.passed else 0
