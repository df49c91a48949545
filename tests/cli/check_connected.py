"""Superpixels of `halobeat cluster --connected` beside the definition, computed here from the clusters:

check_connected.py CLUSTERS.npy SUPERPIXELS.npy CENTRES.csv RUN.json MIN_SHARE K"""

import csv
import json
import sys

import numpy
from scipy import ndimage


def pieces_of(clusters):
    """Pieces of equal labels, numbered from 0 in raster order of their first pixels."""
    pieces = numpy.zeros(clusters.shape, int)
    count = 0
    for k in numpy.unique(clusters):
        found, n = ndimage.label(clusters == k)
        pieces += numpy.where(found > 0, found + count, 0)
        count += n
    _, first, names = numpy.unique(pieces, return_index=True, return_inverse=True)
    order = numpy.empty(len(first), int)
    order[numpy.argsort(first)] = numpy.arange(len(first))
    return order[names].reshape(clusters.shape)


def borders_of(groups):
    """faces[a][b] that groups a and b share."""
    faces = {}
    for one, other in ((groups[:, 1:], groups[:, :-1]), (groups[1:], groups[:-1])):
        differ = one != other
        for a, b in zip(one[differ].tolist(), other[differ].tolist()):
            for this, that in ((a, b), (b, a)):
                own = faces.setdefault(this, {})
                own[that] = own.get(that, 0) + 1
    return faces


def connect(pieces, least):
    groups = pieces
    while True:
        areas = numpy.bincount(groups.ravel())
        faces = borders_of(groups)
        parent = list(range(len(areas)))

        def root(a):
            while parent[a] != a:
                a = parent[a]
            return a

        small = [g for g in faces if areas[g] < least]
        if not small:
            return groups
        for g in small:
            chosen = min(faces[g], key=lambda n: (-faces[g][n], n))
            a, b = sorted((root(g), root(chosen)))
            parent[b] = a
        groups = pieces_of(numpy.array([root(g) for g in range(len(areas))])[groups])


clusters, labels = (numpy.load(path) for path in sys.argv[1:3])
run = json.load(open(sys.argv[4]))
least = int(float(sys.argv[5]) * labels.size / int(sys.argv[6]))
count = labels.max() + 1
for k in range(count):
    assert ndimage.label(labels == k)[1] == 1, f"superpixel {k} is not one piece"
pieces = pieces_of(clusters)
wanted = connect(pieces, least)
assert (labels == wanted).all(), f"{(labels != wanted).sum()} labels differ from the definition"
assert run["connected"] is True and run["superpixels"] == count, run["superpixels"]
assert run["pieces"] == pieces.max() + 1 > count, run["pieces"]
assert run["min_pixels"] == least and run["connecting_seconds"] > 0
assert numpy.bincount(labels.ravel()).min() >= least
rows = list(csv.DictReader(open(sys.argv[3])))
areas = numpy.bincount(labels.ravel())
assert [int(row["pixels"]) for row in rows] == areas.tolist()
columns = numpy.bincount(labels.ravel(), numpy.tile(numpy.arange(labels.shape[1]), labels.shape[0]))
assert numpy.allclose([float(row["x"]) for row in rows], columns / areas, atol=1e-5)
