"""Colours of regions: check_colours.py make FOLDER, or check_colours.py PICTURE LABELS NEEDED

make: images whose regions touch. Otherwise: no two regions that share a side or a corner have one colour in
PICTURE, though at least NEEDED pairs of pixels would have, were colours the numbers in LABELS modulo 255."""

import sys

import numpy
from PIL import Image

COLOURS = 255


def make(folder):
    random = numpy.random.RandomState(5)
    # A region that touches thousands, between blots of many values.
    hub = numpy.repeat(numpy.repeat(random.randint(1, 2**30, (67, 83)), 5, 0), 5, 1).astype("<i4")
    hub[::5], hub[:, ::5] = 0, 0
    numpy.save(folder + "/hub.npy", hub)
    # Squares of many values: each touches eight others.
    squares = random.randint(1, 2**30, (60, 256)).astype("<i4")
    numpy.save(folder + "/squares.npy", numpy.repeat(squares, 2, 0))
    # Regions of noise touch at corners only.
    numpy.save(folder + "/noise.npy", (random.rand(300, 301) * 256).astype("u1"))
    numpy.save(folder + "/volume.npy", random.randint(1, 2**30, (3, 30, 256)).astype("<i4"))


def pairs(image):
    """Each pixel and its neighbours: to the right, below, and below to both sides."""
    yield image[:, 1:], image[:, :-1]
    yield image[1:], image[:-1]
    yield image[1:, 1:], image[:-1, :-1]
    yield image[1:, :-1], image[:-1, 1:]


def check(picture, labels, needed):
    colours, numbers = numpy.array(Image.open(picture).convert("RGB")).astype(int), numpy.load(labels)
    while numbers.ndim > 2:
        numbers = numbers[0]
    colours = colours[..., 0] << 16 | colours[..., 1] << 8 | colours[..., 2]
    alike = plain = 0
    for (a, b), (c, d) in zip(pairs(numbers), pairs(colours)):
        touch = (a != b) & (numpy.minimum(a, b) > numbers.min() if numbers.min() <= 0 else True)
        alike += int((touch & (c == d)).sum())
        plain += int((touch & ((a - b) % COLOURS == 0)).sum())
    if plain < needed:
        sys.exit(f"only {plain} pairs of pixels would be alike")
    if alike > 0:
        sys.exit(f"{alike} pairs of pixels of two regions have one colour, {plain} were 255 apart")


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    check(sys.argv[1], sys.argv[2], int(sys.argv[3]))
