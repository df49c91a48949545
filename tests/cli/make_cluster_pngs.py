"""Write small PNG files to cluster into a folder: make_cluster_pngs.py FOLDER"""

import os
import struct
import sys
import zlib


def png(width, height, bits, colour, raw):
    def chunk(kind, data=b""):
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(raw))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND")


def hash_of(x, y, salt=0):
    value = (x * 2654435761 + y * 40503 + salt * 97) & 0xFFFFFFFF
    value ^= value >> 15
    return value * 2246822519 >> 7 & 0xFFFF


def row_of(width, y, sample):
    return b"\0" + b"".join(sample(x, y) for x in range(width))


def files():
    grey16 = lambda x, y: struct.pack(">H", (900 * x + 300 * y + hash_of(x, y) // 4) & 0xFFFF)
    noise = lambda x, y: bytes([(3 * x + hash_of(x // 4, y // 3) // 700) % 256])
    rgb = lambda x, y: bytes(hash_of(x // 9, y // 7, c) >> 8 for c in range(3))
    rgb16 = lambda x, y: struct.pack(">3H", *(hash_of(x // 9, y // 7, c) for c in range(3)))
    bits = lambda y: bytes([0] + [0xF0 if y // 4 % 2 else 0x3C] * 9)
    rows = lambda width, height, sample: b"".join(row_of(width, y, sample) for y in range(height))
    return {
        "line": png(6, 1, 8, 0, bytes([0, 0, 0, 0, 0, 255, 255])),
        "grey16": png(61, 47, 16, 0, rows(61, 47, grey16)),
        "noise": png(130, 90, 8, 0, rows(130, 90, noise)),
        "rgb": png(70, 53, 8, 2, rows(70, 53, rgb)),
        "rgb16": png(50, 31, 16, 2, rows(50, 31, rgb16)),
        "bits": png(70, 41, 1, 0, b"".join(bits(y) for y in range(41))),
    }


for name, content in files().items():
    with open(os.path.join(sys.argv[1], name + ".png"), "wb") as file:
        file.write(content)
