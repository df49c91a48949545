"""Frames for tools/pictures.sh, from the images in data.

usage: pictures.py cut IN.png X,Y,WIDTH,HEIGHT OUT.png
                             a part of the picture, in its colours
       pictures.py part IN.png X,Y,WIDTH,HEIGHT WIDE OUT.png
                             a part of it in grey, made WIDE pixels wide
       pictures.py turn IN.png DEGREES ZOOM OUT.png
                             the picture in grey, turned about its middle and enlarged
       pictures.py rock OUT.png
                             grains of a rock, black, the pores between them, white, and a fracture
                             from left to right; opposite edges fit each other
       pictures.py grains OUT.tif
                             a volume: grains of uneven brightness in a darker matrix, blurred
       pictures.py volume GREYS.tif LABELS.tif OUT.png
                             three planes of the volume, each beside its labels in colours, and the
                             labels as they are seen from the first plane
       pictures.py sheet COLUMNS OUT.png NAME.png...
                             pictures of one size beside and below each other, each above its name
"""

import pathlib
import sys

import cv2
import numpy as np


def cut(path, box, out):
    x, y, width, height = (int(number) for number in box.split(","))
    cv2.imwrite(out, cv2.imread(path)[y : y + height, x : x + width])


def part(path, box, wide, out):
    x, y, width, height = (int(number) for number in box.split(","))
    image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)[y : y + height, x : x + width]
    size = (int(wide), round(height * int(wide) / width))
    cv2.imwrite(out, cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def turn(path, degrees, zoom, out):
    image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    height, width = image.shape
    middle = ((width - 1) / 2, (height - 1) / 2)
    matrix = cv2.getRotationMatrix2D(middle, float(degrees), float(zoom))
    turned = cv2.warpAffine(
        image, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT
    )
    cv2.imwrite(out, turned)


def rock(out):
    side, fracture, state = 256, range(120, 137), 7
    image = np.full((side, side), 255, np.uint8)
    y, x = np.mgrid[0:side, 0:side]
    while (image > 0).mean() > 0.66:
        numbers = []
        for _ in range(3):  # the same with every version of NumPy
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            numbers.append((state >> 33) / 2**31)
        column, row, radius = numbers[0] * side, numbers[1] * side, 4 + 10 * numbers[2] ** 2
        right, down = ((a + side / 2) % side - side / 2 for a in (x - column, y - row))
        image[right**2 + down**2 < radius**2] = 0
        image[fracture] = 255
    cv2.imwrite(out, image, [cv2.IMWRITE_PNG_BILEVEL, 1])


class Numbers:
    """From 0 to 1, the same with every version of NumPy."""

    def __init__(self):
        self.state = 7

    def __call__(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) / 2**31


def grains(out):
    number, shape = Numbers(), (48, 120, 120)
    volume = np.full(shape, 60.0)
    z, y, x = np.indices(shape)
    placed = []
    for _ in range(3000):
        at, radius = [number() * side for side in shape], 5 + 9 * number() ** 2
        if any(sum((a - b) ** 2 for a, b in zip(at, other)) < (radius + r + 2) ** 2
               for other, r in placed):
            continue
        placed.append((at, radius))
        inside = (z - at[0]) ** 2 + (y - at[1]) ** 2 + (x - at[2]) ** 2 < radius**2
        volume[inside] = 150 + 60 * number()
    for axis in range(3):
        volume = np.apply_along_axis(lambda line: cv2.GaussianBlur(
            line, (1, 5), 1, borderType=cv2.BORDER_REFLECT)[:, 0], axis, volume)
    # In steps of 4, which compress.
    cv2.imwritemulti(out, list((volume / 4).round().astype(np.uint8) * 4))


def colours_of(labels):
    """Hues far apart for numbers next to each other; black for the background."""
    hue = (labels.astype(np.int64) * 111 % 180).astype(np.uint8)
    full = np.where(labels > 0, 200, 0).astype(np.uint8)
    return cv2.cvtColor(np.dstack([hue, full, np.where(labels > 0, 235, 0).astype(np.uint8)]),
                        cv2.COLOR_HSV2BGR)


def volume(greys, labels, out):
    def planes(path):
        return np.array(cv2.imreadmulti(path, flags=cv2.IMREAD_UNCHANGED)[1])

    grey, label = planes(greys), planes(labels)
    depth = label.shape[0]
    first = (label > 0).argmax(0)
    seen = np.take_along_axis(label, first[None], 0)[0]
    shade = 1 - 0.7 * first / depth
    shown = (colours_of(seen) * shade[..., None]).astype(np.uint8)
    chosen = [depth // 6, depth // 2, depth * 5 // 6]
    greys = np.hstack([cv2.cvtColor(grey[z], cv2.COLOR_GRAY2BGR) for z in chosen])
    sides = np.vstack([greys, np.hstack([colours_of(label[z]) for z in chosen])])
    height = sides.shape[0]
    front = cv2.resize(shown, (height, height), interpolation=cv2.INTER_NEAREST)
    gap = np.full((height, 8, 3), 255, np.uint8)
    cv2.imwrite(out, np.hstack([sides, gap, front]))


def sheet(columns, out, *paths):
    line, tiles = 18, []
    for path in paths:
        image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        tile = np.full((image.shape[0] + line, image.shape[1] + 8), 255, np.uint8)
        tile[: image.shape[0], 4:-4] = image
        name, font = pathlib.Path(path).stem, cv2.FONT_HERSHEY_SIMPLEX
        size = 0.33 * min(1, image.shape[1] / cv2.getTextSize(name, font, 0.33, 1)[0][0])
        cv2.putText(tile, name, (5, image.shape[0] + 13), font, size, 0, 1, cv2.LINE_AA)
        tiles.append(tile)
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % int(columns))
    rows = [np.hstack(tiles[i : i + int(columns)]) for i in range(0, len(tiles), int(columns))]
    cv2.imwrite(out, np.vstack(rows))


{"cut": cut, "part": part, "turn": turn, "rock": rock, "grains": grains,
 "volume": volume, "sheet": sheet}[sys.argv[1]](*sys.argv[2:])
