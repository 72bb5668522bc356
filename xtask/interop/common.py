"""What the scripts share: runs of robolog, comparisons that say what differs, and the count at the end."""

import csv
import json
import pathlib
import shutil
import struct
import subprocess


class Difference(Exception):
    """What was found is not what was wanted."""


def check(what, found, wanted):
    if found != wanted:
        raise Difference(f"{what} is {found}, not {wanted}")


def close(what, found, wanted, tolerance):
    # Not a number is not close to anything.
    if not abs(found - wanted) <= tolerance:
        raise Difference(f"{what} is {found}, not {wanted} within {tolerance:g}")


def run(*command):
    """The output of a program that must succeed; 3 is robolog's word for damaged input or values left out."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(words[:2])} ended with {done.returncode}: {done.stderr.strip()}")
    return done


def lvx(devices, frames):
    """The bytes of an LVX 1.1 file of devices, each a serial number and a type; `frames` are the packages of each frame, as bytes."""
    out = bytearray(struct.pack("<16s4BIIB", b"livox_tech", 1, 1, 0, 0, 0xAC0EA767, 50, len(devices)))
    for number, (serial, device_type) in enumerate(devices):
        out += struct.pack("<16s16sBBB6f", serial, b"", number, device_type, 0, *[0.0] * 6)
    for number, packages in enumerate(frames):
        out += struct.pack("<QQQ", len(out), len(out) + 24 + len(packages), number) + packages
    return out


def folder(path):
    """A folder for a script's files, made if it is not there."""
    path = pathlib.Path(path)
    path.mkdir(parents=True, exist_ok=True)
    return path


def convert(robolog, source, target, *options):
    """Converts into a file or folder that is not there; returns what the program said."""
    target = pathlib.Path(target)
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    return run(robolog, "convert", source, "-o", target, *options).stderr


def samples(robolog, source):
    """The lines of `robolog cat`, one at a time."""
    command = [str(robolog), "cat", str(source)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode not in (0, 3):
        raise RuntimeError(f"robolog cat {source} ended with {process.returncode}")


def index_of(folder):
    """The rows of the table in a folder of files."""
    with open(pathlib.Path(folder) / "_index.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Tally:
    """Counts what passed and what failed, a line each."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, what, found, told):
        """`found` lists what differs, `told` says what was compared."""
        if found:
            self.failed += 1
            print(f"FAILED {what}: {'; '.join(found)}")
        else:
            self.passed += 1
            print(f"ok     {what}: {told}")

    def take(self, what, work, *arguments):
        """Runs a comparison, which returns what it compared."""
        found, told = [], ""
        try:
            told = work(*arguments)
        except Exception as error:  # A reader's refusal is a result, whatever its type.
            found = [str(error) if isinstance(error, Difference) else f"{type(error).__name__}: {error}"]
        self.add(what, found, told)

    def end(self):
        print(f"interop: {self.passed} passed, {self.failed} failed")
        # Where nothing passed nothing was shown.
        return 1 if self.failed or not self.passed else 0
