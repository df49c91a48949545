"""Images for regions.sh, and what scikit-image and exact arithmetic make of their regions.

compare_regions.py make FOLDER: images and volumes. compare RUNS: a line for each run, its folder and its
options; the table is compared with the labels that were written beside it."""

import csv
import math
import sys
from fractions import Fraction

import numpy
from PIL import Image
from scipy import ndimage

from checks import options_of
from measures_check import hull_voxels

SHAPES = ("axis_major_length", "axis_minor_length", "eccentricity", "orientation", "perimeter",
          "solidity")
SOLID_SHAPES = ("axis_major_length", "axis_minor_length", "solidity")


def make(folder):
    random = numpy.random.RandomState(11)

    def save(name, image):
        numpy.save("%s/%s.npy" % (folder, name), numpy.asarray(image, dtype=numpy.uint8))

    def blobs(shape, sigma):
        blurred = ndimage.gaussian_filter(random.rand(*shape), sigma, mode="wrap")
        return 255 * (blurred - blurred.min()) / (blurred.max() - blurred.min())

    save("noise", 255 * (random.rand(47, 83) < 0.45))
    save("blobs", blobs((61, 140), 2.5))
    save("volume", blobs((12, 23, 37), 1.1))
    things = numpy.zeros((40, 70))
    things[0, 0] = things[3, 60] = 1
    things[5, 2:50] = things[7:30, 66] = 1
    for i in range(9):
        things[10 + i, 10 + i] = things[30 - i, 20 + i] = things[12 + i // 2, 40 + i] = 1
    things[32:40, 0:8] = things[32:35, 62:70] = things[22:31, 40:49] = 1
    things[25:28, 43:46] = 0
    save("things", 255 * things)
    save("row", 255 * (random.rand(1, 90) < 0.6))
    save("column", 255 * (random.rand(90, 1) < 0.6))
    save("full", numpy.full((5, 6), 200))
    save("parts", random.randint(0, 3, (19, 31)))
    colours = numpy.dstack([blobs((37, 53), 2) for _ in range(3)])
    save("colours", colours)
    numpy.save(folder + "/wide.npy", (colours * 257).astype(numpy.uint16))
    Image.fromarray(colours.astype(numpy.uint8)).save(folder + "/colours.png")
    Image.fromarray(colours.astype(numpy.uint8)).convert("P").save(folder + "/palette.png")
    pages = [Image.fromarray(numpy.roll(colours, 7 * z, 0).astype(numpy.uint8)) for z in range(5)]
    pages[0].save(folder + "/pages.tif", save_all=True, append_images=pages[1:])
    Image.fromarray(numpy.dstack([colours, 255 * (colours[..., :1] > 99)]).astype(numpy.uint8)).save(
        folder + "/alpha.png")


def read_colours(path, ground):
    """Red, green and blue, and the ground where there is nothing."""
    if path.endswith(".npy"):
        return numpy.load(path)
    image = Image.open(path)
    planes = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        plane = numpy.array(image.convert("RGBA"))
        planes.append(numpy.where(plane[..., 3:] > 0, plane[..., :3], ground))
    return numpy.array(planes if len(planes) > 1 else planes[0])


# ---- what should be ---------------------------------------------------------------------------------


def covariance(places):
    """Exact, of integers; rounded at the end."""
    n = len(places)
    sums = [sum(map(int, column)) for column in places.T]
    axes = range(places.shape[1])
    return numpy.array([[float(
        Fraction(int((places[:, a] * places[:, b]).sum()), n)
        - Fraction(sums[a] * sums[b], n * n)) for b in axes] for a in axes])


def angle(spread):
    rows, columns, both = spread[0, 0], spread[1, 1], spread[0, 1]
    if rows == columns:
        return math.pi / 4 if both > 0 else -math.pi / 4
    return 0.5 * math.atan2(2 * both, rows - columns)


def perimeter(inside, periodic):
    """scikit-image's, where opposite edges may touch."""
    modes = ["wrap" if around else "constant" for around in periodic]

    def beyond(image):
        for axis in range(2):
            width = [(1, 1) if axis == k else (0, 0) for k in range(2)]
            image = numpy.pad(image, width, modes[axis])
        return image

    wide = beyond(inside)
    eroded = wide[1:-1, 1:-1] & wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
    border = beyond((inside & ~eroded).astype(int))
    code = border[1:-1, 1:-1] + 2 * (border[:-2, 1:-1] + border[2:, 1:-1] + border[1:-1, :-2]
                                     + border[1:-1, 2:])
    code = code + 10 * (border[:-2, :-2] + border[:-2, 2:] + border[2:, :-2] + border[2:, 2:])
    ones = numpy.isin(code, (5, 7, 15, 17, 25, 27)).sum()
    diagonal = numpy.isin(code, (21, 33)).sum()
    mean = numpy.isin(code, (13, 23)).sum()
    return ones + diagonal * math.sqrt(2) + mean * (1 + math.sqrt(2)) / 2


def hull_pixels(inside):
    """Pixels whose centres are in the hull of the middles of pixels' edges, and those not on its border.
    In whole numbers: all is twice as large."""
    places = 2 * numpy.argwhere(inside)
    points = numpy.unique(numpy.concatenate(
        [places + step for step in ((1, 0), (-1, 0), (0, 1), (0, -1))]), axis=0).tolist()

    def chain(points):
        corners = []
        for point in points:
            while len(corners) > 1 and cross(corners[-2], corners[-1], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners

    def cross(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    corners = chain(points)[:-1] + chain(points[::-1])[:-1]
    box = [slice(places[:, axis].min(), places[:, axis].max() + 1, 2) for axis in range(2)]
    rows, columns = numpy.mgrid[box[0], box[1]]
    least = numpy.full(rows.shape, 1)
    for a, b in zip(corners, corners[1:] + corners[:1]):
        least = numpy.minimum(least, numpy.sign(
            (b[0] - a[0]) * (columns - a[1]) - (b[1] - a[1]) * (rows - a[0])))
    return (least >= 0).sum(), (least > 0).sum()


def unrolled(inside, periodic, order):
    """Places of the pixels of a region that is cut out whole, and the axes that it goes round."""
    size = numpy.array(inside.shape)
    steps = [step for step in numpy.ndindex(*(3,) * inside.ndim)
             if 0 < numpy.abs(numpy.subtract(step, 1)).sum() <= order]
    first = tuple(int(i) for i in numpy.argwhere(inside)[0])
    found, waiting, around = {first: first}, [first], numpy.zeros(inside.ndim, dtype=bool)
    while waiting:
        at = waiting.pop()
        for step in steps:
            place = numpy.add(at, step) - 1
            index = place % size
            if any(not p and k != i for p, k, i in zip(periodic, place, index)):
                continue
            index = tuple(int(i) for i in index)
            if not inside[index]:
                continue
            if index not in found:
                found[index] = tuple(int(i) for i in place)
                waiting.append(found[index])
            around |= numpy.array(found[index]) != place
    assert len(found) == inside.sum()
    return numpy.array(list(found.values())), around


def shapes_of(inside, periodic, order, spacing):
    places = numpy.argwhere(inside)
    if any(periodic):
        places, around = unrolled(inside, periodic, order)
        if around.any():
            nothing = dict.fromkeys(SHAPES, math.nan)
            nothing["perimeter"] = perimeter(inside, periodic) * spacing[0] if inside.ndim == 2 else 0
            return nothing
    spread = covariance(places) * numpy.outer(spacing, spacing)
    values = numpy.clip(numpy.linalg.eigvalsh(spread), 0, None)
    if inside.ndim == 3:
        return {"axis_major_length": math.sqrt(20 * values[-1]), "axis_minor_length": math.sqrt(20 * values[0]),
                "solidity": len(places) / len(hull_voxels(places))}
    return {"axis_major_length": 4 * math.sqrt(values[1]), "axis_minor_length": 4 * math.sqrt(values[0]),
            "eccentricity": math.sqrt(1 - values[0] / values[1]) if values[1] > 0 else 0,
            "orientation": angle(spread),
            "perimeter": perimeter(inside, periodic) * spacing[0],
            "solidity": inside.sum() / hull_pixels(inside)[0]}


def close(name, found, wanted):
    """Square roots of what was rounded near 0 have half the digits."""
    loose = name in ("axis_minor_length", "eccentricity")
    if math.isnan(wanted):
        return math.isnan(found)
    return abs(found - wanted) <= (2e-7 if loose else 1e-11) * max(1, abs(wanted))


def check_shapes(rows, labels, options):
    axes = labels.ndim
    spacing = [float(word) for word in options.get("--spacing", "1,1,1").split(",")][-axes:]
    names = options.get("--periodic-axes", "z,y,x" if "--periodic" in options else "")
    periodic = [name in names for name in "zyx"[-axes:]]
    order = {"4": 1, "8": 2, "6": 1, "18": 2, "26": 3}[options.get("-c", "4" if axes == 2 else "6")]
    asked = options["--properties"]
    wanted = SOLID_SHAPES if axes == 3 else SHAPES
    if asked != "all":
        wanted = [name for name in wanted if name in asked.split(",")]
    elif len(set(spacing[-2:])) > 1:
        wanted = [name for name in wanted if name != "perimeter"]
    if asked == "all" and any(periodic):
        wanted = [name for name in wanted if name != "solidity"]
    found = [name for name in rows[0] if name in SHAPES]
    assert found == list(wanted), (found, wanted)
    for row in rows:
        should = shapes_of(labels == int(row["label"]), periodic, order, spacing)
        for name in wanted:
            assert close(name, float(row[name]), should[name]), (row["label"], name, row[name], should[name])
    return wanted


def check_channels(rows, labels, colours, options):
    own = ["%s_%s" % (what, name) for what in ("mean", "min", "max") for name in ("red", "green", "blue")]
    scikit = ["intensity_%s-%d" % (what, i) for what in ("mean", "min", "max") for i in range(3)]
    names = scikit if options.get("--names") == "skimage" else own
    assert [column for column in rows[0] if column in names] == names, list(rows[0])
    for row in rows:
        inside = colours[labels == int(row["label"])]
        wanted = list(inside.mean(0)) + list(inside.min(0)) + list(inside.max(0))
        for name, should in zip(names, wanted):
            assert abs(float(row[name]) - should) <= 1e-6, (row, name, should)


def check_skimage(rows, labels, wanted):
    """Its own figures. Orientations of squares and circles are what was rounded, and of flat regions in
    volumes it takes the root of what is rounded below 0."""
    from skimage.measure import regionprops
    for row, region in zip(rows, regionprops(labels)):
        if labels.ndim == 3 and float(row["axis_minor_length"]) < 1e-3:
            continue
        for name in wanted:
            found, should = float(row[name]), region[name]
            if name == "solidity" and labels.ndim == 3:
                if min(region.image.shape) > 1:
                    assert close(name, found, should), (row, should)
            elif name == "solidity":
                # Older versions count some pixels on the border of the hull.
                around, inner = hull_pixels(labels == region.label)
                assert region.area / around - 1e-12 <= should, (row, should)
                assert should * inner <= region.area + 1e-9 or around == inner, (row, should)
            elif name == "orientation":
                if float(row.get("eccentricity", 1)) < 1e-6 or abs(abs(should) - math.pi / 4) < 1e-9:
                    continue
                # The axis of rows is both pi/2 and -pi/2 from that of columns.
                apart = abs(found - should)
                assert min(apart, math.pi - apart) < 1e-9, (row, should)
            else:
                assert close(name, found, should), (row["label"], name, found, should)


GROUNDS = {"black": 0, "white": 255, "40%": 102}


def compare(runs, with_skimage):
    with open(runs) as file:
        for line in file:
            folder, image, *words = line.split()
            options = options_of(words)
            labels = numpy.load(folder + "/labels.npy")
            with open(folder + "/regions.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            assert len(rows) == labels.max() and rows, line
            wanted = check_shapes(rows, labels, options)
            told = options["--properties"] in ("channels", "all")
            colours = read_colours(image, GROUNDS[options.get("--background", "black")]) if told else labels
            if colours.ndim > labels.ndim:
                check_channels(rows, labels, colours, options)
            plain = not {"--periodic", "--periodic-axes", "--spacing"} & set(options)
            if plain and wanted and with_skimage == "yes":
                check_skimage(rows, labels, wanted)


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
