#!/usr/bin/env python3
"""Write a raster of costs as a NumPy array: paths_costs.py smooth|noise|maze SIZE SEED OUT.npy.

smooth: hills; noise: every cell a cost of its own, from 1 to 254; maze: corridors of cost 1, one cell
wide, between walls of cost 0, with one way from each room to each other one.
"""
import math
import random
import struct
import sys


def smooth(size, draw):
    waves = [(draw.uniform(0, 3) * 2 * math.pi / size, draw.uniform(0, 3) * 2 * math.pi / size,
              draw.uniform(0, 2 * math.pi)) for _ in range(12)]
    for y in range(size):
        row = [0.0] * size
        for along_x, along_y, phase in waves:
            for x in range(size):
                row[x] += math.sin(along_x * x + along_y * y + phase)
        yield bytes(min(254, max(1, int(128 + 20 * value))) for value in row)


def noise(size, draw):
    for _ in range(size):
        yield bytes(draw.randrange(1, 255) for _ in range(size))


def maze(size, draw):
    cells = [bytearray(size) for _ in range(size)]
    end = size - 1 if size % 2 else size - 2
    cells[1][1] = 1
    way = [(1, 1)]
    while way:
        y, x = way[-1]
        steps = [(dy, dx) for dy, dx in ((0, 2), (2, 0), (0, -2), (-2, 0))
                 if 0 < y + dy < end and 0 < x + dx < end and not cells[y + dy][x + dx]]
        if not steps:
            way.pop()
            continue
        dy, dx = draw.choice(steps)
        cells[y + dy // 2][x + dx // 2] = cells[y + dy][x + dx] = 1
        way.append((y + dy, x + dx))
    return map(bytes, cells)


def main():
    kind, size, seed, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    rows = {"smooth": smooth, "noise": noise, "maze": maze}[kind](size, random.Random(seed))
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }" % (size, size)
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        out.writelines(rows)


main()
