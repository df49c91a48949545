"""A job in scipy and scikit-image, on one thread: smooth, threshold, fill, split, measure.

usage: peer_job.py VOLUME.npy LABELS.npy TABLE.csv
       peer_job.py --make VOLUME.npy SIZE             balls that touch, brighter than what is around them, with noise
"""

import csv
import resource
import sys
import time

import numpy as np


def make(path, size):
    """Balls of radius 5 to 12 that take a third of the volume, a few of them hollow."""
    random = np.random.default_rng(1)
    bright = np.zeros([size] * 3, bool)
    painted = 0
    while painted < size**3 / 3:
        radius = random.uniform(5, 12)
        centre = random.uniform(0, size, 3)
        low = np.maximum(np.ceil(centre - radius), 0).astype(int)
        high = np.minimum(np.floor(centre + radius) + 1, size).astype(int)
        axes = np.ogrid[tuple(slice(a, b) for a, b in zip(low, high))]
        squares = sum((axis - middle) ** 2 for axis, middle in zip(axes, centre))
        ball = squares <= radius**2
        if random.random() < 0.1:
            ball &= squares > 4
        bright[tuple(slice(a, b) for a, b in zip(low, high))] |= ball
        painted += 4 / 3 * np.pi * radius**3
    volume = np.lib.format.open_memmap(path, "w+", np.uint16, bright.shape)
    for plane, light in zip(volume, bright):
        plane[:] = np.clip(np.where(light, 30000, 12000) + random.normal(0, 3000, light.shape), 0, 65535)


def job(volume, labels, table):
    from scipy import ndimage
    from skimage.feature import peak_local_max
    from skimage.filters import threshold_otsu
    from skimage.measure import regionprops_table
    from skimage.segmentation import watershed

    begun, worked = time.perf_counter(), time.process_time()
    grey = ndimage.gaussian_filter(np.load(volume), 1)
    mask = ndimage.binary_fill_holes(grey >= threshold_otsu(grey))
    distances = ndimage.distance_transform_edt(mask)
    peaks = peak_local_max(distances, min_distance=3, exclude_border=False)
    markers = np.zeros(mask.shape, np.int32)
    markers[tuple(peaks.T)] = np.arange(1, len(peaks) + 1)
    parts = watershed(-distances, markers, np.ones((3, 3, 3)), mask=mask)
    np.save(labels, parts)
    columns = regionprops_table(parts, grey, ["label", "area", "bbox", "centroid", "mean_intensity"])
    with open(table, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values()))
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    mbytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"seconds={seconds:.3f} cpu_seconds={cpu:.3f} mbytes={mbytes} parts={parts.max()}")


if __name__ == "__main__":
    if sys.argv[1] == "--make":
        make(sys.argv[2], int(sys.argv[3]))
    else:
        job(*sys.argv[1:])
