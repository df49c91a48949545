"""Labels of strips of one array, one a process of mpi4py, are those of the whole array: strips.py [MPIEXEC].

With MPIEXEC it starts three processes, which run this file. Without it, the communicator is refused where libhalobeat_mpi is
of another MPI than mpi4py, and where there is none."""

import contextlib
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import halobeat as hb
from recipes import SOURCE, recipes

os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
COMPLETE = bool(os.environ.get("HALOBEAT_TESTS_COMPLETE"))
RANKS = 3


class Strips(unittest.TestCase):
    """Runs on all ranks."""

    def setUp(self):
        from mpi4py import MPI
        self.comm = MPI.COMM_WORLD

    def strip(self, array, cuts):
        return array[cuts[self.comm.rank]:cuts[self.comm.rank + 1]]

    def check(self, array, cuts, **options):
        want, count = hb.label(array, **options)
        labels, n = hb.label(self.strip(array, cuts), comm=self.comm, **options)
        self.assertEqual(n, count)
        np.testing.assert_array_equal(labels, self.strip(want, cuts))
        self.assertEqual(labels.dtype, want.dtype)

    def test_runs_in_all_processes(self):
        self.assertEqual(self.comm.size, RANKS)

    def test_labels(self):
        random = np.random.default_rng(1)
        image = random.random((61, 50)) < .5
        volume = random.integers(-1, 2, (20, 30, 40), dtype="i2")
        for array, cuts in ((image, (0, 20, 40, 61)), (image, (0, 0, 60, 61)), (volume, (0, 1, 2, 20)),
                            (volume.astype(">f4"), (0, 7, 7, 20)), (volume[:, :, 3], (0, 5, 20, 20))):
            for connectivity in range(1, array.ndim + 1):
                self.check(array, cuts, connectivity=connectivity)
            self.check(array, cuts, values=True, min_area=3)
            self.check(array, cuts, periodic_0=True, clear_border=True)

    def test_output(self):
        image = np.random.default_rng(2).random((30, 40)) < .4
        mine = self.strip(image, (0, 10, 20, 30))
        labels = np.empty(mine.shape, "u8")
        n = hb.label(mine, output=labels, comm=self.comm.Dup())
        want, count = hb.label(image)
        self.assertEqual(n, count)
        np.testing.assert_array_equal(labels, self.strip(want, (0, 10, 20, 30)))

    def test_all_ranks_fail(self):
        """A rank with wrong arguments has its own exception, and the others one that names it."""
        image = np.ones((4, 5), "u1")
        cases = ((ValueError, image, np.empty((4, 6), "i4")), (TypeError, image.astype("c8"), None),
                 (ValueError, np.ones((4, 5, 6, 7)), None), (TypeError, image, "no type"))
        for mine, wrong, output in cases:
            bad = self.comm.rank == 1
            with self.assertRaises(mine if bad else (RuntimeError, ValueError)) as raised:
                hb.label(wrong if bad else image, output=output if bad else None, comm=self.comm)
            if not bad:
                self.assertIn("rank 1", str(raised.exception))
        with self.assertRaises(ValueError):
            hb.label(np.ones((4, 5 + self.comm.rank)), comm=self.comm)
        with self.assertRaises(TypeError):
            hb.label(image, comm=self.comm, no_option=3)
        with self.assertRaisesRegex(RuntimeError, "more than labels of uint8"):
            hb.label(np.eye(600), output="u1", comm=self.comm)

    def test_recipe(self):
        volume = hb.imread(SOURCE / "data" / "grains.tif")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            np.save("volume.npy", volume)
            names = {}
            exec(recipes()["A volume in strips with mpi4py"], names)
        labels, n = hb.label(volume > 110)
        self.assertEqual(names["n"], n)
        np.testing.assert_array_equal(names["labels"], labels[names["first"]:names["end"]])

    def test_progress_of_rank_0(self):
        def stop(done, total):
            raise KeyError("stop")
        with self.assertRaises(KeyError if self.comm.rank == 0 else hb.Cancelled):
            hb.label(np.ones((500, 500), "u1"), comm=self.comm, progress=stop)
        self.check(np.ones((9, 9), "u1"), (0, 3, 6, 9))


class Refusals(unittest.TestCase):
    def test_no_communicator(self):
        with self.assertRaisesRegex(TypeError, "COMM_WORLD"):
            hb.label([1], comm=3)

    def test_another_mpi(self):
        """Debian's mpi4py has Open MPI, and this test is built with MPICH, or without MPI."""
        from mpi4py import MPI
        self.assertIn("Open MPI", MPI.Get_library_version())
        with self.assertRaisesRegex(ValueError, "is of Open MPI, and libhalobeat_mpi was built with MPICH|"
                                                "needs libhalobeat_mpi .*install it"):
            hb.label([1], comm=MPI.COMM_WORLD)

    def test_no_library(self):
        code = "import halobeat as hb; from mpi4py import MPI; hb.label([1], comm=MPI.COMM_WORLD)"
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"HALOBEAT_LIBDIR": "/nowhere"},
                              capture_output=True, text=True)
        self.assertRegex(done.stderr, "ValueError: a communicator needs libhalobeat_mpi .* HALOBEAT_LIBDIR")


if __name__ == "__main__":
    try:
        import mpi4py  # noqa: F401
    except ImportError:
        print("needs python3-mpi4py")
        sys.exit(1 if COMPLETE else 77)
    if len(sys.argv) == 1:
        unittest.main(defaultTest="Refusals")
    if sys.argv[1] == "Strips":
        unittest.main()
    sys.exit(subprocess.run([sys.argv[1], "--oversubscribe", "-n", str(RANKS), sys.executable, "-B", __file__, "Strips"],
                            timeout=300).returncode)
