"""Pictures with transparent pixels, and what they are over a grey.

make_transparent.py make FOLDER       in FOLDER/clear pictures of every kind, in FOLDER/white and
                                      FOLDER/grey (40 %) arrays that are the same laid over a grey
make_transparent.py check FOLDER JSON are the shares in JSON, of a run of FOLDER/clear/*, right?
"""
import glob
import json
import os
import sys

import numpy
import tifffile
from PIL import Image

HEIGHT, WIDTH = 37, 51


def luma(colour):
    red, green, blue = (colour[..., i].astype(numpy.int64) for i in range(3))
    return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16


def over(grey, alpha, maximum, ground):
    alpha = alpha.astype(numpy.int64)
    return (grey.astype(numpy.int64) * alpha + ground * (maximum - alpha) + maximum // 2) // maximum


def random_alpha(random, maximum):
    alpha = random.integers(0, maximum + 1, (HEIGHT, WIDTH))
    alpha[random.random((HEIGHT, WIDTH)) < .4] = 0
    alpha[random.random((HEIGHT, WIDTH)) < .4] = maximum
    return alpha


def pictures(folder):
    """Name, grey, alpha and maximum of each, which is saved in `folder`."""
    random = numpy.random.default_rng(5)
    colour = random.integers(0, 256, (HEIGHT, WIDTH, 4), dtype=numpy.uint8)
    colour[..., 3] = random_alpha(random, 255)
    Image.fromarray(colour).save(folder + "/colour.png")
    yield "colour", luma(colour), colour[..., 3], 255
    tifffile.imwrite(folder + "/page.tif", colour, photometric="rgb", extrasamples=["unassalpha"])
    yield "page", luma(colour), colour[..., 3], 255
    Image.fromarray(colour[..., 2:], "LA").save(folder + "/grey.png")
    yield "grey", colour[..., 2], colour[..., 3], 255
    deep = random.integers(0, 65536, (HEIGHT, WIDTH, 4), dtype=numpy.uint16)
    deep[..., 3] = random_alpha(random, 65535)
    numpy.save(folder + "/deep.npy", deep)
    yield "deep", luma(deep), deep[..., 3], 65535
    entries = random.integers(0, 256, (16, 3), dtype=numpy.uint8)
    alphas = numpy.append(random.integers(0, 255, 8), [255] * 8)
    index = random.integers(0, 16, (HEIGHT, WIDTH), dtype=numpy.uint8)
    palette = Image.fromarray(index, "P")
    palette.putpalette(entries.tobytes())
    palette.save(folder + "/palette.png", transparency=bytes(alphas.tolist()), bits=4)
    yield "palette", luma(entries)[index], alphas[index], 255
    plain = random.integers(0, 4, (HEIGHT, WIDTH), dtype=numpy.uint8) * 60
    Image.fromarray(plain).save(folder + "/key.png", transparency=120)
    yield "key", plain, numpy.where(plain == 120, 0, 255), 255
    three = numpy.stack([plain, plain.T[:HEIGHT, :1] + 0 * plain, 0 * plain + 9], -1).astype("u1")
    Image.fromarray(three).save(folder + "/keys.png", transparency=tuple(three[3, 4].tolist()))
    yield "keys", luma(three), numpy.where((three == three[3, 4]).all(-1), 0, 255), 255


def make(folder):
    shares = {}
    for name in "clear", "white", "grey":
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    for name, grey, alpha, maximum in pictures(folder + "/clear"):
        shares[name] = float((alpha < maximum).mean())
        type = numpy.uint16 if maximum > 255 else numpy.uint8
        for ground, value in ("white", maximum), ("grey", int(.4 * maximum + .5)):
            numpy.save(f"{folder}/{ground}/{name}.npy",
                       over(grey, alpha, maximum, value).astype(type))
    with open(folder + "/shares.json", "w") as file:
        json.dump(shares, file)
    # A drawing program writes such a file: a black disk, soft at its edge, on a transparent ground.
    y, x = numpy.mgrid[:60, :80]
    ink = numpy.zeros((60, 80, 4), numpy.uint8)
    ink[..., 3] = numpy.clip(20 - numpy.hypot(y - 30, x - 40), 0, 1) * 255
    Image.fromarray(ink).save(folder + "/ink.png")
    # Slices of which ranks have parts.
    os.makedirs(folder + "/stack", exist_ok=True)
    for plane in range(2):
        Image.fromarray(ink).save(f"{folder}/stack/z{plane}.png")


def check(folder, path):
    with open(folder + "/shares.json") as file:
        shares = json.load(file)
    with open(path) as file:
        images = json.load(file)
    assert len(images) == len(shares) == len(glob.glob(folder + "/clear/*")), len(images)
    for image in images:
        name = os.path.splitext(os.path.basename(image["image"]["file"]))[0]
        assert abs(image["transparent_share"] - shares[name]) < 1e-9, (image, shares[name])


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
