"""Distances, nearest sources and paths of `halobeat paths`, beside what their definition says:
paths_check.py PROGRAM FOLDER LAUNCHER...

Dijkstra's algorithm in plain Python, on small rasters: vectors that are known, and random costs with
barriers, plateaus of cost 0, cells that are no squares, and a largest distance. Every run is done on
one rank and, started by LAUNCHER, on several.
"""

import ast
import heapq
import itertools
import math
import os
import random
import struct
import subprocess
import sys

from checks import check, finish

program, folder, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
FORMATS = {"<f8": "d", "<f4": "f", "<i4": "i", "<i2": "h", "|u1": "B", "<u2": "H", "<i8": "q",
           ">f8": "d", ">i2": "h"}

STRAIGHT = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
KNIGHT = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]

VECTOR = [[1, 3, 1, 2, 9, 1], [7, 3, 0, 9, 9, 2], [1, 7, 5, 5, 3, 1], [2, 3, 0, 0, 0, 5],
          [1, 1, 6, 1, 7, 2]]


# ---- files --------------------------------------------------------------------------------------


def path_of(name):
    return os.path.join(folder, name)


def save(name, rows, kind):
    order = kind[0] if kind[0] in "<>" else "<"
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path_of(name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in rows:
            file.write(struct.pack(f"{order}{len(row)}{FORMATS[kind]}", *row))


def load(name):
    with open(path_of(name), "rb") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10 : 10 + size].decode())
    height, width = head["shape"]
    values = struct.unpack(f"<{height * width}{FORMATS[head['descr']]}", data[10 + size :])
    return [list(values[y * width : (y + 1) * width]) for y in range(height)]


# ---- the definition -----------------------------------------------------------------------------


class Raster:
    def __init__(self, costs, barrier, neighbours=8, size=(1.0, 1.0), farthest=math.inf):
        self.costs = [[math.inf if barrier(c) else float(c) for c in row] for row in costs]
        self.height, self.width = len(costs), len(costs[0])
        self.moves = STRAIGHT[: min(neighbours, 8)] + (KNIGHT if neighbours == 16 else [])
        self.size, self.farthest = size, farthest

    def cells(self):
        return itertools.product(range(self.height), range(self.width))

    def has(self, y, x):
        return 0 <= y < self.height and 0 <= x < self.width

    def step(self, y, x, dy, dx):
        """What it adds, evaluated from left to right."""
        a, b = self.costs[y][x], self.costs[y + dy][x + dx]
        length = math.sqrt((dy * self.size[1]) ** 2 + (dx * self.size[0]) ** 2)
        if abs(dy) + abs(dx) < 3:
            return (a + b) * (length * 0.5)
        one = (int(dy / 2), int(dx / 2))
        two = (dy - one[0], dx - one[1])
        p, q = (self.costs[y + j][x + i] for j, i in (one, two))
        return (p + q + b + a) * (length / 4)

    def distances(self, sources):
        found = [[math.inf] * self.width for _ in range(self.height)]
        heap = [(0.0, y, x) for x, y in sources]
        for _, y, x in heap:
            found[y][x] = 0.0
        while heap:
            d, y, x = heapq.heappop(heap)
            if d > found[y][x]:
                continue
            for dy, dx in self.moves:
                if self.has(y + dy, x + dx):
                    reached = d + self.step(y, x, dy, dx)
                    if reached < found[y + dy][x + dx] and reached <= self.farthest:
                        found[y + dy][x + dx] = reached
                        heapq.heappush(heap, (reached, y + dy, x + dx))
        return found

    def tight(self, d, y, x):
        """Neighbours, in order, from which a step leads here to the last bit."""
        for dy, dx in self.moves:
            j, i = y + dy, x + dx
            if self.has(j, i) and d[y][x] < math.inf and d[j][i] + self.step(j, i, -dy, -dx) == d[y][x]:
                yield j, i

    def nearest(self, d, numbers):
        """The smallest number that reaches a cell along tight steps."""
        found = [[0] * self.width for _ in range(self.height)]
        followers = {}
        for y, x in self.cells():
            for place in self.tight(d, y, x):
                followers.setdefault(place, []).append((y, x))
        for number, (x, y) in sorted(numbers):
            todo = [(y, x)]
            while todo:
                j, i = todo.pop()
                if found[j][i] == 0:
                    found[j][i] = number
                    todo += followers.get((j, i), [])
        return found

    def hops(self, d, sources):
        """Steps to where a plateau is left, of all cells."""
        ends = set(sources)
        ends |= {(x, y) for y, x in self.cells()
                 if any(d[j][i] < d[y][x] for j, i in self.tight(d, y, x))}
        found = {(y, x): 0 for x, y in ends}
        todo = list(found)
        while todo:
            after = []
            for y, x in self.cells():
                if (y, x) not in found and any(
                    place in found and d[place[0]][place[1]] == d[y][x] for place in self.tight(d, y, x)
                ):
                    after.append((y, x))
            found.update({place: max(found.values()) + 1 for place in after})
            todo = after
        return found

    def path(self, d, sources, target):
        hops = self.hops(d, sources)
        x, y = target
        places = [(x, y)]
        while (x, y) not in sources:
            before = list(self.tight(d, y, x))
            nearer = [(j, i) for j, i in before if d[j][i] < d[y][x]]
            level = [(j, i) for j, i in before
                     if d[j][i] == d[y][x] and hops.get((j, i)) == hops[y, x] - 1]
            y, x = (nearer or level)[0]
            places.append((x, y))
        return places[::-1]


# ---- runs ---------------------------------------------------------------------------------------


def run(ranks, costs, *arguments):
    start = [*launcher[:-1], str(ranks)] if ranks > 1 else []
    done = subprocess.run([*start, program, "paths", path_of(costs), "--quiet", *arguments],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    check(f"{' '.join(arguments)} on {ranks} ranks: status {done.returncode}, {done.stderr[:200]}",
          done.returncode == 0)


def compare(what, raster, costs, sources, targets, options, ranks, cut):
    """Whatever is written, on so many ranks with the raster cut so."""
    begin = [word for x, y in sources for word in ("--from", f"{x},{y}")]
    end = [word for x, y in targets for word in ("--to", f"{x},{y}")]
    run(ranks, costs, *begin, *end, *options, "-o", path_of("d.npy"), "--nearest", path_of("n.npy"),
        *(["--path", path_of("p.csv")] if end else []), "--decomposition", cut)
    what = f"{what}, {options}, {ranks} ranks, {cut}"
    distances = raster.distances(sources)
    check(f"{what}: distances", load("d.npy") == distances)
    numbers = [(i + 1, place) for i, place in enumerate(sources)]
    check(f"{what}: nearest", load("n.npy") == raster.nearest(distances, numbers))
    if end:
        expected = [f"{t + 1},{i},{x},{y},{distances[y][x]:.17g}" for t, target in enumerate(targets)
                    for i, (x, y) in enumerate(raster.path(distances, set(sources), target))]
        with open(path_of("p.csv"), encoding="ascii") as file:
            check(f"{what}: path", file.read().split()[1:] == expected)


def known():
    save("vector.npy", VECTOR, "|u1")
    run(1, "vector.npy", "--from", "0,0", "--barrier", "0", "--neighbours", "4", "-o", path_of("d.npy"))
    d = load("d.npy")
    check("4 neighbours", d[4][5] == 25.5)
    check("their sum", sum(v for row in d for v in row if v < math.inf) == 337.5)
    run(3, "vector.npy", "--from", "0,0", "--barrier", "0", "-o", path_of("d.npy"))
    d = load("d.npy")
    check("8 neighbours", d[4][5] == float.fromhex("0x1.8c736733bbc8ep+4"))
    check("a diagonal", abs(d[2][2] - 8.485281) < 1e-6)
    run(1, "vector.npy", "--from", "0,0", "--from", "5,4", "--barrier", "0", "--nearest",
        path_of("n.npy"))
    check("nearest", load("n.npy") == [[int(v) for v in row.replace("*", "0")] for row in
                                       "111112/11*112/111222/11***2/112222".split("/")])
    save("even.npy", [[1] * 9] * 9, "<i4")
    run(2, "even.npy", "--from", "4,4", "--neighbours", "16", "-o", path_of("d.npy"))
    d = load("d.npy")
    check("a knight's move", d[5][6] == math.sqrt(5) and abs(d[6][7] - 3.650282) < 1e-6)


def random_costs(kind, height, width, seed):
    draw = random.Random(seed)
    if kind[1] == "f":
        special = [math.nan, math.inf, 0.0, -1.0]
        single = lambda v: struct.unpack("<f", struct.pack("<f", v))[0]
        return [[draw.choice(special) if draw.random() < 0.2 else single(draw.random() * 9)
                 for _ in range(width)] for _ in range(height)]
    return [[max(draw.randrange(-2, 4), 0 if kind[1] == "u" else -1) for _ in range(width)]
            for _ in range(height)]


def surprises():
    """(type, neighbours, more options, cell size, largest distance)"""
    table = [("<f8", 8, [], (1.0, 1.0), math.inf), ("<i2", 4, [], (1.0, 1.0), math.inf),
             ("<f4", 16, [], (1.0, 1.0), math.inf), ("|u1", 8, [], (1.0, 1.0), math.inf),
             (">f8", 8, ["--cell-size", "2.5,.7"], (2.5, 0.7), math.inf),
             ("<i8", 16, ["--cell-size", "3"], (3.0, 3.0), 21.0),
             (">i2", 8, ["--quota", "3"], (1.0, 1.0), 7.5), ("<u2", 16, ["--quota", "0"], (1.0, 1.0), 4.0)]
    for i, (kind, neighbours, options, size, farthest) in enumerate(table):
        height, width = [(17, 23), (40, 9), (13, 14), (12, 31)][i % 4]
        costs = random_costs(kind, height, width, i)
        barrier = lambda c: math.isnan(c) or c == math.inf or c < 0 or c == 3
        raster = Raster(costs, barrier, neighbours, size, farthest)
        free = [(x, y) for y, x in raster.cells() if raster.costs[y][x] < math.inf]
        draw = random.Random(100 + i)
        sources = draw.sample(free, 1 + i % 3)
        distances = raster.distances(sources)
        targets = draw.sample([(x, y) for x, y in free if distances[y][x] < math.inf], 3)
        save("costs.npy", costs, kind)
        options = options + ["--neighbours", str(neighbours), "--barrier", "nan", "--barrier",
                             "negative", "--barrier=3"]
        options += ["--max-distance", str(farthest)] if farthest < math.inf else []
        for ranks, cut in [(1, "strips"), (2 + i % 3, "strips"), (4, "2x2")]:
            compare(kind, raster, "costs.npy", sources, targets, options, ranks, cut)


known()
surprises()
finish(50)
