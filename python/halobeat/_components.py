"""Regions by size, and what touches what: cc3d's functions."""

from __future__ import annotations

import gc
import math
import numbers
import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import axes_of, given, labels_of, numbers_of
from ._label import label, neighbours_of, written
from ._options import check_names, described, takes
from ._progress import Progress, watching
from ._ranks import get_ranks
from ._regions import regionprops_table
from ._table import table_of

ROWS = 1 << 20  # of statistics, which any array may have


def _neighbours(connectivity: int | None, array: np.ndarray, name: str) -> int:
    return int(neighbours_of(None, 26 if connectivity is None else connectivity, array, name)["connectivity"])


def _bound(value: Any, threshold: Any, size: int) -> int:
    """The least number of elements that is not below a bound; one more than there are of a larger bound."""
    if not isinstance(value, (numbers.Real, np.bool_)) or value != value:
        raise (ValueError if isinstance(value, float) else TypeError)(
            f"threshold is {threshold!r}, and must be a number of elements, or a pair of them")
    return size + 1 if value > size else max(math.ceil(value), 0)


def _areas(threshold: float | Sequence[float], size: int) -> dict[str, int]:
    """The least region that is kept, and the largest, of an array of this size."""
    if not isinstance(threshold, (tuple, list, np.ndarray)):
        return {"min_area": _bound(threshold, threshold, size)}
    least, end = (_bound(one, threshold, size) for one in threshold) if len(threshold) == 2 else (0, 0)
    if len(threshold) != 2 or not threshold[0] < threshold[1]:
        raise ValueError(f"threshold is {threshold!r}, and must be a number of elements, or a pair of them: the least "
                         "that a region may have, and a larger one, of regions that are too large")
    return {"min_area": least, "max_area": end - 1} if max(least, 1) < end else {"min_area": size + 1}


def _count(img: np.ndarray, options: dict[str, Any]) -> int:
    """How many regions there are, of any size."""
    which = ("connectivity", "values", "labels", "periodic_0", "periodic_1", "periodic_2")
    of_all = {name: options[name] for name in which if name in options}
    return int(_halobeat.dust(get_ranks(), None, of_all, img, np.empty_like(img)))


@takes("dust", "connectivity", "values", "labels", "min_area", "max_area", "invert")
def dust(img: npt.ArrayLike, threshold: float | Sequence[float], connectivity: int = 26, in_place: bool = False,
         binary_image: bool = False, precomputed_ccl: bool = False, invert: bool = False, return_N: bool = False, *,
         progress: Progress = None, **options: Any) -> Any:
    """Remove the small regions of an image, as cc3d.dust does.

    Parameters
    ----------
    img : array_like
        Image of 1 to 3 axes; regions are neighbouring elements of equal value, 0 is background. NaN is in no region
        (but with `binary_image`), and becomes 0.
    threshold : int, float or pair of them
        Regions of fewer elements are set to 0; of a pair also those of as many elements as its second number, or more.
    connectivity : int, optional
        As of `label`; by default all 8 or 26 neighbours, as cc3d has it.
    in_place : bool, optional
        Change `img`, which must be an array.
    binary_image : bool, optional
        Regions are neighbouring elements that are not 0, whatever their values.
    precomputed_ccl : bool, optional
        `img` has labels: a region is all elements of one value above 0, wherever they lie.
    invert : bool, optional
        Remove the regions that would be kept, and keep those that would be removed.
    return_N : bool, optional
        Return the number of regions in the result, too.
    {progress}
    {options}
    Returns
    -------
    image : ndarray
        The image without them, of its type.
    N : int
        Only with `return_N`.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.dust([[7, 7, 0, 5], [0, 0, 0, 0]], 2)
    array([[7, 7, 0, 0],
           [0, 0, 0, 0]])
    """
    check_names(dust, options)
    array = labels_of(img, "img") if precomputed_ccl else given(img, "img")
    if in_place and not isinstance(img, np.ndarray):
        raise TypeError("in_place needs an array of NumPy")
    if in_place and not img.flags.writeable:
        raise ValueError("img is read-only; leave out in_place, or pass a copy of it")
    options.update(_areas(threshold, array.size), connectivity=_neighbours(connectivity, array, "img"),
                   values=not binary_image and not precomputed_ccl, labels=bool(precomputed_ccl), invert=bool(invert))
    result = array if in_place else np.empty_like(array)
    total = _count(array, options) if return_N and invert else 0
    with watching(progress, "dust") as function:
        kept = _halobeat.dust(get_ranks(), function, options, array, result)
    if in_place and array is not img:  # array is a copy of float16 as float32, or a view
        img[...] = result
        result = img
    elif array.dtype != getattr(img, "dtype", array.dtype):
        result = result.astype(img.dtype)
    return (result, abs(total - kept)) if return_N else result


def _renumbered(kept: np.ndarray, output: Any, progress: Progress) -> tuple[np.ndarray, int]:
    """Labels 1 to n for those of an image, in their order."""
    values = regionprops_table(kept, properties=("label",), progress=progress)["label"]
    labels = np.searchsorted(values, kept, side="right")
    return written(labels, len(values), output), len(values)


@described
def largest_k(img: npt.ArrayLike, k: int, connectivity: int = 26, delta: float = 0, return_N: bool = False,
              binary_image: bool = False, precomputed_ccl: bool = False, *,
              output: npt.DTypeLike | np.ndarray | None = None, progress: Progress = None) -> Any:
    """Label the k largest regions of an image, as cc3d.largest_k does.

    Labels are numbers, also of a single region, where cc3d returns an array of bool.

    Parameters
    ----------
    img : array_like
        Image of 1 to 3 axes; regions are neighbouring elements of equal value, 0 is background.
    k : int
        How many, 0 or more.
    connectivity : int, optional
        As of `label`; by default all 8 or 26 neighbours, as cc3d has it.
    delta : float, optional
        Neighbours are in one region if they differ by at most this.
    return_N : bool, optional
        Return the number of regions, too, which may be less than `k`.
    binary_image : bool, optional
        Regions are neighbouring elements that are not 0, whatever their values.
    precomputed_ccl : bool, optional
        `img` has labels: a region is all elements of one value above 0, wherever they lie.
    output : dtype or ndarray, optional
        As of `label`.
    {progress}

    Returns
    -------
    labels : ndarray
        Numbers of these regions, from 1 in the order of their first elements, or of the labels in `img`; 0 elsewhere.
        Of equally large regions that would be too many, the first ones are taken.
    N : int
        Only with `return_N`.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.largest_k([1, 0, 1, 1, 0, 1, 1, 1], 2)
    array([0, 0, 1, 1, 0, 2, 2, 2], dtype=int32)
    """
    if operator.index(k) < 0:
        raise ValueError(f"k is {k}, and must be 0 or more")
    array = labels_of(img, "img") if precomputed_ccl else given(img, "img")
    none = {} if k > 0 else {"min_area": array.size + 1}
    if precomputed_ccl:
        kept = dust(array, none.get("min_area", 0), precomputed_ccl=True, largest=k, progress=progress)
        labels, count = _renumbered(kept, output, progress)
    else:
        options: dict[str, Any] = {} if binary_image else {"values": True, "delta": delta or None}
        axes_of(array, "img")
        found = label(array, None, output, connectivity=26 if connectivity is None else connectivity, largest=k,
                      progress=progress, **none, **options)
        labels, count = (output, found) if isinstance(output, np.ndarray) else found
    return (labels, count) if return_N else labels


def _check_rows(count: int, array: np.ndarray) -> None:
    if count > max(array.size + 1, ROWS):
        raise ValueError(f"labels go up to {count - 1}, and statistics have a row for each number up to it; give them "
                         "lower numbers, as numpy.unique(labels, return_inverse=True)[1].reshape(labels.shape) does, or "
                         "use halobeat.regionprops_table, which has a row for each label that is there")


def _box_array(found: dict[str, np.ndarray], rows: np.ndarray, count: int, shape: tuple[int, ...]) -> np.ndarray:
    """First and last index by axis: x0, x1, y0, y1, ..."""
    boxes = np.zeros((count, 2 * len(shape)), np.int64)
    boxes[:, ::2] = shape
    for axis in range(len(shape)):
        boxes[rows, 2 * axis] = found[f"bbox-{axis}"]
        boxes[rows, 2 * axis + 1] = found[f"bbox-{axis + len(shape)}"] - 1
    return boxes


def _slices(first: np.ndarray, end: np.ndarray) -> list[slice]:
    """slice(first, end) for each; equal ones are one object, as making millions of them takes long."""
    width = int((end - first).max(initial=0)) + 1
    keys = first * width + (end - first)
    room = int(keys.max(initial=0)) + 1
    if room > 4 * len(keys):
        return list(map(slice, first.tolist(), end.tolist()))
    there = np.zeros(room, bool)
    there[keys] = True
    known = np.empty(room, object)
    for key in np.flatnonzero(there).tolist():
        known[key] = slice(key // width, key // width + key % width)
    return known[keys].tolist()


@contextmanager
def _uncollected() -> Iterator[None]:
    """No looking for garbage meanwhile: it takes most of the time in which millions of tuples are made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _box_slices(found: dict[str, np.ndarray], rows: np.ndarray, count: int,
                axes: int) -> list[tuple[slice, ...] | None]:
    with _uncollected():
        sides = [_slices(found[f"bbox-{axis}"], found[f"bbox-{axis + axes}"]) for axis in range(axes)]
        boxes: list[tuple[slice, ...] | None] = list(zip(*sides))
        if len(boxes) < count:  # there are labels without elements
            by_label = dict(zip(rows.tolist(), boxes))
            boxes = [by_label.get(one) for one in range(count)]
    return boxes


@described
def statistics(labels: npt.ArrayLike, no_slice_conversion: bool = False, *, progress: Progress = None) -> dict[str, Any]:
    """Measure all labels of an image, with the background, as cc3d.statistics does.

    Parameters
    ----------
    labels : array_like
        Labels of 1 to 3 axes, from 0 on; those below are left out. There is a row for each number up to the largest.
    no_slice_conversion : bool, optional
        Bounding boxes are rows of an array: of each axis the first index and the last one. Those of a label that no
        element has are the shape and 0. Of millions of labels an array takes less time and memory than slices do.
    {progress}

    Returns
    -------
    statistics : dict
        ``voxel_counts``, ``bounding_boxes`` (a list of tuples of slices, each of which indexes an array of this shape)
        and ``centroids``, by label from 0 on. A label that no element has, has 0, None and NaN.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.statistics([[0, 1], [0, 1]])["voxel_counts"]
    array([2, 2])
    """
    array = labels_of(labels, "labels")
    found = regionprops_table(array, properties=("label", "area", "bbox", "centroid"), background=True,
                              progress=progress)
    rows, count = found["label"], int(found["label"].max(initial=0)) + 1 if len(found["label"]) else 0
    _check_rows(count, array)
    counts, centroids = np.zeros(count, np.int64), np.full((count, array.ndim), np.nan)
    counts[rows] = found["area"]
    for axis in range(array.ndim):
        centroids[rows, axis] = found[f"centroid-{axis}"]
    boxes = _box_array(found, rows, count, array.shape) if no_slice_conversion else \
        _box_slices(found, rows, count, array.ndim)
    return {"voxel_counts": counts, "bounding_boxes": boxes, "centroids": centroids}


def _sides(anisotropy: float | Sequence[float] | None, axes: int) -> tuple[list[float], float]:
    """The distances along the axes, and the product of those along axes that the array does not have."""
    sides = numbers_of(1 if anisotropy is None else anisotropy, "anisotropy")
    sides = np.broadcast_to(sides, 3) if sides.ndim == 0 else sides
    if sides.ndim != 1 or not axes <= len(sides) <= 3 or not (np.isfinite(sides) & (sides > 0)).all():
        raise ValueError(f"anisotropy is {anisotropy!r}, and must be {axes} distances above 0")
    return sides[:axes].tolist(), float(np.prod(sides[axes:])) if anisotropy is not None and np.ndim(anisotropy) else 1.0


@described
def contacts(labels: npt.ArrayLike, connectivity: int = 26, surface_area: bool = True,
             anisotropy: float | Sequence[float] | None = (1, 1, 1), *,
             progress: Progress = None) -> dict[tuple[int, int], float]:
    """Find which regions touch, as cc3d.contacts does.

    Parameters
    ----------
    labels : array_like
        Labels of 1 to 3 axes, whole numbers; those of 0 and below are no regions.
    connectivity : int, optional
        As of `label`; by default regions also touch at edges and corners, as cc3d has it.
    surface_area : bool, optional
        Find the area of the common border, in an image its length; otherwise the number of pairs of neighbours.
    anisotropy : float or sequence of float, optional
        Distance of elements along each axis of the array. Of an image, a third one is its thickness.
    {progress}

    Returns
    -------
    contacts : dict
        What was found for each pair of labels, the lower one first. Regions that touch only at an edge or a corner have
        an area of 0.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.contacts([[1, 2], [1, 3]], connectivity=1)
    {(1, 2): 1.0, (1, 3): 1.0, (2, 3): 1.0}
    """
    array = labels_of(labels, "labels")
    sides, thickness = _sides(anisotropy, array.ndim)
    options: dict[str, Any] = {f"spacing_{axis}": side for axis, side in enumerate(sides)}
    options["connectivity"] = _neighbours(connectivity, array, "labels")
    with watching(progress, "contacts") as function:
        found = table_of(_halobeat.contacts(get_ranks(), function, options, array))
    values = (found["area"] * thickness if surface_area else found["pairs"]).tolist()
    return dict(zip(zip(found["label"].tolist(), found["neighbour"].tolist()), values))
