"""Compare what `halobeat cluster` wrote with the definition, as numpy computes it:
compare_clusters.py RUNS, a line for each run: its folder, its image, K and the weight; "colour" if
it is of L, a and b."""

import csv
import json
import os
import sys

import numpy
from PIL import Image


def part_begins(n, parts):
    return [n * i // parts for i in range(parts + 1)]


def rectangles(height, width, clusters):
    """Labels to begin with: rows of rectangles, all as even as whole pixels allow."""
    bands = int((clusters * height / width) ** 0.5 + 0.5)
    bands = max(min(max(bands, -(-clusters // width)), height, clusters), 1)
    labels = numpy.empty((height, width), numpy.int64)
    firsts, tops = part_begins(clusters, bands), part_begins(height, bands)
    for band in range(bands):
        lefts = part_begins(width, firsts[band + 1] - firsts[band])
        for i in range(len(lefts) - 1):
            labels[tops[band] : tops[band + 1], lefts[i] : lefts[i + 1]] = firsts[band] + i
    return labels


def sums_of(labels, values, clusters):
    """Sums of integers, which float64 holds exactly."""
    return numpy.bincount(labels.ravel(), values.ravel().astype(float), clusters)


def beat(labels, axes, scales, centres, clusters):
    """Centres of the labels, which stay where they are without pixels; then new labels."""
    pixels = numpy.bincount(labels.ravel(), minlength=clusters)
    best = numpy.full(labels.shape, numpy.inf)
    new = numpy.zeros(labels.shape, numpy.int64)
    for a, axis in enumerate(axes):
        sums = sums_of(labels, axis, clusters)
        centres[a] = numpy.where(pixels > 0, sums / numpy.maximum(pixels, 1), centres[a])
    for k in range(clusters):
        distance = numpy.zeros(labels.shape)
        for axis, scale, centre in zip(axes, scales, centres):
            difference = axis - centre[k]
            distance = distance + (scale * difference * difference)
        nearer = distance < best
        best[nearer] = distance[nearer]
        new[nearer] = k
    return new


def lloyd(axes, scales, clusters, beats):
    height, width = axes[0].shape
    labels = rectangles(height, width, clusters)
    centres = [numpy.zeros(clusters) for _ in axes]
    for _ in range(beats):
        new = beat(labels, axes, scales, centres, clusters)
        changed = int((new != labels).sum())
        labels = new
    return labels, changed


def grey_of(image):
    samples = numpy.asarray(image).astype(numpy.int64)
    if samples.ndim == 2:
        return samples
    return (samples[..., :3] @ numpy.array([13933, 46871, 4732]) + 32768) >> 16


def means_of(labels, channel, clusters):
    pixels = numpy.bincount(labels.ravel(), minlength=clusters)
    return sums_of(labels, channel, clusters) / numpy.maximum(pixels, 1)


def check_pictures(folder, image, labels, clusters):
    samples = numpy.asarray(image).astype(numpy.int64)
    channels = [samples] if samples.ndim == 2 else list(numpy.moveaxis(samples, 2, 0))
    mosaic = numpy.asarray(Image.open(os.path.join(folder, "mosaic.png"))).astype(numpy.int64)
    shown = [mosaic] if mosaic.ndim == 2 else list(numpy.moveaxis(mosaic, 2, 0))
    assert len(shown) == len(channels), (folder, mosaic.shape)
    for channel, seen in zip(channels, shown):
        wanted = numpy.floor(means_of(labels, channel, clusters) + 0.5)[labels]
        assert (seen == wanted).all(), (folder, "mosaic")
    outline = numpy.asarray(Image.open(os.path.join(folder, "outline.png"))).astype(numpy.int64)
    borders = numpy.zeros(labels.shape, bool)
    borders[:, :-1] |= labels[:, :-1] != labels[:, 1:]
    borders[:-1] |= labels[:-1] != labels[1:]
    picture = numpy.stack(channels * (3 // len(channels)), axis=2)
    if picture.max() > 255:
        picture = (picture * 255 + 32767) // 65535
    assert (outline[~borders] == picture[~borders]).all(), (folder, "outline")
    assert len(numpy.unique(outline[borders], axis=0)) <= 1, (folder, "lines")


def check_centres(folder, axes, names, labels, clusters):
    with open(os.path.join(folder, "centres.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    assert [int(line["cluster"]) for line in lines] == list(range(clusters)), folder
    pixels = numpy.bincount(labels.ravel(), minlength=clusters)
    assert [int(line["pixels"]) for line in lines] == list(pixels), folder
    for name, axis in zip(names, axes):
        wanted = means_of(labels, axis, clusters)
        seen = numpy.array([float(line[name]) for line in lines])
        assert (abs(seen - wanted)[pixels > 0] <= 6e-7).all(), (folder, name)


def inertia_of(axes, scales, labels, clusters):
    total = 0
    for axis, scale in zip(axes, scales):
        total += scale * ((axis - means_of(labels, axis, clusters)[labels]) ** 2).sum()
    return total


def check(folder, path, clusters, weight):
    image = Image.open(path)
    grey = grey_of(image)
    with open(os.path.join(folder, "run.json")) as file:
        run = json.load(file)
    step = weight * 255 / 65535 if grey.max() > 255 else weight
    y, x = numpy.mgrid[: grey.shape[0], : grey.shape[1]]
    axes, scales = [x, y, grey], [1, 1, step * step]
    labels = numpy.load(os.path.join(folder, "labels.npy"))
    wanted, changed = lloyd(axes, scales, clusters, run["beat"])
    assert labels.dtype == numpy.int32 and labels.shape == grey.shape, folder
    assert (labels == wanted).all(), (folder, int((labels != wanted).sum()))
    assert run["changed_pixels"] == changed, (folder, run["changed_pixels"], changed)
    assert run["empty_clusters"] == clusters - len(numpy.unique(labels)), folder
    inertia = inertia_of(axes, scales, labels, clusters)
    assert abs(run["inertia"] - inertia) <= 1e-7 * inertia, (run["inertia"], inertia)
    check_pictures(folder, image, labels, clusters)
    check_centres(folder, axes, ["x", "y", "grey"], labels, clusters)


def check_colour(folder, path, clusters, weight):
    """scikit-image's L, a and b are rounded elsewhere, so that pixels on a border may differ."""
    try:
        from skimage.color import rgb2lab
    except ImportError:
        print("skipped: scikit-image's colours, not installed: python3-skimage")
        return
    image = Image.open(path)
    lab = rgb2lab(numpy.asarray(image.convert("RGB")))
    steps = numpy.rint(64 * lab)
    y, x = numpy.mgrid[: steps.shape[0], : steps.shape[1]]
    axes, scales = [x, y, *numpy.moveaxis(steps, 2, 0)], [1, 1] + [(weight / 64) ** 2] * 3
    with open(os.path.join(folder, "run.json")) as file:
        run = json.load(file)
    labels = numpy.load(os.path.join(folder, "labels.npy"))
    wanted, _ = lloyd(axes, scales, clusters, run["beat"])
    assert (labels != wanted).mean() <= 0.002, (folder, (labels != wanted).mean())
    inertia = inertia_of(axes, scales, labels, clusters)
    assert abs(run["inertia"] - inertia) <= 1e-3 * inertia, (run["inertia"], inertia)
    check_pictures(folder, image, labels.astype(numpy.int64), clusters)
    with open(os.path.join(folder, "centres.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    colours = numpy.moveaxis(numpy.asarray(image.convert("RGB")).astype(numpy.int64), 2, 0)
    for names, axes, most in (("Lab", numpy.moveaxis(lab, 2, 0), 0.02),
                              (("red", "green", "blue"), colours, 6e-7)):
        for name, axis in zip(names, axes):
            seen = numpy.array([float(line[name]) for line in lines])
            differs = abs(seen - means_of(labels, axis, clusters)).max()
            assert differs <= most, (folder, name, differs)


def check_sklearn(folder, path, clusters, weight):
    """From the same centres scikit-learn gets to the same clusters, but for ties."""
    try:
        from sklearn.cluster import KMeans
    except ImportError:
        print("skipped: scikit-learn's clusters, not installed: python3-sklearn")
        return
    grey = grey_of(Image.open(path))
    y, x = numpy.mgrid[: grey.shape[0], : grey.shape[1]]
    points = numpy.stack([x.ravel(), y.ravel(), weight * grey.ravel()], axis=1).astype(float)
    begin = rectangles(*grey.shape, clusters)
    centres = numpy.stack([means_of(begin, axis.reshape(grey.shape), clusters)
                           for axis in points.T], axis=1)
    kmeans = KMeans(clusters, init=centres, n_init=1, max_iter=300, tol=0, algorithm="lloyd")
    labels = kmeans.fit(points).labels_.reshape(grey.shape)
    ours = numpy.load(os.path.join(folder, "labels.npy"))
    assert (labels == ours).mean() >= 0.995, (folder, (labels == ours).mean())
    with open(os.path.join(folder, "run.json")) as file:
        inertia = json.load(file)["inertia"]
    assert abs(kmeans.inertia_ - inertia) <= 1e-4 * inertia, (kmeans.inertia_, inertia)


for line in open(sys.argv[1]):
    folder, path, clusters, weight, *how = line.split()
    given = folder, path, int(clusters), float(weight)
    if "colour" in how:
        check_colour(*given)
    else:
        check(*given)
    if "sklearn" in how:
        check_sklearn(*given)
