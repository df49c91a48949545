"""Filtering an image or a volume with scipy, and with OpenCV where it has the filter, on one thread.

usage: peer_filters.py FILE TYPE AXES SIZE STEP    a file of SIZE^AXES samples of the type, or of words of bits
"""

import sys
import time

import numpy as np
from scipy import ndimage

try:
    import cv2
    cv2.setNumThreads(1)
except ImportError:
    cv2 = None


def magnitude(a, **more):
    return ndimage.generic_gradient_magnitude(a, ndimage.sobel, **more)


FILTERS = {
    "gaussian": ndimage.gaussian_filter,
    "uniform": ndimage.uniform_filter,
    "laplace": ndimage.laplace,
    "sobel": magnitude,
    "gaussian_laplace": ndimage.gaussian_laplace,
    "gaussian_gradient_magnitude": ndimage.gaussian_gradient_magnitude,
}


def element(shape, radius, axes):
    """A structuring element: a box, a disk or a ball."""
    if shape == "box":
        return np.ones((2 * radius + 1,) * axes, np.uint8)
    squares = np.square(np.arange(-radius, radius + 1))
    return (sum(squares.reshape([-1 if i == k else 1 for i in range(axes)]) for k in range(axes)) <= radius**2).view(np.uint8)


def linear(a, name, values):
    # Whole numbers stay what they are where Halobeat has them, too.
    output = a.dtype if name in ("gaussian", "uniform") else np.float32
    numbers = [int(value) for value in values]
    calls = {"scipy": lambda: FILTERS[name](a, *numbers, output=output)}
    if cv2 and a.ndim == 2:
        width = 2 * int(4 * numbers[0] + 0.5) + 1 if name == "gaussian" else 0
        more = {"gaussian": lambda: cv2.GaussianBlur(a, (width, width), numbers[0]),
                "uniform": lambda: cv2.blur(a, (numbers[0], numbers[0])),
                "laplace": lambda: cv2.Laplacian(a, cv2.CV_32F)}
        calls.update({"opencv": more[name]} if name in more else {})
    return calls


def ranks(a, name, values):
    size = 2 * int(values[0]) + 1
    calls = {"scipy": lambda: getattr(ndimage, name + "_filter")(a, size)}
    if cv2 and a.ndim == 2 and name == "median" and (a.dtype == np.uint8 or size <= 5):
        calls["opencv"] = lambda: cv2.medianBlur(a, size)
    return calls


def openings(a, _, values):
    shape, radius = values[0], int(values[1])
    footprint = element(shape, radius, a.ndim)
    if a.dtype == bool:
        calls = {"scipy": lambda: ndimage.binary_opening(a, footprint)}
    elif shape == "box":
        calls = {"scipy": lambda: ndimage.grey_opening(a, footprint.shape)}
    else:
        calls = {"scipy": lambda: ndimage.grey_opening(a, footprint=footprint)}
    if cv2 and a.ndim == 2:
        calls["opencv"] = lambda: cv2.morphologyEx(a.view(np.uint8), cv2.MORPH_OPEN, footprint)
    return calls


def balls(a, _, values):
    """scikit-image's ball, on a part of the image: it takes microseconds a pixel."""
    part = a[tuple(slice(0, 256 if a.ndim == 2 else 48) for _ in a.shape)].copy()
    try:
        from skimage.restoration import rolling_ball
    except ImportError:
        return {}
    return {"skimage": (lambda: rolling_ball(part, radius=int(values[0]), num_threads=1), part.size)}


MORE = {"median": ranks, "minimum": ranks, "opening": openings, "rolling_ball": balls}


def main():
    path, kind, axes, size, step = sys.argv[1:]
    size, axes = int(size), int(axes)
    if kind == "bit":
        rows = np.fromfile(path, np.uint8).reshape((size,) * (axes - 1) + (-1,))
        a = np.unpackbits(rows, axis=-1, bitorder="little")[..., :size].view(bool)
    else:
        a = np.fromfile(path, kind).reshape((size,) * axes)
    a = np.ascontiguousarray(a)
    name, *values = step.split(":")
    for peer, call in MORE.get(name, linear)(a, name, values).items():
        call, pixels = call if isinstance(call, tuple) else (call, a.size)
        if peer == "opencv":
            call()  # what it prepares once
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"key={kind}-{axes}-{step}-{peer} ns={wall / pixels * 1e9:.4g} cpu_ns={cpu / pixels * 1e9:.4g}")


main()
