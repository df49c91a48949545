"""Images without equal pixels, and their basins by scikit-image: watershed_check.py make FOLDER,
watershed_check.py compare FOLDER RESULTS."""

import pathlib
import sys

import numpy as np
from skimage.io import imsave
from skimage.segmentation import watershed


def make(folder):
    rng = np.random.default_rng(3)
    image = rng.permutation(70 * 90).reshape(70, 90)
    volume = rng.permutation(9 * 20 * 25).reshape(9, 20, 25)
    np.save(folder / "image.npy", image.astype("u2"))
    np.save(folder / "markers.npy", np.where(rng.random(image.shape) < .01, rng.integers(1, 400, image.shape), 0))
    np.save(folder / "mask.npy", rng.random(image.shape) < .9)
    np.save(folder / "volume.npy", volume.astype("f4"))
    np.save(folder / "points.npy", (rng.permutation(volume.size).reshape(volume.shape) < 12).cumsum().reshape(volume.shape)
            * (rng.random(volume.shape) < .02))
    imsave(folder / "flat.png", (image // 700 * 28).astype("u1"))


def compare(folder, results):
    image, markers, mask, volume, points = [
        np.load(folder / f"{name}.npy") for name in ("image", "markers", "mask", "volume", "points")]
    wanted = {"plain": watershed(image, markers), "mask": watershed(image, markers, np.ones((3, 3)), mask=mask),
              "threshold": watershed(image, markers, mask=image >= 900), "minima": watershed(image),
              "volume": watershed(volume, points, np.ones((3, 3, 3)))}
    for name, labels in wanted.items():
        found = np.load(results / f"{name}.npy")
        print(name, int((found != labels).sum()), "pixels differ,", len(np.unique(labels)), "labels")
        if (found != labels).any() or len(np.unique(labels)) < 3:
            sys.exit(1)


make(pathlib.Path(sys.argv[2])) if sys.argv[1] == "make" else compare(*map(pathlib.Path, sys.argv[2:]))
