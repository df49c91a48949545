"""What is inside after `halobeat chan-vese`, beside scikit-image's answer:
chan_vese_skimage.py PROGRAM FOLDER IMAGE..."""

import itertools
import os
import subprocess
import sys

import numpy
import skimage.io
from skimage.segmentation import morphological_chan_vese, morphsnakes


def compare(program, folder, images):
    settings = [("checkerboard", 1, 35, 1, 1), ("disk", 3, 12, 1, 2), ("disk", 2, 7, 1.5, 1)]
    wrong = 0
    for path, (init, smoothing, count, first, second) in itertools.product(images, settings):
        image = skimage.io.imread(path)
        # The operators take turns from call to call; ours begin anew.
        morphsnakes._curvop.funcs = itertools.cycle(
            [
                lambda u: morphsnakes.sup_inf(morphsnakes.inf_sup(u)),
                lambda u: morphsnakes.inf_sup(morphsnakes.sup_inf(u)),
            ]
        )
        expected = morphological_chan_vese(
            image.astype(float), count, init, smoothing, lambda1=first, lambda2=second
        )
        out = os.path.join(folder, "inside.npy")
        options = f"-n {count} --smoothing {smoothing} --lambda1 {first} --lambda2 {second}"
        command = [program, "chan-vese", path, "--init", init, "--quiet", "-o", out]
        subprocess.run(command + options.split(), check=True)
        differ = int((numpy.load(out) != expected).sum())
        inside = int(expected.sum())
        print(f"{path} {init} {options}: {differ} pixels differ, {inside} are inside")
        wrong += differ != 0 or not 0 < inside < expected.size
    return wrong


sys.exit(compare(sys.argv[1], sys.argv[2], sys.argv[3:]))
