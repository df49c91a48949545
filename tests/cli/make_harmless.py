"""Writes images with defects that do no harm to their pixels, each beside SOUND, the same without one, and
images whose pixels are damaged. Prints a line each: FILE SOUND WORDS-OF-THE-WARNING, or FILE - MESSAGE."""
import io
import os
import struct
import sys

import numpy
from PIL import Image

import pictures
from pictures import chunk

folder = sys.argv[1]
noise = (numpy.random.default_rng(1).random((64, 48)) * 255).astype("u1")


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(bytes(data))
    return name


def jpeg(**options):
    out = io.BytesIO()
    Image.fromarray(noise).save(out, "JPEG", quality=90, **options)
    return out.getvalue()


def damage(data, at, wrong):
    return data[:at] + wrong + data[at + len(wrong):]


def jpegs():
    for kind, data in (("base", jpeg()), ("progressive", jpeg(progressive=True))):
        sound = write(kind + ".jpg", data)
        tables = data.index(b"\xff\xdb")
        last = data.rindex(b"\xff\xda")
        yield write(kind + "-tail.jpg", data[:-2] + bytes(50) + data[-2:]), sound, "extraneous bytes before marker 0xd9"
        yield write(kind + "-head.jpg", data[:tables] + b"\0\0" + data[tables:]), sound, "2 extraneous bytes"
        major = damage(data, data.index(b"JFIF\0") + 5, b"\2")
        yield write(kind + "-jfif.jpg", major), sound, "libjpeg warns: unknown JFIF revision number 2"
        yield write(kind + "-end.jpg", data[:-2]), sound, "ends without its end marker"
        yield write(kind + "-cut.jpg", data[:-40]), "-", "damaged: it is cut off"
        yield write(kind + "-half.jpg", data[:last - 40]), "-", "damaged: it is cut off"
        bad = damage(data, (last + len(data)) // 2, b"\xff\x13")
        yield write(kind + "-pixels.jpg", bad), "-", "the JPEG file is damaged"


def png(interlaced, extra=b"", end=chunk(b"IEND")):
    rows = noise
    if interlaced:
        passes = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
        rows = [row for y, x, dy, dx in passes for row in noise[y::dy, x::dx]]
    return pictures.png(noise.shape[1], noise.shape[0], 8, pictures.GREY, [row.tobytes() for row in rows], extra,
                        interlaced, end)


def pngs():
    for kind in (0, 1):
        name = ("plain", "interlaced")[kind]
        sound = write(name + ".png", png(kind))
        text = chunk(b"tEXt", b"a\0b", crc=1)
        yield write(name + "-text.png", png(kind, text)), sound, "the chunk tEXt is damaged and was left out"
        late = png(kind, end=text + chunk(b"IEND"))
        yield write(name + "-late.png", late), sound, "the chunk tEXt is damaged and was left out"
        key = chunk(b"tRNS", b"\0\0", crc=1)
        yield write(name + "-key.png", png(kind, key)), sound, "the chunk tRNS is damaged and was left out"
        for less in (1, 5, 12):
            yield write("%s-%d.png" % (name, less), png(kind)[:-less]), sound, "ends before its last chunk, IEND"
        yield write(name + "-13.png", png(kind)[:-13]), "-", "cut off"


def mrcs():
    for order in "<>":
        head = bytearray(1024)
        head[:16] = struct.pack(order + "4i", 48, 64, 1, 6)
        head[208:212] = b"MAP "
        head[212:214] = b"\x44\x44" if order == "<" else b"\x11\x11"
        samples = noise.astype(order + "u2").tobytes()
        name = ("low", "high")[order == ">"]
        sound = write(name + ".mrc", bytes(head) + samples)
        head[212:214] = b"\0\0"
        words = "no machine stamp (0x0000); by its sizes, it has the %s byte first" % name
        yield write(name + "-stamp.mrc", bytes(head) + samples), sound, words
        head[212:214] = b"\x11\x11" if order == "<" else b"\x44\x44"
        words = "a wrong machine stamp (0x%s); by its sizes, it has the %s byte first" % (head[212:214].hex(), name)
        yield write(name + "-wrong.mrc", bytes(head) + samples), sound, words


def tiffs():
    """Tags that say nothing of the samples."""
    import write_tiff

    write_tiff.write(os.path.join(folder, "pages.tif"), noise, noise, rows=9)
    short, double = write_tiff.SHORT, write_tiff.DOUBLE
    for tag, name, kind, values in ((296, "ResolutionUnit", short, (0, 4, 65535)), (266, "FillOrder", short, (0, 3)),
                                    (282, "XResolution", double, (-1, float("nan"))), (283, "YResolution", double, (-1,))):
        for number, value in enumerate(values):
            file = "%s-%d.tif" % (name, number)
            write_tiff.write(os.path.join(folder, file), noise, noise, rows=9, extra=[(tag, kind, [value])])
            yield file, "pages.tif", "the TIFF tag %s has a value that is none, and was left out" % name


for made in (jpegs, pngs, mrcs, tiffs):
    for line in made():
        print(*line)
