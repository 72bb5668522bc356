"""Prints the mean height of each cloud of a recording: mean_height.py FILE."""

import sys

import numpy as np

import pyrobolog


def main(path: str) -> None:
    for sample in pyrobolog.open(path).samples("*/points"):
        print(f"{sample.channel} {sample.time_ns}: {sample.value.z.mean(dtype=np.float64):.3f} m")


if __name__ == "__main__":
    main(sys.argv[1])
