"""Images for samples.sh, and what is to be said of them, by SciPy.

compare_samples.py make FOLDER: images. tiff FOLDER: one of them as TIFF. compare RUNS: a line for each
run, its folder, its image and its options."""

import csv
import json
import math
import struct
import sys
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import numpy
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

BINS = 65536


def make(folder):
    random = numpy.random.RandomState(5)

    def smooth(shape):
        noise = ndimage.gaussian_filter(random.rand(*shape), 1.5, mode="wrap")
        return (noise - noise.min()) / (noise.max() - noise.min())

    def save(name, values):
        numpy.save("%s/%s.npy" % (folder, name), values)

    solid, flat = smooth((9, 40, 130)), smooth((70, 150))
    ct = (solid * 4000 - 2200).astype("<i2")
    save("bytes", (flat * 255 - 128).astype("i1"))
    save("ct", ct)
    head = struct.pack("<10i3f", 130, 40, 9, 1, 0, 0, 0, 130, 40, 9, 1, 1, 1).ljust(208, b"\0")
    # NIfTI says what samples stand for; as numbers of 64 bits they are these.
    save("ct-real", ct.astype("<f8"))
    for order, name in ("<", "scaled"), (">", "scaled-big"):
        nifti = struct.pack(order + "i36x8h14x2h2x8f3f", 348, 3, 130, 40, 9, 1, 1, 1, 1, 512, 16, *([1] * 8),
                           352, .5, -2200)
        open(f"{folder}/{name}.nii", "wb").write(
            nifti.ljust(344, b"\0") + b"n+1\0" + bytes(4) + ((ct.astype("i4") + 2200) * 2).astype(order + "u2").tobytes())
    open(folder + "/ct.mrc", "wb").write((head + b"MAP DA").ljust(1024, b"\0") + ct.tobytes())
    save("wide", (flat * (2**32 - 1)).astype(">u4"))
    save("long", ((flat - 0.5) * 2**63).astype("<i8"))
    save("high", (flat * 2.0**63).astype("<u8") + numpy.uint64(2**63))
    prob = solid.astype("<f4")
    save("prob", prob)
    open(folder + "/prob.bin", "wb").write(prob.astype(">f4").tobytes())
    holes = prob.copy()
    holes[random.rand(*holes.shape) < 0.02] = numpy.nan
    holes[random.rand(*holes.shape) < 0.001] = numpy.inf
    holes[random.rand(*holes.shape) < 0.001] = -numpy.inf
    save("nan", holes)
    # exponents that are as far apart as they can be, and sums that cancel
    huge = (flat - 0.5) * 10.0 ** random.randint(-320, 308, flat.shape)
    huge[::7, ::5] = -huge[1::7, 1::5][:10, :30]
    huge[3, 3] = numpy.nan
    save("huge", huge.astype(">f8"))
    save("tiny", (flat * 1e-310).astype("f8"))
    save("zeroes", numpy.zeros((5, 70), "f4"))
    save("none", numpy.full((5, 70), numpy.nan, "f8"))
    hundred = numpy.stack((numpy.arange(-40, 61), numpy.full(101, -40)), 1)
    save("hundred", hundred.astype("i2"))
    save("hundred-real", hundred.astype("f4"))
    save("five", numpy.full((5, 70), 5, "i4"))
    greys = (flat * 65535).astype("u2")
    save("greys", greys)
    for dtype in ("i8", "u4", "i4"):
        save("greys-" + dtype, greys.astype(dtype))
    signs = random.choice(numpy.array([-1, 0, 0, 1, numpy.nan, -.0]), (60, 100)).astype("f4")
    save("signs", signs)
    save("signs-i2", numpy.nan_to_num(signs).astype("i2"))
    save("noise", random.rand(1500, 1500).astype("f4"))
    colours = b"NDims = 2\nDimSize = 4 3\nElementType = MET_FLOAT\nElementNumberOfChannels = 3\n"
    open(folder + "/colours.mha", "wb").write(colours + b"ElementDataFile = LOCAL\n" + bytes(144))


def make_tiff(folder):
    import tifffile

    tifffile.imwrite(folder + "/prob.tif", numpy.load(folder + "/prob.npy"), compression="zlib",
                     photometric="minisblack")


def read(name):
    if name.endswith(".mrc"):
        return numpy.fromfile(name, "<i2", offset=1024).reshape(9, 40, 130)
    return numpy.load(name)


def option(options, name, default=None):
    return options[options.index(name) + 1] if name in options else default


# ---- thresholds -----------------------------------------------------------------------------------

def ends_of(values):
    if values.dtype.kind == "f":
        values = values[numpy.isfinite(values)]
    return (values.min(), values.max()) if values.size > 0 else None


def best_split(counts):
    """Twice the place in the middle between the classes of the largest variance between them, the lowest
    of several."""
    bins = [int(b) for b in numpy.flatnonzero(counts)]
    pixels, total = int(counts.sum()), sum(b * int(counts[b]) for b in bins)
    below = below_sum = 0
    best, found = (-1, 1), None
    for b, after in zip(bins, bins[1:]):
        below += int(counts[b])
        below_sum += b * int(counts[b])
        apart = total * below - below_sum * pixels
        variance = (apart * apart, below * (pixels - below))
        if variance[0] * best[1] > best[0] * variance[1]:
            best, found = variance, (b + after + 1) // 2
    return found


def otsu(values):
    ends = ends_of(values)
    if ends is None:
        return 1
    low, high = ends
    if low == high:
        return low.item() if low != 0 else 1
    if values.dtype.kind != "f":
        shift = 0
        while (int(high) - int(low)) >> shift >= BINS:
            shift += 1
        signed = values.dtype.kind == "i"
        above = (values.astype("i8").view("u8") if signed else values.astype("u8"))
        above = above - numpy.uint64(int(low) % 2**64)
        counts = numpy.bincount((above >> numpy.uint64(shift)).astype("i8").ravel(), minlength=BINS)
        return int(low) + (best_split(counts) << shift)
    low, high = float(low), float(high)
    unit = 0.5 if math.isinf(high - low) else 2.0**600 if high - low < 2.0**-500 else 1.0
    finite = values[numpy.isfinite(values)].astype("f8")
    scale = BINS / (high * unit - low * unit)
    bins = numpy.minimum(((finite * unit - low * unit) * scale).astype("i8"), BINS - 1)
    width = (high * unit - low * unit) / BINS
    place = best_split(numpy.bincount(bins, minlength=BINS))
    return (low * unit + place * width) / unit


def bound_of(text, values):
    """The exact value of a bound."""
    if not text.endswith("%"):
        return float(text)
    low, high = ends_of(values)
    share = Fraction(text[:-1]) / 100
    if values.dtype.kind == "f":
        return float(Fraction(float(low)) * (1 - share) + Fraction(float(high)) * share)
    return int(low) + share * (int(high) - int(low))


def at_least(values, bound):
    """Without a rounding, neither of the bound to float32 nor of whole numbers to double."""
    if values.dtype.kind == "f":
        return values.astype("f8") >= bound
    bound = math.ceil(bound)
    info = numpy.iinfo(values.dtype)
    return numpy.full(values.shape, bound <= info.min) if not info.min <= bound <= info.max \
        else values >= values.dtype.type(bound)


def at_most(values, bound):
    if values.dtype.kind == "f":
        return values.astype("f8") <= bound
    return ~at_least(values, math.floor(bound) + 1)


def foreground(values, options, order):
    text = option(options, "-t", "otsu")
    numbers = values == values
    if "," in text:
        low, high = (bound_of(part, values) for part in text.split(","))
        number, _ = ndimage.label(at_least(values, low), shape_of(values, order))
        lit = numpy.isin(number, numpy.unique(number[at_least(values, high)])) & (number > 0)
        return ~lit & numbers if "--invert" in options else lit
    if ".." in text:
        low, high = (bound_of(part, values) for part in text.split(".."))
        lit = at_least(values, low) & at_most(values, high)
    elif text == "nonzero":
        lit = (values != 0) & numbers
    else:
        lit = at_least(values, otsu(values) if text == "otsu" else bound_of(text, values))
    if "--invert" in options:
        lit = ~lit & numbers
    return ndimage.binary_fill_holes(lit) & numbers if "--fill-holes" in options else lit


# ---- labels ---------------------------------------------------------------------------------------

def shape_of(values, order):
    return ndimage.generate_binary_structure(values.ndim, order)


def join_edges(labels):
    """What touches over an edge of a periodic image, with the fewest neighbours, is one region."""
    pairs = []
    for axis in range(labels.ndim):
        first, last = numpy.take(labels, 0, axis).ravel(), numpy.take(labels, -1, axis).ravel()
        both = (first > 0) & (last > 0)
        pairs.append(numpy.array([first[both], last[both]]))
    one, other = numpy.concatenate(pairs, 1)
    count = labels.max() + 1
    graph = coo_matrix((numpy.ones(len(one), bool), (one, other)), (count, count))
    component = connected_components(graph, False)[1]
    joined = component[labels]
    joined[labels == 0] = -1
    _, first = numpy.unique(joined, return_index=True)
    rank = {joined.ravel()[at]: 0 for at in first}
    for number, at in enumerate(sorted(at for at in first if joined.ravel()[at] >= 0), 1):
        rank[joined.ravel()[at]] = number
    return numpy.vectorize(rank.get)(joined)


# ---- regions --------------------------------------------------------------------------------------

def mean_of(of):
    of = of[of == of]
    if numpy.isinf(of).any():
        return sum(float(value) for value in of[numpy.isinf(of)])
    return math.fsum(of.tolist()) / of.size


def compare_region(row, values, mask, wide):
    of = values[mask]
    assert int(row["area"]) == of.size, row
    corner = [numpy.flatnonzero(mask.any(tuple(a for a in range(mask.ndim) if a != axis)))
              for axis in range(mask.ndim)]
    names = ("front", "top", "left")[-mask.ndim:], ("back", "bottom", "right")[-mask.ndim:]
    for axis in range(mask.ndim):
        assert int(row[names[0][axis]]) == corner[axis][0], row
        assert int(row[names[1][axis]]) == corner[axis][-1] + 1, row
    if of.dtype.kind == "f":
        ends = [float(row["min_grey"]), float(row["max_grey"])]
        assert ends == [numpy.nanmin(of), numpy.nanmax(of)], (row, of)
        mean, should = float(row["mean_grey"]), mean_of(of)
        assert mean == should or math.isclose(mean, should, rel_tol=1e-15) or \
            (math.isnan(mean) and math.isnan(should)), (row, should)
        return
    whole = [int(value) for value in of.ravel()]
    if wide:
        assert math.isclose(float(row["mean_grey"]), sum(whole) / len(whole), rel_tol=1e-15), row
        assert float(row["max_grey"]) == float(max(whole)), row
        return
    with localcontext() as context:
        context.prec = 60
        mean = (Decimal(sum(whole)) / len(whole)).quantize(Decimal("1.000000"), ROUND_HALF_EVEN)
    assert Decimal(row["mean_grey"]) == mean, (row, mean)
    assert [int(row["min_grey"]), int(row["max_grey"])] == [min(whole), max(whole)], row


def compare_regions(folder, values, labels):
    with open(folder + "/regions.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == labels.max(), "%d regions, not %d" % (len(rows), labels.max())
    wide = values.dtype.kind != "f" and (values.max() > 2**63 - 1 or any(
        abs(sum(int(value) for value in values[labels == number])) >= 2**63
        for number in range(1, labels.max() + 1)))
    for row in rows:
        compare_region(row, values, labels == int(row["label"]), wide)


SPREAD = ("--decomposition", "--balance", "--instructions", "--method")
known = {}


def compare_run(folder, name, options):
    values = read(name)
    orders = (4, 8) if values.ndim == 2 else (6, 18, 26)
    order = orders.index(int(option(options, "-c", orders[0]))) + 1
    lit = foreground(values, options, order)
    labels, _ = ndimage.label(lit, shape_of(values, order))
    labels = join_edges(labels) if "--periodic" in options else labels
    is_ = numpy.load(folder + "/labels.npy")
    assert is_.shape == labels.shape and (is_ == labels).all(), "other labels"
    told = json.load(open(folder + "/run.json"))
    nans = numpy.count_nonzero(values != values)
    missing = told["image"].get("nodata", {}).get("samples", 0)
    assert missing == nans, "%s pixels that are NaN" % missing
    key = [name] + [word for at, word in enumerate(options)
                    if word not in SPREAD and (at == 0 or options[at - 1] not in SPREAD)]
    text = open(folder + "/regions.csv").read()
    if known.setdefault(tuple(key), text) is text:
        compare_regions(folder, values, labels)
    assert known[tuple(key)] == text, "other bytes than on another number of ranks"
    return labels.max()


def compare(runs):
    failures = most = 0
    for line in open(runs):
        folder, name, *options = line.split()
        try:
            most = max(most, compare_run(folder, name, options))
        except AssertionError as error:
            print(name, *options, ":", error)
            failures += 1
    assert most > 10, "nothing to compare"
    return failures


if sys.argv[1] == "make":
    make(sys.argv[2])
elif sys.argv[1] == "tiff":
    make_tiff(sys.argv[2])
else:
    sys.exit(compare(sys.argv[2]) > 0)
