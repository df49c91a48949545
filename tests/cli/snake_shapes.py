"""Shapes that contours are drawn to, and the area of contours.

snake_shapes.py make disk|star SIDE NOISE FILE.png
snake_shapes.py area CONTOURS.csv                   prints the area that the contours enclose
"""

import csv
import math
import random
import sys

from pictures import GREY, write_png

INSIDE, OUTSIDE = 0.75, 0.25


def is_inside(shape, side, x, y):
    x, y = x - side / 2, y - side / 2
    radius = 0.3 * side
    if shape == "star":
        radius = side * (0.27 + 0.07 * math.cos(5 * math.atan2(y, x)))
    return math.hypot(x, y) <= radius


def make(shape, side, noise, path):
    chance = random.Random(1)
    rows = [bytearray() for _ in range(side)]
    for y, row in enumerate(rows):
        for x in range(side):
            grey = INSIDE if is_inside(shape, side, x, y) else OUTSIDE
            grey += chance.gauss(0, noise) if noise > 0 else 0
            row.append(min(max(round(255 * grey), 0), 255))
    write_png(path, side, side, 8, GREY, rows)


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
