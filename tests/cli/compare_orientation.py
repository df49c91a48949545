"""Images in all eight orientations, in TIFF, JPEG and PNG, and whether they are read as they are shown.

    compare_orientation.py TOOL FOLDER: makes files in FOLDER, and compares what the tool read_pixels finds.
    compare_orientation.py make FOLDER: one image as oN.tif, oN.jpg and oN.png, and each turned as N.png."""

import io
import os
import struct
import sys

import numpy
from PIL import Image

from pictures import chunk, png
from read_pixels import read_pixels
from write_tiff import LONG, SHORT, write

ORIENTATION = 274
# Numbers of ranks that read a file, and bytes of it that they may keep
READERS = [(1, 0), (3, 5000), (2, 0), (5, 700), (1, 1)] if os.environ.get("HALOBEAT_TEST_MORE") else [(3, 5000), (1, 1)]


def turned(image, orientation):
    """As EXIF says; the first two axes are rows and columns."""
    across = image.swapaxes(0, 1)
    return [image, image[:, ::-1], image[::-1, ::-1], image[::-1], across, across[:, ::-1], across[::-1, ::-1],
            across[::-1]][orientation - 1]


def tag(orientation):
    return [(ORIENTATION, SHORT, [orientation])]


def exif(orientation, order="<", kind=SHORT, count=1, entries=None, first=8, mark=b""):
    """EXIF data with another entry before that of the orientation."""
    value = struct.pack(order + ("H" if kind == SHORT else "I"), orientation).ljust(4, b"\0")
    entry = [struct.pack(order + "HHI", 271, 2, 2) + b"X\0\0\0", struct.pack(order + "HHI", ORIENTATION, kind, count) + value]
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, first)
    return mark + head + struct.pack(order + "H", entries or len(entry)) + b"".join(entry) + b"\0\0\0\0"


# The orientation 6, but for something that makes it no EXIF data, or no orientation.
DAMAGED = [exif(6)[:20], exif(6)[:7], b"", b"Exif\0\0", exif(0), exif(9), exif(65535), exif(6, count=2),
           exif(6, first=10**6), exif(6, first=2**32 - 1), exif(6, kind=LONG, order=">")[:31], exif(6, kind=5),
           b"MM" + exif(6)[2:], b"XX" + exif(6)[2:], exif(6, entries=1), exif(6).replace(b"*\0", b"+\0")]
GOOD = [exif(6), exif(6, ">"), exif(6, kind=LONG), exif(6, ">", LONG), exif(6, mark=b"Exif\0\0"),
        exif(6, entries=60000)]


def packed_rows(image, bits):
    if bits < 8:
        ones = (image[..., None] >> numpy.arange(bits)[::-1]) & 1
        rows = numpy.packbits(ones.reshape(len(image), -1).astype("u1"), axis=1)
    else:
        rows = numpy.ascontiguousarray(image.astype(f">u{bits // 8}"))
    return [row.tobytes() for row in rows]


def make_png(image, bits, data, interlaced=False):
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[image.shape[2] if image.ndim == 3 else 1]
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    parts = [image[y::down, x::right] for y, x, down, right in passes]
    rows = [row for part in parts if part.size for row in packed_rows(part, bits)]
    return png(image.shape[1], image.shape[0], bits, colour, rows, chunk(b"eXIf", data) if data is not None else b"",
               int(interlaced))


def make_jpeg(image, data, **options):
    out = io.BytesIO()
    Image.fromarray(image).save(out, "JPEG", quality=90, **options)
    text = b"Exif\0\0" + data
    xmp = b"http://ns.adobe.com/xap/1.0/\0<x/>"
    segments = b"".join(b"\xff\xe1" + struct.pack(">H", len(part) + 2) + part for part in (xmp, text))
    return out.getvalue()[:2] + segments + out.getvalue()[2:]


def save(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Checks:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.count, self.wanted = tool, folder, 0, {}

    def path(self, ending):
        self.count += 1
        return f"{self.folder}/{self.count}.{ending}"

    def expect(self, want, path, orientation, stored=None):
        """`stored`: the pixels of the file, where they are known."""
        self.wanted.setdefault(want, []).append((path, orientation, stored))

    def run(self):
        for want, files in self.wanted.items():
            paths = [path for path, _, _ in files]
            stored = read_pixels(self.tool, want, 1, paths, kept="stored")
            for pixels, (path, _, known) in zip(stored, files):
                assert not isinstance(pixels, str), pixels
                assert known is None or numpy.array_equal(pixels, known), path
            for readers, kept in READERS:
                found = read_pixels(self.tool, want, readers, paths, kept)
                for pixels, is_stored, (path, orientation, _) in zip(found, stored, files):
                    solid = path.endswith(".pages.tif")
                    should = [turned(plane, orientation) for plane in (is_stored if solid else [is_stored])]
                    should = numpy.array(should) if solid else should[0]
                    assert not isinstance(pixels, str), pixels
                    assert numpy.array_equal(pixels, should), (path, orientation, readers, kept)


def add_tiff(checks, orientation, byte, colour):
    forms = [{"rows": 7}, {"rows": 1000}, {"tile": 16}, {"rows": 5, "deflated": True},
             {"tile": 32, "deflated": True, "order": ">"}]
    for form in forms:
        for samples, options in [(byte, {}), (byte & 1, {"bits": 1}), (byte & 1, {"bits": 1, "white": True}),
                                 (byte & 15, {"bits": 4}), (byte.astype("u2") * 257, {}),
                                 (byte.astype("f4") / 3, {}), (byte.astype("i8") - 99, {})]:
            path = checks.path("tif")
            write(path, samples, extra=tag(orientation), **form, **options)
            stored = samples if not options.get("white") else 1 - samples
            checks.expect("samples", path, orientation, stored)
        for samples in (colour[..., :3], colour[..., :3].astype("u2") * 257):
            for separate in (False, True):
                path = checks.path("tif")
                write(path, samples, extra=tag(orientation), separate=separate, **form)
                checks.expect("colours", path, orientation, samples)
        path = checks.path("tif")
        write(path, colour, extra=tag(orientation), **form)
        checks.expect("greys", path, orientation)
        checks.expect("colours", path, orientation)
        path = checks.path("pages.tif")
        write(path, byte, byte[::-1], 255 - byte, extra=tag(orientation), **form)
        checks.expect("samples", path, orientation)


def add_others(checks, orientation, byte, colour):
    data = exif(orientation)
    for options in ({}, {"progressive": True}, {"optimize": True}):
        for samples, want in ((byte, "greys"), (colour[..., :3], "colours"), (colour[..., :3], "greys")):
            path = checks.path("jpg")
            save(path, make_jpeg(samples, data, **options))
            checks.expect(want, path, orientation)
    for samples, bits, want in [(byte & 1, 1, "native"), (byte & 3, 2, "native"), (byte, 8, "greys"),
                                (byte.astype("u2") * 257, 16, "greys"), (colour[..., :3], 8, "colours"),
                                (colour[..., :3].astype("u2") * 257, 16, "colours"), (colour, 8, "colours"),
                                (colour[..., :2], 8, "greys"), (byte & 1, 1, "greys")]:
        for interlaced in (False, True):
            path = checks.path("png")
            save(path, make_png(samples, bits, data, interlaced))
            checks.expect(want, path, orientation)


def add_exif(checks, byte):
    for orientation, several in ((1, DAMAGED), (6, GOOD)):
        for data in several:
            for interlaced in (False, True):
                path = checks.path("png")
                save(path, make_png(byte, 8, data, interlaced))
                checks.expect("greys", path, orientation, byte)
            path = checks.path("jpg")
            save(path, make_jpeg(byte, data.replace(b"Exif\0\0", b"")))
            checks.expect("greys", path, orientation)
    path = checks.path("jpg")
    save(path, make_jpeg(byte, exif(6)).replace(b"Exif\0\0", b"Exif\0\xff"))
    checks.expect("greys", path, 6)
    for interlaced in (False, True):  # a chunk that is damaged is none
        path = checks.path("png")
        save(path, make_png(byte, 8, exif(6), interlaced).replace(exif(6), exif(3)))
        checks.expect("greys", path, 1, byte)
    for orientation in (0, 9, 1000):
        path = checks.path("tif")
        write(path, byte, rows=9, extra=tag(orientation))
        checks.expect("greys", path, 1, byte)


def compare(tool, folder):
    random = numpy.random.RandomState(4)
    checks = Checks(tool, folder)
    for size in ((50, 71), (131, 7), (1, 66)):
        byte = random.randint(0, 256, size).astype("u1")
        colour = random.randint(0, 256, size + (4,)).astype("u1")
        for orientation in range(1, 9):
            if size[0] == 50 or orientation in (3, 6, 7):
                add_tiff(checks, orientation, byte, colour)
            add_others(checks, orientation, byte, colour)
    add_exif(checks, random.randint(0, 256, (20, 33)).astype("u1"))
    checks.run()
    assert checks.count > 500
    print(checks.count, "files")


def make(folder):
    """Blocks of one grey, so that JPEG has the same pixels."""
    random = numpy.random.RandomState(8)
    blocks = random.randint(0, 2, (9, 13)).astype("u1") * 200
    image = numpy.kron(blocks, numpy.ones((8, 8), "u1"))
    for orientation in range(1, 9):
        Image.fromarray(numpy.ascontiguousarray(turned(image, orientation))).save(f"{folder}/{orientation}.png")
        write(f"{folder}/o{orientation}.tif", image, rows=10, deflated=True, extra=tag(orientation))
        save(f"{folder}/o{orientation}.png", make_png(image, 8, exif(orientation)))
        save(f"{folder}/o{orientation}.jpg", make_jpeg(image, exif(orientation)))
    planes = [image, image // 2, 255 - image]
    write(f"{folder}/volume.tif", *planes, rows=10, extra=tag(6))
    numpy.save(f"{folder}/volume.npy", [turned(plane, 6) for plane in planes])


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    compare(*sys.argv[1:])
