"""Shapes that contours are drawn to, and the area of contours.

snake_shapes.py make disk|star SIDE NOISE FILE.png
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


def main(what, *arguments):
    if what == "make":
        shape, side, noise, path = arguments
        make(shape, int(side), float(noise), path)
    else:
        print(sum(area(points) for points in read(arguments[0])))


main(*sys.argv[1:])
