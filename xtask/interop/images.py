"""Reads robolog's pictures with Pillow and pye57, and compares them with the truth files.

images.py ROBOLOG OUT TESTDATA [KOBLENZ] writes the pictures of the data sets and Koblenz logs in TESTDATA, and of the
logs in KOBLENZ. All pixels of PGM and PPM files in a data set are compared with Pillow's reading of the originals, and
their sums with the truth; JPEG files must equal the bytes in the log. E57 files must have the same pictures.
"""

import io
import json
import pathlib
import sys

import common
import numpy
import pye57
from common import check
from PIL import Image

# Logs in testdata with intact pictures.
LOGS = ("drive", "image", "image_plain")


def pixels(path):
    with Image.open(path) as image:
        image.load()
        return image.mode, image.size, numpy.asarray(image).astype("u4")


def same_pixels(found, wanted):
    check("the size", found[1], wanted[1])
    check("the shape", found[2].shape, wanted[2].shape)
    if (found[2] != wanted[2]).any():
        raise common.Difference(f"{(found[2] != wanted[2]).sum()} values differ")


def files_of(folder, suffix):
    return [folder / row["file"] for row in common.index_of(folder) if row["file"].endswith(suffix)]


def data_set(robolog, source, out):
    """Compares the pictures of a data set with Pillow's reading of the originals."""
    target = out / (source.name + "_png")
    common.convert(robolog, source, target, "--to", "png", "--per", "frame")
    found = [pixels(path) for path in files_of(target, ".png")]
    originals = [path for pattern in ("*/*.pgm", "*/*.ppm") for path in source.glob(pattern)]
    by_camera = [path.parent.name for path in originals]
    wanted = [pixels(path) for path in sorted(originals)]
    rows = common.index_of(target)
    order = sorted(range(len(rows)), key=lambda i: (rows[i]["channel"], i))
    check("pictures by camera", sorted(row["channel"].split("/")[0] for row in rows), sorted(by_camera))
    for index, picture in zip(order, wanted):
        same_pixels(found[index], picture)
    truth = json.loads((source / "truth.json").read_text())["image_sums"]
    truth = truth.values() if isinstance(truth, dict) else truth
    check("sums", sorted(int(picture[2].sum()) for picture in found), sorted(truth))
    return f"{len(found)} pictures, {sum(picture[2].size for picture in found)} values"


def log(robolog, source, out, truth):
    """Compares the pictures of a log: JPEG files unchanged, pixels as PNG, and the same in an E57 file."""
    bytes_, target = source.read_bytes(), out / f"{source.parent.name}_{source.stem}"
    said = common.convert(robolog, source, target, "--to", "images", "--per", "frame")
    paths = [target / row["file"] for row in common.index_of(target)]
    values = jpeg_bytes = 0
    for path in paths:
        mode, _, found = pixels(path)
        check("whether there is such a mode", mode in ("L", "RGB"), True)
        values += found.size
        if path.suffix == ".jpg":
            jpeg_bytes += path.stat().st_size
            check(f"{path.name} in the log", path.read_bytes() in bytes_, True)
    # The numbers come from the generator of the file, or an independent reader.
    check("pictures", len(paths) + said.count("found 0 bytes for 0 x 0"), truth["counts"]["ImageM"])
    if "jpeg_bytes" in truth:
        check("bytes of JPEG files", jpeg_bytes, truth["jpeg_bytes"])
    scan = target.with_suffix(".e57")
    common.convert(robolog, source, scan)
    e57 = list(e57_pictures(scan))
    check("pictures of E57", len(e57), len(paths))
    for path, (width, height, data) in zip(paths, e57):
        same_pixels(pixels(io.BytesIO(data)), pixels(path))
        check("the size in E57", (width, height), pixels(path)[1])
    return f"{len(paths)} pictures, {values} values; {len(e57)} in E57 by pye57"


def e57_pictures(path):
    """Width, height and bytes of the pictures found by libE57Format."""
    file = pye57.E57(str(path))
    pictures = file.root["images2D"]
    for at in range(pictures.childCount()):
        shown = pictures[at]["visualReferenceRepresentation"]
        blob = next(shown[name] for name in ("jpegImage", "pngImage") if shown.isDefined(name))
        data = numpy.zeros(blob.byteCount(), "u1")
        blob.read(data, 0, len(data))
        yield shown["imageWidth"].value(), shown["imageHeight"].value(), data.tobytes()
    file.close()


def main(robolog, out, testdata, koblenz=None):
    out, tally, testdata = common.folder(out), common.Tally(), pathlib.Path(testdata)
    tally.take("dataset by Pillow", data_set, robolog, testdata / "effibox" / "dataset", out)
    logs = [(testdata / "koblenz-log" / f"{name}.log", None) for name in LOGS]
    if koblenz:
        truths = json.loads((pathlib.Path(koblenz) / "truth.json").read_text())
        logs += [(pathlib.Path(koblenz) / name, truth) for name, truth in truths.items()]
    for source, truth in logs:
        if truth is None:
            truth = json.loads(source.with_suffix(".truth.json").read_text())
        if truth["counts"].get("ImageM"):
            tally.take(f"{source.parent.name}/{source.name} by Pillow", log, robolog, source, out, truth)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
