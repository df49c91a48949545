"""Filters are those of scipy and scikit-image, where these define them."""

import itertools
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage import exposure, filters, morphology, restoration, segmentation, util

import halobeat as hb
from cases import LAYOUTS, raises

SHAPES = ((37, 50), (19, 23, 30), (1, 1), (3, 2, 1), (100,), (5, 300))
MODES = ("reflect", "mirror", "nearest", "wrap", "constant")


def balls(a, radius):
    """scikit-image's rolling ball, on this thread alone."""
    return restoration.rolling_ball(a, radius=radius, num_threads=1)


def samples(shape, dtype, seed=1):
    """Random samples of a type."""
    return (np.random.default_rng(seed).random(shape) * 255).astype(dtype)


class Gaussian(unittest.TestCase):
    def test_types_and_edges(self):
        """Reals are scipy's, float32 to the last bit; whole numbers those that scipy has for doubles, rounded once."""
        for shape, dtype, sigma, mode in itertools.product(SHAPES, ("u1", "i2", "f4", "f8"), (.5, 2, 6), MODES):
            a = samples(shape, dtype)
            got = hb.filter(a, f"gaussian:{sigma}:mode={mode}:cval=3", tile=5)
            want = nd.gaussian_filter(a if a.dtype.kind == "f" else a.astype(float), sigma, mode=mode, cval=3)
            if dtype == "f8":
                self.assertLessEqual(np.abs(got - want).max(), 5 * np.spacing(255.))
            else:
                np.testing.assert_array_equal(got, want if dtype == "f4" else np.rint(want).astype(dtype))

    def test_floats(self):
        """Sums that are fused where that changes nothing: of all magnitudes, zeroes, and what is no number."""
        random = np.random.default_rng(3).random((300, 200))
        spoiled = random.astype("f4")
        spoiled[50, 50], spoiled[10, 10] = np.nan, np.inf
        for a in (random, 10**(60 * random - 45), random - .5, np.where(random < .01, random, 0), random * 1e-39,
                  np.repeat([[0, 1, 3]], 60, 1), random[:216].reshape(40, 30, 36), spoiled):
            for sigma in (1, 2.5, 8):
                a = a.astype("f4")
                np.testing.assert_array_equal(hb.filter(a, f"gaussian:{sigma}"), nd.gaussian_filter(a, sigma))

    def test_halves(self):
        """Whole numbers whose sums are close to half are rounded as the sums of doubles."""
        for dtype, shape in itertools.product(("u1", "u2"), ((60, 50), (20, 18, 50))):
            a = np.zeros(shape, dtype)
            a[..., 25:] = np.iinfo(dtype).max
            for sigma in (1, 3):
                np.testing.assert_array_equal(hb.filter(a, f"gaussian:{sigma}"),
                                              np.rint(hb.filter(a.astype(float), f"gaussian:{sigma}")))

    def test_bytes(self):
        """Bytes, which have a way of their own, are rounded as the sums of doubles; also where all are close to half."""
        step = np.zeros((90, 70), "u1")
        step[:, 35:] = 255
        checks = np.indices((90, 70)).sum(0).astype("u1") % 2 * 255
        noise = samples((333, 200), "u1")
        for a, sigma, mode in itertools.product((step, step.T, checks, noise), (.3, 1, 1.5, 2, 2.6, 8, "3,0", "0,2"),
                                                ("reflect", "wrap", "constant:cval=77", "constant:cval=0")):
            want = hb.filter(a.astype(float), f"gaussian:{sigma}:mode={mode}")
            # The constant is a sample of the image.
            of_type = mode.replace("77", "77.3").replace("=0", "=-3")
            np.testing.assert_array_equal(hb.filter(a, f"gaussian:{sigma}:mode={of_type}"), np.rint(want))

    def test_options(self):
        a = samples((40, 30), "f4")
        np.testing.assert_array_equal(hb.filter(a, "gaussian:2,0"), nd.gaussian_filter(a, (2, 0)))
        np.testing.assert_array_equal(hb.filter(a, "gaussian:1.5:truncate=2"),
                                      nd.gaussian_filter(a, 1.5, truncate=2))
        np.testing.assert_array_equal(hb.filter(a.astype("u1"), "gaussian:2:dtype=float32"),
                                      nd.gaussian_filter(a.astype("u1"), 2, output=np.float32))


class Channels(unittest.TestCase):
    def test_axis(self):
        """Each channel is filtered by itself, as scikit-image does."""
        for shape, axis in (((30, 40, 3), 2), ((30, 40, 4), -1), ((3, 30, 40), 0), ((9, 12, 3, 20), -2), ((50, 2), 1)):
            a = samples(shape, "f4")
            got = hb.filter(a, "gaussian:1.5:mode=nearest", channel_axis=axis)
            np.testing.assert_allclose(got, filters.gaussian(a, 1.5, channel_axis=axis, preserve_range=True), rtol=1e-5)
            for k in range(shape[axis]):
                one = np.take(a, k, axis)
                np.testing.assert_array_equal(np.take(got, k, axis), hb.filter(one, "gaussian:1.5:mode=nearest"))
        wide = samples((33, 21, 3), "u2")
        np.testing.assert_array_equal(hb.filters.median(wide, 1, channel_axis=-1)[..., 1], hb.filters.median(wide[..., 1], 1))
        self.assertEqual(hb.filter(wide, "sobel threshold:9", channel_axis=2).dtype, bool)
        self.assertEqual(hb.filter(wide[..., :0], "sobel", channel_axis=2).dtype, np.float32)

    def test_output(self):
        a = samples((20, 30, 3), "u1")
        want = hb.filter(a, "gaussian:2 invert", channel_axis=-1)
        flipped = np.empty((3, 30, 20), "u1").T
        np.testing.assert_array_equal(hb.filter(a.swapaxes(0, 1), "gaussian:2 invert", channel_axis=-1,
                                                output=flipped.swapaxes(0, 1)), want.swapaxes(0, 1))
        same = a.copy()
        self.assertIs(hb.filter(same, "gaussian:2 invert", channel_axis=-1, output=same), same)
        np.testing.assert_array_equal(same, want)

    def test_refused(self):
        a = samples((20, 30, 3), "u1")
        raises(self, ValueError, "channel_axis is 3, and input has axes 0 to 2", hb.filter, a, "invert", channel_axis=3)
        raises(self, TypeError, "channel_axis is 'last', and must be a whole number", hb.filter, a, "invert", channel_axis="last")
        raises(self, ValueError, "input has 1 axis, and must have 2 to 4", hb.filter, a[0, 0], "invert", channel_axis=0)
        raises(self, ValueError, "output has the shape", hb.filter, a, "invert", channel_axis=0, output=a.swapaxes(0, 1).copy())


class Bits(unittest.TestCase):
    def test_numbers(self):
        """Steps that take no bits compute on black and white, as scikit-image converts booleans."""
        mask = samples((40, 70), "u1") > 120
        for step in ("gaussian:2", "uniform:5", "rescale", "background:4", "threshold:otsu", "gamma:.5"):
            np.testing.assert_array_equal(hb.filter(mask, step), hb.filter(util.img_as_ubyte(mask), step))
        for step in ("gaussian:2:dtype=float64", "uniform:5:dtype=float64"):
            np.testing.assert_array_equal(hb.filter(mask, step), hb.filter(util.img_as_float64(mask), step))
        np.testing.assert_array_equal(hb.filters.gaussian(mask, 2, dtype="f4"), nd.gaussian_filter(mask.astype("f4"), 2))
        np.testing.assert_array_equal(hb.filter(mask, "laplace"), nd.laplace(mask.astype("f4")))
        np.testing.assert_array_equal(hb.filter(mask, "rescale:dtype=uint16"), util.img_as_uint(mask))
        self.assertEqual(hb.filter(mask, "median:1").dtype, bool)


def filtered(a, name, more):
    """The result of a filter of scipy as that of hb.filter: float32 of whole numbers."""
    return getattr(nd, name)(a, **more, output="f8" if a.dtype == "f8" else "f4")


PADS = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "wrap": "wrap", "constant": "constant"}


def windows(a, size, mode):
    """The samples of each window, as the last axes."""
    more = {"constant_values": 3} if mode == "constant" else {}
    wide = np.pad(a, [(n // 2, n - 1 - n // 2) for n in size], PADS[mode], **more)
    return np.lib.stride_tricks.sliding_window_view(wide, size)


class Uniform(unittest.TestCase):
    def test_whole(self):
        """Sums of whole numbers are exact, and rounded once."""
        for shape, dtype, size, mode in itertools.product(((37, 50), (9, 13, 20), (100,)), ("u1", "i2", "u4", "i8"),
                                                          (1, 2, 3, 8), MODES):
            a = samples(shape, "i8") - 100 * (dtype[0] == "i")
            sums = windows(a, (size,) * a.ndim, mode).sum(tuple(range(a.ndim, 2 * a.ndim)))
            step = f"uniform:{size}:mode={mode}:cval=3"
            np.testing.assert_array_equal(hb.filter(a.astype(dtype), step, tile=7), np.rint(sums / size**a.ndim).astype(dtype))
            np.testing.assert_array_equal(hb.filter(a.astype(dtype), step + ":dtype=float64"), sums / size**a.ndim)
        large = np.array([2**62 - 1, 2**62 - 1, 2**62 - 2], "i8")
        np.testing.assert_array_equal(hb.filter(large, "uniform:2"), [2**62 - 1, 2**62 - 1, 2**62 - 2])

    def test_reals(self):
        for shape, dtype, size, mode in itertools.product(((37, 50), (9, 13, 20), (100,)), ("f4", "f8"), (1, 2, 5, 8), MODES):
            a = samples(shape, "f8").astype(dtype)
            got = hb.filter(a, f"uniform:{size}:mode={mode}:cval=3", tile=7)
            np.testing.assert_allclose(got, nd.uniform_filter(a, size, mode=mode, cval=3), rtol=1e-6 if dtype == "f4" else 1e-13)

    def test_windows(self):
        """NaN and large samples change the means of their windows, and no others."""
        a = samples((40, 30), "f8")
        spoiled = a.copy()
        spoiled[20, 10], spoiled[5, 5] = np.nan, 1e300
        for size in ((5, 5), (4, 3), (1, 6)):
            step = f"uniform:{size[0]},{size[1]}"
            want, got = hb.filter(a, step), hb.filter(spoiled, step)
            touched = ~np.isfinite(windows(np.where(spoiled > 1e200, np.nan, spoiled), size, "reflect")).all((2, 3))
            np.testing.assert_array_equal(got[~touched], want[~touched])
            self.assertTrue((got[touched] != want[touched]).all())


class Derivatives(unittest.TestCase):
    CASES = tuple(itertools.product(((37, 50), (9, 13, 20), (100,), (3, 2, 1)), ("u1", "i2", "f4", "f8"), MODES))

    def test_differences(self):
        """sobel, prewitt and laplace are scipy's to the last bit, along each axis and all of them."""
        for shape, dtype, mode in self.CASES:
            a, more = samples(shape, dtype), {"mode": mode, "cval": 3}
            steps = f":mode={mode}:cval=3"
            np.testing.assert_array_equal(hb.filter(a, "laplace" + steps), filtered(a, "laplace", more))
            for name in ("sobel", "prewitt"):
                for axis in (0, -1, -a.ndim):
                    np.testing.assert_array_equal(hb.filter(a, f"{name}:{axis}{steps}"),
                                                  filtered(a, name, {"axis": axis, **more}))
                want = nd.generic_gradient_magnitude(a, lambda i, axis, output, mode, cval: getattr(nd, name)(
                    i, axis, output, mode, cval), output="f8" if dtype == "f8" else "f4", **more)
                np.testing.assert_array_equal(hb.filter(a, name + steps), want)

    def test_scale(self):
        """The magnitude of scikit-image has another scale."""
        for a in (samples((30, 40), "f8"), samples((9, 8, 7), "f8")):
            for name in ("sobel", "prewitt"):
                scale = {"sobel": 4, "prewitt": 3}[name]**(a.ndim - 1) * a.ndim**.5
                np.testing.assert_allclose(hb.filter(a, name) / scale, getattr(filters, name)(a), rtol=1e-12)

    def test_of_gaussians(self):
        for shape, dtype, mode in self.CASES:
            a, more = samples(shape, dtype), {"mode": mode, "cval": 3}
            steps, close = f":mode={mode}:cval=3", {"rtol": 0, "atol": 1e-12 if dtype == "f8" else 1e-4}
            for name in ("gaussian_laplace", "gaussian_gradient_magnitude"):
                got = hb.filter(a, f"{name}:1.3{steps}")
                np.testing.assert_allclose(got, filtered(a, name, {"sigma": 1.3, **more}), **close)
                self.assertEqual(got.dtype, "f8" if dtype == "f8" else "f4")
            for order in (1, 2, 3):
                np.testing.assert_allclose(hb.filter(a, f"gaussian:2:order={order}{steps}"),
                                           filtered(a, "gaussian_filter", {"sigma": 2, "order": order, **more}), **close)
        np.testing.assert_allclose(hb.filter(samples((30, 40), "f8"), "gaussian:1,2:order=0,1"),
                                   nd.gaussian_filter(samples((30, 40), "f8"), (1, 2), (0, 1)), rtol=0, atol=1e-12)


class Ranks(unittest.TestCase):
    SIZES = (1, 2, 3, 5, (1, 6, 3), (4, 1, 7), 27)

    def cases(self, modes):
        """Arrays, the text of a window and its size."""
        types = ("?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8")
        for number, (shape, size, mode) in enumerate(itertools.product(SHAPES, self.SIZES, modes)):
            a = samples(shape, types[number % len(types)])
            a = a - 100 if a.dtype.kind in "if" else a
            size = size if isinstance(size, int) else size[:len(shape)]
            yield a, f"size={str(size).strip('(),').replace(' ', '')}:mode={mode}:cval=1", size, mode

    def test_extremes(self):
        for a, text, size, mode in self.cases(MODES):
            for name, function in (("minimum", nd.minimum_filter), ("maximum", nd.maximum_filter)):
                np.testing.assert_array_equal(hb.filter(a, f"{name}:{text}", tile=5),
                                              function(a, size, mode=mode, cval=1), f"{name}:{text} of {a.dtype}")

    def test_ranks(self):
        """Windows that are sorted, and large ones, whose samples are counted."""
        for a, text, size, mode in self.cases(("reflect", "constant")):
            if a.ndim == 3 and size == 27:
                continue
            scipys = a.view("u1") if a.dtype == bool else a
            np.testing.assert_array_equal(hb.filter(a, f"median:{text}", tile=5),
                                          nd.median_filter(scipys, size, mode=mode, cval=1), f"{text} of {a.dtype}")
            for percent in (0, 10, 90, 100):
                np.testing.assert_array_equal(hb.filter(a, f"percentile:{percent}:{text}"),
                                              nd.percentile_filter(scipys, percent, size, mode=mode, cval=1),
                                              f"{percent} % {text} of {a.dtype}")

    def test_cubes(self):
        """Medians of 3 x 3 x 3 samples, whose networks are their own, of all types and widths."""
        for shape, dtype, mode in itertools.product(((9, 13, 70), (1, 1, 1), (3, 5, 900), (2, 4, 64), (2, 3, 129)),
                                                    ("u1", "i1", "u2", "i4", "f4", "f8", "u8"), ("reflect", "constant")):
            a = (samples(shape, "f8") - 100 * (dtype[0] == "i")).astype(dtype)
            for ranks in (1, 2):
                with hb.ranks(ranks):
                    np.testing.assert_array_equal(hb.filter(a, f"median:1:mode={mode}"), nd.median_filter(a, 3, mode=mode))

    def test_histograms(self):
        """Large windows of bytes, whose columns have histograms: of all shapes, and more samples than 16 bits count."""
        for shape, size, mode in (((150, 2000), (15, 15), "reflect"), ((40, 50), (16, 15), "wrap"), ((40, 50), (1, 301), "mirror"),
                                  ((60, 30), (301, 1), "nearest"), ((9, 13, 20), (9, 9, 9), "reflect"), ((900,), (401,), "wrap"),
                                  ((6, 20, 33), (1, 16, 15), "constant"), ((5, 7), (256, 257), "reflect")):
            noise = samples(shape, "u1")
            smooth = nd.gaussian_filter(noise, 3)
            for a, percent in itertools.product((noise, smooth), (0, 50, 93, 100)):
                want = nd.percentile_filter(a, percent, size, mode=mode, cval=9)
                text = f"percentile:{percent}:size={','.join(map(str, size))}:mode={mode}:cval=9"
                for tile in (0, 7):
                    np.testing.assert_array_equal(hb.filter(a, text, tile=tile), want, text)

    def test_exact(self):
        """Whole numbers and constants that are no doubles keep all digits."""
        a = np.array([[2**63 + 1, 2**63 + 3, 5], [2**64 - 1, 7, 2**63 + 2]], "u8")
        np.testing.assert_array_equal(hb.filter(a, "minimum:1"), [[7, 5, 5]] * 2)  # scipy's are rounded to doubles
        np.testing.assert_array_equal(hb.filter(a, "maximum:1,0"), [[2**64 - 1, 2**63 + 3, 2**63 + 2]] * 2)
        np.testing.assert_array_equal(hb.filter(a, "median:0,1"), [[2**63 + 1, 2**63 + 1, 5], [2**64 - 1, 2**63 + 2, 2**63 + 2]])
        b = np.full((3, 4), .3)
        self.assertEqual(hb.filter(b, "minimum:1:mode=constant:cval=.1")[0, 0], .1)
        self.assertEqual(hb.filter(b, "median:2,0:mode=constant:cval=.1")[0, 0], .3)
        self.assertEqual(hb.filter(b, "median:3,0:mode=constant:cval=.1")[0, 0], .1)

    def test_nan(self):
        """NaN is greater than all others, and comes out where it has the rank."""
        for dtype in ("f4", "f8"):
            a = np.array([[-np.inf, np.nan, 3], [-np.nan, 1, np.inf]], dtype)
            np.testing.assert_array_equal(hb.filter(a, "maximum:0,1"), [[np.nan] * 3, [np.nan, np.nan, np.inf]])
            np.testing.assert_array_equal(hb.filter(a, "minimum:0,1"), [[-np.inf, -np.inf, 3], [1, 1, 1]])
            np.testing.assert_array_equal(hb.filter(a, "median:0,1"), [[-np.inf, 3, 3], [np.nan, np.inf, np.inf]])

    def test_refused(self):
        a = samples((4, 5), "u1")
        raises(self, ValueError, "needs a radius, such as :2, or size=5", hb.filter, a, "median")
        raises(self, TypeError, "1 is no step: it begins with the name", hb.filter, a, [1])
        raises(self, TypeError, r"\(\) is no step", hb.filter, a, ["invert", ()])
        raises(self, TypeError, "steps is 3, and must be a text", hb.filter, a, 3)
        raises(self, ValueError, "give one of them", hb.filter, a, "minimum:2:size=5")
        raises(self, ValueError, "a radius of 1.5 is not possible", hb.filter, a, "maximum:1.5")
        raises(self, ValueError, "a size of 0 is not possible", hb.filter, a, "median:size=0")
        raises(self, ValueError, "there are 3 sizes", hb.filter, a, "median:size=1,2,3")
        raises(self, ValueError, "more than 1073741824 samples", hb.filter, a, "median:100000")
        raises(self, ValueError, "percent takes", hb.filter, a, "percentile:101:2")


def ball(radius, axes):
    squares = np.square(np.arange(-radius, radius + 1))
    return sum(squares.reshape([-1 if i == k else 1 for i in range(axes)]) for k in range(axes)) <= radius**2


def element(name, radius, axes):
    """A structuring element of scipy and scikit-image: box (square, cube), cross (diamond, octahedron), disk, ball."""
    if name == "box":
        return np.ones((2 * radius + 1,) * axes, bool)
    if name == "cross":
        return nd.iterate_structure(nd.generate_binary_structure(axes, 1), radius)
    return ball(radius, 2)[None] if (name, axes) == ("disk", 3) else ball(radius, axes)


class Morphology(unittest.TestCase):
    OPERATIONS = ("erosion", "dilation", "opening", "closing", "white_tophat", "black_tophat")

    def cases(self, types):
        shapes = ((24, 70), (9, 12, 33), (100,), (3, 2))
        both = itertools.product(shapes, ("box", "cross", "disk", "ball"), (1, 2, 3, 7))
        for number, ((shape, name, radius), operation) in enumerate(itertools.product(both, self.OPERATIONS)):
            if radius < 7 or len(shape) < 3:
                yield samples(shape, types[number % len(types)]), operation, f"{name}:{radius}", element(name, radius, len(shape))

    def test_greys(self):
        """Neutral edges are those of scipy, which reflects."""
        for a, operation, text, footprint in self.cases(("u1", "i1", "u2", "i4", "u8", "f4", "f8")):
            function = getattr(nd, operation if "hat" in operation else "grey_" + operation)
            np.testing.assert_array_equal(hb.filter(a, f"{operation}:{text}", tile=5), function(a, footprint=footprint),
                                          f"{operation}:{text} of {a.dtype}")

    def test_bits(self):
        for a, operation, text, footprint in self.cases(("?",)):
            a = samples(a.shape, "u1") < 150
            got = hb.filter(a, f"{operation}:{text}", tile=5)
            function = getattr(nd, operation if "hat" in operation else "grey_" + operation)
            np.testing.assert_array_equal(got, function(a.view("u1"), footprint=footprint) > 0, f"{operation}:{text}")
            if "hat" not in operation:
                np.testing.assert_array_equal(hb.filter(a, f"{operation}:{text}:edge=0"),
                                              getattr(nd, "binary_" + operation)(a, footprint), f"{operation}:{text}")

    def test_elements(self):
        """Elements have the pixels of scikit-image's."""
        for axes, name, function in ((2, "disk", morphology.disk), (3, "ball", morphology.ball),
                                     (2, "cross", morphology.diamond), (3, "cross", morphology.octahedron)):
            for radius in (1, 2, 3, 4, 6):
                a = np.zeros((15,) * axes, bool)
                a[(7,) * axes] = True
                got = hb.filter(a, f"dilation:{name}:{radius}")
                np.testing.assert_array_equal(got[(slice(7 - radius, 8 + radius),) * axes], function(radius))
                self.assertEqual(got.sum(), function(radius).sum())

    def test_large(self):
        """A radius may be larger than the image."""
        for dtype in ("u1", "?"):
            a = samples((20, 30), "u1") > 250 if dtype == "?" else samples((20, 30), dtype)
            np.testing.assert_array_equal(hb.filter(a, "dilation:disk:200"), np.full_like(a, a.max()))
            np.testing.assert_array_equal(hb.filter(a, "erosion:box:1000"), np.full_like(a, a.min()))
            np.testing.assert_array_equal(hb.filter(a, "dilation:disk:32768"), np.full_like(a, a.max()))
        for shape, name, radius in (((20, 9), "disk", 14), ((9, 20), "cross", 22), ((4, 9, 6), "ball", 8)):
            a, footprint = samples(shape, "u1"), element(name, radius, len(shape))
            for step, function in ((f"erosion:{name}:{radius}", nd.grey_erosion), (f"dilation:{name}:{radius}", nd.grey_dilation)):
                np.testing.assert_array_equal(hb.filter(a, step), function(a, footprint=footprint))
            np.testing.assert_array_equal(hb.filter(a > 60, f"erosion:{name}:{radius}:edge=0"),
                                          nd.binary_erosion(a > 60, footprint))

    def test_refused(self):
        a = samples((4, 5, 6), "u1")
        raises(self, ValueError, "needs a shape and a radius: opening:disk:3", hb.filter, a, "opening")
        raises(self, ValueError, "shape takes box, cross, disk or ball", hb.filter, a, "opening:square:3")
        raises(self, ValueError, "radius takes", hb.filter, a, "erosion:disk:-1")
        raises(self, ValueError, "a radius of 513 is not possible in a volume; use 0 to 512", hb.filter, a, "erosion:ball:513")
        raises(self, ValueError, "edge=0 is for bits", hb.filter, a, "erosion:disk:1:edge=0")


class Points(unittest.TestCase):
    def test_invert(self):
        for dtype in ("u1", "u2", "?", "f4", "f8"):
            a = samples((30, 40), dtype) / (255 if dtype[0] == "f" else 1)
            a = a.astype(dtype)
            np.testing.assert_array_equal(hb.filter(a, "invert"), util.invert(a))


    def test_contrast(self):
        """Whole numbers are rounded to the nearest, which scikit-image cuts off."""
        for dtype in ("u1", "u2", "i2", "f4", "f8"):
            a = samples((30, 40), dtype) / (255 if dtype[0] == "f" else 1)
            a = a.astype(dtype)
            for step, want in (("gamma:.5", exposure.adjust_gamma(a, .5)), ("log:.9", exposure.adjust_log(a, .9)),
                               ("rescale", exposure.rescale_intensity(a)),
                               ("rescale:5%,90%", exposure.rescale_intensity(a, tuple(np.percentile(a, (5, 90)))))):
                for ranks in (1, 3):
                    with hb.ranks(ranks):
                        got = hb.filter(a, step)
                    self.assertEqual(got.dtype, a.dtype)
                    np.testing.assert_allclose(got.astype(float), want.astype(float), rtol=2e-6,
                                               atol=1 if a.dtype.kind in "iu" else 1e-6)
        a = samples((30, 40), "u2") * 257
        self.assertEqual(hb.filter(a, "rescale:dtype=uint8").max(), 255)
        np.testing.assert_array_equal(hb.filter(a, "clip:1000,30000"), np.clip(a, 1000, 30000))
        big = np.array([[2 ** 60 + 1, -5, 3]])
        np.testing.assert_array_equal(hb.filter(big, "clip:0,1e18"), np.clip(big, 0, 10 ** 18))
        np.testing.assert_array_equal(hb.filter(np.zeros((3, 4), "u1") + 7, "rescale"), np.full((3, 4), 7))
        nan = np.array([[np.nan, 2, 6]])
        np.testing.assert_array_equal(hb.filter(nan, "clip:3,4"), np.clip(nan, 3, 4))
        np.testing.assert_array_equal(hb.filter(nan, "rescale"), [[np.nan, 0, 1]])

    def test_percentiles_of_all_types(self):
        random = np.random.default_rng(23)
        for name in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"):
            for size in (2, 5, 1000, 2999):
                if name.startswith("float"):
                    a = (random.standard_normal(size) * 10.0 ** random.integers(-3, 4)).astype(name)
                    a[random.random(size) < .1] = np.nan
                    a[:2] = -0.0, 1
                else:
                    a = random.integers(np.iinfo(name).min, np.iinfo(name).max, size, name, endpoint=True)
                for low, high in ((0, 100), (12.5, 80), (49, 50)):
                    ends = np.nanpercentile(a.astype(float), (low, high))
                    black = -1 if ends[0] < 0 else 0
                    want = (np.clip(a.astype(float), *ends) - ends[0]) / (ends[1] - ends[0]) * (1 - black) + black
                    got = hb.filter(a, f"rescale:{low}%,{high}%:dtype=float64")
                    np.testing.assert_allclose(got, want, rtol=0, atol=1e-9, err_msg=f"{name} {size} {low} {high}")


class Regions(unittest.TestCase):
    """Filters of bits, on images of any type whose samples are 0 or not."""

    def masks(self):
        for shape, seed, share in itertools.product(((40, 61), (11, 13, 70)), range(3), (.3, .5, .7)):
            yield np.random.default_rng(seed).random(shape) < share

    def test_fill_holes(self):
        for mask in self.masks():
            np.testing.assert_array_equal(hb.filter(mask, "fill_holes"), nd.binary_fill_holes(mask))
            np.testing.assert_array_equal(hb.filter(mask * np.float32(.5), "fill_holes"), nd.binary_fill_holes(mask))

    def test_sizes(self):
        for mask, connectivity in itertools.product(self.masks(), (1, 2)):
            np.testing.assert_array_equal(hb.filter(mask, f"remove_small_objects:6:connectivity={connectivity}"),
                                          morphology.remove_small_objects(mask, 6, connectivity))
            np.testing.assert_array_equal(hb.filter(mask, f"remove_small_holes:6:connectivity={connectivity}"),
                                          morphology.remove_small_holes(mask, 6, connectivity))

    def test_clear_border(self):
        for mask in self.masks():
            np.testing.assert_array_equal(hb.filter(mask, "clear_border"), segmentation.clear_border(mask))

    def test_background(self):
        """The paraboloid by its definition: the least of all samples with their distances."""
        for shape, radius, dtype in itertools.product(((23, 31), (7, 9, 12), (40,)), (.5, 5, 60), ("u1", "i2", "f8")):
            a = samples(shape, dtype)
            points = np.indices(shape).reshape(len(shape), -1)
            away = ((points[:, :, None] - points[:, None]) ** 2).sum(axis=0)
            want = a - (a.ravel().astype(float) + away / (2 * radius)).min(axis=1).reshape(shape)
            for ranks in (1, 3):
                with hb.ranks(ranks):
                    got = hb.filter(a, f"background:{radius}:dtype=float64")
                    np.testing.assert_allclose(got, want, atol=1e-9)
                    if dtype != "f8":
                        np.testing.assert_allclose(hb.filter(a, f"background:{radius}"), want, atol=.5 + 1e-9)
        raises(self, ValueError, "radius", hb.filter, a, "background:0")
        raises(self, ValueError, "it needs a radius", hb.filter, a, "background")

    def test_rolling_ball(self):
        """The ball of scikit-image, of all types, also where samples rise so that no row is passed over."""
        random = np.random.default_rng(4)
        cases = (((37, 50), 20), ((130, 300), 3.5), ((9, 13, 70), 3), ((5, 300), 7), ((100,), 20), ((1, 1), 1), ((7, 5), 0))
        for (shape, radius), dtype in itertools.product(cases, ("u1", "i1", "u2", "i2", "i8", "f4", "f8")):
            noise, rising = samples(shape, "f8") - 100 * (dtype[0] == "i"), np.cumsum(random.random(shape) * 3, -1) % 120
            for a in (noise.astype(dtype), rising.astype(dtype)):
                want = balls(a, radius)
                got = hb.filter(a, f"rolling_ball:{radius}", tile=7)
                self.assertEqual(got.dtype, want.dtype)
                np.testing.assert_array_equal(got, want)
                np.testing.assert_array_equal(hb.filter(a, f"rolling_ball:{radius}:result=difference"), a - want)
                exact = balls(a.astype(float), radius)
                np.testing.assert_array_equal(hb.filter(a.astype(float), f"rolling_ball:{radius}"), exact)
                if dtype[0] != "f":
                    np.testing.assert_array_equal(hb.filter(a, f"rolling_ball:{radius}:dtype=float64"), exact)
        wide = samples((3, 600), "u1")
        np.testing.assert_array_equal(hb.filter(wide, "rolling_ball:300"), balls(wide, 300))

    def test_rolling_ball_without_numbers(self):
        """NaN and infinite samples do not hold the ball up, and change nothing beyond its reach."""
        a = samples((40, 60), "f4")
        spoiled = a.copy()
        spoiled[10, 10], spoiled[30, 50] = np.nan, np.inf
        held = np.where(np.isfinite(spoiled), spoiled, np.float32(np.inf))
        for radius in (2, 6):
            np.testing.assert_array_equal(hb.filter(spoiled, f"rolling_ball:{radius}"), hb.filter(held, f"rolling_ball:{radius}"))
            np.testing.assert_array_equal(hb.filter(held, f"rolling_ball:{radius}"), balls(held, radius))
        self.assertTrue(np.isposinf(hb.filter(np.full((3, 3), np.nan), "rolling_ball:1")).all())
        raises(self, ValueError, "it needs a radius", hb.filter, a, "rolling_ball")
        raises(self, ValueError, "radius", hb.filter, a, "rolling_ball:1025")
        raises(self, ValueError, "256", hb.filter, np.zeros((3, 3, 3)), "rolling_ball:257")
        raises(self, ValueError, "result takes", hb.filter, a, "rolling_ball:3:result=image")

    def test_equalize(self):
        """Shares are scikit-image's to the last bit, and whole numbers these times the largest, rounded."""
        random = np.random.default_rng(2)
        of_type = {"u1": (250, 0), "i1": (100, -50), "u2": (60000, 0), "i2": (30000, -15000), "i4": (60000, -1e6), "f4": (3, -1), "f8": (1e-3, 5)}
        for shape, dtype, power in itertools.product(((37, 50), (9, 13, 20), (100,), (1, 1)), of_type, (1, 3)):
            scale, low = of_type[dtype]
            a = (random.random(shape)**power * scale + low).astype(dtype)
            for bins, ranks in itertools.product((1, 7, 256, 1000), (1, 3)):
                want = exposure.equalize_hist(a, nbins=bins)
                with hb.ranks(ranks):
                    np.testing.assert_array_equal(hb.filter(a, f"equalize:{bins}:dtype={want.dtype}"), want)
                    if dtype[0] != "f":
                        np.testing.assert_array_equal(hb.filter(a, "equalize"), np.rint(want * np.iinfo(dtype).max).astype(dtype))
        edges = np.round(random.random((70, 90)) * 16) / 16  # samples that are edges of bins
        np.testing.assert_array_equal(hb.filter(edges, "equalize:32"), exposure.equalize_hist(edges, nbins=32))
        constant = np.full((4, 5), 3.25, "f4")
        np.testing.assert_array_equal(hb.filter(constant, "equalize"), exposure.equalize_hist(constant))

    def test_equalize_more(self):
        """What is not finite, and numbers that are too many for a bin each, or to be doubles."""
        np.testing.assert_allclose(hb.filter(np.array([np.nan, np.inf, -np.inf, 1, 2, 3]), "equalize:3"),
                                   [np.nan, 1, 1 / 3, 1 / 3, 2 / 3, 1])
        np.testing.assert_allclose(hb.filter(np.array([-1e308, 0, 1e308, 1e308]), "equalize:2"), [.25, .625, 1, 1])
        np.testing.assert_allclose(hb.filter(np.array([2**63, 2**63 + 1, 2**63 + 2], "u8"), "equalize:dtype=float64"),
                                   [1 / 3, 2 / 3, 1])
        wide = (np.random.default_rng(1).random(5000) * 2**60).astype("i8")
        rank = np.searchsorted(np.sort(wide), wide, side="right") / wide.size
        self.assertLess(np.abs(hb.filter(wide, "equalize:dtype=float64") - rank).max(), 1e-3)
        self.assertTrue(np.isnan(hb.filter(np.full((3, 3), np.nan), "equalize")).all())
        raises(self, ValueError, "nbins", hb.filter, wide, "equalize:0")

    def test_skeletonize(self):
        for seed, share, smooth in itertools.product(range(3), (.3, .6), (0, 2)):
            noise = nd.gaussian_filter(np.random.default_rng(seed).random((70, 131)), smooth)
            mask = noise > np.quantile(noise, share)
            for ranks in (1, 3):
                with hb.ranks(ranks):
                    np.testing.assert_array_equal(hb.filter(mask, "skeletonize"), morphology.skeletonize(mask))

    def test_threshold(self):
        a = samples((40, 50), "u1")
        np.testing.assert_array_equal(hb.filter(a, "threshold:100"), a >= 100)
        np.testing.assert_array_equal(hb.filter(a, "threshold:100..120"), (a >= 100) & (a <= 120))
        np.testing.assert_array_equal(hb.filter(a.astype("f4") / 3, "threshold:2.5"), a.astype("f4") / 3 >= 2.5)
        smooth = hb.filter(a, "gaussian:2:dtype=float32")
        np.testing.assert_array_equal(hb.filter(smooth, "threshold:25%"),
                                      smooth >= smooth.min() + (smooth.max() - smooth.min()) / 4)
        with hb.ranks(3):
            np.testing.assert_array_equal(hb.filter(a, "threshold"), a > filters.threshold_otsu(a))


class Calls(unittest.TestCase):
    def test_functions(self):
        """halobeat.filters has a function for each filter, with the values of its step."""
        a = samples((20, 30), "u1")
        np.testing.assert_array_equal(hb.filters.gaussian(a, 2, mode="wrap"), hb.filter(a, "gaussian:2:mode=wrap"))
        np.testing.assert_array_equal(hb.filters.gaussian(a, [1, np.float32(.5)]), hb.filter(a, "gaussian:1,.5"))
        np.testing.assert_array_equal(hb.filters.gaussian(a, sigma=1, dtype=np.float32), hb.filter(a, "gaussian:1:dtype=float32"))
        np.testing.assert_array_equal(hb.filters.rescale(a, (3, "90%")), hb.filter(a, "rescale:3,90%"))
        np.testing.assert_array_equal(hb.filters.threshold(a), hb.filter(a, "threshold"))
        self.assertIs(hb.filters.invert(a, output=a), a)
        raises(self, TypeError, r"gaussian\(\): .*sigma", hb.filters.gaussian, a)
        raises(self, TypeError, "sgima", hb.filters.gaussian, a, 2, sgima=2)
        raises(self, ValueError, "no value of a filter", hb.filters.threshold, a, "3:4")
        raises(self, ValueError, "mode takes", hb.filters.gaussian, a, 2, mode="edge")
        raises(self, AttributeError, "no filter 'gausian'", getattr, hb.filters, "gausian")

    def test_layouts(self):
        a = samples((40, 50), "u2")
        want = hb.filter(a, "gaussian:1 invert")
        for layout in LAYOUTS:
            np.testing.assert_array_equal(hb.filter(layout(a), ["gaussian:1", "invert"]), want)
        self.assertIs(hb.filter(a, "gaussian:1 invert", output=a), a)
        np.testing.assert_array_equal(a, want)

    def test_edges_of_a_chain(self):
        """Steps that wrap and others follow each other; each has the edges of its own input."""
        a = samples((17, 40), "f4")
        want = nd.gaussian_filter(nd.gaussian_filter(nd.gaussian_filter(a, 2), 1, mode="wrap"), 2, mode="mirror")
        for ranks in (1, 2, 3, 5):
            with hb.ranks(ranks):
                np.testing.assert_array_equal(
                    hb.filter(a, "gaussian:2 gaussian:1:mode=wrap gaussian:2:mode=mirror"), want)

    def test_refused(self):
        a = samples((4, 5), "u1")
        raises(self, ValueError, "did you mean gaussian", hb.filter, a, "gausian:2")
        raises(self, ValueError, "there is no step", hb.filter, a, "")
        raises(self, ValueError, "elements of uint8", hb.filter, a, "gaussian:1:dtype=float32", output=a.copy())
        raises(self, TypeError, "steps is 2", hb.filter, a, 2)
        raises(self, ValueError, "4 axes", hb.filter, np.zeros((2, 2, 2, 2)), "invert")


if __name__ == "__main__":
    unittest.main()
