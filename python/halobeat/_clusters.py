"""Clusters of pixels."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, given
from ._options import check_names, described, named, take_range, takes
from ._progress import Progress, watching
from ._ranks import get_ranks
from ._table import Table, table_of

MOST_CLUSTERS = 65535
CHANNELS = 3  # red, green and blue


def _image(image: npt.ArrayLike, options: dict[str, Any]) -> np.ndarray:
    """Greys of 2 axes, or colours of 3, of which the last has 3 elements."""
    array = given(image, "image")
    if array.ndim == 3 and array.shape[-1] == CHANNELS:
        options["colour"] = True
    elif array.ndim != 2:
        raise ValueError(f"image has the shape {array.shape}, and must have 2 axes, or 3 with red, green and blue in "
                         "the last one")
    return array


def _count(count: int, name: str, array: np.ndarray) -> int:
    """The number of clusters, of which there is at most one for each pixel."""
    count, most = operator.index(count), min(MOST_CLUSTERS, array.shape[0] * array.shape[1])
    if most and not 1 <= count <= most:
        raise ValueError(f"{name} is {count}, and must be 1 to {most}: at most {MOST_CLUSTERS}, and one for each pixel")
    return count


@takes("kmeans", "clusters", "colour")
def kmeans(image: npt.ArrayLike, k: int, *, output: np.ndarray | None = None, progress: Progress = None,
           **options: Any) -> tuple[np.ndarray, Table]:
    """Cluster the pixels of an image by place and grey or colour, by k-means.

    The first centres are on a grid, so that results are always the same: there are no attempts and no seed.

    Parameters
    ----------
    image : array_like
        Greys of 2 axes, or red, green and blue in the last of 3: uint8 and uint16 as they are, colours of floats from
        0 to 1; others over a range.
    k : int
        Number of clusters, 1 to 65535, and at most one for each pixel.
    output : ndarray, optional
        Array of whole numbers to which labels are written, with the image's rows and columns.
    {progress}
    {options}
    Returns
    -------
    labels : ndarray
        Number of the cluster of each pixel, from 0 on, int32.
    clusters : Table
        A row for each cluster: pixels, the mean place x and y, and the mean grey, or L, a, b and red, green, blue.

    Examples
    --------
    >>> import halobeat as hb
    >>> labels, clusters = hb.kmeans([[9, 8, 0, 1], [9, 9, 1, 0]], 2, weight=5)
    >>> labels
    array([[0, 0, 1, 1],
           [0, 0, 1, 1]], dtype=int32)
    >>> clusters["pixels"]
    array([4, 4])
    """
    check_names(kmeans, options)
    take_range(options)
    array = _image(image, options)
    return _run(array, _count(k, "k", array), output, progress, "kmeans", options)


def _run(array: np.ndarray, count: int, output: np.ndarray | None, progress: Progress, name: str,
         options: dict[str, Any]) -> tuple[np.ndarray, Table]:
    if output is not None and not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array of whole numbers")
    options["clusters"] = count
    labels = np.empty(array.shape[:2], np.int32) if output is None else output
    if output is not None:
        array = apart(array, labels, same=False)
    with watching(progress, name) as function:
        columns = _halobeat.kmeans(get_ranks(), function, options, array, labels)[-1]
    return labels, table_of(columns)


def _channels_last(image: npt.ArrayLike, channel_axis: int | None) -> np.ndarray:
    """Greys, or an array whose last axis has red, green and blue; without a copy."""
    array = given(image, "image")
    if array.ndim == 2:
        return array
    if array.ndim == 3 and channel_axis is not None:
        if not -3 <= operator.index(channel_axis) < 3:
            raise ValueError(f"channel_axis is {channel_axis}, and must be one of the axes of image, from -3 to 2")
        array = np.moveaxis(array, channel_axis, -1)
        if array.shape[-1] == 1:
            return array[..., 0]
        if array.shape[-1] == CHANNELS:
            return array
        raise ValueError(f"image has {array.shape[-1]} elements along its channel axis, and must have 3, for red, green "
                         "and blue, or 1; pass 1 or 3 of them, and a volume plane by plane")
    raise ValueError(f"image has the shape {array.shape} and channel_axis={channel_axis}, and must have 2 axes, or 3 "
                     "with red, green and blue in one of them; pass a volume plane by plane")


def _refuse(reasons: Sequence[tuple[bool, str]]) -> None:
    """Raise the first sentence whose condition holds."""
    for refused, sentence in reasons:
        if refused:
            raise ValueError(sentence)


def _stretch(spacing: Sequence[float] | None) -> float:
    """The factor of places that equal distances of rows and of columns are."""
    if spacing is None:
        return 1
    sides = np.asarray(spacing, dtype=float)
    if sides.shape != (2,) or not (sides > 0).all() or sides[0] != sides[1]:
        raise ValueError(f"spacing is {spacing!r}, and must be 2 equal distances above 0; resample an image whose "
                         "pixels are not square")
    return float(sides[0])


def _range(array: np.ndarray) -> str | None:
    """Black and white of colours that are neither uint8, uint16, nor from 0 to 1; None stands for these."""
    if array.ndim == 2 or array.size == 0 or array.dtype.kind == "u" and array.dtype.itemsize <= 2:
        return None
    low, high = array.min().item(), array.max().item()
    if np.isinf((low, high)).any():
        raise ValueError("image has infinite elements; replace them, for example by numpy.nan_to_num")
    if array.dtype.kind == "f" and not (low < 0 or high > 1):  # NaN, too, which the library refuses
        return None
    return f"{float(low)!r}..{float(high if high > low else low + 1)!r}"


# What the library's options are called by slic.
SLIC_NAMES = {"beats": "max_num_iter", "min_size": "min_size_factor", "clusters": "n_segments"}


@described
def slic(image: npt.ArrayLike, n_segments: int = 100, compactness: float = 10.0, max_num_iter: int = 10,
         sigma: float | Sequence[float] = 0, spacing: Sequence[float] | None = None, convert2lab: bool | None = None,
         enforce_connectivity: bool = True, min_size_factor: float = 0.5, max_size_factor: float = 3,
         slic_zero: bool = False, start_label: int = 1, mask: None = None, *, channel_axis: int | None = -1,
         output: np.ndarray | None = None, progress: Progress = None) -> np.ndarray:
    """Find superpixels by k-means in place and colour, with the parameters of skimage.segmentation.slic.

    Superpixels are not scikit-image's, number for number: every pixel takes the nearest of all clusters, not of those in
    a window. Parameters of which only the default is possible are there so that calls can be taken over as they are;
    others raise a ValueError with what to do instead.

    Parameters
    ----------
    image : array_like
        Greys of 2 axes, or 3 axes of which one has red, green and blue. uint8, uint16 and floats from 0 to 1 are taken
        as they are; others are stretched from the smallest element to the largest.
    n_segments : int, optional
        Number of clusters at the beginning, 1 to 65535; of an image with fewer pixels, one for each.
    compactness : float, optional
        Weight of place against colour, above 0; 10 for colours as scikit-image has it, less than 1 for greys.
    max_num_iter : int, optional
        Iterations at most, 1 or more.
    sigma : float, optional
        Only 0: filter the image before.
    spacing : sequence of float, optional
        Distances of rows and of columns, which must be equal; 1 by default.
    convert2lab : bool, optional
        Colours are always compared as L, a and b of CIELAB: not False for colours, and not True for greys.
    enforce_connectivity : bool, optional
        Make every superpixel one connected piece.
    min_size_factor : float, optional
        Pieces smaller than this share of the mean size join a neighbour, 0 to 1.
    max_size_factor : float, optional
        Only 3 or infinity: connected superpixels are not cut.
    slic_zero : bool, optional
        Only False: the compactness is the same for all superpixels.
    start_label : int, optional
        Number of the first superpixel, 0 or more.
    mask : None, optional
        Only None: superpixels are of whole images.
    channel_axis : int or None, optional
        The axis of colours of an image of 3 axes. None: there are no colours, and the image has 2.
    output : ndarray, optional
        Array of whole numbers to which labels are written, with the image's rows and columns.
    {progress}

    Returns
    -------
    labels : ndarray
        Number of the superpixel of each pixel, int32; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> hb.slic(np.repeat([[0, 0, 9, 9]], 2, axis=0), 2, compactness=.1)
    array([[1, 1, 2, 2],
           [1, 1, 2, 2]], dtype=int32)
    """
    array = _channels_last(image, channel_axis)
    colours = array.ndim == 3
    _refuse((
        (bool(np.any(np.asarray(sigma) != 0)), f"sigma is {sigma!r}, and slic does not smooth; leave it out, and pass "
         "scipy.ndimage.gaussian_filter(image, sigma), with a sigma of 0 along the axis of colours"),
        (colours and convert2lab is not None and not convert2lab, "convert2lab is False, and colours are always "
         "compared in CIELAB; leave it out, or pass one channel"),
        (not colours and bool(convert2lab), "convert2lab is True, and image has greys; leave it out"),
        (max_size_factor not in (3, np.inf), f"max_size_factor is {max_size_factor!r}, and superpixels are not cut; "
         "leave it out, and use more n_segments"),
        (bool(slic_zero), "slic_zero is True, and the compactness is the same for all superpixels; leave it out, and "
         "set compactness"),
        (mask is not None, "mask is given, and superpixels are of whole images; leave it out, and set "
         "labels[~mask] = 0 afterwards"),
        (not compactness > 0, f"compactness is {compactness!r}, and must be above 0"),
        (operator.index(max_num_iter) < 1, f"max_num_iter is {max_num_iter}, and must be 1 or more"),
        (operator.index(start_label) < 0, f"start_label is {start_label}, and must be 0 or more")))
    options = {"colour": colours, "compactness": compactness * _stretch(spacing), "beats": max_num_iter,
               "range": _range(array)}
    if enforce_connectivity:
        options.update(connected=True, min_size=min_size_factor)
    pixels = max(array.shape[0] * array.shape[1], 1)
    count = min(operator.index(n_segments), pixels) if n_segments <= MOST_CLUSTERS else n_segments
    with named("slic", SLIC_NAMES):
        labels, found = _run(array, _count(count, "n_segments", array), output, progress, "slic", options)
    if start_label:
        _add(labels, operator.index(start_label), len(found["pixels"]))
    return labels


def _add(labels: np.ndarray, start_label: int, count: int) -> None:
    """Add the number of the first one to all labels, if their type has the last one."""
    if start_label + count - 1 > np.iinfo(labels.dtype).max:
        raise ValueError(f"labels from {start_label} to {start_label + count - 1} are more than {labels.dtype} has; pass "
                         "an output of a larger type, or a smaller start_label")
    labels += np.array(start_label, labels.dtype)
