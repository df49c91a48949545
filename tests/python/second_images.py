"""Filters with a second image: numpy's arithmetic, and scikit-image's reconstruction."""

import hashlib
import itertools
import operator
import unittest
from fractions import Fraction

import numpy as np
import scipy.ndimage as nd
from skimage import morphology

import halobeat as hb
from cases import LAYOUTS, raises
from watersheds import smooth

TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8")
OPERATIONS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv}


def limits(dtype):
    return (np.iinfo if np.dtype(dtype).kind in "iu" else np.finfo)(dtype)


def samples(random, shape, dtype):
    """Samples of a type, its ends and small ones among them; of reals those of several magnitudes."""
    if np.dtype(dtype).kind == "f":
        return (random.normal(size=shape) * 10. ** random.integers(-3, 4, shape)).astype(dtype)
    ends = limits(dtype)
    some = random.integers(ends.min, ends.max, shape, dtype, endpoint=True)
    small = random.integers(0, 5, shape).astype(dtype)
    return np.choose(random.integers(0, 4, shape), [some, small, np.full(shape, ends.max, dtype), np.full(shape, ends.min, dtype)])


def rounded(values, dtype):
    """Reals as samples of a type: whole numbers are rounded to the nearest, and cut off; NaN is 0."""
    if np.dtype(dtype).kind == "f":
        return values.astype(dtype)
    low, high = (float(one) for one in (limits(dtype).min, limits(dtype).max))
    return np.clip(np.nan_to_num(np.rint(values), nan=0, posinf=high, neginf=low), low, high).astype(dtype)


def exact(name, a, b, dtype):
    """A whole number from whole numbers."""
    if name == "divide" and b == 0:
        value = 0 if a == 0 else 2**70 if a > 0 else -2**70
    else:
        value = round(Fraction(a) / Fraction(b)) if name == "divide" else OPERATIONS[name](a, b)
    return min(max(value, int(limits(dtype).min)), int(limits(dtype).max))


class Arithmetic(unittest.TestCase):
    def test_images(self):
        random = np.random.default_rng(1)
        for case, (name, one, other) in enumerate(itertools.product(OPERATIONS, TYPES, TYPES)):
            if {one, other} & {"u8", "i8"}:
                continue
            a, b = samples(random, (7, 70), one), samples(random, (7, 70), other)
            for dtype in (one, "f8", "u1", "i2", "f4"):
                with np.errstate(all="ignore"), hb.ranks(1 + case % 3):
                    want = OPERATIONS[name](a.astype("f8"), b.astype("f8"))
                    got = hb.filter(LAYOUTS[case % len(LAYOUTS)](a),
                                    (name, LAYOUTS[case // 3 % len(LAYOUTS)](b), f"dtype={np.dtype(dtype).name}"))
                    np.testing.assert_array_equal(got, rounded(want, dtype), f"{name} of {one}, {other} to {dtype}")

    def test_whole(self):
        """Whole numbers of 64 bits are computed without loss."""
        random = np.random.default_rng(2)
        whole = [dtype for dtype in TYPES if dtype[0] != "f"]
        for name, one, other in itertools.product(OPERATIONS, whole, whole):
            a, b = samples(random, 60, one), samples(random, 60, other)
            for dtype in ((one,) if {one, other} & {"u8", "i8"} else ("u8", "i8")):
                want = [exact(name, x, y, dtype) for x, y in zip(a.tolist(), b.tolist())]
                got = hb.filter(a, (name, b, f"dtype={np.dtype(dtype).name}"))
                self.assertEqual(got.tolist(), want, f"{name} of {one}, {other} to {dtype}")
                number = b.tolist()[0]
                self.assertEqual(hb.filter(a, (name, number, f"dtype={np.dtype(dtype).name}")).tolist(),
                                 [exact(name, x, number, dtype) for x in a.tolist()], f"{name} of {one}, {number} to {dtype}")

    def test_numbers(self):
        random = np.random.default_rng(3)
        for name, one, number in itertools.product(OPERATIONS, TYPES, (12, -3, .37, 0, 1e9)):
            if one in ("u8", "i8"):
                continue
            a = samples(random, (5, 70), one)
            for dtype in (one, "f4", "f8", "u2"):
                b = np.float32(number) if (one, dtype) == ("f4", "f4") else np.float64(number)
                with np.errstate(all="ignore"):
                    want = OPERATIONS[name](a if one == "f8" else a.astype("f8"), np.float64(b))
                got = getattr(hb.filters, name)(a, number, dtype=dtype)
                np.testing.assert_array_equal(got, rounded(want, dtype), f"{name} of {one}, {number} to {dtype}")

    def test_flat_field(self):
        """A dark image and a flat one, in one pass with a smoothing, for any number of ranks."""
        random = np.random.default_rng(4)
        a, dark = (random.integers(0, most, (61, 70)).astype("u2") for most in (4000, 300))
        gain = random.random((61, 70)).astype("f4") + np.float32(.5)
        want = rounded(rounded(a.astype("f8") - dark, "u2") * gain.astype("f8"), "u2")
        for ranks in (1, 2, 5):
            with hb.ranks(ranks):
                np.testing.assert_array_equal(hb.filter(a, [("subtract", dark), ("multiply", gain)]), want)
                np.testing.assert_array_equal(
                    hb.filter(a, [("subtract", dark), ("multiply", gain), "gaussian:2", "median:1", ("add", dark)], tile=3),
                    hb.filters.add(hb.filter(want, "gaussian:2 median:1"), dark))
                np.testing.assert_array_equal(
                    hb.filter(a, ["gaussian:1:mode=wrap", ("subtract", dark), "gaussian:2:mode=wrap"]),
                    hb.filter(hb.filters.subtract(hb.filter(a, "gaussian:1:mode=wrap"), dark), "gaussian:2:mode=wrap"))

    def test_channels(self):
        """Second images of colours have the same axis, or are combined with each colour."""
        random = np.random.default_rng(6)
        a, b = (random.integers(0, 256, (6, 7, 3)).astype("u1") for _ in range(2))
        want = np.maximum(a.astype(int) - b, 0)
        np.testing.assert_array_equal(hb.filter(a, ("subtract", b), channel_axis=-1), want)
        np.testing.assert_array_equal(hb.filters.subtract(a, b[..., 1], channel_axis=2),
                                      np.maximum(a.astype(int) - b[..., 1:2], 0))

    def test_masks(self):
        """Booleans are 0 and 1; an array may be the result, too."""
        a = np.arange(60, dtype="u1").reshape(6, 10)
        mask = a % 3 == 0
        np.testing.assert_array_equal(hb.filters.multiply(a, mask), np.where(mask, a, 0))
        other = a.copy()
        self.assertIs(hb.filter(a, [("subtract", other), "gaussian:1", ("add", other)], output=other), other)
        np.testing.assert_array_equal(other, a)


VECTORS = (
    ((60, 70), 3, 1, 1, 1, "b2893315c0bd"), ((60, 70), 3, 1, 1, 20, "abde9609c528"),
    ((60, 70), 3, 1, 2, 1, "b05c0c43caf9"), ((60, 70), 3, 1, 2, 20, "e76cb66ddc65"),
    ((14, 16, 18), 2, 1, 1, 1, "9ecc6defe039"), ((14, 16, 18), 2, 1, 1, 20, "77e655f87a52"),
    ((14, 16, 18), 2, 1, 3, 1, "616340ed9f74"), ((14, 16, 18), 2, 1, 3, 20, "b0daa574f17f"),
    ((60, 70), 3, 16, 1, 1, "6f1790a23462"), ((60, 70), 3, 16, 1, 20, "da56d3c3a4e2"),
    ((60, 70), 3, 16, 2, 1, "d27efd7a202c"), ((60, 70), 3, 16, 2, 20, "da56d3c3a4e2"),
)


class Reconstruction(unittest.TestCase):
    def test_definition(self):
        """The reconstruction of an image from itself minus h, whose digests another program has computed."""
        for shape, radius, divided, connectivity, height, want in VECTORS:
            image = smooth(shape, radius) // divided
            for ranks, dtype in itertools.product((1, 2, 5), ("i2", "i4", "f4", "f8")):
                a = image.astype(dtype)
                with hb.ranks(ranks):
                    got = hb.filter(a, [("subtract", height), ("reconstruction", a, f"connectivity={connectivity}")])
                self.assertEqual(hashlib.sha256(np.ascontiguousarray(got.astype("<i4")).tobytes()).hexdigest()[:12], want)

    def test_random(self):
        random = np.random.default_rng(5)
        for case in range(200):
            axes = 1 + case % 3
            shape, dtype = random.integers(1, 12 if axes == 3 else 30, axes), TYPES[case % len(TYPES)]
            a, b = (random.integers(0, 100, shape).astype(dtype) for _ in range(2))
            connectivity, erodes = 1 + case // 3 % axes, bool(case % 2)
            element = nd.generate_binary_structure(axes, connectivity)
            if case % 5:
                a, b = (nd.uniform_filter(one, 5) for one in (a, b))
            seed = (np.maximum if erodes else np.minimum)(a, b)
            want = morphology.reconstruction(seed, b, "erosion" if erodes else "dilation", footprint=element)
            with hb.ranks(1 + case % 4):
                layout = LAYOUTS[case % len(LAYOUTS)]
                # Samples beyond the mask begin at it.
                got = hb.filters.reconstruction(layout(a), b, "erosion" if erodes else "dilation", connectivity)
                np.testing.assert_array_equal(got, want)
                self.assertEqual(got.dtype, dtype)
                holds = b > np.median(b)
                got = hb.filters.reconstruction(a > 60, layout(holds), connectivity=connectivity)
                np.testing.assert_array_equal(got, morphology.reconstruction((a > 60) & holds, holds, footprint=element))

    def test_refused(self):
        a, b = np.zeros((4, 5), "f4"), np.zeros((4, 6), "f4")
        raises(self, ValueError, "6 x 4 pixels, and the image 5 x 4 pixels", hb.filters.reconstruction, a, b)
        raises(self, ValueError, "5 elements, and the image 5 x 4 pixels", hb.filter, a, ("subtract", a[0]))
        raises(self, ValueError, "mask are float64", hb.filters.reconstruction, a, a.astype("f8"))
        raises(self, ValueError, "no array \"dark.tif\" is given", hb.filter, a, "subtract:dark.tif")
        raises(self, ValueError, "step 2, subtract: it needs an image or a number", hb.filter, a, "invert subtract")
        raises(self, ValueError, "it needs a mask", hb.filter, a, "reconstruction")
        raises(self, ValueError, "no array \"3\" is given", hb.filter, a, "reconstruction:3")
        raises(self, TypeError, "is no step", hb.filter, a, (3, a))
        raises(self, ValueError, "more than 8 images", hb.filter, a, [("add", np.zeros((4, 5))) for _ in range(9)])
        raises(self, TypeError, "missing a required argument", hb.filters.multiply, a)
        raises(self, ValueError, "4 axes", hb.filter, a, ("add", np.zeros((1, 1, 4, 5))))
        a[0, 0] = np.nan
        raises(self, ValueError, "NaN", hb.filters.reconstruction, a, b[:, :5])


if __name__ == "__main__":
    unittest.main()
