"""Compares the offsets and drifts that `robolog align` finds with those planted here.

offsets.py ROBOLOG OUT [LOG...] writes pairs of MOOS logs of one signal with known clocks to OUT: sampled and cut differently, with
noise and jitter. It copies each LOG with another LOGSTART, whole and without its first tenth. A found offset must be right within
six of its standard deviations and half a millisecond, a drift within six; a copy must be right within 50 microseconds and have no drift.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import sys

import common
from common import check, close

SIGMAS = 6
PAIRS = 40
# Seconds to add to LOGSTART.
SHIFTS = (1.5, 0.5, 3.0, -2.25, 0.123457)


def found(robolog, first, second, by):
    """What align finds, or None if it is not clear."""
    words = [robolog, "align", first, second, "--by", f"{by}={by}", "--json"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode in (0, 3) else None


def signal(dice):
    waves = [(0.012 + 0.2 * dice.random(), 2 * math.pi * dice.random(), 0.35 * dice.uniform(-1, 1)) for _ in range(40)]
    return lambda t: 5 + sum(size * math.sin(2 * math.pi * f * t + phase) for f, phase, size in waves)


def log(path, of, times, clock, noise, dice):
    """Writes a log; returns the time stamp of its first entry."""
    lines, stamps = ["%% LOGSTART           1700000000"], []
    for t in times:
        stamps.append(round(clock(t), 5))
        lines.append(f"{stamps[-1]:<15.5f} NAV_SPEED            pApp            {of(t) + noise * dice.gauss(0, 1):.6f} ")
    path.write_text("\n".join(lines) + "\n")
    return stamps[0]


def planted(robolog, out, number):
    """Two logs of one signal; returns whether the offset was clear."""
    dice = random.Random(number)
    of, length = signal(dice), dice.choice((60, 120, 400))
    noise, jitter = dice.choice((0, 0.02, 0.05)), dice.choice((0, 0.01))
    drift, offset = dice.choice((0, 0, 0.02, -0.03)), dice.uniform(-20, 20)
    start, end = dice.uniform(0, 0.2) * length, length * dice.uniform(0.8, 1)

    def moments(begin, end, rate):
        return [begin + n / rate + jitter * dice.uniform(-0.5, 0.5) for n in range(int((end - begin) * rate))]

    def clock(t):
        return (t - start) / (1 + drift) + 100 + start - offset

    first, second = out / f"{number}a.alog", out / f"{number}b.alog"
    log(first, of, moments(0, length, dice.choice((2, 5, 10))), lambda t: t + 100, noise, dice)
    stamp = log(second, of, moments(start, end, dice.choice((1.7, 5, 7, 20))), clock, noise, dice)
    answer = found(robolog, first, second, "NAV_SPEED")
    if answer is None:
        return False
    truth = (stamp - 100 - start + offset) * (1 + drift) + start + 100 - stamp
    close(f"pair {number}: the offset", answer["offset_s"], truth, SIGMAS * answer["offset_sd_s"] + 0.0005)
    close(f"pair {number}: the drift", answer["drift"], drift, SIGMAS * answer["drift_sd"])
    return True


def copies(robolog, out, path):
    """Copies of a log with another LOGSTART; returns how many offsets were clear."""
    text, clear = path.read_text(encoding="latin-1"), 0
    start = re.search(r"(?m)^%%+ +LOGSTART +(\d+\.?\d*)", text)
    if not start:
        return 0
    lines = text.splitlines(keepends=True)
    entries = [n for n, line in enumerate(lines) if re.match(r"-?\d", line)]
    for shift in SHIFTS:
        for part, cut in (("whole", 0), ("rest", len(entries) // 10)):
            left_out = set(entries[:cut])
            copy = "".join(line for n, line in enumerate(lines) if n not in left_out)
            later = f"{float(start[1]) + shift:.6f}"
            name = out / f"{path.stem}_{part}.alog"
            name.write_text(copy.replace(start[1], later, 1), encoding="latin-1")
            planted_shift = float(later) - float(start[1])
            for variable in ("NAV_SPEED", "NAV_YAW", "NAV_X"):
                answer = found(robolog, path, name, variable)
                if answer is not None:
                    clear += 1
                    what = f"{path.name}, {part}, {shift} s, {variable}"
                    close(f"{what}: the offset", answer["offset_s"], -planted_shift, 5e-5)
                    check(f"{what}: the drift", answer["drift"], 0)
    return clear


def main(robolog, out, *logs):
    out = common.folder(out)
    clear = sum(planted(robolog, out, number) for number in range(PAIRS))
    check("half of the pairs are clear", clear > PAIRS // 2, True)
    copied = sum(copies(robolog, out, pathlib.Path(path)) for path in logs)
    print(f"{clear} of {PAIRS} planted pairs and {copied} copies of {len(logs)} logs: all right")


if __name__ == "__main__":
    main(*sys.argv[1:])
