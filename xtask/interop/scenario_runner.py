"""Reads the output of `robolog carla info` with ScenarioRunner's parser, and compares it with the files' bytes.

scenario_runner.py ROBOLOG CHECKOUT FILE... needs a checkout of ScenarioRunner and the package `carla`. The text is that of
release 0.9.15, for which the parser was written. It compares the map, the frames and their times, the actors and their
lifetimes, and each transform, control and velocity of each frame with carla_binary.py's reading of the file; and the same
for a copy without an actor and for one with that actor alone.
"""

import pathlib
import subprocess
import sys
import tempfile

import common
from carla_binary import read_binary
from carla_text import printed
from common import check, close

# The error of two roundings: to six digits and to a 32-bit float.
DIGITS = 2e-6


def near(what, found, wanted):
    """Compares numbers with those of a row of text, which may have infinities and NaN."""
    for one, other in zip(found, wanted):
        if float(other) == float(other) and abs(float(other)) != float("inf"):
            close(what, one, float(other), DIGITS * (1 + abs(float(other))))


def rows(frame, kind):
    """The rows of a frame's packets of one kind, by actor."""
    return {int(row[0]): row[1:] for name, rows in frame.sections if name == kind for row in rows}


def compare(parsers, robolog, path):
    parser, log = parsers
    text = "\n".join(printed(robolog, path, "--wording", "0.9.15")) + "\n"
    simulation, actors, frames = parser(text).parse_recorder_info()
    binary = read_binary(path)
    check("the map", simulation["map"].strip(), binary.map)
    check("the number of frames", [simulation["total_frames"], len(frames)], [len(binary.frames)] * 2)
    check("frames of the log", log(text).get_total_frame_count(), len(binary.frames))
    created = {int(row[0]) for frame in binary.frames for name, rows in frame.sections if name == "create" for row in rows}
    check("the actors", set(actors), created)
    values = 0
    for number, (found, wanted) in enumerate(zip(frames, binary.frames), 1):
        what = f"frame {number}"
        near(f"{what}: elapsed time", [found["frame"]["elapsed_time"]], [wanted.elapsed])
        states = found["actors"]
        positions = rows(wanted, "position")
        check(f"{what}: transforms", sum("transform" in state for state in states.values()), len(positions))
        for actor, row in positions.items():
            place, turn = states[actor]["transform"].location, states[actor]["transform"].rotation
            near(f"{what}: place of {actor}", [place.x, place.y, place.z], [float(cell) / 100 for cell in row[:3]])
            near(f"{what}: rotation of {actor}", [turn.roll, turn.pitch, turn.yaw], row[3:])
            values += 6
        for actor, row in rows(wanted, "vehicle").items():
            control = states[actor]["control"]
            near(f"{what}: control of {actor}", [control.steer, control.throttle, control.brake, control.gear], row[:3] + row[4:])
            values += 4
        for actor, row in rows(wanted, "kinematics").items():
            speed, turning = states[actor]["velocity"], states[actor]["angular_velocity"]
            near(f"{what}: velocity of {actor}", [speed.x, speed.y, speed.z, turning.x, turning.y, turning.z], row)
            values += 6
    return f"{len(frames)} frames, {len(actors)} actors, {values} values"


def edited(parsers, robolog, path):
    rows = [row for frame in read_binary(path).frames for kind, rows in frame.sections if kind == "create" for row in rows]
    number, told = next(row[0] for row in rows if row[1].startswith("vehicle.")), []
    with tempfile.TemporaryDirectory() as folder:
        for option in ("--drop-actor", "--keep-actor"):
            copy = pathlib.Path(folder) / (option + path.suffix)
            subprocess.run([robolog, "edit", path, option, number, "-q", "-o", copy], check=True)
            told.append(compare(parsers, robolog, copy))
            text = "\n".join(printed(robolog, copy, "--wording", "0.9.15")) + "\n"
            _, actors, frames = parsers[0](text).parse_recorder_info()
            seen = set(actors).union(*(frame["actors"] for frame in frames))
            check(f"{option}: actor {number} is there", int(number) in seen, option == "--keep-actor")
            check(f"{option}: states of actors that were never there", seen - set(actors), set())
    return "; ".join(told)


def main(robolog, checkout, *files):
    sys.path.insert(0, checkout)
    from srunner.metrics.tools.metrics_log import MetricsLog
    from srunner.metrics.tools.metrics_parser import MetricsParser

    tally = common.Tally()
    for path in map(pathlib.Path, files):
        tally.take(path.name, compare, (MetricsParser, MetricsLog), robolog, path)
        tally.take(f"{path.name}, edited", edited, (MetricsParser, MetricsLog), robolog, path)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
