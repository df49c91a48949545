"""TIFF files with strips and tiles that are missing, short or beyond the end of the file.

    make_sparse_tiff.py FOLDER

FOLDER/good/NAME.tif has FOLDER/good/NAME.npy in it; FOLDER/bad/WORDS.tif is refused with these words.
"""
import sys
from decimal import Decimal

import numpy

from write_tiff import ASCII, pages_of, parts_of, write

def lost(which, offset=None, size=None, cut=0):
    """An edit: these parts have another offset or size; the lists are shorter by `cut`."""
    def edit(offsets, sizes):
        for i in which:
            offsets[i] = offsets[i] if offset is None else offset
            sizes[i] = sizes[i] if size is None else size
        return offsets[: len(offsets) - cut], sizes[: len(sizes) - cut]
    return edit


def empty(image, which, value=0, rows=0, tile=0, separate=False):
    """The image that is read if these parts are missing."""
    image = image.copy()
    for channel, page in enumerate(pages_of(image, separate)):
        parts = parts_of(page, rows, tile)
        for i, (down, across, _) in enumerate(parts):
            if channel * len(parts) + i in which:
                page[down, across] = value
    return image


def main(folder):
    random = numpy.random.RandomState(9)
    count = 0

    def good(image, which=(1, 3), value=0, words=(0, 0, 0), shown=None, **form):
        """`shown`: what samples in the file mean."""
        nonlocal count
        count += 1
        layout = {key: form[key] for key in ("rows", "tile", "separate") if key in form}
        path = f"{folder}/good/{count}"
        write(path + ".tif", image, edit=lost(which, *words), **form)
        should = empty(image, which, value, **layout)
        numpy.save(path + ".npy", shown(should) if shown else should)

    def nodata(text):
        return {"extra": [(42113, ASCII, text.encode() + b"\0")]}

    byte = random.randint(1, 255, (50, 40)).astype("u1")
    strips, tiles = {"rows": 12}, {"tile": 16}
    for layout in (strips, tiles):
        for deflated in (False, True):
            form = dict(layout, deflated=deflated)
            good(byte, **form)
            good(byte, [0], **form)
            good(byte, [0, 1, 2], words=(0, None, 0), **form)
            good(byte, [1], words=(None, 0, 0), **form)
            good(byte, range(len(parts_of(byte, **{"rows": 0, "tile": 0, **layout}))), **form)
            parts = len(parts_of(byte, **{"rows": 0, "tile": 0, **layout}))
            good(byte, [parts - 2, parts - 1], words=(None, None, 2), **form)
            good(byte, big=True, **form)
            good(byte, value=77, **nodata("77"), **form)
            good(byte, value=255, **nodata("300"), **form)
            good(byte, **nodata("-9999"), **form)
            for kind, text in [(">u2", "4711"), ("<i2", "-9999"), (">i4", "-2147483648"), ("<f4", "-1.5e+20"),
                               (">f8", "nan"), ("<u8", "18446744073709551615"), ("<i8", "-9223372036854775808"),
                               ("<i8", "-9007199254740993"), ("<u8", "12345678901234567e3")]:
                value = float(text) if "f" in kind else int(Decimal(text))
                good(byte.astype(kind[1:]), value=value, order=kind[0], **nodata(text), **form)
            good(byte & 1, bits=1, **form)
            good(byte & 1, bits=1, value=1, **nodata("1"), **form)
            good(byte & 15, bits=4, value=9, **nodata("9"), **form)
            good(byte, white=True, shown=lambda read: 255 - read, **form)
    colour = random.randint(1, 255, (50, 40, 3)).astype("u1")
    good(numpy.zeros((4096, 2048), "u1"), range(8), tile=1024, tail=0)  # larger than its file
    for layout in (strips, tiles):
        good(colour, [0, 1, 6], separate=True, **layout)
        good(colour, [1], deflated=True, value=33, **nodata("33"), **layout)
    with open(f"{folder}/bad.txt", "w") as table:
        def bad(words, name, **form):
            write(f"{folder}/bad/{name}.tif", byte, **form)
            print(f"{name}.tif {words}", file=table)
        for rows, strip, size in [(50, 0, 2000), (25, 1, 1000), (12, 1, 480), (12, 4, 80)]:
            bad(f"strip {strip} (counted from 0) has 70 bytes of the {size} of its samples",
                f"short-{rows}-{strip}", rows=rows, edit=lost([strip], None, 70))
        bad("tile 3 (counted from 0) has 70 bytes of the 256 of its samples", "short-tile", tile=16,
            edit=lost([3], None, 70))
        bad("strip 2 (counted from 0) goes beyond the end", "far", rows=12, edit=lost([2], 10**6))
        bad("strip 0 (counted from 0) goes beyond the end", "far-one", rows=50, edit=lost([0], 10**6))
        bad("tile 3 (counted from 0) goes beyond the end", "far-tile", tile=16, edit=lost([3], 10**6))
        bad("strip 2 (counted from 0) goes beyond the end", "far-packed", rows=12, deflated=True,
            edit=lost([2], 10**6))
        bad("strip 2 (counted from 0) goes beyond the end", "long-packed", rows=12, deflated=True,
            edit=lost([2], None, 10**6))
        bad("strip 2 (counted from 0) cannot be decoded", "short-packed", rows=12, deflated=True,
            edit=lost([2], None, 70))
        bad("tile 2 (counted from 0) cannot be decoded", "short-packed-tile", tile=16, deflated=True,
            edit=lost([2], None, 70))
    assert count > 80


main(sys.argv[1])
