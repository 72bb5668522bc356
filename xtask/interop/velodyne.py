"""Compares the points of velodyne-packet with those of the Python package velodyne_decoder, packet by packet.

velodyne.py POINTS OUT FOLDER decodes each capture of the folder with both; POINTS is the example program velodyne_points.
The number of points, their order, coordinates (within 0.1 mm), intensities and rings must agree; the speed of both decoders
on the same packets is printed. The calibration is the sensor's own if the stream has one, or else velodyne_decoder's file for
the model.
"""

import pathlib
import subprocess
import sys
import time

import common
import numpy
import velodyne_decoder
from velodyne_decoder import Model

TOLERANCE = 1e-4
# HDL-64E packets do not name their model; the others do.
HDL64E = {
    "derived_hdl64e_s1.pcap": (Model.HDL64E_S1, "HDL-64E_S1-utexas.yml"),
    "derived_hdl64e_s2old.pcap": (Model.HDL64E_S2, "HDL-64E_S2.1-sztaki.yml"),
    "opendlv_hdl64e_atwall.pcap": (Model.HDL64E_S1, "HDL-64E_S1-utexas.yml"),
    "derived_hdl64e_s2.pcap": (Model.HDL64E_S2, None),
}


def read_packets(path):
    """Data packets of a capture, up to a truncated frame."""
    found = []
    try:
        for _, data in velodyne_decoder.util.iter_pcap(str(path)):
            if len(data) == velodyne_decoder.PACKET_SIZE:
                found.append(bytes(data))
    except Exception as error:  # The capture reader raises on a truncated frame, after all others.
        print(f"       {path.name}: {type(error).__name__} after {len(found)} packets")
    return found


def calibration(name, path):
    model, file = HDL64E[name]
    if file:
        return model, velodyne_decoder.get_bundled_calibration(file)
    return velodyne_decoder.hdl64e.read_calibration_from_pcap(str(path))


def theirs(name, path, packets):
    config = velodyne_decoder.Config()
    if name in HDL64E:
        config.model, config.calibration = calibration(name, path)
    decoder = velodyne_decoder.StreamDecoder(config)
    scans = []
    start = time.process_time()
    for number, packet in enumerate(packets):
        scan = decoder.decode(number * 1e-6, packet)
        if scan is not None:
            scans.append(scan[1])
    scan = decoder.finish()
    if scan is not None:
        scans.append(scan[1])
    return numpy.concatenate(scans), len(packets) / (time.process_time() - start)


def ours(program, name, path, packets, out):
    packed = out / (path.stem + ".packets")
    packed.write_bytes(b"".join(packets))
    command = [program, str(packed), "velodyne-decoder"]
    if name in HDL64E and HDL64E[name][1]:
        folder = pathlib.Path(velodyne_decoder.calibrations.__file__).parent
        command.append(str(folder / HDL64E[name][1]))
    done = subprocess.run(command, capture_output=True, check=True)
    rate = subprocess.run([*command, "--rate"], capture_output=True, check=True).stdout
    return numpy.frombuffer(done.stdout, "<f4").reshape(-1, 6), float(rate)


def differences(found, expected):
    if len(found) != len(expected):
        return [f"{len(found)} points, expected {len(expected)}"]
    wrong = []
    apart = numpy.abs(found[:, :3].astype(float) - expected[:, :3])
    if not apart.max() <= TOLERANCE:
        wrong.append(f"{(apart > TOLERANCE).any(1).sum()} points up to {apart.max():.6f} m apart")
    # Single precision error of corrected intensities.
    apart = numpy.abs(found[:, 3] - expected[:, 3])
    if not apart.max() <= 1e-3:
        wrong.append(f"intensities up to {apart.max():.4f} apart")
    if (found[:, 4] != expected[:, 6]).any():
        wrong.append("rings differ")
    return wrong


def main(program, out, folder):
    out, tally = common.folder(out), common.Tally()
    for path in sorted(pathlib.Path(folder).glob("*.pcap")):
        packets = read_packets(path)
        if not packets:
            continue
        expected, their_rate = theirs(path.name, path, packets)
        found, our_rate = ours(program, path.name, path, packets, out)
        wrong = differences(found, expected)
        apart = 0 if wrong else numpy.abs(found[:, :3].astype(float) - expected[:, :3]).max()
        told = f"{len(found)} points within {apart * 1000:.3f} mm"
        tally.add(f"{path.name} by velodyne_decoder", wrong, told)
        print(f"       packets a second: {our_rate:.0f}, theirs {their_rate:.0f}, ratio {our_rate / their_rate:.1f}")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
