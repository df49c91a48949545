"""k-means of pixels in (x, y, w * grey) by OpenCV, scikit-learn and scikit-image's slic.

usage: peer_cluster.py cv2|lloyd|elkan|slic FILE.png SIZE K WEIGHT BEATS

All but slic start with the means of the same rectangles as Halobeat. slic is no exact k-means: it
looks at a window around each centre only. Prints ns per pixel and beat of the whole call.
"""

import sys
import warnings

import cv2
import numpy as np
from peer_images import grey, measured, say


def rectangles(height, width, clusters):
    """The first labels: rows of rectangles, as even as whole pixels allow."""
    bands = min(max(round((clusters * height / width) ** 0.5), 1), clusters)
    labels = np.empty((height, width), np.int32)
    for band in range(bands):
        first, last = clusters * band // bands, clusters * (band + 1) // bands
        top, bottom = height * band // bands, height * (band + 1) // bands
        for i in range(last - first):
            left, right = width * i // (last - first), width * (i + 1) // (last - first)
            labels[top:bottom, left:right] = first + i
    return labels


def features(image, weight):
    height, width = image.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return np.stack([x.ravel(), y.ravel(), weight * image.ravel().astype(np.float32)], 1)


def cv2_job(image, clusters, weight, beats):
    points, labels = features(image, weight), rectangles(*image.shape, clusters).ravel().copy()
    criteria = (cv2.TERM_CRITERIA_COUNT, beats, 0)
    return lambda: cv2.kmeans(
        points, clusters, labels, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS
    )


def sklearn_job(image, clusters, weight, beats, algorithm):
    from sklearn.cluster import KMeans

    points, labels = features(image, weight), rectangles(*image.shape, clusters).ravel()
    counts = np.bincount(labels, minlength=clusters)
    sums = [np.bincount(labels, points[:, axis], clusters) for axis in range(3)]
    centres = (np.stack(sums, 1) / counts[:, None]).astype(np.float32)
    means = KMeans(
        clusters, init=centres, n_init=1, max_iter=beats, tol=0, algorithm=algorithm
    )
    return lambda: means.fit(points)


def slic_job(image, clusters, weight, beats):
    from skimage.segmentation import slic

    return lambda: slic(
        image / 255.0,
        n_segments=clusters,
        compactness=1 / weight,
        max_num_iter=beats,
        enforce_connectivity=False,
        channel_axis=None,
        start_label=0,
    )


def main():
    program, path = sys.argv[1:3]
    size, clusters, weight, beats = (int(a) for a in sys.argv[3:7])
    image = grey(path, size)
    warnings.simplefilter("ignore")  # so few beats do not settle
    if program == "cv2":
        work = cv2_job(image, clusters, weight, beats)
    elif program == "slic":
        work = slic_job(image, clusters, weight, beats)
    else:
        work = sklearn_job(image, clusters, weight, beats, program)
    wall, cpu, _ = measured(work)
    per = 1e9 / image.size / beats
    say(program=program, clusters=clusters, ns=f"{wall * per:.4f}", cpu_ns=f"{cpu * per:.4f}")


main()
