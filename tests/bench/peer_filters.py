"""Filtering an image or a volume with scipy.

usage: peer_filters.py FILE TYPE AXES SIZE STEP    a file of SIZE^AXES samples of the type
"""

import sys
import time

import numpy as np
from scipy import ndimage


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


def main():
    path, kind, axes, size, step = sys.argv[1:]
    a = np.fromfile(path, kind).reshape((int(size),) * int(axes))
    name, _, value = step.partition(":")
    values = [int(value)] if value else []
    # Whole numbers stay what they are where Halobeat has them, too.
    output = a.dtype if name in ("gaussian", "uniform") else np.float32
    wall, cpu = time.perf_counter(), time.process_time()
    FILTERS[name](a, *values, output=output)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"key={kind}-{axes}-{step}-scipy ns={wall / a.size * 1e9:.4g} cpu_ns={cpu / a.size * 1e9:.4g}")


main()
