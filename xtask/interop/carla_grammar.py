"""Parses a CARLA server's text of a recorder file with show_all; rejects unknown lines."""

import re

from carla_binary import DOORS, PHYSICS, Frame, Recording

NUMBER = r"(-?(?:\d+(?:\.\d+)?(?:e[+-]\d{2,3})?|inf|nan))"
VECTOR = rf"\({NUMBER}, {NUMBER}, {NUMBER}\)"
ID = r"(\d+)"
ACTOR = rf"  Id: {ID}"

# The wordings differ in a few labels: 0.9.6 to 0.9.9, 0.9.10 to 0.9.14, 0.9.15 and later.
OLD, MIDDLE, NEW = "0.9.6", "0.9.10", "0.9.15"
STYLES = {"0.9.6": OLD, "0.9.10": MIDDLE, "0.9.14": MIDDLE, "0.9.15": NEW, "0.9.16": NEW}
# The blank lines after a frame, and after rows of bones.
LAYOUTS = {
    "0.9.6": [(0, 1)],
    "0.9.10": [(0, 1)],
    "0.9.14": [(0, 1)],
    "0.9.15": [(1, 1)],
    "0.9.16": [(1, 0)],
}
ANY_LAYOUT = [(0, 1), (1, 0), (1, 1)]

HEADS = {
    "Vehicle door animations": "door",
    "Positions": "position",
    "State traffic lights": "state",
    "Vehicle animations": "vehicle",
    "Walker animations": "walker",
    "Vehicle light animations": "light",
    "Scene light changes": "scene",
    "Dynamic actors": "kinematics",
    "Actor bounding boxes": "box",
    "Actor trigger volumes": "trigger",
    "Physics Control events": "physics",
    "Traffic Light time events": "times",
    "Walkers Bones": "bones",
    "Weathers": "weather",
}
# Only the number of the names between is known.
WEATHER = (
    rf"  Cloudiness: {NUMBER} Precipitation: {NUMBER}" + rf" [A-Z]\w+: {NUMBER}" * 11 + rf" DustStorm: {NUMBER}"
)
BOX = {ACTOR + rf" origin: {VECTOR} extension: {VECTOR}": (OLD, MIDDLE, NEW)}
# The rows of a section, and the wordings that use them.
ROWS = {
    "position": {
        ACTOR + rf" Location {VECTOR} Rotation {VECTOR}": (OLD,),
        ACTOR + rf" Location: {VECTOR} Rotation {VECTOR}": (MIDDLE,),
        ACTOR + rf" Location: {VECTOR} Rotation: {VECTOR}": (NEW,),
    },
    "vehicle": {
        rf"  Vehicle id {ID}: Steering {NUMBER} Throttle {NUMBER} Brake {NUMBER}"
        r" Handbrake ([01]) Gear (-?\d+)": (OLD,),
        ACTOR + rf" Steering: {NUMBER} Throttle: {NUMBER} Brake {NUMBER}"
        r" Handbrake: ([01]) Gear: (-?\d+)": (MIDDLE,),
        ACTOR + rf" Steering: {NUMBER} Throttle: {NUMBER} Brake: {NUMBER}"
        r" Handbrake: ([01]) Gear: (-?\d+)": (NEW,),
    },
    "walker": {
        rf"  Walker id {ID}: speed {NUMBER}": (OLD,),
        ACTOR + rf" speed: {NUMBER}": (MIDDLE, NEW),
    },
    "state": {ACTOR + rf" state: (.) frozen: ([01]) elapsedTime: {NUMBER}": (OLD, MIDDLE, NEW)},
    "light": {ACTOR + r" (None|[A-Z]\w+(?: [A-Z]\w+)*)": (OLD, MIDDLE, NEW)},
    "scene": {
        rf"  Id: (-?\d+) enabled: (True|False) intensity: {NUMBER} RGB_color: {VECTOR}": (OLD, MIDDLE, NEW)
    },
    "kinematics": {ACTOR + rf" linear_velocity: {VECTOR} angular_velocity: {VECTOR}": (OLD, MIDDLE, NEW)},
    "box": BOX,
    "trigger": BOX,
    "times": {ACTOR + rf" green_time: {NUMBER} yellow_time: {NUMBER} red_time: {NUMBER}": (OLD, MIDDLE, NEW)},
    "weather": {WEATHER: (OLD, MIDDLE, NEW)},
}
ROWS = {kind: [(re.compile(line), set(styles)) for line, styles in rows.items()] for kind, rows in ROWS.items()}

FRAME = re.compile(rf"Frame {ID} at {NUMBER} seconds")
HEAD = re.compile(r" ([A-Z][A-Za-z ]+): (\d+)")
CREATE = re.compile(rf" Create {ID}: (.*) \((\d+)\) at {VECTOR}")
ATTRIBUTE = re.compile(r"  (.*?) = (.*)")
COLLISION = re.compile(rf" Collision id {ID} between {ID}( \(hero\) )? with {ID}( \(hero\) )?")
BARE = {
    "destroy": re.compile(rf" Destroy {ID}"),
    "parent": re.compile(rf" Parenting {ID} with {ID} \(parent\)"),
    "platform": re.compile(rf" Current platform time: {NUMBER}"),
}
BONE = re.compile(rf'     Bone: "(.*)" relative: Loc{VECTOR} Rot{VECTOR}')
GEAR = rf"ratio {NUMBER} down_ratio {NUMBER} up_ratio {NUMBER}"
WHEEL = (
    rf"tire_friction {NUMBER} damping_rate {NUMBER} max_steer_angle {NUMBER} radius {NUMBER}"
    rf" max_brake_torque {NUMBER} max_handbrake_torque {NUMBER} position {VECTOR}"
)
PAIR = re.compile(rf" \({NUMBER}, {NUMBER}\)")
DOOR = "  Doors opened: "


class Unknown(Exception):
    """A line that matches no rule."""


class Parser:
    def __init__(self, lines):
        self.lines, self.at = list(lines), 0
        self.styles = {OLD, MIDDLE, NEW}

    def fail(self, what):
        line = repr(self.lines[self.at]) if self.at < len(self.lines) else "the end of the text"
        raise Unknown(f"line {self.at + 1}: {what}, got {line}")

    def line(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self, pattern, what, *, wanted=True):
        """The groups of a matching line; another line is not consumed."""
        line = self.line()
        found = re.fullmatch(pattern, line) if line is not None else None
        if found:
            self.at += 1
            return found.groups()
        if wanted:
            self.fail(what)
        return None

    def blanks(self):
        start = self.at
        while self.line() == "":
            self.at += 1
        return self.at - start

    def recording(self):
        version = self.take(r"Version: (\d+)", "a version")[0]
        name = self.take(r"Map: (.*)", "a map")[0]
        date = self.take(r"Date: (\d\d/\d\d/\d\d \d\d:\d\d:\d\d)", "a date")[0]
        self.take("", "a blank line")
        recording = Recording(version, name, date)
        recording.gaps = []
        # A text without frames has only the blank line at its end.
        recording.tail = self.blanks()
        while self.line() is not None and (found := self.take(FRAME, "", wanted=False)):
            recording.gaps.append(recording.tail)
            frame = Frame(*found)
            recording.frames.append(frame)
            while self.section(frame):
                pass
            recording.tail = self.blanks()
        recording.count = self.take(rf"Frames: {ID}", "a frame, a line of one, or the number of frames")[0]
        recording.duration = self.take(rf"Duration: {NUMBER} seconds", "a duration")[0]
        if self.line() is not None:
            self.fail("the end of the text expected")
        recording.styles = self.styles
        return recording

    def section(self, frame):
        """A single line, or a heading with its rows."""
        if found := self.take(CREATE, "", wanted=False):
            attributes = []
            while pair := self.take(ATTRIBUTE, "", wanted=False):
                attributes.append(pair)
            frame.add("create", [(*found, tuple(attributes))])
            return True
        if found := self.take(COLLISION, "", wanted=False):
            sequence, one, hero_one, two, hero_two = found
            frame.add("collision", [(sequence, one, bool(hero_one), two, bool(hero_two))])
            return True
        for kind, pattern in BARE.items():
            if found := self.take(pattern, "", wanted=False):
                frame.add(kind, [found])
                return True
        found = re.fullmatch(HEAD, self.line() or "")
        if not found or found[1] not in HEADS:
            return False
        self.at += 1
        kind = HEADS[found[1]]
        special = {"door": self.door, "physics": self.physics, "bones": self.bones}
        read = special.get(kind, lambda: self.row(kind))
        frame.add(kind, [read() for _ in range(int(found[2]))])
        return True

    def row(self, kind):
        for pattern, styles in ROWS[kind]:
            if found := self.take(pattern, "", wanted=False):
                if not self.styles & styles:
                    self.at -= 1
                    self.fail("a line in the wording of the lines before")
                self.styles &= styles
                return found
        return self.fail(f"a row of {kind}")

    def door(self):
        actor = self.take(ACTOR, "the id of a vehicle with a door")[0]
        line = self.line() or ""
        if not line.startswith(DOOR):
            self.fail("the name of a door")
        rest = line[len(DOOR) :]
        for name in DOORS:
            if rest == f" {name} ":
                self.at += 1
                return (actor, name)
        # The server prints no line end after an unknown door.
        self.lines[self.at] = rest
        return (actor, None)

    def physics(self):
        actor = self.take(ACTOR, "the id of a vehicle")[0]
        scalars = []
        for name in PHYSICS:
            value = "(true|false)" if name == "use_gear_auto_box" else NUMBER
            scalars.append((name, self.take(rf"   {name} = {value}", name)[0]))
        centre = self.take(rf"   center_of_mass = {VECTOR}", "center_of_mass")
        curves = []
        for name in ("torque_curve", "steering_curve"):
            pairs = self.take(rf"   {name} =((?:{PAIR.pattern})*)", name)[0]
            curves.append(tuple(PAIR.findall(pairs)))
        self.take("   forward_gears:", "forward_gears")
        gears = self.numbered("gear", GEAR)
        self.take("   wheels:", "wheels")
        wheels = self.numbered("wheel", WHEEL)
        return (actor, tuple(scalars), centre, *curves, gears, wheels)

    def numbered(self, name, pattern):
        rows = []
        while found := self.take(rf"    {name} {len(rows)}: {pattern}", "", wanted=False):
            rows.append(found)
        return tuple(rows)

    def bones(self):
        actor = self.take(ACTOR, "the id of a walker")[0]
        rows = []
        while found := self.take(BONE, "", wanted=False):
            rows.append(found)
        return (actor, tuple(rows))


def parse_text(lines):
    """The recording of a text, given as lines without line ends."""
    return Parser(lines).recording()
