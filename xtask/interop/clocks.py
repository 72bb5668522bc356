"""Compares robolog's times with those in the sensors' packets, parsed independently here.

clocks.py ROBOLOG OUT VELODYNE [LIVOX] reads each capture of the folder VELODYNE. By the sensor's clock and the manual's firing
tables, each point's time after the first must be right within 50 µs, and the times of packets and clouds must not decrease;
without a clock, no packet may be later than its arrival or much earlier. For the folder LIVOX, clouds and inertial
measurements of a capture must have the stamps of their packets, and equal those of recordings and MCAP files made from the
same packets.
"""

import pathlib
import struct
import sys

import common
from common import check
from mcap.reader import make_reader

PACKET, HOUR = 1206, 3_600_000_000
# Nanoseconds.
TOLERANCE, STALL, PACKET_TIME = 50_000, 5_000_000, 288_000
HDL32E, VLP16, VLP32C, VLS128, DUAL = 0x21, 0x22, 0x28, 0xA1, 0x39


def datagrams(path):
    """Capture times and payloads of UDP datagrams over Ethernet and IPv4 in a little-endian pcap file."""
    data, at = path.read_bytes(), 24
    unit = {b"\xd4\xc3\xb2\xa1": 1000, b"\x4d\x3c\xb2\xa1": 1}[data[:4]]
    while at + 16 <= len(data):
        seconds, fraction, kept, _ = struct.unpack_from("<4I", data, at)
        frame, at = data[at + 16 : at + 16 + kept], at + 16 + kept
        if len(frame) == kept and frame[12:14] == b"\x08\x00" and frame[23] == 17:
            yield seconds * 10**9 + fraction * unit, frame[14 + 4 * (frame[14] & 15) + 8 :]


def shot(model, dual, block, laser):
    """Microseconds from a packet's clock to a shot, from the manuals."""
    if model == VLS128:
        group = 32 * (block % 4) + laser
        unit = 8 / 3
        return 20 * unit * (block // 4) + unit * (group // 8 + 2 * (group // 64)) - 7
    if model is None:
        # HDL-64E S2: pairs of blocks, four lasers at a time.
        return 48 * (block // 2) + 6 * (laser // 4) + (0, 1.26, 2.46, 3.66)[laser % 4]
    block = block // 2 if dual else block
    if model == HDL32E:
        return 46.08 * block + 1.152 * laser
    if model == VLP16:
        return 55.296 * (2 * block + laser // 16) + 2.304 * (laser % 16)
    if model == VLP32C:
        return 55.296 * block + 2.304 * (laser // 2)
    raise common.Difference(f"model {model:#x}")


def returns(packet, model):
    """Block and laser of each return with a distance; only the first of two equal returns of a shot."""
    dual, found = model is not None and packet[1204] == DUAL, []
    distances = [struct.unpack_from("<" + "HB" * 32, packet, 100 * block + 4)[::2] for block in range(12)]
    for block in range(0, 12, 2 if dual else 1):
        for laser in range(32):
            if distances[block][laser]:
                found.append((block, laser))
            if dual and distances[block + 1][laser] not in (0, distances[block][laser]):
                found.append((block + 1, laser))
    return found


def points(robolog, path):
    """The time of each point of each cloud."""
    clouds = (one for one in common.samples(robolog, path) if one["kind"] == "point_cloud")
    return [[one["t_ns"] + offset for offset in one["value"]["time_offset"]] for one in clouds]


def velodyne(robolog, path):
    packets = [(time, data) for time, data in datagrams(path) if len(data) == PACKET and data[0] == 0xFF]
    clouds = points(robolog, path)
    found = [time for cloud in clouds for time in cloud]
    if not packets:
        check("points", len(found), 0)
        return "no packets"
    # The lower lasers of an HDL-64E, whose packets name no model; old packets have no clock.
    banks = {packets[0][1][100 * block + 1] for block in range(12)}
    is_hdl64e = 0xDD in banks and 0xCC not in banks
    has_clock = not any(data.endswith(b"DegC") for _, data in packets[:16])
    for before, after in zip(clouds, clouds[1:]):
        check("a cloud begins before the last one ends", min(after) < max(before), False)
    starts, at, clock, micros, furthest, first = [], 0, 0, None, 0, None
    for arrival, data in packets:
        model = None if is_hdl64e else data[1205]
        own = returns(data, model)
        times, at = found[at : at + len(own)], at + len(own)
        if not times:
            continue
        starts.append(min(times))
        if not has_clock:
            # Two packets that arrive within one packet's duration were still sent one after the other.
            early = arrival + PACKET_TIME - max(times)
            check(f"a packet is sent {-early / 1000:.1f} µs after it arrived", early < 0, False)
            furthest = max(furthest, arrival - max(times))
            continue
        stamp = struct.unpack_from("<I", data, 1200)[0]
        clock += 0 if micros is None else (stamp - micros) % HOUR
        micros = stamp
        dual = model is not None and data[1204] == DUAL
        for time, (block, laser) in zip(times, own):
            apart = time - clock * 1000 - shot(model, dual, block, laser) * 1000
            first = apart if first is None else first
            furthest = max(furthest, abs(apart - first))
    check("number of points", len(found), at)
    backwards = sum(after < before for before, after in zip(starts, starts[1:]))
    check("packets that begin before the last one", backwards, 0)
    limit = TOLERANCE if has_clock else STALL
    check(f"{furthest / 1000:.1f} µs is more than {limit / 1000}", furthest > limit, False)
    return f"{len(found)} points within {furthest / 1000:.1f} µs of {'the sensor' if has_clock else 'arrival'}"


def stamps(path):
    """Stamps of packets with points and of inertial measurements; SDK 1 packets are known by version and length."""
    clouds, imu = [], []
    for _, data in datagrams(path):
        if data[:1] == b"\x05":
            (imu if data[9] == 6 else clouds).append(struct.unpack_from("<Q", data, 10)[0])
        elif len(data) > 36 and struct.unpack_from("<H", data, 1)[0] == len(data) and data[10] < 4:
            (imu if data[10] == 0 else clouds).append(struct.unpack_from("<Q", data, 28)[0])
    return clouds, imu


def times(robolog, path, kind):
    return [one["t_ns"] for one in common.samples(robolog, path) if one["kind"] == kind]


def livox(robolog, path, reference, out):
    clouds, imu = stamps(path)
    check("stamps of inertial measurements", times(robolog, path, "imu"), imu)
    found = [time for cloud in points(robolog, path) for time in cloud]
    missing = set(clouds) - set(found)
    check("packets at whose stamp no point lies", len(missing), 0)
    check("first point", found[0], clouds[0])
    check("measured at the same times in the reference", found, [t for one in points(robolog, reference) for t in one])
    own = times(robolog, path, "point_cloud")
    check("stamps of clouds that are no packet's", len(set(own) - set(clouds)), 0)
    suffix = reference.suffix
    recording, mcap = out / (path.stem + suffix), out / (path.stem + ".mcap")
    common.convert(robolog, path, recording)
    check("clouds of the recording", times(robolog, recording, "point_cloud"), own)
    common.convert(robolog, path, mcap)
    with open(mcap, "rb") as file:
        logged = [(channel.topic, message.log_time) for _, channel, message in make_reader(file).iter_messages()]
    check("clouds of MCAP", sorted(time for topic, time in logged if topic.endswith("points")), own)
    check("measurements of MCAP", sorted(time for topic, time in logged if topic.endswith("imu")), imu)
    return f"{len(own)} clouds, {len(imu)} measurements"


def main(robolog, out, folder, recordings=None):
    out, tally = common.folder(out), common.Tally()
    for path in sorted(pathlib.Path(folder).glob("*.pcap")):
        tally.take(path.name, velodyne, robolog, path)
    if recordings:
        recordings = pathlib.Path(recordings)
        for name, reference in (
            ("livox_tele15_small.pcap", "tele15_real_v11.lvx"),
            ("mid360_sdk2_synthetic.pcap", "mid360_pcap_to_lvx2.lvx2"),
        ):
            tally.take(name, livox, robolog, recordings / name, recordings / reference, out)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
