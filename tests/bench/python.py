"""Calls from Python beside the same calls of the C library, in turn: python.py BUILD [--quick] [--rounds N]."""

import argparse
import ctypes
import random
import statistics
import time
from pathlib import Path

import numpy as np

import halobeat as hb

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


def in_turn(calls, rounds):
    """Medians of the seconds of each call, which are made in turn, in another order each time: one that frees much memory
    makes it cheaper for the next."""
    seconds = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in random.sample(list(calls.items()), len(calls)):
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}


def with_ranks(count, function, *arguments, **options):
    def call():
        with hb.ranks(count):
            return function(*arguments, **options)
    return call


def picture(shape):
    """Blobs of all sizes."""
    from scipy.ndimage import uniform_filter
    rng = np.random.default_rng(1)
    return (uniform_filter(rng.random(shape, np.float32), 5) > .5).view(np.uint8)


def row(what, seconds, note=""):
    unit, scale = ("us", 1e6) if seconds < 1e-3 else ("ms", 1e3)
    print(f"  {what:44} {scale * seconds:9.1f} {unit}  {note}")


def label(library, shape, rounds):
    from scipy import ndimage
    image, output = picture(shape), np.zeros(shape, np.int32)
    calls = {"C": library.label(image, output, 1), "out": with_ranks(1, hb.label, image, output=output),
             "fresh": with_ranks(1, hb.label, image), "touch": lambda: np.empty(shape, np.int32).fill(0),
             "C, 2": library.label(image, output, 2), "out, 2": with_ranks(2, hb.label, image, output=output)}
    if image.size < 100000:
        for name in ("C, 2", "out, 2"):
            del calls[name]
    times = in_turn(calls, rounds)
    peer = in_turn({"scipy": lambda: ndimage.label(image, output=output)}, min(rounds, 3))["scipy"]
    print(" x ".join(map(str, shape)))
    row("the C library", times["C"])
    row("hb.label(image, output=labels)", times["out"], f"{times['out'] / times['C']:.2f} of the C library's")
    row("hb.label(image)", times["fresh"], f"{1e3 * (times['fresh'] - times['out']):.2f} ms more")
    row("np.empty, and its first touch by fill", times["touch"])
    if "out, 2" in times:
        row("the C library, 2 ranks", times["C, 2"], f"{times['C'] / times['C, 2']:.2f} times as fast as 1")
        row("hb.label(image, output=labels), 2 ranks", times["out, 2"],
            f"{times['out'] / times['out, 2']:.2f} times as fast as 1")
    row("scipy.ndimage.label", peer, f"{peer / times['out']:.1f} times as long")


def main():
    parser = argparse.ArgumentParser(prog="./run bench python")
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="smaller arrays")
    parser.add_argument("--rounds", type=int, help="runs of each, in turn")
    given = parser.parse_args()
    library = Library(given.build)
    for shape in [(128, 128), (1024, 1024), (128, 128, 128)] if given.quick else \
            [(128, 128), (4096, 4096), (512, 512, 512)]:
        label(library, shape, given.rounds or (1001 if shape == (128, 128) else 9))


if __name__ == "__main__":
    main()
