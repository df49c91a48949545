"""Images of labels for measure.sh, and what scikit-image and NumPy make of their regions.

measure_check.py make FOLDER: labels and images. compare RUNS SKIMAGE: a line for each run, its folder, its labels and
its options. nodata FOLDER TABLE: figures of samples some of which are missing. whole LABELS FOLDER SKIMAGE: facts and
tables of all regions together."""

import csv
import json
import math
import os
import sys

import numpy
from PIL import Image
from scipy import ndimage

from checks import options_of


def blobs(random, shape):
    """Labels with gaps, some of them in several pieces."""
    noise = ndimage.gaussian_filter(random.standard_normal(shape), 1.5)
    labels = ndimage.label(noise > noise.std() * len(shape) / 2.5)[0]
    return labels * 3 % 100


def make(folder):
    random = numpy.random.RandomState(3)

    def save(name, image):
        numpy.save("%s/%s.npy" % (folder, name), image)

    flat, solid = blobs(random, (90, 130)), blobs(random, (18, 30, 26))
    for kind in ("uint8", "int32", "uint64", "int64"):
        save("flat-" + kind, flat.astype(kind) * (2**55 if kind.endswith("64") else 1))
    save("flat-uint64", flat.astype("uint64") * numpy.uint64(2**57))
    Image.fromarray(flat.astype("uint8")).save(folder + "/flat-uint8.png")
    for kind in ("uint16", "int16"):
        save("solid-" + kind, solid.astype(kind))
    for name, shape in (("flat", flat.shape), ("solid", solid.shape)):
        for i, kind in enumerate(("uint8", "float32", "int32", "float64")):
            save("%s-%d" % (name, i), (random.rand(*shape) * 200).astype(kind))
    Image.fromarray(numpy.load(folder + "/flat-0.npy")).save(folder + "/flat-0.png")
    save("tiny-uint32", numpy.uint32(numpy.arange(72).reshape(9, 8) // 5 * 10**8 % 2**32))
    below = numpy.zeros((6, 7), "int16")
    below[1:3, 2:4], below[4, 1:6], below[5] = 5, 3, -7
    save("below", below)
    save("real", below.astype(float))
    save("bits", below > 0)
    Image.fromarray(numpy.uint8(random.rand(5, 6, 3) * 255)).save(folder + "/colours.png")
    holed = numpy.load(folder + "/flat-0.npy").astype(int)
    holed[random.rand(*holed.shape) < .2] = -9999
    with open(folder + "/nodata.asc", "w") as file:
        file.write("ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n" % flat.shape[::-1])
        numpy.savetxt(file, holed, "%d")
    for name, shape in (("flat", (33, 70)), ("solid", (11, 18, 67))):
        grey = ndimage.gaussian_filter(random.standard_normal(shape), 1.2) + .01
        save("grey-" + name, grey)
        save("porous-" + name, ndimage.label(grey >= 0)[0].astype("uint16"))
    for name, labels, grey in (("a", [[1, 1, 0], [1, 1, 2], [0, 0, 2]], [[1, 2, 0], [3, 4, 7], [0, 0, 8]]),
                               ("b", [[9, 9, 9]], [[1, 1, 1]]), ("none", [[0, 0]], [[1, 1]])):
        for kind, image in (("many", labels), ("grey", grey)):
            os.makedirs("%s/%s" % (folder, kind), exist_ok=True)
            save("%s/%s" % (kind, name), numpy.uint16(image))


def load(path):
    return numpy.asarray(Image.open(path)) if path.endswith(".png") else numpy.load(path)


def images_of(words):
    """The images of all --intensity, in their order."""
    return [load(path) for option, value in zip(words, words[1:]) if option in ("-i", "--intensity")
            for path in value.split(",")]


# The largest difference of each property, relative above 1. Ratios are written with 6 digits behind the point.
RATIO = 6e-7
BOUNDS = {"bbox": 0, "label": 0, "area": 1e-12, "intensity_min": 0, "intensity_max": 0, "centroid": RATIO,
          "intensity_mean": RATIO, "axis_minor_length": 1e-6, "extent": RATIO, "orientation": 1e-9}
OTHERWISE = 1e-9


def compare_columns(table, peer, names):
    for name in names:
        found = numpy.array([float(row[name]) for row in table])
        away = numpy.abs(found - peer[name]) / numpy.maximum(1, numpy.abs(peer[name]))
        if name == "label":  # of 64 bits
            assert [int(row[name]) for row in table] == peer[name].tolist()
        assert not len(away) or away.max() <= BOUNDS.get(name.split("-")[0], OTHERWISE), (name, away.max())


def plain(labels, images, spacing):
    """What NumPy says."""
    found = {name: [] for name in ("label", "area")}
    for label in numpy.unique(labels[labels > 0]):
        inside = labels == label
        found["label"].append(int(label))
        found["area"].append(inside.sum() * numpy.prod(spacing))
        for axis, places in enumerate(numpy.nonzero(inside)):
            found.setdefault("centroid-%d" % axis, []).append(places.mean() * spacing[axis])
            spans = int(places.min() == 0 and places.max() == labels.shape[axis] - 1)
            found.setdefault("spans_" + "zyx"[axis - labels.ndim], []).append(spans)
        for i, image in enumerate(images):
            suffix, samples = ("-%d" % i if len(images) > 1 else ""), image[inside].astype(float)
            for name, figure in (("mean", numpy.mean), ("min", numpy.min), ("max", numpy.max), ("std", numpy.std),
                                 ("median", numpy.median)):
                found.setdefault("intensity_%s%s" % (name, suffix), []).append(figure(samples))
            for axis, places in enumerate(numpy.nonzero(inside)):
                found.setdefault("centroid_weighted-%d%s" % (axis, suffix), []).append(
                    (places * samples).sum() / samples.sum() * spacing[axis])
    return {name: numpy.array(values, object if name == "label" else float) for name, values in found.items()}


PEER = ("label", "area", "bbox", "centroid", "axis_major_length", "euler_number", "extent",
        "equivalent_diameter_area", "area_bbox")
PEER_FLAT = ("axis_minor_length", "eccentricity", "perimeter")
PEER_SAMPLES = ("intensity_mean", "intensity_min", "intensity_max", "centroid_weighted")


def compare(runs, with_skimage):
    for line in open(runs):
        folder, path, *words = line.split()
        options, labels, images = options_of(words), load(path), images_of(words)
        spacing = [float(word) for word in options.get("--spacing", "1,1,1").split(",")][-labels.ndim:]
        with open(folder + "/regions.csv", newline="") as file:
            table = list(csv.DictReader(file))
        peer = plain(labels, images, spacing)
        assert len(table) == len(peer["label"]) > 0, line
        compared = [name for name in peer if name in table[0]]
        assert len(compared) >= (6 if "--properties" in options else 4), (line, compared)
        compare_columns(table, peer, compared)
        if with_skimage == "yes" and "--spacing" not in options and labels.max() < 1000:
            from skimage.measure import regionprops_table
            names = PEER + (PEER_FLAT if labels.ndim == 2 else ()) + (PEER_SAMPLES if images else ())
            if len(images) > 1:  # its older versions have no table of these
                names = [name for name in names if name != "centroid_weighted"]
            stack = None if not images else images[0].astype(float) if len(images) == 1 else \
                numpy.stack([image.astype(float) for image in images], -1)
            theirs = regionprops_table(labels.astype("int64"), stack, names)
            if "--properties" in options:
                missing = [name for name in theirs if name not in table[0]]
                assert not missing, (line, missing)
            compare_columns(table, theirs, [name for name in theirs if name in table[0]])


def nodata(folder, table):
    labels, holed = numpy.load(folder + "/flat-int32.npy"), numpy.loadtxt(folder + "/nodata.asc", skiprows=6)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        inside = labels == int(row["label"])
        samples = holed[inside & (holed != -9999)]
        assert int(row["area"]) == inside.sum()
        for name, figure in (("mean", numpy.mean), ("min", numpy.min), ("max", numpy.max), ("median", numpy.median)):
            should = figure(samples) if len(samples) else math.nan
            assert abs(float(row["intensity_" + name]) - should) < 1e-6 or not len(samples), (row, should)
    assert len(rows) > 9


def chords_of(labels):
    """How many pixels of one label follow each other along each axis, by column and length."""
    found = {}
    for axis in range(labels.ndim):
        for line in numpy.moveaxis(labels, axis, -1).reshape(-1, labels.shape[axis]):
            ends = [0, *(numpy.flatnonzero(numpy.diff(line)) + 1).tolist(), len(line)]
            for begin, end in zip(ends, ends[1:]):
                if line[begin]:
                    kind = "cut_" if begin == 0 or end == len(line) else "chords_"
                    key = kind + "zyx"[axis - labels.ndim], end - begin
                    found[key] = found.get(key, 0) + 1
    return found


def whole(path, folder, with_skimage):
    labels = numpy.load(path).astype(int)
    inside, axes = labels > 0, labels.ndim
    with open(folder + "/chords.csv", newline="") as file:
        chords = {(name, int(row["length"])): int(count) for row in csv.DictReader(file)
                  for name, count in row.items() if name != "length" and int(count)}
    assert chords == chords_of(labels)
    with open(folder + "/pairs.csv", newline="") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) == max(labels.shape) // 2 + 1
    for distance, row in enumerate(pairs):
        both, count = 0, 0
        for axis in range(axes):
            line = numpy.moveaxis(inside, axis, 0)
            if distance <= len(line) // 2:
                met = line[distance:] & line[:len(line) - distance]
                assert abs(float(row["zyx"[axis - axes]]) - met.mean()) < 6e-7
                both, count = both + met.sum(), count + met.size
        assert int(row["distance"]) == distance and abs(float(row["all"]) - both / count) < 6e-7
    with open(folder + "/run.json") as file:
        facts = json.load(file)["whole"]
    areas = numpy.bincount(labels.ravel())[1:]
    assert abs(facts["porosity"] - inside.mean()) < 1e-12
    assert abs(facts["connected_share"] - areas.max() / areas.sum()) < 1e-12
    for axis in range(axes):
        line, name = numpy.moveaxis(labels, axis, 0), "zyx"[axis - axes]
        spanning = numpy.isin(labels, numpy.setdiff1d(numpy.intersect1d(line[0], line[-1]), [0])).sum()
        assert abs(facts["percolating_share"][name] - spanning / areas.sum()) < 1e-12
        assert abs(facts["percolating_porosity"][name] - spanning / labels.size) < 1e-12
    if axes == 2:
        assert facts["specific_surface"] is None
    elif with_skimage == "yes":
        from skimage.measure import marching_cubes, mesh_surface_area
        area = mesh_surface_area(*marching_cubes(inside.astype("f4"), 0.5)[:2])
        assert abs(facts["specific_surface"] / (area / labels.size) - 1) < 2e-6


if __name__ == "__main__":
    {"make": make, "compare": compare, "nodata": nodata, "whole": whole}[sys.argv[1]](*sys.argv[2:])
