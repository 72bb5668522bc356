"""An independent reader of CARLA recorder files; numbers are formatted as the server prints them."""

import math
import pathlib
import re
import struct
import time

LIGHTS = (
    ("Position", 0),
    ("LowBeam", 1),
    ("HighBeam", 2),
    ("Brake", 3),
    ("RightBlinker", 4),
    ("LeftBlinker", 5),
    ("Reverse", 6),
    ("Interior", 8),
    ("Fog", 7),
    ("Special1", 9),
    ("Special2", 10),
)
DOORS = ("Front Left", "Front Right", "Rear Left", "Rear Right", "Hood", "Trunk", "All")
PHYSICS = (
    "max_rpm",
    "MOI",
    "damping_rate_full_throttle",
    "damping_rate_zero_throttle_clutch_engaged",
    "damping_rate_zero_throttle_clutch_disengaged",
    "use_gear_auto_box",
    "gear_switch_time",
    "clutch_strength",
    "final_ratio",
    "mass",
    "drag_coefficient",
)
# Records of fixed size: the kind and the fields; V is a vector of the file's width.
FIXED = {
    3: ("destroy", "I"),
    4: ("parent", "II"),
    5: ("collision", "III??"),
    6: ("position", "IVV"),
    7: ("state", "I?fB"),
    8: ("vehicle", "Ifff?i"),
    9: ("walker", "If"),
    10: ("light", "II"),
    11: ("scene", "if4f?B"),
    12: ("kinematics", "IVV"),
    13: ("box", "IVV"),
    16: ("times", "Ifff"),
    17: ("trigger", "IVV"),
    "door": ("door", "IB?"),
    "weather": ("weather", "14f"),
}
# Printed without a heading, so two packets of them cannot be told apart.
BARE = ("create", "destroy", "parent", "collision", "platform")


class Damage(Exception):
    """A body that does not fit its packet."""


class Frame:
    def __init__(self, number, elapsed):
        self.number, self.elapsed = number, elapsed
        self.sections = []  # (kind, rows), in the order of the packets

    def add(self, kind, rows):
        if kind not in BARE:
            self.sections.append((kind, rows))
        elif rows and self.sections and self.sections[-1][0] == kind:
            self.sections[-1][1].extend(rows)
        elif rows:
            self.sections.append((kind, rows))


class Recording:
    def __init__(self, version, name, date):
        self.version, self.map, self.date = version, name, date
        self.frames = []
        self.ended = True  # the last frame has its end
        self.era = ""


def number(value):
    """A value as a C++ stream prints it: six significant digits, booleans as 0 and 1."""
    if isinstance(value, float):
        if math.isnan(value):
            return "-nan" if math.copysign(1, value) < 0 else "nan"
        return f"{value:g}"
    return str(int(value))


def numbers(values):
    return tuple(map(number, values))


# Characters that move a terminal's cursor or reorder text: controls, line ends, direction marks.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def printed(text):
    """A string as printed: invalid bytes and characters that move or reorder text are escaped."""
    return UNSAFE.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", text.decode(errors="backslashreplace"))


class Body:
    """Reads the body of a packet."""

    def __init__(self, data, vector):
        self.data, self.at, self.vector = data, 0, vector

    def take(self, fields):
        fields = "<" + fields.replace("V", self.vector)
        if self.at + struct.calcsize(fields) > len(self.data):
            raise Damage("a record runs over its packet's end")
        values = struct.unpack_from(fields, self.data, self.at)
        self.at += struct.calcsize(fields)
        return values

    def string(self):
        length = self.take("H")[0]
        return printed(self.take(f"{length}s")[0])

    def list(self, fields):
        return [self.take(fields) for _ in range(self.take("I")[0])]

    def end(self):
        if self.at != len(self.data):
            raise Damage(f"{len(self.data) - self.at} bytes after the last record")


def fixed_rows(key, data, vector):
    kind, fields = FIXED[key]
    fields = "<" + fields.replace("V", vector)
    count = Body(data, vector).take("H")[0]
    if len(data) != 2 + count * struct.calcsize(fields):
        raise Damage(f"{kind}: {count} records do not make {len(data)} bytes")
    return kind, [row(kind, values) for values in struct.iter_unpack(fields, memoryview(data)[2:])]


def row(kind, values):
    """The fields of a record in the order of the text."""
    if kind == "collision":
        sequence, one, two, hero_one, hero_two = values
        return (*numbers((sequence, one)), hero_one, number(two), hero_two)
    if kind == "state":
        actor, frozen, elapsed, state = values
        return (number(actor), chr(0x30 + state), number(frozen), number(elapsed))
    if kind == "light":
        return (number(values[0]), " ".join(name for name, bit in LIGHTS if values[1] >> bit & 1) or "None")
    if kind == "scene":
        light, intensity, red, green, blue, _alpha, lit, _group = values
        return (number(light), str(lit), *numbers((intensity, red, green, blue)))
    if kind == "door":
        return (number(values[0]), DOORS[values[1]] if values[1] < len(DOORS) else None)
    return numbers(values)


def creates(data, vector):
    body = Body(data, vector)
    rows = []
    for _ in range(body.take("H")[0]):
        actor, kind, *place, _uid = body.take("IBVVI")
        name = body.string()
        attributes = []
        for _ in range(body.take("H")[0]):
            body.take("B")
            attributes.append((body.string(), body.string()))
        rows.append((number(actor), name, number(kind), *numbers(place[:3]), tuple(attributes)))
    body.end()
    return rows


def bones(data, vector):
    body = Body(data, vector)
    rows = []
    for _ in range(body.take("H")[0]):
        actor, count = body.take("IH")
        rows.append((number(actor), tuple((body.string(), *numbers(body.take("VV"))) for _ in range(count))))
    body.end()
    return rows


def controls(data, vector, wheel):
    """Physics controls with this many floats per wheel."""
    body = Body(data, vector)
    rows = []
    for _ in range(body.take("H")[0]):
        actor, *start, automatic = body.take("I5f?")
        *rest, x, y, z = body.take("7f")
        torque, gears, steering = body.list("2f"), body.list("3f"), body.list("2f")
        wheels = [(*one[:6], *one[-3:]) for one in body.list(f"{wheel}f")]
        # The switch time is not in the file; the server prints its default.
        values = (*numbers(start), "true" if automatic else "false", "0.5", *numbers(rest))
        scalars = tuple(zip(PHYSICS, values))
        lists = (tuple(map(numbers, one)) for one in (torque, steering, gears, wheels))
        rows.append((number(actor), scalars, numbers((x, y, z)), *lists))
    body.end()
    return rows


def physics(data, vector):
    for wheel in (12, 9):
        try:
            return wheel, controls(data, vector, wheel)
        except Damage:
            continue
    raise Damage("physics control: wheels of neither 36 nor 48 bytes")


def fits(data):
    """The possible meanings of a body with an id from 21 to 24."""
    count = struct.unpack_from("<H", data)[0] if len(data) >= 2 else 0
    if not count:
        return None
    found = {name for name, size in (("door", 6), ("biker", 12), ("weather", 56)) if len(data) == 2 + count * size}
    body = Body(data, "3f")
    try:
        body.take("H")
        for _ in range(count):
            body.take(f"{9 * body.take('II')[1]}s")
        body.end()
        found.add("wheels")
    except Damage:
        pass
    return found


def shifting(packets):
    """The meanings of the ids 21 to 24 in this file."""
    meaning = {}
    position_seen = False
    empty_doors = set()
    for kind, data in packets:
        if kind == 0:
            position_seen = False
        elif kind == 6:
            position_seen = True
        elif 21 <= kind <= 24:
            found = fits(data)
            if found is not None:
                meaning[kind] = meaning.get(kind, found) & found
            elif not position_seen:
                empty_doors.add(kind)
    decided = {kind: "door" for kind in empty_doors - set(meaning)}
    for kind, found in meaning.items():
        if len(found) > 1:
            raise Damage(f"packets {kind} can be {' or '.join(sorted(found))}")
        decided.update({kind: one for one in found})
    return decided


def width(packets):
    """The vector type of this file: 32-bit or 64-bit floats."""
    for kind, data in packets:
        count = struct.unpack_from("<H", data)[0] if len(data) >= 2 else 0
        if kind in (6, 12, 13, 17) and count:
            for vector in ("3f", "3d"):
                if len(data) - 2 == count * struct.calcsize(f"<I{vector}{vector}"):
                    return vector
    for kind, data in packets:
        if kind == 2 and data[:2] != b"\0\0":
            for vector in ("3f", "3d"):
                try:
                    creates(data, vector)
                    return vector
                except Damage:
                    continue
    return "3f"


def era(version, vector, packets, wheel):
    """The era of the program that wrote the file, by its layout."""
    most = max((kind for kind, _ in packets if kind < 25), default=0)
    if vector == "3d":
        return "0.10"
    if version > 1:
        return "0.9.16"
    known = ((21, "0.9.15"), (18, "0.9.14"), (10, "0.9.12" if wheel == 12 else "0.9.10"), (8, "0.9.6"))
    return next((name for least, name in known if most >= least), "0.9.4")


def split(data, at):
    """The packets from an offset, and whether the file ends at the end of one."""
    packets = []
    while at + 5 <= len(data):
        kind, size = struct.unpack_from("<BI", data, at)
        if at + 5 + size > len(data) or (kind == 0 and size != 24):
            return packets, False
        packets.append((kind, data[at + 5 : at + 5 + size]))
        at += 5 + size
    return packets, at == len(data)


def read_binary(path):
    data = pathlib.Path(path).read_bytes()
    head = Body(data, "3f")
    version, magic, date, name = head.take("H")[0], head.string(), head.take("q")[0], head.string()
    if magic != "CARLA_RECORDER":
        raise Damage("not a recorder file")
    recording = Recording(str(version), name, time.strftime("%m/%d/%y %H:%M:%S", time.gmtime(date)))
    packets, whole = split(data, head.at)
    vector, meaning, wheel = width(packets), shifting(packets), 0
    for kind, body in packets:
        kind = meaning.get(kind, kind)
        if kind == 0:
            frame, _duration, elapsed = struct.unpack("<Qdd", body)
            recording.frames.append(Frame(str(frame), number(elapsed)))
            recording.ended = False
            continue
        if kind == 1:
            recording.ended = True
            continue
        if not recording.frames:
            # Outside of frames, so not in the text.
            continue
        add = recording.frames[-1].add
        if kind in FIXED:
            add(*fixed_rows(kind, body, vector))
        elif kind == 2:
            add("create", creates(body, vector))
        elif kind == 14:
            add("platform", [numbers(struct.unpack("<d", body))])
        elif kind == 15:
            wheel, rows = physics(body, vector)
            add("physics", rows)
        elif kind == 19:
            add("bones", bones(body, vector))
        # The server does not print the others: 18, 20, wheels, bikers and unknown ones.
    recording.ended = recording.ended and whole
    recording.era = era(version, vector, packets, wheel)
    return recording
