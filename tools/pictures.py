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
"""

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


{"cut": cut, "part": part, "turn": turn, "rock": rock}[sys.argv[1]](*sys.argv[2:])
