"""Arrays that calls are given, as NumPy's users expect them to be taken."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    if array.dtype.num == HALF.num:
        array = array.astype(np.float32)
    return array


def axes_of(array: np.ndarray, name: str = "input") -> int:
    """The number of axes, of which there are 1 to 3."""
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"{name} has {array.ndim} axes, and must have 1 to 3")
    return array.ndim


def apart(array: np.ndarray, output: np.ndarray, *, same: bool = True) -> np.ndarray:
    """The array, or a copy of it if writing to `output` could change it, which may be the array itself if `same`."""
    if not np.may_share_memory(array, output):
        return array
    same = same and array.__array_interface__["data"] == output.__array_interface__["data"] and \
        array.strides == output.strides and array.dtype == output.dtype and array.shape == output.shape
    return array if same else array.copy()
