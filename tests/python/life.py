"""Life gives what plain NumPy gives."""

import base64
import copy
import os
import pickle
import re
import resource
import shutil
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np
import scipy.ndimage as nd

import halobeat as hb
from halobeat import _halobeat
from cases import LAYOUTS, raises

AROUND = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])


def life_beat(cells, mode):
    near = nd.convolve(cells.astype(int), AROUND, mode=mode)
    return ((near == 3) | ((cells != 0) & (near == 2))).astype("u1")


class Named(hb.Life):
    """With attributes of its own."""

    __slots__ = ("slot",)


class Life(unittest.TestCase):
    def test_generations(self):
        rng = np.random.default_rng(1)
        for topology, mode in (("dead", "constant"), ("torus", "wrap")):
            for shape in [(30, 41), (64, 128), (3, 5)]:
                for layout in LAYOUTS:
                    cells = layout((rng.random(shape) < .4).astype(rng.choice(["u1", "?", "i4", "f8"])))
                    life = hb.Life("B3/S23", cells, topology=topology)
                    want = cells
                    for generation in range(1, 6):
                        want = life_beat(want, mode)
                        life.run(1)
                        np.testing.assert_array_equal(life.grid, want)
                        self.assertEqual((life.generation, life.population), (generation, want.sum()))

    def test_plane(self):
        life = hb.Life("B3/S23", [[0, 1, 1], [1, 1, 0], [0, 1, 0]], topology="plane")  # the r pentomino
        counts = life.populations(1103)
        self.assertEqual((len(counts), counts[-1], life.population, life.generation), (1103, 116, 116, 1103))
        row, column, rows, columns = life.live
        self.assertEqual(life.grid.shape, (rows, columns))
        np.testing.assert_array_equal(life.cells(row - 2, column - 3, (rows + 4, columns + 6))[2:-2, 3:-3], life.grid)

    def test_states(self):
        brain = np.zeros((6, 6), "u1")
        brain[2, 2:4] = 1
        life = hb.Life("/2/3", brain, topology="torus").run(1)
        self.assertEqual((life.states, set(np.unique(life.grid))), (3, {0, 1, 2}))

    def test_types_of_states(self):
        """States are numbers of any type."""
        rng = np.random.default_rng(23)
        states = rng.integers(0, 4, (40, 61))
        want = hb.Life("345/2/4", states.astype("u1"), topology="torus").run(3).grid
        for dtype in ("i1", "i2", ">i2", "u4", "i8", ">u8", "f4", "f8"):
            for layout in LAYOUTS[:4]:
                with hb.ranks(rng.choice([0, 1, 3])):
                    life = hb.Life("345/2/4", layout(states.astype(dtype)), topology="torus")
                    np.testing.assert_array_equal(life.run(3).grid, want)
        for bad, text in ((4, "4"), (-1, "-1"), (300, "300")):
            states[7, 9] = bad
            raises(self, ValueError, f"column 9, row 7 of the array has state {text}, but the rule's states are 0 to 3",
                   hb.Life, "345/2/4", states)
        raises(self, ValueError, "has state 1.5", hb.Life, "345/2/4", [[1.5]])
        raises(self, ValueError, "has state nan", hb.Life, "345/2/4", [[np.nan]])

    def test_copies(self):
        """Copies are grids of their own, at the same generation and place."""
        rng = np.random.default_rng(29)
        for rule, options in (("B3/S23", {}), ("B3/S23", {"topology": "plane", "row": -5, "column": 10**9}),
                              ("B3/S23:T30,24", {}), ("B3/S23:T0,24", {}), ("345/2/4", {"topology": "torus"}),
                              ("B0123/S8", {"topology": "plane"}), ("B3/S23", {"stop_when_still": True})):
            life = hb.Life(rule, rng.integers(0, 2, (20, 21)), generation=7, **options).run(4)
            for again in (copy.copy(life), copy.deepcopy(life), pickle.loads(pickle.dumps(life))):
                for beats in (0, 5):
                    one, other = (pickle.loads(pickle.dumps(each)).run(beats) for each in (life, again))
                    np.testing.assert_array_equal(one.grid, other.grid)
                    for name in ("generation", "population", "live", "box", "rule", "topology", "states"):
                        self.assertEqual(getattr(one, name), getattr(other, name), (rule, options, name))
                before = life.grid
                again.run(3)
                np.testing.assert_array_equal(life.grid, before)
        empty = pickle.loads(pickle.dumps(hb.Life("B3/S23", [[1]], topology="plane").run(2)))
        self.assertEqual((empty.population, empty.generation), (0, 2))
        self.assertTrue(pickle.loads(pickle.dumps(hb.Life("B3/S23", [[0]], stop_when_still=True))).run(5).still)

    def test_shown(self):
        life = hb.Life("B3/S23", np.eye(5), topology="torus")
        self.assertIn("B3/S23, generation 0, population 5", repr(life))
        html = life._repr_html_()
        self.assertIn("data:image/png;base64,", html)
        self.assertIn("5 x 5 cells", html)
        self.assertIn("population 0", hb.Life("B3/S23", [[0]], topology="plane")._repr_html_())

    def test_shown_whole(self):
        """Pictures have the whole grid, or say which part of it they have."""
        def shown(life):
            folder = Path(tempfile.mkdtemp())
            self.addCleanup(shutil.rmtree, folder)
            html = life._repr_html_()
            (folder / "shown.png").write_bytes(base64.b64decode(re.search('base64,([^"]+)', html)[1]))
            return html, hb.imread(folder / "shown.png") == 0

        cells = np.zeros((900, 12500), np.uint8)
        cells[899, 12499] = cells[450, 6000] = 1
        html, dark = shown(hb.Life("B3/S23", cells))
        self.assertNotIn("shown are", html)
        self.assertEqual((dark.shape, np.argwhere(dark).tolist()), ((300, 391), [[150, 187], [299, 390]]))
        big = np.zeros((12001, 12001), np.uint8)
        big[0, 0] = big[6000, 6000] = 1
        html, dark = shown(hb.Life("B3/S23", big, row=-5))
        self.assertIn("12001 x 12001 cells; shown are the 10000 x 10000 from row 995 and column 1000 on", html)
        self.assertEqual(np.argwhere(dark).tolist(), [[200, 200]])

    def test_subclass(self):
        """Copies have the attributes of a class that is made of Life."""
        life = Named("B3/S23", np.eye(3))
        life.name, life.tags, life.slot = "diagonal", ["a"], 7
        for again in (copy.copy(life), copy.deepcopy(life), pickle.loads(pickle.dumps(life))):
            self.assertEqual((type(again), again.name, again.tags, again.slot), (Named, "diagonal", ["a"], 7))
            np.testing.assert_array_equal(again.run(1).grid, hb.Life("B3/S23", np.eye(3)).run(1).grid)
        self.assertIsNot(copy.deepcopy(life).tags, life.tags)

    def test_fork(self):
        """A child that is forked off while a thread computes says that the grid is lost."""
        life = hb.Life("B3/S23", np.random.default_rng(2).random((500, 500)) < .4, topology="torus")
        texts = []

        def report(*_):
            if texts:
                return
            receiving, sending = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    life.run(1)
                except RuntimeError as error:
                    os.write(sending, str(error).encode())
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            texts.append(os.read(receiving, 999).decode() if os.write(sending, b" ") else "")
            os.close(receiving)
            os.close(sending)

        life.run(2000, progress=report)
        self.assertIn("make the Life again", texts[0])
        self.assertEqual(life.run(1).generation, 2001)

    def test_alone(self):
        """A grid refuses a second call while one computes."""
        life = hb.Life("B3/S23", np.random.default_rng(2).random((3000, 3000)) < .4, topology="torus")
        refused, shown = [], []

        def report(*_):
            try:
                life.run(1)
            except RuntimeError as error:
                refused.append(str(error))
                shown.append(repr(life))

        thread = threading.Thread(target=lambda: life.run(300, progress=report))
        thread.start()
        thread.join()
        self.assertTrue(refused)
        self.assertIn("another call computes", refused[0])
        self.assertIn("<Life B3/S23, on which another call computes>", shown)

    def test_cancelled(self):
        life = hb.Life("B3/S23", np.random.default_rng(2).random((2000, 2000)) < .4, topology="torus")

        def stop(done, total):
            raise KeyboardInterrupt

        raises(self, KeyboardInterrupt, "", life.run, 10**7, progress=stop)
        reached = life.generation
        self.assertLess(reached, 10**7)
        self.assertEqual(life.run(3).generation, reached + 3)

    def test_refused(self):
        raises(self, ValueError, "B9x", hb.Life, "B9x", [[1]])
        raises(self, ValueError, "2 axes|1 axis", hb.Life, "B3/S23", [1])
        raises(self, ValueError, "nowhere", hb.Life, "B3/S23", [[1]], topology="nowhere")
        raises(self, TypeError, r"Life\(\) has no option 'topolgy'; it has rule, grid", hb.Life, "B3/S23", [[1]],
               topolgy="torus")
        raises(self, TypeError, "rule is of .* and must be a text", hb.Life, np.eye(3))
        raises(self, ValueError, "Life: rule takes a text", hb.Life, "", [[1]])
        life = hb.Life("B3/S23", [[1]])
        for count in (-3, 2**63):
            raises(self, ValueError, f"generations is {count}, and must be 0 to", life.run, count)
            raises(self, ValueError, f"generations is {count}, and must be 0 to", life.populations, count)
            raises(self, ValueError, "a side of shape is", life.cells, 0, 0, (count, 2))
        raises(self, ValueError, "row is", life.cells, 2**63, 0, (1, 1))
        raises(self, TypeError, "shape is 3, and must be a list of 2 whole numbers", life.cells, 0, 0, 3)
        raises(self, TypeError, "row is '1', and must be a whole number", life.cells, "1", 0, (3, 3))
        raises(self, ValueError, "must be rows and columns", life.cells, 0, 0, (1, 1, 1))

    def test_memory(self):
        """A grid that does not fit is refused before it is filled."""
        cells, before = np.broadcast_to(np.uint8(1), (2**17, 2**17)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        os.environ["HALOBEAT_MEMORY"] = "3G"
        self.addCleanup(os.environ.pop, "HALOBEAT_MEMORY")
        for ranks in (1, 2):
            with hb.ranks(ranks):
                raises(self, MemoryError, "a grid of 131072 x 131072 cells needs 4.*a smaller grid", hb.Life, "B3/S23",
                       cells)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2**19)
        self.assertEqual(hb.Life("B3/S23", cells[:5000, :5000]).population, 5000**2)

    def test_populations_refused(self):
        """The extension writes to no array that has no room for a number of each generation."""
        grid = _halobeat.life(1, None, {}, np.eye(3))
        for counts in (np.zeros(3, np.int64), np.zeros(4, np.int32), np.zeros((4, 4), np.int64), np.zeros(4, ">i8"),
                       np.zeros(8, np.int64)[::2], np.zeros(33, np.uint8)[1:].view(np.int64)):
            raises(self, ValueError, "array of 4 int64 without gaps", _halobeat.life_run, 1, None, None, grid, 4,
                   counts)
        counts = np.full(5, -1, np.int64)
        _halobeat.life_run(1, None, None, grid, 4, counts)
        self.assertEqual((counts[4], (counts[:4] >= 0).all()), (-1, True))


if __name__ == "__main__":
    unittest.main()
