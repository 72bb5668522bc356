"""Compares robolog's text of CARLA recorder files with the contents of the files.

carla_text.py ROBOLOG FILE...             runs `ROBOLOG carla info FILE --all --utc`; each wording once per era
carla_text.py --text TEXT[.gz] FILE       takes an existing text
carla_text.py --self-test TEXT[.gz] FILE  checks that changes to such a text are found
"""

import gzip
import pathlib
import re
import subprocess
import sys

# No folder of compiled modules in the source tree.
sys.dont_write_bytecode = True

from carla_binary import Damage, read_binary
from carla_grammar import ANY_LAYOUT, LAYOUTS, STYLES, Unknown, parse_text

STATES = {"position", "state", "vehicle", "walker", "light", "kinematics", "bones", "platform"}
SHOWN = 10
# In a longer text, each kind of line is changed once.
SMALL = 400


def compare(text, binary, wording=None):
    """Describes the differences between a text and its file."""
    found = []

    def check(what, one, other):
        if one != other:
            found.append(f"{what}: the text has {shown(one, other)}, the file {shown(other, one)}")

    for name in ("version", "map", "date"):
        check(name, getattr(text, name), getattr(binary, name))
    frames = binary.frames
    # If a file is cut within a frame, the text may omit that frame.
    if not binary.ended and len(text.frames) == len(frames) - 1:
        frames = frames[:-1]
    check("frames", len(text.frames), len(frames))
    for index, (one, other) in enumerate(zip(text.frames, frames), 1):
        place = f"frame {index}"
        check(f"{place}: id", one.number, other.number)
        check(f"{place}: elapsed", one.elapsed, other.elapsed)
        kinds = [kind for kind, _ in one.sections]
        # Wordings before 0.9.16 have no line for doors if there are none.
        sections = [(kind, rows) for kind, rows in other.sections if kind != "door" or rows or "door" in kinds]
        check(f"{place}: sections", kinds, [kind for kind, _ in sections])
        for (kind, rows), (other_kind, others) in zip(one.sections, sections):
            if kind != other_kind:
                break
            if rows == others:
                continue
            check(f"{place}: {kind}: rows", len(rows), len(others))
            for number, (row, wanted) in enumerate(zip(rows, others), 1):
                check(f"{place}: {kind} {number}", row, wanted)
    last = frames[-1] if frames else None
    check("the number of frames at the end", text.count, last.number if last else "0")
    check("the duration at the end", text.duration, last.elapsed if last else "0")
    if wording and STYLES[wording] not in text.styles:
        found.append(f"the wording is that of {' or '.join(sorted(text.styles))}, not of {wording}")
    if binary.ended and len(text.frames) == len(frames):
        found.extend(layout(text, LAYOUTS.get(wording, ANY_LAYOUT)))
    return found


def shown(one, other):
    """A value, or the differing fields of a long row."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        parts = [f"[{at}] {shown(a, b)}" for at, (a, b) in enumerate(zip(one, other)) if a != b]
        return f"{one[0]!r} {' '.join(parts)}" if parts and one[0] == other[0] else " ".join(parts)
    return repr(one)


def layout(text, allowed):
    """Whether the blank lines are consistently those of one wording."""
    got = [*text.gaps, text.tail]
    for end, extra in allowed:
        bones = [sum(kind == "bones" for kind, _ in frame.sections) for frame in text.frames]
        wanted = [0, *(end + extra * count for count in bones)]
        # The server sees the last end twice, and the summary starts with a blank line.
        wanted[-1] += 1 + (end if text.frames else 0)
        if got == wanted:
            return []
    return ["the blank lines between the frames are those of no wording"]


def counts(recording):
    states = events = 0
    for frame in recording.frames:
        for kind, rows in frame.sections:
            if kind in STATES:
                states += len(rows)
            else:
                events += len(rows)
    return len(recording.frames), states, events


def lines_of(data):
    """The lines of a text; invalid UTF-8 is decoded as in the file's strings."""
    lines = data.decode(errors="replace").split("\n")
    if lines.pop() != "":
        raise Unknown("the text does not end with the end of a line")
    return lines


def load(path):
    data = pathlib.Path(path).read_bytes()
    return lines_of(gzip.decompress(data) if str(path).endswith(".gz") else data)


def printed(robolog, path, *options):
    command = [robolog, "carla", "info", str(path), "--all", "--utc", *options]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    # 3: done, with damaged input or omissions.
    if done.returncode not in (0, 3):
        error = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"robolog carla info ended with {done.returncode}: {error}")
    return lines_of(done.stdout)


class Report:
    def __init__(self):
        self.passed = self.failed = 0
        self.total = [0, 0, 0]

    def file(self, name, lines, binary, wording=None):
        """Compares the text that a function returns, and prints a line."""
        try:
            text = parse_text(lines())
            found = compare(text, binary, wording)
            size = counts(text)
        except (Unknown, RuntimeError, OSError) as error:
            found, size = [str(error)], (0, 0, 0)
        size_text = "frames {}, states {}, events {}".format(*size)
        if not found:
            self.passed += 1
            self.total = [a + b for a, b in zip(self.total, size)]
            print(f"{name}: {size_text}: equal")
            return
        self.failed += 1
        print(f"{name}: {size_text}: DIFFERENT")
        for line in found[:SHOWN]:
            print(f"  {line}")
        if len(found) > SHOWN:
            print(f"  and {len(found) - SHOWN} more")

    def end(self):
        print("total: frames {}, states {}, events {}".format(*self.total))
        print(f"carla_text: {self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def check_files(robolog, paths):
    report, eras = Report(), set()
    for path in map(pathlib.Path, paths):
        try:
            binary = read_binary(path)
        except (Damage, OSError) as error:
            report.failed += 1
            print(f"{path.name}: not read: {error}")
            continue
        report.file(path.name, lambda: printed(robolog, path), binary)
        if binary.era in eras:
            continue
        eras.add(binary.era)
        for wording in STYLES:
            name = f"{path.name} (a file of {binary.era} in the wording of {wording})"
            report.file(name, lambda: printed(robolog, path, "--wording", wording), binary, wording)
    return report.end()


def changes(lines):
    """Texts with one change each: a number, a missing line, a repeated line, an extra word."""
    kinds = set()
    for at, line in enumerate(lines):
        kind = re.sub(r"[\d.]+", "0", re.sub(r"(^  | Create ).*( = | \(\d+\)).*", r"\1\2", line))
        if len(lines) > SMALL and kind in kinds:
            continue
        kinds.add(kind)
        yield at, "drop", [*lines[:at], *lines[at + 1 :]]
        yield at, "repeat", [*lines[: at + 1], *lines[at:]]
        yield at, "lengthen", [*lines[:at], line + " x", *lines[at + 1 :]]
        for number in re.finditer(r"\d+", line):
            digit = number.end() - 1
            changed = f"{line[:digit]}{(int(line[digit]) + 1) % 10}{line[digit + 1 :]}"
            yield at, f"change at {digit}", [*lines[:at], changed, *lines[at + 1 :]]


def self_test(path, source):
    lines, binary = load(path), read_binary(source)
    if compare(parse_text(lines), binary):
        print(f"{path}: differs before anything is changed")
        return 1
    made, missed, by_parser, samples = 0, 0, 0, {}
    for at, what, changed in changes(lines):
        made += 1
        try:
            found = compare(parse_text(changed), binary)
        except Unknown as error:
            by_parser += 1
            found = [str(error)]
        if not found:
            missed += 1
            print(f"  not found: {what}, line {at + 1}: {lines[at]!r}")
        elif lines[at].startswith("  Id:"):
            samples.setdefault(what.split()[0], f"{what}, line {at + 1}: {found[0]}")
    for sample in samples.values():
        print(f"  {sample}")
    name = pathlib.Path(path).name
    print(f"{name}: {made} changes, {by_parser} refused as lines, {made - by_parser - missed} by comparison")
    print(f"carla_text: {made - missed} passed, {missed} failed")
    return 1 if missed or not made else 0


def main(*arguments):
    if len(arguments) == 3 and arguments[0] == "--self-test":
        return self_test(*arguments[1:])
    if len(arguments) == 3 and arguments[0] == "--text":
        report = Report()
        report.file(pathlib.Path(arguments[2]).name, lambda: load(arguments[1]), read_binary(arguments[2]))
        return report.end()
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    return check_files(arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
