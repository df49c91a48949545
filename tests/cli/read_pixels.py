"""What the tool read_pixels finds in images, as NumPy arrays."""

import subprocess

import numpy


def array_of(line, stream):
    planes, height, width, pixel, cell, _, kind = line.split()
    planes, height, width, pixel, cell = (int(n) for n in (planes, height, width, pixel, cell))
    if pixel == 1:
        words = (width + 63) // 64
        raw = numpy.frombuffer(stream.read(planes * height * words * 8), "u1")
        found = numpy.unpackbits(raw.reshape(planes * height, words * 8), axis=1, bitorder="little")
        found = found[:, :width]
    else:
        kind = kind if numpy.dtype(kind).itemsize * 8 == cell and pixel == cell else f"u{cell // 8}"
        raw = stream.read(planes * height * width * pixel // 8)
        found = numpy.frombuffer(raw, kind)
    shape = (planes, height, width, pixel // cell)
    return found.reshape([n for i, n in enumerate(shape) if n > 1 or i in (1, 2)])


def read_pixels(tool, want, readers, paths, kept=0):
    """A list: of each file its pixels, or the error. `kept`: bytes, or "stored"."""
    with subprocess.Popen([tool, want, str(readers), str(kept), *paths], stdout=subprocess.PIPE) as process:
        found = []
        for _ in paths:
            line = process.stdout.readline().decode().rstrip("\n")
            is_image = line.count(" ") == 6 and line.split()[0].isdigit()
            found.append(array_of(line, process.stdout) if is_image else line)
        assert process.stdout.read() == b""
    assert process.returncode == 0
    return found
