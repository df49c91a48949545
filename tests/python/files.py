"""Files are read as Pillow, NumPy, tifffile and nibabel read them, and written so that these read them."""

import errno
import os
import tempfile
import unittest
from pathlib import Path

import nibabel
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

    def test_colours(self):
        """Files of colours are read as such, or as their greys, whatever the format."""
        astronaut = np.asarray(PIL.Image.open(DATA / "astronaut.png").convert("RGB"))[:201, :302]
        for name in ("c.tif", "c.ppm", "c.png", "c.jpg"):
            path = self.folder / name
            PIL.Image.fromarray(astronaut).save(path)
            with PIL.Image.open(path) as picture:
                want = np.asarray(picture)
            image, info = hb.imread(path, return_info=True)
            self.assertEqual((image.dtype, image.shape, info["shape"]), (want.dtype, want.shape, want.shape), name)
            np.testing.assert_array_equal(image, want, name)
            np.testing.assert_array_equal(hb.imread(path, colours=True), want, name)
            greys = hb.imread(path, colours=False)
            self.assertEqual((greys.dtype, greys.shape), (np.uint8, want.shape[:2]), name)
            self.assertLess(np.abs(greys - want @ [.2126, .7152, .0722]).max(), 1, name)
            np.testing.assert_array_equal(hb.imread(path, channel=1), want[..., 1], name)
        for name in ("w.tif", "w.ppm"):
            wide = astronaut.astype(np.uint16) * 257
            if name == "w.tif":
                tifffile.imwrite(self.folder / name, wide, photometric="rgb")
            else:
                (self.folder / name).write_bytes(b"P6 302 201 65535\n" + wide.astype(">u2").tobytes())
            np.testing.assert_array_equal(hb.imread(self.folder / name), wide, name)
            self.assertEqual(hb.imread(self.folder / name, colours=False).dtype, np.uint16)

    def test_alpha(self):
        """Pixels with alpha are blended with black."""
        for channels, mode in ((2, "LA"), (4, "RGBA")):
            pixels = self.rng.integers(0, 256, (20, 30, channels)).astype("u1")
            want = np.round(pixels[..., :-1] * (pixels[..., -1:] / 255))
            for name in ("a.tif", "a.png"):
                PIL.Image.fromarray(pixels, mode).save(self.folder / name)
                image = hb.imread(self.folder / name).reshape(want.shape)
                self.assertLessEqual(np.abs(image - want).max(), 1, (name, mode))

    def test_short_axes(self):
        """Arrays are read as they are, though their last axis could be one of colours."""
        for last in (2, 3, 4):
            for dtype in ("u1", "u2", "f4"):
                array = self.random((5, 9, last), dtype)
                for name in ("a.npy", "a.zarr", "a.nii"):
                    hb.imwrite(self.folder / name, array, colours=False)
                    np.testing.assert_array_equal(hb.imread(self.folder / name), array, (name, last, dtype))
        np.save(self.folder / "a.npy", self.random((5, 9, 4), "u1"))
        self.assertEqual(hb.imread(self.folder / "a.npy", colours=True).shape, (5, 9, 3))
        self.assertEqual(hb.imread(self.folder / "a.npy", colours=False).shape, (5, 9))

    def test_axes_of_one(self):
        """Axes are those that are stored, also a first one of a single plane, so that slabs can be stacked. A TIFF file
        does not tell a volume of one page from an image."""
        for shape in ((1, 4, 5), (1, 1, 5), (4, 1, 5), (4, 5, 1), (1, 1, 1), (1, 5), (5, 1)):
            array = self.random(shape, "u1")
            for ending in (".npy", ".zarr", ".h5", ".nrrd", ".mha", ".mhd", ".nii", ".nii.gz", ".tif"):
                hb.imwrite(self.folder / f"a{ending}", array)
                want = array[0] if ending == ".tif" and shape[0] == 1 and len(shape) == 3 else array
                image, info = hb.imread(self.folder / f"a{ending}", return_info=True)
                self.assertEqual((image.shape, info["shape"], len(info["spacing"])), (want.shape, want.shape, want.ndim),
                                 (shape, ending))
                np.testing.assert_array_equal(image, want)
        np.save(self.folder / "a.npy", array := self.random((1, 4, 5), "u1"))
        np.testing.assert_array_equal(hb.imread(self.folder / "a.npy", plane=0), array[0])
        nibabel.save(nibabel.Nifti1Image(array.T.astype("i2"), np.eye(4)), self.folder / "n.nii")
        self.assertEqual(hb.imread(self.folder / "n.nii").shape, (1, 4, 5))
        (self.folder / "slices").mkdir()
        hb.imwrite(self.folder / "slices" / "z01.png", array[0])
        np.testing.assert_array_equal(hb.imread(self.folder / "slices"), array)

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
        for name in ("nothing.png", "nothing.tif:c=1"):
            with self.assertRaisesRegex(FileNotFoundError, r"\] cannot be opened.*check the name: '.*nothing") as caught:
                hb.imread(self.folder / name)
            self.assertEqual(str(caught.exception).count("nothing"), 1)
            self.assertEqual((caught.exception.errno, caught.exception.filename),
                             (errno.ENOENT, str(self.folder / name)))
        (self.folder / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
        raises(self, hb.FormatError, "bad.png", hb.imread, self.folder / "bad.png")
        raises(self, ValueError, "bad.png", hb.imread, self.folder / "bad.png")
        raises(self, ValueError, "embedded null", hb.imread, "a\0b")
        raises(self, TypeError, "PathLike", hb.imread, 3.5)
        self.refused_by_keywords()
        raises(self, NotADirectoryError, "bad.png", hb.imread, self.folder / "bad.png" / "a.png")
        raises(self, FileNotFoundError, r"no\udcff\.png", hb.imread, os.fsencode(self.folder) + b"/no\xff.png")
        (self.folder / "bad.png").rename(self.folder / "\udcff.png")
        raises(self, hb.FormatError, r"\udcff\.png", hb.imread, self.folder / "\udcff.png")

    def refused_by_keywords(self):
        """Sentences name keywords, not options of the program."""
        np.save(self.folder / "channels.npy", np.ones((5, 6, 3)))
        tifffile.imwrite(self.folder / "i2.tif", np.ones((5, 6, 3), "i2"), photometric="rgb")
        for name, options, text in [
                ("channels.npy", {"colours": False}, "channel with channel=N, .*, or leave out colours$"),
                ("i2.tif", {}, "choose one with channel=, or as FILE"),
                ("i2.tif", {"colours": True}, "leave out colours=True, or scale")]:
            with self.assertRaisesRegex(hb.FormatError, text) as caught:
                hb.imread(self.folder / name, **options)
            self.assertNotIn("--", str(caught.exception))

    def test_forbidden(self):
        path = self.folder / "a.npy"
        np.save(path, np.ones((3, 4)))
        path.chmod(0)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        if os.geteuid() == 0:
            os.seteuid(65534)
            self.addCleanup(os.seteuid, 0)
        raises(self, PermissionError, "a.npy", hb.imread, path)
        raises(self, PermissionError, "b.npy", hb.imwrite, self.folder / "b.npy", np.ones((3, 4)))

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
        colours = self.random((9, 8, 3), "u1")
        for name, image in (("A.PNG", colours), ("A.Png", array[..., 0] > 50), ("A.TIF", colours), ("a.TIFF", colours)):
            hb.imwrite(self.folder / name, image)
            with PIL.Image.open(self.folder / name) as picture:
                np.testing.assert_array_equal(np.asarray(picture), image * 255 if image.dtype == bool else image)
        raises(self, ValueError, "write it as .tif or .npy", hb.imwrite, self.folder / "a.png", np.ones((3, 3)))
        raises(self, ValueError, "write a volume as", hb.imwrite, self.folder / "a.png", np.ones((3, 3, 3), "u2"))

    def test_colours(self):
        """Colours are read again, whatever the format."""
        for dtype, endings in (("u1", (".nii", ".nii.gz", ".png", ".ppm")), ("u2", ())):
            colours = self.random((5, 6, 3), dtype)
            for ending in (".npy", ".zarr", ".h5", ".nrrd", ".mha", ".mhd", ".tif", *endings):
                hb.imwrite(self.folder / f"{dtype}{ending}", colours, colours=True, spacing=(2, .5))
                image = hb.imread(self.folder / f"{dtype}{ending}", colours=True)
                self.assertEqual((image.dtype, image.shape), (colours.dtype, colours.shape), ending)
                np.testing.assert_array_equal(image, colours, ending)
        peer = nibabel.load(self.folder / "u1.nii")
        self.assertEqual((peer.shape, peer.header.get_zooms()), ((6, 5), (.5, 2)))
        for i, name in enumerate("RGB"):
            np.testing.assert_array_equal(np.asarray(peer.dataobj)[name].T, hb.imread(self.folder / "u1.nii")[..., i])
        for name in ("a.nii", "A.NII.GZ"):
            raises(self, ValueError, "colours of 3 elements of uint8, and not 3 of uint16; convert them", hb.imwrite,
                   self.folder / name, colours, colours=True)
        hb.imwrite(self.folder / "v.nii", colours.astype("f4"), colours=True)
        self.assertEqual(nibabel.load(self.folder / "v.nii").shape, (6, 5, 1, 1, 3))

    def test_info(self):
        """What imread says of the place of an image is written with another one."""
        turned = ((.8, .6, 0), (-.6, .8, 0), (0, 0, 1))
        volume = self.random((4, 5, 6), "i2")
        for ending in (".mha", ".mhd", ".nii", ".nii.gz", ".nrrd", ".zarr", ".h5"):
            first, again = (self.folder / (name + ending) for name in "ab")
            hb.imwrite(first, volume, spacing=(3, .5, .25), unit="mm", origin=(1, 2, -3), direction=2 * np.array(turned),
                       anatomical=True)
            image, info = hb.imread(first, return_info=True)
            np.testing.assert_allclose(info["spacing"], (3, .5, .25), rtol=1e-6)
            np.testing.assert_allclose(info["origin"], (1, 2, -3))
            np.testing.assert_allclose(info["direction"], turned, atol=1e-6)
            self.assertEqual((info["unit"], info["anatomical"]), ("mm", True))
            hb.imwrite(again, image, info=info)
            np.testing.assert_array_equal(hb.imread(again), volume)
            same = hb.imread(again, return_info=True)[1]
            self.assertEqual(same.keys(), info.keys())
            for key in ("origin", "direction", "spacing"):
                np.testing.assert_allclose(same.pop(key), info.pop(key), rtol=1e-6, atol=1e-6)
            self.assertEqual(same, info)
            hb.imwrite(again, image, info=same, spacing=2, unit="um", compression=None)
            self.assertEqual(hb.imread(again, return_info=True)[1]["spacing"], (.002, .002, .002) if
                             ending in (".mha", ".mhd") else (2, 2, 2))
        hb.imwrite(self.folder / "a.png", volume[0].astype("u1"), spacing=.002, unit="mm")
        info = hb.imread(self.folder / "a.png", return_info=True)[1]
        np.testing.assert_allclose([side * {"um": 1e-3, "mm": 1, "inch": 25.4}[info["unit"]] for side in info["spacing"]], .002)

    def test_place_of_images(self):
        """As docs/python.md has it: some formats keep of images only what two axes have."""
        image = self.random((4, 5), "i2")
        for ending, whole in ((".nii", True), (".zarr", True), (".h5", True), (".mha", False), (".nrrd", False)):
            path = self.folder / ("a" + ending)
            hb.imwrite(path, image, spacing=2, unit="mm", origin=(1, 2, -3), anatomical=True)
            info = hb.imread(path, return_info=True)[1]
            self.assertEqual((info["origin"], info["anatomical"]), ((1, 2, -3 if whole else 0), whole), ending)
            hb.imwrite(path, image, spacing=2, origin=(1, 2, -3))
            if ending != ".nii":  # whose space is always a patient's
                self.assertFalse(hb.imread(path, return_info=True)[1]["anatomical"], ending)

    def test_samples(self):
        """Files without a header are read by their shape and type."""
        for shape, dtype in (((7,), "<f4"), ((5, 6), ">u2"), ((4, 5, 6), "i8"), ((4, 5, 6), "u1")):
            array = self.random(shape, dtype)
            (self.folder / "a.raw").write_bytes(b"head" + array.tobytes())
            image = hb.imread(self.folder / "a.raw", shape=shape, dtype=array.dtype, offset=4)
            self.assertEqual(image.dtype, array.dtype.newbyteorder("="))
            np.testing.assert_array_equal(image, array)
            hb.imwrite(self.folder / "b.raw", array)
            np.testing.assert_array_equal(hb.imread(self.folder / "b.raw", shape=np.array(shape),
                                                    dtype=array.dtype.newbyteorder("=")), array)
        path = self.folder / "b.raw"
        raises(self, hb.FormatError, r"give shape=\(HEIGHT, WIDTH\) and dtype=TYPE", hb.imread, path)
        raises(self, hb.FormatError, "check shape, dtype and offset|bytes", hb.imread, path, shape=(4, 5, 5))
        raises(self, ValueError, "give its shape, too", hb.imread, path, dtype="u1")
        np.testing.assert_array_equal(hb.imread(path, shape=4 * 5 * 6), np.fromfile(path, "u1"))
        raises(self, TypeError, r"imread\(\) has no option 'size'; it has path, colours, shape, dtype", hb.imread, path, size=3)
        for shape in ((), (0, 3), (1, 2, 3, 4)):
            raises(self, ValueError, "must be 1 to 3 numbers", hb.imread, path, shape=shape)
        raises(self, (ValueError, hb.FormatError), "c16|complex|type", hb.imread, path, shape=(3, 3), dtype=complex)

    def test_halves(self):
        """float16 is written as it is without a header, otherwise as float32, and read as float32."""
        array = self.rng.standard_normal((4, 5, 6)).astype(np.float16)
        for given in (array, array[::-1, :, ::2], array.astype(">f2"), np.asfortranarray(array)):
            hb.imwrite(self.folder / "a.raw", given)
            np.testing.assert_array_equal(np.fromfile(self.folder / "a.raw", "f2").reshape(given.shape), given)
            image = hb.imread(self.folder / "a.raw", shape=given.shape, dtype=np.float16)
            self.assertEqual(image.dtype, np.float32)
            np.testing.assert_array_equal(image, given)
        hb.imwrite(self.folder / "a.npy", array)
        np.save(self.folder / "b.npy", array)
        for name in ("a.npy", "b.npy"):
            image = hb.imread(self.folder / name)
            self.assertEqual(image.dtype, np.float32)
            np.testing.assert_array_equal(image, array)
        raises(self, TypeError, "masked array", hb.imwrite, self.folder / "a.raw", np.ma.masked_equal(array, 0))

    def test_bool(self):
        """It stays what it is where a format has it."""
        array = self.random((5, 70), "?")
        for endings, want in (((".npy", ".zarr", ".h5"), array), ((".png", ".pgm", ".pnm"), array * np.uint8(255)),
                              ((".tif", ".nii", ".mha", ".nrrd"), array.astype("u1"))):
            for ending in endings:
                hb.imwrite(self.folder / ("a" + ending), array)
                image = hb.imread(self.folder / ("a" + ending))
                self.assertEqual(image.dtype, want.dtype, ending)
                np.testing.assert_array_equal(image, want)
        colours = self.random((5, 6, 3), "u1")
        for ending in (".ppm", ".pnm"):
            hb.imwrite(self.folder / ("c" + ending), colours)
            np.testing.assert_array_equal(np.asarray(PIL.Image.open(self.folder / ("c" + ending))), colours)

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
        hb.imwrite(self.folder / "a.nrrd", array, spacing=(None, None, None), unit="")
        info = hb.imread(self.folder / "a.nrrd", return_info=True)[1]
        self.assertEqual((info["spacing"], info["unit"]), ((None, None, None), ""))
        hb.imwrite(self.folder / "a.tif", array, spacing=info["spacing"], unit=info["unit"])
        hb.imwrite(self.folder / "a.tif", array[0], spacing=(None, .25), unit="um")
        colours = self.random((5, 6, 3), "u1")
        hb.imwrite(self.folder / "c.tif", colours)
        np.testing.assert_array_equal(tifffile.imread(self.folder / "c.tif"), colours)

    def test_refused(self):
        image = np.ones((4, 5))
        raises(self, ValueError, "ending|ends", hb.imwrite, self.folder / "a.what", image)
        raises(self, FileNotFoundError, r"\] cannot be written: .*; create the folder first, .*: '.*nowhere/a.npy'$", hb.imwrite,
               self.folder / "nowhere" / "a.npy", image)
        (self.folder / "file").touch()
        raises(self, NotADirectoryError, "part of the path is a file", hb.imwrite, self.folder / "file" / "a.npy", image)
        (self.folder / "file").unlink()
        raises(self, ValueError, "no elements", hb.imwrite, self.folder / "a.npy", image[:0])
        raises(self, TypeError, "complex", hb.imwrite, self.folder / "a.npy", image * 1j)
        raises(self, ValueError, 'unit is "parsnips"', hb.imwrite, self.folder / "a.tif", image, unit="parsnips")
        for spacing in (-1, (1, 0), (None, -2), float("nan"), float("inf")):
            raises(self, ValueError, "distances above 0", hb.imwrite, self.folder / "a.tif", image, spacing=spacing)
        raises(self, ValueError, "must be 2 distances", hb.imwrite, self.folder / "a.tif", image, spacing=(1, 2, 3))
        self.refused_places(image)
        raises(self, ValueError, "^compression='lz4' is for.*use compression='deflate', or", hb.imwrite,
               self.folder / "a.tif", image, compression="lz4")
        raises(self, ValueError, "compression takes", hb.imwrite, self.folder / "a.tif", image, compression="zip")
        for name in ("a.png", "a.tif", "a.nii"):
            raises(self, ValueError, "holds no arrays of one axis; use a name ending in .npy", hb.imwrite,
                   self.folder / name, np.arange(5, dtype="u1"))
        raises(self, ValueError, "PNG files are always compressed; leave out compression", hb.imwrite, self.folder / "a.png",
               image.astype("u1"), compression="deflate")
        self.assertEqual(list(self.folder.iterdir()), [])

    def refused_places(self, image):
        raises(self, TypeError, "info is 3, and must be what imread returns", hb.imwrite, self.folder / "a.nii", image, info=3)
        raises(self, TypeError, "spacing is .* must be numbers", hb.imwrite, self.folder / "a.nii", image, spacing="x")
        raises(self, TypeError, "no option 'size'", hb.imwrite, self.folder / "a.nii", image, size=3)
        raises(self, ValueError, "a.jpg names no format that is written; use a name ending in .png, .npy", hb.imwrite,
               self.folder / "a.jpg", image)
        for origin in (1, (1, 2), (1, 2, np.nan)):
            raises(self, ValueError, "origin is .* must be 3 numbers", hb.imwrite, self.folder / "a.nii", image, origin=origin)
        for direction in (np.eye(2), np.full((3, 3), np.inf)):
            raises(self, ValueError, "must be 3 directions of 3 numbers", hb.imwrite, self.folder / "a.nii", image,
                   direction=direction)
        for direction in (np.zeros((3, 3)), ((1, 0, 0), (0, 1, 0), (1, 1, 0))):
            raises(self, ValueError, "do not lie in a plane", hb.imwrite, self.folder / "a.nii", image, direction=direction)


if __name__ == "__main__":
    unittest.main()
