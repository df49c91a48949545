"""Distances and indices are those of scipy, number for number."""

import hashlib
import unittest
import warnings

import numpy as np
import scipy.ndimage as nd
from skimage.segmentation import expand_labels

import halobeat as hb
from cases import LAYOUTS, MORE, raises


def numbers(count):
    """xorshift64*, whose upper 32 bits are the numbers."""
    state, out = 88172645463325252, np.empty(count, np.uint64)
    for i in range(count):
        state ^= state >> 12
        state = (state ^ (state << 25)) & (2**64 - 1)
        state ^= state >> 27
        out[i] = (state * 2685821657736338717) & (2**64 - 1)
    return out >> np.uint64(32)


def noise(shape, levels=256):
    return (numbers(int(np.prod(shape))) % np.uint64(levels)).astype(np.int64).reshape(shape)


def blobs(shape, radius=3):
    """Noise that was summed twice over boxes of a torus."""
    image = noise(shape)
    for _ in range(2):
        for axis in range(image.ndim):
            image = sum(np.roll(image, k, axis) for k in range(-radius, radius + 1))
    low, high = int(image.min()), int(image.max())
    return (image - low) * 256 // (high - low + 1) >= 128


def disks(size=96, count=14):
    places = numbers(3 * count).astype(np.int64)
    rows, columns = np.indices((size, size))
    image = np.zeros((size, size), bool)
    for y, x, r in places.reshape(-1, 3):
        image |= (rows - y % size)**2 + (columns - x % size)**2 <= (6 + r % 9)**2
    return image


def digits(array, dtype):
    return hashlib.sha256(np.ascontiguousarray(array).astype(dtype).tobytes()).hexdigest()[:12]


class Distances(unittest.TestCase):
    def test_vectors(self):
        """Digests that a definition pixel by pixel has, of squares, float32 and indices."""
        for image, *want in (
                (noise((40, 53), 1000) >= 50, "a5d7feaa709b", "635da2546253", "8b6b9eefb37d"),
                (noise((60, 70), 1000) >= 5, "5dca3304412e", "9da67390d8e0", "000cd302d8c3"),
                (blobs((64, 65)), "f64d579b385d", "2dfce09556db", "5bcb23a196a8"),
                (disks(), "6e6c67859fed", "fb979d350d0d", "1d0b7cbc2493"),
                (noise((11, 12, 13), 1000) >= 40, "61ba7e4a3940", "4ae5e186eaf9", "249548340602"),
                (blobs((16, 20, 24), 1), "28150cf87819", "ea4d2d0b75f2", "0b172671e76b")):
            squares = hb.distance_transform_edt(image, squared=True)
            distances, indices = hb.distance_transform_edt(image, return_indices=True, dtype="f4")
            self.assertEqual([digits(squares, "<i4"), digits(distances, "<f4"), digits(indices, "<i4")], want)
            self.assertEqual((squares.dtype, distances.dtype, indices.dtype), ("i8", "f4", "i4"))

    def test_scipy(self):
        rng = np.random.default_rng(3)
        for i in range(400 if MORE else 100):
            shape = tuple(rng.integers(1, [400, 50, 16][i % 3], 1 + i % 3))
            image = rng.random(shape) < rng.choice([.3, .9, .999])
            image.flat[rng.integers(image.size)] = False
            sampling = None if i % 2 else tuple(rng.choice([.5, .7, 1, 2.5, 3.3], len(shape)))
            given = rng.choice(LAYOUTS)(image.astype(rng.choice(["?", "u1", "i4", "f8"])))
            with hb.ranks(int(rng.integers(1, 5))):
                distances, indices = hb.distance_transform_edt(given, sampling, return_indices=True)
                again = np.empty(shape, order=rng.choice(["C", "F"]))
                self.assertIsNone(hb.distance_transform_edt(given, sampling, distances=again))
            want, places = nd.distance_transform_edt(image, sampling, return_indices=True)
            np.testing.assert_array_equal(distances, again)
            if sampling is None:
                np.testing.assert_array_equal(distances, want)
                np.testing.assert_array_equal(indices, places)
            else:
                np.testing.assert_array_max_ulp(distances, want, 2)

    def test_forms(self):
        image = blobs((30, 40))
        inside, outside = nd.distance_transform_edt(image), nd.distance_transform_edt(~image)
        np.testing.assert_array_equal(hb.distance_transform_edt(image, with_sign=True), inside - outside)
        np.testing.assert_array_equal(hb.distance_transform_edt(image, invert=True), outside)
        framed = nd.distance_transform_edt(np.pad(image, 1))[1:-1, 1:-1]
        np.testing.assert_array_equal(hb.distance_transform_edt(image, edge=True), framed)
        squares = np.rint(inside**2) - np.rint(outside**2)
        for dtype in ("i8", "i4", "f4", "f8"):
            got = hb.distance_transform_edt(image, squared=True, with_sign=True, dtype=dtype)
            self.assertEqual(got.dtype, dtype)
            np.testing.assert_array_equal(got, squares)
        np.testing.assert_allclose(hb.distance_transform_edt(image, 2, squared=True), 4 * np.rint(inside**2))
        near = np.zeros((2, 30, 40), "i2")
        self.assertIsNone(hb.distance_transform_edt(image, return_distances=False, return_indices=True, indices=near))
        np.testing.assert_array_equal(near, nd.distance_transform_edt(image, return_indices=True)[1])
        same = image.astype(float)
        hb.distance_transform_edt(same, distances=same)
        np.testing.assert_array_equal(same, inside)

    def test_infinite(self):
        image = np.ones((3, 4), bool)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            distances, indices = hb.distance_transform_edt(image, return_indices=True)
            self.assertRegex(str(caught[0].message), "no element of input is 0: distances are infinite; pass edge=True")
        self.assertTrue(np.isposinf(distances).all() and (indices == -1).all())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(hb.distance_transform_edt(image, edge=True).max(), 2)
            self.assertEqual(hb.distance_transform_edt(np.ones((0, 3))).shape, (0, 3))
            self.assertEqual(hb.distance_transform_edt(0).tolist(), [0])

    def test_thickness(self):
        """Digests that a definition radius by radius has, of squares, and their mean."""
        for image, digest, mean in ((disks(), "50d3a7b3a877", 21.786938), (blobs((60, 70), 4), "d6ba94d05eaa", 14.133266),
                                    (blobs((14, 18, 20), 2), "6e5474945581", 8.098587)):
            for layout in LAYOUTS[:4]:
                with hb.ranks(3):
                    squares = hb.local_thickness(layout(image), squared=True)
                self.assertEqual(digits(squares, "<i4"), digest)
            thickness = hb.local_thickness(image)
            np.testing.assert_array_equal(thickness, 2 * np.sqrt(squares))
            self.assertAlmostEqual(thickness[image].mean(), mean, 6)
            np.testing.assert_allclose(hb.local_thickness(image, spacing=.5, dtype="f4"), np.sqrt(squares), 1e-6)
        rng = np.random.default_rng(9)
        for i in range(30):
            shape = tuple(rng.integers(1, [90, 24, 9][i % 3], 1 + i % 3))
            image = nd.gaussian_filter(rng.random(shape), 1) > rng.choice([.3, .4, .5])
            image.flat[0] = False
            with hb.ranks(1 + i % 4):
                np.testing.assert_array_equal(hb.local_thickness(image, squared=True), self.balls(image))
        bars = np.zeros((40, 60), bool)
        for width, row in ((1, 2), (2, 5), (3, 9), (4, 14), (5, 20)):
            bars[row:row + width, 5:55] = True
        self.assertEqual([hb.local_thickness(bars)[row, 30] for row in (2, 5, 9, 14, 20)], [2, 2, 4, 4, 6])
        with self.assertWarnsRegex(RuntimeWarning, "no element of input is 0: the thickness is infinite"):
            self.assertTrue(np.isposinf(hb.local_thickness(np.ones((3, 4)))).all())
        self.assertEqual(hb.local_thickness(np.ones((3, 40)), edge=True).max(), 4)

    @staticmethod
    def balls(image):
        squares = np.rint(nd.distance_transform_edt(image)**2).astype(int)
        places, found = np.indices(image.shape), np.zeros_like(squares)
        for centre in np.argwhere(image):
            away = sum((place - at)**2 for place, at in zip(places, centre))
            ball = away < squares[tuple(centre)]
            found[ball] = np.maximum(found[ball], squares[tuple(centre)])
        return found

    def test_expand_labels(self):
        rng = np.random.default_rng(10)
        for i in range(60):
            shape = tuple(rng.integers(1, [300, 60, 15][i % 3], 1 + i % 3))
            labels = np.where(rng.random(shape) < rng.choice([.002, .05, .4]), rng.integers(1, 200, shape), 0)
            labels.flat[rng.integers(labels.size)] = 7
            labels = rng.choice(LAYOUTS)(labels.astype(rng.choice(["u1", "i4", ">u2", "u8"])))
            distance = rng.choice([0, 1, 1.5, 5, 20.2, np.inf])
            with hb.ranks(1 + i % 4):
                got = hb.expand_labels(labels, distance)
            self.assertEqual(got.dtype, labels.dtype)
            np.testing.assert_array_equal(got, expand_labels(labels, distance))
        labels = np.zeros((9, 20), "i4")
        labels[4, 5], labels[4, 15] = 1, 2
        near = nd.distance_transform_edt(labels == 0, (2, .5)) <= 3
        np.testing.assert_array_equal(hb.expand_labels(labels, 3, (2, .5)) > 0, near)
        self.assertFalse(hb.expand_labels(np.zeros((5, 6), int), 3).any())
        hb.expand_labels(labels, 2, output=labels)
        self.assertEqual(np.bincount(labels.ravel()).tolist(), [180 - 26, 13, 13])

    def test_refused(self):
        image = np.ones((3, 4), bool)
        edt = hb.distance_transform_edt
        raises(self, RuntimeError, "at least one of return_distances", edt, image, return_distances=False)
        raises(self, RuntimeError, "return_indices must be True if indices", edt, image, indices=np.ones((2, 3, 4), "i4"))
        raises(self, RuntimeError, r"distances has the shape \(4, 3\)", edt, image, distances=np.ones((4, 3)))
        raises(self, RuntimeError, r"must have \(2, 3, 4\)", edt, image, None, True, True, None, np.ones((3, 4), "i4"))
        raises(self, RuntimeError, "must have a number for each of 2 axes", edt, image, (1, 2, 3))
        raises(self, ValueError, "and must be above 0", edt, image, (1, 0))
        raises(self, TypeError, "no option 'metric'; it has input, sampling", edt, image, metric=1)
        raises(self, ValueError, "must have float32 or float64; squared", edt, image, dtype="i4")
        raises(self, ValueError, "4 axes.*must have 1 to 3", edt, np.ones((1, 1, 2, 2)))
        raises(self, ValueError, "distance is -1, and must be 0 or more", hb.expand_labels, image.astype(int), -1)
        raises(self, TypeError, "distance is 'far', and must be a number", hb.expand_labels, image.astype(int), "far")
        raises(self, TypeError, "is of bool", hb.expand_labels, image)
        raises(self, ValueError, "must have one type", hb.expand_labels, image.astype(int), output=np.ones((3, 4)))
        raises(self, ValueError, "output has the shape", hb.local_thickness, image, output=np.ones((4, 3)))
        raises(self, ValueError, "squared radii may be whole numbers", hb.local_thickness, image, dtype="i4")
        raises(self, ZeroDivisionError, "", edt, np.zeros((300, 300)), progress=lambda *done: 1 / 0)


if __name__ == "__main__":
    unittest.main()
