"""Labelling a volume with what is installed, on one thread.

usage: peer_volumes.py FILE SIZE NAME    a file of SIZE^3 bytes, or of as many numbers of 4 bytes, of
                                         which equal ones are connected; NAME is what lines call it
"""

import os
import sys
import time

import numpy as np
from scipy import ndimage

try:
    import cc3d
except ImportError:
    cc3d = None
try:
    from skimage import measure
except ImportError:
    measure = None


def measured(name, program, connectivity, work):
    wall, cpu = time.perf_counter(), time.process_time()
    regions = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return (
        f"key={name}-{connectivity}-{program} program={program} regions={regions}",
        wall,
        cpu,
    )


def with_cc3d(volume, connectivity):
    _, count = cc3d.connected_components(
        volume, connectivity=connectivity, out_dtype=np.uint32, return_N=True
    )
    return count


def with_scipy(volume, connectivity):
    structure = ndimage.generate_binary_structure(3, {6: 1, 18: 2, 26: 3}[connectivity])
    _, count = ndimage.label(volume, structure)
    return count


def with_skimage(volume, connectivity):
    steps = {6: 1, 18: 2, 26: 3}[connectivity]
    return measure.label(volume, connectivity=steps, return_num=True)[1]


def main():
    path, size, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    wide = os.path.getsize(path) == 4 * size**3
    volume = np.fromfile(path, np.uint32 if wide else np.uint8).reshape(size, size, size)
    programs = [("cc3d", with_cc3d)] if cc3d else []
    if not wide:
        programs.append(("scipy", with_scipy))
    elif measure:
        programs.append(("skimage", with_skimage))
    for connectivity in (6, 18, 26):
        for program, label in programs:
            text, wall, cpu = measured(
                name, program, connectivity, lambda: label(volume, connectivity)
            )
            ns = 1e9 / volume.size
            print(f"{text} ns={wall * ns:.3f} cpu_ns={cpu * ns:.3f}")


main()
