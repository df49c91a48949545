"""Images of OME-Zarr: what zarr-python and dask read of 0.4, and a reader of its own below of 0.5, is what NumPy makes of
the image, level by level; descriptions keep the rules of the specification, and label layers are added to images."""

import itertools
import json
import os
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

import numcodecs
import numpy as np
import zarr

import halobeat as hb
from cases import raises

COMPLETE = bool(os.environ.get("HALOBEAT_TESTS_COMPLETE"))
try:
    import dask.array
    import jsonschema
except ImportError:
    if COMPLETE:
        raise
    dask = jsonschema = None

RULES = json.loads(Path(__file__).with_name("ome_zarr_rules.json").read_text())
VERSIONS = {"0.4": ("", ":version=0.4"), "0.5": (":version=0.5", ":version=0.5,shards=yes", ":shards=no,version=0.5")}
LONGEST = 256


def halve(array, nearest):
    """The next level of planes (if there are such), rows and columns."""
    flat = max(array.shape[-2:]) > LONGEST
    halved = [n > 1 and (flat if i >= array.ndim - 2 else n > LONGEST) for i, n in enumerate(array.shape)]
    if nearest:
        return array[tuple(slice(None, None, 1 + by) for by in halved)]
    starts = [range(0, n, 1 + by) for n, by in zip(array.shape, halved)]
    shape = [len(axis) for axis in starts]
    total, count = np.zeros(shape, object if array.dtype.itemsize == 8 and array.dtype.kind in "iu" else float), 0
    for place in itertools.product(*(range(1 + by) for by in halved)):
        part = np.zeros(shape, total.dtype)
        there = np.zeros(shape, int)
        taken = array[tuple(slice(at, None, 1 + by) for at, by in zip(place, halved))]
        where = tuple(slice(0, n) for n in taken.shape)
        valid = taken == taken
        part[where] = np.where(valid, taken, 0).astype(total.dtype)
        there[where] = valid
        total, count = total + part, count + there
    if array.dtype.kind in "iu":
        return ((2 * total + count) // (2 * count)).astype(array.dtype)
    with np.errstate(invalid="ignore"):
        return (total / count).astype(array.dtype)


def levels_of(array, nearest=False):
    levels = [array]
    while max(levels[-1].shape) > LONGEST:
        levels.append(halve(levels[-1], nearest))
    return levels


def crc32c(data):
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    value = 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def decode(codecs, data):
    for codec in reversed(codecs[1:]):
        data = zlib.decompress(data, 31) if codec["name"] == "gzip" else numcodecs.Blosc().decode(data)
    return data


def read_third(folder):
    """An array of zarr 3, with chunks or shards."""
    about = json.loads((folder / "zarr.json").read_text())
    dtype = np.dtype(about["data_type"]).newbyteorder("<")
    outer = inner = about["chunk_grid"]["configuration"]["chunk_shape"]
    codecs, sharded = about["codecs"], about["codecs"][0]["name"] == "sharding_indexed"
    if sharded:
        inner, codecs = (about["codecs"][0]["configuration"][key] for key in ("chunk_shape", "codecs"))
    assert codecs[0] == {"name": "bytes", "configuration": {"endian": "little"}}
    out = np.full([-(-n // size) * size for n, size in zip(about["shape"], outer)], 99).astype(dtype)
    per = [size // part for size, part in zip(outer, inner)]
    for number in np.ndindex(*(n // size for n, size in zip(out.shape, outer))):
        data = folder.joinpath("c", *map(str, number)).read_bytes()
        index = struct.iter_unpack("<QQ", data[-16 * int(np.prod(per)) - 4:-4]) if sharded else iter([(0, len(data))])
        if sharded:
            assert crc32c(data[-16 * int(np.prod(per)) - 4:-4]) == struct.unpack("<I", data[-4:])[0]
        for part in np.ndindex(*per):
            begin, size = next(index)
            chunk = np.frombuffer(decode(codecs, data[begin:begin + size]), dtype).reshape(inner)
            at = [(n * all_of + i) * size for n, all_of, i, size in zip(number, per, part, inner)]
            out[tuple(slice(first, first + size) for first, size in zip(at, inner))] = chunk
    return out[tuple(slice(n) for n in about["shape"])]


class Images(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rng = np.random.default_rng(3)

    def random(self, shape, dtype):
        if dtype == "i8":
            return self.rng.integers(-2**62, 2**62, shape, dtype)
        if dtype == "f4":
            return np.where(self.rng.random(shape) < .1, np.nan, self.rng.integers(-99, 99, shape)).astype(dtype)
        return self.rng.integers(-100 if dtype[0] == "i" else 0, 100, shape).astype(dtype)

    def levels(self, folder, version):
        """The arrays of an image as others read them, and its first list of levels."""
        if version == "0.5":
            scene = json.loads((folder / "zarr.json").read_text())["attributes"]["ome"]["multiscales"][0]
            return [read_third(folder / level["path"]) for level in scene["datasets"]], scene
        scene = zarr.open_group(str(folder), "r").attrs["multiscales"][0]
        if dask is None:
            return [zarr.open_array(str(folder / level["path"]), "r")[:] for level in scene["datasets"]], scene
        return [dask.array.from_zarr(str(folder), level["path"]).compute(scheduler="sync")
                for level in scene["datasets"]], scene

    def check_rules(self, folder, version, what="image"):
        """The group keeps the rules, and those that no schema tells: lists are as long as axes, which are in order."""
        old = version == "0.4"
        text = json.loads((folder / (".zattrs" if old else "zarr.json")).read_text())
        attributes = text if old else text["attributes"]
        if jsonschema is not None:
            rules = {"$defs": RULES["$defs"], "scene": RULES[version]["scene"]}
            jsonschema.Draft202012Validator({**RULES[version][what], **rules}).validate(attributes)
        if what == "layers":
            return attributes if old else attributes["ome"]
        scene = (attributes if old else attributes["ome"])["multiscales"][0]
        names = [axis["name"] for axis in scene["axes"]]
        self.assertEqual(names, sorted(names, key="tczyx".index))
        for level in scene["datasets"]:
            about = json.loads((folder / level["path"] / (".zarray" if old else "zarr.json")).read_text())
            if jsonschema is not None:
                jsonschema.Draft202012Validator(RULES[version]["array"]).validate(about)
            self.assertEqual(len(about["shape"]), len(names))
            self.assertEqual(about.get("dimension_names", names), names)
            for step in level["coordinateTransformations"]:
                self.assertEqual(len(step[step["type"]]), len(names))
        return scene

    def test_levels(self):
        shapes = {"u1": (1030, 520), "i2": (3, 301, 257), "u2": (20, 33), "i8": (270, 260, 5), "f4": (1, 2, 700),
                  "f8": (5, 513), "i4": (40, 300, 300)}
        for dtype, shape in shapes.items():
            array = self.random(shape, dtype)
            want = levels_of(array)
            for version, options in VERSIONS.items():
                for packing, option in zip(("none", "deflate", "lz4"), options * 2):
                    name = self.folder / "image.ome.zarr"
                    hb.imwrite(f"{name}{option}", array, compression=packing)
                    got, _ = self.levels(name, version)
                    self.assertEqual(len(got), len(want), (shape, option))
                    for i, (level, should) in enumerate(zip(got, want)):
                        np.testing.assert_array_equal(level, should, (dtype, option, packing, i))
                        np.testing.assert_array_equal(hb.imread(name / str(i)), should, (dtype, option, packing, i))
                    np.testing.assert_array_equal(hb.imread(name), array)
                    self.check_rules(name, version)
                    self.assertEqual(os.listdir(self.folder), ["image.ome.zarr"])

    def test_channels(self):
        """Numbers of pixels are the first axis."""
        colours = self.random((300, 270, 3), "u1")
        for version, options in VERSIONS.items():
            hb.imwrite(f"{self.folder}/c.ome.zarr{options[0]}", colours, colours=True)
            got, scene = self.levels(self.folder / "c.ome.zarr", version)
            self.assertEqual([axis["name"] for axis in scene["axes"]], ["c", "y", "x"])
            for channel in range(3):
                for level, should in zip(got, levels_of(colours[..., channel]), strict=True):
                    np.testing.assert_array_equal(level[channel], should)
                np.testing.assert_array_equal(hb.imread(self.folder / "c.ome.zarr/0", channel=channel), colours[..., channel])
            self.check_rules(self.folder / "c.ome.zarr", version)

    def test_place(self):
        """Samples of each level lie where they do in space: means in the middle of their samples, labels at the first."""
        array = self.random((3, 520, 300), "u2")
        turned = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float)
        for version, direction, labels in itertools.product(VERSIONS, (None, turned), (False, True)):
            name = self.folder / "p.ome.zarr"
            hb.imwrite(f"{name}{VERSIONS[version][0]}", array, spacing=(3, .5, .25), unit="um", origin=(1, 2, 3), labels=labels,
                       direction=direction)
            scene = self.check_rules(name, version)
            self.assertEqual(scene["axes"][0], {"name": "z", "type": "space", "unit": "micrometer"})
            self.assertEqual(scene["type"], "nearest" if labels else "mean")
            for i, level in enumerate(scene["datasets"]):
                by, shift = 2**i, 0 if labels else (2**i - 1) / 2
                scale, place = level["coordinateTransformations"]
                self.assertEqual(scale["scale"], [3, .5 * by, .25 * by])
                self.assertEqual(place["translation"], [3, 2 + .5 * shift, 1 + .25 * shift])
                info = hb.imread(name / str(i), return_info=True)[1]
                axes = np.eye(3) if direction is None else turned
                self.assertEqual((info["spacing"], info["unit"]), ((3, .5 * by, .25 * by), "um"))
                np.testing.assert_allclose(info["origin"], (1, 2, 3) + shift * (.25 * axes[0] + .5 * axes[1]))
                np.testing.assert_allclose(info["direction"], axes)
            got, _ = self.levels(name, version)
            for level, should in zip(got, levels_of(array, labels), strict=True):
                np.testing.assert_array_equal(level, should)

    def test_contrast(self):
        """Viewers are told the range of the smallest level, in which there are no single bright pixels."""
        def channels(name, version):
            self.check_rules(name, version)
            text = json.loads((name / (".zattrs" if version == "0.4" else "zarr.json")).read_text())
            return (text if version == "0.4" else text["attributes"]["ome"]).get("omero", {}).get("channels")

        bright = (self.random((600, 520), "f4") - .5)
        bright[3, 5], bright[7, 9], bright[300, 300] = 1e6, np.nan, np.inf
        deep = (self.rng.random((9, 40, 300)) * 3000 - 700).astype("i2")
        for version, options in VERSIONS.items():
            name = self.folder / "o.ome.zarr"
            for array in (bright, deep, np.full((4, 5), 255, "u1"), np.full((4, 5), np.nan), np.full((4, 5), 1e30)):
                hb.imwrite(f"{name}{options[0]}", array)
                one, = channels(name, version)
                window, (*_, last) = one["window"], self.levels(name, version)[0]
                finite = last[np.isfinite(last)].astype(float)
                self.assertEqual((one["color"], one["active"]), ("FFFFFF", True))
                self.assertLess(window["start"], window["end"])
                self.assertTrue(window["min"] <= window["start"] and window["end"] <= window["max"])
                if finite.size and finite.min() < finite.max():
                    np.testing.assert_allclose((window["start"], window["end"]), (finite.min(), finite.max()), rtol=1e-14)
                if array.dtype.kind in "iu":
                    self.assertEqual((window["min"], window["max"]), (np.iinfo(array.dtype).min, np.iinfo(array.dtype).max))
            hb.imwrite(f"{name}{options[0]}", self.random((30, 20, 3), "u1"), colours=True)
            found = channels(name, version)
            self.assertEqual([one["color"] for one in found], ["FF0000", "00FF00", "0000FF"])
            self.assertEqual([one["label"] for one in found], ["red", "green", "blue"])
            self.assertEqual([one["window"] for one in found], [{"start": 0, "end": 255, "min": 0, "max": 255}] * 3)
            hb.imwrite(f"{name}{options[0]}", deep[0] > 0, labels=True)
            self.assertIsNone(channels(name, version))

    def test_chosen_level(self):
        array = self.random((40, 520, 300), "u2")
        for version, options in VERSIONS.items():
            name = self.folder / "c.ome.zarr"
            hb.imwrite(f"{name}{options[0]}", array, spacing=(2, 1, 1), unit="um")
            for level in (0, 1):
                for choice in (f"l={level}", f"level={level}"):
                    got, info = hb.imread(f"{name}:{choice}", return_info=True)
                    want, about = hb.imread(name / str(level), return_info=True)
                    np.testing.assert_array_equal(got, want)
                    for key in ("spacing", "unit", "origin"):
                        self.assertEqual(info[key], about[key])
            np.testing.assert_array_equal(hb.imread(f"{name}:l=1,z=3"), hb.imread(name / "1")[3])
            raises(self, ValueError, "there is no level 9; the image has levels 0 to", hb.imread, f"{name}:l=9")
            raises(self, ValueError, "there is no level x; the image", hb.imread, f"{name}:l=x")
            raises(self, ValueError, "only images of OME-Zarr", hb.imread, f"{name}/0:l=1")
        np.save(self.folder / "a.npy", array)
        raises(self, ValueError, "level 0 was chosen, and only images of OME-Zarr", hb.imread, f"{self.folder}/a.npy:l=0")

    def test_layers(self):
        image = (self.rng.random((4, 300, 280)) < .3).astype("u1")
        want, count = hb.label(image)
        for version, options in VERSIONS.items():
            name = self.folder / f"l{version}.ome.zarr"
            hb.imwrite(f"{name}{options[0]}", image, spacing=(2, 1, 1), unit="mm")
            before = {path: path.read_bytes() for path in name.rglob("*") if path.is_file()}
            self.assertEqual(hb.label(name, out=name / "labels/cells", threshold=1), count)
            hb.imwrite(name / "labels/more", want.astype("i8"))
            hb.imwrite(name / "labels/more", want.astype("u4"))
            hb.imwrite(name / "labels/mask", image.astype(bool))
            self.assertEqual(self.check_rules(name / "labels", version, "layers")["labels"], ["cells", "more", "mask"])
            for layer, should in (("cells", want), ("more", want), ("mask", image)):
                self.check_rules(name / "labels" / layer, version, "layer")
                got, scene = self.levels(name / "labels" / layer, version)
                self.assertEqual((scene["type"], got[0].dtype.kind), ("nearest", "u"))
                for level, smaller in zip(got, levels_of(should, True), strict=True):
                    np.testing.assert_array_equal(level, smaller)
            after = {path: path.read_bytes() for path in name.rglob("*") if path.is_file() and "labels" not in path.parts}
            self.assertEqual(before, after)
            np.testing.assert_array_equal(hb.imread(name), image)
            raises(self, OSError, "labels is no part of one", hb.imwrite, f"{name}{options[0]}", image)
            wrong = "0.4" if version == "0.5" else "0.5"
            raises(self, ValueError, f"the image is of version {version}", hb.imwrite, f"{name}/labels/x:version={wrong}", want)
            raises(self, ValueError, "label layers have one whole number a pixel, and not float64", hb.imwrite,
                   name / "labels/x", image.astype(float))
        self.assertEqual(sorted(os.listdir(name / "labels")), ["cells", "mask", "more", "zarr.json"])
        raises(self, OSError, "no image of OME-Zarr", hb.imwrite, self.folder / "none.zarr/labels/x", want)
        raises(self, ValueError, "there are no shards in version 0.4", hb.imwrite, "x.ome.zarr:shards=yes,version=0.4", want)
        raises(self, ValueError, "\"version=0.6\" is no choice", hb.imwrite, "x.ome.zarr:version=0.6", want)
        raises(self, ValueError, "two choices of \"shards\"", hb.imwrite, "x.ome.zarr:shards=no,shards=no", want)

    def test_layers_of_others(self):
        """An image of zarr-python, whose list of layers has one already, and what else it likes."""
        image = self.random((30, 40), "u1")
        group = zarr.open_group(str(self.folder / "theirs.zarr"), "w")
        group.create_dataset("s0", data=image, chunks=(7, 9))
        steps = [{"type": "scale", "scale": [1, 1]}]
        group.attrs["multiscales"] = [{"version": "0.4", "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
                                       "datasets": [{"path": "s0", "coordinateTransformations": steps}]}]
        layers = group.create_group("labels")
        layers.attrs.update({"labels": ["old"], "extra": {"pi": 3.141592653589793}})
        hb.imwrite(self.folder / "theirs.zarr/labels/new", image > 50)
        self.assertEqual(dict(zarr.open_group(str(self.folder / "theirs.zarr/labels"), "r").attrs),
                         {"labels": ["old", "new"], "extra": {"pi": 3.141592653589793}})
        np.testing.assert_array_equal(zarr.open_array(str(self.folder / "theirs.zarr/labels/new/0"), "r")[:], image > 50)

    def test_only_images_are_replaced(self):
        image = self.random((5, 6), "u1")
        name = self.folder / "a.ome.zarr"
        hb.imwrite(name, image)
        hb.imwrite(f"{name}:version=0.5", image[:3])
        hb.imwrite(name, image[:2])
        self.assertEqual(sorted(os.listdir(name)), [".zattrs", ".zgroup", "0"])
        (name / "OME").mkdir()
        raises(self, OSError, "OME is no part of one", hb.imwrite, name, image)
        (self.folder / "b.ome.zarr").mkdir()
        raises(self, OSError, "something else than an image of OME-Zarr", hb.imwrite, self.folder / "b.ome.zarr", image)
        np.testing.assert_array_equal(hb.imread(name), image[:2])


if __name__ == "__main__":
    unittest.main()
