"""Samples of all types, the table of docs/formats.md that says who takes them, and greys by NumPy."""
import sys

import numpy as np

TYPES = "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 float32 float64".split()


def picture():
    y, x = np.mgrid[0:40, 0:60]
    spots = np.exp(-((x - 25) ** 2 + (y - 20) ** 2) / 150) + 0.6 * np.exp(-((x - 45) ** 2 + (y - 30) ** 2) / 80)
    spots += 0.1 * np.random.default_rng(5).random(spots.shape)
    return (spots - spots.min()) / (spots.max() - spots.min())


def make(folder):
    flat = picture()
    solid = np.stack([flat * (0.6 + 0.07 * k) for k in range(6)])
    for letter, values in (("p", flat), ("z", solid)):
        for name in TYPES:
            typed = values > 0.4 if name == "bool" else (values if name[0] == "f" else values * 120).astype(name)
            np.save(f"{folder}/{letter}-{name}.npy", typed)
    wide = {"int16": flat * 4000 - 1000, "int64": np.round(flat * 2**20) * 2**40 - 2**58, "float16": flat * 7 - 3,
            "float64": flat * 7 - 3}
    wide = {name: values.astype(name) for name, values in wide.items()}
    wide["uint64"] = (flat * 2**62).astype("u8") + np.uint64(2**63)
    for name, samples in wide.items():
        np.save(f"{folder}/wide-{name}.npy", samples)
        greys(f"{folder}/wide-{name}.pgm", samples, samples.min(), samples.max())
    greys(f"{folder}/part-float64.pgm", wide["float64"], -1, 2.5)
    np.save(f"{folder}/solid-int16.npy", (solid * 900 - 300).astype("i2"))
    np.save(f"{folder}/solid-float32.npy", (solid * 40).astype("f4"))
    nan = (flat * 40).astype("f4")
    nan[5:9, 7] = np.nan
    np.save(f"{folder}/nan.npy", nan)
    for name in ("int16", "int32", "float32"):
        mask = np.where(flat > 0.4, 1, 0).astype(name)
        np.save(f"{folder}/mask-{name}.npy", mask * (-5 if name == "int16" else 1))
    frames(folder)
    whites(folder)


def table(path):
    """The runs that the table asks for: 0 or 1 (refused), and the command with its files and options."""
    with open(path, encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in file
                if line.startswith("| `") or line.startswith("| command | bool")]
    head = next(row for row in rows if row[0] == "command")
    for row in rows[rows.index(head) + 1:]:
        if len(row) != len(head) or not row[-1][0].isdigit():
            break
        words = row[0].strip("`").split(" ")
        if "FILE" not in words: # the command's own images
            words[1:1] = ["FILE"] * (2 if words[0] == "motion" else 1)
        for types, cell in zip(head[1:-1], row[1:-1]):
            for letter, axes in (("p", "2"), ("z", "3")):
                there = axes in row[-1].split(", ")
                for name in types.split(", ")[:None if there else 1]:
                    files = {"FILE": f"{letter}-{name}.npy", "IMAGE": "p-uint8.npy"}
                    print(int(cell.startswith("no") or not there), *(files.get(word, word) for word in words))


def spread(samples, low, high, can_miss, steps=False):
    """Greys over a range, and the largest."""
    top = 65534 if can_miss else 65535
    if samples.dtype.kind == "f":
        clipped = np.clip(samples.astype("f8"), low, high)
        return np.floor((clipped - low) * top / (high - low) + 0.5).astype("i8"), top
    low, high = int(low), int(high)
    if steps and high - low <= top:
        top = high - low
    exact = [(min(max(int(s), low), high) - low) * top for s in samples.ravel()]
    return np.array([(2 * s + high - low) // (2 * (high - low)) for s in exact]).reshape(samples.shape), top


def greys(out, samples, low, high):
    """A PGM file of greys, whose maximum is the largest grey."""
    if samples.dtype.kind == "f":
        low, high = float(low), float(high)
    spreaded, top = spread(samples, low, high, samples.dtype.kind == "f")
    with open(out, "wb") as file:
        file.write(b"P5 %d %d %d\n" % (samples.shape[1], samples.shape[0], top))
        file.write(spreaded.astype(">u2").tobytes())


def box_sums(values, radius):
    for axis in range(values.ndim):
        widths = [(radius, radius) if a == axis else (0, 0) for a in range(values.ndim)]
        padded = np.pad(values, widths, mode="symmetric")
        count = values.shape[axis]
        values = sum(np.take(padded, range(k, k + count), axis) for k in range(2 * radius + 1))
    return values


def foreground(samples, radius, offset):
    """A local threshold keeps the samples where this is true."""
    there = ~np.isnan(samples) if samples.dtype.kind == "f" else np.ones(samples.shape, bool)
    low, high = samples[there].min(), samples[there].max()
    if samples.dtype.kind == "f":
        low, high = float(low), float(high)
    else:
        low, high = int(low), int(high)
    spreaded, top = spread(np.where(there, samples, samples[there].min()), low, high, samples.dtype.kind == "f", True)
    counts = box_sums(there.astype("i8"), radius)
    sums = box_sums(np.where(there, spreaded, 0), radius)
    least = -offset * (top / (high - low))
    return there & (spreaded * counts - sums >= least * counts)


def local(radius, offset, *files):
    """Is the foreground of these files that of their labels, local-FILE?"""
    for file in files:
        if not np.array_equal(foreground(np.load(file), int(radius), float(offset)), np.load("local-" + file) > 0):
            sys.exit(f"another foreground of {file}")


def frames(folder):
    """A picture that moves, and of which frame 1 is the brightest and 2 the darkest; and their range."""
    moved = np.stack([np.roll(picture(), (k, 2 * k), (0, 1)) for k in range(4)]).astype("f4")
    moved[1] *= 1.5
    moved[2] -= 1
    np.save(f"{folder}/frames.npy", moved)
    for k, frame in enumerate(moved):
        np.save(f"{folder}/frame-{k}.npy", frame)
    with open(f"{folder}/range", "w", encoding="utf-8") as file:
        file.write(f"{moved.min():.17g}..{moved.max():.17g}")


def whites(folder):
    """Pictures of which the same samples have another white, and a volume of three columns."""
    samples = (picture() * 900).astype(">u2").tobytes()
    for name, white in (("a", 1000), ("b", 4095)):
        with open(f"{folder}/{name}.pgm", "wb") as file:
            file.write(b"P5 60 40 %d\n" % white + samples)
    np.save(f"{folder}/thin.npy", np.stack([picture()[:, k:k + 3] for k in (10, 20, 30, 40)]))


if __name__ == "__main__":
    {"make": make, "table": table, "local": local}[sys.argv[1]](*sys.argv[2:])
