"""Heat and stencils give what plain NumPy gives."""

import ctypes
import functools
import importlib.util
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
import unittest
from pathlib import Path

import numpy as np
import scipy.ndimage as nd

import halobeat as hb
from halobeat import _halobeat
from cases import LAYOUTS, MORE, TYPES, native, raises, random_array


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
        for call in (hb.heat, functools.partial(hb.stencil, print), functools.partial(hb.stencil, self.compiled().sum)):
            raises(self, ValueError, "fewer than 2\\*\\*63", call, np.zeros((3, 3)), 2**70)
            raises(self, TypeError, "beats is '7', and must be a whole number", call, np.zeros((3, 3)), "7")
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

    @staticmethod
    def callback(function):
        """The address of a function of Python, by ctypes."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 5)(function)

    def test_exception_of_callback(self):
        """Exceptions that ctypes and cffi do not hand on end the run, on each rank; others stay the hook's."""
        def fail(*_):
            raise ZeroDivisionError("of a beat")

        def after_another(*_):
            Fails()
            raise ZeroDivisionError("of a beat")

        class Fails:
            def __del__(self):
                raise LookupError

        def within(*_):
            with self.assertRaisesRegex(ZeroDivisionError, "of a beat"):
                hb.stencil(self.callback(fail), np.zeros((3, 3)), 1)
            return 0

        hook, seen = sys.unraisablehook, []
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        sys.unraisablehook = lambda given: seen.append(given.exc_type)
        mine, cells = sys.unraisablehook, np.zeros((40, 50))
        functions = [self.callback(fail), self.callback(after_another)]
        try:
            import cffi
            kind = "int64_t(*)(const char *, char *, const int64_t *, const int64_t *, const int64_t *)"
            functions.append(cffi.FFI().callback(kind, fail))
        except ImportError:
            self.assertFalse(os.environ.get("HALOBEAT_TESTS_COMPLETE"))
        for one, ranks in itertools.product(functions, (1, 4)):
            with hb.ranks(ranks):
                raises(self, ZeroDivisionError, "of a beat", hb.stencil, one, cells, 10**6)
            try:
                hb.stencil(one, cells, 1)
            except ZeroDivisionError:
                self.assertRegex(traceback.format_exc(), 'raise ZeroDivisionError\\("of a beat"')
            self.assertIs(sys.unraisablehook, mine)
        self.assertEqual(set(seen), {LookupError})
        hb.stencil(self.callback(within), cells, 2)
        raises(self, TypeError, "None", hb.stencil, self.callback(lambda *_: None), cells, 2)

    def test_interrupted_callback(self):
        """Ctrl-C while the function runs ends the call."""
        def slow(*_):
            time.sleep(.002)
            return 0

        for ranks in (1, 3):
            timer = threading.Timer(.2, os.kill, (os.getpid(), signal.SIGINT))
            with hb.ranks(ranks), self.assertRaises(KeyboardInterrupt):
                timer.start()
                hb.stencil(self.callback(slow), np.zeros((40, 50)), 20000)
            timer.join()

    def test_ended_callback(self):
        """The function, which is called until all ranks end, does not find the exception that ends them."""
        def stop(*_):
            reports.append(_)
            if len(reports) > 1:
                raise ZeroDivisionError

        for ranks in (1, 2, 3):
            reports = []
            with hb.ranks(ranks), self.assertRaises(ZeroDivisionError):
                hb.stencil(self.callback(lambda *_: time.sleep(.001) or 0), np.zeros((40, 50)), 20000, progress=stop)

    def test_casts(self):
        """The extension checks what it casts."""
        for address, depth in ((0, 1), (4095, 1), (8192, 0), (8192, 2**32 + 1)):
            raises(self, ValueError, "no function is at the address|a depth of", _halobeat.stencil, 1, None, None,
                   np.zeros(3), np.zeros(3), address, 1, depth, False)


if __name__ == "__main__":
    unittest.main()
