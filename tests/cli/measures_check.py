"""Images for measures.sh, and what numpy and scikit-image make of their regions.

measures_check.py make FOLDER: images and volumes. compare RUNS SKIMAGE: a line for each run, its folder,
its image and its options; all columns that are known here are compared with those of the labels beside
the table."""

import csv
import math
import sys

import numpy
from scipy import ndimage


def make(folder):
    random = numpy.random.RandomState(5)

    def blobs(shape, sigma):
        blurred = ndimage.gaussian_filter(random.rand(*shape), sigma, mode="wrap")
        return (blurred - blurred.min()) / (blurred.max() - blurred.min())

    def save(name, image):
        numpy.save("%s/%s.npy" % (folder, name), image)

    grey = blobs((67, 130), 2.2)
    save("blobs", numpy.uint8(255 * grey))
    save("noise", numpy.uint8(255 * random.rand(41, 77)))
    save("column", numpy.uint8(255 * (random.rand(90, 1) < 0.6)))
    save("row", numpy.uint8(255 * (random.rand(1, 90) < 0.6)))
    save("volume", numpy.uint8(255 * blobs((13, 21, 34), 1.2)))


# ---- what should be ---------------------------------------------------------------------------------


def measures_of(inside, image, spacing):
    """A dictionary of columns, from the pixels of one region."""
    axes, cell = inside.ndim, float(numpy.prod(spacing))
    places = numpy.argwhere(inside)
    low, high = places.min(0), places.max(0) + 1
    count = len(places)
    diameters = 2 * axes * count * cell / math.pi
    found = {"area": count * cell, "extent": count / float(numpy.prod(high - low)),
             "equivalent_diameter_area": diameters ** (1 / axes)}
    for axis, name in enumerate("zyx"[-axes:]):
        found["spans_" + name] = int(low[axis] == 0 and high[axis] == inside.shape[axis])
        found["centroid-%d" % axis] = places[:, axis].mean() * spacing[axis]
    return found


def close(found, should, digits=1e-9):
    if math.isnan(should):
        return math.isnan(found)
    return abs(found - should) <= max(digits * abs(should), 1e-6 if digits > 1e-10 else 0)


def check_skimage(row, region):
    for name in ("area", "extent", "equivalent_diameter_area"):
        assert name not in row or close(float(row[name]), region[name]), (name, row, region[name])


def options_of(words):
    found, name = {}, None
    for word in words:
        if word.startswith("-"):
            name = word
            found[name] = True
        else:
            found[name] = word
    return found


def compare(runs, with_skimage):
    for line in open(runs):
        folder, path, *words = line.split()
        options = options_of(words)
        labels, image = numpy.load(folder + "/labels.npy"), numpy.load(path)
        spacing = [float(word) for word in options.get("--spacing", "1,1,1").split(",")][-labels.ndim:]
        with open(folder + "/regions.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == labels.max() and rows, line
        compared = set()
        for row in rows:
            should = measures_of(labels == int(row["label"]), image, spacing)
            for name in set(should) & set(row):
                assert close(float(row[name]), should[name]), (line, name, row, should[name])
                compared.add(name)
        assert compared == set(should), (line, set(should) - compared)
        if with_skimage == "yes" and "--spacing" not in options:
            from skimage.measure import regionprops
            for row, region in zip(rows, regionprops(labels)):
                check_skimage(row, region)


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
