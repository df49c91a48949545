"""Random jobs: inputs, what is computed, and how."""

import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "cli"))
from pictures import COLOUR, GREY, write_png  # noqa: E402

# Choices that must not change a byte of the result, and chances of one.
WAYS = ("decomposition", "exchange", "instructions", "vote", "wait", "method", "halo-depth")
BALANCERS = ("none", "lb1", "lb2", "diffusion", "chain", "random")
FARM_BALANCERS = BALANCERS[:3]  # of motion, which hands out pieces of work


class Job:
    """A command line without the ways of computing it: `words`, and names of `outputs` with the options
    that ask for them. `saves`: it can keep a checkpoint. `shortest`: cells along its shortest axis, which
    limit the depth of halos."""

    def __init__(self, command, words, outputs, saves=False, shortest=0):
        self.command, self.words, self.outputs = command, words, outputs
        self.saves, self.shortest = saves, shortest

    def line(self, folder):
        files = [word for option, name in self.outputs for word in (option, os.path.join(folder, name))]
        return [self.command, *self.words, *files]


def picture(rng, folder, name="image.png", shape=None, form=None):
    """A PNG of blots and noise; returns its path and its size."""
    width, height = shape or (rng.choice((1, 2, rng.randint(1, 90), rng.randint(90, 400))),
                              rng.choice((1, rng.randint(1, 90), rng.randint(90, 300))))
    kind, bits = form or random_form(rng)
    top, samples = 2**bits - 1, 3 if kind == COLOUR else 1
    blots = [(rng.randrange(width), rng.randrange(height), rng.randint(1, 30)) for _ in range(12)]
    noise, rows = rng.choice((0, 0.05, 0.5, 1)), []
    for y in range(height):
        row = []
        for x in range(width):
            value = 0.8 if any((x - a) ** 2 + (y - b) ** 2 < r * r for a, b, r in blots) else 0.2
            if rng.random() < noise:
                value = rng.random()
            row += [int(top * value * (1 - 0.1 * s)) for s in range(samples)]
        rows.append(struct.pack(f">{len(row)}{'B' if bits == 8 else 'H'}", *row))
    path = os.path.join(folder, name)
    write_png(path, width, height, bits, kind, rows)
    return path, (width, height)


def random_form(rng):
    return rng.choice((GREY, GREY, COLOUR)), rng.choice((8, 8, 16))


def flags(rng, *names):
    return [name for name in names if rng.random() < 0.3]


def label(rng, folder):
    path, _ = picture(rng, folder)
    words = [path, *flags(rng, "--invert", "--periodic"), "-c", rng.choice("48")]
    if rng.random() < 0.5:
        words += ["--min-area", str(rng.randint(1, 9))]
    return Job("label", words, [("-o", "labels.npy"), ("--regions", "regions.csv"), ("--colour", "c.png")])


def life(rng, folder):
    width, height = rng.randint(3, 400), rng.randint(3, 300)
    words = [f"soup:{width}x{height}:{rng.randint(5, 60)}%:{rng.randrange(999)}",
             "--rule", rng.choice(("B3/S23", "B36/S23", "B2/S", "345/2/4")), "-n", str(rng.randint(0, 400))]
    if rng.random() < 0.4:
        words += ["--topology", rng.choice(("torus", "plane", "dead"))]
    return Job("life", words, [("-o", "cells.rle"), ("--population", "population.csv")], True,
               min(width, height))


def run(rng, folder):
    kernel = rng.choice(("heat", "heat3d"))
    axes = 2 if kernel == "heat" else 3
    size = [rng.randint(3, 250 if axes == 2 else 40) for _ in range(axes)]
    words = [kernel, "--size", "x".join(map(str, size)), "--beats", str(rng.randint(1, 200))]
    return Job("run", words, [("-o", "cells.npy")], True, min(size))


def cluster(rng, folder):
    path, size = picture(rng, folder)
    words = [path, "-k", str(rng.randint(1, min(60, size[0] * size[1]))), "-n", str(rng.randint(1, 12)),
             *flags(rng, "--colour")]
    return Job("cluster", words, [("-o", "labels.npy"), ("--centres", "centres.csv")], True)


def chan_vese(rng, folder):
    path, _ = picture(rng, folder)
    words = [path, "-n", str(rng.randint(1, 40)), "--smoothing", str(rng.randint(0, 3))]
    return Job("chan-vese", words, [("-o", "inside.npy"), ("--overlay", "overlay.png")], True)


def snake(rng, folder):
    path, _ = picture(rng, folder, shape=(rng.randint(60, 300), rng.randint(60, 300)))
    words = [path, "--init", f"grid:{rng.randint(1, 4)}x{rng.randint(1, 4)}", "-n", str(rng.randint(1, 60))]
    return Job("snake", words, [("-o", "contours.csv")], True)


def motion(rng, folder):
    shape, form = (rng.randint(20, 200), rng.randint(20, 200)), random_form(rng)
    a, _ = picture(rng, folder, "a.png", shape, form)
    b, _ = picture(rng, folder, "b.png", shape, form)
    words = [a, b, "-k", str(rng.randint(1, 30)), "--radius", str(rng.randint(5, min(40, max(shape) - 1)))]
    return Job("motion", words, [("-o", "flow.npy"), ("--vectors", "vectors.csv")])


MAKERS = (label, life, run, cluster, chan_vese, snake, motion)


def random_job(rng, folder, saves=False):
    """A job; one that can keep a checkpoint, if it must."""
    makers = [m for m in MAKERS if not (saves and m in (label, motion))]
    return rng.choice(makers)(rng, folder)


def random_ways(rng, tables, job, ranks):
    """Options that change how the job is computed, not what."""
    words, command = [], job.command
    for row in tables[command]:
        if row["name"] not in WAYS or rng.random() < 0.6:
            continue
        if row["name"] == "decomposition":
            words += ["--decomposition", rng.choice(("strips", "blocks", "auto"))]
        elif row["name"] == "halo-depth":
            words += ["--halo-depth", str(rng.randint(1, max(1, min(4, job.shortest // ranks))))]
        elif row["choices"]:
            words += ["--" + row["name"], rng.choice(row["choices"].strip("|").split("|"))]
    if "--exchange" in words and command == "label" and words[words.index("--exchange") - 1] != "sweep":
        del words[words.index("--exchange") : words.index("--exchange") + 2]  # union exchanges none
    cut = words[words.index("--decomposition") + 1] if "--decomposition" in words else "strips"
    if ranks > 1 and cut == "strips" and rng.random() < 0.5:  # boundaries move between strips only
        if command == "motion":
            return [*words, "--balance", rng.choice(FARM_BALANCERS)]
        words += ["--balance", rng.choice(BALANCERS), "--balance-every", str(rng.randint(1, 3)),
                  "--migrate", rng.choice(("auto", "neighbour", "direct"))]
        if rng.random() < 0.3:
            words += ["--slow", f"{rng.randrange(ranks)}:{rng.randint(2, 4)}"]
    return words
