"""Arrays for values.sh, and which of their pixels belong together, by scipy's graphs.

compare_values.py make FOLDER: arrays. compare RUNS: a line for each run, its folder, its input and its
options."""

import csv
import itertools
import json
import sys

import numpy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


def make(folder):
    random = numpy.random.RandomState(3)

    def save(name, shape, dtype, levels):
        values = random.randint(0, levels, shape)
        if numpy.dtype(dtype).kind != "u":
            values = numpy.where(random.rand(*shape) < 0.1, -values, values)
        values = values.astype(dtype)
        if numpy.dtype(dtype).kind == "f":
            values = values / 2
            values[random.rand(*shape) < 0.05] = numpy.nan
            for infinity in numpy.inf, -numpy.inf:
                values[random.rand(*shape) < 0.2] = infinity
        numpy.save("%s/%s.npy" % (folder, name), values.astype(dtype))

    save("bytes", (31, 200), "u1", 4)
    save("shorts", (40, 61), "<i2", 3)
    save("big", (23, 65), ">u4", 5)
    save("labels", (9, 11, 70), "<i4", 4)
    save("long", (7, 13, 33), "<u8", 6)
    save("signed", (5, 17, 64), "<i8", 5)
    save("reals", (19, 131), "<f4", 5)
    save("doubles", (6, 9, 66), "<f8", 7)
    save("flags", (30, 70), "?", 2)
    save("thin", (12, 8, 1), "i1", 3)
    # Large regions with pixels that differ, in rows of more than one vector of bits.
    blocks = random.randint(0, 3, (2, 3, 80)).repeat(3, 0).repeat(2, 1).repeat(7, 2)
    noise = random.rand(*blocks.shape) < 0.1
    blocks[noise] = random.randint(0, 3, noise.sum())
    numpy.save(folder + "/blocks.npy", blocks.astype(numpy.uint16))
    large = numpy.array([[1, 1, 2**63 + 5], [0, 2**63 + 5, 2**63 + 6]], numpy.uint64)
    numpy.save(folder + "/beyond.npy", large)
    coloured = numpy.zeros((4, 5, 3), numpy.uint8)
    numpy.save(folder + "/colours.npy", coloured)


def option(options, name, default=None):
    return options[options.index(name) + 1] if name in options else default


def neighbours(shape, order):
    for step in itertools.product((-1, 0, 1), repeat=len(shape)):
        if 0 < sum(map(abs, step)) <= order and step > (0,) * len(shape):
            yield step


def near(a, b, delta):
    if a.dtype.kind == "f":
        with numpy.errstate(invalid="ignore"):
            return (a == b) | (numpy.abs(a.astype(float) - b.astype(float)) <= delta)
    apart = numpy.maximum(a, b).astype(object) - numpy.minimum(a, b).astype(object)
    return (apart <= int(delta)).astype(bool)


def label(values, order, delta, periodic, background):
    lit = values == values
    if background != "none":
        lit &= values != float(background)
    number = numpy.arange(values.size).reshape(values.shape)
    edges = []
    for step in neighbours(values.shape, order):
        there = tuple(-s for s in step)
        axes = tuple(range(values.ndim))
        roll = lambda a: numpy.roll(a, there, axes)
        both = lit & roll(lit)
        for axis, s in enumerate(step):
            if s != 0 and not periodic:
                edge = [slice(None)] * values.ndim
                edge[axis] = -1 if s > 0 else 0
                both[tuple(edge)] = False
        linked = near(values[both], roll(values)[both], delta)
        edges.append((number[both][linked], roll(number)[both][linked]))
    rows, columns = (numpy.concatenate(side) for side in zip(*edges))
    graph = coo_matrix((numpy.ones(len(rows), bool), (rows, columns)), (values.size,) * 2)
    component = connected_components(graph, False)[1][lit.ravel()]
    # numbered by their first pixels
    _, first, back = numpy.unique(component, return_index=True, return_inverse=True)
    rank = numpy.empty(len(first), int)
    rank[numpy.argsort(first)] = numpy.arange(1, len(first) + 1)
    labels = numpy.zeros(values.size, int)
    labels[lit.ravel()] = rank[back]
    return labels.reshape(values.shape)


def compare_regions(folder, values, labels, delta, cell):
    with open(folder + "/regions.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == labels.max(), "%d regions, not %d" % (len(rows), labels.max())
    for row in rows:
        of = values[labels == int(row["label"])]
        assert float(row["area"]) == of.size * cell, row
        told = [row["value"]] * 2 if delta == 0 else [row["min_value"], row["max_value"]]
        assert [type(of[0])(t) for t in told] == [of.min(), of.max()], (row, of)


SPACING = (2, 3, 5)  # as values.sh asks for


def faces_of(labels, axis, periodic):
    """Pairs of pixels that face each other along an axis."""
    if periodic:
        return labels.ravel(), numpy.roll(labels, -1, axis).ravel()
    length = labels.shape[axis]
    return (numpy.take(labels, range(length - 1), axis).ravel(),
            numpy.take(labels, range(1, length), axis).ravel())


def compare_contacts(folder, labels, periodic):
    faces = {}
    for axis in range(labels.ndim):
        for a, b in zip(*faces_of(labels, axis, periodic)):
            if a != b and a != 0 and b != 0:
                faces.setdefault((min(a, b), max(a, b)), [0] * labels.ndim)[axis] += 1
    spacing = SPACING[:labels.ndim]
    size = [numpy.prod(spacing) / length for length in spacing]
    should = [(*pair, sum(each), sum(map(float.__mul__, map(float, each), size)))
              for pair, each in sorted(faces.items())]
    with open(folder + "/contacts.csv") as file:
        rows = list(csv.reader(file))[1:]
    are = [(int(row[0]), int(row[1]), int(row[2]), float(row[3])) for row in rows]
    assert are == should, "other contacts"


def compare_run(folder, name, options):
    values = numpy.load(name)
    delta = float(option(options, "--delta", 0))
    known = (4, 8) if values.ndim == 2 else (6, 18, 26)
    order = known.index(int(option(options, "-c", known[0]))) + 1
    background = option(options, "--background", "0")
    labels = label(values, order, delta, "--periodic" in options, background)
    is_ = numpy.load(folder + "/labels.npy")
    assert labels.max() > 1, "nothing to compare"
    assert is_.shape == labels.shape and (is_ == labels).all(), "other labels"
    with open(folder + "/run.json") as file:
        assert json.load(file)["regions"] == labels.max()
    if "--contacts" in options:
        compare_contacts(folder, labels, "--periodic" in options)
    if values.dtype != bool:
        cell = numpy.prod(SPACING[:labels.ndim]) if "--contacts" in options else 1
        compare_regions(folder, values, labels, delta, cell)


def compare(runs):
    failures = 0
    for line in open(runs):
        folder, name, *options = line.split()
        try:
            compare_run(folder, name, options)
        except AssertionError as error:
            print(name, *options, ":", error)
            failures += 1
    return failures


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    sys.exit(compare(sys.argv[2]) > 0)
