"""Distances."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, labels_of, numbers_of
from ._options import check_names, named, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("distance_transform_edt", "spacing_0", "spacing_1", "spacing_2")
def distance_transform_edt(input: npt.ArrayLike, sampling: float | npt.ArrayLike | None = None,
                           return_distances: bool = True, return_indices: bool = False,
                           distances: np.ndarray | None = None, indices: np.ndarray | None = None, *,
                           dtype: npt.DTypeLike | None = None, progress: Progress = None, **options: Any) -> Any:
    """Find the distance of each element that is not 0 from the nearest one that is 0, as scipy.ndimage does.

    Distances and indices are scipy's, to the last bit, whatever the number of ranks. (With a sampling, computed
    distances from several elements that are as near can differ by 2 units in the last place.) Without any element that
    is 0, distances are infinite, with a warning, and indices -1.

    Parameters
    ----------
    input : array_like
        Array of 1 to 3 axes. NaN is not 0.
    sampling : float or sequence of float, optional
        Distance of elements along all axes, or along each of them.
    return_distances : bool, optional
        Find distances.
    return_indices : bool, optional
        Find the indices of the nearest element that is 0; of several, of that with the least index along the last axis,
        of these along the axis before it, and so on.
    distances : ndarray, optional
        Array of the input's shape to which distances are written, and which is not returned then.
    indices : ndarray, optional
        The same for indices: of the shape (axes, ...), and of whole numbers with a sign.
    dtype : dtype, optional
        Type of the distances that are returned: float64 by default, or float32, which is rounded; of squared ones
        without a sampling int64, where the largest number stands for infinity, or another type that has them all.
    {progress}
    {options}
    Returns
    -------
    distances : ndarray
        If return_distances, unless the argument `distances` is given.
    indices : ndarray
        If return_indices, of int32 and the shape (axes, ...), unless the argument `indices` is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> hb.distance_transform_edt([[0, 1, 1], [1, 1, 1]]).round(2).tolist()
    [[0.0, 1.0, 2.0], [1.0, 1.41, 2.24]]
    """
    check_names(distance_transform_edt, options)
    _check_results(return_distances, return_indices, distances, indices)
    array = np.atleast_1d(given(input))
    axes_of(array)
    _take_sampling(sampling, array.ndim, options)
    far = _distances(array, distances, sampling, dtype, options) if return_distances else None
    near = _indices(array, indices) if return_indices else None
    for output in (far, near):
        array = array if output is None else apart(array, output, same=False)
    parts = [near[axis] if near is not None and axis < array.ndim else None for axis in range(3)]
    with watching(progress, "distance_transform_edt") as function, named("distance_transform_edt", {}):
        infinite = _halobeat.distance_transform_edt(get_ranks(), function, options, array, far, *parts)
    if infinite:
        warnings.warn("no element of input is 0: distances are infinite; pass edge=True for distances from the edges, or "
                      "invert=True for those of the background", RuntimeWarning, stacklevel=2)
    result = [found for found, into in ((far, distances), (near, indices)) if found is not None and into is None]
    return tuple(result) if len(result) > 1 else result[0] if result else None


@takes("local_thickness")
def local_thickness(input: npt.ArrayLike, *, output: np.ndarray | None = None, dtype: npt.DTypeLike | None = None,
                    progress: Progress = None, **options: Any) -> np.ndarray:
    """Find the local thickness of elements that are not 0: the diameter of the largest ball that has the element in it and
    none that is 0.

    Balls are those about elements, whose radius is the distance from the nearest element that is 0. All radii are
    tried, and squares of radii are exact. A bar of w elements has the thickness w + 1 for an odd w, and w for an even
    one, since distances go to centres of elements. Without any element that is 0 it is infinite, with a warning.

    Parameters
    ----------
    input : array_like
        Array of 1 to 3 axes. NaN is not 0.
    output : ndarray, optional
        Array of the input's shape to which the thickness is written.
    dtype : dtype, optional
        Type of the result: float64 by default, or float32, which is rounded; of squared radii int64.
    {progress}
    {options}
    Returns
    -------
    thickness : ndarray
        0 where the input is; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.local_thickness([0, 1, 1, 1, 0, 1, 0]).tolist()
    [0.0, 4.0, 4.0, 4.0, 0.0, 2.0, 0.0]
    """
    check_names(local_thickness, options)
    array = np.atleast_1d(given(input))
    axes_of(array)
    whole = options.get("squared") and options.get("spacing") in (None, 1)
    output = _output(array, output, dtype if dtype is not None else np.int64 if whole else np.float64)
    with watching(progress, "local_thickness") as function:
        infinite = _halobeat.local_thickness(get_ranks(), function, options, apart(array, output, same=False), output)
    if infinite:
        warnings.warn("no element of input is 0: the thickness is infinite; pass edge=True for balls that end at the "
                      "edges", RuntimeWarning, stacklevel=2)
    return output


@takes("expand_labels", "distance", "spacing_0", "spacing_1", "spacing_2")
def expand_labels(label_image: npt.ArrayLike, distance: float = 1, spacing: float | npt.ArrayLike = 1, *,
                  output: np.ndarray | None = None, progress: Progress = None, **options: Any) -> np.ndarray:
    """Expand labels by a distance, without overlapping, as skimage.segmentation does.

    Of several labels that are as near, an element of the background gets that of the element with the least index along
    the last axis, of these along the axis before it, and so on.

    Parameters
    ----------
    label_image : array_like
        Labels, of 1 to 3 axes and whole numbers; 0 is background.
    distance : float, optional
        Elements of the background up to so far from a label get it.
    spacing : float or sequence of float, optional
        Distance of elements along all axes, or along each of them.
    output : ndarray, optional
        Another array of the same shape and type, to which the labels are written.
    {progress}
    {options}
    Returns
    -------
    enlarged_labels : ndarray
        Of the type of the labels; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.expand_labels([0, 0, 1, 0, 0, 0, 2, 0]).tolist()
    [0, 1, 1, 1, 0, 2, 2, 2]
    """
    check_names(expand_labels, options)
    array = np.atleast_1d(labels_of(label_image, "label_image"))
    try:
        enough = bool(distance >= 0)
    except (TypeError, ValueError):
        raise TypeError(f"distance is {distance!r}, and must be a number") from None
    if not enough:
        raise ValueError(f"distance is {distance}, and must be 0 or more")
    if not (np.ndim(spacing) == 0 and spacing == 1):
        _take_sampling(spacing, array.ndim, options, "spacing")
    options["distance"] = float(min(distance, 1e300))  # infinite: all of the background
    output = _output(array, output, array.dtype)
    with watching(progress, "expand_labels") as function:
        _halobeat.expand_labels(get_ranks(), function, options, apart(array, output, same=False), output)
    return output


def _output(array: np.ndarray, output: Any, dtype: npt.DTypeLike) -> np.ndarray:
    """The array that results are written to."""
    if output is None:
        return np.empty(array.shape, dtype)
    if not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    if output.shape != array.shape:
        raise ValueError(f"output has the shape {output.shape}, and must have {array.shape}")
    return output


def _check_results(return_distances: bool, return_indices: bool, distances: Any, indices: Any) -> None:
    if not return_distances and not return_indices:
        raise RuntimeError("at least one of return_distances/return_indices must be True")
    for wanted, array, name in ((return_distances, distances, "distances"), (return_indices, indices, "indices")):
        if array is not None and not wanted:
            raise RuntimeError(f"return_{name} must be True if {name} is supplied")
        if array is not None and not isinstance(array, np.ndarray):
            raise TypeError(f"{name} is {array!r}, and must be an array")


def _take_sampling(sampling: Any, axes: int, options: dict[str, Any], name: str = "sampling") -> None:
    if sampling is None:
        return
    sizes = numbers_of(sampling, name)
    if sizes.ndim > 1 or (sizes.ndim == 1 and len(sizes) != axes):
        raise RuntimeError(f"{name} is {sampling!r}, and must have a number for each of {axes} axes, or be one")
    for axis, size in enumerate(np.broadcast_to(sizes, axes)):
        if not 0 < size < np.inf:
            raise ValueError(f"{name} is {sampling!r}, and must be above 0")
        options[f"spacing_{axis}"] = float(size)


def _distances(array: np.ndarray, given_array: np.ndarray | None, sampling: Any, dtype: npt.DTypeLike | None,
               options: dict[str, Any]) -> np.ndarray:
    """The array that distances are written to."""
    if given_array is not None:
        if given_array.shape != array.shape:
            raise RuntimeError(f"distances has the shape {given_array.shape}, and must have that of input, {array.shape}")
        return given_array
    whole = options.get("squared") and sampling is None
    return np.empty(array.shape, dtype if dtype is not None else np.int64 if whole else np.float64)


def _indices(array: np.ndarray, given_array: np.ndarray | None) -> np.ndarray:
    shape = (array.ndim, *array.shape)
    if given_array is None:
        return np.empty(shape, np.int32)
    if given_array.shape != shape:
        raise RuntimeError(f"indices has the shape {given_array.shape}, and must have {shape}")
    return given_array
