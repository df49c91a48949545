"""Tables of regions are those of scikit-image."""

import copy
import functools
import itertools
import pickle
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage import measure

import halobeat as hb
from halobeat._regions import PROPERTIES
from cases import LAYOUTS, raises

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
        flat = np.kron(np.arange(1, 5).reshape(2, 2), np.ones((3, 4), int))
        taken = set()
        for labels in (flat, np.stack([flat, flat, flat])):
            every = hb.regionprops_table(labels, labels, "all")
            for name in PROPERTIES:
                try:
                    found = hb.regionprops_table(labels, labels, (name,))
                except ValueError as error:
                    self.assertRegex(str(error), "is for (two|three) axes")
                    continue
                taken.add(name)
                self.assertTrue(found)
                for column, values in found.items():
                    np.testing.assert_array_equal(every.pop(column), values)
                self.assertIn(name, hb.regionprops_table.__doc__)
            self.assertFalse(every)
        self.assertEqual(taken, set(PROPERTIES))

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
                                      (TypeError, "has 0 parameters", lambda: 1), (TypeError, "must have functions", 3),
                                      (TypeError, "set its __name__", functools.partial(of_values, values=1))):
            raises(self, error, text, hb.regionprops_table, labels, extra_properties=(function,))
        raises(self, ValueError, "name of another one there; set its __name__", hb.regionprops_table, labels,
               extra_properties=(lambda region: 1, lambda region: 2))
        raises(self, TypeError, "extra_properties is .*and must be a list of functions", hb.regionprops_table, labels,
               extra_properties=area)
        raises(self, TypeError, "properties is 3, and must be a list of names", hb.regionprops_table, labels,
               properties=3)
        raises(self, ZeroDivisionError, "", hb.regionprops_table, labels, extra_properties=(lambda region: 1 / 0,))
        raises(self, ValueError, "2 distances above 0", hb.regionprops_table, labels, spacing=(1, 2, 3))
        raises(self, ValueError, "intensit", hb.regionprops_table, labels, properties=["intensity_mean"])


if __name__ == "__main__":
    unittest.main()
