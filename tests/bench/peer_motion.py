"""Optical flow by OpenCV, and pictures whose motion is known.

usage: peer_motion.py make DATA FOLDER      write NAME-1.png, NAME-2.png, both as bytes one after
                                            the other, NAME.raw, and NAME-truth.npy of every scene
                                            from the pictures in DATA; print name, rows, columns
       peer_motion.py dis|farneback|none FOLDER NAME
                                            ns per pixel, and errors in pixels
       peer_motion.py error FOLDER NAME FLOW
                                            errors of a flow: a .flo file, or its floats alone

The error of a pixel is the distance of the end points; mean and median are over pixels whose motion
is known and ends within the second picture.
"""

import os
import sys

import cv2
import numpy as np
from peer_images import grey, measured, say

MARGIN = 16  # so that what comes in at an edge is the picture's own


def moved(image, right, down):
    """The picture's middle, before and after."""
    matrix = np.float64([[1, 0, right], [0, 1, down]])
    whole = right == int(right) and down == int(down)
    after = cv2.warpAffine(
        image, matrix, image.shape[::-1], flags=cv2.INTER_NEAREST if whole else cv2.INTER_CUBIC
    )
    middle = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    truth = np.empty(image[middle].shape + (2,), np.float32)
    truth[...] = right, down
    return image[middle], after[middle], truth


def discs(data):
    """Three discs of other textures over bricks that stay."""
    frames = [grey(f"{data}/brick.png").copy() for _ in range(2)]
    truth = np.zeros(frames[0].shape + (2,), np.float32)
    y, x = np.mgrid[0:512, 0:512]
    for name, column, row, radius, right, down in (
        ("gravel", 140, 150, 70, 6, -4),
        ("grass", 350, 190, 60, -5, 7),
        ("camera", 250, 370, 80, 9, 3),
    ):
        texture = grey(f"{data}/{name}.png")
        inside = (x - column) ** 2 + (y - row) ** 2 <= radius**2
        frames[0][inside] = texture[inside]
        after = (y[inside] + down, x[inside] + right)
        frames[1][after] = texture[inside]
        truth[inside] = right, down
    return frames[0], frames[1], truth


def motorcycle():
    """Middlebury's stereo pair, where scikit-image is installed with its pictures."""
    try:
        import skimage

        folder = os.path.join(os.path.dirname(skimage.__file__), "data")
        disparity = np.load(f"{folder}/motorcycle_disp.npz")["arr_0"]
        left, right = (grey(f"{folder}/motorcycle_{side}.png") for side in ("left", "right"))
    except (ImportError, OSError, SystemExit):
        return None
    truth = np.stack([-disparity, np.zeros_like(disparity)], 2).astype(np.float32)
    return left, right, truth


def make(data, folder):
    camera = grey(f"{data}/camera.png")
    scenes = {
        "shift": moved(camera, 12, -7),
        "half": moved(camera, 2.5, 1.25),
        "discs": discs(data),
        "motorcycle": motorcycle(),
    }
    for name, scene in scenes.items():
        if scene is not None:
            cv2.imwrite(f"{folder}/{name}-1.png", scene[0])
            cv2.imwrite(f"{folder}/{name}-2.png", scene[1])
            np.stack(scene[:2]).tofile(f"{folder}/{name}.raw")
            np.save(f"{folder}/{name}-truth.npy", scene[2])
            print(name, *scene[0].shape)


def read_flow(path, shape):
    flow = np.fromfile(path, "<f4")
    if path.endswith(".flo"):
        flow = flow[3:]  # the magic number, width and height
    return flow.reshape(shape)


def errors(folder, name, flow):
    truth = np.load(f"{folder}/{name}-truth.npy")
    height, width = truth.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    known = np.isfinite(truth).all(2)
    known[known] &= np.abs(truth[known]).max(1) < 1e6
    ends = np.where(known[..., None], truth, -1e9) + np.stack([x, y], 2)
    known &= (ends[..., 0] >= 0) & (ends[..., 0] <= width - 1)
    known &= (ends[..., 1] >= 0) & (ends[..., 1] <= height - 1)
    off = np.hypot(*(flow[known] - truth[known]).T)
    return {"mean": f"{off.mean():.4f}", "median": f"{np.median(off):.4f}"}


def compute(program, one, two):
    if program == "dis":
        dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
        return lambda: dis.calc(one, two, None)
    if program == "farneback":
        return lambda: cv2.calcOpticalFlowFarneback(one, two, None, 0.5, 3, 15, 3, 5, 1.2, 0)
    return lambda: np.zeros(one.shape + (2,), np.float32)


def main():
    what, *rest = sys.argv[1:]
    if what == "make":
        make(*rest)
    elif what == "error":
        shape = np.load(f"{rest[0]}/{rest[1]}-truth.npy").shape
        say(**errors(rest[0], rest[1], read_flow(rest[2], shape)))
    else:
        folder, name = rest
        one, two = (grey(f"{folder}/{name}-{i}.png") for i in (1, 2))
        wall, cpu, flow = measured(compute(what, one, two))
        per = 1e9 / one.size
        found = errors(folder, name, flow)
        say(program=what, ns=f"{wall * per:.3f}", cpu_ns=f"{cpu * per:.3f}", **found)


main()
