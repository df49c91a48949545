"""Watersheds are scikit-image's where no values are equal, and those of a definition where some are."""

import hashlib
import itertools
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage.segmentation import watershed

import halobeat as hb
from cases import LAYOUTS, raises


def numbers(count, seed=88172645463325252):
    """xorshift64*: the upper halves of numbers that any language can make."""
    out, state = np.empty(count, np.int64), seed
    for i in range(count):
        state ^= state >> 12
        state = (state ^ (state << 25)) & (2**64 - 1)
        state ^= state >> 27
        out[i] = (state * 2685821657736338717 & (2**64 - 1)) >> 32
    return out


def smooth(shape, radius=3, levels=256):
    """Noise that is summed over windows on a torus, twice, as whole numbers."""
    image = (numbers(int(np.prod(shape))) % 256).reshape(shape)
    for axis in [*range(image.ndim)] * 2:
        image = sum(np.roll(image, k, axis) for k in range(-radius, radius + 1))
    low, high = int(image.min()), int(image.max())
    return (image - low) * levels // (high - low + 1)


def markers(image, count):
    found = np.zeros(image.shape, int)
    found.ravel()[numbers(count, 1234567) % image.size] = np.arange(1, count + 1)
    return found


def disks(size=96, count=14):
    values, (rows, columns) = numbers(3 * count), np.indices((size, size))
    image = np.zeros((size, size), bool)
    for k in range(count):
        row, column, radius = values[3 * k] % size, values[3 * k + 1] % size, 6 + values[3 * k + 2] % 9
        image |= (rows - row) ** 2 + (columns - column) ** 2 <= radius ** 2
    return image


def distinct(rng, shape):
    """An image without equal values."""
    return rng.permutation(int(np.prod(shape))).reshape(shape)


class Watersheds(unittest.TestCase):
    def test_definition(self):
        """Labels of the definition, which a program of its own has computed, for all numbers of ranks and mirrored."""
        discs = disks()
        squares = np.rint(nd.distance_transform_edt(discs) ** 2).astype(int)
        peaks = nd.label((nd.maximum_filter(squares, 7) == squares) & discs, np.ones((3, 3)))[0]
        plane, volume = smooth((40, 50)), smooth((10, 12, 14), 2)
        rare = (numbers(1200) % (1 << 30)).reshape(30, 40)
        for image, first, mask, connectivity, want in (
                (-squares, peaks, discs, 1, "b0dedaa34236"), (-squares, peaks, discs, 2, "605c1eb83e7a"),
                (plane, markers(plane, 12), None, 1, "6dd1e66d290c"), (plane, markers(plane, 12), None, 2, "0fb6537a53fb"),
                (plane // 32, markers(plane, 12), None, 1, "1cc9f270ad50"),
                (plane, markers(plane, 12), plane > 90, 1, "e5c3703b1ce3"),
                (plane * 0, markers(plane, 9), None, 1, "2502514f26db"),
                (volume, markers(volume, 8), None, 1, "3ccc81cf119b"), (volume, markers(volume, 8), None, 3, "f0feca7ad7b0"),
                (rare, markers(rare, 10), None, 1, "e1d1f6c661c7")):
            for ranks in (1, 2, 3, 5):
                with hb.ranks(ranks):
                    labels = hb.watershed(image, first, connectivity, mask=mask)
                    found = hashlib.sha256(labels.astype("<i4").tobytes()).hexdigest()[:12]
                    self.assertEqual(found, want)
                    turned = (slice(None, None, -1),) * image.ndim
                    back = hb.watershed(image[turned], first[turned], connectivity, mask=None if mask is None else mask[turned])
                    np.testing.assert_array_equal(back[turned], labels)

    def test_peer(self):
        rng = np.random.default_rng(5)
        for shape, connectivity in (((200,), 1), ((60, 70), 1), ((50, 80), 2), ((9, 20, 30), 1), ((9, 20, 30), 2),
                                    ((12, 20, 21), 3)):
            image, mask = distinct(rng, shape), rng.random(shape) < .9
            first = np.where(rng.random(shape) < .01, rng.integers(1, 30, shape), 0)
            for dtype in ("i4", "f4", "f8", "u8"):
                for given in ({"markers": first}, {"markers": first, "mask": mask}, {"markers": 8}, {"markers": 11, "mask": mask},
                              {}):
                    want = watershed(image, connectivity=connectivity, **given)
                    got = hb.watershed(image.astype(dtype), connectivity=connectivity, **given)
                    np.testing.assert_array_equal(got, want)
                    self.assertEqual(got.dtype, want.dtype)
        image, around = distinct(rng, (4, 5, 6)), nd.generate_binary_structure(3, 2)
        np.testing.assert_array_equal(hb.watershed(image, 3, around, (1, 1, 1), None, 0, False), hb.watershed(image, 3, 18))

    def test_types(self):
        """The same labels for all types and layouts; unsigned and signed numbers up to their ends."""
        rng = np.random.default_rng(8)
        image = smooth((30, 41), 2, 120)
        first, mask = markers(image, 9), rng.random(image.shape) < .95
        want = hb.watershed(image, first, 2, mask=mask)
        for dtype, layout in itertools.product(("u1", "i1", "u2", ">u2", "i2", "u4", "i4", ">i8", "u8", "f4", ">f8", "f2"), LAYOUTS):
            kind = np.dtype(dtype)
            top = np.iinfo(kind).max - 119 if kind.kind in "iu" and kind.itemsize < 8 else -50 if kind.kind != "u" else 0
            output = np.zeros([2 * n for n in image.shape], rng.choice(["u1", "i2", "i8", "f4"]))[::-2, ::2]
            with hb.ranks(rng.choice([1, 2, 4])):
                got = hb.watershed(layout((image + top).astype(dtype)), layout(first.astype(rng.choice(["u1", ">i4", "f8"]))), 2,
                                   mask=layout(mask), output=output)
            self.assertIs(got, output)
            np.testing.assert_array_equal(got, want)

    def test_minima(self):
        """Minima are the extended ones: those that are deeper than the height."""
        image = smooth((60, 70))
        for minima in (None, 1, 20):
            height = minima or 0
            for connectivity in (1, 2):
                around = nd.generate_binary_structure(2, connectivity)
                filled = image + height
                while True:
                    lower = np.maximum(image, nd.grey_erosion(filled, footprint=around))
                    if (lower == filled).all():
                        break
                    filled = lower
                flat, parts = hb.label(filled + 1, values=True, connectivity=connectivity)
                lowest = nd.minimum(nd.grey_erosion(filled, footprint=around), flat, range(1, parts + 1))
                level = nd.minimum(filled, flat, range(1, parts + 1))
                kept = np.concatenate([[False], np.asarray(lowest) >= np.asarray(level)])[flat]
                first = nd.label(kept, around)[0]
                np.testing.assert_array_equal(hb.watershed(image, connectivity=connectivity, minima=minima),
                                              hb.watershed(image, first, connectivity))
        self.assertEqual(hb.watershed(np.full((4, 5), 7)).min(), 1)

    def test_line(self):
        """Elements beside a smaller label become 0."""
        image = smooth((40, 50))
        for connectivity in (1, 2):
            around = nd.generate_binary_structure(2, connectivity)
            labels = hb.watershed(image, connectivity=connectivity)
            beside = nd.grey_erosion(labels, footprint=around) < labels
            with hb.ranks(3):
                got = hb.watershed(image, connectivity=connectivity, watershed_line=True)
            np.testing.assert_array_equal(got, np.where(beside, 0, labels))

    def test_refused(self):
        image = np.arange(20.).reshape(4, 5)
        whole = np.ones((4, 5), int)
        for text, error, given in (
                ("compactness is 0.1, and must be 0", ValueError, {"compactness": .1}),
                (r"markers has the shape \(5,\), and image \(4, 5\)", ValueError, {"markers": whole[0]}),
                (r"mask has the shape \(4, 4\)", ValueError, {"mask": whole[:, 1:]}),
                ("markers has -1", ValueError, {"markers": -whole}), ("markers is 0", ValueError, {"markers": 0}),
                ("markers is 'a'", TypeError, {"markers": "a"}), ("renumber", ValueError, {"markers": whole * 2**31}),
                ("renumber", ValueError, {"markers": whole * .5}),
                ("connectivity is 3", ValueError, {"connectivity": 3}),
                ("connectivity has the shape", ValueError, {"connectivity": np.ones((5, 5))}),
                ("other neighbours", ValueError, {"connectivity": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
                ("offset is", ValueError, {"connectivity": np.ones((3, 3)), "offset": (0, 1)}),
                ("give one of them", ValueError, {"markers": whole, "minima": 2}), ("minima", ValueError, {"minima": -1}),
                ("output has|array for labels", ValueError, {"output": np.zeros((4, 4), int)}),
                ("labels of uint8", ValueError, {"markers": whole * 300, "output": np.zeros((4, 5), "u1")})):
            raises(self, error, text, hb.watershed, image, **given)
        raises(self, ValueError, "NaN", hb.watershed, image * np.nan)
        raises(self, ValueError, "4 axes", hb.watershed, np.ones((1, 1, 1, 1)))
        self.assertEqual(hb.watershed(image, whole * 0).max(), 0)
        self.assertEqual(hb.watershed(image, whole, mask=whole * 0).max(), 0)
        self.assertEqual(hb.watershed(np.zeros((0, 5))).shape, (0, 5))


if __name__ == "__main__":
    unittest.main()
