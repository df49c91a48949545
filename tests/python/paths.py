"""Shortest paths are scikit-image's, to the last bit."""

import math
import unittest

import numpy as np
from skimage.graph import MCP_Geometric, route_through_array

import halobeat as hb
from cases import LAYOUTS, MORE, raises


def length_of(costs, path, sampling=(1, 1)):
    total = 0
    for (r, c), (y, x) in zip(path, path[1:]):
        total += math.hypot((y - r) * sampling[0], (x - c) * sampling[1]) * (costs[r, c] + costs[y, x]) / 2
    return total


class Equal(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(5)

    def test_distances(self):
        for shape in [(1, 9), (40, 1), (31, 47), (64, 64)] + [(200, 130)] * MORE:
            for dtype in ("u1", "i2", ">i4", "f4", "f8", "f2"):
                costs = self.rng.integers(1, 20, shape).astype(dtype)
                if dtype != "u1":
                    costs[self.rng.random(shape) < .1] = -1  # barriers
                costs[0, 0] = costs[-1, -1] = 3
                sampling = tuple(self.rng.choice([.5, 1, 2.25], 2))
                full = bool(self.rng.random() < .7)
                layout = LAYOUTS[self.rng.integers(len(LAYOUTS))]
                starts = [(0, 0), (-1, -1)]
                peer = MCP_Geometric(costs.astype(float), fully_connected=full, sampling=sampling)
                wanted = peer.find_costs(starts)[0]
                with self.subTest(shape=shape, dtype=dtype, layout=layout), hb.ranks(self.rng.choice([0, 1, 3])):
                    search = hb.MCP_Geometric(layout(costs), fully_connected=full, sampling=sampling)
                    distances, nearest = search.find_costs(starts, nearest=True)
                    np.testing.assert_array_equal(distances, wanted)
                    self.assertTrue(((nearest == 0) == np.isinf(wanted)).all())
                    for end in self.rng.integers(0, shape, (5, 2)):
                        if np.isfinite(distances[tuple(end)]):
                            path = search.traceback(end)
                            self.assertIn(path[0], [(0, 0), (shape[0] - 1, shape[1] - 1)])
                            self.assertEqual(path[-1], tuple(end))
                            self.assertAlmostEqual(length_of(costs.astype(float), path, sampling),
                                                   distances[tuple(end)])

    def test_limits_and_neighbours(self):
        costs = np.ones((20, 30))
        search = hb.MCP_Geometric(costs)
        distances, _ = search.find_costs([(3, 4)], max_cumulative_cost=5)
        full = search.find_costs([(3, 4)])[0]
        np.testing.assert_array_equal(distances, np.where(full <= 5, full, np.inf))
        knight = hb.MCP_Geometric(costs, neighbours=16).find_costs([(0, 0)])[0]
        self.assertAlmostEqual(knight[1, 2], math.sqrt(5))

    def test_one_axis(self):
        costs = self.rng.random(50)
        search = hb.MCP_Geometric(costs)
        distances, _ = search.find_costs([7])
        peer = MCP_Geometric(costs).find_costs([(7,)])[0]
        np.testing.assert_array_equal(distances, peer)
        self.assertEqual(search.traceback((12,)), [(i,) for i in range(7, 13)])

    def test_route(self):
        costs = self.rng.integers(1, 5, (30, 40))
        for full in (True, False):
            wanted = route_through_array(costs, (0, 0), (29, 39), fully_connected=full, geometric=True)[1]
            path, cost = hb.route_through_array(costs, (0, 0), (29, 39), fully_connected=full)
            self.assertAlmostEqual(cost, wanted)
            self.assertAlmostEqual(length_of(costs, path), cost)


class Refused(unittest.TestCase):
    def test_refused(self):
        walls = np.ones((5, 6))
        walls[:, 3] = -1
        search = hb.MCP_Geometric(walls)
        raises(self, ValueError, r"call find_costs\(starts\) first", search.traceback, (0, 0))
        search.find_costs([(0, 0)])
        raises(self, ValueError, r"no path leads to \(0, 5\)", search.traceback, (0, 5))
        raises(self, ValueError, "rows are from 0 to 4", search.find_costs, [(5, 0)])
        raises(self, ValueError, "barrier", search.find_costs, [(0, 3)])
        raises(self, TypeError, "must be whole numbers", search.find_costs, [(0.5, 0)])
        raises(self, ValueError, "3 indices each", search.find_costs, [(0, 0, 0)])
        for limit in (0, 0.0, -1, math.nan):
            raises(self, ValueError, "must be above 0", search.find_costs, [(0, 0)], max_cumulative_cost=limit)
        raises(self, ValueError, "0 sources", search.find_costs, np.zeros((0, 2), int))
        raises(self, ValueError, "3 axes.*one plane at a time", hb.MCP_Geometric, np.ones((2, 2, 2)))
        raises(self, ValueError, "2 distances above 0", hb.MCP_Geometric, walls, sampling=(1, 0))
        raises(self, ValueError, "4, 8 or 16", hb.MCP_Geometric(walls, neighbours=5).find_costs, [(0, 0)])
        raises(self, TypeError, "complex", hb.MCP_Geometric(walls * 1j).find_costs, [(0, 0)])


if __name__ == "__main__":
    unittest.main()
