"""Compare results of `halobeat label` with scipy's: compare_scipy.py RUNS, a line for each run:
its folder, its image and its options."""

import csv
import json
import os
import sys
from fractions import Fraction

import numpy
from PIL import Image
from scipy import ndimage


def grey_of(path):
    """Rec. 709 luma in 16 bits of fraction, over black where there is alpha."""
    image = Image.open(path)
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    samples = numpy.asarray(image).astype(numpy.int64)
    if samples.ndim == 2:
        return samples
    luma = (samples[..., :3] @ numpy.array([13933, 46871, 4732]) + 32768) >> 16
    if samples.shape[2] == 4:
        luma = (luma * samples[..., 3] * 2 + 255) // 510
    return luma


def expected_labels(grey, run, options):
    def number_after(option, otherwise):
        return int(options[options.index(option) + 1]) if option in options else otherwise

    structure = numpy.ones((3, 3)) if run["connectivity"] == 8 else None
    value = run["threshold"]["value"]
    lit = grey >= value
    if "peak" in run["threshold"]:
        weak, count = ndimage.label(lit, structure)
        strong = numpy.unique(weak[grey >= run["threshold"]["peak"]])
        lit &= numpy.isin(weak, strong)
    if "--invert" in options:
        lit = ~lit
    if "--fill-holes" in options:
        lit = ndimage.binary_fill_holes(lit)
    labels, count = ndimage.label(lit, structure)
    areas = numpy.bincount(labels.ravel(), minlength=count + 1)
    keep = areas >= number_after("--min-area", number_after("--dust", 0))
    keep &= areas <= number_after("--max-area", labels.size)
    if "--clear-border" in options:
        for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
            keep[edge] = False
    keep[0] = False
    if "--largest" in options:
        order = numpy.argsort(-numpy.where(keep, areas, -1), kind="stable")
        keep[order[number_after("--largest", 0):]] = False
    renumbered = numpy.where(keep, numpy.cumsum(keep), 0)
    return renumbered[labels], int(keep.sum())


def six_digits(total, area):
    """A quotient rounded half to even, as text."""
    millionths = round(Fraction(int(total) * 10**6, int(area)))
    return "%d.%06d" % divmod(millionths, 10**6)


def expected_table(labels, count, grey):
    rows, columns = numpy.indices(labels.shape)
    flat = labels.ravel()

    def sums(weights):
        # Exact: every sum stays far below 2^53.
        return numpy.bincount(flat, weights.ravel(), count + 1).astype(numpy.int64)[1:]

    areas = numpy.bincount(flat, minlength=count + 1)[1:]
    # Pixels of no region are 0 in both.
    least, most = (
        numpy.insert(function(grey, labels, numpy.arange(1, count + 1)).astype(numpy.int64), 0, 0)
        for function in (ndimage.minimum, ndimage.maximum)
    )
    parts = zip(ndimage.find_objects(labels), areas, sums(rows), sums(columns), sums(grey))
    for number, (box, area, row, column, total) in enumerate(parts, 1):
        yield {
            "label": str(number),
            "area": str(area),
            "top": str(box[0].start),
            "left": str(box[1].start),
            "bottom": str(box[0].stop),
            "right": str(box[1].stop),
            "x": six_digits(column, area),
            "y": six_digits(row, area),
            "mean_grey": six_digits(total, area),
            "min_grey": str(least[number]),
            "max_grey": str(most[number]),
        }


def check_colours(labels, count, colour):
    """A region has one colour, that of its number modulo 255, but for some of those that touch another of the
    same colour: then they differ."""
    assert numpy.array_equal(colour > 0, labels > 0), "the background's colour"
    of_region = numpy.zeros(count + 1, numpy.int64)
    of_region[labels] = colour
    assert numpy.array_equal(of_region[labels], colour), "a region in two colours"
    plain = (numpy.arange(count + 1) - 1) % 255 + 1
    alike = set()
    for other, this in ((labels[1:], labels[:-1]), (labels[:, 1:], labels[:, :-1]),
                        (labels[1:, 1:], labels[:-1, :-1]), (labels[1:, :-1], labels[:-1, 1:])):
        touch = (other != this) & (other > 0) & (this > 0)
        pairs = numpy.stack((other[touch], this[touch]))
        assert (of_region[pairs[0]] != of_region[pairs[1]]).all(), "regions of one colour touch"
        alike.update(pairs[:, plain[pairs[0]] == plain[pairs[1]]].ravel().tolist())
    changed = set((numpy.flatnonzero(of_region[1:] != plain[1:]) + 1).tolist())
    assert changed <= alike, "a region that touches none of its colour has another one"


def check(folder, image, options):
    def path(name):
        return os.path.join(folder, name)

    with open(path("run.json")) as file:
        run = json.load(file)
    grey = grey_of(image)
    labels, count = expected_labels(grey, run, options)
    mapped = numpy.load(path("labels.npy"), mmap_mode="r")
    assert mapped.dtype == numpy.int32 and mapped.flags.c_contiguous
    assert isinstance(mapped, numpy.memmap)
    assert run["regions"] == count, "%d regions, not %d" % (run["regions"], count)
    assert run["foreground_pixels"] >= numpy.count_nonzero(labels)
    assert numpy.array_equal(mapped, labels), "labels.npy"
    assert numpy.array_equal(numpy.asarray(Image.open(path("labels.png"))), labels), "labels.png"
    check_colours(labels, count, numpy.asarray(Image.open(path("colour.png"))))
    wanted = list(expected_table(labels, count, grey))
    with open(path("regions.csv"), newline="") as file:
        found = list(csv.DictReader(file))
    assert found == wanted, [pair for pair in zip(found, wanted) if pair[0] != pair[1]][:2]
    with open(path("regions.json")) as file:
        table = json.load(file, parse_float=str, parse_int=str)
    assert table == wanted, "regions.json"
    return count


def main(runs):
    regions = 0
    with open(runs) as file:
        for line in file:
            folder, image, *options = line.split()
            try:
                regions += check(folder, image, options)
            except AssertionError as error:
                sys.exit("%s %s: %s" % (image, " ".join(options), error))
    print("%d regions are the same" % regions)


main(sys.argv[1])
