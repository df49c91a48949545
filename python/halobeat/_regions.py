"""Measures of regions, and regions by size."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import axes_of, given
from ._label import NEIGHBOURS, label, steps_of
from ._options import takes
from ._progress import Progress, watching
from ._ranks import get_ranks
from ._table import Table, table_of


def _spacing(spacing: float | Sequence[float] | None, axes: int) -> dict[str, float]:
    if spacing is None:
        return {}
    sides = np.broadcast_to(np.asarray(spacing, dtype=float), (axes,)) if np.ndim(spacing) == 0 else \
        np.asarray(spacing, dtype=float)
    if sides.shape != (axes,) or not (sides > 0).all():
        raise ValueError(f"spacing is {spacing!r}, and must be {axes} distances above 0")
    return {f"spacing_{axis}": float(side) for axis, side in enumerate(sides)}


# Names that scikit-image had before 0.19, and short ones of `halobeat label`.
ALIASES = {"bbox_area": "area_bbox", "box": "bbox", "convex_area": "area_convex",
           "equivalent_diameter": "equivalent_diameter_area", "euler": "euler_number",
           "feret_diameter": "feret_diameter_max", "major_axis_length": "axis_major_length", "max": "intensity_max",
           "max_intensity": "intensity_max", "mean": "intensity_mean", "mean_intensity": "intensity_mean",
           "median": "intensity_median", "min": "intensity_min", "min_intensity": "intensity_min",
           "minor_axis_length": "axis_minor_length", "std": "intensity_std",
           "weighted_centroid": "centroid_weighted"}
SEVERAL = ("standard", "all")


def _names(properties: str | Sequence[str]) -> list[str]:
    """The names that are asked for, each one once."""
    names = properties.split(",") if isinstance(properties, str) else list(properties)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"properties have {name!r}, and must be names: a str each")
        if "," in name:
            raise ValueError(f"properties have {name!r}; give each name by itself: {tuple(name.split(','))}")
    return list(dict.fromkeys(names))


def _columns(found: Table, name: str) -> list[tuple[str, str]]:
    """The columns of a property, with an alias instead of its name, each before its name in the table."""
    if name in SEVERAL:
        return [(column, column) for column in found]
    known = ALIASES.get(name, name)
    columns = [(name + column[len(known):], column) for column in found
               if re.fullmatch(re.escape(known) + "(-[0-9]+|_[xyz])?", column)]
    if not columns:
        raise ValueError(f"{name} has no column for these labels; leave it out")
    return columns


@takes("regionprops_table", "properties", "spacing_0", "spacing_1", "spacing_2")
def regionprops_table(label_image: npt.ArrayLike, intensity_image: npt.ArrayLike | None = None,
                      properties: str | Sequence[str] = ("label", "bbox"), *,
                      spacing: float | Sequence[float] | None = None, separator: str = "-",
                      progress: Progress = None, **options: Any) -> Table:
    """Measure the regions of a label image, as skimage.measure.regionprops_table does.

    Parameters
    ----------
    label_image : array_like
        Labels of 1 to 3 axes, whole numbers; those of 0 and below are no regions.
    intensity_image : array_like, optional
        Values to measure, of the same shape; NaN is left out.
    properties : sequence of str or str, optional
        Names of scikit-image: label, area, bbox, centroid, intensity_mean, intensity_min, intensity_max,
        axis_major_length, axis_minor_length, eccentricity, orientation, perimeter, solidity, euler_number,
        feret_diameter_max, equivalent_diameter_area, extent, and others that the error for an unknown name lists.
        Older ones, such as mean_intensity and equivalent_diameter, name the columns then. "standard" and "all" stand
        for several.
    spacing : float or sequence of float, optional
        Distance of elements along each axis; 1 by default.
    separator : str, optional
        What is between the name of a property and the number of an axis: bbox-0.
    progress : bool or callable, optional
        As of `label`.
    {options}
    Returns
    -------
    table : Table
        A dict of columns with a row for each region, in ascending order of labels.

    Examples
    --------
    >>> import halobeat as hb
    >>> labels, n = hb.label([[1, 1, 0, 1], [0, 0, 0, 1]])
    >>> hb.regionprops_table(labels, properties=("label", "area"))["area"]
    array([2, 2])
    """
    labels = given(label_image, "label_image")
    names = _names(properties)
    options.update(_spacing(spacing, axes_of(labels, "label_image")))
    options["properties"] = ",".join(dict.fromkeys(ALIASES.get(name, name) for name in names if name != "label")) or \
        "area"
    values = None if intensity_image is None else given(intensity_image, "intensity_image")
    with watching(progress, "regionprops") as function:
        columns = _halobeat.regionprops_table(get_ranks(), function, options, labels, values)
    found = table_of(columns)
    return Table((shown.replace("-", separator), found[column])
                 for name in names for shown, column in _columns(found, name))


def _full(connectivity: int | None, array: np.ndarray) -> int:
    return axes_of(array) if connectivity is None else connectivity


@takes("dust", "connectivity", "values", "labels", "min_area")
def dust(input: npt.ArrayLike, threshold: int, connectivity: int | None = None, *, in_place: bool = False,
         progress: Progress = None, **options: Any) -> np.ndarray:
    """Remove the small regions of an image, as cc3d.dust does.

    Parameters
    ----------
    input : array_like
        Image of 1 to 3 axes; regions are neighbouring elements of equal value, 0 is background.
    threshold : int
        Regions of fewer elements are set to 0.
    connectivity : int, optional
        As of `label`; by default all 8 or 26 neighbours, as cc3d has it.
    in_place : bool, optional
        Change the input, which must be an array.
    progress : bool or callable, optional
        As of `label`.
    {options}
    Returns
    -------
    image : ndarray
        The image without them.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.dust([[7, 7, 0, 5], [0, 0, 0, 0]], 2)
    array([[7, 7, 0, 0],
           [0, 0, 0, 0]])
    """
    array = given(input)
    if in_place and array is not input:
        raise TypeError("in_place needs an array of NumPy, of a type that is not converted")
    axes = axes_of(array)
    steps = steps_of(None, _full(connectivity, array), axes)
    options.update(connectivity=NEIGHBOURS[axes][steps - 1], values=True, min_area=max(operator.index(threshold), 0))
    result = array if in_place else np.empty_like(array)
    with watching(progress, "dust") as function:
        _halobeat.dust(get_ranks(), function, options, array, result)
    return result


def largest_k(input: npt.ArrayLike, k: int, connectivity: int | None = None, *, return_N: bool = False,
              output: npt.DTypeLike | np.ndarray | None = None, progress: Progress = None) -> Any:
    """Label the k largest regions of an image, as cc3d.largest_k does.

    Parameters
    ----------
    input : array_like
        Image of 1 to 3 axes; regions are neighbouring elements of equal value, 0 is background.
    k : int
        How many, 1 or more.
    connectivity : int, optional
        As of `label`; by default all 8 or 26 neighbours, as cc3d has it.
    return_N : bool, optional
        Return the number of regions, too, which may be less than `k`.
    output : dtype or ndarray, optional
        As of `label`.
    progress : bool or callable, optional
        As of `label`.

    Returns
    -------
    labels : ndarray
        Numbers of these regions, from 1 in the order of their first elements; 0 elsewhere.
    N : int
        Only with `return_N`.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.largest_k([1, 0, 1, 1, 0, 1, 1, 1], 2)
    array([0, 0, 1, 1, 0, 2, 2, 2], dtype=int32)
    """
    if operator.index(k) < 1:
        raise ValueError(f"k is {k}, and must be 1 or more")
    array = given(input)
    found = label(array, None, output, connectivity=_full(connectivity, array), values=True, largest=k,
                  progress=progress)
    labels, count = (output, found) if isinstance(output, np.ndarray) else found
    return (labels, count) if return_N else labels


def statistics(labels: npt.ArrayLike, *, progress: Progress = None) -> dict[str, Any]:
    """Measure all labels of an image, with the background, as cc3d.statistics does.

    Parameters
    ----------
    labels : array_like
        Labels of 1 to 3 axes, from 0 on.
    progress : bool or callable, optional
        As of `label`.

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
    array = given(labels, "labels")
    axes = axes_of(array, "labels")
    found = regionprops_table(array, properties=("label", "area", "bbox", "centroid"), background=True,
                              progress=progress)
    rows, count = found["label"], int(found["label"].max(initial=-1)) + 1
    counts, centroids = np.zeros(count, np.int64), np.full((count, axes), np.nan)
    counts[rows] = found["area"]
    for axis in range(axes):
        centroids[rows, axis] = found[f"centroid-{axis}"]
    sides = [map(slice, found[f"bbox-{axis}"].tolist(), found[f"bbox-{axis + axes}"].tolist()) for axis in range(axes)]
    boxes: list[tuple[slice, ...] | None] = list(zip(*sides))
    if len(boxes) < count:  # there are labels without elements
        by_label = dict(zip(rows.tolist(), boxes))
        boxes = [by_label.get(one) for one in range(count)]
    return {"voxel_counts": counts, "bounding_boxes": boxes, "centroids": centroids}


def contacts(labels: npt.ArrayLike, connectivity: int | None = None, surface_area: bool = True, *,
             spacing: float | Sequence[float] | None = None, progress: Progress = None) -> dict[tuple[int, int], float]:
    """Find which regions touch, as cc3d.contacts does.

    Parameters
    ----------
    labels : array_like
        Labels of 1 to 3 axes, whole numbers; those of 0 and below are no regions.
    connectivity : int, optional
        As of `label`; by default regions also touch at edges and corners, as cc3d has it.
    surface_area : bool, optional
        Find the area of the common border, in an image its length; otherwise the number of pairs of neighbours.
    spacing : float or sequence of float, optional
        Distance of elements along each axis; 1 by default.
    progress : bool or callable, optional
        As of `label`.

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
    array = given(labels, "labels")
    axes = axes_of(array, "labels")
    steps = steps_of(None, _full(connectivity, array), axes)
    options = dict(_spacing(spacing, axes), connectivity=NEIGHBOURS[axes][steps - 1])
    with watching(progress, "contacts") as function:
        found = table_of(_halobeat.contacts(get_ranks(), function, options, array))
    values = found["area" if surface_area else "pairs"].tolist()
    return dict(zip(zip(found["label"].tolist(), found["neighbour"].tolist()), values))
