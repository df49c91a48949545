"""hb.label gives what scipy.ndimage.label gives, number for number, for arrays of all kinds."""

import unittest

import numpy as np
import scipy.ndimage as nd

import halobeat as hb
from cases import LAYOUTS, MORE, SHAPES, TYPES, native, raises, random_array

OUTPUTS = [None, "i4", "i8", "u2", "u4", ">i4", "f8", "f4"]


class Equal(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(7)

    def check(self, array, structure, **options):
        peer, count = nd.label(native(array), structure)
        labels, found = hb.label(array, structure, **options)
        self.assertEqual((found, type(found)), (count, int))
        np.testing.assert_array_equal(labels, peer)
        return labels, peer

    def test_types_and_layouts(self):
        cases = 0
        for shape in SHAPES:
            for dtype in TYPES:
                for layout in LAYOUTS:
                    if not MORE and self.rng.random() < .75:
                        continue
                    array = layout(random_array(self.rng, shape, dtype))
                    structure = nd.generate_binary_structure(len(shape), self.rng.integers(1, len(shape) + 1))
                    before = array.tobytes()
                    with self.subTest(shape=shape, dtype=dtype, layout=layout), hb.ranks(self.rng.choice([0, 1, 3])):
                        self.check(array, structure)
                    self.assertEqual(array.tobytes(), before)
                    cases += 1
        self.assertGreater(cases, 300)

    def test_outputs(self):
        for dtype in OUTPUTS:
            for shape in [(50,), (40, 70), (9, 20, 30)]:
                for layout in LAYOUTS[:5] + LAYOUTS[6:]:
                    array = random_array(self.rng, shape, "u1", .2)
                    peer, count = nd.label(array)
                    made, found = hb.label(array, output=dtype)
                    self.assertEqual((made.dtype, found), (np.dtype(dtype or "i4"), count))
                    np.testing.assert_array_equal(made, peer)
                    output = layout(np.full(shape, 77, dtype or "i4"))
                    self.assertEqual(hb.label(array, None, output), count)
                    np.testing.assert_array_equal(output, peer)

    def test_output_is_input(self):
        array = random_array(self.rng, (60, 90), "i4")
        peer, count = nd.label(array)
        for view in (array.copy(), array.copy()[::-1, ::-1], array.copy()[::2]):
            peer, count = nd.label(view)
            self.assertEqual(hb.label(view, output=view), count)
            np.testing.assert_array_equal(view, peer)
        for shifted in (1, 7):  # the output lies over a part of the input
            memory = np.concatenate([array.ravel(), np.zeros(shifted, "i4")])
            over, peer = memory[shifted:].reshape(array.shape), nd.label(array)[0]
            self.assertEqual(hb.label(memory[:array.size].reshape(array.shape), output=over), peer.max())
            np.testing.assert_array_equal(over, peer)

    def test_values_over_the_input(self):
        array = self.rng.integers(0, 3, (40, 50)).astype("i4")
        peer, count = hb.label(array, values=True)
        self.assertEqual(hb.label(array, output=array, values=True), count)
        np.testing.assert_array_equal(array, peer)

    def test_connectivity_is_structure(self):
        for axes in (1, 2, 3):
            array = random_array(self.rng, (17,) * axes, "u1", .3)
            for steps in range(1, axes + 1):
                peer = hb.label(array, nd.generate_binary_structure(axes, steps))[0]
                np.testing.assert_array_equal(hb.label(array, connectivity=steps)[0], peer)

    def test_numbers_of_neighbours(self):
        """cc3d's names of connectivity."""
        for axes, same in ((1, {1: (4, 6, 8, 18, 26)}), (2, {1: (4, 6), 2: (8, 18, 26)}), (3, {1: [6], 2: [18], 3: [26]})):
            array = random_array(self.rng, (13,) * axes, "u1", .3)
            for steps, numbers in same.items():
                for number in numbers:
                    np.testing.assert_array_equal(hb.label(array, connectivity=number)[0],
                                                  hb.label(array, connectivity=steps)[0])

    def test_output_of_bool(self):
        """Labels of a single region, or of none, are 0 and 1."""
        for shape in [(50,), (40, 70), (9, 20, 30)]:
            for array in (np.zeros(shape), np.ones(shape), np.arange(np.prod(shape)).reshape(shape) > 11):
                for layout in LAYOUTS[:5] + LAYOUTS[6:]:
                    output = layout(np.ones(shape, bool))
                    self.assertEqual(hb.label(array, output=output), nd.label(array)[1])
                    self.assertEqual(output.tobytes(), nd.label(array, output=bool)[0].tobytes())
                self.assertEqual(hb.label(array, output=bool)[0].dtype, bool)

    def test_empty_and_scalars(self):
        for shape in [(0,), (0, 5), (5, 0), (3, 0, 2)]:
            labels, count = hb.label(np.zeros(shape))
            self.assertEqual((labels.shape, labels.dtype, count), (shape, np.int32, 0))
        for value in (0, 3, True, 2.5):
            peer, count = nd.label(value)
            labels, found = hb.label(value)
            self.assertEqual((labels.shape, int(labels), found), (peer.shape, int(peer), count))
        self.assertEqual(hb.label([[1, 0], [0, 1]])[1], 2)

    def test_virtual(self):
        """Arrays whose elements share memory, larger than what they take."""
        row = (self.rng.random(3000) < .5).astype("u1")
        labels, count = hb.label(np.broadcast_to(row, (4000, 3000)), output="u2")
        peer, stripes = nd.label(row)
        self.assertEqual(count, stripes)
        self.assertTrue((labels == peer).all())
        plane = np.broadcast_to(row[:400, None], (30, 400, 500))
        np.testing.assert_array_equal(hb.label(plane)[0], nd.label(plane)[0])
        windows = np.lib.stride_tricks.sliding_window_view(row, 100)
        np.testing.assert_array_equal(hb.label(windows)[0], nd.label(windows)[0])

    def test_many_regions(self):
        """More labels than 16 bits have: the other types hold them, as scipy's do."""
        array = np.indices((600, 600)).sum(axis=0) % 2 == 0
        self.check(array, nd.generate_binary_structure(2, 1))
        raises(self, RuntimeError, "180000 regions are more than labels of uint16", hb.label, array, output="u2")


class Structures(unittest.TestCase):
    """Any structure that is symmetric about its centre."""

    def setUp(self):
        self.rng = np.random.default_rng(9)

    def structure(self, axes):
        half = self.rng.random((3,) * axes) < self.rng.choice([.15, .4, .7])
        return half | np.flip(half)

    def test_all_of_an_image(self):
        array = random_array(self.rng, (23, 31), "u1", .5)
        for bits in range(32):
            half = np.array([bits >> i & 1 for i in range(5)] + [0] * 4, bool).reshape(3, 3)
            structure = half | np.flip(half)
            labels, found = hb.label(array, structure)
            peer, count = nd.label(array, structure)
            self.assertEqual(found, count)
            np.testing.assert_array_equal(labels, peer)

    def test_types_and_layouts(self):
        for case in range(60 if not MORE else 600):
            shape = SHAPES[self.rng.integers(len(SHAPES))]
            layout, dtype = LAYOUTS[self.rng.integers(len(LAYOUTS))], TYPES[self.rng.integers(len(TYPES))]
            array, structure = layout(random_array(self.rng, shape, dtype, .6)), self.structure(len(shape))
            peer, count = nd.label(native(array), structure)
            output = LAYOUTS[self.rng.integers(5)](np.full(shape, 77, OUTPUTS[1:][self.rng.integers(len(OUTPUTS) - 1)]))
            with self.subTest(shape=shape, dtype=dtype, layout=layout, structure=structure), \
                    hb.ranks(self.rng.choice([0, 1, 2, 5])):
                labels, found = hb.label(array, structure)
                self.assertEqual((found, labels.dtype), (count, np.int32))
                np.testing.assert_array_equal(labels, peer)
                self.assertEqual(hb.label(array, structure, output), count)
                np.testing.assert_array_equal(output, peer)

    def test_virtual(self):
        """Elements that share memory."""
        row = self.rng.random(300) < .5
        for array in (np.broadcast_to(row, (40, 300)), np.broadcast_to(row[:60, None], (5, 60, 70))[:, ::-1],
                      np.lib.stride_tricks.sliding_window_view(row, 90)):
            structure = self.structure(array.ndim)
            peer, count = nd.label(array, structure)
            for ranks in (1, 3):
                with hb.ranks(ranks):
                    labels, found = hb.label(array, structure)
                self.assertEqual(found, count)
                np.testing.assert_array_equal(labels, peer)

    def test_filters(self):
        for case in range(20):
            shape = [(40,), (30, 41), (9, 12, 13)][case % 3]
            array, structure = self.rng.random(shape) < .5, self.structure(len(shape))
            peer, count = nd.label(array, structure)
            areas = np.bincount(peer.ravel(), minlength=count + 1)[1:]
            inner = np.zeros(shape, bool)
            inner[(slice(1, -1),) * len(shape)] = True
            cut = np.isin(np.arange(1, count + 1), peer[~inner])
            k = int(self.rng.integers(1, count + 2))
            best = np.zeros(count, bool)
            best[np.argsort(-areas, kind="stable")[:k]] = True
            for options, kept in (({"min_area": 2, "max_area": 3}, (areas >= 2) & (areas <= 3)),
                                  ({"clear_border": True}, ~cut), ({"largest": k}, best)):
                numbers = np.concatenate([[0], np.where(kept, np.cumsum(kept), 0)])
                with hb.ranks(self.rng.choice([1, 3])):
                    labels, found = hb.label(array, structure, **options)
                self.assertEqual(found, kept.sum())
                np.testing.assert_array_equal(labels, numbers[peer])

    def test_periodic(self):
        for shape in [(12,), (9, 14), (6, 7, 8)]:
            array = self.rng.random(shape) < .4
            structure = self.structure(len(shape))
            tiles = nd.label(np.tile(array, (3,) * len(shape)), structure)[0]
            inner = tiles[tuple(slice(n, 2 * n) for n in shape)]
            labels = hb.label(array, structure, **{f"periodic_{axis}": True for axis in range(len(shape))})[0]
            pairs = np.unique(np.stack([labels.ravel(), inner.ravel()]), axis=1)
            self.assertEqual(len(np.unique(pairs[1])), pairs.shape[1])

    def test_values(self):
        array = self.rng.integers(0, 4, (25, 31))
        structure = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]])
        for layout in LAYOUTS[:5]:
            labels, found = hb.label(layout(array), structure, values=True)
            self.assertEqual(found, sum(nd.label(array == value, structure)[1] for value in (1, 2, 3)))
            for value in (1, 2, 3):
                peer, regions = nd.label(array == value, structure)
                pairs = np.unique(np.stack([labels[peer > 0], peer[peer > 0]]), axis=1)
                self.assertEqual(pairs.shape[1], regions)

    def test_refused(self):
        rows = [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
        raises(self, RuntimeError, "300 regions are more than labels of uint8", hb.label, np.ones((300, 2)), rows, "u1")
        raises(self, ValueError, "needs values", hb.label, np.ones((3, 2)), rows, delta=1)
        raises(self, ValueError, "differ by at most -1", hb.label, np.ones((3, 2)), rows, values=True, delta=-1)
        raises(self, TypeError, "takes|structure|neighbours", hb.label, np.ones((3, 2)), rows, structure=rows)

        class Stop(Exception):
            pass

        def stop(done, total):
            raise Stop

        raises(self, Stop, "", hb.label, np.ones((3000, 1500), "u1"), rows, progress=stop)


class Options(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(8)
        self.array = (nd.uniform_filter(self.rng.random((90, 130)), 3) > .5)
        self.peer, self.count = nd.label(self.array)
        self.areas = np.bincount(self.peer.ravel())

    def same_regions(self, labels, mask):
        """The regions are those of the mask, numbered in order."""
        kept = np.unique(self.peer[mask & (self.peer > 0)])
        number = np.zeros(self.count + 1, int)
        number[kept] = np.arange(1, len(kept) + 1)
        np.testing.assert_array_equal(labels, number[self.peer])

    def test_areas(self):
        labels, _ = hb.label(self.array, min_area=5, max_area=60)
        self.same_regions(labels, (self.areas[self.peer] >= 5) & (self.areas[self.peer] <= 60))
        labels, count = hb.label(self.array, largest=np.int64(1))
        self.assertEqual(count, 1)
        self.same_regions(labels, self.peer == np.argmax(self.areas[1:]) + 1)

    def test_clear_border(self):
        edge = np.ones_like(self.array)
        edge[1:-1, 1:-1] = False
        labels, _ = hb.label(self.array, clear_border=True)
        self.same_regions(labels, ~np.isin(self.peer, self.peer[edge]))

    def test_periodic(self):
        torus = np.tile(self.array, (3, 3))
        inner = nd.label(torus)[0][90:180, 130:260]
        labels, count = hb.label(self.array, periodic_0=True, periodic_1=np.True_)
        self.assertLess(count, self.count)
        pairs = np.unique(np.stack([labels.ravel(), inner.ravel()]), axis=1)
        self.assertEqual(len(np.unique(pairs[1])), pairs.shape[1])  # no region of the tiles has two labels

    def test_values(self):
        for dtype in ("u1", "i4", ">i2", "f4", "f8", "u8"):
            array = self.rng.integers(0, 4, (40, 60)).astype(dtype)
            labels, count = hb.label(array, values=True)
            total = 0
            for value in (1, 2, 3):
                peer, regions = nd.label(array == value)
                pairs = np.unique(np.stack([labels[peer > 0], peer[peer > 0]]), axis=1)
                self.assertEqual(pairs.shape[1], regions)
                total += regions
            self.assertEqual(count, total)
            self.assertTrue(((labels == 0) == (array == 0)).all())
            self.assertEqual(hb.label(array, values=True, background="none")[1], total + nd.label(array == 0)[1])
        exact = np.array([2**63, 2**63 + 1, 2**63 + 2], "u8")
        self.assertEqual(hb.label(exact, values=True)[1], 3)
        self.assertEqual(hb.label(exact, values=True, delta=1)[1], 1)
        self.assertEqual(hb.label(exact, values=True, background=2**63 + 1)[1], 2)


class Refused(unittest.TestCase):
    def test_arrays(self):
        image = np.ones((4, 5), "u1")
        for value, text in [(image * 1j, "complex numbers"), (image.astype(object), "Python objects"),
                            (image.astype("g"), "long double"), (np.zeros(3, "i4,f4"), "structures"),
                            (np.array(["a"]), "texts"), (np.array([b"a"]), "bytes"),
                            (np.zeros(3, "M8[s]"), r"datetime64\[s\], and must have numbers; pass input.view"),
                            (np.ma.masked_array(image, image > 0), "masked array"),
                            (np.str_("text").reshape(1), "axes|text"), (None, "Python objects|no elements")]:
            raises(self, (TypeError, ValueError), text, hb.label, value if value is not None else [None])
        raises(self, ValueError, "4 axes, and must have 1 to 3", hb.label, np.ones((1, 1, 1, 1)))

    def test_names(self):
        for name in ("return_num", "return_N"):
            raises(self, TypeError, f"no option '{name}', since it always returns the number", hb.label, np.eye(3),
                   **{name: True})
        raises(self, TypeError, "connectivity is '4', and must be a whole number", hb.label, np.eye(3), connectivity="4")

    def test_outputs(self):
        image = np.ones((4, 5), "u1")
        frozen = np.zeros((4, 5), "i4")
        frozen.flags.writeable = False
        for output, error, text in [(frozen, ValueError, "output is read-only; make a copy"),
                                    (np.zeros((5, 4), "i4"), ValueError, r"shape \(5, 4\).*\(4, 5\)"),
                                    (np.zeros((4, 5), "c8"), TypeError, "output has complex"),
                                    (np.zeros((4, 5), "f2"), TypeError, "output has float16.*use one of int32"),
                                    ("f2", TypeError, "float16"),
                                    ("O", TypeError, "Python objects"),
                                    ("nothing", TypeError, "nothing")]:
            raises(self, error, text, hb.label, image, output=output)
        squares = np.indices((60, 60)).sum(axis=0) % 2
        for output in (bool, np.zeros((60, 60), bool), "u1", np.zeros((60, 60), "i1")):
            raises(self, RuntimeError, "1800 regions are more than labels of (bool|u?int8) can be", hb.label, squares,
                   output=output)
            raises(self, RuntimeError, "insufficient bit-depth", nd.label, squares, output=output)
        shared = np.lib.stride_tricks.as_strided(np.zeros(5, "i4"), (4, 5), (0, 4))
        raises(self, ValueError, "share memory; make a copy", hb.label, image, output=shared)

    def test_neighbours(self):
        image = np.ones((4, 5), "u1")
        for structure, error, text in [(np.ones(3), RuntimeError, "equal rank"),
                                       (np.ones((3, 5)), ValueError, "equal to 3"),
                                       ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], ValueError, "not symmetric.*numpy.flip"),
                                       ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], AssertionError, "not symmetric"),
                                       (np.ones((2, 2)), ValueError, "equal to 3"),
                                       (np.ones((3, 3, 3)), RuntimeError, "equal rank")]:
            raises(self, error, text, hb.label, image, structure)
        for connectivity in (0, 3, 7, -1):
            raises(self, ValueError, f"connectivity is {connectivity}, and must be from 1 to 2.*cc3d has it: 4 or 8$",
                   hb.label, image, connectivity=connectivity)
        raises(self, ValueError, "connectivity is 8, .*: 6 or 18 or 26$", hb.label, np.ones((2, 2, 2)), connectivity=8)
        raises(self, TypeError, "connectivity is 1.5, and must be a whole number", hb.label, image, connectivity=1.5)
        raises(self, ValueError, "pass one of them", hb.label, image, np.ones((3, 3)), connectivity=1)

    def test_options(self):
        image = np.ones((4, 5), "u1")
        raises(self, TypeError, r"no option 'size'; it has input, structure, output, connectivity, comm, progress, values",
               hb.label, image, size=3)
        for options, text in [({"min_area": -1}, 'min_area takes.*from 0 on, not "-1"'),
                              ({"min_area": 2.5}, 'not "2.5"'), ({"largest": "many"}, 'not "many"'),
                              ({"delta": 2}, "needs values"), ({"values": "perhaps"}, "values"),
                              ({"values": True, "delta": "a\0b"}, "null character"),
                              ({"values": True, "background": "white"}, "white, and must be a number")]:
            raises(self, ValueError, text, hb.label, image, **options)
        raises(self, TypeError, "takes a number or a text", hb.label, image, min_area=[3])
        self.assertEqual(hb.label(image, min_area=None, values=None)[1], 1)

    def test_scalars(self):
        """Arrays without axes, which scipy labels too, have the same keywords."""
        raises(self, TypeError, "no option 'size'", hb.label, 5, size=3)
        raises(self, ValueError, "min_area takes", hb.label, 5, min_area=-1)
        raises(self, ValueError, "connectivity is 2", hb.label, 5, connectivity=2)
        raises(self, RuntimeError, "equal rank", hb.label, 5, np.ones(3))
        raises(self, ValueError, "pass one of them", hb.label, 5, True, connectivity=1)
        for value in (0, 5):
            self.assertEqual(hb.label(value, True, connectivity=None), nd.label(value))
            self.assertEqual(hb.label(value, connectivity=1), nd.label(value))
        self.assertEqual(hb.label(5, min_area=2), (0, 0))


if __name__ == "__main__":
    unittest.main()
