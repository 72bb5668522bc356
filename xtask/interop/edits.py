"""Parses recordings before and after `robolog edit`: only the requested changes must be there.

edits.py ROBOLOG OUT FILE... takes MOOS logs, NMEA, LVX 1.1 and 2.0, CARLA recordings and Koblenz logs, and shifts each by
seconds, once with a fraction. In a MOOS log, variables are also renamed and removed; in a CARLA recording, the map is
renamed and actors are removed: the text of the copy, parsed by the server's grammar, must have all rows of the file except
those that name them.
"""

import decimal
import pathlib
import re
import struct
import subprocess
import sys

import common
from carla_binary import read_binary
from carla_grammar import parse_text
from carla_text import printed
from common import check

SHIFTS = (decimal.Decimal("-7"), decimal.Decimal("86400.25"))
ENTRY = re.compile(rb"(-?\d+\.\d*)([ \t]+)(\S+)([ \t]+)(\S+)")


def alog(before, after, shift):
    start = re.compile(rb"(%%+ *LOGSTART +)([\d.]+)")
    was, now = start.search(before), start.search(after)
    if not was:
        entries = [[decimal.Decimal(one[0].decode()) for one in ENTRY.findall(data)] for data in (before, after)]
        check("times", entries[1], [time + shift for time in entries[0]])
        return
    check("LOGSTART", decimal.Decimal(now[2].decode()), decimal.Decimal(was[2].decode()) + shift)
    # Times in values that are within an hour of their entry's time.
    lines = [[line for line in start.sub(b"", data).split(b"\n")] for data in (before, after)]
    check("lines", len(lines[1]), len(lines[0]))
    stamp = re.compile(rb"((?:^|[ ,{\"])\"?(?:time|TIME|UTC_TIME)\"?[=:] *\"?)(\d{9,}\.?\d*)")
    for old, new in zip(*lines):
        if old != new:
            check("line", stamp.sub(rb"\1", new), stamp.sub(rb"\1", old))
            for one, other in zip(stamp.findall(old), stamp.findall(new)):
                moved = decimal.Decimal(other[1].decode()) - decimal.Decimal(one[1].decode())
                if moved not in (0, shift):
                    raise common.Difference(f"{one[1]} became {other[1]}")


def names(before, after):
    """Checks that DB_* entries are gone, NAV_* became GPS_*, and the rest is equal."""
    wanted = []
    entry = False
    for line in before.splitlines(keepends=True):
        found = ENTRY.match(line)
        if found or line.startswith(b"%%"):
            entry = bool(found) and found[3].startswith(b"DB_")
        if not entry:
            wanted.append(line)
    found = after.splitlines(keepends=True)
    check("lines", len(found), len(wanted))
    for new, old in zip(found, wanted):
        if new != old:
            was, now = ENTRY.match(old), ENTRY.match(new)
            check("name", now[3], b"GPS_" + was[3].removeprefix(b"NAV_"))
            check("rest", (now[1], now[5], new[now.end() :]), (was[1], was[5], old[was.end() :]))


def lvx(before, after, shift):
    """Compares all bytes except the stamps of packages."""
    check("size", len(after), len(before))
    nanos, parts = int(shift * 10**9), []
    version = before[16:20]
    info, first = (59, 29) if version == bytes((1, 1, 0, 0)) else (63, 29)
    at, two = first + before[28] * info, version[0] == 2
    while at + 24 <= len(before):
        end = min(struct.unpack_from("<Q", before, at + 8)[0] or len(before), len(before))
        at += 24
        while at < end:
            if two:
                kind, place = before[at + 6], at + 7
                length = 27 + struct.unpack_from("<I", before, at + 18)[0]
            else:
                kind, place = before[at + 9], at + 11
                length = 19 + (1300, 900, 1344, 960, 1344, 768, 24)[before[at + 10]]
            parts.append((place, kind))
            at += length
        at = end
    rebuilt = bytearray(before)
    for place, kind in parts:
        if not two and kind == 3:
            raise LookupError("dates")
        struct.pack_into("<Q", rebuilt, place, struct.unpack_from("<Q", before, place)[0] + nanos)
    check("bytes but stamps", after == bytes(rebuilt), True)


def carla(before, after, shift, name=None):
    """Compares header and frame times, and all other packets byte for byte."""
    def parts(data):
        version, magic, date, size = struct.unpack_from("<H16sqH", data, 0)
        at, packets = 28 + size, []
        while at + 5 <= len(data):
            kind, length = struct.unpack_from("<BI", data, at)
            packets.append((kind, data[at + 5 : at + 5 + length]))
            at += 5 + length
        return (version, magic), date, data[28 : 28 + size], packets

    old, new = parts(before), parts(after)
    check("version", new[0], old[0])
    check("map", new[2], name or old[2])
    check("packets", len(new[3]), len(old[3]))
    for (kind, body), (other, now) in zip(old[3], new[3]):
        if kind == 0:
            was, is_ = struct.unpack_from("<Qdd", body), struct.unpack_from("<Qdd", now)
            check("frame", is_[:2], was[:2])
            common.close("time", new[1] + is_[2] - old[1] - was[2], float(shift), 1e-6)
        else:
            check("packet", (other, now), (kind, body))


def named(kind, row):
    """The actors that a row names."""
    if kind in ("scene", "platform", "weather"):
        return set()
    return {row[1], row[3]} if kind == "collision" else set(row[:2]) if kind == "parent" else {row[0]}


def actors(robolog, before, after, gone):
    """Compares the text of a copy without some actors, row by row. Actors attached to a removed one are removed too."""
    text, frames = parse_text(printed(robolog, after, "--wording", "0.9.15")), read_binary(before).frames
    for child, parent in [row for frame in frames for kind, rows in frame.sections if kind == "parent" for row in rows]:
        gone = gone | {child} if parent in gone else gone
    check("frames", len(text.frames), len(frames))
    created, used = set(), set()
    for found, wanted in zip(text.frames, frames):
        kept = [(kind, [row for row in rows if not named(kind, row) & gone]) for kind, rows in wanted.sections]
        check("frame", (found.number, found.elapsed), (wanted.number, wanted.elapsed))
        sections = [[(kind, rows) for kind, rows in one if rows] for one in (found.sections, kept)]
        check(f"frame {found.number}", sections[0], sections[1])
        created |= {row[0] for kind, rows in found.sections if kind == "create" for row in rows}
        used |= {row[0] for kind, rows in found.sections if kind in ("position", "vehicle", "walker") for row in rows}
    check("actors with poses and controls that were never there", used - created, set())


def koblenz(before, after, shift):
    """Compares the stamps of messages; otherwise only the index may differ, and its offsets must not."""
    check("size", len(after), len(before))
    entries = struct.unpack_from("<I", before, 8)[0]
    at = 12 + 8 * entries
    check("header", after[:at], before[:at])
    size_is_payload = None
    while at + 21 <= len(before) and before[at : at + 4] != b"\xff\xff\xff\xff":
        size, mark = struct.unpack_from("<IB", before, at)
        old, new = struct.unpack_from("<d", before, at + 13)[0], struct.unpack_from("<d", after, at + 13)[0]
        common.close("stamp", new - old, float(shift * 1000), 1e-5)
        if size_is_payload is None:
            # The size counts the bytes after it, the whole message, or the payload.
            fits = [extra for extra in (4, 0, 21) if before[at + size + extra + 4 : at + size + extra + 5] in (b"\x49", b"")]
            size_is_payload = fits[0]
        end = at + size + size_is_payload
        check("message", after[at + 21 : end], before[at + 21 : end])
        check("head", after[at : at + 13], before[at : at + 13])
        at = end


def nmea(before, after, shift):
    """Compares fields other than times and dates, and checks each checksum."""
    day = decimal.Decimal(86400)
    old, new = before.split(b"\n"), after.split(b"\n")
    check("lines", len(new), len(old))
    for was, now in zip(old, new):
        found = re.match(rb"\$(..(GGA|RMC|ZDA|GNS|GST|GBS|GRS|GLL),[^*\r]*)\*([0-9A-Fa-f]{2})\r?$", was)
        total = 0
        for byte in (found[1] if found else b""):
            total ^= byte
        if not found or total != int(found[3], 16):
            check("line", now, was)
            continue
        content, checksum = re.match(rb"\$([^*]*)\*(..)", now).groups()
        total = 0
        for byte in content:
            total ^= byte
        check("checksum", int(checksum, 16), total)
        place = 5 if found[2] == b"GLL" else 1
        fields, others = found[1].split(b","), content.split(b",")
        check("fields", len(others), len(fields))
        seconds = []
        for text in (fields[place], others[place]):
            clock = re.fullmatch(rb"(\d\d)(\d\d)(\d\d\.?\d*)", text)
            seconds.append(clock and int(clock[1]) * 3600 + int(clock[2]) * 60 + decimal.Decimal(clock[3].decode()))
        if seconds[0] is None:
            check("line", now, was)
            continue
        check("time", seconds[1], ((seconds[0] + shift) % day + day) % day)
        dated = {b"RMC": (9,), b"ZDA": (2, 3, 4)}.get(found[2], ())
        keep = [n for n in range(len(fields)) if n != place and n not in dated]
        check("other fields", [others[n] for n in keep], [fields[n] for n in keep])


def kind_of(path, data):
    if data[:10] == b"livox_tech":
        known = (bytes((1, 1, 0, 0)), bytes((2, 0, 0, 0)))
        return lvx if data[16:20] in known else None
    if data[2:18] == b"\x0e\x00CARLA_RECORDER":
        return carla
    if path.suffix in (".alog", ".xlog"):
        return alog
    if path.suffix == ".nmea":
        return nmea
    return koblenz if data[:4] == b"\xa4VEL" else None


def one(robolog, out, path):
    data = path.read_bytes()
    kind = kind_of(path, data)
    if kind is None:
        return "no script for it"
    target, told = out / path.name, []

    def edit(*options):
        target.unlink(missing_ok=True)
        words = [str(word) for word in (robolog, "edit", path, "-o", target, *options)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return target.read_bytes() if done.returncode == 0 else None

    for shift in SHIFTS:
        after = edit("--shift", f"{shift}s")
        if after is not None:
            kind(data, after, shift)
            told.append(f"{shift} s")
    if kind is alog and re.search(rb"\sDB_", data) and re.search(rb"\sNAV_", data):
        after = edit("--drop", "DB_*", "--rename", "NAV_*=GPS_*")
        if after is not None:
            names(data, after)
            told.append("names")
    if kind is carla:
        after = edit("--map-name", "Elsewhere")
        if after is not None:
            carla(data, after, 0, b"Elsewhere")
            told.append("map")
        rows = [row for frame in read_binary(path).frames for kind, rows in frame.sections if kind == "create" for row in rows]
        number = next((row[0] for row in rows if row[1].startswith("vehicle.")), None)
        if number and edit("--drop-actor", number) is not None:
            actors(robolog, path, target, {number})
            told.append(f"without actor {number}")
        if number and edit("--keep-actor", number) is not None:
            actors(robolog, path, target, {row[0] for row in rows} - {number})
            told.append(f"actor {number} alone")
    if not told:
        raise common.Difference("no edit was made")
    return ", ".join(told)


def main(robolog, out, *files):
    out, tally = common.folder(out), common.Tally()
    for name in files:
        path = pathlib.Path(name)
        tally.take(path.name, one, robolog, out, path)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
