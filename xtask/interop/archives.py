"""Cuts archives of data sets short: `recover` must deliver what `cat` reads, and every member that is whole.

archives.py ROBOLOG OUT FOLDER... packs each folder as zip, tar and tar.gz, in the order of names and against it, and cuts
each archive at six places. The whole archive must have the rows of the folder.
"""

import io
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

import common
from common import Difference, check

KINDS = ("zip", "tar", "tar.gz")
PLACES = 6


def files(folder):
    return sorted((str(path.relative_to(folder)), path.read_bytes()) for path in folder.rglob("*") if path.is_file())


def packed(members, kind):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in members:
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def whole(cut, kind):
    """Names and bytes of the members that are whole in an archive cut short."""
    return dict(of_zip(cut) if kind == "zip" else of_tar(zlib.decompressobj(31).decompress(cut) if kind == "tar.gz" else cut))


def of_zip(cut):
    at = 0
    while cut[at : at + 4] == b"PK\3\4" and at + 30 <= len(cut):
        method, size, name, extra = struct.unpack_from("<8xH8xI4xHH", cut, at)
        start = at + 30 + name + extra
        at = start + size
        if at <= len(cut):
            data = cut[start:at]
            yield cut[start - extra - name : start - extra].decode(), zlib.decompress(data, -15) if method else data


def of_tar(cut):
    at = 0
    while at + 512 <= len(cut) and cut[at]:
        name, size = cut[at : at + 100].rstrip(b"\0").decode(), int(cut[at + 124 : at + 135], 8)
        if at + 512 + size <= len(cut):
            yield name, cut[at + 512 : at + 512 + size]
        at += 512 + -(-size // 512) * 512


def rows(robolog, path):
    """The rows of `cat` without their offsets, in any order."""
    done = subprocess.run([str(robolog), "cat", str(path)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    check("status of cat", done.returncode in (0, 3), True)
    found = []
    for line in done.stdout.splitlines():
        sample = json.loads(line)
        sample.pop("offset", None)
        found.append(json.dumps(sample, sort_keys=True))
    return sorted(found)


def same(found, wanted):
    if found != wanted:
        gone, new = set(wanted) - set(found), set(found) - set(wanted)
        raise Difference(f"{len(found)} rows, not {len(wanted)}: lacks {sorted(gone)[:1]}, has {sorted(new)[:1]}")


def intact(robolog, archive, folder):
    wanted = rows(robolog, folder)
    same(rows(robolog, archive), wanted)
    return f"{len(wanted)} rows"


def recovered(robolog, cut, kind, count, copy):
    shutil.rmtree(copy, ignore_errors=True)
    command = [str(robolog), "recover", str(cut), "-o", str(copy)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    members = whole(cut.read_bytes(), kind)
    if done.returncode == 1:
        # Nothing that is whole is a recording.
        check("copy", copy.exists(), False)
        read = subprocess.run([str(robolog), "cat", str(cut)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        check("rows without a copy", [line for line in read.stdout.splitlines() if b"tf_static" not in line], [])
        return f"nothing to recover of {len(members)} whole members"
    # Padding alone may be gone.
    if done.returncode != 3 and not (done.returncode == 0 and kind == "tar" and len(members) == count):
        raise Difference(f"ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    wanted = rows(robolog, cut)
    same(rows(robolog, copy), wanted)
    state = subprocess.run([str(robolog), "check", str(copy)], capture_output=True, text=True, check=False)
    check("status of the copy", (state.returncode, state.stdout[:200] if state.returncode else ""), (0, ""))
    lists = copy / "left_out.txt"
    mended = {line.split(":")[0] for line in lists.read_text().splitlines()} if lists.exists() else set()
    lost = [name for name, data in members.items() if name not in mended and (copy / name).read_bytes() != data]
    check("members that differ", lost, [])
    return f"{len(wanted)} rows, {len(members)} whole members, {len(mended)} lost or mended"


def main(robolog, out, *folders):
    out = common.folder(out)
    tally = common.Tally()
    for folder in map(pathlib.Path, folders):
        members = files(folder)
        for kind, order in ((kind, order) for kind in KINDS for order in (1, -1)):
            archive, name = packed(members[::order], kind), f"{folder.name}{'' if order > 0 else '_backwards'}"
            path = out / f"{name}.{kind}"
            path.write_bytes(archive)
            tally.take(path.name, intact, robolog, path, folder)
            for place in range(1, PLACES + 1):
                cut = out / f"{name}_{place}.{kind}"
                cut.write_bytes(archive[: len(archive) * place // (PLACES + 1)])
                tally.take(cut.name, recovered, robolog, cut, kind, len(members), out / "copy")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
