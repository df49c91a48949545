"""Thinning of volumes is the algorithm of Palagyi and Kuba, keeps what is connected, and ends of lines."""

import itertools
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage import measure

import halobeat as hb
from cases import raises

# The templates for voxels that go from above, layer by layer, from above to below: 1 foreground, 0 background, x of which
# one is foreground at least, . anything. They count in all four quarter turns around the vertical.
TEMPLATES = (
    ("000 000 000", "xxx x1x xxx", "xxx x1x xxx"),
    ("... 000 000", ".1. .1. ...", "... .1. ..."),
    ("... 00. 00.", ".1. .11 ...", "... .1. ..."),
    ("001 000 000", "..1 .1. ...", "... .1. ..."),
    ("000 000 000", "xxx x1x 000", "x1x x0x 000"),
    ("000 000 000", "... 01. 00.", ".1. 001 00."),
)
# Turns of a volume that bring each direction up, in the order of the steps: planes, rows and columns from both ends.
DIRECTIONS = (lambda a: a, lambda a: a[::-1], lambda a: a.swapaxes(0, 1), lambda a: a[:, ::-1].swapaxes(0, 1),
              lambda a: a.swapaxes(0, 2), lambda a: a[:, :, ::-1].swapaxes(0, 2))
ALL = np.ones((3, 3, 3))


def turned():
    """The templates in all turns, as arrays of letters."""
    for layers in TEMPLATES:
        cube = np.array([[list(row) for row in layer.split()] for layer in layers])
        for turn in range(4):
            yield np.rot90(cube, turn, (1, 2))


def matching(a):
    """The voxels of a volume that a template matches, from above."""
    wide = np.pad(a, 1)
    found = np.zeros(a.shape, bool)
    for cube in turned():
        fits, any_x = a.copy(), np.full(a.shape, "x" not in cube)
        for place in itertools.product(range(3), repeat=3):
            near = wide[tuple(slice(i, i + n) for i, n in zip(place, a.shape))]
            if cube[place] == "x":
                any_x |= near
            elif cube[place] != ".":
                fits &= near == (cube[place] == "1")
        found |= fits & any_x
    return found


def thin(a):
    """The skeleton by the definition."""
    a = a.copy()
    changed = True
    while changed:
        changed = False
        for direction in DIRECTIONS:
            view = direction(a)
            goes = matching(np.ascontiguousarray(view))
            view[goes] = False
            changed |= goes.any()
    return a


def topology(a):
    """Objects, cavities and background, and the Euler number, which says the number of tunnels."""
    wide = np.pad(a, 1)
    return nd.label(wide, ALL)[1], nd.label(~wide)[1], measure.euler_number(wide, 3)


def volumes():
    """Noise of all densities, smooth blobs, and shapes with tunnels and cavities."""
    random = np.random.default_rng(7)
    for shape, share in itertools.product(((9, 13, 70), (1, 20, 30), (20, 3, 5), (7, 8, 9)), (.1, .3, .5, .7, .9)):
        yield random.random(shape) < share
    for sigma, share in itertools.product((1, 2), (.3, .6)):
        noise = nd.gaussian_filter(random.random((22, 25, 130)), sigma)
        yield noise > np.quantile(noise, share)
    z, y, x = np.indices((25, 27, 29)) - 13.
    yield (np.hypot(x, y) - 8)**2 + z**2 < 12  # a ring
    yield (x**2 + y**2 + z**2 < 140) & (x**2 + y**2 + z**2 > 20)  # a shell
    yield (abs(x) < 10) & (abs(y) < 9) & (abs(z) < 4) & ~((abs(abs(x) - 5) < 2) & (abs(abs(y) - 4) < 2))  # four holes
    yield np.ones((6, 10, 66), bool)


class Thinning(unittest.TestCase):
    def test_definition(self):
        for a in volumes():
            want = thin(a)
            for ranks in (1, 2, 3, 7):
                with hb.ranks(ranks):
                    np.testing.assert_array_equal(hb.filter(a, "skeletonize"), want)

    def test_topology(self):
        """Nothing breaks, joins, or is filled; and what is thin stays as it is."""
        random = np.random.default_rng(3)
        small = (random.random((8, 9, 10)) < random.uniform(.05, .95) for _ in range(300))
        for a in itertools.chain(volumes(), small):
            got = hb.filter(a, "skeletonize")
            self.assertFalse((got & ~a).any())
            self.assertEqual(topology(got), topology(a))
            np.testing.assert_array_equal(hb.filter(got, "skeletonize"), got)

    def test_lines(self):
        """Lines of all directions stay whole, up to their ends; a bar becomes one."""
        for step in itertools.product((-1, 0, 1), repeat=3):
            if any(step):
                a = np.zeros((15, 15, 15), bool)
                for i in range(-6, 7):
                    a[tuple(7 + i * s for s in step)] = True
                np.testing.assert_array_equal(hb.filter(a, "skeletonize"), a)
        bar = np.zeros((11, 11, 80), bool)
        bar[3:8, 3:8, 10:70] = True
        got = hb.filter(bar, "skeletonize")
        self.assertTrue(50 <= got.sum() <= 62 and (got.sum((0, 1)) <= 1).all())
        ends = (nd.convolve(got.astype(int), ALL.astype(int), mode="constant") * got == 2).sum()
        self.assertEqual(ends, 2)

    def test_values(self):
        a = np.random.default_rng(1).random((7, 8, 70)) < .6
        want = hb.filter(a, "skeletonize")
        for dtype in ("u1", "i2", "f4"):
            np.testing.assert_array_equal(hb.filter(a.astype(dtype) * 3, "skeletonize"), want)
        np.testing.assert_array_equal(hb.filter(np.asfortranarray(a), "skeletonize"), want)
        self.assertFalse(hb.filter(np.zeros((3, 4, 5), bool), "skeletonize").any())
        raises(self, ValueError, "one axis", hb.filter, np.ones(5), "skeletonize")


if __name__ == "__main__":
    unittest.main()
