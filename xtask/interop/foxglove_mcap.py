"""Reads robolog's MCAP files with Foxglove's schemas, and compares them with JSON Lines and the truth files.

foxglove_mcap.py ROBOLOG OUT TESTDATA [DATA] converts recordings of this repository below TESTDATA, and real ones below DATA,
to OUT. Each message is decoded twice: by mcap-protobuf-support, with the descriptors in the file, and by the classes of
foxglove-schemas-protobuf; JSON is validated by fastjsonschema with the schema in the file. Log time, stamp and all values
are compared with the line of the same sample, pixels and pictures with the original files. The numbers of samples and the
sums of coordinates are compared with the truth files, if any.
"""

import importlib
import json
import math
import pathlib
import sys

import fastjsonschema
import mcap_common as common
import numpy
from common import close
from mcap.decoder import DecoderFactory
from mcap.reader import make_reader
from mcap_common import Difference, check, compare_all, pose, xyz
from mcap_protobuf.decoder import DecoderFactory as ProtobufDecoderFactory

RECORDINGS = [
    *common.RECORDINGS,
    "koblenz-log/mix_h17.log",
    "effibox/gpx/georust-gpx__tests_fixtures_garmin-activity.gpx",
    "effibox/nmea/gpsbabel__reference_track_adddate.nmea",
    "effibox/nmea/gpsd__haicom-305N.log",
]
TESTDATA = ["effibox/dataset", "koblenz-log/image.log", "carla-rec/v0_9_15.log"]

# The numbers of foxglove.PackedElementField.
TYPES = {1: "u1", 3: "<u2", 5: "<u4", 7: "<f4"}

IDENTITY = {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}


class Json(dict):
    """Checks that a message is JSON and valid by the schema in the file."""


def columns(message):
    pose(message.pose, IDENTITY)
    return common.columns(message.fields, [TYPES[f.type] for f in message.fields], message.point_stride, message.data)


def laser_scan(message, wanted):
    pose(message.pose, IDENTITY)
    last = wanted["angle_min"] + wanted["angle_increment"] * max(len(wanted["ranges"]) - 1, 0)
    check("start_angle", numpy.float32(message.start_angle), numpy.float32(wanted["angle_min"]))
    if abs(message.end_angle - last) > 1e-4:
        raise Difference(f"end_angle is {message.end_angle}, not {last}")
    for name in ("ranges", "intensities"):
        values = [math.nan if v is None else v for v in wanted[name]]
        check(name, getattr(message, name), numpy.array(values, dtype="f4").astype(float).tolist())


def image(message, wanted):
    if hasattr(message, "format"):
        check("format", message.format, wanted["encoding"])
        return
    step = wanted["width"] * {"mono8": 1, "mono16": 2, "rgb8": 3}[wanted["encoding"]]
    found = (message.width, message.height, message.encoding, message.step, len(message.data))
    check("image", found, (wanted["width"], wanted["height"], wanted["encoding"], step, step * wanted["height"]))


# Standard deviation in metres of a position at a dilution of 1, as in nmea_navsat_driver.
ERRORS = {"dgps": 0.1, "rtk_fixed": 0.02, "gps": 4.0, "pps": 4.0, "rtk_float": 4.0, "unknown": 4.0}


def gnss_fix(message, wanted):
    for name in ("latitude", "longitude", "altitude"):
        check(name, getattr(message, name), wanted[name])
    off = ERRORS.get(wanted["quality"], 0.0)
    across = (wanted["hdop"] or 0.0) * off
    check("type of covariance", message.position_covariance_type, 1 if across > 0 else 0)
    up = (wanted["vdop"] or 2 * (wanted["hdop"] or 0.0)) * off
    check("length of covariance", len(message.position_covariance), 9 if across > 0 else 0)
    for found, sigma in zip(message.position_covariance, [across, 0, 0, 0, across, 0, 0, 0, up]):
        close("covariance", found, sigma**2, 1e-12 * up**2)


def odometry(message, wanted):
    check("body_frame_id", message.body_frame_id, wanted["child_frame_id"])
    pose(message.pose, wanted["pose"])
    for name in ("linear", "angular"):
        check(f"{name} velocity is known", message.HasField(f"{name}_velocity"), wanted["twist"] is not None)
        if wanted["twist"]:
            xyz(f"{name} velocity", getattr(message, f"{name}_velocity"), wanted["twist"][name])


def known(value):
    """The value without nulls."""
    if isinstance(value, dict):
        return {key: known(each) for key, each in value.items() if each is not None}
    return [known(each) for each in value] if isinstance(value, list) else value


def as_json(message, wanted):
    # The lines do not have an IMU's frame.
    message = dict(message)
    message.pop("frame_id", None)
    check("JSON", message, known(wanted))


def text(message, wanted):
    check("message", message.message, wanted["data"])
    check("level", message.level, 2)


def feature(message, wanted):
    found = json.loads(message.geojson)
    check("kind", found["type"], "Feature")
    check("geometry", found["geometry"], wanted["geometry"])
    check("name", found["properties"].get("name") or "", wanted.get("name") or "")


COMPARE = {
    "feature": feature,
    "point_cloud": lambda message, wanted: common.point_cloud(columns(message), wanted),
    "points": lambda message, wanted: common.scan_points(columns(message), wanted),
    "laser_scan": laser_scan,
    "image": image,
    "gnss_fix": gnss_fix,
    "odometry": odometry,
    "pose": lambda message, wanted: pose(message.pose, wanted),
    "text": text,
} | dict.fromkeys(("imu", "row", "scalar", "satellites", "details", "measured"), as_json)


def stamp(message, nanos):
    # A GeoJSON message has no stamp of its own.
    if not isinstance(message, Json) and hasattr(message, "timestamp"):
        check("stamp", message.timestamp.ToNanoseconds(), max(nanos, 0))


def shared(message):
    """The transforms and boxes of a message."""
    if hasattr(message, "child_frame_id"):
        yield common.transform(message.child_frame_id, message.translation, message.rotation)
        return
    for entity in message.entities:
        # A cube, locked to the frame it is named for, without an end.
        check("kind of entity", (len(entity.cubes), entity.frame_locked, entity.lifetime.ToNanoseconds()), (1, True, 0))
        check("id", entity.id, entity.frame_id)
        middle, size = entity.cubes[0].pose.position, entity.cubes[0].size
        yield entity.id, [middle.x, middle.y, middle.z], [size.x, size.y, size.z]
    for deletion in message.deletions:
        check("type of deletion", deletion.type, 0)
        yield deletion.id, None, None


READING = common.Reading(COMPARE, stamp, shared)


class JsonDecoderFactory(DecoderFactory):
    def __init__(self):
        self.validators = {}

    def decoder_for(self, message_encoding, schema):
        if message_encoding != "json":
            return None
        check("encoding of schema", schema.encoding, "jsonschema")
        if schema.id not in self.validators:
            self.validators[schema.id] = fastjsonschema.compile(json.loads(schema.data))
        return lambda data: Json(self.validators[schema.id](json.loads(data)))


class PublishedDecoderFactory(DecoderFactory):
    """Decodes with Foxglove's published classes, independently of the descriptors in the file."""

    def decoder_for(self, message_encoding, schema):
        if message_encoding != "protobuf":
            return None
        name = schema.name.removeprefix("foxglove.")
        kind = getattr(importlib.import_module(f"foxglove_schemas_protobuf.{name}_pb2"), name)
        return kind.FromString


def messages_of(path, protobuf):
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[protobuf, JsonDecoderFactory()])
        check("profile", reader.get_header().profile, "")
        for _, channel, message, decoded in reader.iter_decoded_messages(log_time_order=False):
            yield channel.topic, message.log_time, decoded


def by_descriptors(path, samples, channel_of):
    return compare_all(READING, messages_of(path, ProtobufDecoderFactory()), channel_of, samples)


def by_classes(path, samples, channel_of):
    return compare_all(READING, messages_of(path, PublishedDecoderFactory()), channel_of, samples)


def by_fixes(path, samples, truth):
    """A log of GGA sentences only, with sums of coordinates computed by a script."""
    fixes = [s["value"] for list_ in samples.values() for s in list_]
    check("number of fixes", len(fixes), truth["gga_positions"])
    for name, wanted in (("latitude", truth["gga_sumlat"]), ("longitude", truth["gga_sumlon"])):
        found = sum(fix[name] for fix in fixes)
        if abs(found - wanted) > 1e-6:
            raise Difference(f"sum of {name} is {found}, not {wanted}")
    return f"{len(fixes)} fixes"


def by_pictures(source):
    """The pixels of a data set's PGM files, the bytes of a log's JPEG files."""

    def read(path, *_):
        found = [(topic, m) for topic, _, m in messages_of(path, PublishedDecoderFactory()) if hasattr(m, "data")]
        found = [message for topic, message in found if not hasattr(message, "point_stride")]
        if source.is_dir():
            files = [file.read_bytes() for file in sorted(source.glob("*/*.pgm"))]
            for message, file in zip(found, files):
                head = f"P5\n{message.width} {message.height}\n255\n".encode()
                check("header", file.startswith(head), True)
                check("pixels", message.data, file[len(head) : len(head) + message.width * message.height])
            check("number of images", len(found), len(files))
        else:
            log = source.read_bytes()
            for message in found:
                check("picture stands in the log", bool(message.data) and message.data in log, True)
        if not found:
            raise Difference("there are no images")
        return f"{len(found)} images, {sum(len(message.data) for message in found)} bytes"

    return read


def truth_of(data, name):
    if not name.startswith("effibox/nmea"):
        return lambda _, samples: common.by_truth(data, name, samples)
    listed = json.loads((data / "effibox/nmea/truth.json").read_text())
    entry = next(entry for entry in listed if entry["file"] == name.rsplit("/", 1)[1])
    return (lambda path, samples: by_fixes(path, samples, entry)) if set(entry["types"]) == {"GGA"} else None


def main(robolog, out, testdata, data=None):
    testdata = pathlib.Path(testdata)
    truths = [by_pictures(testdata / "effibox/dataset"), by_pictures(testdata / "koblenz-log/image.log"), None]
    recordings = list(zip([testdata / name for name in TESTDATA], truths, strict=True))
    for name in RECORDINGS if data else []:
        recordings.append((pathlib.Path(data) / name, truth_of(pathlib.Path(data), name)))
    readers = [("mcap-protobuf-support", by_descriptors), ("foxglove-schemas-protobuf", by_classes)]
    return common.run(robolog, pathlib.Path(out), recordings, ["--schema", "foxglove"], readers)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
