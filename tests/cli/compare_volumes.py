"""Volumes for volumes.sh, and what scipy and scikit-image make of them.

compare_volumes.py make FOLDER: volumes. compare RUNS: a line for each run, its folder, its volume and its
options.
same FILE OTHER [TYPE]: have both files the same samples, the other one of this type?"""

import csv
import json
import sys

import numpy
from PIL import Image
from scipy import ndimage

from checks import options_of


def make(folder):
    random = numpy.random.RandomState(5)

    def save(name, shape, sigma):
        blobs = ndimage.gaussian_filter(random.rand(*shape), sigma, mode="wrap")
        blobs = (blobs - blobs.min()) / (blobs.max() - blobs.min())
        volume = (blobs * 255).astype(numpy.uint8)
        numpy.save("%s/%s.npy" % (folder, name), volume)
        return volume

    cells = save("cells", (13, 29, 71), 1.1)
    pages = [Image.fromarray(plane) for plane in cells]
    pages[0].save(folder + "/cells.tif", save_all=True, append_images=pages[1:])
    save("wide", (9, 12, 200), 0.7)
    save("flat", (1, 30, 40), 1)
    save("narrow", (20, 30, 3), 1)
    save("page", (30, 40), 1)


def read(path):
    if path.endswith(".npy"):
        return numpy.load(path)
    if path.endswith((".raw", ".mha", ".mhd")):
        return None
    image = Image.open(path)
    if getattr(image, "n_frames", 1) == 1:
        return numpy.asarray(image)
    planes = []
    for number in range(image.n_frames):
        image.seek(number)
        planes.append(numpy.array(image))
    return numpy.array(planes)


TYPES = {"MET_USHORT": "<u2", "MET_UINT": "<u4"}


def read_meta(path, shape):
    """MetaImage, and samples of 16 bits by themselves."""
    if path.endswith(".raw"):
        return numpy.fromfile(path, "<u2").reshape(shape)
    with open(path, "rb") as file:
        head = {}
        while "ElementDataFile" not in head:
            name, _, value = file.readline().decode().strip().partition(" = ")
            head[name] = value
        assert [int(n) for n in head["DimSize"].split()] == list(shape[::-1]), head
        data = head["ElementDataFile"]
        rest = file.read() if data == "LOCAL" else open(
            path[: path.rindex("/") + 1] + data, "rb").read()
    return numpy.frombuffer(rest, TYPES[head["ElementType"]]).reshape(shape)


def tiff_bytes(path):
    """PIL does not know all samples of 64 bits: the planes lie at the end, one after the other."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == b"II*\0"
    return data


def same(path, other, type=None):
    wanted = read(path)
    if type in ("uint32", "uint64"):
        data = tiff_bytes(other)
        count = wanted.size * numpy.dtype(type).itemsize
        found = numpy.frombuffer(data[-count:], type).reshape(wanted.shape)
    else:
        found = read(other)
    if found is None:
        found = read_meta(other, wanted.shape)
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    assert numpy.array_equal(found, wanted)
    if type == "uint16":
        assert found.dtype == numpy.uint16


def above_mean(volume, radius, offset):
    """Is a voxel at least the mean of the cube around it, less the offset? Of whole numbers: scipy's
    uniform_filter, which is this but for the last digits, adds up what it has rounded."""
    side = 2 * radius + 1
    sums = numpy.pad(volume.astype(numpy.int64), radius, "symmetric")
    for axis in range(3):
        ends = numpy.cumsum(sums, axis)
        ends = numpy.concatenate([0 * numpy.take(ends, [0], axis), ends], axis)
        count = ends.shape[axis]
        sums = (numpy.take(ends, range(side, count), axis)
                - numpy.take(ends, range(count - side), axis))
    near = ndimage.uniform_filter(volume.astype(float), side, mode="reflect")
    assert numpy.allclose(near, sums / side**3)
    return volume.astype(numpy.int64) * side**3 - sums >= -offset * side**3


def foreground(volume, run, options, structure):
    threshold = run["threshold"]
    if "local" in threshold:
        lit = above_mean(volume, threshold["local"]["radius"], threshold["local"]["offset"])
        return ~lit if "--invert" in options else lit
    lit = volume >= threshold["value"]
    if "high" in threshold:
        lit &= volume <= threshold["high"]
    if "peak" in threshold:
        weak, _ = ndimage.label(lit, structure)
        lit &= numpy.isin(weak, numpy.unique(weak[volume >= threshold["peak"]]))
    if "--invert" in options:
        lit = ~lit
    if "--fill-holes" in options:
        lit = ndimage.binary_fill_holes(lit)
    return lit


def filtered(labels, count, options):
    areas = numpy.bincount(labels.ravel(), minlength=count + 1)
    keep = areas >= int(options.get("--min-area", 0))
    keep &= areas <= int(options.get("--max-area", labels.size))
    if "--clear-border" in options:
        for axis in range(3):
            for end in (0, -1):
                keep[numpy.take(labels, end, axis)] = False
    keep[0] = False
    if "--largest" in options:
        order = numpy.argsort(-numpy.where(keep, areas, -1), kind="stable")
        keep[order[int(options["--largest"]):]] = False
    return numpy.where(keep, numpy.cumsum(keep), 0)[labels], int(keep.sum())


def check_table(folder, labels, count, volume, options):
    with open(folder + "/regions.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == count
    spacing = [float(word) for word in options.get("--spacing", "1,1,1").split(",")]
    scikit = options.get("--names") == "skimage"
    boxes = ["bbox-%d" % i for i in range(6)] if scikit else [
        "front", "top", "left", "back", "bottom", "right"]
    centres = ["centroid-%d" % i for i in range(3)] if scikit else ["z", "y", "x"]
    greys = ["intensity_mean", "intensity_min", "intensity_max"] if scikit else [
        "mean_grey", "min_grey", "max_grey"]
    if rows and not scikit:  # x, y, z as in all tables
        order = "label area left top front right bottom back x y z mean_grey min_grey max_grey".split()
        assert list(rows[0])[:len(order)] == order, list(rows[0])
    for row, box in zip(rows, ndimage.find_objects(labels)):
        number = int(row["label"])
        inside = labels[box] == number
        found = [int(row[name]) for name in boxes]
        assert found == [b.start for b in box] + [b.stop for b in box], (row, box)
        area = inside.sum() * numpy.prod(spacing)
        assert abs(float(row["area"]) - area) <= 1e-12 * area, (row, area)
        at = numpy.argwhere(inside).mean(0) + [b.start for b in box]
        for name, value in zip(centres, at * spacing):
            assert abs(float(row[name]) - value) <= 1e-6, (row, name, value)
        values = volume[box][inside]
        wanted = values.mean(), values.min(), values.max()
        for name, value in zip(greys, wanted):
            assert abs(float(row[name]) - value) <= 1e-6, (row, name, value)
    return rows


def check_skimage(rows, labels, volume):
    try:
        from skimage.measure import regionprops_table
    except ImportError:
        print("skipped: names of scikit-image, not installed: python3-skimage")
        return
    names = ("label", "area", "bbox", "centroid", "intensity_mean", "intensity_min", "intensity_max")
    table = regionprops_table(labels, volume, properties=names)
    assert list(table) == list(rows[0]), (list(table), list(rows[0]))
    for name, column in table.items():
        assert numpy.allclose(column, [float(row[name]) for row in rows], atol=1e-6), name


def compare(runs):
    with open(runs) as file:
        for line in file:
            folder, _, *words = line.split()
            options = options_of(words)
            with open(folder + "/run.json") as file:
                run = json.load(file)
            order = {6: 1, 18: 2, 26: 3}[run["connectivity"]]
            structure = ndimage.generate_binary_structure(3, order)
            volume = numpy.load(run["image"]["file"].replace(".tif", ".npy"))
            assert run["image"]["planes"] == volume.shape[0]
            lit = foreground(volume, run, options, structure)
            labels, count = filtered(*ndimage.label(lit, structure), options)
            found = numpy.load(folder + "/labels.npy")
            assert found.dtype == numpy.int32 and found.shape == volume.shape
            assert run["regions"] == count, "%s: %d regions, not %d" % (line, run["regions"], count)
            assert numpy.array_equal(found, labels), line
            assert run["foreground_pixels"] == lit.sum() and count > 0, line
            rows = check_table(folder, labels, count, volume, options)
            if options.get("--names") == "skimage":
                check_skimage(rows, labels, volume)


{"make": make, "compare": compare, "same": same}[sys.argv[1]](*sys.argv[2:])
