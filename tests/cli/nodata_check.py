#!/usr/bin/env python3
"""Images some of whose samples are missing, and what commands have to make of them.

nodata_check.py make FOLDER       writes files, and FOLDER/list: RANKS COMMAND FILE OPTION... a line
nodata_check.py unlike FOLDER     writes slices and pages that do not agree
nodata_check.py compare FOLDER    compares FOLDER/runs.d/NUMBER with NumPy and SciPy

Beside each file NAME, NAME.values.npy has the samples and NAME.missing.npy says which are missing."""

import csv
import json
import math
import os
import sys

import numpy
from scipy import ndimage

RANKS = (1, 2, 1, 1, 3, 1, 1, 5)
random = numpy.random.default_rng(1)


# ---- files ----------------------------------------------------------------------------------------

def beside(path):
    return path.replace(":/", "-")


def note(path, values, missing):
    path = beside(path)
    numpy.save(path + ".values.npy", values)
    numpy.save(path + ".missing.npy", missing)


def blobs(shape, low, high, dtype):
    """Smooth noise from `low` to `high`, and which samples are missing: a frame and some others."""
    noise = ndimage.gaussian_filter(random.random(shape), 1.5)
    noise = (noise - noise.min()) / (noise.max() - noise.min())
    missing = ndimage.gaussian_filter(random.random(shape), 1) > .53
    missing[..., :2, :] = True
    missing[..., -1] = random.random(shape[:-1]) < .5
    values = low + noise * (high - low)
    return (numpy.rint(values) if numpy.dtype(dtype).kind != "f" else values).astype(dtype), missing


def with_nodata(shape, low, high, dtype, nodata):
    values, missing = blobs(shape, low, high, dtype)
    missing |= values == numpy.dtype(dtype).type(nodata)
    values[missing] = nodata
    return values, missing


def tiff(path, values, text, **more):
    import tifffile
    tags = [] if text is None else [(42113, "s", 0, text, True)]
    tifffile.imwrite(path, values, metadata=None, extratags=tags, **more)


# ---- what is run ----------------------------------------------------------------------------------

lines = []


def add(command, name, *options):
    """Each with another number of ranks than the last one."""
    lines.append(" ".join([str(RANKS[len(lines) % len(RANKS)]), command, name, *options]))


def make_types(folder):
    """GDAL_NODATA with samples of each type."""
    rows = [("u1", 0, 200, "255", 255), ("u2", 5, 60000, "65535", 65535), ("u2", 1, 300, "0", 0),
            ("i1", -100, 100, "-128", -128), ("i2", -500, 3000, "-32768", -32768),
            ("i2", -500, 3000, " -9999.0 ", -9999), ("u4", 0, 1 << 20, "4294967295", 2**32 - 1),
            ("i4", -5000, 100000, "-2147483648", -2**31),
            ("i8", 2**60, 2**60 + 70000, str(2**60 + 35001), 2**60 + 35001),
            ("u8", 2**63, 2**63 + (1 << 24), str(2**64 - 1), 2**64 - 1),
            ("f4", 0, 1, "-3.4028234663852886e+38", -numpy.finfo("f4").max),
            ("f4", 0, 1, "0.1", numpy.float32(.1)), ("f4", 0, 1, "nan", numpy.nan),
            ("f8", -1, 1, "-1.79769313486232e+308", -numpy.finfo("f8").max), ("f8", -1, 1, "-9999", -9999)]
    for number, (dtype, low, high, text, nodata) in enumerate(rows):
        name = "%s/t%d-%s.tif" % (folder, number, dtype)
        values, missing = with_nodata((41, 67), low, high, dtype, nodata)
        tiff(name, values, text, rowsperstrip=5)
        note(name, values, missing)
        add("label", name)
        if number % 4 == 0:  # the same threshold without what is missing
            compact = name.replace(".tif", ".compact.npy")
            numpy.save(compact, values[~missing][None])
            note(compact, values[~missing][None], numpy.zeros((1, (~missing).sum()), bool))
            add("label", compact)
        middle = str(low + (high - low) // 2) if dtype[0] != "f" else "%g" % (low + (high - low) / 2)
        add("label", name, "-t", middle, *(["--invert"] if number % 2 else ["-c", "8"]))
        if number % 3 == 0:
            add("label", name, "-t", middle, "--fill-holes")
        if number % 3 == 1:
            quarter = str(low + (high - low) // 4) if dtype[0] != "f" else "%g" % (low + (high - low) / 4)
            add("label", name, "-t", quarter + "," + middle, *(["--invert"] if number % 2 else []))
        if dtype in ("u1", "u2"):
            add("label", name, "-t", "local:3:5")
    name = folder + "/none.tif"  # no value of the type
    values, missing = blobs((30, 40), 0, 255, "u1")
    tiff(name, values, "-9999")
    note(name, values, numpy.zeros(values.shape, bool))
    add("label", name)
    name = folder + "/all.tif"
    tiff(name, numpy.full((30, 40), 7, "u1"), "7")
    note(name, numpy.full((30, 40), 7, "u1"), numpy.ones((30, 40), bool))
    add("label", name)
    add("label", name, "--invert")


def make_kinds(folder):
    """Bits, an inverted picture, a volume, one that is packed and one that is turned."""
    values, missing = with_nodata((40, 70), 0, 15, "u1", 3)
    name = folder + "/white.tif"  # 0 is white: GDAL's number is the stored one
    tiff(name, 255 - values, "252", photometric="miniswhite")
    note(name, values, missing)
    add("label", name, "-t", "8")
    name = folder + "/turned.tif"
    import tifffile
    tifffile.imwrite(name, numpy.rot90(values), metadata=None,
                     extratags=[(42113, "s", 0, "3", True), (274, "H", 1, 6, True)])
    note(name, values, missing)
    add("label", name, "-t", "8", "-c", "8")
    add("label", name)
    values, missing = with_nodata((9, 20, 33), -100, 3000, "i2", -1000)
    name = folder + "/solid.tif"
    tiff(name, values, "-1000", compression="zlib", photometric="minisblack")
    note(name, values, missing)
    add("label", name, "-c", "26")
    add("label", name, "-t", "50%", "--invert")
    values, missing = with_nodata((11, 20, 33), 0, 250, "u1", 77)
    name = folder + "/solid8.tif"
    tiff(name, values, "77", photometric="minisblack")
    note(name, values, missing)
    add("label", name, "-t", "local:2:-3", "-c", "18")
    add("label", name, "--values", "--background", "none")
    grey, missing = with_nodata((30, 50), 0, 250, "u1", 40)
    name = folder + "/colours.tif"  # all three samples have the value; (40, 40, 41) is a colour
    rgb = numpy.stack([grey, grey, grey], -1)
    rgb[10, 10:20] = 40, 40, 41
    rgb[11, 10:20] = 39, 40, 40
    tiff(name, rgb, "40", photometric="rgb")
    missing[10:12, 10:20] = False
    grey[10:12, 10:20] = 41
    note(name, grey, missing)
    add("label", name, "-t", "35..41")


def make_values(folder):
    for dtype in ("u1", "i4", "i8", "f4"):
        values = random.integers(0, 4, (37, 61)).astype(dtype)
        missing = values == 2
        name = "%s/values-%s.tif" % (folder, dtype)
        tiff(name, values, "2")
        note(name, values, missing)
        add("label", name, "--values")
        add("label", name, "--values", "--background", "none", "-c", "8")
        add("label", name, "--values", "--balance", "chain")


def make_options(folder):
    """Samples without a header, and files that say something else."""
    for dtype, nodata in (("<u2", "7"), (">i2", "-3"), ("<f4", "0.25"), (">f8", "nan"), ("<f2", "-9999")):
        values = random.integers(-4 if dtype[1] == "i" else 0, 12, (31, 45)).astype(dtype)
        values = values / 4 if dtype[1] == "f" else values
        kept = values.astype(dtype)
        kept[5:9, 3:20] = float(nodata) if dtype[1] == "f" else int(nodata)
        name = "%s/raw-%s.bin" % (folder, dtype[1:])
        kept.tofile(name)
        native = kept.astype(dtype[1:])
        note(name, native, native != native if nodata == "nan" else native == numpy.dtype(dtype[1:]).type(nodata))
        options = ["--shape", "31x45", "--dtype", dtype, "--nodata", nodata]
        add("label", name, "-t", "1", *options)
        add("label", name, *options)
    name = folder + "/t0-u1.tif"
    values = numpy.load(name + ".values.npy")
    os.symlink(name, folder + "/other.tif")
    note(folder + "/other.tif", values, values == 100)
    add("label", folder + "/other.tif", "--nodata", "100", "-t", "90")
    os.symlink(name, folder + "/without.tif")
    note(folder + "/without.tif", values, values != values)
    add("label", folder + "/without.tif", "--nodata", "none", "-t", "90")


def zarr_2(path, values, fill, attributes):
    os.makedirs(path)
    with open(path + "/.zarray", "w") as file:
        json.dump({"zarr_format": 2, "shape": values.shape, "chunks": values.shape, "dtype": values.dtype.str,
                   "compressor": None, "fill_value": fill, "order": "C", "filters": None}, file)
    with open(path + "/.zattrs", "w") as file:
        json.dump(attributes, file)
    values.tofile(path + "/" + ".".join("0" for _ in values.shape))


def zarr_3(path, values, kind, attributes):
    os.makedirs(path + "/c/0")
    with open(path + "/zarr.json", "w") as file:
        json.dump({"zarr_format": 3, "node_type": "array", "shape": values.shape, "data_type": kind,
                   "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": values.shape}},
                   "chunk_key_encoding": {"name": "default"}, "fill_value": -99, "attributes": attributes,
                   "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}, file)
    values.tofile(path + "/c/0/0")


def make_sources(folder):
    """What formats other than TIFF say."""
    values = random.integers(0, 9, (23, 31)).astype("<i2")
    values[:3] = -99
    values[7, 4:9] = -98
    none, one, both = values != values, values == -99, values < 0
    nothing = {"_ARRAY_DIMENSIONS": ["y", "x"]}
    sources = [("xarray.zarr", one, lambda path: zarr_2(path, values, -99, nothing)),
               ("plain.zarr", none, lambda path: zarr_2(path, values, -99, {})),
               ("cf.zarr", both, lambda path: zarr_2(path, values, 0, {"_FillValue": -99, "missing_value": [-98]})),
               ("three.zarr", one, lambda path: zarr_3(path, values, "int16", {"_FillValue": -99})),
               ("unsaid.zarr", none, lambda path: zarr_3(path, values, "int16", nothing)),
               ("packed.zarr", one, lambda path: zarr_3(path, values.astype("<f4"), "float32",
                                                        {"_FillValue": "AAAAAADAWMA="}))]  # a double, -99
    header = b"NDims = 2\nDimSize = 31 23\nElementType = MET_SHORT\nNoDataValue = -99\nElementDataFile = LOCAL\n"
    sources.append(("x.mha", one, lambda path: open(path, "wb").write(header + values.tobytes())))
    head = b"NRRD0004\ntype: short\ndimension: 2\nsizes: 31 23\nencoding: raw\nendian: little\n_FillValue:=-99\n\n"
    sources.append(("x.nrrd", one, lambda path: open(path, "wb").write(head + values.tobytes())))
    for name, missing, write in sources:
        path = folder + "/" + name
        write(path)
        note(path, values.astype("f4") if name == "packed.zarr" else values, missing)
        add("label", path, "-t", "3")
    # An image of OME-Zarr whose writer has given its axes the names of xarray: 0 is background.
    zarr_2(folder + "/ome.zarr/0", values, 0, nothing)
    with open(folder + "/ome.zarr/.zattrs", "w") as file:
        json.dump({"multiscales": [{"datasets": [{"path": "0"}], "axes": [
            {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]}]}, file)
    open(folder + "/ome.zarr/.zgroup", "w").write('{"zarr_format": 2}')
    for path in folder + "/ome.zarr", folder + "/ome.zarr/0":
        note(path, values, none)
        add("label", path, "-t", "3")


def make_hdf5(folder):
    import h5py
    path = folder + "/x.h5"
    with h5py.File(path, "w") as file:
        for name, dtype, base in ("short", "i2", 0), ("long", "i8", 2**60), ("real", "f4", 0):
            values = random.integers(0, 9, (23, 31)).astype(dtype) + numpy.dtype(dtype).type(base)
            values[:3] = base - 99
            values[7, 4:9] = base - 98
            data = file.create_dataset(name, data=values, chunks=(5, 31) if name == "short" else None)
            data.attrs["_FillValue"] = values[0, 0]
            data.attrs["missing_value"] = values[7, 4:5]
            note(path + ":/" + name, values, values < base)
            add("label", path + ":/" + name, "-t", str(base + 3))
        file.create_dataset("fill", data=values, fillvalue=-99)
        note(path + ":/fill", values, values != values)
        add("label", path + ":/fill", "-t", "3")


def make_grids(folder):
    """ASCII grids: lines of any length, words in any case, without NODATA_value, of reals, packed."""
    import gzip
    for name, dtype, text, nodata in (("whole", "i4", "nodata_VALUE -9999\r\n", -9999), ("standard", "i4", "", -9999),
                                      ("real", "f8", "NODATA_value 0.25\n", .25), ("packed", "i4", "NODATA_value 3\n", 3),
                                      ("long", "i8", "NODATA_value 9007199254740993\n", 2**53 + 1)):
        values = random.integers(-3, 9, (17, 23)).astype(dtype) + (2**53 if dtype == "i8" else 0)
        values = values / 4 if dtype == "f8" else values
        values[3:6, 2:9] = nodata
        words = [("%.3g" if dtype == "f8" else "%d") % value for value in values.ravel()]
        body = "\n".join(" ".join(words[at:at + 50]) for at in range(0, len(words), 50))
        path = folder + "/" + name + ".asc"
        whole = ("\ufeff" if name == "real" else "") + "NCOLS 23\nnrows 17\nxllCorner 5e5\nyllcorner -20\n" \
            "cellsize 30\n" + text + body + "\n"
        if name == "packed":
            path += ".gz"
            gzip.open(path, "wt").write(whole)
        else:
            open(path, "w", newline="", encoding="utf8").write(whole)
        note(path, values, values == nodata)
        add("label", path, "-t", str(2**53) if dtype == "i8" else "0")


def make_others(folder):
    """For commands other than label."""
    for dtype, nodata in (("u1", 255), ("u2", 65535), ("i2", -9999), ("i4", -9999), ("f4", -9999), ("i8", 2**60)):
        values, missing = with_nodata((40, 60), 1, 9, dtype, nodata)
        missing[:3] |= True
        values[missing] = nodata
        name = "%s/costs-%s.tif" % (folder, dtype)
        tiff(name, values, str(nodata))
        note(name, values, missing)
        add("paths", name)
        if dtype != "f4":
            add("walk", name, "-t", "5")
            add("walk", name, "-t", "otsu")
            add("walk", name, "--invert", "-t", "5")
    values, missing = with_nodata((40, 60), 1, 9, "f8", numpy.nan)
    name = folder + "/costs.npy"
    numpy.save(name, values)
    note(name, values, missing)
    add("paths", name)
    add("label", name)


# ---- what has to come out -------------------------------------------------------------------------

def option(options, name, otherwise=None):
    return options[options.index(name) + 1] if name in options else otherwise


def number_of(text):
    return float(text) if any(c in text for c in ".en") else int(text)


def local(values, missing, radius, offset):
    """By sums of windows whose samples beyond the edges are mirrored."""
    def sums(of):
        padded = numpy.pad(of.astype("i8"), radius, "symmetric")
        windows = numpy.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1,) * of.ndim)
        return windows.sum(tuple(range(of.ndim, 2 * of.ndim)))
    count, total = sums(~missing), sums(numpy.where(missing, 0, values))
    return values.astype("i8") * count - total >= numpy.ceil(-offset * count)


def foreground(values, missing, options, told):
    text = option(options, "-t", "otsu")
    order = {"4": 1, "8": 2, "6": 1, "18": 2, "26": 3}[option(options, "-c", "4" if values.ndim == 2 else "6")]
    near = ndimage.generate_binary_structure(values.ndim, order)
    inverts = "--invert" in options
    with numpy.errstate(invalid="ignore"):
        if text.startswith("local"):
            words = text.split(":")
            lit = local(values, missing, int(words[1]), int(words[2]))
        elif "," in text:
            low, high = (number_of(word) for word in text.split(","))
            number, _ = ndimage.label((values >= low) & ~missing, near)
            lit = numpy.isin(number, numpy.unique(number[(values >= high) & ~missing])) & (number > 0)
        elif ".." in text:
            low, high = (number_of(word) for word in text.split(".."))
            lit = (values >= low) & (values <= high)
        elif text == "otsu" or "%" in text:
            bound = told["threshold"]["value"]
            bound = int(bound) if isinstance(bound, str) else bound
            lit = values >= (bound if values.dtype.kind == "f" else numpy.array(bound).astype(values.dtype)
                             if bound <= numpy.iinfo(values.dtype).max else numpy.inf)
        else:
            lit = values >= number_of(text)
    lit = (~lit if inverts else lit) & ~missing
    if "--fill-holes" in options:
        lit = ndimage.binary_fill_holes(lit) & ~missing
    return lit, near


def labels_of_values(values, missing, options):
    number = 8 if option(options, "-c") == "8" else None
    near = ndimage.generate_binary_structure(values.ndim, 2 if number else 1)
    skipped = missing | ((values == 0) if "--background" not in options else False)
    labels, count = numpy.zeros(values.shape, int), 0
    for value in numpy.unique(values[~skipped]):
        found, more = ndimage.label((values == value) & ~skipped, near)
        labels[found > 0] = found[found > 0] + count
        count += more
    _, first = numpy.unique(labels, return_index=True)
    order = numpy.argsort(first[1:] if (labels == 0).any() else first)
    numbers = numpy.zeros(count + 1, int)
    present = numpy.unique(labels[labels > 0])
    numbers[present[order]] = numpy.arange(1, count + 1)
    return numbers[labels]


def check_regions(folder, values, labels):
    with open(folder + "/regions.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == labels.max(), "%d regions" % len(rows)
    for row in rows if "mean_grey" in (rows or [{}])[0] else []:
        of = [float(value) for value in values[labels == int(row["label"])]]
        assert int(row["area"]) == len(of), row
        assert math.isclose(float(row["mean_grey"]), math.fsum(of) / len(of), rel_tol=1e-6, abs_tol=1e-6), row
        assert (float(row["min_grey"]), float(row["max_grey"])) == (min(of), max(of)), row


def check_said(missing, told):
    said = told.get("nodata", {"samples": 0})
    assert said["samples"] == missing.sum(), "%s missing samples, not %d" % (said, missing.sum())


def check_label(folder, values, missing, options):
    with open(folder + "/run.json") as file:
        told = json.load(file)
    check_said(missing, told["image"])
    if "--values" in options:
        labels = labels_of_values(values, missing, options)
    else:
        lit, near = foreground(values, missing, options, told)
        labels, _ = ndimage.label(lit, near)
    found = numpy.load(folder + "/labels.npy")
    assert found.shape == labels.shape and (found == labels).all(), "other labels"
    check_regions(folder, values, labels)
    return told.get("threshold", {}).get("value")


def distances(costs, barrier, source):
    """Dijkstra, with the steps of MCP_Geometric."""
    import heapq
    far = numpy.full(costs.shape, numpy.inf)
    far[source] = 0
    queue = [(0.0, source)]
    while queue:
        so_far, (y, x) = heapq.heappop(queue)
        if so_far > far[y, x]:
            continue
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                v, u = y + dy, x + dx
                if (dy or dx) and 0 <= v < costs.shape[0] and 0 <= u < costs.shape[1] and not barrier[v, u]:
                    there = so_far + math.sqrt(dy * dy + dx * dx) * (costs[y, x] + costs[v, u]) / 2
                    if there < far[v, u] - 1e-12:
                        far[v, u] = there
                        heapq.heappush(queue, (there, (v, u)))
    return far


def check_paths(folder, values, missing, options):
    with open(folder + "/run.json") as file:
        check_said(missing, json.load(file)["image"])
    column, row = (int(word) for word in option(options, "--from").split(","))
    should = distances(values.astype("f8"), missing, (row, column))
    found = numpy.load(folder + "/distances.npy")
    found = numpy.where(found < 0, numpy.inf, found)
    assert numpy.isinf(found[missing]).all(), "distances where nothing is"
    assert numpy.allclose(found, should, rtol=1e-12), "other distances"


def check_walk(folder, values, missing, options):
    with open(folder + "/run.json") as file:
        told = json.load(file)
    check_said(missing, told["image"])
    text = option(options, "-t")
    bound = told["medium"]["threshold"] if text == "otsu" else number_of(text)
    fluid = ((values < bound) if "--invert" in options else (values >= bound)) & ~missing
    assert told["medium"]["fluid_cells"] == fluid.sum(), "%s, not %d" % (told["medium"], fluid.sum())


def compare(folder):
    checks = {"label": check_label, "paths": check_paths, "walk": check_walk}
    failures, thresholds = 0, {}
    for line in open(folder + "/runs"):
        where, command, name, *options = line.split()
        values, missing = (numpy.load("%s.%s.npy" % (beside(name), what)) for what in ("values", "missing"))
        try:
            found = checks[command](where, values, missing, options)
            if command == "label" and not options:
                key = name.replace(".compact.npy", ".tif")
                assert thresholds.setdefault(key, found) == found, "another threshold: %s" % found
        except AssertionError as error:
            print(command, name, *options, ":", error)
            failures += 1
    return failures


def make(folder):
    for part in (make_types, make_kinds, make_values, make_options, make_sources, make_hdf5, make_grids,
                 make_others):
        part(folder)
    with open(folder + "/list", "w") as file:
        file.write("\n".join(lines) + "\n")


def make_unlike(folder):
    import tifffile
    os.mkdir(folder + "/unlike")
    values = numpy.arange(600, dtype="u1").reshape(20, 30)
    life = numpy.zeros((8, 8), "u1")
    life[2, 2:5] = 200
    life[6, 6] = 255
    tiff(folder + "/life.tif", life, "255")
    tiff(folder + "/unlike/0.tif", values, "255")
    tiff(folder + "/unlike/1.tif", values, "7")
    with tifffile.TiffWriter(folder + "/unlike.tif") as file:
        for text in "255", "7":
            file.write(values, metadata=None, extratags=[(42113, "s", 0, text, True)])


if sys.argv[1] == "make":
    make(sys.argv[2])
elif sys.argv[1] == "unlike":
    make_unlike(sys.argv[2])
else:
    sys.exit(compare(sys.argv[2]) > 0)
