"""Objects that touch, and their parts, whose digests a program of its own has computed: split_check.py make FOLDER,
split_check.py compare FOLDER RESULTS."""

import csv
import hashlib
import pathlib
import sys

import numpy as np

# Images by name: parts, and the beginning of the digest of their labels.
WANTED = {"disks": (12, "7ac100641a17"), "disks1": (11, "f1d46cb2cbfb"), "volume": (4, "94820e15c190"),
          "bright": (13, "be8a8ae10a89"), "dark": (13, "be8a8ae10a89")}


def numbers(count, state=88172645463325252):
    """xorshift64*: the upper halves of numbers."""
    out = np.empty(count, np.int64)
    for i in range(count):
        state ^= state >> 12
        state = (state ^ (state << 25)) & (2**64 - 1)
        state ^= state >> 27
        out[i] = (state * 2685821657736338717 & (2**64 - 1)) >> 32
    return out


def smooth(shape, radius):
    image = (numbers(int(np.prod(shape))) % 256).reshape(shape)
    for axis in [*range(image.ndim)] * 2:
        image = sum(np.roll(image, k, axis) for k in range(-radius, radius + 1))
    return ((image - image.min()) * 256 // (image.max() - image.min() + 1)).astype("u1")


def make(folder):
    values, (rows, columns) = numbers(42), np.indices((96, 96))
    disks = np.zeros((96, 96), "u1")
    for row, column, radius in values.reshape(14, 3):
        disks[(rows - row % 96) ** 2 + (columns - column % 96) ** 2 <= (6 + radius % 9) ** 2] = 200
    np.save(folder / "disks.npy", disks)
    np.save(folder / "volume.npy", smooth((14, 18, 20), 2).astype("f4"))
    np.save(folder / "dark.npy", smooth((40, 50), 3).astype("i2"))
    np.save(folder / "bright.npy", 255 - smooth((40, 50), 3))


def compare(folder, results):
    for name, (parts, digest) in WANTED.items():
        labels = np.load(results / f"{name}.npy")
        found = hashlib.sha256(labels.astype("<i4").tobytes()).hexdigest()[:12]
        if labels.max() != parts or found != digest:
            sys.exit(f"{name}: {labels.max()} parts, {found}")
        with open(results / f"{name}.csv", newline="") as file:
            table = list(csv.DictReader(file))
        image = np.load(folder / f"{name.rstrip('1')}.npy")
        key = next(column for column in table[0] if column.startswith("mean_"))
        if [int(row["label"]) for row in table] != list(range(1, parts + 1)):
            sys.exit(f"{name}: other labels in the table")
        for row in table:
            samples = image[labels == int(row["label"])]
            if int(row["area"]) != samples.size or abs(float(row[key]) - samples.mean(dtype=float)) > 1e-3:
                sys.exit(f"{name}: {row} and not {samples.size}, {samples.mean()}")
    touching = np.load(results / "disks.npy")
    sides = np.concatenate([np.stack([a.ravel(), b.ravel()]) for a, b in (
        (touching[1:], touching[:-1]), (touching[:, 1:], touching[:, :-1]))], axis=1)
    pairs = {tuple(sorted(pair)) for pair in sides.T.tolist() if pair[0] != pair[1] and min(pair) > 0}
    with open(results / "contacts.csv", newline="") as file:
        found = {(int(row["label"]), int(row["neighbour"])) for row in csv.DictReader(file)}
    if pairs != found or len(pairs) < 3:
        sys.exit(f"contacts are {found} and not {pairs}")


make(pathlib.Path(sys.argv[2])) if sys.argv[1] == "make" else compare(*map(pathlib.Path, sys.argv[2:]))
