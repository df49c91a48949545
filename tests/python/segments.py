"""Superpixels, clusters and contours are those of scikit-image, where it defines them."""

import itertools
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage.segmentation import morphological_chan_vese, morphsnakes

import halobeat as hb
from cases import LAYOUTS, MORE, raises


class Clusters(unittest.TestCase):
    def test_kmeans(self):
        """Each pixel has the nearest cluster, and each cluster the mean of its pixels."""
        rng = np.random.default_rng(6)
        image = (nd.gaussian_filter(rng.random((50, 70)), 4) * 4000 % 256).astype("u1")
        for layout in LAYOUTS[:4]:
            labels, clusters = hb.kmeans(layout(image), 12, weight=2.0)
            rows, columns = np.indices(image.shape)
            points = np.stack([columns, rows, 2.0 * image], -1).reshape(-1, 3).astype(float)
            means = np.stack([clusters["x"], clusters["y"], 2.0 * clusters["grey"]], -1)
            distances = ((points[:, None] - means) ** 2).sum(-1)
            chosen = distances[np.arange(len(points)), labels.ravel()]
            np.testing.assert_allclose(chosen, distances.min(axis=1), rtol=1e-6, atol=1e-6)
            for cluster in range(12):
                np.testing.assert_allclose(points[labels.ravel() == cluster].mean(axis=0), means[cluster])
            np.testing.assert_array_equal(np.bincount(labels.ravel(), minlength=12), clusters["pixels"])
        again = image.astype("u2")
        self.assertIs(hb.kmeans(again, 12, weight=2.0, range="0..255", output=again)[0], again)
        for pair in ("0..255", (0, 255), [0., np.float32(255)]):
            np.testing.assert_array_equal(hb.kmeans(image.astype("u2"), 12, weight=2.0, range=pair)[0], again)
        colours, found = hb.kmeans(rng.random((20, 30, 3)), 5)
        self.assertEqual(colours.shape, (20, 30))
        self.assertTrue({"L", "a", "b", "red"} <= set(found))

    def test_slic(self):
        image = (np.random.default_rng(7).random((60, 80, 3)) * 255).astype("u1")
        labels = hb.slic(image, 40, start_label=1)
        self.assertEqual(labels.min(), 1)
        for number in range(1, labels.max() + 1):
            self.assertEqual(nd.label(labels == number)[1], 1)
        self.assertLessEqual(abs(labels.max() - 40), 20)
        self.assertEqual(hb.slic(image, 40, enforce_connectivity=False, start_label=0).max(), 39)

    def test_slic_images(self):
        """Colours along any axis, of any type, and greys; parameters by place, as scikit-image has them."""
        rng = np.random.default_rng(17)
        image = rng.integers(0, 256, (40, 50, 3)).astype("u1")
        image[0, 0], image[0, 1] = 0, 255
        want = hb.slic(image, 30)
        shorts = hb.slic(image.astype("u2") * 257, 30)
        for layout in LAYOUTS:
            axis = rng.integers(3)
            moved = layout(np.moveaxis(image, -1, axis))
            np.testing.assert_array_equal(hb.slic(moved, 30, channel_axis=rng.choice([axis, axis - 3])), want)
        for dtype in ("i2", "i8", "f4", "f8", ">i4"):  # which are stretched
            np.testing.assert_array_equal(hb.slic(image.astype(dtype) - 5, 30), shorts)
        np.testing.assert_array_equal(
            hb.slic(image, 30, 5., 4, 0, [2, 2], None, True, .5, 3, False, 1, None, channel_axis=2),
            hb.slic(image, 30, 10., 4))
        np.testing.assert_array_equal(hb.slic(image[..., :1], 30, .1), hb.slic(image[..., 0], 30, .1))
        into = np.zeros((40, 50), ">u2")
        self.assertIs(hb.slic(image, 30, start_label=7, output=into), into)
        np.testing.assert_array_equal(into, want + 6)
        self.assertEqual(hb.slic(image[:3, :3]).shape, (3, 3))  # fewer pixels than clusters

    def test_slic_refused(self):
        """A sentence with the names of slic, and what to do instead."""
        image = np.zeros((6, 6, 3), "u1")
        for text, given in (("sigma is 2.*gaussian_filter", {"sigma": 2}), ("sigma", {"sigma": (0, 1)}),
                            ("spacing is .*2 equal", {"spacing": (1, 2)}), ("spacing", {"spacing": (1, 1, 1)}),
                            ("convert2lab is False", {"convert2lab": False}), ("cut", {"max_size_factor": 2}),
                            ("slic_zero is True", {"slic_zero": True}), (r"labels\[~mask\]", {"mask": image[..., 0]}),
                            ("compactness is 0,", {"compactness": 0}), ("max_num_iter is 0", {"max_num_iter": 0}),
                            ("start_label is -1", {"start_label": -1}), ("min_size_factor takes", {"min_size_factor": 2}),
                            ("n_segments is 0", {"n_segments": 0}), ("n_segments is 70000", {"n_segments": 70000}),
                            ("channel_axis=None", {"channel_axis": None}), ("channel_axis is 3", {"channel_axis": 3}),
                            ("elements along its channel", {"channel_axis": 0})):
            raises(self, ValueError, text, hb.slic, image, **given)
        raises(self, ValueError, "convert2lab is True", hb.slic, image[..., 0], convert2lab=True)
        raises(self, ValueError, "plane by plane", hb.slic, np.zeros((5, 6, 7)))
        raises(self, ValueError, "infinite", hb.slic, np.where(image == 0, np.inf, 0))
        raises(self, ValueError, "are more than uint8 has", hb.slic, image, 36, start_label=250,
               output=np.zeros((6, 6), "u1"))
        raises(self, TypeError, "max_iter", hb.slic, image, max_iter=3)

    def test_refused(self):
        raises(self, ValueError, r"shape \(2, 2, 2\)", hb.kmeans, np.ones((2, 2, 2)), 2)
        for k in (0, -1, 17, 70000):
            raises(self, ValueError, f"k is {k}, and must be 1 to 16", hb.kmeans, np.ones((4, 4)), k)
        raises(self, ValueError, "NaN", hb.kmeans, np.full((4, 4), np.nan), 2)
        for value in (np.inf, -np.inf):
            for call, more in ((hb.kmeans, 2), (hb.slic, 2), (hb.morphological_chan_vese, 1)):
                picture = np.random.default_rng(3).random((9, 8))
                picture[4, 5] = value
                raises(self, ValueError, "1 infinite element", call, picture, more)
        ends = np.repeat([-1.7e308, 1.7e308], 4).reshape(1, 8)
        np.testing.assert_allclose(hb.kmeans(ends, 2)[1]["grey"], [-1.7e308, 1.7e308], rtol=1e-12)
        for option in ("clusters", "colour", "n_init"):
            raises(self, TypeError, f"no option '{option}'; it has .*compactness", hb.kmeans, np.ones((4, 4)), 2,
                   **{option: True})
        raises(self, ValueError, "output is read-only", hb.kmeans, np.ones((4, 4)), 2,
               output=np.broadcast_to(np.int32(0), (4, 4)))
        raises(self, TypeError, "output is", hb.kmeans, np.ones((4, 4)), 2, output=[0])


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
