"""Write PNG files that cannot be used into a folder: make_bad_pngs.py FOLDER SOUND.png"""

import os
import struct
import sys
import zlib

from pictures import SIGNATURE, chunk


def header(width=40, height=30, bits=8, colour=0, compression=0, filters=0, interlace=0):
    fields = (width, height, bits, colour, compression, filters, interlace)
    return chunk(b"IHDR", struct.pack(">IIBBBBB", *fields))


def rows(width=40, height=30, kind=0):
    return b"".join(
        bytes([kind]) + bytes((7 * x + 11 * y) % 256 for x in range(width)) for y in range(height)
    )


PIXELS = zlib.compress(rows())
IDAT = chunk(b"IDAT", PIXELS)
IEND = chunk(b"IEND")


def dots(side):
    """Every second pixel of every second row: more regions than 16 bits hold."""
    stride = (side + 7) // 8
    foreground, background = b"\0" + b"\xaa" * stride, b"\0" + bytes(stride)
    raw = (foreground + background) * (side // 2)
    return SIGNATURE + header(side, side, bits=1) + chunk(b"IDAT", zlib.compress(raw)) + IEND


def blank(side):
    """Nothing is lit, and the labels take 100 MB."""
    raw = bytes((1 + (side + 7) // 8) * side)
    return SIGNATURE + header(side, side, bits=1) + chunk(b"IDAT", zlib.compress(raw, 1)) + IEND


def bad_files():
    largest = 2**31 - 1
    return {
        "empty": b"",
        "text": b"This is no picture at all, only a line of text that goes on for a while.\n",
        "signature": SIGNATURE,
        "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(200),
        "zero_width": SIGNATURE + header(width=0) + IDAT + IEND,
        "zero_height": SIGNATURE + header(height=0) + IDAT + IEND,
        "huge": SIGNATURE + header(largest, largest) + IDAT + IEND,
        "huge_bits": SIGNATURE + header(largest, largest, bits=1) + IDAT + IEND,
        "huge_interlaced": SIGNATURE + header(largest, largest, interlace=1) + IDAT + IEND,
        "wide": SIGNATURE + header(width=largest, height=1) + IDAT + IEND,
        "tall": SIGNATURE + header(width=1, height=largest) + IDAT + IEND,
        "large": SIGNATURE + header(200000, 200000) + IDAT + IEND,
        "negative": SIGNATURE + header(width=2**31) + IDAT + IEND,
        "bits_3": SIGNATURE + header(bits=3) + IDAT + IEND,
        "colour_5": SIGNATURE + header(colour=5) + IDAT + IEND,
        "compression_1": SIGNATURE + header(compression=1) + IDAT + IEND,
        "interlace_2": SIGNATURE + header(interlace=2) + IDAT + IEND,
        "no_palette": SIGNATURE + header(colour=3) + IDAT + IEND,
        "no_pixels": SIGNATURE + header() + IEND,
        "no_header": SIGNATURE + IDAT + IEND,
        "unknown_chunk": SIGNATURE + header() + chunk(b"ABCD", b"needed") + IDAT + IEND,
        "crc_header": SIGNATURE + header()[:-1] + b"\x55" + IDAT + IEND,
        "crc_pixels": SIGNATURE + header() + chunk(b"IDAT", PIXELS, crc=1) + IEND,
        "crc_end": SIGNATURE + header() + IDAT + chunk(b"IEND", b"", crc=1),
        "length": SIGNATURE + header() + chunk(b"IDAT", PIXELS, length=2**32 - 1) + IEND,
        "adler": SIGNATURE + header() + chunk(b"IDAT", PIXELS[:-1] + b"\x55") + IEND,
        "zlib": SIGNATURE + header() + chunk(b"IDAT", b"\0\0" + PIXELS[2:]) + IEND,
        "filter": SIGNATURE + header() + chunk(b"IDAT", zlib.compress(rows(kind=5))) + IEND,
        "few_rows": SIGNATURE + header(height=31) + IDAT + IEND,
        "garbage": SIGNATURE + header() + chunk(b"IDAT", b"\x78\x9c" + b"\xff" * 300) + IEND,
    }


def truncated(sound):
    """The places where one part of the file ends and the next begins, and some between."""
    size = len(sound)
    cuts = [1, 7, 9, 12, 16, 24, 32, 33, 34, 41, 45, 100, size // 3, size // 2, size - 1000]
    cuts += [size - n for n in (17, 16, 13)]  # what follows the pixels is not needed
    return {"cut_%06d" % cut: sound[:cut] for cut in cuts}


def main(folder, sound_path):
    with open(sound_path, "rb") as file:
        sound = file.read()
    files = {"bad_" + name: data for name, data in bad_files().items()}
    files.update(truncated(sound))
    flipped = bytearray(sound)
    flipped[len(sound) // 2] ^= 1
    files["bad_flipped"] = bytes(flipped)
    files["sound"] = SIGNATURE + header() + IDAT + IEND
    files["dots"] = dots(600)
    files["wide_blank"] = blank(5000)
    for name, data in files.items():
        with open(os.path.join(folder, name + ".png"), "wb") as file:
            file.write(data)


main(sys.argv[1], sys.argv[2])
