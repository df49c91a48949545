"""Do two overlays have their strong lines (yellow) in much the same place? snake_overlays.py ONE.png OTHER.png"""

import struct
import sys
import zlib


def yellow(path):
    """The middle of the yellow pixels, and how many there are."""
    data, pixels, place = open(path, "rb").read(), b"", 8
    width, height = struct.unpack(">II", data[16:24])
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        pixels += data[place + 8 : place + 8 + size] if kind == b"IDAT" else b""
        place += 12 + size
    pixels, above, found = zlib.decompress(pixels), bytes(3 * width), []
    for y in range(height):
        kind, row = pixels[y * (3 * width + 1)], bytearray(pixels[y * (3 * width + 1) + 1 : (y + 1) * (3 * width + 1)])
        for i in range(3 * width):
            left, up, corner = (row[i - 3], above[i], above[i - 3]) if i > 2 else (0, above[i], 0)
            paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
        found += [(x, y) for x in range(width) if row[3 * x] > 200 and row[3 * x + 2] < 60]
        above = row
    return len(found), sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


one, other = yellow(sys.argv[1]), yellow(sys.argv[2])
assert .8 < one[0] / other[0] < 1.25, (one, other)
assert abs(one[1] - other[1]) < 2 and abs(one[2] - other[2]) < 2, (one, other)
