"""Shapes that contours are drawn to, and what contours make of them.

snake_shapes.py make disk|star SIDE NOISE FILE.png
snake_shapes.py dice disk|star SIDE CONTOURS.csv    prints how well they agree: 1 is perfect
snake_shapes.py area CONTOURS.csv                   prints the area that the contours enclose
"""

import csv
import math
import random
import struct
import sys
import zlib

INSIDE, OUTSIDE = 0.75, 0.25


def is_inside(shape, side, x, y):
    x, y = x - side / 2, y - side / 2
    radius = 0.3 * side
    if shape == "star":
        radius = side * (0.27 + 0.07 * math.cos(5 * math.atan2(y, x)))
    return math.hypot(x, y) <= radius


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def make(shape, side, noise, path):
    chance = random.Random(1)
    rows = bytearray()
    for y in range(side):
        rows.append(0)
        for x in range(side):
            grey = INSIDE if is_inside(shape, side, x, y) else OUTSIDE
            grey += chance.gauss(0, noise) if noise > 0 else 0
            rows.append(min(max(round(255 * grey), 0), 255))
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))


def read(path):
    contours = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            points = contours.setdefault(int(row["contour"]), [])
            assert int(row["point"]) == len(points), row
            points.append((int(row["x"]), int(row["y"])))
    return list(contours.values())


def area(points):
    following = points[1:] + points[:1]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, following))) / 2


def crossings(points, y):
    """Where a row crosses a polygon, in order."""
    found = []
    for a, b in zip(points, points[1:] + points[:1]):
        if (a[1] <= y) != (b[1] <= y):
            found.append(a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
    return sorted(found)


def dice(shape, side, contours):
    inside = both = whole = 0
    for y in range(side):
        row = [0] * side
        for points in contours:
            found = crossings(points, y)
            for lo, hi in zip(found[::2], found[1::2]):
                for x in range(max(math.ceil(lo), 0), min(math.floor(hi), side - 1) + 1):
                    row[x] = 1
        for x in range(side):
            wanted = is_inside(shape, side, x, y)
            inside += row[x]
            whole += wanted
            both += row[x] and wanted
    return 2 * both / (inside + whole)


def main(what, *arguments):
    if what == "make":
        shape, side, noise, path = arguments
        make(shape, int(side), float(noise), path)
    elif what == "dice":
        shape, side, path = arguments
        print(f"{dice(shape, int(side), read(path)):.4f}")
    else:
        print(sum(area(points) for points in read(arguments[0])))


main(*sys.argv[1:])
