"""TIFF files with samples of all kinds: what the tool read_pixels finds in them.

    compare_tiff.py TOOL FOLDER: files made here. compare_tiff.py TOOL FOLDER ENDING...: each file FOLDER/*ENDING
    has the pixels of FOLDER/NAME.npy, NAME being what precedes the last -."""

import glob
import sys
import zlib

import numpy

import write_tiff
from read_pixels import read_pixels
from write_tiff import SHORT, write

PREDICTOR, INKS, LAB, YCBCR = 317, 5, 8, 6


def over(value, alpha, maximum):
    """On black."""
    return (value.astype("i8") * alpha + maximum // 2) // maximum


class Files:
    def __init__(self, folder):
        self.folder, self.count, self.wanted = folder, 0, {}

    def path(self):
        self.count += 1
        return f"{self.folder}/file-{self.count}.tif"

    def expect(self, want, path, should):
        self.wanted.setdefault(want, []).append((path, should))

    def compare(self, tool):
        for want, files in self.wanted.items():
            for readers in (1, 3):
                found = read_pixels(tool, want, readers, [path for path, _ in files])
                for pixels, (path, should) in zip(found, files):
                    assert not isinstance(pixels, str), pixels
                    assert numpy.array_equal(pixels, should), (path, pixels, should)


def add_bits(files, random):
    """Samples of 1 to 16 bits, with and without alpha, where 0 is black and where it is white."""
    for bits in range(1, 17):
        most = 2**bits - 1
        kind = "u2" if bits > 8 else "u1"
        grey, alpha = random.randint(0, most + 1, (2, 20, 33)).astype(kind)
        for form in {"rows": 7}, {"tile": 16}, {"rows": 6, "deflated": True}, {"rows": 9, "separate": True}:
            for white in (False, True):
                shown = most - grey if white else grey
                files.expect("samples", path := files.path(), shown)
                write(path, grey, bits=bits, white=white, **form)
                files.expect("native", path := files.path(), over(shown, alpha, most))
                write(path, numpy.stack([grey, alpha], -1), bits=bits, white=white, **form)


class Predicted:
    """In place of zlib: differences of neighbours, or of their bytes with the highest ones first."""
    def __init__(self, image, order):
        if image.dtype.kind == "f":
            size = image.itemsize
            parts = image.astype(f">f{size}").view("u1").reshape(*image.shape, size).transpose(0, 2, 1)
            rows = parts.reshape(len(image), -1)
            self.raw = numpy.diff(rows, axis=1, prepend=numpy.zeros((len(rows), 1), "u1")).astype("u1").tobytes()
        else:
            rows = numpy.diff(image, axis=1, prepend=numpy.zeros((len(image), 1), image.dtype))
            self.raw = rows.astype(image.dtype.newbyteorder(order)).tobytes()

    def compress(self, _):
        return zlib.compress(self.raw)


def add_predictors(files, random):
    for kind in ("u1", "u2", "i4", "u8", "f2", "f4", "f8"):
        for order in "<>":
            image = (random.rand(9, 13) * 120).astype(kind)
            write_tiff.zlib = Predicted(image, order)
            files.expect("samples", path := files.path(), image.astype("f4") if kind == "f2" else image)
            write(path, image, rows=9, deflated=True, order=order,
                  extra=[(PREDICTOR, SHORT, [3 if kind[0] == "f" else 2])])
    write_tiff.zlib = zlib


def check_refused(tool, path, random):
    image = random.randint(0, 256, (9, 13, 3)).astype("u1")
    for kind, words in (INKS, "inks (CMYK)"), (LAB, "L*a*b*"), (YCBCR, "luma and chroma (YCbCr) without JPEG"):
        write(path, image, rows=9)
        with open(path, "rb") as file:
            data = file.read()
        before, after = (b"\x06\x01\x03\0\x01\0\0\0" + bytes([n]) + b"\0\0\0" for n in (2, kind))
        assert data.count(before) == 1
        with open(path, "wb") as file:
            file.write(data.replace(before, after))
        found = read_pixels(tool, "colours", 1, [path])[0]
        assert isinstance(found, str) and words in found, found


def add_others(files, endings):
    for ending in endings:
        for path in glob.glob(f"{files.folder}/*{ending}"):
            should = numpy.load(path.rsplit("-", 1)[0] + ".npy")
            files.expect("colours" if should.ndim == 3 else "samples", path, should)
            files.count += 1


tool, folder = sys.argv[1:3]
files, random = Files(folder), numpy.random.RandomState(3)
if sys.argv[3:]:
    add_others(files, sys.argv[3:])
else:
    add_bits(files, random)
    add_predictors(files, random)
    check_refused(tool, files.path(), random)
files.compare(tool)
assert files.count > 40, files.count
