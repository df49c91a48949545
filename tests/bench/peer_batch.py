"""Label the regions of many images, one after the other, as a script of PIL and scipy does it:
peer_batch.py OUT IMAGE.png...        and, to have images:
peer_batch.py --make FOLDER COUNT SIZE
"""

import os
import sys
import time

import numpy as np
from PIL import Image
from scipy import ndimage


def otsu(grey):
    """The threshold between two classes whose means differ most."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(float)
    below = np.cumsum(counts)[:-1]
    sums = np.cumsum(counts * np.arange(256))
    above = counts.sum() - below
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (sums[:-1] / below - (sums[-1] - sums[:-1]) / above) ** 2
    return int(np.nanargmax(between)) + 1


def label(out, path):
    grey = np.asarray(Image.open(path))
    labels, _ = ndimage.label(grey >= otsu(grey))
    Image.fromarray(labels.astype(np.uint16)).save(os.path.join(out, os.path.basename(path)))


def make(folder, count, size):
    """Blurred noise, about 15 regions in 128 x 128 pixels."""
    random = np.random.default_rng(1)
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        field = ndimage.gaussian_filter(random.random((size, size)), 3)
        field = (field - field.min()) / (field.max() - field.min()) * 255
        Image.fromarray(field.astype(np.uint8)).save(f"{folder}/{number:05}.png")


def main():
    if sys.argv[1] == "--make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    begun = time.perf_counter()
    for path in sys.argv[2:]:
        label(sys.argv[1], path)
    print(f"seconds={time.perf_counter() - begun:.6f}")


main()
