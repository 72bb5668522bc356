"""Reads robolog's ROS 1 bags with rosbags, and compares them with the MCAP files of the same recordings.

ros1_bag.py ROBOLOG OUT RECORDING... converts each recording to MCAP with ROS 2 messages, and to ROS 1 bags with each
compression. rosbags decodes both with the definitions in the files; all fields of all messages are compared. The definitions
and MD5 sums of bags are compared with rosbags' own of ROS 1 packages, the index and the connections with a parser in this
script.
"""

import pathlib
import struct
import sys

import common
import numpy
from common import check
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

# Seconds read of recordings with many messages, which take readers minutes.
FIRST = {"DistanceToLaneCenter_2021-11.log": "2", "crash.log": "2", "QuadTree_Alog.alog": "20"}

# Messages that ROS 1 lacks.
ONLY_ROS2 = {"texture_resource", "texture", "uv_coordinates", "mesh_file"}

ROS1 = get_typestore(Stores.ROS1_NOETIC)


def fields_of(message):
    """The definition without constants, of which ROS 2 has more."""
    return [name for name in message.__dataclass_fields__ if not name.startswith("__") and not name.isupper()]


def same(path, one, two, sequence):
    """Compares a ROS 1 message with a ROS 2 message; returns the number of compared values."""
    if hasattr(two, "__dataclass_fields__"):
        if hasattr(one, "seq"):
            check(f"{path}.seq", one.seq, sequence)
        names = [name for name in fields_of(two) if name not in ONLY_ROS2]
        check(f"fields of {path}", [name for name in fields_of(one) if name != "seq"], names)
        if path.endswith(".stamp") or path.endswith(".lifetime"):
            # Unsigned in ROS 1.
            wanted = (two.sec, two.nanosec) if two.sec >= 0 else (0, 0)
            if two.sec < 2**31 - 1:
                check(path, (one.sec, one.nanosec), wanted)
            return 2
        return sum(same(f"{path}.{name}", getattr(one, name), getattr(two, name), sequence) for name in names)
    if isinstance(two, list):
        check(f"length of {path}", len(one), len(two))
        return sum(same(f"{path}[{i}]", a, b, sequence) for i, (a, b) in enumerate(zip(one, two)))
    if isinstance(two, numpy.ndarray):
        check(f"type of {path}", one.dtype, two.dtype)
        if not numpy.array_equal(one, two, equal_nan=two.dtype.kind == "f"):
            raise common.Difference(f"{path} differs")
        return len(two)
    if not (one == two or (one != one and two != two)):
        raise common.Difference(f"{path} is {one}, not {two}")
    return 1


def messages(path):
    """Topics, types and messages by topic, in time order."""
    found, types, digests = {}, {}, {}
    with AnyReader([path]) as reader:
        for connection in reader.connections:
            types[connection.topic, connection.msgtype] = connection.msgdef.data
            digests[connection.topic, connection.msgtype] = connection.digest
        for connection, time, raw in reader.messages():
            message = reader.deserialize(raw, connection.msgtype)
            found.setdefault((connection.topic, connection.msgtype), []).append((time, message))
    return found, types, digests


def records(data):
    """The records of a bag: headers as dictionaries, data, and offsets."""
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        header, inside = {}, at + 4
        while inside < at + 4 + size:
            (length,) = struct.unpack_from("<I", data, inside)
            name, value = data[inside + 4 : inside + 4 + length].split(b"=", 1)
            header[name.decode()] = value
            inside += 4 + length
        check("end of a header", inside, at + 4 + size)
        (length,) = struct.unpack_from("<I", data, inside)
        yield at, header, data[inside + 4 : inside + 4 + length]
        at = inside + 4 + length
    check("end of the records", at, len(data))


def number(value):
    return int.from_bytes(value, "little")


def layout(path, compression):
    """Checks positions, counts and indexes, which `rosbag` relies on, without rosbags."""
    data = path.read_bytes()
    magic = b"#ROSBAG V2.0\n"
    check("magic", data[: len(magic)], magic)
    all_records = list(records(data[len(magic) :]))
    chunks, connections, infos, first = {}, 0, 0, all_records[0]
    check("first record", len(first[2]) + sum(4 + len(k) + 1 + len(v) for k, v in first[1].items()), 4096)
    for at, header, body in all_records[1:]:
        at, op = at + len(magic), number(header["op"])
        if op == 5:
            check("compression", header["compression"].decode(), compression)
            chunks[at] = current = {"size": number(header["size"]), "index": {}, "body": body}
            check("size", current["size"], len(body)) if compression == "none" else None
        elif op == 4:
            check("length of an index", len(body), 12 * number(header["count"]))
            current["index"][number(header["conn"])] = number(header["count"])
            for i in range(number(header["count"])) if compression == "none" else []:
                seconds, nanos, offset = struct.unpack_from("<III", body, 12 * i)
                _, message, _ = next(records_from(current["body"], offset))
                check("message", message["op"] + message["conn"], b"\2" + header["conn"])
                check("time", message["time"], struct.pack("<II", seconds, nanos))
        elif op == 7:
            check("index_pos", number(first[1]["index_pos"]), at) if not connections else None
            connections += 1
        elif op == 6:
            infos += 1
            chunk = chunks[number(header["chunk_pos"])]
            counts = dict(struct.iter_unpack("<II", body))
            check("counts of a chunk", counts, chunk["index"])
    check("counts", (number(first[1]["conn_count"]), number(first[1]["chunk_count"])), (connections, len(chunks)))
    check("infos", infos, len(chunks))


def records_from(data, offset):
    """The record at an offset."""
    (size,) = struct.unpack_from("<I", data, offset)
    (body,) = struct.unpack_from("<I", data, offset + 4 + size)
    return records(data[offset : offset + 8 + size + body])


def compare(robolog, out, source, compression, limits):
    mcap, bag = out / f"{source.name}.mcap", out / f"{source.name}.bag"
    common.convert(robolog, source, mcap, *limits)
    common.convert(robolog, source, bag, "--bag-compression", compression, *limits)
    two, types_of_two, _ = messages(mcap)
    one, types, digests = messages(bag)
    layout(bag, compression)
    check("topics", sorted(types), sorted(types_of_two))
    own = 0
    for (topic, name), digest in digests.items():
        if name in ROS1.fielddefs:
            _, wanted = ROS1.generate_msgdef(name, ros_version=1)
            check(f"sum of {name}", digest, wanted)
        else:
            own += 1
    values = 0
    for key, wanted in two.items():
        found = one.get(key, [])
        check(f"number of {key[0]}", len(found), len(wanted))
        # The earliest time that `rosbag` plays.
        check(f"times of {key[0]}", [t for t, _ in found], [max(t, 1) for t, _ in wanted])
        in_order = [t for t, _ in wanted] == sorted({t for t, _ in wanted})
        for sequence, ((_, a), (_, b)) in enumerate(zip(found, wanted)):
            values += same(key[0], a, b, sequence if in_order else seq_of(a))
    total = sum(len(list_) for list_ in two.values())
    return f"{total} messages, {len(types)} topics, {own} of types of their own, {values} values"


def seq_of(message):
    """A message's sequence number, since readers return messages of equal time in any order."""
    inner = message
    for name in ("transforms", "markers"):
        inner = getattr(message, name)[0] if getattr(message, name, None) else inner
    return inner.header.seq if hasattr(inner, "header") else 0


def main(robolog, out, *recordings):
    out, tally = common.folder(out), common.Tally()
    for source in map(pathlib.Path, recordings):
        limits = ["--end", FIRST[source.name]] if source.name in FIRST else []
        for compression in ("none", "lz4"):
            tally.take(f"{source.name}, {compression}", compare, robolog, out, source, compression, limits)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
