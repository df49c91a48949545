"""Small pictures of several sizes and kinds: make_batch.py FOLDER COUNT"""

import sys

from pictures import COLOUR, GREY, write_png


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
    write_png(path, width, height, 16 if kind == "grey16" else 8, COLOUR if kind == "colour" else GREY,
              [b"".join(cell(x, y) for x in range(width)) for y in range(height)])


for number in range(int(sys.argv[2])):
    make(f"{sys.argv[1]}/image-{number:02}.png", number)
