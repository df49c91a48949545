"""hb.label's regions are those of cv2.connectedComponentsWithStats: the same pixels under other numbers, their areas and
boxes."""

import os
import unittest

import numpy as np

import halobeat as hb
from cases import LAYOUTS, MORE, random_array

try:
    import cv2
except ImportError:
    cv2 = None

SHAPES = [(1, 1), (1, 90), (90, 1), (2, 2), (17, 33), (64, 65), (130, 257)]


class SameRegions(unittest.TestCase):
    def setUp(self):
        if cv2 is None:
            if os.environ.get("HALOBEAT_TESTS_COMPLETE"):
                self.fail("python3-opencv is not installed")
            self.skipTest("needs python3-opencv")
        self.rng = np.random.default_rng(11)

    def check(self, image, neighbours, layout):
        theirs, table = cv2.connectedComponentsWithStats(image, connectivity=neighbours, ltype=cv2.CV_32S)[1:3]
        labels, count = hb.label(layout(image), connectivity=neighbours // 4)
        self.assertEqual(count, len(table) - 1)
        # Each number of ours stands for one of theirs, and 0 for 0.
        pairs = np.unique(np.stack([labels.ravel(), theirs.ravel()]), axis=1)
        np.testing.assert_array_equal(np.unique(pairs[0]), pairs[0])
        np.testing.assert_array_equal(np.unique(pairs[1]), np.sort(pairs[1]))
        np.testing.assert_array_equal(pairs[0] == 0, pairs[1] == 0)
        if count == 0:
            return
        ours = hb.regionprops_table(labels, properties=("label", "area", "bbox"))
        number = pairs[1][pairs[0] > 0]
        self.assertEqual(list(ours["label"]), list(range(1, count + 1)))
        left, top, width, height, area = table[number].T
        for name, values in (("area", area), ("bbox-0", top), ("bbox-1", left), ("bbox-2", top + height),
                             ("bbox-3", left + width)):
            np.testing.assert_array_equal(ours[name], values)

    def test_regions(self):
        for shape in SHAPES:
            for share in (0, .2, .45, .6, .9, 1):
                for layout in LAYOUTS if MORE else LAYOUTS[:1]:
                    for neighbours in (4, 8):
                        image = random_array(self.rng, shape, "u1", share)
                        with self.subTest(shape=shape, share=share, layout=layout, neighbours=neighbours), \
                                hb.ranks(self.rng.choice([1, 2, 3])):
                            self.check(image, neighbours, layout)


if __name__ == "__main__":
    unittest.main()
