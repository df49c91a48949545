"""Regions by size, contacts and statistics are those of cc3d."""

import itertools
import unittest

import numpy as np
import scipy.ndimage as nd

import halobeat as hb
from cases import LAYOUTS, raises


class BySize(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(4)
        self.image = rng.integers(0, 3, (30, 40)) * 5

    def regions(self, connectivity):
        """Each region of equal values: its elements, in the order of first ones."""
        structure = nd.generate_binary_structure(2, connectivity)
        found = []
        for value in np.unique(self.image[self.image != 0]):
            labels, count = nd.label(self.image == value, structure)
            found += [np.flatnonzero(labels == i) for i in range(1, count + 1)]
        return sorted(found, key=lambda cells: cells[0])

    def test_dust(self):
        for connectivity, threshold in itertools.product((None, 1), (0, 1, 4, 1000)):
            want = self.image.copy()
            for cells in self.regions(connectivity or 2):
                if len(cells) < threshold:
                    want.flat[cells] = 0
            got = hb.dust(self.image, threshold, connectivity)
            np.testing.assert_array_equal(got, want)
            self.assertEqual(got.dtype, self.image.dtype)
        image = self.image.copy()
        self.assertIs(hb.dust(image, 4, 1, in_place=True), image)
        np.testing.assert_array_equal(image + hb.dust(self.image, 4, 1, invert=True), self.image)
        self.assertEqual(np.count_nonzero(hb.dust(self.image, 0, largest=1)), max(map(len, self.regions(2))))
        raises(self, TypeError, "in_place needs", hb.dust, [1, 2], 1, in_place=True)
        image.flags.writeable = False
        raises(self, ValueError, "img is read-only; leave out in_place", hb.dust, image, 1, in_place=True)

    def test_dust_by_range(self):
        """Thresholds of cc3d: bounds may be reals, and the second one is that of regions that are too large."""
        regions, zero = self.regions(2), np.zeros_like(self.image)
        for low, high in ((0, 1), (0, 4), (2, 9), (1.5, 3.5), (4, np.inf), (5000, 10**30), (-3, 10**30)):
            want, keeps = zero.copy(), 0
            for cells in regions:
                if low <= len(cells) < high:
                    want.flat[cells] = self.image.flat[cells]
                    keeps += 1
            for threshold in ((low, high), [low, high], np.array([low, high], float)):
                got, count = hb.dust(self.image, threshold, return_N=True)
                np.testing.assert_array_equal(got, want)
                self.assertEqual(count, keeps)
            got, count = hb.dust(self.image, (low, high), invert=True, return_N=True)
            np.testing.assert_array_equal(got, self.image - want)
            self.assertEqual(count, len(regions) - keeps)
        for threshold in ((3, 3), (4, 3), (1, 2, 3), (np.nan, 2), np.nan):
            raises(self, ValueError, "threshold is .* must be a number of elements, or a pair", hb.dust, self.image, threshold)
        for threshold in ("3", None, (None, 3), ("1", 2)):
            raises(self, TypeError, "threshold is .* must be a number of elements, or a pair", hb.dust, self.image, threshold)
        raises(self, TypeError, r"dust\(\) has no option 'size'; it has img, threshold", hb.dust, self.image, 3, size=4)

    def test_dust_of_labels(self):
        """With precomputed_ccl a region is all elements of one label; with binary_image values do not count."""
        got, count = hb.dust(np.array([[3, 0, 3, 7], [0, 2, 0, 2]]), 2, precomputed_ccl=True, return_N=True)
        self.assertEqual((got.tolist(), count), ([[3, 0, 3, 0], [0, 2, 0, 2]], 2))
        got, count = hb.dust([[3, 7, 0, 4]], 2, binary_image=True, return_N=True)
        self.assertEqual((got.tolist(), count), ([[3, 7, 0, 0]], 1))
        raises(self, TypeError, "img is of float64, and must be of whole numbers", hb.dust, [.5], 1, precomputed_ccl=True)

    def test_dust_of_half(self):
        """float16 stays what it is."""
        for dtype in ("f2", ">f2"):
            image = np.array([[.1, .1, 0, 5]], dtype)
            got = hb.dust(image, 2)
            self.assertEqual((got.dtype, got.tolist()), (image.dtype, [[image[0, 0], image[0, 0], 0, 0]]))
            self.assertIs(hb.dust(image, 2, in_place=True), image)
            np.testing.assert_array_equal(image, got)

    def test_largest(self):
        regions = self.regions(2)
        sizes = sorted((len(cells) for cells in regions), reverse=True)
        for k in (1, 3):
            if sizes[k - 1] == sizes[k]:
                continue
            want = np.zeros(self.image.shape, "i4")
            kept = [cells for cells in regions if len(cells) >= sizes[k - 1]]
            for number, cells in enumerate(kept, 1):
                want.flat[cells] = number
            labels, count = hb.largest_k(self.image, k, return_N=True)
            self.assertEqual(count, k)
            np.testing.assert_array_equal(labels, want)
        none, count = hb.largest_k(self.image, 0, return_N=True)
        self.assertEqual((none.any(), none.shape, count), (False, self.image.shape, 0))
        raises(self, ValueError, "k is -1", hb.largest_k, self.image, -1)
        near = np.array([1, 2, 0, 5, 6, 9])
        self.assertEqual(hb.largest_k(near, 1, delta=1).tolist(), [1, 1, 0, 0, 0, 0])
        self.assertEqual(hb.largest_k(near, 1, binary_image=True).tolist(), [0, 0, 0, 1, 1, 1])
        labels = np.array([[9, 2, 0, 9], [4, 4, 9, 2]])
        for dtype in ("u1", "i4", "u8", ">i8"):
            found, count = hb.largest_k(labels.astype(dtype), 2, precomputed_ccl=True, return_N=True, output="u2")
            self.assertEqual((found.tolist(), found.dtype, count), ([[2, 1, 0, 2], [0, 0, 2, 1]], np.uint16, 2))
        output = np.zeros(labels.shape, "i8")
        self.assertIs(hb.largest_k(labels, 0, precomputed_ccl=True, output=output), output)
        raises(self, ValueError, "shape", hb.largest_k, labels, 1, precomputed_ccl=True, output=output[:1])
        raises(self, RuntimeError, "2 regions are more than labels of bool", hb.largest_k, labels, 2,
               precomputed_ccl=True, output=bool)

    def test_statistics(self):
        labels = nd.label(self.image)[0]
        labels[labels == 2] = 0  # a label that is not there
        found = hb.statistics(labels)
        np.testing.assert_array_equal(found["voxel_counts"], np.bincount(labels.ravel()))
        slices = nd.find_objects(labels)
        for label in range(1, labels.max() + 1):
            if label == 2:
                self.assertIsNone(found["bounding_boxes"][2])
                self.assertTrue(np.isnan(found["centroids"][2]).all())
                continue
            box = found["bounding_boxes"][label]
            self.assertEqual(box, slices[label - 1])
            inside = labels[box] == label  # the box is an index, and has all elements
            self.assertEqual((inside.shape, inside.sum()), (tuple(one.stop - one.start for one in box),
                                                            found["voxel_counts"][label]))
            np.testing.assert_allclose(found["centroids"][label], np.argwhere(labels == label).mean(axis=0))

        for image in ([[0, 3, 3]], [5], np.zeros((2, 2, 2), int), np.zeros((0, 3), int)):
            image = np.array(image)
            boxes = hb.statistics(image)["bounding_boxes"]
            self.assertEqual([(box is not None and (image[box] == number).any()) for number, box in enumerate(boxes)],
                             [bool((image == number).any()) for number in range(len(boxes))])

    def test_statistics_of_boxes(self):
        """With no_slice_conversion boxes are cc3d's rows: first and last index of each axis."""
        labels = nd.label(self.image)[0]
        labels[labels == 2] = 0
        rows, boxes = (hb.statistics(labels, plain)["bounding_boxes"] for plain in (True, False))
        self.assertEqual((rows.shape, rows[2].tolist()), ((labels.max() + 1, 4), [30, 0, 40, 0]))
        for row, box in zip(rows.tolist(), boxes):
            if box is not None:
                self.assertEqual(row, [box[0].start, box[0].stop - 1, box[1].start, box[1].stop - 1])

    def test_statistics_of_many_labels(self):
        """Equal slices are one object where there are many boxes, also of labels that are not all there."""
        labels = np.arange(1, 6001).reshape(60, 100)
        labels[10:13, 20:22] = 1021
        labels[0, 0] = labels[59, 98] = labels[59, 0] = 0
        rows, boxes = (hb.statistics(labels, plain)["bounding_boxes"] for plain in (True, False))
        gone = set(range(6001)) - set(labels.ravel().tolist())
        self.assertEqual({label for label, box in enumerate(boxes) if box is None}, gone)
        for row, box in zip(rows.tolist(), boxes):
            if box is not None:
                self.assertEqual([slice(row[0], row[1] + 1), slice(row[2], row[3] + 1)], list(box))
        self.assertIs(boxes[301][0], boxes[302][0])
        self.assertEqual(boxes[1021], (slice(10, 13), slice(20, 22)))
        self.assertEqual(boxes[0], (slice(0, 60), slice(0, 99)))

    def test_statistics_of_large_labels(self):
        """A row for each number up to 10^12 would be 16 TB."""
        for dtype, label in (("i8", 10**12), ("u8", 2**63 + 5), ("u8", 2**64 - 1), ("i4", 2**31 - 1)):
            for plain in (False, True):
                raises(self, ValueError, f"labels go up to {label}, .*numpy.unique.*regionprops_table", hb.statistics,
                       np.array([[0, label]], dtype), plain)
        self.assertEqual(len(hb.statistics([3, 1000])["voxel_counts"]), 1001)

    def test_kinds_of_arrays(self):
        """What is no image is refused with the name of the parameter."""
        image = np.ones((4, 5), "u1")
        for value, error, text in [(image * 1j, TypeError, "complex"), (image.astype(object), TypeError, "Python objects"),
                                   (np.zeros(3, "i4,f4"), TypeError, "structures"), (np.zeros(3, "m8[s]"), TypeError, "view"),
                                   (image.astype("g"), TypeError, "long double"), (np.array(["a"]), TypeError, "texts"),
                                   (np.ma.masked_array(image, image > 0), TypeError, "masked"),
                                   (np.ones((1,) * 4, int), ValueError, "4 axes, .*one of its parts"),
                                   (5, ValueError, "0 axes"), (None, TypeError, "is None"), ({1}, TypeError, "is {1}")]:
            for name, function in (("img", lambda array: hb.dust(array, 2)), ("img", lambda array: hb.largest_k(array, 2)),
                                   ("labels", hb.contacts), ("labels", hb.statistics)):
                raises(self, error, f"^{name} .*{text}", function, value)
        for value in (image.astype("f2"), image.astype(float), image > 0):
            for function in (hb.contacts, hb.statistics):
                raises(self, TypeError, f"labels is of {value.dtype},.*halobeat.label", function, value)
        for shape in ((0,), (0, 3), (2, 0, 3)):
            empty = np.zeros(shape, "i4")
            self.assertEqual((hb.dust(empty, 3).shape, hb.largest_k(empty, 2).shape, hb.contacts(empty)), (shape, shape, {}))
            self.assertEqual(len(hb.statistics(empty)["voxel_counts"]), 0)

    def test_contacts(self):
        labels = np.random.default_rng(5).integers(0, 4, (6, 7, 8))
        steps = [step for step in itertools.product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
        for spacing, layout, connectivity in itertools.product((None, (2, 3, 5)), LAYOUTS[:4], (1, 2, 3)):
            areas, pairs = {}, {}
            padded = np.pad(labels, 1)
            for step in steps:
                away = sum(map(abs, step))
                if away > connectivity:
                    continue
                shifted = np.roll(padded, [-one for one in step], (0, 1, 2))
                face = 0 if away > 1 else np.prod([1 if one else side for one, side in zip(step, spacing or (1, 1, 1))])
                for a, b in zip(padded.ravel().tolist(), shifted.ravel().tolist()):
                    if a != b and a and b:
                        key = min(a, b), max(a, b)
                        pairs[key], areas[key] = pairs.get(key, 0) + 1, areas.get(key, 0) + face
            self.assertEqual(hb.contacts(layout(labels), connectivity, anisotropy=spacing or 1), areas)
            self.assertEqual(hb.contacts(layout(labels), connectivity, surface_area=False), pairs)
        self.assertEqual(hb.contacts([[1, 0], [0, 2]]), {(1, 2): 0.0})
        raises(self, ValueError, "connectivity is 4", hb.contacts, labels, 4)
        self.assertEqual(hb.contacts([[1, 2], [1, 3]], 4, True, (2, 3, 5)), {(1, 2): 10., (1, 3): 10., (2, 3): 15.})
        self.assertEqual(hb.contacts(labels, anisotropy=None), hb.contacts(labels))
        raises(self, TypeError, "anisotropy is 'x', and must be numbers", hb.contacts, labels, anisotropy="x")
        for anisotropy in ((1, 2), (1, 2, 0), (1, 2, np.inf), (1, 2, 3, 4)):
            raises(self, ValueError, "must be 3 distances above 0", hb.contacts, labels, anisotropy=anisotropy)


if __name__ == "__main__":
    unittest.main()
