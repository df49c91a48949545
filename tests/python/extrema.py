"""Extrema are scikit-image's, where these are what is defined."""

import hashlib
import itertools
import unittest
import warnings

import numpy as np
import scipy.ndimage as nd
from skimage import morphology

import halobeat as hb
from cases import LAYOUTS, raises
from watersheds import smooth

TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8")


def digest(array):
    """Of bits as bytes, and of whole numbers as 32 bits."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:12]


# Image, connectivity, h: digests of local maxima and of extended ones, and their numbers; and the number of parts of
# h_maxima. A program of its own has computed them.
VECTORS = (
    ((60, 70), 3, 1, 1, 1, "b562b75835f2", 62, "ca56774cc8c7", 48, 62),
    ((60, 70), 3, 1, 1, 20, "b562b75835f2", 62, "ece1eda3f274", 15, 15),
    ((60, 70), 3, 1, 2, 1, "8e12592c4fd3", 55, "6aaa5abf5a81", 46, 55),
    ((60, 70), 3, 1, 2, 20, "8e12592c4fd3", 55, "ece1eda3f274", 15, 15),
    ((14, 16, 18), 2, 1, 1, 1, "da7321ed0a7b", 27, "1d5b4278f534", 17, 27),
    ((14, 16, 18), 2, 1, 1, 20, "da7321ed0a7b", 27, "aa554a86d3ac", 7, 7),
    ((14, 16, 18), 2, 1, 3, 1, "edbeb07171ac", 18, "bb1ba7236e34", 12, 18),
    ((14, 16, 18), 2, 1, 3, 20, "edbeb07171ac", 18, "aa554a86d3ac", 7, 7),
    ((60, 70), 3, 16, 1, 1, "60cc805124e2", 29, "c181d3ff7368", 16, 29),
    ((60, 70), 3, 16, 1, 20, "60cc805124e2", 29, "871d72a89ff3", 0, 0),
    ((60, 70), 3, 16, 2, 1, "2fcc38f5733f", 26, "3f3e9cd62266", 16, 26),
    ((60, 70), 3, 16, 2, 20, "2fcc38f5733f", 26, "871d72a89ff3", 0, 0),
)


class Extrema(unittest.TestCase):
    def test_definition(self):
        for shape, radius, divided, connectivity, height, local, locals_, extended, extended_, parts in VECTORS:
            image = smooth(shape, radius) // divided
            element = nd.generate_binary_structure(image.ndim, connectivity)
            for ranks, dtype in itertools.product((1, 2, 5), ("u1", "i2", "f4", "f8")):
                with hb.ranks(ranks):
                    for kind, a in (("maxima", image), ("minima", 255 - image)):
                        more = f":connectivity={connectivity}"
                        got = hb.filter(a.astype(dtype), f"local_{kind}{more}")
                        self.assertEqual((digest(got), nd.label(got, element)[1]), (local, locals_))
                        got = hb.filter(a.astype(dtype), f"extended_{kind}:{height}{more}")
                        self.assertEqual((digest(got), nd.label(got, element)[1]), (extended, extended_))
                        got = hb.filter(a.astype(dtype), f"h_{kind}:{height}{more}")
                        self.assertEqual(nd.label(got, element)[1], parts)

    def test_small(self):
        """Plateaus; maxima of equal height; constant images, which are one maximum of no height."""
        equal = np.array([[0, 5, 4, 5, 0]], "u1")
        self.assertEqual(hb.filter(equal, "h_maxima:3").astype(int).tolist(), [[0, 1, 0, 1, 0]])
        self.assertEqual(hb.filter(equal, "extended_maxima:3").astype(int).tolist(), [[0, 1, 1, 1, 0]])
        beside = np.array([[1, 1, 1, 1], [1, 1, 1, 2], [0, 0, 0, 0]])
        self.assertEqual(hb.filters.local_maxima(beside).nonzero(), (1, 3))
        constant = np.full((3, 3), 7)
        self.assertTrue(hb.filter(constant, "local_maxima").all() and hb.filter(constant, "local_minima").all())
        for step in ("h_maxima:1", "h_minima:1", "extended_maxima:1", "extended_minima:1", "local_maxima:allow_borders=false"):
            self.assertFalse(hb.filter(constant, step).any())
        # The height at the end of a type, and one that is no whole number.
        ends = np.array([[0, 255, 3, 200, 2]], "u1")
        for height, want in ((255, [0, 1, 0, 0, 0]), (254.5, [0, 1, 0, 0, 0]), (197, [0, 1, 0, 1, 0]), (197.5, [0, 1, 0, 0, 0]),
                             (196.5, [0, 1, 0, 1, 0]), (256, [0] * 5), (1e300, [0] * 5)):
            self.assertEqual(hb.filter(ends, f"h_maxima:{height}").astype(int).tolist(), [want])
        # Reals have heights that the type cannot add, zeroes of both signs, and infinity.
        reals = np.array([[0, 1e8, 2, -0., 0, 3, np.inf, 3]], "f4")
        self.assertEqual(hb.filter(reals, "h_maxima:1e-30").nonzero()[1].tolist(), [1, 6])
        self.assertEqual(hb.filter(reals, "h_minima:1").nonzero()[1].tolist(), [0, 3, 4, 7])
        self.assertEqual(hb.filter(reals[:, ::-1], "extended_maxima:1e7").nonzero()[1].tolist(), [1, 6])
        large = np.array([2**53 + 1, 2**53, 2**53 + 2, 2**53 + 1], "i8")
        self.assertEqual(hb.filter(large, "h_maxima:2").astype(int).tolist(), [0, 0, 1, 0])
        self.assertEqual(hb.filter(large, "h_maxima:1").astype(int).tolist(), [1, 0, 1, 0])

    def test_random(self):
        random = np.random.default_rng(5)
        for case in range(300):
            axes = int(random.integers(1, 4))
            shape, levels = random.integers(1, 12 if axes == 3 else 24, axes), int(random.choice([2, 4, 16, 120]))
            dtype = TYPES[case % len(TYPES)]
            a = (random.integers(0, levels, shape) - (levels // 3 if dtype[0] != "u" else 0)).astype(dtype)
            connectivity, borders, height = 1 + case % axes, bool(case % 5), int(random.choice([1, 2, 3, 10, 50]))
            element = nd.generate_binary_structure(axes, connectivity)
            with hb.ranks(1 + case % 4), warnings.catch_warnings():
                warnings.simplefilter("ignore") # allow_borders of small images
                for sign, kind in ((1, "maxima"), (-1, "minima")):
                    s = sign * a.astype("i8")
                    want = morphology.local_maxima(s, connectivity=connectivity, allow_borders=borders).astype(bool)
                    want |= borders and s.min() == s.max()
                    got = hb.filter(LAYOUTS[case % len(LAYOUTS)](a),
                                    f"local_{kind}:connectivity={connectivity}:allow_borders={str(borders).lower()}")
                    np.testing.assert_array_equal(got, want & (borders or min(shape) > 2))
                    got = hb.filter(a, f"h_{kind}:{height}:connectivity={connectivity}")
                    np.testing.assert_array_equal(got, morphology.h_maxima(s, height, footprint=element).astype(bool))
                    lowered = morphology.reconstruction(s - height, s, footprint=element)
                    got = hb.filter(a, f"extended_{kind}:{height}:connectivity={connectivity}")
                    np.testing.assert_array_equal(got, morphology.local_maxima(lowered, footprint=element))

    def test_refused(self):
        a = np.zeros((4, 5), "f4")
        raises(self, ValueError, "it needs a height", hb.filter, a, "h_maxima")
        raises(self, ValueError, "h takes", hb.filter, a, "extended_minima:0")
        a[1, 1] = np.nan
        raises(self, ValueError, "NaN", hb.filter, a, "local_maxima")


if __name__ == "__main__":
    unittest.main()
