"""Small pictures of several sizes and kinds: make_batch.py FOLDER COUNT"""

import struct
import sys
import zlib


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write(path, width, height, kind, rows):
    head = struct.pack(">IIBBBBB", width, height, 16 if kind == "grey16" else 8,
                       2 if kind == "colour" else 0, 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data))
                   + chunk(b"IEND", b""))


def value(seed, x, y):
    """Spots on a slope, other ones for each picture."""
    spot = ((x // 5 * 31 + y // 6 * 17 + seed * 7) * 2654435761 >> 16) % 5 == 0
    return (180 if spot else 20) + (x + 2 * y + seed) % 40


def make(path, seed):
    width, height = 24 + seed * 9 % 61, 20 + seed * 13 % 47
    kind = ["grey", "grey16", "colour"][seed % 3]
    def cell(x, y):
        v = value(seed, x, y)
        return {"grey": bytes([v]), "grey16": bytes([v, seed]), "colour": bytes([v, 255 - v, seed])}[kind]
    write(path, width, height, kind, [b"".join(cell(x, y) for x in range(width)) for y in range(height)])


for number in range(int(sys.argv[2])):
    make(f"{sys.argv[1]}/image-{number:02}.png", number)
