"""Morphological Chan-Vese by scikit-image.

usage: peer_chan_vese.py FILE.png SIZE BEATS SMOOTHING OUT.png

Prints ns per pixel and beat; the level set goes to OUT.png, black and white.
"""

import sys

import cv2
import numpy as np
from peer_images import grey, measured, say
from skimage.segmentation import morphological_chan_vese


def main():
    size, beats, smoothing = (int(a) for a in sys.argv[2:5])
    image = grey(sys.argv[1], size)
    wall, cpu, inside = measured(
        lambda: morphological_chan_vese(
            image.astype(float), beats, init_level_set="checkerboard", smoothing=smoothing
        )
    )
    cv2.imwrite(sys.argv[5], (np.asarray(inside) != 0).astype(np.uint8) * 255)
    per = 1e9 / image.size / beats
    say(program="skimage", ns=f"{wall * per:.4f}", cpu_ns=f"{cpu * per:.4f}")


main()
