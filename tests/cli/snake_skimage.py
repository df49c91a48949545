"""What contours of `halobeat snake` enclose, against the shapes they were drawn to, and what
scikit-image's make of the same picture: snake_skimage.py PROGRAM FOLDER"""

import csv
import subprocess
import sys

import numpy
from PIL import Image
from skimage.draw import polygon2mask
from skimage.filters import gaussian
from skimage.segmentation import active_contour

SIDE = 512
NEEDED = 0.99


def make_shape(name, side):
    y, x = numpy.mgrid[:side, :side] - side / 2
    radius = 0.3 * side
    if name == "star":
        radius = side * (0.27 + 0.07 * numpy.cos(5 * numpy.arctan2(y, x)))
    return numpy.hypot(x, y) <= radius


def add_noise(shape, noise):
    chance = numpy.random.default_rng(1)
    return numpy.clip(numpy.where(shape, 0.75, 0.25) + chance.normal(0, noise, shape.shape), 0, 1)


def dice(shape, points):
    inside = polygon2mask(shape.shape, points)
    return 2 * (inside & shape).sum() / (inside.sum() + shape.sum())


def halobeat(program, folder, picture):
    side = len(picture)
    image, contour = folder + "/picture.png", folder + "/contour.csv"
    Image.fromarray((255 * picture + 0.5).astype(numpy.uint8)).save(image)
    init = f"circle:{side // 2},{side // 2},{0.44 * side}"
    subprocess.run([program, "snake", image, "--init", init, "-q", "-o", contour], check=True)
    with open(contour, newline="") as file:
        return [(int(row["y"]), int(row["x"])) for row in csv.DictReader(file)]


def scikit(picture):
    side = len(picture)
    angle = numpy.linspace(0, 2 * numpy.pi, 200)
    init = side / 2 + 0.44 * side * numpy.stack([numpy.sin(angle), numpy.cos(angle)], axis=1)
    return active_contour(gaussian(picture, 3), init, alpha=0.015, beta=10, gamma=0.001,
                          max_num_iter=400)


def main(program, folder):
    worst = 1
    for name in ("disk", "star"):
        shape = make_shape(name, SIDE)
        for noise in (0, 0.1):
            share = dice(shape, halobeat(program, folder, add_noise(shape, noise)))
            worst = min(worst, share)
            print(f"{name} with noise {noise}: Dice {share:.4f}")
    shape = make_shape("disk", 128)
    share = dice(shape, scikit(add_noise(shape, 0)))
    print(f"scikit-image, a smaller disk without noise: Dice {share:.4f}")
    return worst >= NEEDED


sys.exit(not main(*sys.argv[1:]))
