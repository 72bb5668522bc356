"""Importing the package is fast, and imports no other."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import json, sys, time
start = time.perf_counter()
import pyrobolog
took = time.perf_counter() - start
known = [name for name in sys.modules if name.split(".")[0] in {"numpy", "pyarrow", "fsspec", "pandas", "typing_extensions"}]
print(json.dumps([took, known]))
"""


def _imported() -> tuple[float, list[str]]:
    done = subprocess.run([sys.executable, "-S", "-c", SCRIPT], capture_output=True, text=True, check=True)
    seconds, known = json.loads(done.stdout)
    return seconds, known


def test_the_import_takes_less_than_50_milliseconds() -> None:
    tries = [_imported() for _ in range(7)]
    assert all(known == [] for _, known in tries)
    assert min(seconds for seconds, _ in tries) < 0.05
