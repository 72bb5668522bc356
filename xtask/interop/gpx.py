"""Validates GPX written by robolog-gpx: every valid GPX 1.1 file must stay valid after it is read into the typed model and
written again, with the same points, texts and extensions.

usage: gpx.py REWRITE FOLDER
    REWRITE  the program of the example gpx_rewrite
    FOLDER   GPX files, and schema/gpx11.xsd
"""

import math
import pathlib
import subprocess
import sys
import tempfile

from lxml import etree

V10 = "http://www.topografix.com/GPX/1/0"
V11 = "http://www.topografix.com/GPX/1/1"
PARSER = etree.XMLParser(resolve_entities=False, no_network=True)


def canonical(element):
    """The content of an element, independent of prefixes, without blanks between elements."""
    texts = [(element.text or "").strip()]
    for child in element:
        if isinstance(child.tag, str):
            texts.append((child.tag, sorted(child.attrib.items()), canonical(child)))
        texts.append((child.tail or "").strip())
    return [t for t in texts if t != ""]


def fields(element):
    """Numbers as numbers, since digits may differ."""
    out = []
    for child in element:
        if not isinstance(child.tag, str) or child.tag.endswith(("}trkpt", "}rtept", "}trkseg")):
            continue
        text = (child.text or "").strip()
        name = etree.QName(child).localname
        try:
            value = float(text) if name not in ("name", "cmt", "desc", "sym", "type", "src") else text
        except ValueError:
            value = text
        content = (canonical(child)[1:] if text else canonical(child)) if len(child) else []
        out.append((name, sorted(child.attrib.items()) if name != "bounds" else len(child.attrib), value, content))
    return out


def elements(root):
    for name in ("metadata", "wpt", "rte", "rtept", "trk", "trkseg", "trkpt"):
        for element in root.iter(f"{{{V11}}}{name}"):
            place = [float(element.get(k)) for k in ("lat", "lon")] if element.get("lat") else []
            yield name, place, fields(element)


def main(rewrite, folder):
    folder = pathlib.Path(folder)
    schema = etree.XMLSchema(etree.parse(folder / "schema" / "gpx11.xsd"))
    done = {"files": 0, "valid 1.1": 0, "1.0 to valid 1.1": 0, "extensions": 0}
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out.gpx"
        for path in sorted(folder.glob("*.gpx")):
            run = subprocess.run([rewrite, path, out], capture_output=True, text=True)
            if run.returncode:
                wrong.append(f"{path.name}: {run.stderr.strip()}")
                continue
            done["files"] += 1
            before, after = etree.parse(path, PARSER), etree.parse(out, PARSER)
            space = etree.QName(before.getroot()).namespace
            if space == V11 and schema.validate(before):
                done["valid 1.1"] += 1
                if not schema.validate(after):
                    wrong.append(f"{path.name}: {schema.error_log.last_error}")
                old, new = list(elements(before.getroot())), list(elements(after.getroot()))
                for a, b in zip(old, new):
                    if a != b:
                        wrong.append(f"{path.name}: {a} became {b}")
                        break
                if len(old) != len(new):
                    wrong.append(f"{path.name}: {len(old)} elements became {len(new)}")
                tag = f"{{{V11}}}extensions"
                extended = [[canonical(e) for e in tree.iter(tag)] for tree in (before, after)]
                done["extensions"] += len(extended[0])
                if extended[0] != extended[1]:
                    wrong.append(f"{path.name}: extensions differ")
            elif space == V10:
                if schema.validate(after):
                    done["1.0 to valid 1.1"] += 1
                else:
                    print(f"{path.name}: {schema.error_log.last_error}")
    print(done)
    print(*wrong, sep="\n")
    return bool(wrong) or math.isclose(done["valid 1.1"], 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
