"""The recipes of docs/python.md run, as they stand there, and give what they say."""

import contextlib
import importlib.util
import io
import os
import re
import shutil
import sys
import tempfile
import types
import unittest
from pathlib import Path

import numpy as np
import scipy.ndimage as nd

import halobeat as hb

SOURCE = Path(os.environ["HALOBEAT_SOURCE"])
DOCUMENT = (SOURCE / "docs" / "python.md").read_text()
COMPLETE = bool(os.environ.get("HALOBEAT_TESTS_COMPLETE"))
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def recipes():
    """The code of each recipe by its title."""
    text = DOCUMENT.partition("\n## Recipes\n")[2]
    parts = re.split(r"^### (.*)$", text, flags=re.MULTILINE)[1:]
    return {title: "\n".join(re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL))
            for title, body in zip(parts[::2], parts[1::2])}


class Viewer:
    """What napari shows."""

    def __init__(self):
        self.layers = []

    def add_image(self, image):
        self.layers.append(image)

    def add_labels(self, labels, properties):
        assert len(properties["label"]) == labels.max()
        self.layers.append(labels)


class Recipes(unittest.TestCase):
    code = recipes()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path in (SOURCE / "data").iterdir():
            if path.suffix in (".png", ".tif"):
                shutil.copy(path, folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        self.addCleanup(hb.set_ranks, 0)
        os.chdir(folder.name)

    def run_recipe(self, title, *needs, **names):
        for package in needs:
            if package not in sys.modules and importlib.util.find_spec(package) is None:
                if COMPLETE:
                    self.fail(f"python3-{package} is not installed")
                self.skipTest(f"needs python3-{package}")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(self.code[title], title, "exec"), names)
        return names

    def test_all_are_here(self):
        tests = {name[len("test_"):].replace("_", " ") for name in dir(self) if name.startswith("test_")}
        self.assertEqual({title.lower() for title in self.code}, tests - {"all are here", "opening lines"})

    def test_opening_lines(self):
        """What docs/python.md begins with: an image from file to file."""
        names = {}
        exec(re.search(r"^```python\n(import .*?\n\n.*?)\n\n", DOCUMENT, re.MULTILINE | re.DOTALL)[1], names)
        self.assertEqual(names["n"], nd.label(hb.imread("grains.tif") > 110)[1])
        np.testing.assert_array_equal(hb.imread("labels.tif"), names["labels"])

    def test_count_cells(self):
        found = self.run_recipe("Count cells")
        want, count = nd.label(found["volume"] > 110)
        kept = set(range(1, count + 1)) - set(np.flatnonzero(np.bincount(want.ravel()) < 30))
        for axis in range(3):
            for end in (0, -1):
                kept -= set(np.unique(np.take(want, end, axis)).tolist())
        self.assertGreater(len(kept), 10)
        self.assertEqual(found["n"], len(kept))
        self.assertEqual(len(found["table"]["area"]), found["n"])
        self.assertGreaterEqual(found["table"]["area"].min(), 30)

    def test_porosity_and_tortuosity_of_a_rock(self):
        found = self.run_recipe("Porosity and tortuosity of a rock")
        self.assertTrue(.5 * found["pores"].sum() < found["open_pores"].sum() < found["pores"].sum())
        self.assertGreater(found["walk"].tortuosity[0].value, 1)

    def test_superpixels(self):
        found = self.run_recipe("Superpixels")
        self.assertEqual(found["mosaic"].shape, found["photo"].shape)
        np.testing.assert_array_equal(hb.imread("mosaic.png"), found["mosaic"])
        self.assertLess(np.abs(found["mosaic"].astype(int) - found["photo"]).mean(), 15)

    def test_shortest_path_on_terrain(self):
        found = self.run_recipe("Shortest path on terrain")
        self.assertEqual((found["path"][0], found["path"][-1]), (found["goal"], found["start"]))
        self.assertTrue(all(found["cost"][cell] > 0 for cell in found["path"]))

    def test_life_in_a_notebook(self):
        found = self.run_recipe("Life in a notebook")
        self.assertEqual((found["life"].generation, len(found["population"])), (1500, 500))
        self.assertIn("image/png", found["life"]._repr_html_())

    def test_a_stencil_of_your_own(self):
        found = self.run_recipe("A stencil of your own")
        want = found["image"]
        for _ in range(3):
            want = nd.median_filter(want, 3, mode="constant")
        np.testing.assert_array_equal(found["smooth"], want)
        cross = nd.iterate_structure(nd.generate_binary_structure(2, 1), 10)
        np.testing.assert_array_equal(found["bright"], nd.grey_dilation(found["image"], footprint=cross, mode="constant"))

    def test_a_zarr_volume_larger_than_memory(self):
        volume = nd.uniform_filter(np.random.default_rng(1).random((50, 40, 30)), 3) > .52
        hb.imwrite("volume.zarr", volume.astype("u1"))
        with contextlib.redirect_stderr(io.StringIO()):
            found = self.run_recipe("A zarr volume larger than memory")
        want, count = hb.label(volume, connectivity=3, min_area=10)
        self.assertEqual(found["regions"], count)
        np.testing.assert_array_equal(hb.imread("labels.zarr"), want)

    def test_a_label_layer_in_an_image(self):
        volume = np.random.default_rng(2).integers(0, 200, (4, 300, 40), dtype="u2")
        found = self.run_recipe("A label layer in an image", volume=volume)
        want, count = hb.label(volume >= 100)
        self.assertEqual(found["regions"], count)
        np.testing.assert_array_equal(found["overview"], want[:, ::2, ::2])

    def test_many_images_with_mpi4py(self):
        found = self.run_recipe("Many images with mpi4py", "mpi4py")
        self.assertEqual(set(found["counts"]), {path.name for path in Path().glob("*.png")})
        for name in ("horse.png", "cell.png"):
            self.assertEqual(found["counts"][name], nd.label(hb.imread(name, colours=False) > 128)[1])

    def test_a_volume_in_strips_with_mpi4py(self):
        """strips.py runs it where libhalobeat_mpi is of mpi4py's MPI; with another one, or none, it is refused."""
        np.save("volume.npy", hb.imread("grains.tif"))
        with self.assertRaisesRegex(ValueError, "libhalobeat_mpi"):
            self.run_recipe("A volume in strips with mpi4py", "mpi4py")

    def test_chunks_of_dask(self):
        found = self.run_recipe("Chunks of dask", "dask")
        np.testing.assert_array_equal(found["result"], hb.heat(found["plate"], found["beats"]))
        for function in (hb.label, hb.statistics, hb.regionprops_table):
            with self.assertRaisesRegex(TypeError, r"compute\(\).*map_overlap"):
                function(found["chunks"])

    def test_in_napari(self):
        if importlib.util.find_spec("napari") is None:
            module = types.ModuleType("napari")
            module.Viewer = Viewer
            sys.modules["napari"] = module
            self.addCleanup(sys.modules.pop, "napari")
        found = self.run_recipe("In napari", "napari")
        self.assertEqual(len(found["viewer"].layers), 2)


if __name__ == "__main__":
    unittest.main()
