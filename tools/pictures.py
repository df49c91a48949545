"""Frames for tools/pictures.sh, from the images in data.

usage: pictures.py cut IN.png X,Y,WIDTH,HEIGHT OUT.png
                             a part of the picture, in its colours
       pictures.py part IN.png X,Y,WIDTH,HEIGHT WIDE OUT.png
                             a part of it in grey, made WIDE pixels wide
       pictures.py turn IN.png DEGREES ZOOM OUT.png
                             the picture in grey, turned about its middle and enlarged
"""

import sys

import cv2


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


{"cut": cut, "part": part, "turn": turn}[sys.argv[1]](*sys.argv[2:])
