"""Properties of regions one by one: those of scikit-image, within stated bounds, also where labels are in several
pieces; and those of the program."""

import csv
import itertools
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import scipy.ndimage as nd
from scipy.spatial import ConvexHull
from skimage import measure

import halobeat as hb

# The largest difference of each property, relative above 1: 0 where both are whole numbers. Where a minor axis is 0,
# the peer has the square root of a rounding.
BOUNDS = {"label": 0, "area": 0, "area_bbox": 0, "area_convex": 0, "bbox": 0, "euler_number": 0, "intensity_min": 0,
          "intensity_max": 0, "centroid": 1e-15, "extent": 1e-15, "equivalent_diameter_area": 1e-15,
          "intensity_mean": 1e-14, "centroid_weighted": 1e-14, "axis_major_length": 1e-14, "axis_minor_length": 1e-6,
          "eccentricity": 1e-13, "orientation": 1e-13, "perimeter": 1e-14, "solidity": 1e-15,
          "feret_diameter_max": 1e-15}
PLANAR = ("eccentricity", "orientation", "perimeter")


def blobs(rng, shape, pieces):
    """Labels with gaps; with `pieces` each is in several of them."""
    noise = nd.gaussian_filter(rng.standard_normal(shape), 1.5)
    labels = nd.label(noise > noise.std() * len(shape) / 2.5)[0] * 3
    return labels % 100 if pieces else labels


def differences(found, peer):
    return np.abs(found - peer) / np.maximum(1, np.abs(peer))


def angles(found, peer, regions):
    """An angle and its half turn are the same axis; a region with equal axes has none. Diagonals whose rows and columns
    have the same moment have the other sign in older versions of the peer."""
    apart = np.abs(found - peer) % np.pi
    apart = np.minimum(apart, np.pi - apart)
    diagonal = np.maximum(np.abs(np.abs(found) - np.pi / 4), np.abs(np.abs(peer) - np.pi / 4))
    round_ones = regions["axis_major_length"] - regions["axis_minor_length"] < 1e-6
    return np.where(round_ones, 0, np.minimum(apart, diagonal))


class Peers(unittest.TestCase):
    def compare(self, labels, values, properties):
        found = hb.regionprops_table(labels, values, properties)
        peer = measure.regionprops_table(labels, values, properties)
        self.assertEqual(list(found), list(peer))
        for name, column in peer.items():
            away = differences(found[name], column)
            if name == "orientation":
                away = angles(found[name], column, peer)
            self.assertLessEqual(np.nanmax(away), BOUNDS[name.split("-")[0]], name)
            np.testing.assert_array_equal(np.isnan(found[name]), np.isnan(column), name)

    def test_planar(self):
        rng = np.random.default_rng(8)
        for shape, pieces, values in (((90, 130), False, "u1"), ((90, 130), True, "f8"), ((300, 41), True, "i2")):
            labels = blobs(rng, shape, pieces)
            self.assertGreater(len(np.unique(labels)), 20)
            self.compare(labels, (rng.random(shape) * 200).astype(values), tuple(BOUNDS))

    def test_surfaces(self):
        """Surfaces are those of the peer's marching cubes, whose vertices have single precision."""
        rng = np.random.default_rng(10)
        for spacing, bound in ((1, 1e-6), ((2, .5, .7), 2e-2)):
            labels = blobs(rng, (22, 30, 26), True)
            found = hb.regionprops_table(labels, None, ("label", "area", "surface_area", "mesh_volume", "sphericity"),
                                         spacing=spacing)
            for i, label in enumerate(found["label"]):
                inside = np.pad(labels == label, 1).astype("f4")
                places, faces = measure.marching_cubes(inside, .5, spacing=np.broadcast_to(spacing, 3),
                                                       allow_degenerate=False)[:2]
                a, b, c = (places[faces[:, k]].astype(float) for k in range(3))
                area, volume = measure.mesh_surface_area(places, faces), abs((a * np.cross(b, c)).sum() / 6)
                self.assertLess(abs(found["surface_area"][i] / area - 1), 2e-6)
                self.assertLess(abs(found["mesh_volume"][i] / volume - 1), bound)
                round_one = np.pi ** (1 / 3) * (6 * found["area"][i]) ** (2 / 3)
                self.assertLess(abs(found["sphericity"][i] / (round_one / area) - 1), 2e-6)

    def test_percentiles(self):
        """They are NumPy's to the last bit, of each channel, under names of their own or together."""
        rng = np.random.default_rng(11)
        labels = blobs(rng, (60, 70), True)
        values = np.stack([rng.standard_normal(labels.shape), rng.integers(0, 9, labels.shape)], -1)
        found = hb.regionprops_table(labels, values, ("label", "intensity_p99.5", "intensity_percentiles"))
        self.assertEqual(list(found)[:3], ["label", "intensity_p99.5-0", "intensity_p99.5-1"])
        for name, column in found.items():
            if name != "label":
                percentile, channel = name[len("intensity_p"):].split("-")
                for label, figure in zip(found["label"], column):
                    self.assertEqual(figure, np.percentile(values[labels == label, int(channel)], float(percentile)))
        alone = hb.regionprops_table(labels, values[..., 0], ("percentiles",))
        self.assertEqual(list(alone), ["intensity_p5", "intensity_p25", "intensity_p75", "intensity_p95"])

    def test_widths(self):
        """The minimum Feret diameter of a volume is the least width of all points across facets and pairs of edges of
        the hull: found by all of them, and no direction at random has a smaller one."""
        rng = np.random.default_rng(13)
        for case in range(20):
            shape, size = tuple(rng.integers(1, 9, 3)), rng.choice([1, .5, 2.25, .7], 3)
            grid = [(axis - n / 2) / max(n / 2, .6) for axis, n in zip(np.indices(shape), shape)]
            region = [rng.random(shape) < .3, np.ones(shape, bool), sum(axis**2 for axis in grid) <= 1,
                      rng.random(shape) < 4 / np.prod(shape)][case % 4]
            region[0, 0, 0] |= not region.any()
            centres = lambda cells: (np.argwhere(cells)[:, None] + np.vstack([np.eye(3), -np.eye(3)]) / 2).reshape(-1, 3)
            hull = ConvexHull(centres(region))
            cells = np.indices(shape).reshape(3, -1)
            inside = (hull.equations[:, :3] @ cells + hull.equations[:, 3:] < 1e-9).all(axis=0).reshape(shape)
            points = centres(inside) * size
            hull = ConvexHull(points)
            edges = np.array([points[b] - points[a] for a, b in {
                tuple(sorted(pair)) for facet in hull.simplices for pair in itertools.combinations(facet.tolist(), 2)}])
            directions = np.vstack([hull.equations[:, :3], *(np.cross(edge, edges) for edge in edges)])
            lengths = np.linalg.norm(directions, axis=1)
            directions = directions[lengths > 1e-9] / lengths[lengths > 1e-9, None]
            corners = points[hull.vertices].T
            table = hb.regionprops_table(region.astype("u1"), properties="feret_diameter_min", spacing=tuple(size))
            found = table["feret_diameter_min"][0]
            self.assertAlmostEqual(found, min(np.ptp(some @ corners, axis=1).min() for some in
                                              np.array_split(directions, len(directions) // 5000 + 1)), 12)
            some = rng.standard_normal((3000, 3))
            some /= np.linalg.norm(some, axis=1)[:, None]
            self.assertGreaterEqual(np.ptp(some @ corners, axis=1).min(), found * (1 - 1e-12))

    def test_thickness(self):
        """Means and largest values of local thickness, the same for any number of ranks; infinite without background."""
        rng = np.random.default_rng(14)
        for shape, spacing in (((70, 90), 1), ((20, 33, 28), 2.5), ((15, 40), 1)):
            labels = blobs(rng, shape, True)
            thickness = hb.local_thickness(labels != 0, spacing=spacing).astype(float)
            for ranks in (1, 2, 3, 5):
                with hb.ranks(ranks):
                    found = hb.regionprops_table(labels, None, ("label", "thickness_mean", "thickness_max"), spacing=spacing)
                first = found if ranks == 1 else first
                np.testing.assert_array_equal(found["thickness_mean"], first["thickness_mean"])
                np.testing.assert_allclose(found["thickness_mean"], nd.mean(thickness, labels, found["label"]), 1e-7)
                np.testing.assert_allclose(found["thickness_max"], nd.maximum(thickness, labels, found["label"]), 1e-7)
        self.assertEqual(hb.regionprops_table(np.ones((3, 4), int), None, "thickness_max")["thickness_max"], [np.inf])
        with self.assertRaisesRegex(ValueError, "thickness_mean is for elements of equal spacing"):
            hb.regionprops_table(labels, None, "thickness_mean", spacing=(1, 2))
        with self.assertRaisesRegex(ValueError, "two or three axes"):
            hb.regionprops_table(labels[0], None, "thickness_mean")

    def test_neighbours(self):
        rng = np.random.default_rng(12)
        labels = np.kron(rng.integers(0, 6, (4, 5, 6)), np.ones((2, 3, 2), int))
        found = hb.regionprops_table(labels, None, ("label", "neighbours", "neighbors"))
        np.testing.assert_array_equal(found["neighbors"], found["neighbours"])
        for label, count in zip(found["label"], found["neighbours"]):
            near = nd.binary_dilation(labels == label) & (labels != label)
            self.assertEqual(count, len(np.setdiff1d(labels[near], [0])))

    def test_solid(self):
        """The peer has no diameters of voxels in a plane, and its older versions leave some out of their hulls."""
        rng = np.random.default_rng(9)
        properties = tuple(name for name in BOUNDS if name not in PLANAR)
        for pieces in (False, True):
            labels = blobs(rng, (22, 30, 26), pieces)
            flat = [region.label for region in measure.regionprops(labels)
                    if min(region.image.shape) == 1 or region.area < 30]
            labels[np.isin(labels, flat)] = 0
            self.assertGreater(len(np.unique(labels)), 8)
            self.compare(labels, rng.random(labels.shape), properties)


class Program(unittest.TestCase):
    """The program's table has as many digits as are needed for reals, and 6 behind the point of ratios."""

    def table(self, folder, labels, properties):
        program = pathlib.Path(hb.__file__).parents[2] / "bin" / "halobeat"
        np.save(folder / "labels.npy", labels)
        subprocess.run([program, "label", folder / "labels.npy", "--values", "-q", "--names", "skimage", "--properties",
                        ",".join(properties), "--regions", folder / "regions.csv"], check=True)
        with open(folder / "regions.csv", newline="", encoding="ascii") as file:
            return list(csv.DictReader(file))

    def test_same_numbers(self):
        rng = np.random.default_rng(10)
        properties = tuple(name for name in BOUNDS if not name.startswith("intensity") and name != "centroid_weighted")
        for shape in ((80, 120), (18, 20, 22)):
            labels = nd.label(blobs(rng, shape, False))[0].astype("u2")  # numbers in the order of first elements
            names = tuple(name for name in properties if len(shape) == 2 or name not in PLANAR)
            found = hb.regionprops_table(labels, properties=names)
            with tempfile.TemporaryDirectory() as folder:
                rows = self.table(pathlib.Path(folder), labels, names)
            self.assertEqual(len(rows), len(found["label"]))
            self.assertEqual(set(rows[0]), set(found))
            for name, column in found.items():
                ratio = name.split("-")[0] in ("centroid", "extent")
                for text, value in zip((row[name] for row in rows), column.tolist()):
                    self.assertEqual("%.6f" % value if ratio else value, text if ratio else float(text), name)


if __name__ == "__main__":
    unittest.main(verbosity=2 if os.environ.get("HALOBEAT_TEST_MORE") else 1)
