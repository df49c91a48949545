"""Life, heat, stencils and contours give what plain NumPy and scikit-image give."""

import copy
import ctypes
import importlib.util
import itertools
import os
import pickle
import subprocess
import tempfile
import threading
import types
import unittest
from pathlib import Path

import numpy as np
import scipy.ndimage as nd
from skimage.segmentation import morphological_chan_vese, morphsnakes

import halobeat as hb
from halobeat import _halobeat
from cases import LAYOUTS, MORE, TYPES, native, raises, random_array

AROUND = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])


def life_beat(cells, mode):
    near = nd.convolve(cells.astype(int), AROUND, mode=mode)
    return ((near == 3) | ((cells != 0) & (near == 2))).astype("u1")


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
        raises(self, ValueError, "must be rows and columns", life.cells, 0, 0, (1, 1, 1))

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


class Stencils(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(6)

    def test_heat(self):
        cross = np.array([[0, .25, 0], [.25, 0, .25], [0, .25, 0]])
        star = nd.generate_binary_structure(3, 1) / 8
        star[1, 1, 1] = .25
        for weights, shape in ((cross, (20, 33)), (star, (7, 8, 9))):
            for dtype, periodic, layout in itertools.product(("f4", "f8"), (False, True), LAYOUTS[:4]):
                cells = layout(self.rng.integers(0, 64, shape).astype(dtype))
                want = cells.astype("f8")
                for _ in range(3):
                    want = nd.convolve(want, weights, mode="wrap" if periodic else "constant")
                given = {f"periodic_{axis}": periodic for axis in range(len(shape))}
                with hb.ranks(self.rng.choice([1, 2])):
                    got = hb.heat(cells, 3, **given)
                    np.testing.assert_array_equal(hb.heat(cells, 3, periodic=periodic), got)
                self.assertEqual(got.dtype, np.dtype(dtype))
                np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == "f4" else 1e-12)

    def test_heat_options(self):
        plate = np.zeros((20, 20))
        plate[0] = 100
        held = hb.heat(plate, 5000, edge="held", tolerance=1e-9, output=plate)
        self.assertIs(held, plate)
        self.assertTrue((plate[0] == 100).all())
        np.testing.assert_allclose(plate[10, 10], plate[9:12:2, 10].sum() / 4 + plate[10, 9:12:2].sum() / 4, atol=1e-6)
        small = self.rng.random((6, 7))
        np.testing.assert_array_equal(hb.heat(small, 3, periodic_0=True, beats_per_exchange=10**6),
                                      hb.heat(small, 3, periodic_0=True))
        np.testing.assert_array_equal(hb.heat(small, 3, periodic=(True, False)), hb.heat(small, 3, periodic_0=True))
        np.testing.assert_array_equal(hb.heat(small, 3, periodic=[False, True], periodic_0=True),
                                      hb.heat(small, 3, periodic=True))
        for periodic in ((True,), "yes", 1, None, (1, 0)):
            raises(self, TypeError, "periodic is .* must be True|element of periodic", hb.heat, small, 3,
                   periodic=periodic)
        raises(self, ValueError, "axis 2", hb.heat, small, 3, periodic_2=True)
        for beats in (-1, 0):
            raises(self, ValueError, f"{beats} beats: .*or 0 with a tolerance", hb.heat, small, beats)
        self.assertLess(hb.heat(small, 0, tolerance=1e-3).max(), .1)
        raises(self, MemoryError, "fewer beats per exchange", hb.heat, small, 10**6, beats_per_exchange=10**6)
        self.assertEqual(hb.heat([[0, 4, 0]] * 3, 1).dtype, np.float64)
        raises(self, ValueError, "tolerance", hb.heat, plate, 1, tolerance=-1)
        for shape in ((4,), (2, 2, 2, 2), ()):
            raises(self, ValueError, f"input has {len(shape)} ax.*must have 2 or 3", hb.heat, np.ones(shape), 1)
            raises(self, ValueError, f"grid has {len(shape)} ax.*must have 2", hb.Life, "B3/S23", np.ones(shape))

    def compiled(self):
        source = """#include <stdint.h>
            int64_t sum(const char *old, char *now, const int64_t *n, const int64_t *from, const int64_t *to) {
                int64_t changed = 0;
                for (int64_t y = 0; y < n[0]; y++)
                    for (int64_t x = 0; x < n[1]; x++) {
                        const uint16_t *at = (const void *)(old + y * from[0]);
                        uint16_t *out = (void *)(now + y * to[0]);
                        const uint16_t *up = (const void *)((const char *)at - from[0]);
                        const uint16_t *down = (const void *)((const char *)at + from[0]);
                        out[x] = up[x - 1] + 2 * up[x] + 3 * at[x + 1] + 5 * down[x + 1];
                        changed += out[x] != at[x];
                    }
                return changed;
            }
            int64_t fails(const char *old, char *now, const int64_t *n, const int64_t *from, const int64_t *to) {
                return -7;
            }"""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "sum")
        path.with_suffix(".c").write_text(source)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", f"{path}.so", f"{path}.c"], check=True)
        return ctypes.CDLL(f"{path}.so")

    @staticmethod
    def summed(old, new):
        new[...] = old[:-2, :-2] + 2 * old[:-2, 1:-1] + 3 * old[1:-1, 2:] + 5 * old[2:, 2:]

    @staticmethod
    def still(old, new):
        new[...] = old[1:-1, 1:-1]

    def test_stencil(self):
        """A function of Python, and the same compiled one on several ranks."""
        library = self.compiled()
        cells = self.rng.integers(0, 1000, (50, 60)).astype("u2")
        for periodic, beats in itertools.product((False, True), (1, 4)):
            want = cells
            for _ in range(beats):
                around = np.pad(want, 1, mode="wrap" if periodic else "constant")
                want = np.zeros_like(cells)
                self.summed(around, want)
            got = hb.stencil(self.summed, cells, beats, periodic=periodic)
            np.testing.assert_array_equal(got, want)
            for ranks in (1, 2, 5):
                with hb.ranks(ranks):
                    got = hb.stencil(library.sum, np.asfortranarray(cells), beats, periodic=periodic)
                    np.testing.assert_array_equal(got, want)
        address = ctypes.cast(library.sum, ctypes.c_void_p).value
        of_numba = types.SimpleNamespace(address=address)  # a cfunc of numba has its address
        np.testing.assert_array_equal(hb.stencil(of_numba, cells, 4, periodic=True), want)
        np.testing.assert_array_equal(hb.stencil(address, cells, 4, periodic_0=True, periodic_1=True), want)
        around = np.pad(np.pad(cells, ((1, 1), (0, 0)), mode="wrap"), ((0, 0), (1, 1)))
        want = np.zeros_like(cells)
        self.summed(around, want)
        for function in (self.summed, library.sum):  # one of both axes is periodic
            for how in ({"periodic": (True, False)}, {"periodic": np.array([True, False])}, {"periodic_0": True},
                        {"periodic": [False, False], "periodic_0": True}):
                np.testing.assert_array_equal(hb.stencil(function, cells, 1, **how), want)
        for periodic in ((True,), (True, False, True), 1, "no", None, (1, 0), {0: True, 1: False}):
            raises(self, TypeError, "periodic is .* must be True", hb.stencil, library.sum, cells, 1, periodic=periodic)
        raises(self, TypeError, "periodic_0 is 'false'", hb.stencil, library.sum, cells, 1, periodic_0="false")
        raises(self, hb.Cancelled, "returned -7", hb.stencil, library.fails, cells, 1)

    def test_types(self):
        """Cells of any type in any layout are computed as NumPy computes them."""
        libc = ctypes.CDLL(None)
        libc.memmove.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        sizes = ctypes.POINTER(ctypes.c_int64)
        compiled = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, sizes, sizes, sizes)(
            self.copying(libc)[0])

        def shift(old, new):
            new[...] = old[1:-1, :-2]

        for dtype, layout in itertools.product(TYPES, LAYOUTS):
            cells = random_array(self.rng, (9, 13), dtype)
            want = native(cells) if dtype == "f2" else cells
            want = np.pad(want, ((0, 0), (3, 0)))[:, :-3]
            for function in (shift, compiled):
                with hb.ranks(self.rng.choice([1, 2])):
                    np.testing.assert_array_equal(hb.stencil(function, layout(cells), 3), want)

    def copying(self, library):
        """A function of Python that the library calls as a compiled one, on several threads; and the threads."""
        threads = set()

        def shift(old, new, n, old_stride, new_stride):
            threads.add(threading.get_ident())
            for row in range(n[0]):
                library.memmove(new + row * new_stride[0], old + row * old_stride[0] - old_stride[1],
                                n[1] * new_stride[1])
            return n[0] * n[1]

        return shift, threads

    def test_called_back(self):
        """Ranks call a function of Python through ctypes, each in its thread."""
        libc = ctypes.CDLL(None)
        libc.memmove.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        sizes = ctypes.POINTER(ctypes.c_int64)
        shift, threads = self.copying(libc)
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, sizes, sizes, sizes)(shift)
        cells = self.rng.random((40, 12))
        for ranks in (1, 3):
            threads.clear()
            seen = []
            with hb.ranks(ranks):
                for one in (function, ctypes.cast(function, ctypes.c_void_p)):
                    got = hb.stencil(one, cells, 20, periodic=True, progress=lambda *done: seen.append(done))
                    np.testing.assert_array_equal(got, np.roll(cells, 20, axis=1))
            self.assertGreaterEqual(len(threads), ranks)

    def test_cffi(self):
        """Pointers of cffi to functions of a library and of Python, and their addresses."""
        try:
            import cffi
        except ImportError as error:
            if os.environ.get("HALOBEAT_TESTS_COMPLETE"):
                raise
            self.skipTest(f"needs python3-cffi: {error}")
        library = self.compiled()
        ffi = cffi.FFI()
        kind = "int64_t {}(const char *, char *, const int64_t *, const int64_t *, const int64_t *)"
        ffi.cdef(f"{kind.format('sum')}; {kind.format('fails')}; extern int none;")
        loaded = ffi.dlopen(library._name)
        cells = self.rng.integers(0, 1000, (50, 60)).astype("u2")
        want = hb.stencil(library.sum, cells, 4, periodic=True)
        pointer = ffi.addressof(loaded, "sum")
        for one in (pointer, loaded.sum, ffi.cast("void *", pointer), ffi.cast("intptr_t", pointer),
                    int(ffi.cast("intptr_t", pointer))):
            for ranks in (1, 3):
                with hb.ranks(ranks):
                    np.testing.assert_array_equal(hb.stencil(one, cells, 4, periodic=True), want)
        raises(self, hb.Cancelled, "returned -7", hb.stencil, loaded.fails, cells, 1)
        moved, threads = self.copying(ffi)
        back = ffi.callback(kind.format("(*)"), lambda old, new, *more: moved(old, new, *more), error=-1)
        with hb.ranks(2):
            np.testing.assert_array_equal(hb.stencil(back, cells, 7, periodic=True), np.roll(cells, 7, axis=1))
        self.assertGreaterEqual(len(threads), 2)
        for one in (ffi.new("int[4]"), ffi.new("int *")):
            raises(self, TypeError, "must be a pointer to a function", hb.stencil, one, cells, 1)
        raises(self, ValueError, "no function can be", hb.stencil, ffi.NULL, cells, 1)

    @unittest.skipUnless(MORE, "compiles a module")
    def test_cffi_module(self):
        """A module that cffi has compiled calls its functions with numbers only: their addresses are asked for."""
        import cffi
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        ffi = cffi.FFI()
        kind = "int64_t still(const char *, char *, const int64_t *, const int64_t *, const int64_t *)"
        ffi.cdef(f"{kind};")
        ffi.set_source("_still", f"#include <stdint.h>\nstatic {kind} {{ return 0; }}".replace("char *,", "char *old,", 1)
                       .replace("char *,", "char *now,", 1).replace("int64_t *,", "int64_t *n,", 1)
                       .replace("int64_t *,", "int64_t *from,", 1).replace("int64_t *)", "int64_t *to)", 1))
        spec = importlib.util.spec_from_file_location("_still", ffi.compile(folder.name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        cells = np.zeros((3, 4))
        raises(self, TypeError, r"pass its address: ffi.addressof\(lib, 'still'\)", hb.stencil, module.lib.still, cells, 1)
        np.testing.assert_array_equal(hb.stencil(module.ffi.addressof(module.lib, "still"), cells, 1), cells)

    def test_shared_object(self):
        """Kernels that `halobeat run` loads: their cells, depth and options are their own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = Path(os.environ["HALOBEAT_SOURCE"])
        for name in ("rise", "nothing"):
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", f"{folder.name}/{name}.so",
                            source / "tests" / "support" / "run" / f"{name}.c", f"-I{source}", f"-I{source}/src"],
                           check=True)
        path = Path(folder.name, "rise.so")
        cells = self.rng.integers(0, 9999, (30, 41)).astype("u2")
        cross = nd.generate_binary_structure(2, 1)
        for ranks in (1, 3):
            with hb.ranks(ranks):
                want = nd.grey_dilation(nd.grey_dilation(cells, footprint=cross, mode="constant"), footprint=cross,
                                        mode="constant")
                np.testing.assert_array_equal(hb.stencil(path, cells, 2), want)
                self.assertEqual(set(np.unique(hb.stencil(path, cells, 0))), {cells.max()})
        raises(self, ValueError, "uint16; convert|convert", hb.stencil, path, cells.astype("f4"), 2)
        raises(self, ValueError, "no option 'speed'", hb.stencil, path, cells, 2, kernel_options={"speed": 3})
        raises(self, ValueError, "no commas", hb.stencil, path, cells, 2, kernel_options={"speed": "3,4"})
        for given in ({"depth": 2}, {"converges": True}):
            raises(self, ValueError, "has its own depth", hb.stencil, path, cells, 2, **given)
        raises(self, hb.FormatError, "exports no kernel", hb.stencil, Path(folder.name, "nothing.so"), cells, 2)
        raises(self, OSError, "elsewhere", hb.stencil, "elsewhere.so", cells, 2)

    def test_python(self):
        def spread(old, new):
            np.maximum.reduce([old[:-4], old[1:-3], old[2:-2], old[3:-1], old[4:]], out=new)

        line = np.zeros(101, "i4")
        line[50] = 3
        ends = hb.stencil(spread, line, 0, depth=2, converges=True)
        self.assertTrue((ends == 3).all())
        seen = []
        whole = hb.stencil(spread, line, 10, depth=2, output=line, progress=lambda *done: seen.append(done))
        self.assertEqual((seen[0], seen[-1]), ((1, 10), (10, 10)))
        self.assertLess(len(seen), 10)
        self.assertEqual((whole is line, whole.sum()), (True, 41 * 3))
        flags = hb.stencil(lambda old, new: np.logical_or(old[:-2], old[2:], out=new), [True] + [False] * 6, 1,
                           periodic=True)
        self.assertEqual(flags.tolist(), [False, True] + [False] * 4 + [True])

    def test_refused(self):
        raises(self, TypeError, "must be a function of Python", hb.stencil, 1.5, [1], 1)
        for one in (0, 4095, -1, 2**63, ctypes.CFUNCTYPE(ctypes.c_int64)()):
            raises(self, ValueError, "no function can be", hb.stencil, one, np.zeros((3, 3)), 1)
        for one in (False, True, np.False_, None):
            raises(self, TypeError, "must be a function of Python", hb.stencil, one, np.zeros((3, 3)), 1)
        for depth in (-1, 2**20 + 1, 2**32, 2**64):
            raises(self, ValueError, "1 to 1048576", hb.stencil, self.compiled().sum, np.zeros((3, 3)), 1, depth=depth)
        raises(self, ValueError, "depth is 0", hb.stencil, print, [1], 1, depth=0)
        raises(self, ValueError, "0 with converges=True", hb.stencil, print, [1], 0)
        raises(self, ValueError, "has one rank", hb.stencil, print, [1], 1, beats_per_exchange=2)
        cells = np.zeros((4, 5))
        for output in (np.zeros((4, 5), "f4"), np.zeros((4, 5), "i8"), np.zeros((5, 4)), np.zeros(5),
                       np.zeros((1, 4, 5))):
            for call in (hb.heat, lambda *one, **more: hb.stencil(self.still, *one, **more)):
                raises(self, ValueError, "output has .* must have float64", call, cells, 1, output=output)
            raises(self, ValueError, "output is read-only", call, cells, 1, output=np.broadcast_to(0., (4, 5)))
        swapped = np.ones((4, 5), ">f8")
        self.assertIs(hb.stencil(self.still, cells, 1, output=swapped), swapped)
        self.assertFalse(swapped.any())
        for option in ("colour", "margins", "change_threshold"):
            for call in (hb.heat, lambda *one, **more: hb.stencil(self.still, *one, **more),
                         lambda *one, **more: hb.stencil(8192, *one, **more)):
                raises(self, TypeError, f"has no option '{option}'; it has .*periodic_0", call, cells, 1, output=cells,
                       **{option: True})
        for function in (print, 8192):
            raises(self, ValueError, "kernel_options are for", hb.stencil, function, cells, 1, kernel_options={"a": 1})
        raises(self, TypeError, "returned an array", hb.stencil, lambda old, new: old[1:-1, 1:-1] + 1, cells, 1)
        raises(self, ValueError, "broadcast", hb.stencil, lambda old, new: np.copyto(new, old), cells, 1)
        self.assertEqual(hb.stencil(lambda old, new: new.fill(3) or 12, cells, 1).sum(), 60)

    def test_exception(self):
        """An exception in the middle comes out, and the output is as it was."""
        beats = []

        def fail(old, new):
            new[...] = 5
            beats.append(len(beats))
            if len(beats) == 3:
                raise ZeroDivisionError

        cells = self.rng.random((4, 5))
        output = cells.copy()
        with hb.ranks(3):
            raises(self, ZeroDivisionError, "", hb.stencil, fail, output, 10, output=output)
        np.testing.assert_array_equal(output, cells)
        self.assertEqual(beats, [0, 1, 2])

    def test_casts(self):
        """The extension checks what it casts."""
        for address, depth in ((0, 1), (4095, 1), (8192, 0), (8192, 2**32 + 1)):
            raises(self, ValueError, "no function is at the address|a depth of", _halobeat.stencil, 1, None, None,
                   np.zeros(3), np.zeros(3), address, 1, depth, False)


class Contours(unittest.TestCase):
    def test_chan_vese(self):
        rng = np.random.default_rng(9)
        image = (nd.gaussian_filter(rng.random((70, 90)), 6) * 1000 % 256).astype("u1")
        for dtype in ("u1", "u2"):
            for init, smoothing, count, first, second in [("checkerboard", 1, 10, 1, 1), ("disk", 3, 5, 1, 2)] + \
                    [("disk", 2, 20, 1.5, 1)] * MORE:
                morphsnakes._curvop.funcs = itertools.cycle([
                    lambda u: morphsnakes.sup_inf(morphsnakes.inf_sup(u)),
                    lambda u: morphsnakes.inf_sup(morphsnakes.sup_inf(u))])  # they take turns from call to call
                peer = morphological_chan_vese(image.astype(float), count, init, smoothing, lambda1=first, lambda2=second)
                for layout in LAYOUTS[:3]:
                    got = hb.morphological_chan_vese(layout(image.astype(dtype)), count, init, smoothing=smoothing,
                                                     lambda1=first, lambda2=second)
                    np.testing.assert_array_equal(got, peer)
        start = np.zeros(image.shape, bool)
        start[20:40, 30:60] = True
        inside = np.empty(image.shape, bool)
        self.assertIs(hb.morphological_chan_vese(image, 0, start, output=inside), inside)
        np.testing.assert_array_equal(inside, start)
        want = hb.morphological_chan_vese(image, 5, start)
        over, level = image.copy(), start.view("u1").copy()  # the output may be the image, or the first level set
        np.testing.assert_array_equal(hb.morphological_chan_vese(over, 5, start, output=over), want)
        np.testing.assert_array_equal(hb.morphological_chan_vese(image, 5, level, output=level), want)

    def test_types(self):
        """The level set is the same for whole numbers of any type, and for any layout of the arrays."""
        rng = np.random.default_rng(37)
        image = (nd.gaussian_filter(rng.random((45, 60)), 3) * 3000 % 256).astype("u1")
        start = rng.random(image.shape) < .5
        want = hb.morphological_chan_vese(image, 6, start)
        for dtype, layout in itertools.product(("u2", ">u2", "i2", ">i4", "u4", "i8", "u8"), LAYOUTS):
            first = LAYOUTS[rng.integers(len(LAYOUTS))](np.where(start, 3, -2).astype(rng.choice(["i1", "i8", ">f4"])))
            output = np.zeros([2 * n for n in image.shape], rng.choice(["?", "u1", "i1"]))[::-2, ::2]
            with hb.ranks(rng.choice([1, 2, 3])):
                got = hb.morphological_chan_vese(layout(image.astype(dtype)), 6, first, output=output)
            np.testing.assert_array_equal(got, want)
        bits = image > 99
        np.testing.assert_array_equal(hb.morphological_chan_vese(bits, 6, start),
                                      hb.morphological_chan_vese(bits.astype("u1"), 6, start))

    def test_callback(self):
        """It sees the first level set, and that after each iteration, as the peer's does."""
        image = (nd.gaussian_filter(np.random.default_rng(19).random((40, 50)), 3) * 3000 % 256).astype("u1")
        for smoothing, init, count in ((1, "disk", 5), (2, image > 99, 3), (0, "checkerboard", 0)):
            morphsnakes._curvop.funcs = itertools.cycle([
                lambda u: morphsnakes.sup_inf(morphsnakes.inf_sup(u)),
                lambda u: morphsnakes.inf_sup(morphsnakes.sup_inf(u))])
            peer, seen, reported = [], [], []
            morphological_chan_vese(image.astype(float), count, init, smoothing, 1, 2, lambda level: peer.append(level.copy()))
            got = hb.morphological_chan_vese(image, count, init, smoothing, 1, 2, lambda level: seen.append(level.copy()),
                                             progress=lambda *done: reported.append(done))
            np.testing.assert_array_equal(seen, peer)
            np.testing.assert_array_equal(got, peer[-1])
            self.assertEqual(reported, [(beat, count) for beat in range(1, count + 1)])
        raises(self, ZeroDivisionError, "", hb.morphological_chan_vese, image, 3, iter_callback=lambda level: 1 / 0)
        part = hb.morphological_chan_vese(image, 3, "disk")
        np.testing.assert_array_equal(hb.morphological_chan_vese(image, 4, part, first_beat=3),
                                      hb.morphological_chan_vese(image, 7, "disk"))

    def test_refused(self):
        image = np.ones((5, 5))
        raises(self, ValueError, "init_level_set takes", hb.morphological_chan_vese, image, 1, "square")
        raises(self, ValueError, r"init_level_set has the shape \(5, 4\)", hb.morphological_chan_vese, image, 1,
               image[:, 1:])
        raises(self, ValueError, "num_iter is -1", hb.morphological_chan_vese, image, -1)
        raises(self, TypeError, "no option 'init'; it has image, num_iter", hb.morphological_chan_vese, image, 1,
               init="disk")
        raises(self, ValueError, "smoothing takes", hb.morphological_chan_vese, image, 1, smoothing=-1)
        raises(self, ValueError, "NaN", hb.morphological_chan_vese, image * np.nan, 1)
        raises(self, ValueError, "3 axes.*must have 2; pass one of its parts", hb.morphological_chan_vese, np.ones((2, 3, 4)), 1)


if __name__ == "__main__":
    unittest.main()
