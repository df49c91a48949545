"""Walkers diffuse as theory says, and results can be kept."""

import copy
import itertools
import pickle
import unittest

import numpy as np
import scipy.ndimage as nd

import halobeat as hb
from cases import LAYOUTS, MORE, raises


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
