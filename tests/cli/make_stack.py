"""Volumes as stacks of slices: make_stack.py make FOLDER, and make_stack.py compare FOLDER OUT: are the
files OUT/NAME-... the planes of the array of FOLDER?"""

import glob
import os
import shutil
import sys

import numpy
from PIL import Image

PLANES, HEIGHT, WIDTH = 13, 21, 35
FIRST = 7  # number of the first slice


def smooth(random):
    """Blobs that reach through several planes."""
    noise = random.rand(PLANES + 4, HEIGHT + 4, WIDTH + 4)
    for axis in (0, 1, 2):
        noise = sum(numpy.roll(noise, step, axis) for step in range(3))
    noise = noise[2:-2, 2:-2, 2:-2] - noise.min()
    return noise / noise.max()


def save(folder, name, planes, mode=None):
    os.makedirs(folder, exist_ok=True)
    for z, plane in enumerate(planes):
        Image.fromarray(plane, mode).save(os.path.join(folder, name % (FIRST + z)))


def make(work):
    grey = (smooth(numpy.random.RandomState(5)) * 255).astype(numpy.uint8)
    numpy.save(work + "/grey.npy", grey)
    save(work + "/png", "slice-%d.png", grey)  # natural order is not that of bytes
    save(work + "/tif", "z%04d.tif", grey)
    save(work + "/pgm", "z%d.pgm", grey)
    os.mkdir(work + "/text")  # read in order only
    for z, plane in enumerate(grey):
        with open(work + "/text/z%d.pgm" % z, "w") as file:
            file.write("P2 %d %d 255\n" % (WIDTH, HEIGHT))
            file.write("\n".join(" ".join(map(str, row)) for row in plane))
        with open(work + "/raw%03d.bin" % z, "wb") as file:
            file.write(plane.tobytes())
    wide = grey.astype(numpy.uint16) * 200
    numpy.save(work + "/wide.npy", wide)
    save(work + "/wide", "z%02d.png", wide)
    os.mkdir(work + "/arrays")
    for z, plane in enumerate(wide):
        numpy.save(work + "/arrays/z%d.npy" % z, plane)
    colours = numpy.stack([grey, 255 - grey, grey // 2], axis=-1)
    numpy.save(work + "/colour.npy", numpy.array([
        numpy.array(Image.fromarray(plane)) for plane in colours]))
    save(work + "/colour", "z%02d.png", colours)
    for z, plane in enumerate(colours):
        numpy.save(work + "/colour-%02d.npy" % z, plane)
    os.mkdir(work + "/png/folder")
    open(work + "/png/.hidden", "w").close()
    make_bad(work, grey)


def make_bad(work, grey):
    def copy(name):
        shutil.copytree(work + "/pgm", work + "/bad/" + name)
        return work + "/bad/" + name + "/"

    os.remove(copy("gap") + "z11.pgm")
    Image.fromarray(grey[5, :, :20]).save(copy("size") + "z12.pgm")
    Image.fromarray(grey[5].astype(numpy.uint16)).save(copy("type") + "z12.pgm", "PNG")
    with open(copy("volume") + "z12.pgm", "wb") as file:
        numpy.save(file, grey)
    with open(copy("notes") + "a.txt", "w") as file:
        file.write("taken on Monday")
    os.truncate(copy("cut") + "z12.pgm", 60)
    os.remove(copy("gone") + "z12.pgm")
    os.symlink("nowhere", work + "/bad/gone/z12.pgm")
    shutil.copytree(work + "/png", work + "/bad/damaged")
    with open(work + "/bad/damaged/slice-12.png", "r+b") as file:
        file.seek(-20, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    os.mkfifo(copy("pipe") + "z30.pgm")
    os.mkdir(work + "/bad/empty")
    forged = copy("forged") + "z12.pgm"
    with open(forged, "wb") as file:
        file.write(b"P5 2000000000 2000000000 255\n0")


def compare(work, out):
    labels = numpy.load(work + "/should.npy")
    for name, first in (("a", FIRST), ("b", 0), ("c", 0), ("d", 0)):
        files = glob.glob(out + "/" + name + "-*")
        assert len(files) == PLANES, files
        for path in files:
            z = int(path.rsplit("-", 1)[1].split(".")[0]) - first
            plane = numpy.load(path) if path.endswith(".npy") else numpy.array(Image.open(path))
            assert (plane == labels[z]).all(), path
    for path in glob.glob(out + "/e-*"):
        z = int(path.rsplit("-", 1)[1].split(".")[0]) - FIRST
        assert ((numpy.array(Image.open(path)) > 0) == (labels[z] > 0)).all(), path


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
