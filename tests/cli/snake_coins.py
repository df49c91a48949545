"""Contours on scikit-image's coins, of which there are 24 on a shaded ground.

snake_coins.py picture FILE.png | check CONTOURS.csv LEAST MOST: on how many coins is one contour each?"""

import csv
import sys

import numpy
from scipy import ndimage
from skimage import data, draw, filters, segmentation
from PIL import Image

coins = data.coins()
if sys.argv[1] == "picture":
    Image.fromarray(coins).save(sys.argv[2])
    sys.exit()

# One threshold takes the bright ground for coins: so regions grow from what surely is one or the other.
markers = numpy.where(coins < 30, 1, numpy.where(coins > 150, 2, 0))
inside = segmentation.watershed(filters.sobel(coins), markers) == 2
inside = ndimage.binary_opening(ndimage.binary_fill_holes(inside), iterations=2)
truth, count = ndimage.label(inside)
assert count == 24, count

contours = {}
for row in csv.DictReader(open(sys.argv[2])):
    contours.setdefault(row["contour"], []).append((float(row["y"]), float(row["x"])))
found = set()
for points in contours.values():
    mask = draw.polygon2mask(coins.shape, numpy.array(points))
    inside = numpy.bincount(truth[mask], minlength=count + 1)[1:]
    coin = int(inside.argmax()) + 1
    alone = inside.sum() == inside[coin - 1]
    union = (mask | (truth == coin)).sum()
    if alone and (mask & (truth == coin)).sum() >= .6 * union:
        found.add(coin)
print(len(found), "coins")
assert len(contours) == 24 and int(sys.argv[3]) <= len(found) <= int(sys.argv[4]), len(found)
