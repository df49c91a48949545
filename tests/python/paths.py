"""Shortest paths are scikit-image's, to the last bit."""

import copy
import itertools
import math
import pickle
import unittest
from unittest import mock

import numpy as np
from skimage.graph import MCP_Geometric, route_through_array

import halobeat as hb
from halobeat import _paths
from cases import LAYOUTS, MORE, raises


def length_of(costs, path, sampling=(1, 1)):
    total = 0
    for one, other in zip(path, path[1:]):
        step = [(b - a) * side for a, b, side in zip(one, other, sampling)]
        total += math.hypot(*step) * (costs[one] + costs[other]) / 2
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

    def test_volumes(self):
        """Distances through volumes are the peer's to the last bit, and so are the lengths of paths."""
        for case in range(30 + 100 * MORE):
            shape = tuple(self.rng.integers(1, 14, 3))
            dtype = self.rng.choice(["u1", "i2", ">i4", "f4", "f8", "f2"])
            costs = self.rng.integers(1, 20, shape).astype(dtype)
            if dtype != "u1":
                costs[self.rng.random(shape) < self.rng.choice([0, .1, .4])] = -1
            starts = [(0, 0, 0), (-1, -1, -1)]
            for start in starts:
                costs[start] = 3
            sampling = tuple(self.rng.choice([.5, 1, 2.25, .3], 3))
            full = bool(self.rng.random() < .6)
            layout = LAYOUTS[self.rng.integers(len(LAYOUTS))]
            peer = MCP_Geometric(costs.astype(float), fully_connected=full, sampling=sampling)
            wanted = peer.find_costs(starts)[0]
            with self.subTest(case=case, shape=shape, dtype=dtype), hb.ranks(self.rng.choice([0, 1, 2, 3, 5])):
                search = hb.MCP_Geometric(layout(costs), fully_connected=full, sampling=sampling)
                np.testing.assert_array_equal(search.offsets, peer.offsets)
                distances, nearest = search.find_costs(starts, nearest=True)
                np.testing.assert_array_equal(distances, wanted)
                self.assertTrue(((nearest == 0) == np.isinf(wanted)).all())
                for end in self.rng.integers(0, shape, (5, 3)):
                    if np.isfinite(distances[tuple(end)]):
                        path = search.traceback(end)
                        self.assertIn(path[0], [(0, 0, 0), tuple(n - 1 for n in shape)])
                        self.assertEqual(path[-1], tuple(end))
                        steps = np.abs(np.diff(path, axis=0))
                        self.assertTrue((steps.sum(axis=1) <= (3 if full else 1)).all() and (steps <= 1).all())
                        self.assertAlmostEqual(length_of(costs.astype(float), path, sampling), distances[tuple(end)])

    def test_edges_of_volumes(self):
        """18 neighbours are those of peer's offsets without corners; ends limit the search as they do in images."""
        costs = self.rng.random((9, 14, 11)) + .1
        offsets = [step for step in itertools.product((-1, 0, 1), repeat=3) if 0 < np.abs(step).sum() < 3]
        wanted = MCP_Geometric(costs, offsets=offsets).find_costs([(1, 2, 3)])[0]
        search = hb.MCP_Geometric(costs, neighbours=18)
        np.testing.assert_array_equal(search.find_costs([(1, 2, 3)])[0], wanted)
        np.testing.assert_array_equal(hb.MCP_Geometric(costs, offsets).find_costs([(1, 2, 3)])[0], wanted)
        self.assertIn("9 x 14 x 11", repr(search))
        self.assertIn("plane in the middle", search._repr_html_())
        for neighbours in (6, 18, 26):
            search = hb.MCP_Geometric(costs, neighbours=neighbours, sampling=(3, 1, .5))
            whole = search.find_costs([(1, 2, 3)])[0]
            ends = [(8, 0, 4), (3, 3, 10)]
            with mock.patch.object(_paths, "SMALL", 0):
                found = search.find_costs([(1, 2, 3)], ends)[0]
            np.testing.assert_array_equal(found, np.where(whole <= max(whole[end] for end in ends), whole, np.inf))
        for full in (True, False):
            self.assertEqual(hb.route_through_array(costs, (0, 0, 0), (-1, 3, 2), full),
                             route_through_array(costs, (0, 0, 0), (-1, 3, 2), full))
        cube = np.ones((3, 3, 3))
        raises(self, ValueError, "neighbours is 8, and must be 6, 18 or 26", hb.MCP_Geometric, cube, neighbours=8)
        raises(self, ValueError, "offsets must be the steps to the 6 neighbours", hb.MCP_Geometric, cube, [(0, 0, 1)])
        raises(self, ValueError, r"starts has \(0, 3, 0\), and costs have the shape \(3, 3, 3\)",
               hb.MCP_Geometric(cube).find_costs, [(0, 3, 0)])
        raises(self, ValueError, "3 distances from", hb.MCP_Geometric, cube, sampling=(1, 1))

    def test_limits_and_neighbours(self):
        costs = np.ones((20, 30))
        search = hb.MCP_Geometric(costs)
        distances, _ = search.find_costs([(3, 4)], max_cumulative_cost=5)
        full = search.find_costs([(3, 4)])[0]
        np.testing.assert_array_equal(distances, np.where(full <= 5, full, np.inf))
        knight = hb.MCP_Geometric(costs, neighbours=16).find_costs([(0, 0)])[0]
        self.assertAlmostEqual(knight[1, 2], math.sqrt(5))

    def test_ends(self):
        """Cells that are farther away than the ends are not reached, as in the peer, which stops there."""
        costs = self.rng.random((25, 31))
        ends = [(3, 20), (10, -5)]
        for every in (True, False):
            found, numbers = hb.MCP_Geometric(costs).find_costs([(0, 0)], ends, every, nearest=True)
            np.testing.assert_array_equal(found, MCP_Geometric(costs).find_costs([(0, 0)], ends, every)[0])
            np.testing.assert_array_equal(numbers == 1, np.isfinite(found))
        for neighbours, dtype in itertools.product((4, 8, 16), ("f8", "u1", "i4")):  # limited by paths without detours
            costs = self.rng.integers(0, 9, (40, 50)).astype(dtype)
            if dtype != "u1":
                costs[self.rng.random(costs.shape) < .02] = -1
            starts, ends = ([tuple(one) for one in self.rng.integers(0, 40, (3, 2))] for _ in range(2))
            for one in starts + ends:
                costs[one] = 1
            search = hb.MCP_Geometric(costs, neighbours=neighbours, sampling=(1, 2.5))
            whole = search.find_costs(starts)[0]
            for every in (True, False):
                limit = (max if every else min)(whole[end] for end in ends)
                with mock.patch.object(_paths, "SMALL", 0):
                    found = search.find_costs(starts, ends, every)[0]
                np.testing.assert_array_equal(found, np.where(whole <= limit, whole, np.inf))
        costs = self.rng.random((25, 31))
        search = hb.MCP_Geometric(costs)
        search.find_costs([(0, 0)], [(3, 3)])
        self.assertEqual(search.traceback((3, 3))[-1], (3, 3))
        raises(self, ValueError, "no path leads", search.traceback, (24, 30))

    def test_offsets(self):
        costs = self.rng.random((9, 12))
        for axes, full in ((1, True), (1, False), (2, True), (2, False)):
            cells = costs[0] if axes == 1 else costs
            peer = MCP_Geometric(cells, fully_connected=full)
            search = hb.MCP_Geometric(cells, None, full, [2.5] * axes)
            np.testing.assert_array_equal(search.offsets, peer.offsets)
            want = search.find_costs([(3,) * axes])[0]
            again = hb.MCP_Geometric(cells, peer.offsets[::-1], sampling=[2.5] * axes)
            np.testing.assert_array_equal(again.find_costs([(3,) * axes])[0], want)
        knight = hb.MCP_Geometric(costs, neighbours=16)
        np.testing.assert_array_equal(hb.MCP_Geometric(costs, knight.offsets).find_costs([(0, 0)])[0],
                                      knight.find_costs([(0, 0)])[0])

    def test_kept(self):
        """Copies have the costs and what was found."""
        search = hb.MCP_Geometric(self.rng.random((9, 12)), sampling=(1, 3))
        self.assertEqual(repr(search), "<MCP_Geometric of 9 x 12 costs of float64, 8 neighbours>")
        self.assertIn("9 x 12", search._repr_html_())
        search.find_costs([(3, 4), (0, 0)])
        self.assertIn("distances from 2 starts", repr(search))
        self.assertIn("data:image/png;base64,", search._repr_html_())
        for again in (copy.copy(search), copy.deepcopy(search), pickle.loads(pickle.dumps(search))):
            self.assertEqual(again.traceback((8, 11)), search.traceback((8, 11)))
            np.testing.assert_array_equal(again.find_costs([(1, 1)])[0],
                                          hb.MCP_Geometric(search.costs, sampling=(1, 3)).find_costs([(1, 1)])[0])
        line = hb.MCP_Geometric(np.full(1000, np.inf))
        raises(self, ValueError, "a barrier", line.find_costs, [3])
        line.costs[3] = 1
        line.find_costs([3])
        self.assertIn("image/png", line._repr_html_())

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
            self.assertEqual(cost, wanted)
            self.assertAlmostEqual(length_of(costs, path), cost)
            large = self.rng.random((300, 400))  # the search is limited by the cost of a path without detours
            self.assertEqual(hb.route_through_array(large, (2, 5), (60, 30), full),
                             route_through_array(large, (2, 5), (60, 30), full))
            costs = self.rng.random((30, 40))  # where there is one shortest path
            self.assertEqual(hb.route_through_array(costs, (-1, 0), [3, 39], full, True),
                             route_through_array(costs, (-1, 0), [3, 39], full, True))


class Refused(unittest.TestCase):
    def test_refused(self):
        walls = np.ones((5, 6))
        walls[:, 3] = -1
        search = hb.MCP_Geometric(walls)
        raises(self, ValueError, r"call find_costs\(starts\) first", search.traceback, (0, 0))
        search.find_costs([(0, 0)])
        raises(self, ValueError, r"no path leads to \(0, 5\)", search.traceback, (0, 5))
        for place in ((5, 0), (-6, 0), (0, 6), (0, 2**40)):
            raises(self, ValueError, rf"starts has \({place[0]}, {place[1]}\), and costs have the shape \(5, 6\)",
                   search.find_costs, [(0, 0), place])
            raises(self, ValueError, "ends has", search.find_costs, [(0, 0)], [place])
            raises(self, ValueError, "end has", search.traceback, place)
        for cost in (-1, -np.inf, np.inf, np.nan):
            walls[2, 3] = cost
            raises(self, ValueError, r"starts has \(2, 3\), whose cost is .*: a barrier", search.find_costs, [(2, -3)])
        for start in ([2**64 - 1, 0], [0, 2**63]):
            raises(self, ValueError, f"starts has {max(start)}, and costs have the shape", search.find_costs,
                   np.array([start], "u8"))
        raises(self, TypeError, "must have whole numbers", search.find_costs, [(0.5, 0)])
        for starts in ([(0, 0, 0)], 0, [0, 1, 2], [(0,)]):
            raises(self, ValueError, "starts has indices of the shape.*2 axes", search.find_costs, starts)
        raises(self, ValueError, "end has indices", search.traceback, 3)
        for limit in (0, 0.0, -1, math.nan, 1e301):
            raises(self, ValueError, "must be above 0", search.find_costs, [(0, 0)], max_cumulative_cost=limit)
        self.assertTrue(np.isfinite(search.find_costs([(0, 0)], max_cumulative_cost=np.inf)[0][4, 2]))
        for starts in (np.zeros((0, 2), int), []):
            raises(self, ValueError, "starts has no cell", search.find_costs, starts)
        raises(self, ValueError, "ends has no cell", search.find_costs, [(0, 0)], [])
        raises(self, ValueError, "max_coverage is 0.5", search.find_costs, [(0, 0)], max_coverage=.5)
        raises(self, ValueError, "max_cost is given.*barriers", search.find_costs, [(0, 0)], max_cost=3)
        raises(self, ValueError, r"start has \(9, 0\)", hb.route_through_array, walls, (9, 0), (1, 1))
        raises(self, ValueError, "array has 4 axes", hb.route_through_array, np.ones((2, 2, 2, 2)), (0, 0), (1, 1))
        raises(self, ValueError, "geometric is False", hb.route_through_array, walls, (0, 0), (1, 1), geometric=False)
        for offsets in ([(0, 1)], [(0, 1), (1, 0)], [(0, 1, 0)], 3):
            raises(self, ValueError, "offsets must be", hb.MCP_Geometric, walls, offsets)
        raises(self, ValueError, "leave one of them out", hb.MCP_Geometric, walls, search.offsets, neighbours=8)
        search.costs[0, 1] = 77
        raises(self, ValueError, "have changed since; call find_costs", search.traceback, (0, 2))
        raises(self, ValueError, "costs has 4 axes, and must have 1 to 3; pass one", hb.MCP_Geometric,
               np.ones((2, 2, 2, 2)))
        for sampling in ((1, 0), (1, np.inf), (1,), 2, (np.nan, 1)):
            raises(self, ValueError, "2 distances from", hb.MCP_Geometric, walls, sampling=sampling)
        raises(self, ValueError, "neighbours is 5, and must be 4, 8 or 16", hb.MCP_Geometric, walls, neighbours=5)
        raises(self, TypeError, "costs has complex", hb.MCP_Geometric, walls * 1j)


if __name__ == "__main__":
    unittest.main()
