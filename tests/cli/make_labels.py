"""Files with labels, segmentations, masks and pictures, for label_images.sh: make_labels.py FOLDER"""

import sys

import numpy
import tifffile
from PIL import Image

folder = sys.argv[1] + "/"
rows, columns = numpy.mgrid[:60, :90]
# Blocks of 10 x 15 pixels of three classes and 0, in runs of at least 15.
classes = ((rows // 10 + columns // 15) % 4).astype("u1")
numbers = (rows // 10 * 6 + columns // 15).astype("u2")  # 0 to 35
random = numpy.random.default_rng(1)

numpy.save(folder + "few.npy", classes)
numpy.save(folder + "few-real.npy", classes.astype("f4"))
numpy.save(folder + "few-below.npy", classes.astype("i2") - 1)
Image.fromarray(classes * 80).save(folder + "few.png")
tifffile.imwrite(folder + "few.tif", numpy.stack([classes] * 3), photometric="minisblack")
for dtype in "u1", "u2", "i4", "u8":
    numpy.save(f"{folder}looks-{dtype}.npy", numbers.astype(dtype))
numpy.save(folder + "looks-gaps.npy", numbers.astype("i8") * 1000003)

numpy.save(folder + "mask.npy", classes // 2)
numpy.save(folder + "mask-2-7.npy", (classes // 2 * 5 + 2).astype("i8"))
Image.fromarray(classes // 2 * 255).save(folder + "mask.png")
Image.fromarray(classes > 1).save(folder + "mask-bits.png")
Image.fromarray(random.poisson(2, (60, 90)).astype("u1")).save(folder + "picture-photons.png")
numpy.save(folder + "picture-grey.npy", random.integers(0, 255, (60, 90)).astype("i8"))
Image.fromarray((columns * 255 // 89).astype("u1")).save(folder + "picture-ramp.png")
