"""Parts of objects are those of a definition, and as many as scikit-image's extended maxima."""

import hashlib
import unittest

import numpy as np
import scipy.ndimage as nd
from skimage.morphology import local_maxima, reconstruction

import halobeat as hb
from cases import LAYOUTS, raises
from watersheds import disks, smooth

# Shape, connectivity, H: parts, and the beginning of the digest of labels, which a program of its own has computed.
DISTANCE = {"disks": ((1, .5, 12, "195a7208dbfb"), (1, 1, 11, "66d397afb435"), (2, .5, 12, "7ac100641a17"),
                      (2, 1, 11, "f1d46cb2cbfb")),
            "2-D": ((1, .5, 23, "d56a9372700b"), (1, 1, 11, "eb2406a57db7"), (2, .5, 14, "a2a7cb607acb"),
                    (2, 1, 10, "049fe2fa8ecf")),
            "3-D": ((1, .5, 6, "525eb395cc25"), (1, 1, 3, "8012ba639e11"), (3, .5, 4, "94820e15c190"),
                    (3, 1, 2, "bef0a98119d3"))}
INTENSITY = ((1, 0, 34, "75fe962c0b9e"), (1, 10, 13, "0bfdf56884cd"), (1, 40, 3, "af8a33adb2d3"), (2, 0, 32, "be220ab2ed78"),
             (2, 10, 13, "be8a8ae10a89"), (2, 40, 3, "18f9a7b8ac64"))


def digest(labels):
    return hashlib.sha256(np.ascontiguousarray(labels).astype("<i4").tobytes()).hexdigest()[:12]


def touching(size=300, radius=8):
    """Disks whose centres are 17 tenths of the radius apart, in rows, and that touch their neighbours."""
    rows, columns = np.indices((size, size))
    step = int(1.7 * radius)
    return np.hypot(rows % step - step // 2, columns % step - step // 2) <= radius


class Splits(unittest.TestCase):
    def test_distance(self):
        images = {"disks": disks(), "2-D": smooth((60, 70), 4) >= 128, "3-D": smooth((14, 18, 20), 2) >= 128}
        for name, cases in DISTANCE.items():
            for connectivity, height, parts, wanted in cases:
                for count in (1, 2, 3, 5):
                    with self.subTest(name, connectivity=connectivity, height=height, ranks=count), hb.ranks(count):
                        labels, found = hb.split(images[name], height, connectivity=connectivity)
                        self.assertEqual((found, digest(labels)), (parts, wanted))

    def test_intensity(self):
        image = smooth((40, 50))
        for connectivity, height, parts, wanted in INTENSITY:
            for kind in (np.uint8, np.int64, np.float32):
                with self.subTest(connectivity=connectivity, height=height, kind=kind), hb.ranks(3):
                    labels, found = hb.split(image.astype(kind), height, "intensity", connectivity=connectivity, dark=True)
                    self.assertEqual((found, digest(labels)), (parts, wanted))
        bright = hb.split(255 - image.astype(np.uint8), 10, by="intensity")
        self.assertEqual((bright[1], digest(bright[0])), (13, "be8a8ae10a89"))

    def test_far_distances(self):
        """Squares beyond 16 bits, in the strips of some ranks only; roots have the order of squares."""
        image = np.ones((1300, 620), bool)
        image[:90] = smooth((90, 620), 4) >= 128
        image[::97, ::89] = image[700:, ::310] = False
        image[250:, 20:600] = True
        squares = np.rint(nd.distance_transform_edt(image) ** 2).astype(np.int32)
        self.assertGreater(squares.max(), 65535)
        wanted, parts = hb.split(squares, 0, "intensity", mask=image)
        for count in (1, 2, 3, 5):
            with self.subTest(ranks=count), hb.ranks(count):
                labels, found = hb.split(image, 0)
                self.assertEqual(found, parts)
                np.testing.assert_array_equal(labels, wanted)

    def test_extended_maxima(self):
        """Each part has one extended maximum; the partition is one of each region."""
        image = smooth((200, 230), 4) >= 120
        squares = nd.distance_transform_edt(image)
        box = np.ones((3, 3))
        for height in (.3, .5, .75):
            peaks = local_maxima(reconstruction(squares - height, squares, footprint=box), footprint=box) & image
            regions, count = nd.label(peaks, box)
            labels, parts = hb.split(image, height)
            self.assertEqual(parts, count)
            self.assertEqual(len(set(nd.maximum(labels, regions, range(1, count + 1)))), count)
            np.testing.assert_array_equal(labels > 0, image)
            whole = nd.label(image, box)[0]
            for part in np.unique(labels[image])[::7]:
                self.assertEqual(len(np.unique(whole[labels == part])), 1)
                self.assertEqual(nd.label(labels == part, box)[1], 1)
        firsts = np.unique(labels, return_index=True)[1][1:]
        np.testing.assert_array_equal(firsts, np.sort(firsts))

    def test_touching_disks(self):
        image = touching()
        self.assertLess(hb.label(image)[1], 20)
        labels, parts = hb.split(image)
        wanted = nd.label(touching(radius=8) & (nd.distance_transform_edt(image) > 6))[1]
        self.assertEqual(parts, wanted)
        self.assertEqual(labels.max(), parts)

    def test_layouts_and_outputs(self):
        image = np.ascontiguousarray(disks()[:60, :70])
        wanted, parts = hb.split(image)
        for number, lay in enumerate(LAYOUTS):
            with self.subTest(number):
                np.testing.assert_array_equal(hb.split(lay(image.astype(np.int16)))[0], wanted)
        out = np.empty(image.shape, np.uint8)
        labels, again = hb.split(image, output=out)
        self.assertIs(labels, out)
        self.assertEqual(again, parts)
        np.testing.assert_array_equal(out, wanted)
        self.assertEqual(hb.split(np.zeros((3, 0)))[1], 0)
        self.assertEqual(hb.split(np.ones((5, 6, 7)))[1], 1)
        self.assertEqual(hb.split([1, 1, 1, 1, 0, 1])[0].tolist(), [1, 1, 1, 1, 0, 2])

    def test_mask(self):
        image = smooth((40, 50)).astype(np.uint8)
        inside = image > 100
        labels, parts = hb.split(image, 5, "intensity", mask=inside)
        np.testing.assert_array_equal(labels > 0, inside)
        self.assertEqual(len(np.unique(labels)) - 1, parts)

    def test_refused(self):
        image = disks()
        raises(self, ValueError, "h takes a number from 0 on", hb.split, image, -1)
        raises(self, ValueError, "by", hb.split, image, by="colour")
        raises(self, ValueError, "a mask is for splitting by intensity", hb.split, image, mask=image)
        raises(self, ValueError, "the mask has 95", hb.split, image, by="intensity", mask=image[1:])
        raises(self, ValueError, "NaN", hb.split, np.full((3, 3), np.nan), by="intensity")
        raises(self, ValueError, "must be from 1 to 2", hb.split, image, connectivity=7)
        raises(self, ValueError, "labels of bool", hb.split, image, output=np.empty(image.shape, bool))
        raises(self, TypeError, "height", hb.split, image, height=1)


if __name__ == "__main__":
    unittest.main()
