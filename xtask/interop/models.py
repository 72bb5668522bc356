"""Captures of each Livox model, whose times and lines robolog must give as Livox's tables say.

models.py ROBOLOG OUT writes a capture of each model in OUT, packet by packet, and compares time and line of every point of
`robolog convert` with the tables below: nanoseconds from shot to shot, and lines. The returns of a shot share both. Models
whose packets differ are recognised; the others are given by --model.
"""

import csv
import struct
import sys

import common
from common import check

START = 1_726_588_075_000_000_000
# Name; SDK; source port; nanoseconds from shot to shot; lines; whether its packets tell it. The intervals are those of 100, 240,
# 452 and 200 thousand shots a second.
MODELS = (
    ("mid-70", 1, 65000, 10_000, 1, True),
    ("horizon", 1, 65000, 4_167, 6, False),
    ("avia", 1, 65000, 4_167, 6, False),
    ("tele-15", 1, 65000, 4_167, 6, False),
    ("hap", 2, 57000, 2_212, 6, True),
    ("mid-360", 2, 56300, 5_000, 4, True),
)
# Data types of SDK 1: shots of a packet and returns of a shot. SDK 2 sends one return of 96 shots.
TYPES = {2: (96, 1), 4: (48, 2), 7: (30, 3)}
PACKETS = 20


def point(n):
    return struct.pack("<iiiBB", 2000 + n, n, 0, 50, 0)


def sdk1(kind, stamp):
    shots, returns = TYPES[kind]
    head = struct.pack("<BBBBIBBQ", 5, 1, 1, 0, 0, 1, kind, stamp)
    return head + b"".join(point(n) for n in range(shots * returns))


def sdk2(number, interval, stamp):
    # The interval of a whole packet, in tenths of a microsecond.
    head = struct.pack("<BHHHHBBB12xIQ", 0, 36 + 96 * 14, interval * 96 // 100, 96, number, 0, 1, 1, 0, stamp)
    return head + b"".join(point(n) for n in range(96))


def datagram(port, payload):
    udp = struct.pack(">HHHH", port, 56001, 8 + len(payload), 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 0, 0, 64, 17, 0, bytes([10, 0, 0, 5]), bytes([10, 0, 0, 1]))
    return bytes(12) + b"\x08\x00" + ip + udp + payload


def capture(path, packets):
    """Packets with the nanoseconds at which they were captured."""
    out = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
    for nanos, packet in packets:
        out += struct.pack("<IIII", nanos // 10**9, nanos % 10**9, len(packet), len(packet)) + packet
    path.write_bytes(out)


def one(robolog, out, model, kind):
    name, sdk, port, interval, lines, is_told = model
    shots, returns = TYPES[kind]
    stamps = [START + number * shots * interval for number in range(PACKETS)]
    payloads = [sdk1(kind, stamp) if sdk == 1 else sdk2(n, interval, stamp) for n, stamp in enumerate(stamps)]
    path = out / f"{name}-{returns}.pcap"
    capture(path, [(stamp + shots * interval, datagram(port, load)) for stamp, load in zip(stamps, payloads, strict=True)])
    expected = [
        (stamp + shot * interval, shot % lines) for stamp in stamps for shot in range(shots) for _ in range(returns)
    ]
    for words in [["--model", name]] + ([[]] if is_told and returns == 1 else []):
        common.run(robolog, "convert", path, "-o", path.with_suffix(".csv"), "-f", *words)
        with path.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
            found = [(int(row["time_ns"]), int(row["ring"])) for row in csv.DictReader(file)]
        what = f"{name}, {returns} returns, {'given' if words else 'by its packets'}"
        check(f"lines of {what}", [line for _, line in found], [line for _, line in expected])
        # Packets tell the interval in tenths of a microsecond.
        apart = max(abs(a - b) for (a, _), (b, _) in zip(found, expected, strict=True))
        check(f"times of {what} are right to 0.2 us", apart <= 200, True)


def all_of(robolog, out, model):
    kinds = TYPES if model[0] == "avia" else (2, 4) if model[0] in ("horizon", "tele-15") else (2,)
    for kind in kinds:
        one(robolog, out, model, kind)
    return f"times and lines of {len(kinds)} captures"


def main(robolog, out):
    out, tally = common.folder(out), common.Tally()
    for model in MODELS:
        tally.take(model[0], all_of, robolog, out, model)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
