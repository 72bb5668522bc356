"""Inputs for commands.py: computed, or repeated frames and packets of fixtures, so that they are equal everywhere."""

import math
import pathlib
import struct

TESTDATA = pathlib.Path(__file__).parent.parent.parent / "testdata"


def until(out, size):
    """Numbers from 0 until the file has its size."""
    n = 0
    while n % 1000 or out.tell() < size:
        yield n
        n += 1


def clock(second):
    return f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"


def gpx(path, size):
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="bench" ')
        out.write('xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for n in until(out, size):
            day = f"2012-{5 + n // 86400 // 28 % 7:02}-{1 + n // 86400 % 28:02}"
            out.write(
                f'   <trkpt lat="{45.76 + n % 9973 * 1.3e-6:.8f}" lon="{3.1 + n % 7919 * 1.7e-6:.9f}">\n'
                f"     <ele>{460 + n % 97 / 7:.7f}</ele>\n     <time>{day}T{clock(n)}Z</time>\n"
                f"     <fix>dgps</fix>\n     <sat>{6 + n % 7}</sat>\n     <hdop>0.{10 + n % 89}</hdop>\n   </trkpt>\n"
            )
        out.write("</trkseg></trk></gpx>\n")


def sentence(text):
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}\r\n"


def nmea(path, size):
    with open(path, "w", encoding="ascii", newline="") as out:
        for n in until(out, size):
            time = clock(n).replace(":", "")
            out.write(
                sentence(
                    f"GPGGA,{time}.00,4545.{60946 + n % 977},N,00306.{59563 + n % 1913},E,2,08,0.98,411.{n % 10},M,49.4,M,,"
                )
                + sentence(f"GPGSV,3,1,11,02,26,052,{30 + n % 20},12,32,088,39,14,19,225,38,22,05,310,")
                + sentence(f"GPGSV,3,2,11,25,69,065,40,29,84,192,{30 + n % 20},30,12,288,25,31,40,100,33")
                + sentence("GPGSV,3,3,11,33,34,205,35,39,33,150,34,40,17,119,")
            )


def table(path, size):
    """Rows of an Effibox `_GGA_all.txt`."""
    with open(path, "w", encoding="ascii") as out:
        for n in until(out, size):
            sin, cos = math.sin(n / 5000), math.cos(n / 5000)
            out.write(
                f"{476121 + n * 999111} {660168.799340458 + 400 * cos:.9f} {2084722.75496854 + 300 * sin:.8f} "
                f"460.600012207031 {0.798665417515059 + 5e-5 * sin:.15f} {0.0542784685555518 + 9e-5 * cos:.16f} "
                f"460.600012207031 {8 + n % 4} {32322 + n % 50000} 2 0.980000019073486 -1\n"
            )


def lvx(path, size, step=0):
    """Repeats the frames of a fixture, each with its own offsets and number, and `step` mm further along x."""
    sample = (TESTDATA / "lvx/room.lvx").read_bytes()
    begin = 24 + 5 + 59
    frames, at = [], begin
    while at < len(sample):
        end = struct.unpack_from("<Q", sample, at + 8)[0]
        frames.append(sample[at + 24 : end])
        at = end
    with open(path, "wb") as out:
        out.write(sample[:begin])
        at, number = begin, 0
        while at < size:
            frame = moved(frames[number % len(frames)], number * step) if step else frames[number % len(frames)]
            end = at + 24 + len(frame)
            out.write(struct.pack("<QQQ", at, end, number) + frame)
            at, number = end, number + 1


def moved(frame, by):
    """A frame of packages of 96 points of 14 bytes, each `by` mm further along x."""
    import numpy

    package = numpy.dtype([("head", "V19"), ("points", [("x", "<i4"), ("other", "V10")], 96)])
    packages = numpy.frombuffer(frame, package).copy()
    packages["points"]["x"] += by
    return packages.tobytes()


def drive(path, size):
    """A sensor that drives 10 m/s, in one frame of reference."""
    lvx(path, size, 500)


def pcap(path, size):
    """Packets of a VLP-16 that turns ten times a second, in a capture of UDP."""
    block = b"".join(struct.pack("<HB", 0 if laser % 4 == 0 else 2000 + 37 * laser, 10 + laser) for laser in range(32))
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for n in until(out, size):
            body = bytearray()
            for i in range(12):
                body += struct.pack("<HH", 0xEEFF, (n * 12 + i) * 40 % 36000) + block
            body += struct.pack("<IBB", n * 1327 % 3_600_000_000, 0x37, 0x22)
            udp = struct.pack(">HHHH", 2368, 2368, 8 + len(body), 0) + body
            ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, bytes(4), b"\xff\xff\xff\xff")
            frame = bytes(12) + b"\x08\x00" + ip + udp
            micros = 1_700_000_000_000_000 + n * 1327
            out.write(struct.pack("<IIII", micros // 10**6, micros % 10**6, len(frame), len(frame)) + frame)


def alog(path, size):
    """A mission: positions four times per second, a node report, and the helm's output."""
    with open(path, "w", encoding="ascii") as out:
        out.write("%% LOGSTART           1700000000.123457\n")
        for n in until(out, size):
            time = n / 4
            entries = [("NAV_X", n % 977 / 8), ("NAV_Y", n % 463 / 8), ("NAV_HEADING", n % 360), ("NAV_SPEED", n % 17 / 8)]
            for name, value in entries:
                out.write(f"{time:<15.5f} {name:<20} {'uSimMarine':<15} {value:<12.5f} \n")
            if n % 4 == 0:
                out.write(
                    f"{time:<15.5f} {'NODE_REPORT_LOCAL':<20} {'pNodeReporter':<15} NAME=alpha,X={n % 977 / 8},Y=-20.25,"
                    f"SPD=1.75,HDG=109,DEP=0.5,LAT=43.82511993,LON=-70.33039599,TYPE=kayak,MODE=MODE@ACTIVE:SURVEYING,"
                    f"ALLSTOP=clear,INDEX={n},YAW=-0.33161,TIME={1700000000 + time:.2f},LENGTH=4 \n"
                )


def make(folder, megabytes):
    """The files, each written once."""
    found = []
    size = megabytes * 1e6
    makers = [
        (gpx, "track.gpx", size / 10),
        (nmea, "log.nmea", size / 10),
        (lvx, "room.lvx", size),
        (drive, "drive.lvx", size),
        (table, "run_GGA_all.txt", size / 2),
        (pcap, "vlp16.pcap", size / 2),
        (alog, "mission.alog", size / 2),
    ]
    for maker, name, wanted in makers:
        path = folder / name
        if not path.is_file() or path.stat().st_size < wanted:
            maker(path, wanted)
        found.append(path)
    return found
