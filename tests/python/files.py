"""Files are read as Pillow, NumPy, tifffile and nibabel read them, and written so that these read them."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
import PIL.Image
import tifffile

import halobeat as hb
from cases import LAYOUTS, raises

DATA = Path(os.environ["HALOBEAT_SOURCE"], "data")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rng = np.random.default_rng(2)

    def random(self, shape, dtype):
        if dtype == "?":
            return self.rng.random(shape) < .5
        return self.rng.integers(0, 120, shape).astype(dtype)


class Read(Files):
    def test_pictures(self):
        for name in ("camera.png", "astronaut.png", "horse.png", "text.png", "cell.png"):
            with PIL.Image.open(DATA / name) as picture:
                mode, pixels = picture.mode, np.asarray(picture)
            if mode in ("P", "RGBA", "LA"):
                continue
            image, info = hb.imread(DATA / name, return_info=True)
            np.testing.assert_array_equal(image, pixels)
            self.assertEqual((info["format"], info["shape"]), ("PNG", image.shape))
        greys = hb.imread(DATA / "astronaut.png", colours=False)
        weights = hb.imread(DATA / "astronaut.png") @ [.2126, .7152, .0722]
        self.assertLess(np.abs(greys - weights).max(), 1)

    def test_bits(self):
        bits = self.random((9, 77), "?")
        PIL.Image.fromarray(bits).save(self.folder / "bits.png")
        image = hb.imread(self.folder / "bits.png")
        self.assertEqual(image.dtype, bool)
        np.testing.assert_array_equal(image, bits)

    def test_arrays(self):
        for dtype in ("u1", "i2", ">u4", "i8", "f4", ">f8"):
            for shape in [(7,), (5, 9), (4, 5, 9)]:
                array = self.random(shape, dtype)
                np.save(self.folder / "a.npy", np.asfortranarray(array))
                image = hb.imread(str(self.folder / "a.npy"))
                self.assertEqual(image.dtype, array.dtype.newbyteorder("="))
                np.testing.assert_array_equal(image, array)

    def test_parts(self):
        volume = self.random((3, 8, 9), "u2")
        tifffile.imwrite(self.folder / "v.tif", volume, photometric="minisblack")
        np.testing.assert_array_equal(hb.imread(self.folder / "v.tif"), volume)
        np.testing.assert_array_equal(hb.imread(self.folder / "v.tif", plane=1), volume[1])
        np.testing.assert_array_equal(hb.imread(f"{self.folder}/v.tif:z=2"), volume[2])

    def test_refused(self):
        raises(self, OSError, "nothing.png", hb.imread, self.folder / "nothing.png")
        (self.folder / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
        raises(self, hb.FormatError, "bad.png", hb.imread, self.folder / "bad.png")
        raises(self, ValueError, "bad.png", hb.imread, self.folder / "bad.png")
        raises(self, ValueError, "embedded null", hb.imread, "a\0b")
        raises(self, TypeError, "PathLike", hb.imread, 3.5)

    def test_progress(self):
        class Stop(Exception):
            pass

        def stop(done, total):
            raise Stop

        raises(self, Stop, "", hb.imread, DATA / "camera.png", progress=stop)


class Write(Files):
    def test_back(self):
        for ending in (".npy", ".tif", ".nii", ".nii.gz", ".mha", ".mhd", ".nrrd", ".zarr"):
            for dtype in ("u1", "u2", "i2", "f4", "i4"):
                for shape in [(6, 11), (3, 6, 11)]:
                    layout = LAYOUTS[self.rng.integers(len(LAYOUTS))]
                    array = self.random(shape, dtype)
                    path = self.folder / f"{len(shape)}{dtype}{ending}"
                    hb.imwrite(path, layout(array))
                    image = hb.imread(path)
                    self.assertEqual((image.dtype, image.shape), (array.dtype, array.shape), path)
                    np.testing.assert_array_equal(image, array, str(path))

    def test_png(self):
        for dtype, shape in (("u1", (9, 8)), ("u2", (9, 8)), ("?", (9, 8)), ("u1", (9, 8, 3))):
            array = self.random(shape, dtype)
            hb.imwrite(self.folder / "a.png", array)
            with PIL.Image.open(self.folder / "a.png") as picture:
                peer = np.asarray(picture)
            np.testing.assert_array_equal(peer, array * 255 if dtype == "?" else array)
        raises(self, ValueError, "write it as .tif or .npy", hb.imwrite, self.folder / "a.png", np.ones((3, 3)))
        raises(self, ValueError, "write a volume as", hb.imwrite, self.folder / "a.png", np.ones((3, 3, 3), "u2"))

    def test_others_read(self):
        array = self.random((5, 6, 7), ">i2")
        hb.imwrite(self.folder / "a.npy", array[::-1])
        np.testing.assert_array_equal(np.load(self.folder / "a.npy"), array[::-1])
        hb.imwrite(self.folder / "a.tif", array, compression="deflate", spacing=(2, .5, .25), unit="um")
        np.testing.assert_array_equal(tifffile.imread(self.folder / "a.tif"), array)
        info = hb.imread(self.folder / "a.tif", return_info=True)[1]
        np.testing.assert_allclose(info["spacing"], (2, .5, .25))
        self.assertEqual(info["unit"], "um")
        self.assertIn("<td>unit</td><td>um</td>", info._repr_html_())
        colours = self.random((5, 6, 3), "u1")
        hb.imwrite(self.folder / "c.tif", colours)
        np.testing.assert_array_equal(tifffile.imread(self.folder / "c.tif"), colours)

    def test_refused(self):
        image = np.ones((4, 5))
        raises(self, ValueError, "ending|ends", hb.imwrite, self.folder / "a.what", image)
        raises(self, OSError, "nowhere", hb.imwrite, self.folder / "nowhere" / "a.npy", image)
        raises(self, ValueError, "no elements", hb.imwrite, self.folder / "a.npy", image[:0])
        raises(self, TypeError, "complex", hb.imwrite, self.folder / "a.npy", image * 1j)
        raises(self, ValueError, 'unit is "parsnips"', hb.imwrite, self.folder / "a.tif", image, unit="parsnips")
        raises(self, ValueError, "distances above 0", hb.imwrite, self.folder / "a.tif", image, spacing=-1)
        raises(self, ValueError, "compression takes", hb.imwrite, self.folder / "a.tif", image, compression="zip")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
