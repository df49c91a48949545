"""Calls from Python beside the C library, scipy, OpenCV and scikit-image: python.py BUILD [SECTION...] [--quick] [--least] [--rounds N].

All calls of a section are made in turn. Peers, which take longer, are left out of all rounds but the first three."""

import argparse
import ctypes
import importlib
import os
import random
import statistics
import time
from pathlib import Path

import numpy as np

import halobeat as hb

DATA = Path(__file__).resolve().parents[2] / "data"
TWO = len(os.sched_getaffinity(0)) > 1  # there is a core for a second rank
choose = statistics.median  # what is shown of a call's seconds
TYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"]


class Array(ctypes.Structure):
    """halo_array, of an array in the machine's byte order."""
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int), ("swapped", ctypes.c_bool), ("axes", ctypes.c_int),
                ("n", ctypes.c_int64 * 3), ("stride", ctypes.c_ssize_t * 3)]

    def __init__(self, array):
        super().__init__(array.ctypes.data, TYPES.index(array.dtype.str[1:]), False, array.ndim)
        self.n[:array.ndim], self.stride[:array.ndim] = array.shape, array.strides


class Library:
    """halo_label_array of the shared library, with its arguments made ready."""

    def __init__(self, build):
        self.kernels = ctypes.CDLL(str(next(Path(build).rglob("libhalobeat-kernels.so"))))

    def label(self, image, labels, ranks):
        context, regions = ctypes.c_void_p(), ctypes.c_int64()
        self.kernels.halo_context_create(ctypes.byref(context))
        self.kernels.halo_context_set_ranks(context, ranks)
        function = self.kernels.halo_label_array_sized
        given = (context, ctypes.byref(Array(image)), ctypes.byref(Array(labels)), None, ctypes.byref(regions),
                 ctypes.c_size_t(0))
        def call():
            if function(*given) != 0:
                raise RuntimeError("halo_label_array failed")
            return regions.value
        return call


def found(name):
    """The module of a peer; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  ({name} is not installed)")
        return None


def touched(size):
    """Take memory that was not touched before, and give it back."""
    np.empty(size, np.uint8).fill(0)


def in_turn(calls, rounds, fresh=0, peers=()):
    """Medians, or the least, of the seconds of each call, in another order each time. Virtual machines give memory that has
    been free for some seconds back to their host, from where it takes ten times as long to come; so before each call as many
    bytes are touched, and freed, as it takes for what it returns."""
    seconds = {name: [] for name in [*calls, *peers]}
    for done in range(rounds):
        both = [*calls.items(), *(peers.items() if peers and done < 3 else ())]
        for name, call in random.sample(both, len(both)):
            touched(fresh)
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: choose(times) for name, times in seconds.items()}


def with_ranks(count, function, *arguments, **options):
    def call():
        with hb.ranks(count):
            return function(*arguments, **options)
    return call


def blurred(shape, width):
    """Noise from 0 to 1, blurred."""
    from scipy.ndimage import uniform_filter
    return uniform_filter(np.random.default_rng(1).random(shape, np.float32), width)


def picture(shape):
    """Blobs of all sizes."""
    return (blurred(shape, 5) > .5).view(np.uint8)


def pages(shape):
    """An array whose pages are there, as large as those that numpy.empty gives."""
    array = np.empty(shape, np.int32)
    array.fill(0)
    return array


def row(what, seconds, note=""):
    unit, scale = ("us", 1e6) if seconds < 1e-3 else ("ms", 1e3) if seconds < 10 else ("s", 1)
    print(f"  {what:44} {scale * seconds:9.1f} {unit:2}  {note}")


# ---- labels ----

def label_peers(image):
    from scipy import ndimage
    output = pages(image.shape)
    peers = {"scipy.ndimage.label": lambda: ndimage.label(image, output=output)}
    cv2 = found("cv2") if image.ndim == 2 else None
    if cv2:
        cv2.setNumThreads(1)
        peers["cv2.connectedComponents, 1 thread"] = lambda: cv2.connectedComponents(image, output, 4)
    return peers


def label(library, shape, rounds):
    print("label, " + " x ".join(map(str, shape)))
    image, output = picture(shape), pages(shape)
    calls = {"C": library.label(image, output, 1), "out": with_ranks(1, hb.label, image, output=output),
             "fresh": with_ranks(1, hb.label, image), "touch": lambda: np.empty(shape, np.int32).fill(0)}
    two = TWO and image.size >= 100000
    if two:
        calls.update({"C, 2": library.label(image, output, 2), "out, 2": with_ranks(2, hb.label, image, output=output),
                      "fresh, 2": with_ranks(2, hb.label, image)})
    peers = label_peers(image)
    times = in_turn(calls, rounds, output.nbytes, peers)
    more = times["fresh"] - times["out"]
    row("the C library", times["C"])
    row("hb.label(image, output=labels)", times["out"], f"{times['out'] / times['C']:.2f} of the C library's")
    row("hb.label(image)", times["fresh"], f"{1e3 * more:.2f} ms more")
    row("np.empty, and its first touch by fill", times["touch"])
    if two:
        for name, what in (("C", "the C library"), ("out", "hb.label(image, output=labels)"), ("fresh", "hb.label(image)")):
            row(f"{what}, 2 ranks", times[f"{name}, 2"], f"{times[name] / times[f'{name}, 2']:.2f} times as fast as 1")
    for name in peers:
        row(name, times[name], f"{times[name] / times['out']:.1f} times as long as hb.label")


# ---- other calls ----

def beside(title, call, peer, rounds, peer_name):
    """A call on one rank and on two, and the same by another package."""
    print(title)
    calls = {1: with_ranks(1, call)}
    if TWO:
        calls[2] = with_ranks(2, call)
    times = in_turn(calls, rounds, peers={"peer": peer} if peer else {})
    row("1 rank", times[1])
    if TWO:
        row("2 ranks", times[2], f"{times[1] / times[2]:.2f} times as fast as 1")
    if peer:
        row(peer_name, times["peer"], f"{times['peer'] / times[1]:.1f} times as long")


def paths(_, rounds, quick):
    side = 512 if quick else 2048
    graph = found("skimage.graph")
    costs = np.asarray(8 + 240 * blurred((side, side), 9), np.float64)
    start = [(side // 2, side // 2)]
    beside(f"MCP_Geometric(costs).find_costs, {side} x {side}, 8 neighbours",
           lambda: hb.MCP_Geometric(costs).find_costs(start),
           graph and (lambda: graph.MCP_Geometric(costs).find_costs(start)), rounds, "skimage.graph.MCP_Geometric")
    deep = max(side // 16, 16)
    volume = np.asarray(8 + 240 * blurred((deep, deep, deep), 3), np.float64)
    middle = [(deep // 2,) * 3]
    beside(f"MCP_Geometric(costs).find_costs, {deep} x {deep} x {deep}, 26 neighbours",
           lambda: hb.MCP_Geometric(volume).find_costs(middle),
           graph and (lambda: graph.MCP_Geometric(volume).find_costs(middle)), rounds, "skimage.graph.MCP_Geometric")


def superpixels(_, rounds, quick):
    segmentation = found("skimage.segmentation")
    photo = hb.imread(DATA / "coffee.png", colours=True)
    photo = photo[::2, ::2] if quick else photo
    beside(f"slic of a photograph, {' x '.join(map(str, photo.shape))}, 400 segments",
           lambda: hb.slic(photo, n_segments=400),
           segmentation and (lambda: segmentation.slic(photo, n_segments=400, start_label=1)), rounds,
           "skimage.segmentation.slic")


def table(_, rounds, quick):
    side = 256 if quick else 2048
    measure = found("skimage.measure")
    image = picture((side, side))
    labels, count = hb.label(image)
    grey = np.asarray(255 * blurred((side, side), 3), np.uint8)
    properties = ("label", "area", "bbox", "centroid", "intensity_mean")
    beside(f"regionprops_table, {side} x {side}, {count} regions, {len(properties)} properties",
           lambda: hb.regionprops_table(labels, grey, properties),
           measure and (lambda: measure.regionprops_table(labels, grey, properties)), rounds,
           "skimage.measure.regionprops_table")


def contours(_, rounds, quick):
    segmentation = found("skimage.segmentation")
    image = np.asarray(hb.imread(DATA / "camera.png"), np.float64)
    image = image[::2, ::2] if quick else image
    beside(f"morphological_chan_vese of a photograph, {' x '.join(map(str, image.shape))}, 100 iterations",
           lambda: hb.morphological_chan_vese(image, 100),
           segmentation and (lambda: segmentation.morphological_chan_vese(image, 100)), rounds,
           "skimage.segmentation.morphological_chan_vese")


def basins(_, rounds, quick):
    segmentation = found("skimage.segmentation")
    side = 256 if quick else 1024
    image = np.asarray(255 * blurred((side, side), 9), np.uint8)
    beside(f"watershed, {side} x {side}, 1000 markers", lambda: hb.watershed(image, 1000),
           segmentation and (lambda: segmentation.watershed(image, 1000)), rounds, "skimage.segmentation.watershed")


def generation(grid):
    """The next cells of a torus by NumPy."""
    rows = grid + np.roll(grid, 1, 0) + np.roll(grid, -1, 0)
    around = rows + np.roll(rows, 1, 1) + np.roll(rows, -1, 1)
    return ((around == 3) | ((around == 4) & (grid == 1))).view(np.uint8)


def life(_, rounds, quick):
    side = 512 if quick else 4096
    grid = (np.random.default_rng(1).random((side, side)) < .35).view(np.uint8)
    run = hb.Life("B3/S23", grid, topology="torus")
    ours = hb.Life("B3/S23", grid, topology="torus").run(2).grid
    if not np.array_equal(ours, generation(generation(grid))):
        raise SystemExit("Life by NumPy is not that of Halobeat")
    beside(f"Life, soup of {side} x {side}, 100 generations", lambda: run.run(100),
           lambda: [generation(grid) for _ in range(100)], rounds, "NumPy: sums of np.roll")


def shapes(side, volume):
    """Foreground of several kinds, by name."""
    rng = np.random.default_rng(1)
    flat, solid = (side, side), (volume,) * 3
    half, dots = np.ones(flat, np.uint8), (rng.random(flat) >= 1e-5).view(np.uint8)
    half[:, :6] = 0
    for name, image in (("noise", (rng.random(flat) < .5).view(np.uint8)), ("blur", blurred(flat, 21)),
                        ("blur, 4 times as wide", blurred(flat, 81)), ("half plane", half), ("sparse dots", dots),
                        ("noise", (rng.random(solid) < .5).view(np.uint8)), ("blur", blurred(solid, 13))):
        yield name, image if image.dtype == np.uint8 else (image > np.median(image)).view(np.uint8)


def distance_peers(image):
    from scipy import ndimage
    peers = {"scipy": lambda: ndimage.distance_transform_edt(image)}
    cv2 = found("cv2") if image.ndim == 2 else None
    if cv2:
        cv2.setNumThreads(1)
        peers["OpenCV"] = lambda: cv2.distanceTransform(image, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return peers


def distances(_, rounds, quick):
    """ns an element; OpenCV's precise mask is exact, too."""
    for name, image in shapes(512 if quick else 4096, 64 if quick else 256):
        print(f"distance_transform_edt, {' x '.join(map(str, image.shape))}, {name}, to float32, ns an element")
        out = np.zeros(image.shape, np.float32)
        calls = {"1 rank": with_ranks(1, hb.distance_transform_edt, image, distances=out)}
        if TWO:
            calls["2 ranks"] = with_ranks(2, hb.distance_transform_edt, image, distances=out)
        times = in_turn(calls, rounds, peers=distance_peers(image))
        for call, seconds in times.items():
            print(f"  {call:44} {1e9 * seconds / image.size:9.2f}     {seconds / times['1 rank']:.2f} times 1 rank")


def labels(library, rounds, quick):
    """Small arrays more often, as one of them says less."""
    label(library, (128, 128), 100 * rounds)
    label(library, (1024, 1024) if quick else (4096, 4096), 5 * rounds)
    label(library, (128, 128, 128) if quick else (512, 512, 512), rounds)


SECTIONS = {"label": labels, "paths": paths, "slic": superpixels, "regions": table, "chan-vese": contours, "watershed": basins,
            "life": life, "distance": distances}


def main():
    global choose
    parser = argparse.ArgumentParser(prog="./run bench python")
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all of them by default")
    parser.add_argument("--quick", action="store_true", help="smaller arrays")
    parser.add_argument("--least", action="store_true", help="the least of each, on a machine that others use")
    parser.add_argument("--rounds", type=int, default=9, help="runs of each, in turn (default: 9)")
    given = parser.parse_intermixed_args()
    unknown = set(given.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"there is no section {unknown.pop()}; there are {', '.join(SECTIONS)}")
    if given.least:
        choose = min
    library = Library(given.build)
    for name in given.sections or SECTIONS:
        SECTIONS[name](library, given.rounds, given.quick)


if __name__ == "__main__":
    main()
