"""Truncates recordings at the end of a record while robolog reads them: what is gone is never called sound.

shrinking.py ROBOLOG OUT CARLA PCAP [RUNS] makes a file of some ten megabytes of each format; those of CARLA and of captures
repeat the records of a recording. The program is stopped when it has read a part; a run in which it has read to the new end
is repeated.
"""

import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time

import common
from common import Difference

VERBS = (
    ("info",),
    ("check",),
    ("cat",),
    ("convert", "--to", "csv", "-f", "-o"),
    ("recover", "-f", "-o"),
    ("cut", "--start", "0.01s", "-f", "-o"),
)
# Tries for each run.
TRIES = 20


def alog():
    yield (
        b"%%%%%%%%%%\n%% LOG FILE:       ./M/M.alog\n%% FILE OPENED ON  Tue Mar 11 10:00:00 2025\n"
        b"%% LOGSTART               1741687200.00000\n%%%%%%%%%%\n"
    )
    for i in range(400_000):
        yield b"%.5f      NAV_X     pSim   %d.%03d\n" % (i * 0.01, i % 500, i % 1000)


def nmea():
    for i in range(400_000):
        tenths = i % 864_000
        time_of_day = b"%02d%02d%02d.%d0" % (tenths // 36_000, tenths // 600 % 60, tenths // 10 % 60, tenths % 10)
        body = b"GPGGA,%s,4717.11%04d,N,00833.91%04d,E,1,08,1.01,499.6,M,48.0,M,," % (time_of_day, i % 10_000, i % 10_000)
        checksum = 0
        for byte in body:
            checksum ^= byte
        yield b"$%s*%02X\r\n" % (body, checksum)


def clock(i):
    return b"2024-01-%02dT%02d:%02d:%02dZ" % (1 + i // 86_400, i // 3600 % 24, i // 60 % 60, i % 60)


def gpx():
    yield b'<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n'
    for i in range(200_000):
        yield b'<trkpt lat="47.%06d" lon="8.%06d"><ele>400</ele><time>%s</time></trkpt>\n' % (i, i, clock(i))
    yield b"</trkseg></trk></gpx>\n"


def kml():
    yield b'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n'
    for i in range(150_000):
        yield (
            b"<Placemark><name>p%d</name><TimeStamp><when>%s</when></TimeStamp><Point><coordinates>8.%06d,47.%06d,400"
            b"</coordinates></Point></Placemark>\n" % (i, clock(i), i, i)
        )
    yield b"</Document></kml>\n"


def koblenz():
    yield b"\xa4VEL" + struct.pack("<HHI", 1, 1, 0)
    for i in range(400_000):
        yield struct.pack("<IBiid7f", 45, 0x49, 0x1E342, 100, i * 10.0, 1, 0, 0, 0, 0, 0, 9.81)


def lvx():
    points = b"".join(struct.pack("<iiiBB", 1000 + i, i, 10, 50, 0) for i in range(96))
    head = bytes(common.lvx([(b"0TFDFG700601881", 1)], []))
    yield head
    position = len(head)
    for number in range(8_000):
        package = struct.pack("<BBBBBIBBQ", 0, 5, 0, 1, 0, 0, 0, 2, 1_000_000_000 + number * 50_000_000) + points
        yield struct.pack("<QQQ", position, position + 24 + len(package), number) + package
        position += 24 + len(package)


def carla(source):
    """The frames of a recording, the last one repeated with later times."""
    text = lambda at: at + 2 + struct.unpack_from("<H", source, at)[0]
    at = text(text(2) + 8)
    yield source[:at]
    frame, frames = b"", []
    while at + 5 <= len(source):
        end = at + 5 + struct.unpack_from("<I", source, at + 1)[0]
        if source[at] == 0 and frame:
            frames.append(frame)
            frame = b""
        frame += source[at:end]
        at = end
    yield from frames
    number, step, elapsed = struct.unpack_from("<Qdd", frames[-1], 5)
    for i in range(1, 8_000_000 // len(frames[-1])):
        yield frames[-1][:5] + struct.pack("<Qdd", number + i, step, elapsed + i * 0.05) + frames[-1][29:]


def pcap(source):
    """The packets of a capture, repeated with later times."""
    packets, at = [], 24
    while at + 16 <= len(source):
        end = at + 16 + struct.unpack_from("<I", source, at + 8)[0]
        packets.append(source[at:end])
        at = end
    yield source[:24]
    for i in range(8_000_000 // len(source)):
        for packet in packets:
            yield struct.pack("<I", struct.unpack_from("<I", packet)[0] + i) + packet[4:]


def read_by(process):
    """Bytes read so far by a process; 0 if it has ended."""
    try:
        return int(pathlib.Path(f"/proc/{process.pid}/io").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def attempt(command, path, data, ends):
    """The exit status of the program; `None` if it has ended or read on before the file shrank."""
    path.write_bytes(data)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    goal, limit = random.randrange(50_000, len(data) // 4), time.monotonic() + 10
    while process.poll() is None and read_by(process) < goal and time.monotonic() < limit:
        time.sleep(0.0003)
    process.send_signal(signal.SIGSTOP)
    # The signal arrives.
    time.sleep(0.002)
    end = random.choice(ends[len(ends) // 2 : -1])
    is_early = process.poll() is None and read_by(process) < end
    os.truncate(path, end)
    process.send_signal(signal.SIGCONT)
    message = process.communicate()[1].decode(errors="replace")
    return (process.returncode, message) if is_early else None


def shrunk(robolog, path, data, ends, verb, runs):
    target = [str(path.with_name(f"copy{path.suffix if verb[0] != 'convert' else '.csv'}"))] if "-o" in verb else []
    command = [str(robolog), verb[0], str(path), *verb[1:], *target]
    statuses = {}
    for _ in range(runs):
        found = next(filter(None, (attempt(command, path, data, ends) for _ in range(TRIES))), None)
        if found is None:
            raise Difference(f"read on before the file shrank, {TRIES} times")
        status, message = found
        if status not in (1, 3):
            raise Difference(f"ended with {status}: {message.strip()[-200:]}")
        statuses[status] = statuses.get(status, 0) + 1
    return ", ".join(f"{count} of {runs} runs ended with {status}" for status, count in sorted(statuses.items()))


def main(robolog, out, carla_file, pcap_file, runs="1", *only):
    out, tally = common.folder(out), common.Tally()
    random.seed(50)
    formats = {
        "alog": (alog, ()),
        "nmea": (nmea, ()),
        "gpx": (gpx, ()),
        "kml": (kml, ()),
        "klog": (koblenz, ()),
        "lvx": (lvx, ()),
        "log": (carla, (pathlib.Path(carla_file).read_bytes(),)),
        "pcap": (pcap, (pathlib.Path(pcap_file).read_bytes(),)),
    }
    for extension, (make, source) in formats.items():
        if only and extension not in only:
            continue
        records, ends = list(make(*source)), [0]
        for record in records:
            ends.append(ends[-1] + len(record))
        data, path = b"".join(records), out / f"shrinking.{extension}"
        for verb in VERBS:
            tally.take(f"{verb[0]} {path.name}", shrunk, robolog, path, data, ends, verb, int(runs))
        path.unlink()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
