"""Images of many formats: make_formats.py FOLDER. All files NAME.* and NAME-*.* have the same samples.
FOLDER/bad has what cannot be read, and a list of what is said about it."""

import gzip
import os
import struct
import sys

import numpy
from PIL import Image

folder = sys.argv[1]
bad = os.path.join(folder, "bad")
os.mkdir(bad)
random = numpy.random.RandomState(7)


def path(name):
    return os.path.join(folder, name)


def smooth(height, width, channels=1):
    """Blobs, so that regions are more than single pixels."""
    noise = random.rand(height + 8, width + 8, channels)
    for axis in (0, 1):
        noise = sum(numpy.roll(noise, step, axis) for step in range(5))
    noise = noise[4:-4, 4:-4] - noise.min()
    return noise / noise.max()


def save_pnm(name, samples, maximum):
    kind = b"P6" if samples.ndim == 3 else b"P5"
    type = ">u2" if maximum > 255 else "u1"
    with open(path(name), "wb") as file:
        file.write(b"%s\n# a comment\n%d %d %d\n" % (kind, samples.shape[1], samples.shape[0], maximum))
        file.write(samples.astype(type).tobytes())


def save_text(name, kind, samples, maximum):
    with open(path(name), "w") as file:
        file.write("%s %d %d%s\n" % (kind, samples.shape[1], samples.shape[0],
                                     " %d" % maximum if maximum else ""))
        for row in samples.reshape(samples.shape[0], -1):
            file.write(" ".join(str(value) for value in row) + "\n")


def strips(samples, maker, **fields):
    """A TIFF of one strip, by hand, for what PIL cannot write."""
    data = samples.astype(maker).tobytes()
    channels = samples.shape[2] if samples.ndim == 3 else 1
    order = ">" if maker.startswith(">") else "<"
    bits = numpy.dtype(maker).itemsize * 8
    form = {"u": 1, "i": 2, "f": 3}[numpy.dtype(maker).kind]
    tags = [(256, 4, samples.shape[1]), (257, 4, samples.shape[0]), (258, 3, bits), (259, 3, 1),
            (262, 3, fields.get("photometric", 1)), (273, 4, 8), (277, 3, channels),
            (278, 4, samples.shape[0]), (279, 4, len(data)), (339, 3, form)]
    if "depth" in fields:
        tags.append((32997, 4, fields["depth"]))
    head = (b"MM" if order == ">" else b"II") + struct.pack(order + "HI", 42, 8 + len(data))
    directory = struct.pack(order + "H", len(tags))
    for tag, type, value in tags:
        directory += struct.pack(order + "HHI", tag, type, 1)
        directory += struct.pack(order + ("HH" if type == 3 else "I"),
                                 *((value, 0) if type == 3 else (value,)))
    return head + data + directory + struct.pack(order + "I", 0)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


grey = (smooth(93, 131) * 255).astype(numpy.uint8)[:, :, 0]
picture = Image.fromarray(grey)
picture.save(path("grey.png"))
picture.save(path("grey.tif"))
picture.save(path("grey-lzw.tif"), compression="tiff_lzw")
picture.save(path("grey-packbits.tif"), compression="packbits")
picture.save(path("grey-deflate.tif"), compression="tiff_adobe_deflate")
picture.save(path("grey-white.tif"), compression="tiff_lzw", tiffinfo={262: 1})
numpy.save(path("grey.npy"), grey)
save_pnm("grey.pgm", grey, 255)
save_text("grey-plain.pgm", "P2", grey, 255)
write("grey-inverted.tif", strips(255 - grey, "<u1", photometric=0))

grey16 = (smooth(40, 70) * 65535).astype(numpy.uint16)[:, :, 0]
Image.fromarray(grey16).save(path("grey16.png"))
write("grey16.tif", strips(grey16, "<u2"))
write("grey16-wide.tif", strips(grey16, ">u4"))
write("grey16-whole.tif", strips(grey16, "<i4"))
numpy.save(path("grey16.npy"), grey16)
numpy.save(path("grey16-big.npy"), grey16.astype(">u2"))
numpy.save(path("grey16-wide.npy"), grey16.astype(numpy.int64))
save_pnm("grey16.pgm", grey16, 65535)

bits = smooth(50, 77)[:, :, 0] > 0.5
picture = Image.fromarray(bits)
picture.save(path("bits.png"))
picture.save(path("bits.tif"))
picture.save(path("bits-group4.tif"), compression="group4")
picture.save(path("bits.pbm"))
numpy.save(path("bits.npy"), bits)
save_text("bits-plain.pbm", "P1", 1 - bits.astype(int), 0)

colour = (smooth(45, 60, 3) * 255).astype(numpy.uint8)
picture = Image.fromarray(colour)
picture.save(path("colour.png"))
picture.save(path("colour.tif"), compression="tiff_lzw")
numpy.save(path("colour.npy"), colour)
save_pnm("colour.ppm", colour, 255)
save_text("colour-plain.ppm", "P3", colour, 255)

palette = Image.fromarray(colour).quantize(16)
palette.save(path("palette.png"))
palette.save(path("palette.tif"))

colour16 = (smooth(30, 33, 3) * 65535).astype(numpy.uint16)
save_pnm("colour16.ppm", colour16, 65535)
numpy.save(path("colour16.npy"), colour16)

# Volumes: pages, and arrays of three axes.
volume = (smooth(11 * 20, 30) * 255).astype(numpy.uint8).reshape(11, 20, 30)
pages = [Image.fromarray(plane) for plane in volume]
pages[0].save(path("pages.tif"), save_all=True, append_images=pages[1:], compression="tiff_lzw")
imagej = "ImageJ=1.53t\nimages={}\n{}\nhyperstack=true\n"
ome = '<?xml version="1.0"?><OME><Image><Pixels SizeX="30" SizeY="20" SizeZ="{}" SizeC="{}" SizeT="{}"/></Image></OME>'


def described(name, text, images):
    """Pages of which the first one has a description."""
    images[0].save(path(name), save_all=True, append_images=images[1:], tiffinfo={270: text})


described("pages-imagej.tif", imagej.format(11, "slices=11"), pages)
described("pages-ome.tif", ome.format(11, 1, 1), pages)
described("pages-samples.tif", ome.format(11, 3, 1), pages)
numpy.save(path("pages.npy"), volume)

# JPEG: what PIL decodes is the measure. Decoders may differ by one in colours, so that it is grey.
picture = Image.fromarray(grey)
picture.save(path("jpeg.jpg"), quality=90)
picture.save(path("jpeg-progressive.jpg"), quality=90, progressive=True)
Image.open(path("jpeg.jpg")).save(path("jpeg.png"))

# ---- headers over samples -------------------------------------------------------------------------
META = {"u1": "MET_UCHAR", "u2": "MET_USHORT", "f4": "MET_FLOAT"}
NRRD = {"u1": "uint8", "u2": "unsigned short", "f4": "float"}
NIFTI = {"u1": 2, "u2": 512, "f4": 16}
MRC = {"u1": 0, "u2": 6, "f2": 12, "f4": 2}


def sizes_of(samples, colour):
    """The fastest axis first, without that of colours."""
    return samples.shape[1::-1] if colour else samples.shape[::-1]


def meta(samples, order="<", data="LOCAL", colour=False):
    type, sizes = samples.dtype.str[1:], sizes_of(samples, colour)
    return ("ObjectType = Image\nNDims = %d\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
            "CompressedData = False\nElementSpacing = %s\nDimSize = %s\n%sElementType = %s\n"
            "ElementDataFile = %s\n"
            % (len(sizes), order == ">", " ".join("0.5" for _ in sizes),
               " ".join(str(size) for size in sizes),
               "ElementNumberOfChannels = 3\n" if colour else "", META[type], data)).encode()


def nrrd(samples, order="<", data=None, colour=False, more=""):
    return ("NRRD0004\n# a comment\ntype: %s\ndimension: %d\nsizes: %s\n%sendian: %s\n"
            "encoding: raw\nuser:=key\n%s%s\n"
            % (NRRD[samples.dtype.str[1:]], samples.ndim,
               " ".join(str(size) for size in
                        ((samples.shape[2],) if colour else ()) + sizes_of(samples, colour)),
               "kinds: RGB-color domain domain\n" if colour else "",
               "big" if order == ">" else "little", more,
               "data file: %s\n" % data if data else "")).encode()


def nifti(samples, order="<", magic=b"n+1\0", offset=352, slope=1):
    sizes = sizes_of(samples, False)
    type = samples.dtype.str[1:]
    head = struct.pack(order + "i36x8h", 348, len(sizes), *(sizes + (1,) * (7 - len(sizes))))
    head += struct.pack(order + "14x2h2x8f3f", NIFTI[type], samples.itemsize * 8, 1, *([0.5] * 7),
                        offset, slope, 0)
    return head.ljust(344, b"\0") + magic + bytes(4)


def nifti2(samples, order="<", kind=b"+", offset=544):
    sizes = sizes_of(samples, False)
    type = samples.dtype.str[1:]
    head = struct.pack(order + "i4s4s2h", 540, b"n" + kind + b"2\0", b"\r\n\x1a\n", NIFTI[type],
                       samples.itemsize * 8)
    head += struct.pack(order + "8q24x8dq2d", len(sizes), *(sizes + (1,) * (7 - len(sizes))),
                        1, *([0.5] * 7), offset, 1, 0)
    return head.ljust(544, b"\0")


def mrc(samples, order="<", extended=80):
    sizes = sizes_of(samples, False) + (1,) * (3 - samples.ndim)
    head = struct.pack(order + "10i3f", *sizes, MRC[samples.dtype.str[1:]], 0, 0, 0, *sizes, 1, 2, 3)
    head = head.ljust(92, b"\0") + struct.pack(order + "i", extended)
    head = head.ljust(152, b"\0") + struct.pack(order + "2i", 1146047817, 0)
    head = head.ljust(208, b"\0") + b"MAP " + (b"\x11\x11" if order == ">" else b"DA") + bytes(2)
    return head.ljust(1024 + extended, b"\0")


def ordered(samples, order):
    return samples.astype(samples.dtype.newbyteorder(order)).tobytes()


os.makedirs(path("apart/second"))
for name, samples in (("grey", grey), ("grey16", grey16)):
    for order in "<>":
        end = "-big" if order == ">" else "-little"
        data = ordered(samples, order)
        write(name + end + ".mha", meta(samples, order) + data)
        write(name + end + ".nrrd", nrrd(samples, order) + data)
        write(name + end + ".nii", nifti(samples, order) + data)
        write(name + end + "-2.nii", nifti2(samples, order) + data)
        write(name + end + ".mrc", mrc(samples, order) + data)
    write("apart/%s.raw" % name, b"12345" + ordered(samples, ">"))
    write("apart/%s.mhd" % name, meta(samples, ">", name + ".raw").replace(b"DimSize", b"HeaderSize = -1\nDimSize"))
    write("apart/%s.nhdr" % name, nrrd(samples, ">", name + ".raw", more="byte skip: 5\n").rstrip())
    write("apart/%s.hdr" % name, nifti(samples, magic=b"ni1\0", offset=0))
    write("apart/%s.img" % name, ordered(samples, "<"))
    write("apart/second/%s.hdr" % name, nifti2(samples, kind=b"i", offset=0))
    write("apart/second/%s.img" % name, ordered(samples, "<"))
# Floats of 16 bits are read as such of 32; some here are below the smallest normal number.
halves = (smooth(41, 53)[:, :, 0] * 3 - 1).astype("<f2")
halves[::3] *= numpy.float16(2e-5)
numpy.save(path("halves.npy"), halves.astype("<f4"))
for order, end in ("<", "-little"), (">", "-big"):
    numpy.save(path("halves%s.npy" % end), halves.astype(order + "f2"))
    write("halves%s.tif" % end, strips(halves, order + "f2"))
    write("halves%s.mrc" % end, mrc(halves, order) + ordered(halves, order))
    write("apart/halves%s.bin" % end, b"12345" + ordered(halves, order))
os.mkdir(path("apart/halves.zarr"))
write("apart/halves.zarr/.zarray",
      b'{"zarr_format": 2, "shape": [41, 53], "chunks": [41, 30], "dtype": ">f2", "order": "C", '
      b'"compressor": null, "filters": null, "fill_value": -0.75}')
write("apart/halves.zarr/0.0", ordered(numpy.ascontiguousarray(halves[:, :30]), ">"))
filled = halves.astype("<f4")
filled[:, 30:] = -0.75
numpy.save(path("filled.npy"), filled)
write("colour.mha", meta(colour, colour=True) + colour.tobytes())
write("colour.nrrd", nrrd(colour, colour=True) + colour.tobytes())
with gzip.open(path("grey.nii.gz"), "wb") as file:
    file.write(nifti(grey) + grey.tobytes())

# ---- bad ones -------------------------------------------------------------------------------------
listed = []


def add(name, data, message, options=""):
    write(os.path.join("bad", name), data)
    listed.append((name, message, options))


def add_array(name, values, message, options=""):
    numpy.save(os.path.join(bad, name), values)
    listed.append((name, message, options))


def whole(name):
    with open(path(name), "rb") as file:
        return file.read()


add("empty.tif", b"", "the file is empty")
add("text.jpg", b"This is text.\n", "not an image of a known format: known are PNG")
add("a.gif", b"GIF89a" + bytes(20), "looks like a GIF image")
add("a.bmp", b"BM" + bytes(60), "looks like a BMP image")
add("cut.tif", whole("grey.tif")[:9000], "damaged\\|cut off\\|cannot hold")
add("cut-lzw.tif", whole("grey-lzw.tif")[:-3000], "damaged\\|cannot hold")
add("cut.jpg", whole("jpeg.jpg")[:900], "damaged: it is cut off")
add("cut.pgm", whole("grey.pgm")[:900], "cut off: 6 of 93 rows could be read")
add("cut-plain.pgm", whole("grey-plain.pgm")[:4000], "cut off")
add("cut.npy", whole("grey.npy")[:900], "cut off")
add("letter.pgm", b"P2 2 2 9\n1 2 x 4\n", "no number from 0 to 9")
add("much.pgm", b"P2 2 2 9\n1 2 10 4\n", "no number from 0 to 9")
add("huge.pgm", b"P5 1048576 1048576 255\n" + bytes(99), "cut off: 0 of")
add("none.pgm", b"P5 0 4 255\n", "the header of a portable image")
add("huge.tif", strips(grey, "<u1").replace(struct.pack("<HHII", 257, 4, 1, 93),
                                            struct.pack("<HHII", 257, 4, 1, 2**31 - 1)),
    "cannot hold\\|damaged")
add("huge2.pgm", b"P5 2147483647 2147483647 255\n" + bytes(99), "their product at most")
add("deep.tif", strips(grey, "<u1", depth=3), "has 3 planes in one page (ImageDepth)")
twelve = pages + pages[:1]
for name, text, message in [
        ("channels.tif", imagej.format(12, "channels=2\nslices=6"), "has 2 channels; choose with --channel"),
        ("channels2.tif", ome.format(3, 4, 1), "has 4 channels; choose"),
        ("times.tif", imagej.format(12, "slices=4\nframes=3"), "has 3 times; choose with --time"),
        ("times2.tif", ome.format(2, 1, 6), "has 6 times; choose")]:
    described(os.path.join("bad", name), text, twelve)
    listed.append((name, message, ""))
add_array("line.npy", grey[0], "axis\\|axes")
add("sizes.tif", b"", "")
Image.fromarray(grey).save(os.path.join(bad, "sizes.tif"), save_all=True,
                           append_images=[Image.fromarray(grey.astype(numpy.int32))])
listed[-1] = ("sizes.tif", "more than one kind has 131 x 93 pixels; choose with --page", "")
add("cut.mha", meta(grey) + grey.tobytes()[:-131], "cut off: 92 of 93 rows")
add("cut.nii", nifti(grey) + grey.tobytes()[:-1], "cut off: 92 of 93 rows")
add("cut.mrc", mrc(grey) + grey.tobytes()[:131], "cut off: 1 of 93 rows")
add("huge.nrrd", nrrd(grey).replace(b"131 93", b"2000000000 2000000") + bytes(500), "cut off: 0 of")
add("huge2.nrrd", nrrd(grey).replace(b"131 93", b"99999999999999999999 3") + bytes(500),
    "each is from 1 to 2147483647")
add("lost.mhd", meta(grey, data="nobody.raw"), "are to be in .*nobody.raw, which cannot be opened")
add("list.mhd", meta(grey, data="LIST"), "ends before the names of the files")
add("folder.nhdr", nrrd(grey, data="."), "is no plain file; put them there")
add("packed.nrrd", nrrd(grey).replace(b"raw", b"hex"), "raw, gzip, bzip2 and text can be read: unu save")
add("lacks.nrrd", nrrd(grey).replace(b"sizes", b"size"), "the NRRD header lacks")
add("lacks.mha", meta(grey).replace(b"DimSize", b"Dims"), "the MetaImage header lacks")
add("type.mha", meta(grey).replace(b"MET_UCHAR", b"MET_OTHER"), "ElementType is .MET_OTHER.")
add("scaled.nii", nifti(grey, slope=2).replace(struct.pack("<2h", 2, 8), struct.pack("<2h", 128, 24))
    + grey.tobytes() * 3, "asks to scale colours by 2")
add("offset.nii", nifti(grey, offset=12) + grey.tobytes(), "the NIfTI header is damaged")
add("offset2.nii", nifti(grey, offset=float("nan")) + grey.tobytes(), "the NIfTI header is damaged")
add("offset3.nii", nifti2(grey, offset=352) + grey.tobytes(), "the NIfTI header is damaged")
add("short.nii", nifti2(grey)[:500], "not an image of a known format")
add("huge3.nii", nifti2(grey).replace(struct.pack("<2q", 131, 93), struct.pack("<2q", 1 << 40, 93)),
    "each is from 1 to 2147483647")
add("alone.nii", nifti(grey, magic=b"ni1\0"), "with .img in place of .hdr")
add("mode.mrc", mrc(grey).replace(struct.pack("<4i", 131, 93, 1, 0),
                                  struct.pack("<4i", 131, 93, 1, 4)) + grey.tobytes(),
    "the header.s mode is .4.")
add("none.mrc", mrc(grey).replace(struct.pack("<4i", 131, 93, 1, 0),
                                  struct.pack("<4i", 131, 93, 0, 0)) + grey.tobytes(),
    "0 samples along axis 3")

with open(os.path.join(bad, "list"), "w") as file:
    file.write("".join("%s\t%s\t%s\n" % line for line in listed))
