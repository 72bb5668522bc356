"""Reads captures with tshark, which must be installed, and compares the result with robolog's output.

captures.py ROBOLOG OUT FOLDER... compares, for each capture of the folders, the number of UDP datagrams with that of
`robolog info`, and for a Livox LiDAR the times of the first and the last packet. Packets of Velodyne sensors are converted
to a Koblenz log in OUT and from there to a capture: tshark must find each packet's bytes, in order, on the same port, with
valid checksums, within a turn of the original capture time.
"""

import collections
import json
import pathlib
import subprocess
import sys

import common
from common import check, close

VELODYNE, PACKET = 2368, 1206
# Seconds. A log has one time for the packets of a turn; their own clocks distinguish them.
TOLERANCE = 100e-3
Datagram = collections.namedtuple("Datagram", "ns source port payload ip udp")


def nanos(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 10**9 + int(fraction.ljust(9, "0"))


def datagrams(path):
    """All UDP datagrams of a capture; 1 is a valid checksum."""
    fields = ("frame.time_epoch", "udp.srcport", "udp.dstport", "udp.payload")
    fields += ("ip.checksum.status", "udp.checksum.status")
    words = ["tshark", "-r", str(path), "-Y", "udp", "-T", "fields", *(f"-e{field}" for field in fields)]
    words += ["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    # 2: the last frame is truncated.
    if done.returncode not in (0, 2):
        raise RuntimeError(f"tshark ended with {done.returncode}: {done.stderr.strip()}")
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return [Datagram(nanos(time), int(source), int(port), *rest) for time, source, port, *rest in rows]


def counts(robolog, path):
    summary = json.loads(common.run(robolog, "info", "--json", path).stdout)
    found = datagrams(path)
    check("number of datagrams", len(found), summary["details"]["datagrams"])
    if not summary["channels"]:
        return f"{len(found)} datagrams"
    # Points, inertial data and device status use different ports.
    sent = collections.Counter((one.source, one.port) for one in found)
    for channel in summary["channels"]:
        which = [key for key, count in sent.items() if count == channel["records"]]
        check(f"ports with {channel['records']} datagrams", len(which), 1)
        times = [one.ns for one in found if (one.source, one.port) == which[0]]
        told = [channel["start_ns"], channel["end_ns"]]
        check(f"first and last time of {channel['name']}", told, [times[0], times[-1]])
    return f"{len(found)} datagrams, {len(sent)} ports"


def there_and_back(robolog, path, out):
    log, again = out / (path.stem + ".klog"), out / (path.stem + ".again.pcap")
    common.convert(robolog, path, log, "--to", "koblenz-log")
    common.convert(robolog, log, again, "--to", "pcap")
    wanted = [one for one in datagrams(path) if one.port == VELODYNE and len(one.payload) == 2 * PACKET]
    found = datagrams(again)
    check("number of packets", len(found), len(wanted))
    check("ports", {one.port for one in found}, {VELODYNE})
    check("checksums of IP", {one.ip for one in found}, {"1"})
    # UDP checksums are optional.
    check("checksums of UDP", {one.udp for one in found} <= {"1", "3"}, True)
    for number, (one, other) in enumerate(zip(found, wanted)):
        check(f"the bytes of packet {number} are kept", one.payload == other.payload, True)
        close(f"seconds of packet {number} later than captured", (one.ns - other.ns) / 1e9, 0, TOLERANCE)
    return f"{len(found)} packets"


def main(robolog, out, *folders):
    out, tally = common.folder(out), common.Tally()
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.glob("*.pcap*")):
            tally.take(path.name, counts, robolog, path)
            if any(one.port == VELODYNE and len(one.payload) == 2 * PACKET for one in datagrams(path)):
                tally.take(f"{path.name} to a log and back", there_and_back, robolog, path, out)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
