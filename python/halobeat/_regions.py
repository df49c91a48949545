"""Measures of regions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import axes_of, given
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
