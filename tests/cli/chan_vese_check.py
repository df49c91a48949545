"""What tests of `halobeat chan-vese` need of Python.

chan_vese_check.py make WIDTH HEIGHT BITS FILE.png   blots and noise, grey
chan_vese_check.py colour WIDTH HEIGHT FILE.png      the same in colour
chan_vese_check.py skimage PROGRAM FOLDER IMAGE...   compare with scikit-image
"""

import itertools
import os
import struct
import subprocess
import sys
import zlib


def png(path, width, height, bits, kind, rows):
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in rows))
        for name, content in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b"")):
            crc = struct.pack(">I", zlib.crc32(name + content))
            file.write(struct.pack(">I", len(content)) + name + content + crc)


def greys(width, height, most):
    """Rows of numbers that look random and are the same everywhere."""
    state = 12345
    for y in range(height):
        row = []
        for x in range(width):
            state = (state * 1103515245 + 12345) % 2**31
            blot = (x - width // 3) ** 2 + (y - height // 2) ** 2 < (width // 4) ** 2
            row.append((most * (2 if blot else 5) + state // 2**12 % (3 * most)) // 8)
        yield row


def make(width, height, bits, path):
    sample = ">%dB" if bits == 8 else ">%dH"
    rows = [struct.pack(sample % width, *row) for row in greys(width, height, 2**bits - 1)]
    png(path, width, height, bits, 0, rows)


def make_colour(width, height, path):
    rows = [b"".join(bytes((v, v // 2, 255 - v)) for v in row) for row in greys(width, height, 255)]
    png(path, width, height, 8, 2, rows)


def compare(program, folder, images):
    import numpy
    import skimage.io
    from skimage.segmentation import morphological_chan_vese, morphsnakes

    settings = [("checkerboard", 1, 35, 1, 1), ("disk", 3, 12, 1, 2), ("disk", 2, 7, 1.5, 1)]
    wrong = 0
    for path, (init, smoothing, count, first, second) in itertools.product(images, settings):
        image = skimage.io.imread(path)
        # The operators take turns from call to call; ours begin anew.
        morphsnakes._curvop.funcs = itertools.cycle(
            [
                lambda u: morphsnakes.sup_inf(morphsnakes.inf_sup(u)),
                lambda u: morphsnakes.inf_sup(morphsnakes.sup_inf(u)),
            ]
        )
        expected = morphological_chan_vese(
            image.astype(float), count, init, smoothing, lambda1=first, lambda2=second
        )
        out = os.path.join(folder, "inside.npy")
        options = f"-n {count} --smoothing {smoothing} --lambda1 {first} --lambda2 {second}"
        command = [program, "chan-vese", path, "--init", init, "--quiet", "-o", out]
        subprocess.run(command + options.split(), check=True)
        differ = int((numpy.load(out) != expected).sum())
        inside = int(expected.sum())
        print(f"{path} {init} {options}: {differ} pixels differ, {inside} are inside")
        wrong += differ != 0 or not 0 < inside < expected.size
    return wrong


if __name__ == "__main__":
    what, words = sys.argv[1], sys.argv[2:]
    if what == "make":
        make(int(words[0]), int(words[1]), int(words[2]), words[3])
    elif what == "colour":
        make_colour(int(words[0]), int(words[1]), words[2])
    else:
        sys.exit(compare(words[0], words[1], words[2:]))
