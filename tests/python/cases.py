"""Arrays of all kinds for tests: types, orders, strides, views."""

import os

import numpy as np

MORE = bool(os.environ.get("HALOBEAT_TEST_MORE"))
TYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", ">u2", ">i4", ">u8", ">f4", ">f8"]
SHAPES = [(1,), (7,), (300,), (1, 1), (3, 200), (200, 3), (33, 70), (100, 257), (64, 64), (5, 6, 7), (1, 40, 3),
          (20, 33, 65), (3, 130, 100)]


def _reversed(array):
    every = tuple(slice(None, None, -1) for _ in array.shape)
    return np.ascontiguousarray(array[every])[every]


def _strided(array):
    big = np.zeros([2 * n for n in array.shape], array.dtype)
    view = big[tuple(slice(None, None, 2) for _ in array.shape)]
    view[...] = array
    return view


def _unaligned(array):
    view = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def _read_only(array):
    view = array.view()
    view.flags.writeable = False
    return view


def _field(array):
    records = np.zeros(array.shape, [("x", "u1"), ("value", array.dtype)])
    records["value"] = array
    return records["value"]


LAYOUTS = [np.ascontiguousarray, np.asfortranarray, _reversed, _strided, _unaligned, _read_only, _field,
           lambda array: np.ascontiguousarray(array.T).T]


def random_array(rng, shape, dtype, share=.45):
    """Elements of which a share are not 0, and some NaN and -0."""
    array = np.where(rng.random(shape) < share, rng.integers(1, 100, shape), 0).astype(dtype)
    if array.dtype.kind == "f":
        array.flat[0], array.flat[-1] = np.nan, -0.0
    return array


def native(array):
    """The same for peers that want the machine's byte order, and no floats of 16 bits."""
    return array.astype("f4" if array.dtype == "f2" else array.dtype.newbyteorder("="))


def raises(test, error, text, function, *arguments, **options):
    """Checks that a call raises this error with this text, the library's or the package's sentence."""
    with test.assertRaisesRegex(error, text):
        function(*arguments, **options)
