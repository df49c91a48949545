"""Write the inputs that tests/compare has besides data/ into a folder: inputs.py FOLDER

All of them are drawn by formulae, so that they are the same bytes everywhere.
"""

import os
import struct
import sys
import zlib


def png(width, height, bits, kind, raw, palette=None):
    def chunk(name, data=b""):
        crc = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + crc

    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    colours = chunk(b"PLTE", palette) if palette else b""
    pixels = chunk(b"IDAT", zlib.compress(raw))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + colours + pixels + chunk(b"IEND")


def npy(shape, kind, data):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


def noise(x, y, salt=0):
    """16 bits that look random."""
    value = (x * 2654435761 + y * 40503 + salt * 97 + 12345) & 0xFFFFFFFF
    value ^= value >> 15
    value = value * 2246822519 & 0xFFFFFFFF
    return value >> 9 & 0xFFFF


def grey(x, y):
    """8 bits: a bright disk on a slope, blots of two sizes, and noise."""
    blots = noise(x // 9, y // 7) // 900 + noise(x // 4, y // 3, 1) // 1400
    disk = 90 if (x - 60) ** 2 + (y - 45) ** 2 < 900 else 0
    return min(255, blots + disk + x // 8 + noise(x, y, 2) // 4096)


def rows(width, height, sample):
    return b"".join(
        b"\0" + b"".join(sample(x, y) for x in range(width)) for y in range(height)
    )


def bit_rows(width, height):
    def byte(x, y):
        return sum((grey(x + i, y) > 110) << (7 - i) for i in range(8) if x + i < width)

    return b"".join(
        bytes([0] + [byte(x, y) for x in range(0, width, 8)]) for y in range(height)
    )


def frame(number, bits):
    """The scene after it has moved 5 to the right and 3 up, NUMBER times."""
    def sample(x, y):
        value = grey(x + 200 - 5 * number, y + 100 + 3 * number)
        return bytes([value]) if bits == 8 else struct.pack(">H", 257 * value)

    return png(120, 90, bits, 0, rows(120, 90, sample))


def files():
    deep = lambda x, y: struct.pack(">H", min(65535, 240 * grey(x, y) + noise(x, y) // 64))
    colour = lambda x, y: bytes((grey(x, y), 255 - grey(y, x), grey(x + 31, y) // 2))
    clear = lambda x, y: colour(x, y) + bytes([255 - noise(x // 16, y // 16) // 512])
    sixteenth = lambda x, y: bytes([grey(x, y) // 16])
    palette = b"".join(bytes((16 * i, 255 - 9 * i, 40 + 5 * i)) for i in range(16))
    made = {
        "grey.png": png(130, 90, 8, 0, rows(130, 90, lambda x, y: bytes([grey(x, y)]))),
        "deep.png": png(97, 61, 16, 0, rows(97, 61, deep)),
        "colour.png": png(101, 74, 8, 2, rows(101, 74, colour)),
        "alpha.png": png(101, 74, 8, 6, rows(101, 74, clear)),
        "palette.png": png(90, 66, 8, 3, rows(90, 66, sixteenth), palette),
        "bits.png": png(133, 77, 1, 0, bit_rows(133, 77)),
        "line.png": png(70, 1, 8, 0, rows(70, 1, lambda x, y: bytes([grey(x, y)]))),
        "column.png": png(1, 70, 8, 0, rows(1, 70, lambda x, y: bytes([grey(x, y)]))),
        "half.png": png(130, 90, 8, 0, rows(130, 90, lambda x, y: bytes([255 * (x + y < 110)]))),
        "contour.csv": b"x,y\n30,20\n90,18\n95,70\n60,80\n28,66\n\n10,10\n22,9\n24,24\n9,22\n",
        "glider.cells": b"!Name: Glider\n.O\n..O\nOOO\n",
        "blinker.lif": b"#Life 1.05\n#D A blinker and a block\n#N\n#P -1 0\n***\n#P 4 4\n**\n**\n",
        "cells.life": b"#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n",
        "bounded.rle": b"#CXRLE Pos=-3,-1\nx = 7, y = 3, rule = B3/S23:T30,20\nbo$3bo$2o2b3o!\n",
        "states.rle": b"x = 5, y = 2, rule = 345/2/4\nABC.A$2A.BC!\n",
        "trace.txt": b"# seconds rank load\n0 1 1.5\n0.01 1 0\n0 0 .5\n",
    }
    cells = (struct.pack("<d", noise(i, 3) / 65536) for i in range(21 * 34))
    made["plate.npy"] = npy((21, 34), "<f8", b"".join(cells))
    cells = (struct.pack(">d", noise(i, 4) / 65536) for i in range(7 * 9 * 8))
    made["block.npy"] = npy((7, 9, 8), ">f8", b"".join(cells))
    made["cells.npy"] = npy((40, 70), "|u1", bytes(noise(i, 5) % 3 == 0 for i in range(40 * 70)))
    for number in range(4):
        made["m-%d.png" % number] = frame(number, 8)
    for number in range(2):
        made["d-%d.png" % number] = frame(number, 16)
    return made


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for name, content in files().items():
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
