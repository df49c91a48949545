"""Filtering an image or a volume with scipy, and with OpenCV where it has the filter, on one thread.

usage: peer_filters.py FILE TYPE AXES SIZE STEP    a file of SIZE^AXES samples of the type
"""

import sys
import time

import numpy as np
from scipy import ndimage

try:
    import cv2
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


def with_scipy(a, name, value):
    # Whole numbers stay what they are where Halobeat has them, too.
    output = a.dtype if name in ("gaussian", "uniform") else np.float32
    return FILTERS[name](a, *value, output=output)


def with_opencv(a, name, value):
    if name == "gaussian":
        width = 2 * int(4 * value[0] + 0.5) + 1
        return cv2.GaussianBlur(a, (width, width), value[0])
    if name == "uniform":
        return cv2.blur(a, (value[0], value[0]))
    return cv2.Laplacian(a, cv2.CV_32F)


def measure(program, work, a, key):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"key={key}-{program} ns={wall / a.size * 1e9:.4g} cpu_ns={cpu / a.size * 1e9:.4g}")


def main():
    path, kind, axes, size, step = sys.argv[1:]
    a = np.fromfile(path, kind).reshape((int(size),) * int(axes))
    name, _, text = step.partition(":")
    value = [int(text)] if text else []
    measure("scipy", lambda: with_scipy(a, name, value), a, f"{kind}-{axes}-{step}")
    if cv2 and axes == "2" and name in ("gaussian", "uniform", "laplace"):
        cv2.setNumThreads(1)
        with_opencv(a[:64], name, value)  # what it prepares once
        measure("opencv", lambda: with_opencv(a, name, value), a, f"{kind}-{axes}-{step}")


main()
