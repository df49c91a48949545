"""Random inputs of all kinds: images and volumes in every format, patterns, graphs and scenes."""

import gzip
import json
import os
import struct
import zlib

import numpy
from PIL import Image


class Input:
    """What a command is given: `words` of the command line, of which the first names the data; the `files`
    that it lies in; `shape`; `piped`: these bytes may as well come from standard input, after `options`."""

    def __init__(self, words, files, shape, piped=True):
        self.words, self.files, self.shape, self.piped = words, files, shape, piped


def random_samples(rng, shape, kind):
    """Blots on a slope with noise: many values, and regions of many sizes. Of two or three axes, and of
    colours one more."""
    noise = numpy.random.RandomState(rng.randrange(2**32))
    values = 0.2 + 0.15 * numpy.linspace(0, 1, shape[-1]) + numpy.zeros(shape)
    places = numpy.indices(shape)
    for _ in range(rng.randint(0, 14)):
        radius = rng.uniform(1, max(1.5, max(shape) / 4))
        centre = [rng.randrange(n) for n in shape]
        away = sum((places[i] - centre[i]) ** 2 for i in range(len(shape)))
        values[away < radius**2] = rng.uniform(0.5, 0.9)
    share = rng.choice((0.01, 0.05, 0.5, 1))
    spots = noise.rand(*shape) < share
    values[spots] = noise.rand(int(spots.sum()))
    if kind == "bits":
        return values > 0.45
    if kind == "colour":
        return numpy.stack([numpy.uint8(255 * values * f) for f in (1, 0.8, 0.5)], -1)
    if kind == "few":
        return numpy.uint8(values * 9)
    scale = {"u1": 255, "u2": 65535, "i2": 30000, "f4": 1, "f8": 1, "u4": 100000}[kind]
    return (values * scale).astype(kind)


def save_picture(path, samples):
    Image.fromarray(samples).save(path)
    return []


def save_greymap(path, samples):
    with open(path, "wb") as file:
        file.write(b"P5 %d %d %d\n" % (samples.shape[1], samples.shape[0], numpy.iinfo(samples.dtype).max))
        file.write(samples.astype(samples.dtype.newbyteorder(">")).tobytes())
    return []


def save_tiff(rng, path, samples):
    import tifffile

    samples = samples * numpy.uint8(255) if samples.dtype == bool else samples
    how = {"tile": (16, 16)} if rng.random() < 0.3 and min(samples.shape[:2]) >= 16 else {"rowsperstrip": 7}
    colours = samples.ndim == 3 and samples.dtype == numpy.uint8 and samples.shape[2] == 3
    tifffile.imwrite(path, samples, byteorder=rng.choice("<>"), compression=rng.choice((None, "zlib")),
                     photometric="rgb" if colours else "minisblack", metadata=None, **how)
    return []


def save_npy(rng, path, samples):
    numpy.save(path, samples.astype(samples.dtype.newbyteorder(rng.choice("<>"))))
    return []


def save_raw(rng, path, samples):
    offset = rng.choice((0, 0, 7, 512))
    with open(path, "wb") as file:
        file.write(bytes(offset) + samples.tobytes())
    words = ["--shape", "x".join(map(str, samples.shape)), "--dtype", samples.dtype.str.replace("|", "")]
    return words + (["--offset", str(offset)] if offset else [])


def save_hdf5(rng, path, samples):
    import h5py

    how = rng.choice(({}, {"chunks": True}, {"chunks": True, "compression": "gzip", "shuffle": True}))
    with h5py.File(path, "w") as file:
        file.create_dataset("volume/data", data=samples, **how)
    return []


META = {"u1": "MET_UCHAR", "u2": "MET_USHORT", "i2": "MET_SHORT", "f4": "MET_FLOAT", "f8": "MET_DOUBLE",
        "u4": "MET_UINT"}
NRRD = {"u1": "uchar", "u2": "ushort", "i2": "short", "f4": "float", "f8": "double", "u4": "uint"}
NIFTI = {"u1": (2, 8), "i2": (4, 16), "f4": (16, 32), "f8": (64, 64), "u2": (512, 16), "u4": (768, 32)}
MRC = {"i2": 1, "f4": 2, "u2": 6}


def sizes(samples):
    return " ".join(map(str, samples.shape[::-1]))


def detached(path, data):
    """Writes the samples beside the header; returns the name of their file."""
    name = os.path.splitext(path)[0] + ".bin"
    with open(name, "wb") as file:
        file.write(data)
    return os.path.basename(name)


def save_meta(rng, path, samples):
    packed = rng.random() < 0.4
    data = zlib.compress(samples.tobytes()) if packed else samples.tobytes()
    local = path.endswith(".mha")
    head = (f"NDims = {samples.ndim}\nDimSize = {sizes(samples)}\nBinaryDataByteOrderMSB = False\n"
            f"CompressedData = {packed}\n" + (f"CompressedDataSize = {len(data)}\n" if packed else "") +
            f"ElementType = {META[samples.dtype.str[1:]]}\n"
            f"ElementDataFile = {'LOCAL' if local else detached(path, data)}\n")
    with open(path, "wb") as file:
        file.write(head.encode() + (data if local else b""))
    return []


def save_nrrd(rng, path, samples):
    packed = rng.random() < 0.4
    data = gzip.compress(samples.tobytes()) if packed else samples.tobytes()
    local = path.endswith(".nrrd")
    head = (f"NRRD0004\ntype: {NRRD[samples.dtype.str[1:]]}\ndimension: {samples.ndim}\n"
            f"sizes: {sizes(samples)}\nendian: little\nencoding: {'gzip' if packed else 'raw'}\n")
    head += "\n" if local else f"data file: {detached(path, data)}\n"
    with open(path, "wb") as file:
        file.write(head.encode() + (data if local else b""))
    return []


def save_nifti(rng, path, samples):
    code, bits = NIFTI[samples.dtype.str[1:]]
    lengths = [samples.ndim, *samples.shape[::-1]] + [1] * (7 - samples.ndim)
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, *lengths)
    struct.pack_into("<2h", head, 70, code, bits)
    struct.pack_into("<8f", head, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into("<f", head, 108, 352)
    head[344:348] = b"n+1\0"
    with (gzip.open if path.endswith(".gz") else open)(path, "wb") as file:
        file.write(bytes(head) + samples.tobytes())
    return []


def save_mrc(rng, path, samples):
    planes, rows, columns = (1,) * (3 - samples.ndim) + samples.shape
    head = bytearray(1024)
    struct.pack_into("<4i", head, 0, columns, rows, planes, MRC[samples.dtype.str[1:]])
    struct.pack_into("<3i", head, 28, columns, rows, planes)
    struct.pack_into("<3f", head, 40, columns, rows, planes)
    struct.pack_into("<3f3i", head, 52, 90, 90, 90, 1, 2, 3)
    struct.pack_into("<i", head, 88, 1)
    head[208:216] = b"MAP DD\0\0"
    with open(path, "wb") as file:
        file.write(bytes(head) + samples.tobytes())
    return []


def save_zarr(rng, path, samples):
    os.mkdir(path)
    chunks = [max(1, (n + 1) // 2) for n in samples.shape]
    packer = rng.choice((None, {"id": "zlib", "level": 1}))
    with open(os.path.join(path, ".zarray"), "w", encoding="utf-8") as file:
        json.dump({"zarr_format": 2, "shape": samples.shape, "chunks": chunks, "dtype": samples.dtype.str,
                   "compressor": packer, "fill_value": 0, "order": "C", "filters": None}, file)
    for number in numpy.ndindex(*[-(-n // c) for n, c in zip(samples.shape, chunks)]):
        part = samples[tuple(slice(i * c, (i + 1) * c) for i, c in zip(number, chunks))]
        whole = numpy.zeros(chunks, samples.dtype)
        whole[tuple(slice(0, n) for n in part.shape)] = part
        data = whole.tobytes()
        with open(os.path.join(path, ".".join(map(str, number))), "wb") as file:
            file.write(zlib.compress(data) if packer else data)
    return []


def plain(save):
    return lambda rng, path, samples: save(path, samples)


GREYS, ALL, PICTURES = ("u1", "u2"), ("u1", "u2", "i2", "f4", "f8", "u4"), ("u1", "u2", "bits", "colour")

# Ending, what writes it, kinds of samples, numbers of axes, and whether it may come from a pipe.
FORMATS = ((".png", plain(save_picture), PICTURES, (2,), True),
           (".tif", save_tiff, ALL + ("colour", "bits"), (2, 3), True),
           (".jpg", plain(save_picture), ("u1", "colour"), (2,), True),
           (".pgm", plain(save_greymap), GREYS, (2,), True),
           (".ppm", plain(save_picture), ("colour",), (2,), True),
           (".pbm", plain(save_picture), ("bits",), (2,), True),
           (".npy", save_npy, ALL + ("colour", "bits", "few"), (2, 3), True),
           (".raw", save_raw, ALL, (2, 3), True), (".h5", save_hdf5, ALL + ("few",), (2, 3), False),
           (".mha", save_meta, ALL, (2, 3), False), (".mhd", save_meta, ALL, (2, 3), False),
           (".nrrd", save_nrrd, ALL, (2, 3), False), (".nhdr", save_nrrd, ALL, (2, 3), False),
           (".nii", save_nifti, ALL, (2, 3), False), (".nii.gz", save_nifti, ALL, (2, 3), False),
           (".mrc", save_mrc, tuple(MRC), (2, 3), False), (".zarr", save_zarr, ALL, (2, 3), False))


def files_below(path):
    """The file, or all that are in the folder, in order."""
    if os.path.isfile(path):
        return [path]
    return sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)


def random_format(rng, kind, axes, endings=None):
    fit = [f for f in FORMATS if kind in f[2] and axes in f[3]]
    return rng.choice([f for f in fit if endings is None or f[0] in endings] or fit)


def save(rng, folder, name, samples, kind, axes, endings=None):
    ending, write, _, _, piped = random_format(rng, kind, axes, endings)
    path = os.path.join(folder, name + ending)
    words = write(rng, path, samples)
    beside = os.path.join(folder, name + ".bin")
    files = files_below(path) + ([beside] if os.path.exists(beside) else [])
    return Input([path, *words], files, samples.shape[:axes], piped)


def random_shape(rng, least=1):
    return (rng.choice((least, rng.randint(least, 90), rng.randint(90, 200))),
            rng.choice((least, least + 1, rng.randint(least, 90), rng.randint(90, 260))))


def image(rng, folder, kinds, name="image", shape=None, least=1, endings=None):
    shape = shape or random_shape(rng, least)
    kind = rng.choice(kinds)
    return save(rng, folder, name, random_samples(rng, shape, kind), kind, 2, endings)


def volume(rng, folder, kinds, name="volume"):
    """In one file, or with a file a plane."""
    shape = tuple(rng.randint(5, 24) for _ in range(3))
    kind = rng.choice(kinds)
    samples = random_samples(rng, shape, kind)
    if kind not in GREYS or rng.random() < 0.7:
        return save(rng, folder, name, samples, kind, 3)
    below, ending = os.path.join(folder, name), rng.choice((".png", ".tif", ".pgm", ".npy"))
    os.mkdir(below)
    files = [os.path.join(below, f"z{i:03}{ending}") for i in range(shape[0])]
    for path, plane in zip(files, samples):
        if ending == ".npy":
            save_npy(rng, path, plane)
        else:
            (save_greymap if ending == ".pgm" else save_picture)(path, plane)
    words = rng.choice(([os.path.join(below, f"z%03d{ending}")], ["--stack", below], ["--stack", *files]))
    return Input(words, files, shape, False)


def text(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    return path


def graph(rng, folder):
    vertices = rng.randint(2, 300)
    arcs = [(rng.randint(1, vertices), rng.randint(1, vertices), rng.choice((rng.randint(0, 90), 0.5)))
            for _ in range(rng.randint(1, 4 * vertices))]
    arcs += [(v, v % vertices + 1, 7) for v in range(1, vertices + 1)]
    lines = ["c random", f"p sp {vertices} {len(arcs)}"] + [f"a {a} {b} {w}" for a, b, w in arcs]
    path = text(folder, "graph.gr", lines)
    return Input([path], [path], (vertices,))


def scene(rng, folder):
    point = lambda far=3: " ".join(f"{rng.uniform(-far, far):.3f}" for _ in range(3))
    lines = ["v", "from 0 -9 2", "at 0 0 0", "up 0 0 1", "angle 40", "hither 1",
             f"resolution {rng.randint(1, 90)} {rng.randint(1, 60)}", "b .1 .2 .4", f"l {point(9)}"]
    for _ in range(rng.randint(1, 12)):
        lines.append("f .9 .5 .2 " + rng.choice((".8 .2 9 0 1", ".5 .4 20 .3 1.3", "1 0 1 0 1")))
        lines += rng.choice(([f"s {point()} {rng.uniform(0.1, 1):.3f}"],
                             [f"p {3}", point(), point(), point()],
                             ["c", f"{point()} .5", f"{point()} .2"]))
    path = text(folder, "scene.nff", lines)
    return Input([path], [path], None)


def pattern(rng, folder):
    """Cells of Life in one of the formats that people exchange, or in a picture."""
    height, width = rng.randint(3, 60), rng.randint(3, 60)
    cells = random_samples(rng, (height, width), "bits")
    kind = rng.randrange(4)
    if kind == 0:
        return image(rng, folder, ("bits", "u1"), "cells", endings=(".png", ".npy", ".pgm", ".pbm", ".tif"))
    if kind == 1:
        rows = ["".join("bo"[int(cell)] for cell in row) for row in cells]
        path = text(folder, "cells.rle", [f"x = {width}, y = {height}, rule = B3/S23", "$\n".join(rows) + "!"])
    elif kind == 2:
        path = text(folder, "cells.cells", ["".join(".O"[int(cell)] for cell in row) for row in cells])
    else:
        path = text(folder, "cells.lif", ["#Life 1.06"] + [f"{x} {y}" for y, x in numpy.argwhere(cells)])
    return Input([path], [path], (height, width))
