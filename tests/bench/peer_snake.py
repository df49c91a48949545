"""Active contours by scikit-image, and shapes whose outline is known.

usage: peer_snake.py make FOLDER          write SHAPE-NOISE.png of a disk and a star, with noise of 0
                                          and .1 of the range between black and white, and print the
                                          names
       peer_snake.py skimage FILE.png SHAPE
                                          seconds (as they pass, on the processor), and Dice
                                          against the shape
       peer_snake.py beats FILE.png POINTS BEATS
                                          ns per point and beat
       peer_snake.py dice SHAPE CONTOUR.csv
                                          Dice of a contour of ours

The pictures are 512 x 512, the shape light on dark; contours begin as a circle of radius 230 around
the middle. Dice is twice the shared area by the sum of both.
"""

import csv
import sys

import cv2
import numpy as np
from peer_images import grey, measured, say

SIZE, RADIUS, POINTS = 512, 230, 400


def shape(name):
    y, x = np.mgrid[0:SIZE, 0:SIZE] - (SIZE - 1) / 2
    distance, angle = np.hypot(x, y), np.arctan2(y, x)
    if name == "disk":
        return distance <= 150
    return distance <= 140 + 40 * np.cos(5 * angle)


def make(folder):
    noise = np.random.default_rng(1)
    for name in ("disk", "star"):
        for amount in (0, 0.1):
            image = np.where(shape(name), 0.8, 0.2) + amount * noise.standard_normal((SIZE, SIZE))
            file = f"{name}-{amount}"
            cv2.imwrite(f"{folder}/{file}.png", np.uint8(np.clip(image, 0, 1) * 255 + 0.5))
            print(file)


def dice(name, points):
    """`points` are columns and rows of pixels' middles; an area of pixels whose middle is inside."""
    from skimage.draw import polygon2mask

    inside = polygon2mask((SIZE, SIZE), points[:, ::-1])
    wanted = shape(name)
    return 2 * (inside & wanted).sum() / (inside.sum() + wanted.sum())


def settled(path, beats, convergence, count):
    from skimage.filters import gaussian
    from skimage.segmentation import active_contour

    image = grey(path) / 255.0
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    circle = (SIZE - 1) / 2 + RADIUS * np.stack([np.sin(angles), np.cos(angles)], 1)
    return measured(
        lambda: active_contour(
            gaussian(image, 3),
            circle,
            alpha=0.015,
            beta=10,
            gamma=0.001,
            max_num_iter=beats,
            convergence=convergence,
        )
    )


def read_csv(path):
    with open(path, newline="") as file:
        return np.array([(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)])


def main():
    what, *rest = sys.argv[1:]
    if what == "make":
        make(rest[0])
    elif what == "dice":
        say(dice=f"{dice(rest[0], read_csv(rest[1])):.4f}")
    elif what == "skimage":
        wall, cpu, found = settled(rest[0], 2500, 0.1, POINTS)
        quality = f"{dice(rest[1], found[:, ::-1]):.4f}"
        say(program=what, seconds=f"{wall:.3f}", cpu_seconds=f"{cpu:.3f}", dice=quality)
    else:
        count, beats = int(rest[1]), int(rest[2])
        wall, cpu, _ = settled(rest[0], beats, 0, count)
        per = 1e9 / count / beats
        say(program="skimage", ns=f"{wall * per:.1f}", cpu_ns=f"{cpu * per:.1f}")


main()
