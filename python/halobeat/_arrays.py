"""Arrays that calls are given, as NumPy's users expect them to be taken."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _halobeat

HALF = np.dtype("float16")


def given(value: Any, name: str = "input") -> np.ndarray:
    """The array of an argument: what np.asarray makes of it, without a copy where it is one."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost; pass {name}.filled(0) or {name}.data")
    graph = getattr(value, "__dask_graph__", None)
    if callable(graph) and graph() is not None:  # of xarray, with None: it is in memory
        raise TypeError(f"{name} is an array of dask, all of which would be loaded; pass {name}.compute() if it fits "
                        "into memory, or work by chunks with dask.array.map_overlap")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        _refuse(array, value, name)
    if array.dtype.num == HALF.num:
        array = array.astype(np.float32)
    return array


def _refuse(array: np.ndarray, value: Any, name: str) -> None:
    if array.ndim == 0 and array.dtype.kind not in "fc":
        raise TypeError(f"{name} is {value!r}, and must be an array of numbers")
    if array.dtype.kind in "mM":
        raise TypeError(f"{name} has elements of {array.dtype}, and must have numbers; pass {name}.view('int64')")
    _halobeat.check_array(array, name)


def listed(value: Any, name: str, what: str) -> list[Any]:
    """The elements of an argument that is a sequence."""
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, and must be a list of {what}") from None


def whole(value: Any, name: str) -> int:
    """The number of an argument that is a whole one."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, and must be a whole number") from None


def numbers_of(value: Any, name: str) -> np.ndarray:
    """One number or several."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}, and must be numbers") from None


def axes_of(array: np.ndarray, name: str = "input", least: int = 1, most: int = 3) -> int:
    """The number of axes, which must be `least` to `most`."""
    if not least <= array.ndim <= most:
        wanted = str(most) if least == most else f"{least} {'or' if most == least + 1 else 'to'} {most}"
        raise ValueError(f"{name} has {array.ndim} {'axis' if array.ndim == 1 else 'axes'}, and must have {wanted}" +
                         ("; pass one of its parts after the other" if array.ndim > most else ""))
    return array.ndim


def labels_of(value: Any, name: str) -> np.ndarray:
    """An array of labels: of 1 to 3 axes, and of whole numbers."""
    array = given(value, name)
    axes_of(array, name)
    if array.dtype.kind == "b":
        raise TypeError(f"{name} is of bool, which does not tell regions apart; label it first by halobeat.label, or pass "
                        f"{name}.view('uint8') for a single region")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} is of {getattr(value, 'dtype', array.dtype)}, and must be of whole numbers, such as those "
                        f"of halobeat.label; convert it by {name}.astype('int32')")
    return array


def apart(array: np.ndarray, output: np.ndarray, *, same: bool = True) -> np.ndarray:
    """The array, or a copy of it if writing to `output` could change it, which may be the array itself if `same`."""
    if not np.may_share_memory(array, output):
        return array
    same = same and array.__array_interface__["data"] == output.__array_interface__["data"] and \
        array.strides == output.strides and array.dtype == output.dtype and array.shape == output.shape
    return array if same else array.copy()
