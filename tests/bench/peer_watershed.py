"""Watersheds by scikit-image, and in 2 axes by OpenCV, on one thread.

usage: peer_watershed.py FILE AXES SIZE STEPS    FILE.grey and FILE.markers, of SIZE bytes and numbers of 4 bytes along
                                                 each axis; STEPS: along how many axes neighbours may differ
"""

import sys

import cv2
import numpy as np
from peer_images import measured, say
from skimage.segmentation import watershed


def main():
    path, (axes, size, steps) = sys.argv[1], map(int, sys.argv[2:5])
    image = np.fromfile(path + ".grey", np.uint8).reshape([size] * axes)
    markers = np.fromfile(path + ".markers", np.int32).reshape(image.shape)
    wall, cpu, _ = measured(lambda: watershed(image, markers, steps))
    say(key="skimage", program="skimage", ns=f"{wall * 1e9 / image.size:.2f}", cpu_ns=f"{cpu * 1e9 / image.size:.2f}")
    if axes == 2:
        colours = np.repeat(image[..., None], 3, 2)
        wall, cpu, _ = measured(lambda: cv2.watershed(colours, markers.copy()))
        say(key="opencv", program="opencv", ns=f"{wall * 1e9 / image.size:.2f}", cpu_ns=f"{cpu * 1e9 / image.size:.2f}")


main()
