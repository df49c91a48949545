"""Clusters of pixels."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, given
from ._options import takes
from ._progress import Progress, watching
from ._ranks import get_ranks
from ._table import Table, table_of


def _image(image: npt.ArrayLike, options: dict[str, Any]) -> np.ndarray:
    """Greys of 2 axes, or colours of 3, of which the last has 3 elements."""
    array = given(image, "image")
    if array.ndim == 3 and array.shape[-1] == 3:
        options["colour"] = True
    elif array.ndim != 2:
        raise ValueError(f"image has the shape {array.shape}, and must have 2 axes, or 3 with red, green and blue in "
                         "the last one")
    return array


@takes("kmeans", "clusters", "colour")
def kmeans(image: npt.ArrayLike, k: int, *, output: np.ndarray | None = None, progress: Progress = None,
           **options: Any) -> tuple[np.ndarray, Table]:
    """Cluster the pixels of an image by place and grey or colour, by k-means.

    Parameters
    ----------
    image : array_like
        Greys of 2 axes, or red, green and blue in the last of 3: uint8 and uint16 as they are, colours of floats from
        0 to 1; others over a range.
    k : int
        Number of clusters.
    output : ndarray, optional
        Array of whole numbers to which labels are written, with the image's rows and columns.
    progress : bool or callable, optional
        As of `label`.
    {options}
    Returns
    -------
    labels : ndarray
        Number of the cluster of each pixel, from 0 on, int32.
    clusters : Table
        A row for each cluster: pixels, the mean place x and y, and the mean grey, or L, a, b and red, green, blue.
    """
    array = _image(image, options)
    options["clusters"] = operator.index(k)
    labels = np.empty(array.shape[:2], np.int32) if output is None else output
    if output is not None:
        array = apart(array, labels, same=False)
    with watching(progress, "kmeans") as function:
        columns = _halobeat.kmeans(get_ranks(), function, options, array, labels)[-1]
    return labels, table_of(columns)


def slic(image: npt.ArrayLike, n_segments: int = 100, compactness: float = 10.0, *, max_num_iter: int = 10,
         enforce_connectivity: bool = True, min_size_factor: float = 0.5, start_label: int = 1,
         progress: Progress = None) -> np.ndarray:
    """Find superpixels by k-means in place and colour, with the parameters of skimage.segmentation.slic.

    Superpixels are not scikit-image's, number for number: every pixel takes the nearest of all clusters, not of those in
    a window.

    Parameters
    ----------
    image : array_like
        As of `kmeans`.
    n_segments : int, optional
        Number of clusters at the beginning.
    compactness : float, optional
        Weight of place against colour; 10 for colours as scikit-image has it, less than 1 for greys.
    max_num_iter : int, optional
        Iterations at most.
    enforce_connectivity : bool, optional
        Make every superpixel one connected piece.
    min_size_factor : float, optional
        Pieces smaller than this share of the mean size join a neighbour.
    start_label : int, optional
        Number of the first superpixel.
    progress : bool or callable, optional
        As of `label`.

    Returns
    -------
    labels : ndarray
        Number of the superpixel of each pixel, int32.
    """
    if operator.index(n_segments) < 1:
        raise ValueError(f"n_segments is {n_segments}, and must be 1 or more")
    options: dict[str, Any] = {"compactness": compactness, "beats": max_num_iter}
    if enforce_connectivity:
        options.update(connected=True, min_size=min_size_factor)
    labels, _ = kmeans(image, n_segments, progress=progress, **options)
    if start_label:
        labels += operator.index(start_label)
    return labels
