"""Measures of regions."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import given, labels_of, listed
from ._extra import extra_columns, needs_intensity
from ._options import check_names, takes
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
           "feret_diameter": "feret_diameter_max", "feret_min": "feret_diameter_min", "major_axis_length": "axis_major_length", "max": "intensity_max",
           "max_intensity": "intensity_max", "mean": "intensity_mean", "mean_intensity": "intensity_mean",
           "median": "intensity_median", "min": "intensity_min", "min_intensity": "intensity_min",
           "minor_axis_length": "axis_minor_length", "neighbors": "neighbours",
           "percentiles": "intensity_percentiles", "std": "intensity_std", "surface": "surface_area",
           "weighted_centroid": "centroid_weighted"}
SEVERAL = ("standard", "all")
PROPERTIES = ("label", "area", "bbox", "centroid", "intensity_mean", "intensity_min", "intensity_max",
              "axis_major_length", "axis_minor_length", "eccentricity", "orientation", "perimeter", "solidity",
              "intensity_median", "intensity_std", "centroid_weighted", "euler_number", "feret_diameter_max",
              "equivalent_diameter_area", "extent", "area_bbox", "area_convex", "spans", "feret_diameter_min", "surface_area",
              "mesh_volume", "sphericity", "neighbours", "intensity_percentiles", "thickness_mean", "thickness_max")
OF_INTENSITY = ("intensity_", "centroid_weighted")  # what names of properties of each channel begin with
# Properties that only scikit-image has, and names that it had for them.
OTHERS = frozenset("""area_filled centroid_local centroid_weighted_local convex_image coords coords_scaled filled_area
    filled_image image image_convex image_filled image_intensity inertia_tensor inertia_tensor_eigvals intensity_image
    local_centroid moments moments_central moments_hu moments_normalized moments_weighted moments_weighted_central
    moments_weighted_hu moments_weighted_normalized num_pixels perimeter_crofton slice weighted_local_centroid
    weighted_moments weighted_moments_central weighted_moments_hu weighted_moments_normalized""".split())


def _names(properties: str | Sequence[str]) -> list[str]:
    """The names that are asked for, each one once."""
    names = properties.split(",") if isinstance(properties, str) else listed(properties, "properties", "names")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"properties have {name!r}, and must be names: a str each")
        if "," in name:
            raise ValueError(f"properties have {name!r}; give each name by itself: {tuple(name.split(','))}")
        if name in OTHERS:
            raise ValueError(f"{name} is measured by scikit-image only; there are {', '.join(PROPERTIES)}, and what "
                             "functions in extra_properties return")
    return list(dict.fromkeys(names))


@functools.cache
def _property_of(column: str) -> str:
    """The property that a column is of."""
    return re.sub("-[0-9]+$|_[xyz]$", "", column)


@functools.cache
def _is_of(column: str, name: str) -> bool:
    """Whether a column is of the property: intensity_percentiles has some, and each is a property, too."""
    several = name == "intensity_percentiles" and re.fullmatch(r"intensity_p[0-9.]+", column) is not None
    return several or _property_of(column) == name


def _columns(found: Table, name: str) -> list[tuple[str, str]]:
    """The columns of a property, with an alias instead of its name, each before its name in the table."""
    if name in SEVERAL:
        return [(column, column) for column in found]
    known = ALIASES.get(name, name)
    columns = [(column if known == "intensity_percentiles" else name + column[len(known):], column)
               for column in found if _is_of(column, known)]
    if not columns:
        raise ValueError(f"{name} has no column for these labels; leave it out")
    return columns


def _channels(labels: np.ndarray, intensity_image: npt.ArrayLike | None) -> tuple[list[np.ndarray | None], bool]:
    """The intensities of each channel, and whether they have an axis of channels."""
    if intensity_image is None:
        return [None], False
    values = given(intensity_image, "intensity_image")
    if values.shape == labels.shape:
        return [values], False
    if values.ndim != labels.ndim + 1 or values.shape[:-1] != labels.shape or values.shape[-1] == 0:
        raise ValueError(f"intensity_image has the shape {values.shape}, and label_image {labels.shape}; they must be "
                         "the same, or intensity_image has one more axis, the last one, of channels")
    return [values[..., channel] for channel in range(values.shape[-1])], True


def _measure(labels: np.ndarray, values: np.ndarray | None, names: Sequence[str], options: dict[str, Any],
             function: Any) -> Table:
    wanted = dict.fromkeys(ALIASES.get(name, name) for name in names if name != "label")
    options["properties"] = ",".join(wanted) or "area"
    found = table_of(_halobeat.regionprops_table(get_ranks(), function, options, labels, values))
    for name in ("intensity_min", "intensity_max"):
        if name in found:
            found[name] = found[name].astype(np.float64, copy=False)
    return found


@takes("regionprops_table", "properties", "spacing_0", "spacing_1", "spacing_2")
def regionprops_table(label_image: npt.ArrayLike, intensity_image: npt.ArrayLike | None = None,
                      properties: str | Sequence[str] = ("label", "bbox"), *, cache: bool = True, separator: str = "-",
                      extra_properties: Sequence[Callable[..., Any]] | None = None,
                      spacing: float | Sequence[float] | None = None, progress: Progress = None,
                      **options: Any) -> Table:
    """Measure the regions of a label image, as skimage.measure.regionprops_table does.

    Names of columns and their types are those of scikit-image, but for labels of uint64, whose column is uint64.

    Parameters
    ----------
    label_image : array_like
        Labels of 1 to 3 axes, whole numbers; those of 0 and below are no regions.
    intensity_image : array_like, optional
        Values to measure, of the same shape; NaN is left out. With one more axis, the last one, there is a value for
        each channel, and a column: intensity_mean-0.
    properties : sequence of str or str, optional
        Names of scikit-image: label, area, bbox, centroid, intensity_mean, intensity_min, intensity_max,
        axis_major_length, axis_minor_length, eccentricity, orientation, perimeter, solidity, intensity_median,
        intensity_std, centroid_weighted, euler_number, feret_diameter_max, equivalent_diameter_area, extent, area_bbox,
        area_convex. Besides them spans: 1 if the region reaches both ends of an axis; intensity_p2.5: a percentile, as
        numpy.percentile has it, and intensity_percentiles: 5, 25, 75 and 95; neighbours: other regions that share a
        side or a face with it; thickness_mean and thickness_max: local thickness (`local_thickness`) of all regions
        together, in the mean and at most, for elements of equal spacing; feret_diameter_min: the least distance of two parallel lines, or planes, around it; and of 3 axes
        surface_area: that of skimage.measure.marching_cubes and mesh_surface_area for the region alone, at the level
        0.5, mesh_volume: what that surface encloses, and sphericity. Those of intensity need `intensity_image`;
        eccentricity, orientation and perimeter are for 2 axes, and those of a shape for 2 and 3. Older names, such as
        mean_intensity and equivalent_diameter, name the columns then. "standard" and "all" stand for several.
    cache : bool, optional
        For calls that are written for scikit-image; everything is measured once in any case.
    separator : str, optional
        What is between the name of a property and the number of an axis: bbox-0.
    extra_properties : sequence of callable, optional
        Functions of a region, which name columns after the others. They get the region in its bounding box, an array of
        bool, and if they have two parameters, also the intensities there, which are 0 outside of the region. What they
        return is a number or an array, which has a column for each element; arrays of several shapes are one column of
        objects. Each is called once more with a small region, for the type of its columns.
    spacing : float or sequence of float, optional
        Distance of elements along each axis; 1 by default.
    {progress}
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
    >>> def height(region):
    ...     return region.shape[0]
    >>> hb.regionprops_table(labels, properties=("label",), extra_properties=(height,))["height"]
    array([1, 2])
    """
    check_names(regionprops_table, options)
    labels = labels_of(label_image, "label_image")
    names, extras = _names(properties), listed(extra_properties or (), "extra_properties", "functions")
    channels, several = _channels(labels, intensity_image)
    needs_intensity(extras, channels[0] is not None, PROPERTIES)
    options.update(_spacing(spacing, labels.ndim))
    every = names + ["bbox"] * bool(extras)
    with watching(progress, "regionprops") as function:
        tables = [_measure(labels, channels[0], every, options, function)]
        of_channels = [name for name in tables[0] if name.startswith(OF_INTENSITY)] if several else []
        wanted = dict.fromkeys(map(_property_of, of_channels))
        tables += [_measure(labels, values, list(wanted), options, function) for values in channels[1:] if wanted]
    table = Table()
    for name in names:
        for shown, column in _columns(tables[0], name):
            if column in of_channels:
                table.update((f"{shown}-{i}", one[column]) for i, one in enumerate(tables))
            else:
                table[shown] = tables[0][column]
    for one in extras:
        table.update(extra_columns(one, labels, channels, several, tables[0]))
    return table if separator == "-" else Table((shown.replace("-", separator), one) for shown, one in table.items())
