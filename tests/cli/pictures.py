"""Small PNG files that look random and are the same everywhere.

pictures.py make WIDTH HEIGHT BITS FILE.png   blots and noise, grey
pictures.py colour WIDTH HEIGHT FILE.png      the same in colour
pictures.py black WIDTH HEIGHT FILE.png       nothing, grey
pictures.py cluster FOLDER                    one of each kind, to find clusters in
pictures.py column FILE.npy NUMBER...         an array of reals, a row each
"""

import struct
import sys
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, COLOUR = 0, 2  # PNG's numbers


def chunk(kind, data=b"", crc=None, length=None):
    """With another checksum or length than its own, it is a bad one."""
    checksum = zlib.crc32(kind + data) if crc is None else crc
    size = len(data) if length is None else length
    return struct.pack(">I", size) + kind + data + struct.pack(">I", checksum)


def png(width, height, bits, kind, rows, extra=b"", interlaced=0, end=chunk(b"IEND")):
    """A file with these rows of bytes, or all passes of an interlaced one, and `extra` chunks before the pixels."""
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlaced)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    return SIGNATURE + chunk(b"IHDR", header) + extra + chunk(b"IDAT", pixels) + end


def write_png(path, width, height, bits, kind, rows):
    with open(path, "wb") as file:
        file.write(png(width, height, bits, kind, rows))


def greys(width, height, most):
    state = 12345
    for y in range(height):
        row = []
        for x in range(width):
            state = (state * 1103515245 + 12345) % 2**31
            blot = (x - width // 3) ** 2 + (y - height // 2) ** 2 < (width // 4) ** 2
            row.append((most * (2 if blot else 5) + state // 2**12 % (3 * most)) // 8)
        yield row


def make(width, height, bits, path):
    width, height, bits = int(width), int(height), int(bits)
    sample = ">%dB" if bits == 8 else ">%dH"
    rows = [struct.pack(sample % width, *row) for row in greys(width, height, 2**bits - 1)]
    write_png(path, width, height, bits, GREY, rows)


def make_colour(width, height, path):
    width, height = int(width), int(height)
    rows = [b"".join(bytes((v, v // 2, 255 - v)) for v in row) for row in greys(width, height, 255)]
    write_png(path, width, height, 8, COLOUR, rows)


def make_black(width, height, path):
    write_png(path, int(width), int(height), 8, GREY, [bytes(int(width))] * int(height))


def hash_of(x, y, salt=0):
    value = (x * 2654435761 + y * 40503 + salt * 97) & 0xFFFFFFFF
    value ^= value >> 15
    return value * 2246822519 >> 7 & 0xFFFF


def make_for_cluster(folder):
    grey16 = lambda x, y: struct.pack(">H", (900 * x + 300 * y + hash_of(x, y) // 4) & 0xFFFF)
    noise = lambda x, y: bytes([(3 * x + hash_of(x // 4, y // 3) // 700) % 256])
    rgb = lambda x, y: bytes(hash_of(x // 9, y // 7, c) >> 8 for c in range(3))
    rgb16 = lambda x, y: struct.pack(">3H", *(hash_of(x // 9, y // 7, c) for c in range(3)))
    for name, width, height, bits, kind, pixel in (("grey16", 61, 47, 16, GREY, grey16),
                                                   ("noise", 130, 90, 8, GREY, noise),
                                                   ("rgb", 70, 53, 8, COLOUR, rgb),
                                                   ("rgb16", 50, 31, 16, COLOUR, rgb16)):
        rows = [b"".join(pixel(x, y) for x in range(width)) for y in range(height)]
        write_png(f"{folder}/{name}.png", width, height, bits, kind, rows)
    write_png(folder + "/line.png", 6, 1, 8, GREY, [bytes([0, 0, 0, 0, 255, 255])])
    bits = [bytes([0xF0 if y // 4 % 2 else 0x3C] * 9) for y in range(41)]
    write_png(folder + "/bits.png", 70, 41, 1, GREY, bits)


def make_column(path, *numbers):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(numbers)}, 1), }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head)
        file.write(struct.pack(f"<{len(numbers)}d", *map(float, numbers)))


if __name__ == "__main__":
    what = {"make": make, "colour": make_colour, "black": make_black, "cluster": make_for_cluster,
            "column": make_column}
    what[sys.argv[1]](*sys.argv[2:])
