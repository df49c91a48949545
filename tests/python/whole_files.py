"""Files are labelled by the program, from file to file, as arrays of them are in memory."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np

import halobeat as hb
from cases import raises
from halobeat import _program

SOURCE = Path(os.environ["HALOBEAT_SOURCE"])


class WholeFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save(self, array, name="in.npy"):
        np.save(self.folder / name, array)
        return self.folder / name

    def check(self, array, **options):
        path, out = self.save(array), self.folder / "out.npy"
        want, count = hb.label(array, **options)
        self.assertEqual(hb.label(path, out=out, **options), count)
        got = np.load(out)
        np.testing.assert_array_equal(got, want)
        self.assertEqual(got.dtype, want.dtype)

    def test_as_arrays(self):
        random = np.random.default_rng(1)
        image = random.integers(-1, 2, (60, 71), dtype="i2")
        volume = np.where(random.random((9, 20, 30)) < .4, random.random((9, 20, 30)) - .5, 0).astype("f4")
        for array in (image, volume):
            for connectivity in range(1, array.ndim + 1):
                self.check(array, connectivity=connectivity)
            self.check(array, structure=np.ones((3,) * array.ndim), periodic_0=True, min_area=3)
            self.check(array, periodic_1=True, clear_border=True, largest=4)
        self.check(image.astype("u1"), max_area=9)
        self.check(image, values=True, background="none")
        self.check(image, values=True, delta=1)
        self.check(volume, periodic_2=True)
        self.assertEqual(hb.label(self.save(volume), periodic=True, periodic_1=True),
                         hb.label(volume, periodic_0=True, periodic_1=True, periodic_2=True)[1])
        with hb.ranks(3):
            self.check(volume)

    def test_axes_as_read(self):
        """A keyword that changes how the file is read changes how many axes it has."""
        image = (np.random.default_rng(1).random((12, 9, 3)) < .4).astype("f4")
        path = self.save(image)
        for options in ({"connectivity": 3}, {"structure": np.ones((3, 3, 3))}, {"connectivity": 18}, {"periodic_2": True}):
            self.assertEqual(hb.label(path, volume=True, **options), hb.label(image, **options)[1])
        self.assertEqual(hb.label(path, channel=1, connectivity=2), hb.label(image[..., 1], connectivity=2)[1])
        raises(self, ValueError, "connectivity is 3, and must be from 1 to 2", hb.label, path, connectivity=3, channel=1)
        (self.folder / "a.raw").write_bytes(image.astype("<f4").tobytes())
        for shape in ("12x9x3", (12, 9, 3)):
            self.assertEqual(hb.label(self.folder / "a.raw", shape=shape, dtype="<f4", connectivity=3),
                             hb.label(image, connectivity=3)[1])
        for connectivity in (1, 2, 3):
            self.check(image.transpose(2, 0, 1)[:1], connectivity=connectivity)
        for number, plane in enumerate(image):
            np.save(self.folder / f"plane-{number}.npy", np.tile(plane, 3))
        self.assertEqual(hb.label(str(self.folder / "plane-*.npy"), stack=True, connectivity=3),
                         hb.label(np.tile(image, (1, 1, 3)), connectivity=3)[1])

    def test_sentences(self):
        """Sentences of the program name keywords."""
        path = self.save(np.random.default_rng(1).integers(0, 9, (20, 30, 3)).astype("f4"))
        for options, text in [({}, r"channel with channel=N.*or say volume=True"),
                              ({"channel": 0, "contacts": "c.csv", "numbering": "seed", "values": True, "out": self.folder / "o.npy"},
                               r"contacts needs numbering='scan'"),
                              ({"channel": 0, "delta": 1}, "delta needs values"),
                              ({"channel": 0, "threshold": "much"}, "^threshold takes .*, not \"much\""),
                              ({"channel": 0, "min_area": 5, "max_area": 4}, "min_area 5 and max_area 4 leave no region"),
                              ({"channel": 0, "out": "x.pgm", "out_dtype": "uint32"}, "x.pgm")]:
            with self.assertRaisesRegex(ValueError, text) as caught:
                hb.label(path, **options)
            self.assertNotRegex(str(caught.exception), r"(^|\s)--?[a-z]")

    def test_nan_is_background(self):
        array = np.array([[np.nan, 0, 1, 0, -1]])
        self.assertEqual(hb.label(self.save(array)), 2)
        self.assertEqual(hb.label(array)[1], 3)

    def test_thresholds_and_options_of_the_program(self):
        grains = SOURCE / "data" / "grains.tif"
        volume = hb.imread(grains)
        self.assertEqual(hb.label(grains, threshold=110), hb.label(volume >= 110)[1])
        self.assertEqual(hb.label(grains, threshold="90..120"), hb.label((volume >= 90) & (volume <= 120))[1])
        self.assertNotEqual(hb.label(grains, threshold="otsu"), hb.label(grains))
        self.assertEqual(hb.label(grains, threshold=110, invert=True, min_area=20), hb.label(volume < 110, min_area=20)[1])
        table = self.folder / "regions.csv"
        n = hb.label(grains, threshold=110, regions=table)
        self.assertEqual(len(table.read_text().splitlines()), n + 1)

    def test_truth(self):
        """Only options without a value are True; others would have the next option for it."""
        path = self.save(np.eye(9, dtype="u1"))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for truth in (True, np.True_, 1):
            self.assertEqual(hb.label(path, invert=truth), 2)
        for falsehood in (False, np.False_, 0, None):
            self.assertEqual(hb.label(path, invert=falsehood), 9)
        self.assertEqual(hb.label(path, min_area=1, values=False), 9)
        for name in ("regions", "contacts", "min_area", "threshold", "out"):
            for value in (True, False, np.True_):
                raises(self, ValueError, f"^{name} is {value}, and takes a value", hb.label, path,
                       **{"out": "x.tif", "regions": "r.csv"} | {name: value})
        self.assertEqual(list(self.folder.iterdir()), [path])

    def test_formats(self):
        volume = np.random.default_rng(2).random((10, 12, 14)) < .3
        want, count = hb.label(volume)
        source = self.folder / "in.zarr"
        hb.imwrite(source, volume.astype("u1"))
        for name in ("out.zarr", "out.tif", "out.nii", "out.mha", "large.TIF", "large.Npy"):
            self.assertEqual(hb.label(str(source), out=str(self.folder / name)), count)
            np.testing.assert_array_equal(hb.imread(self.folder / name), want)

    def test_errors_without_status(self):
        """Where SIGCHLD is ignored the program's status is lost, but not what it says."""
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGCHLD, before)
        raises(self, FileNotFoundError, "cannot be opened.*check the name", hb.label, self.folder / "no.npy")
        self.assertEqual(hb.label(self.save(np.eye(9)), connectivity=2), 1)

    def test_errors(self):
        path = self.save(np.eye(9))
        raises(self, FileNotFoundError, "cannot be opened.*check the name", hb.label, self.folder / "no.npy")
        raises(self, FileNotFoundError, "check the name", hb.label, self.folder / "no.npy", connectivity=2)
        (self.folder / "bad.png").write_bytes(path.read_bytes()[:50])
        raises(self, hb.FormatError, "bad.png", hb.label, self.folder / "bad.png")
        raises(self, FileNotFoundError, "nowhere", hb.label, path, out=self.folder / "nowhere" / "out.npy")
        raises(self, ValueError, "^min_area takes", hb.label, path, min_area=-3)
        for name in ("min_aera", "help", "hel", "usage", "json", "quiet", "periodic_3", "periodic_axes"):
            raises(self, TypeError, rf"label\(\) has no option '{name}' for files; it has out, .*fill_holes, min_area.*periodic, "
                   "(?!.*periodic_axes).*periodic_0, periodic_1, periodic_2", hb.label, path, **{name: True})
        raises(self, ValueError, "another name", hb.label, path, regions="-")
        raises(self, ValueError, "connectivity is 3", hb.label, path, connectivity=3)
        raises(self, ValueError, "no other structure; read the file by imread", hb.label, path, np.eye(3))
        raises(self, ValueError, "no axis 2", hb.label, path, periodic_2=True)
        raises(self, ValueError, "out=", hb.label, path, output="i4")
        raises(self, ValueError, "for files", hb.label, np.eye(3), threshold=3)
        raises(self, ValueError, "pass array >= 110", hb.label, np.eye(3), threshold=3)
        raises(self, ValueError, "for files", hb.label, np.eye(3), out="x.npy")
        self.save(np.eye(5), "-q.npy")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.assertEqual(hb.label("-q.npy"), 5)

    def test_warnings(self):
        self.fake("""echo '{"regions": 3, "warnings": ["one thing"]}'; echo 'halobeat label: warning: one thing' >&2\n""")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            self.assertEqual(hb.label("x.npy"), 3)
        self.assertEqual([(str(one.message), one.filename) for one in seen], [("one thing", __file__)])

    def test_progress(self):
        path, seen = self.save(np.ones((300, 400), "u1")), []
        n = hb.label(path, out=self.folder / "out.npy", progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(n, 1)
        self.assertEqual(seen[-1], (200, 200))
        self.assertEqual(seen, sorted(seen))

        def stop(done, total):
            raise KeyError("stop")
        raises(self, KeyError, "stop", hb.label, path, out=self.folder / "stopped.npy", progress=stop)
        self.assertFalse((self.folder / "stopped.npy").exists())

    def fake(self, text):
        """A program in place of halobeat."""
        path = self.folder / "fake"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        was = _program.find_program
        self.addCleanup(setattr, _program, "find_program", was)
        _program.find_program = lambda: str(path)

    def test_interrupt(self):
        """Ctrl-C stops the program, and is KeyboardInterrupt here."""
        mark = self.folder / "stopped"
        self.fake(f"trap 'echo > {mark}; exit 1' INT\nwhile :; do sleep .05; done\n")
        timer = threading.Timer(.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        self.assertRaises(KeyboardInterrupt, hb.label, "x.npy")
        self.assertTrue(mark.exists())
        self.assertLess(time.monotonic() - begun, 20)

    def test_other_ends(self):
        self.fake("echo 'halobeat label: rank 0: out of memory: labels; use more ranks' >&2; exit 1\n")
        raises(self, MemoryError, "^out of memory: labels; use more ranks$", hb.label, "x.npy")
        self.fake("kill -9 $$\n")
        raises(self, RuntimeError, "-9", hb.label, "x.npy")

    def test_no_program(self):
        """A package by itself, without the program."""
        shutil.copytree(Path(hb.__file__).parent, self.folder / "halobeat")
        code = "import halobeat as hb; hb.label('x.npy')"
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                              env=os.environ | {"PYTHONPATH": str(self.folder), "PATH": "/nowhere"})
        self.assertRegex(done.stderr, "FileNotFoundError: .*PATH; install it")


if __name__ == "__main__":
    unittest.main()
