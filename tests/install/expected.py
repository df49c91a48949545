"""What the examples should compute, written as plainly as arrays allow.

  expected.py all LINES   a file with such lines:
  expected.py EXAMPLE RESULT.npy ARGUMENT...   with the example's own arguments
  expected.py onsager RESULT.npy TEMPERATURE
  expected.py blur RESULT.png PICTURE.png RADIUS
"""

import sys

import numpy as np


def option(arguments, name, default=None):
    return arguments[arguments.index(name) + 1] if name in arguments else default


def size_and_beats(arguments):
    size = tuple(int(n) for n in reversed(option(arguments, "--size").split("x")))
    return size, int(option(arguments, "--beats", 0))


def named(arguments, *names):
    return {name: float(option(arguments, "--" + name)) for name in names}


def philox(seed, stream, numbers):
    """Word n % 4 of Philox4x32-10 for counter (n / 4, stream), in Python's own integers' width."""
    numbers = np.asarray(numbers, dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    block = numbers // np.uint64(4)
    c = [block & low, block >> np.uint64(32), np.full_like(block, stream & 0xFFFFFFFF),
         np.full_like(block, stream >> 32)]
    keys = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(b >> np.uint64(32)) ^ c[1] ^ np.uint64(keys[0]), b & low,
             (a >> np.uint64(32)) ^ c[3] ^ np.uint64(keys[1]), a & low]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.choose((numbers % np.uint64(4)).astype(int), c)


def chance(p):
    return int(p * 2**32 + 0.5)


def shifted(cells, *step):
    """The neighbours at this step, 0 beyond the edges."""
    padded = np.pad(cells, 1)
    return padded[tuple(slice(1 + s, 1 + s + n) for s, n in zip(step, cells.shape))]


def heat(arguments):
    (rows, columns), beats = size_and_beats(arguments)
    cells = np.zeros((rows, columns))
    cells[rows // 4:rows - rows // 4, columns // 4:columns - columns // 4] = 1
    for _ in range(beats):
        cells = 0.25 * (shifted(cells, -1, 0) + shifted(cells, 1, 0) + shifted(cells, 0, -1)
                        + shifted(cells, 0, 1))
    return cells


def heat3d(arguments):
    """The closed form: an eigenmode, times its factor for every beat."""
    size, beats = size_and_beats(arguments)
    waves = [np.sin(np.pi * (np.arange(n) + 1) / (n + 1)) for n in size]
    factor = 0.25 + 0.25 * sum(np.cos(np.pi / (n + 1)) for n in size)
    return factor**beats * waves[0][:, None, None] * waves[1][None, :, None] * waves[2]


def around(cells, wraps, steps):
    if wraps:
        return sum(np.roll(cells, step, (0, 1)) for step in steps)
    return sum(shifted(cells, *step) for step in steps)


CROSS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
SQUARE = CROSS + [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def game(arguments):
    (rows, columns), beats = size_and_beats(arguments)
    cells = np.array([philox(1, y, np.arange(columns)) % np.uint64(2) for y in range(rows)]).astype(int)
    for _ in range(beats):
        n = around(cells, True, SQUARE)
        cells = np.where(cells == 1, np.isin(n, (3, 4, 6, 7, 8)), np.isin(n, (3, 6, 7, 8))).astype(int)
    return cells


def forest(arguments):
    (rows, columns), beats = size_and_beats(arguments)
    options = named(arguments, "growth", "lightning", "seed")
    empty, tree, fire = 0, 1, 2
    cells = np.zeros((rows, columns), int)
    for beat in range(beats):
        numbers = philox(int(options["seed"]), beat, np.arange(rows * columns)).reshape(rows, columns)
        beside = around(cells == fire, False, CROSS) > 0
        lit = beside | (numbers < chance(options["lightning"]))
        grown = numbers < chance(options["growth"])
        cells = np.select([cells == tree, cells == fire],
                          [np.where(lit, fire, tree), empty], np.where(grown, tree, empty))
    return cells


def ising(arguments):
    (rows, columns), beats = size_and_beats(arguments)
    options = named(arguments, "temperature", "seed")
    cells = np.ones((rows, columns), int)
    y, x = np.indices(cells.shape)
    for beat in range(beats):
        numbers = philox(int(options["seed"]), beat, y * columns + x)
        up = around(cells, True, CROSS)
        alike = np.where(cells == 1, up, 4 - up)
        chances = np.array([chance(min(1, np.exp(-4 * (a - 2) / options["temperature"])))
                            for a in range(5)])
        flips = (numbers < chances[alike].astype(np.uint64)) & ((y + x + beat) % 2 == 0)
        cells = np.where(flips, 1 - cells, cells)
    return cells


def relax(arguments):
    """Until, at a hundredth beat, the mean change is below the option; and a hundred more."""
    (rows, columns), _ = size_and_beats(arguments)
    cells = np.zeros((rows, columns))
    top = np.zeros((rows, columns))
    top[0] = 1
    beat, last = 0, None
    while beat != last:
        after = 0.25 * (shifted(cells, -1, 0) + top + shifted(cells, 1, 0) + shifted(cells, 0, -1)
                        + shifted(cells, 0, 1))
        change = np.floor(np.abs(after - cells) * 2.0**40).sum()
        if beat % 100 == 0 and last is None and \
                change < float(option(arguments, "--change")) * 2.0**40 * cells.size:
            last = beat + 100
        cells = after
        beat += 1
    return cells


def means(picture, radius):
    """Means of squares, as far as they lie in the picture, to the nearest whole number."""
    sums = np.pad(picture.astype(np.int64), ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    rows, columns = picture.shape
    top, left = (np.maximum(np.arange(n) - radius, 0) for n in picture.shape)
    bottom, right = (np.minimum(np.arange(n) + radius + 1, n) for n in picture.shape)
    total = (sums[np.ix_(bottom, right)] - sums[np.ix_(top, right)] - sums[np.ix_(bottom, left)]
             + sums[np.ix_(top, left)])
    count = (bottom - top)[:, None] * (right - left)[None, :]
    return (total + count // 2) // count


def fault(name, result, *arguments):
    """What is wrong with a result, or None."""
    if name == "blur":
        from PIL import Image
        expected = means(np.asarray(Image.open(arguments[0])), int(arguments[1]))
        found = np.asarray(Image.open(result))
    elif name == "onsager":
        mean = 2 * np.load(result).mean() - 1
        theory = (1 - np.sinh(2 / float(arguments[0])) ** -4) ** 0.125
        # The magnet of L. Onsager's theory
        return f"{mean}, not {theory}" if abs(mean - theory) > 0.004 else None
    else:
        expected, found = globals()[name](arguments), np.load(result)
    if expected.shape != found.shape:
        return f"{found.shape}, not {expected.shape}"
    # Sines and factors are rounded differently; everything else is the same to the last bit.
    tolerance = 1e-13 if name == "heat3d" else 0
    worst = np.abs(expected - found.astype(expected.dtype)).max()
    return None if worst <= tolerance else f"they differ by {worst}"


def main():
    lines = [sys.argv[1:]]
    if sys.argv[1] == "all":
        with open(sys.argv[2], encoding="utf-8") as file:
            lines = [line.split() for line in file]
    faults = [f"{words[0]}: {found}" for words in lines if (found := fault(*words)) is not None]
    sys.exit("\n".join(faults) if faults else 0)


main()
