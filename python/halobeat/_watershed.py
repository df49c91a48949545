"""Watershed from markers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, whole
from ._label import NEIGHBOURS, steps_of
from ._options import check_names, named, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("watershed", "connectivity", "line")
def watershed(image: npt.ArrayLike, markers: int | npt.ArrayLike | None = None, connectivity: int | npt.ArrayLike = 1,
              offset: npt.ArrayLike | None = None, mask: npt.ArrayLike | None = None, compactness: float = 0,
              watershed_line: bool = False, *, output: np.ndarray | None = None, progress: Progress = None,
              **options: Any) -> np.ndarray:
    """Flood an image from markers, and find the basin of each, as skimage.segmentation.watershed does.

    Labels are those of scikit-image where neighbours have no equal values. Where they have, its labels depend on the
    order in which it takes elements; those of a call here are the same for any number of ranks and for mirrored images.
    So pass floats or squared distances, not their copies of 8 bits.

    Parameters
    ----------
    image : array_like
        Image of 1 to 3 axes, flooded from low values to high ones.
    markers : int or array_like of int, optional
        Array of the image's shape: labels from 1 to 2147483647 in elements of markers, and 0 elsewhere. A number: about
        as many single elements, on a regular grid. None: the minima of the image in the mask.
    connectivity : int or array_like, optional
        Number of axes along which neighbours may differ; or their number, 4, 8, 6, 18 or 26; or an array of 3 elements
        along each axis that is not 0 for neighbours, and stands for one of these.
    offset : array_like of int, optional
        The index of the centre in that array, which must be its middle.
    mask : array_like, optional
        Array of the image's shape: elements of 0 do not belong to it, and get the label 0.
    compactness : float, optional
        Must be 0: with compactness a label depends on the order in which elements are taken.
    watershed_line : bool, optional
        Elements that have a neighbour of a smaller label become 0.
    output : ndarray, optional
        Array of the image's shape to which the labels are written, of a type that has all of them.
    {progress}
    {options}
    Returns
    -------
    labels : ndarray
        The label of the marker of each element's basin, int32; 0 outside the mask, and where no marker is joined to an
        element within it. `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> hb.watershed(np.array([[3, 1, 4, 9, 2, 6, 5]])).tolist()
    [[1, 1, 1, 2, 2, 2, 3]]
    """
    check_names(watershed, options)
    array = given(image, "image")
    axes = axes_of(array, "image")
    if not compactness == 0:
        raise ValueError(f"compactness is {compactness!r}, and must be 0: with compactness a label depends on the order in "
                         "which elements are taken, so that ranks would change it")
    options["connectivity"] = _neighbours(connectivity, offset, axes)
    options["line"] = bool(watershed_line)
    inside = None if mask is None else _like(mask, array, "mask")
    first = _markers(markers, array, inside)
    if output is None:
        output = np.empty(array.shape, np.int32)
    elif not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    array, first, inside = (one if one is None else apart(one, output, same=False) for one in (array, first, inside))
    with watching(progress, "watershed") as function, named("watershed", {"line": "watershed_line"}):
        _halobeat.watershed(get_ranks(), function, options, array, first, inside, output)
    return output


def _like(value: npt.ArrayLike, image: np.ndarray, name: str) -> np.ndarray:
    array = given(value, name)
    if array.shape != image.shape:
        raise ValueError(f"{name} has the shape {array.shape}, and image {image.shape}; they must be the same")
    return array


def _neighbours(connectivity: int | npt.ArrayLike, offset: npt.ArrayLike | None, axes: int) -> int:
    """The number of neighbours of an element."""
    structure = None if np.ndim(connectivity) == 0 else np.asarray(connectivity)
    if structure is not None and (structure.ndim != axes or any(n != 3 for n in structure.shape)):
        raise ValueError(f"connectivity has the shape {structure.shape}, and must have {axes} axes of 3 elements")
    if offset is not None and not np.array_equal(np.asarray(offset), np.ones(axes)):
        raise ValueError(f"offset is {offset!r}, and must be {(1,) * axes}, the middle of connectivity; leave it out")
    steps = steps_of(structure, None if structure is not None else connectivity, axes)
    if steps is None:
        raise ValueError("connectivity has other neighbours than those that differ along at most so many axes; pass their "
                         f"number, from 1 to {axes}")
    return NEIGHBOURS[axes][steps - 1]


def _markers(markers: int | npt.ArrayLike | None, image: np.ndarray, mask: np.ndarray | None) -> np.ndarray | None:
    if markers is None:
        return None
    if isinstance(markers, (np.ndarray, list, tuple)):
        array = _like(markers, image, "markers")
        if array.dtype.kind == "i" and array.size and array.min() < 0:
            raise ValueError(f"markers has {array.min()}, and must have numbers from 1 to 2147483647, and 0 where there is "
                             "no marker; renumber them")
        return array
    count = whole(markers, "markers")
    if count < 1:
        raise ValueError(f"markers is {count}, and must be 1 or more")
    share = 1 if mask is None else np.count_nonzero(mask) / image.size
    seeds = np.zeros(image.shape, np.int32)
    if share > 0:
        points = seeds[_grid(image.shape, int(count / share))]
        points[...] = np.arange(1, points.size + 1).reshape(points.shape)
    return seeds


def _grid(shape: tuple[int, ...], count: int) -> tuple[slice, ...]:
    """Slices to about so many elements, equally far apart along all axes; of an axis shorter than that, to one."""
    if math.prod(shape) <= count:
        return (slice(None),) * len(shape)
    steps, left = {}, sorted(range(len(shape)), key=lambda axis: shape[axis])
    while left:
        step = (math.prod(shape[axis] for axis in left) / count) ** (1 / len(left))
        if shape[left[0]] >= step:
            steps.update(dict.fromkeys(left, step))
            break
        steps[left[0]] = shape[left.pop(0)]
    return tuple(slice(int(steps[axis] // 2), None, round(steps[axis])) for axis in range(len(shape)))
