"""Tables of regions are scikit-image's; regions by size, superpixels and walkers do what their names say."""

import copy
import itertools
import pickle
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage import measure

import halobeat as hb
from halobeat._regions import PROPERTIES
from cases import LAYOUTS, MORE, raises

PLANAR = ("label", "area", "bbox", "centroid", "eccentricity", "perimeter", "solidity", "euler_number", "extent",
          "axis_major_length", "axis_minor_length", "feret_diameter_max", "equivalent_diameter_area")
WITH_VALUES = ("intensity_mean", "intensity_max", "intensity_min")


class Tables(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(3)

    def blobs(self, shape):
        return nd.label(nd.uniform_filter(self.rng.random(shape), 3) > .5)[0]

    def compare(self, labels, values, properties, **options):
        exact = values.astype("f8") if values is not None and values.dtype == "f4" else values  # which the peer rounds
        peer = measure.regionprops_table(labels, exact, properties)
        for layout in (LAYOUTS[0], LAYOUTS[self.rng.integers(1, len(LAYOUTS))]):
            found = hb.regionprops_table(layout(labels), None if values is None else layout(values), properties, **options)
            self.assertEqual(list(found), list(peer))
            for name, column in peer.items():
                np.testing.assert_allclose(found[name], column, rtol=1e-9, atol=1e-9, err_msg=name)

    def test_planar(self):
        for dtype, values in itertools.product(("i4", "u2", "i8", "u1"), (None, "u1", "f4", "i2", "f8")):
            labels = (self.blobs((40, 55)) % 200).astype(dtype)
            image = None if values is None else (100 * self.rng.random(labels.shape)).astype(values)
            self.compare(labels, image, PLANAR + (() if image is None else WITH_VALUES))

    def test_solid(self):
        labels = self.blobs((14, 15, 16))
        self.compare(labels, self.rng.random(labels.shape),
                     ("label", "area", "bbox", "centroid", "extent", "euler_number") + WITH_VALUES)

    def test_names(self):
        labels = self.blobs((20, 30))
        self.assertEqual(list(hb.regionprops_table(labels)), ["label", "bbox-0", "bbox-1", "bbox-2", "bbox-3"])
        self.assertEqual(list(hb.regionprops_table(labels, properties="centroid", separator="_")),
                         ["centroid_0", "centroid_1"])
        self.assertIn("solidity", hb.regionprops_table(labels, properties="all"))
        self.assertEqual(list(hb.regionprops_table(labels, properties=["area", "label"])), ["area", "label"])

    def test_older_names(self):
        """Columns have the names that were asked for, and the values of the newer ones; none is left out."""
        labels = self.blobs((20, 30))
        values = self.rng.random(labels.shape)
        older = {"mean_intensity": "intensity_mean", "max_intensity": "intensity_max", "mean": "intensity_mean",
                 "min_intensity": "intensity_min", "min": "intensity_min", "max": "intensity_max",
                 "major_axis_length": "axis_major_length", "minor_axis_length": "axis_minor_length",
                 "convex_area": "area_convex", "bbox_area": "area_bbox", "weighted_centroid": "centroid_weighted",
                 "equivalent_diameter": "equivalent_diameter_area", "median": "intensity_median",
                 "std": "intensity_std", "box": "bbox", "euler": "euler_number", "feret_diameter": "feret_diameter_max"}
        every = hb.regionprops_table(labels, values, properties="all")
        for name, newer in older.items():
            found = hb.regionprops_table(labels, values, properties=("label", name, newer))
            same = [column for column in every if column.partition("-")[0] == newer]
            self.assertTrue(same)
            self.assertEqual(list(found), ["label"] + [name + one[len(newer):] for one in same] + same)
            for column in same:
                np.testing.assert_array_equal(found[name + column[len(newer):]], every[column])
        peer = measure.regionprops_table(labels, values, ("label", "weighted_centroid", "bbox_area"))
        found = hb.regionprops_table(labels, values, ("label", "weighted_centroid", "bbox_area"))
        self.assertEqual(list(found), list(peer))
        self.assertEqual(list(hb.regionprops_table(labels, properties="label,area")), ["label", "area"])
        self.assertEqual(list(hb.regionprops_table(labels, properties="spans")), ["spans_y", "spans_x"])
        both = hb.regionprops_table(labels, properties=("standard", "equivalent_diameter"))
        self.assertTrue({"label", "bbox-3", "equivalent_diameter"} <= set(both))

    def test_spacing(self):
        labels = self.blobs((20, 30))
        plain = hb.regionprops_table(labels, properties=("area", "centroid"))
        wide = hb.regionprops_table(labels, properties=("area", "centroid"), spacing=(2, .5))
        np.testing.assert_allclose(wide["centroid-0"], 2 * plain["centroid-0"])
        np.testing.assert_allclose(wide["centroid-1"], .5 * plain["centroid-1"])
        np.testing.assert_allclose(wide["area"], plain["area"])

    def test_properties(self):
        """The names that the docstring and errors list are all there are."""
        labels = np.kron(np.arange(1, 5).reshape(2, 2), np.ones((3, 4), int))
        every = hb.regionprops_table(labels, labels, "all")
        for name in PROPERTIES:
            found = hb.regionprops_table(labels, labels, (name,))
            self.assertTrue(found)
            for column, values in found.items():
                np.testing.assert_array_equal(every.pop(column), values)
            self.assertIn(name, hb.regionprops_table.__doc__)
        self.assertFalse(every)

    def same_table(self, found, peer):
        self.assertEqual(list(found), list(peer))
        for name, column in peer.items():
            self.assertEqual(found[name].dtype, column.dtype, name)
            if column.dtype == object:
                for one, other in zip(found[name], column, strict=True):
                    np.testing.assert_array_equal(one, other)
            else:
                np.testing.assert_allclose(found[name], column, rtol=1e-12, err_msg=name)

    def test_channels(self):
        """Names, types and values of columns are the peer's, of one channel and of several."""
        for shape in ((20, 30), (7, 8, 9)):
            labels = self.blobs(shape)
            for dtype, layout in itertools.product(("u1", "i2", "f8"), LAYOUTS[:2]):
                values = layout((100 * self.rng.random(shape + (3,))).astype(dtype))
                properties = ("bbox", "intensity_max", "label", "mean_intensity", "intensity_min", "area")
                for image in (values, values[..., 1], values[..., :1]):
                    self.same_table(hb.regionprops_table(labels, image, properties, cache=False, separator="_"),
                                    measure.regionprops_table(labels, image, properties, separator="_"))
        found = hb.regionprops_table(labels, values, ("centroid_weighted",))
        self.assertEqual(list(found), [f"centroid_weighted-{axis}-{i}" for axis in range(3) for i in range(3)])
        for i in range(3):
            alone = hb.regionprops_table(labels, values[..., i], ("centroid_weighted",))
            np.testing.assert_array_equal(found[f"centroid_weighted-2-{i}"], alone["centroid_weighted-2"])

    def test_extra_properties(self):
        def elements(region):
            return region.sum()

        def quartiles(region, values, q=(25, 75)):
            return np.percentile(values[region], q)

        def cells(region):
            return np.argwhere(region)[:, 0]

        def total(region, values):
            return values.sum()

        def word(region):
            return "long" if max(region.shape) > 3 else "s"

        for shape in ((20, 30), (7, 8, 9)):
            labels = self.blobs(shape)
            values = self.rng.integers(0, 100, shape + (3,))
            for image in (values, values[..., 0].astype("f4"), values[..., 2]):
                for names in (("label",), ("area", "label", "bbox")):
                    functions = (elements, quartiles, cells, total)
                    self.same_table(hb.regionprops_table(labels, image, names, extra_properties=functions),
                                    measure.regionprops_table(labels, image, names, extra_properties=functions))
            self.same_table(hb.regionprops_table(labels * 0, values, ("label", "intensity_max"),
                                                 extra_properties=(elements, quartiles)),
                            measure.regionprops_table(labels * 0, values, ("label", "intensity_max"),
                                                      extra_properties=(elements, quartiles)))
        words = hb.regionprops_table(labels, properties="standard", extra_properties=(word, cells))
        self.assertEqual(set(words["word"]), {"s", "long"})
        self.assertIn("bbox-5", words)
        self.assertIn("<th>cells</th>", words._repr_html_())

    def test_sparse_labels(self):
        labels = np.zeros((9, 9), "u8")
        labels[0, 0], labels[3, 3:5] = 2**63 + 5, 7
        found = hb.regionprops_table(labels, properties=("label", "area"))
        self.assertEqual((found["label"].tolist(), found["area"].tolist()), ([7, 2**63 + 5], [2, 1]))
        self.assertEqual(len(hb.regionprops_table(np.zeros((3, 3), int))["label"]), 0)

    def test_shown(self):
        table = hb.regionprops_table(np.arange(1, 41).reshape(5, 8), properties=("label", "centroid"))
        html = table._repr_html_()
        for again in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
            self.assertEqual(again._repr_html_(), html)
        self.assertIn("<th>centroid-1</th>", html)
        self.assertEqual(html.count("<tr>"), 21)
        self.assertIn("40 rows", html)

    def test_refused(self):
        labels = np.ones((4, 4), int)
        raises(self, ValueError, 'no property "size"', hb.regionprops_table, labels, properties=["size"])
        for names in (("area,bbox",), ("label", "area,bbox")):
            raises(self, ValueError, "give each name by itself", hb.regionprops_table, labels, properties=names)
        raises(self, TypeError, "must be names", hb.regionprops_table, labels, properties=[1])
        raises(self, ValueError, "no property", hb.regionprops_table, labels, properties="label, area")
        for shape in ((4, 5), (5, 4, 3), (4, 4, 0), (4, 4, 1, 1), (4,)):
            raises(self, ValueError, "intensity_image has the shape", hb.regionprops_table, labels, np.ones(shape))
        raises(self, TypeError, "whole numbers", hb.regionprops_table, np.ones((4, 4)))
        for name in ("coords", "image_convex", "moments_hu", "perimeter_crofton", "slice"):
            raises(self, ValueError, f"{name} is measured by scikit-image only; there are label, area.*extra_properties",
                   hb.regionprops_table, labels, properties=(name,))
        raises(self, TypeError, "no option 'spacing_0'; it has label_image", hb.regionprops_table, labels, spacing_0=1)

        def area(region):
            return 1

        def of_values(region, values):
            return 1

        for error, text, function in ((ValueError, "has the name of a property", area),
                                      (ValueError, "pass intensity_image", of_values),
                                      (TypeError, "has 3 parameters", lambda a, b, c: 1),
                                      (TypeError, "has 0 parameters", lambda: 1), (TypeError, "must have functions", 3)):
            raises(self, error, text, hb.regionprops_table, labels, extra_properties=(function,))
        raises(self, ZeroDivisionError, "", hb.regionprops_table, labels, extra_properties=(lambda region: 1 / 0,))
        raises(self, ValueError, "2 distances above 0", hb.regionprops_table, labels, spacing=(1, 2, 3))
        raises(self, ValueError, "intensit", hb.regionprops_table, labels, properties=["intensity_mean"])


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


class Clusters(unittest.TestCase):
    def test_kmeans(self):
        """Each pixel has the nearest cluster, and each cluster the mean of its pixels."""
        rng = np.random.default_rng(6)
        image = (nd.gaussian_filter(rng.random((50, 70)), 4) * 4000 % 256).astype("u1")
        for layout in LAYOUTS[:4]:
            labels, clusters = hb.kmeans(layout(image), 12, weight=2.0)
            rows, columns = np.indices(image.shape)
            points = np.stack([columns, rows, 2.0 * image], -1).reshape(-1, 3).astype(float)
            means = np.stack([clusters["x"], clusters["y"], 2.0 * clusters["grey"]], -1)
            distances = ((points[:, None] - means) ** 2).sum(-1)
            chosen = distances[np.arange(len(points)), labels.ravel()]
            np.testing.assert_allclose(chosen, distances.min(axis=1), rtol=1e-6, atol=1e-6)
            for cluster in range(12):
                np.testing.assert_allclose(points[labels.ravel() == cluster].mean(axis=0), means[cluster])
            np.testing.assert_array_equal(np.bincount(labels.ravel(), minlength=12), clusters["pixels"])
        again = image.astype("u2")
        self.assertIs(hb.kmeans(again, 12, weight=2.0, range="0..255", output=again)[0], again)
        for pair in ("0..255", (0, 255), [0., np.float32(255)]):
            np.testing.assert_array_equal(hb.kmeans(image.astype("u2"), 12, weight=2.0, range=pair)[0], again)
        colours, found = hb.kmeans(rng.random((20, 30, 3)), 5)
        self.assertEqual(colours.shape, (20, 30))
        self.assertTrue({"L", "a", "b", "red"} <= set(found))

    def test_slic(self):
        image = (np.random.default_rng(7).random((60, 80, 3)) * 255).astype("u1")
        labels = hb.slic(image, 40, start_label=1)
        self.assertEqual(labels.min(), 1)
        for number in range(1, labels.max() + 1):
            self.assertEqual(nd.label(labels == number)[1], 1)
        self.assertLessEqual(abs(labels.max() - 40), 20)
        self.assertEqual(hb.slic(image, 40, enforce_connectivity=False, start_label=0).max(), 39)

    def test_slic_images(self):
        """Colours along any axis, of any type, and greys; parameters by place, as scikit-image has them."""
        rng = np.random.default_rng(17)
        image = rng.integers(0, 256, (40, 50, 3)).astype("u1")
        image[0, 0], image[0, 1] = 0, 255
        want = hb.slic(image, 30)
        shorts = hb.slic(image.astype("u2") * 257, 30)
        for layout in LAYOUTS:
            axis = rng.integers(3)
            moved = layout(np.moveaxis(image, -1, axis))
            np.testing.assert_array_equal(hb.slic(moved, 30, channel_axis=rng.choice([axis, axis - 3])), want)
        for dtype in ("i2", "i8", "f4", "f8", ">i4"):  # which are stretched
            np.testing.assert_array_equal(hb.slic(image.astype(dtype) - 5, 30), shorts)
        np.testing.assert_array_equal(
            hb.slic(image, 30, 5., 4, 0, [2, 2], None, True, .5, 3, False, 1, None, channel_axis=2),
            hb.slic(image, 30, 10., 4))
        np.testing.assert_array_equal(hb.slic(image[..., :1], 30, .1), hb.slic(image[..., 0], 30, .1))
        into = np.zeros((40, 50), ">u2")
        self.assertIs(hb.slic(image, 30, start_label=7, output=into), into)
        np.testing.assert_array_equal(into, want + 6)
        self.assertEqual(hb.slic(image[:3, :3]).shape, (3, 3))  # fewer pixels than clusters

    def test_slic_refused(self):
        """A sentence with the names of slic, and what to do instead."""
        image = np.zeros((6, 6, 3), "u1")
        for text, given in (("sigma is 2.*gaussian_filter", {"sigma": 2}), ("sigma", {"sigma": (0, 1)}),
                            ("spacing is .*2 equal", {"spacing": (1, 2)}), ("spacing", {"spacing": (1, 1, 1)}),
                            ("convert2lab is False", {"convert2lab": False}), ("cut", {"max_size_factor": 2}),
                            ("slic_zero is True", {"slic_zero": True}), (r"labels\[~mask\]", {"mask": image[..., 0]}),
                            ("compactness is 0,", {"compactness": 0}), ("max_num_iter is 0", {"max_num_iter": 0}),
                            ("start_label is -1", {"start_label": -1}), ("min_size_factor takes", {"min_size_factor": 2}),
                            ("n_segments is 0", {"n_segments": 0}), ("n_segments is 70000", {"n_segments": 70000}),
                            ("channel_axis=None", {"channel_axis": None}), ("channel_axis is 3", {"channel_axis": 3}),
                            ("elements along its channel", {"channel_axis": 0})):
            raises(self, ValueError, text, hb.slic, image, **given)
        raises(self, ValueError, "convert2lab is True", hb.slic, image[..., 0], convert2lab=True)
        raises(self, ValueError, "plane by plane", hb.slic, np.zeros((5, 6, 7)))
        raises(self, ValueError, "infinite", hb.slic, np.where(image == 0, np.inf, 0))
        raises(self, ValueError, "are more than uint8 has", hb.slic, image, 36, start_label=250,
               output=np.zeros((6, 6), "u1"))
        raises(self, TypeError, "max_iter", hb.slic, image, max_iter=3)

    def test_refused(self):
        raises(self, ValueError, r"shape \(2, 2, 2\)", hb.kmeans, np.ones((2, 2, 2)), 2)
        for k in (0, -1, 17, 70000):
            raises(self, ValueError, f"k is {k}, and must be 1 to 16", hb.kmeans, np.ones((4, 4)), k)
        raises(self, ValueError, "NaN", hb.kmeans, np.full((4, 4), np.nan), 2)
        for option in ("clusters", "colour", "n_init"):
            raises(self, TypeError, f"no option '{option}'; it has .*compactness", hb.kmeans, np.ones((4, 4)), 2,
                   **{option: True})
        raises(self, ValueError, "output is read-only", hb.kmeans, np.ones((4, 4)), 2,
               output=np.broadcast_to(np.int32(0), (4, 4)))
        raises(self, TypeError, "output is", hb.kmeans, np.ones((4, 4)), 2, output=[0])


class Walkers(unittest.TestCase):
    def test_walk(self):
        free = hb.random_walk(np.ones((16, 16), bool), 20000, 300 if not MORE else 3000, seed=3)
        self.assertEqual((free.walkers, free.porosity, len(free.tortuosity)), (20000, 1.0, 2))
        for axis in range(2):
            self.assertTrue(free.tortuosity[axis].low <= 1.02 and free.tortuosity[axis].high >= .98)
            self.assertFalse(free.confined[axis])
        layers = np.zeros((9, 9, 9))
        layers[:, ::3] = 1
        walk = hb.random_walk(np.asfortranarray(layers), 3000, 200)
        self.assertAlmostEqual(walk.porosity, 1 / 3)
        self.assertEqual(walk.confined, (False, True, False))
        self.assertTrue(np.isnan(walk.tortuosity[1].value))
        self.assertEqual((walk.tensor.shape, walk.records.shape[1:]), ((3, 3), (3, 3)))
        self.assertEqual(walk.records[-1, 0, 0], 200)
        self.assertIn("porosity 0.3333", walk._repr_html_())
        self.assertIn("3000 walkers", repr(walk))
        for again in (copy.copy(walk), copy.deepcopy(walk), pickle.loads(pickle.dumps(walk))):
            self.assertEqual(repr(again), repr(walk))
            self.assertEqual(again.diffusivity[0].error, walk.diffusivity[0].error)
            np.testing.assert_array_equal(again.records, walk.records)

    def test_layouts(self):
        """The same walks for any type and layout of the medium, and any number of ranks."""
        rng = np.random.default_rng(31)
        medium = rng.random((12, 15, 18)) < .7
        want = hb.random_walk(medium, 400, 50, seed=5)
        for dtype, layout in itertools.product(("u1", "i8", ">i4", "f4"), LAYOUTS):
            with hb.ranks(rng.choice([1, 2, 3])):
                found = hb.random_walk(layout(medium.astype(dtype) * 3), 400, 50, seed=5)
            np.testing.assert_array_equal(found.records, want.records)
            np.testing.assert_array_equal(found.tensor, want.tensor)

    def test_refused(self):
        raises(self, ValueError, "fluid|pore", hb.random_walk, np.zeros((4, 4)))
        for shape in ((4,), (2, 2, 2, 2)):
            raises(self, ValueError, f"medium has {len(shape)} ax.*must have 2 or 3", hb.random_walk, np.ones(shape))
        for count in (0, -1, False):
            raises(self, ValueError, "walkers is .* must be 1 or more", hb.random_walk, np.ones((4, 4)), count)
            raises(self, ValueError, "steps is .* must be 1 or more", hb.random_walk, np.ones((4, 4)), steps=count)
        raises(self, TypeError, "no option 'speed'; it has medium, walkers, steps", hb.random_walk, np.ones((4, 4)), speed=1)
        raises(self, ValueError, "seed takes a whole number from 0 on", hb.random_walk, np.ones((4, 4)), seed=-1)
        raises(self, ValueError, "edges takes", hb.random_walk, np.ones((4, 4)), edges="open")


if __name__ == "__main__":
    unittest.main()
