"""Splitting of objects that touch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given
from ._label import NEIGHBOURS, steps_of
from ._options import check_names, named, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("split", "by", "connectivity", "h")
def split(image: npt.ArrayLike, h: float | None = None, by: str = "distance", *, mask: npt.ArrayLike | None = None,
          connectivity: int | npt.ArrayLike | None = None, output: np.ndarray | None = None, progress: Progress = None,
          **options: Any) -> tuple[np.ndarray, int]:
    """Split objects that touch: label the foreground, and give each part of an object a number of its own.

    In one call it stands for distance_transform_edt, h_maxima or peak_local_max, label and watershed. Parts are the
    basins of peaks of the distance from the background, or of the image, that are more than `h` above the pass to a
    higher peak. There are as many of them as skimage.morphology.local_maxima finds in the reconstruction of the distance
    minus h. Results are the same for any number of ranks.

    Parameters
    ----------
    image : array_like
        Array of 1 to 3 axes. By distance, elements that are not 0 are foreground.
    h : float, optional
        How far a peak must be above the pass to a higher one, and more, in elements or in units of the image; lower peaks
        join. By default 0.75 by distance, and 0 by intensity.
    by : {"distance", "intensity"}, optional
        What objects are split by: the distance from the background; or the image, whose brightest elements are peaks.
    mask : array_like, optional
        By intensity, the foreground: array of the image's shape, elements that are not 0. By default all elements.
    connectivity : int or array_like, optional
        Number of axes along which neighbours may differ, by default all; or the number of neighbours, 4, 8, 6, 18 or 26; or
        an array of 3 elements along each axis that is not 0 for neighbours, and stands for one of these.
    output : ndarray, optional
        Array of the image's shape to which the labels are written, of a type that has all of them.
    {progress}
    {options}
    Returns
    -------
    labels : ndarray
        Numbers of parts, from 1 on in the order of their first elements, int32; 0 in the background. `output`, if that is
        given.
    num_parts : int
        Number of parts.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> y, x = np.indices((40, 60))
    >>> disks = ((y - 20)**2 + (x - 20)**2 < 200) | ((y - 20)**2 + (x - 42)**2 < 200)
    >>> hb.label(disks)[1], hb.split(disks)[1]
    (1, 2)
    """
    check_names(split, options)
    array = given(image, "image")
    axes = axes_of(array, "image")
    options["by"] = by
    if h is not None:
        options["h"] = h
    if connectivity is not None:
        options["connectivity"] = _neighbours(connectivity, axes)
    inside = None if mask is None else given(mask, "mask")
    if output is None:
        output = np.empty(array.shape, np.int32)
    elif not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    array, inside = (one if one is None else apart(one, output, same=False) for one in (array, inside))
    with watching(progress, "split") as function, named("split", {}):
        count = _halobeat.split(get_ranks(), function, options, array, inside, output)
    return output, count


def _neighbours(connectivity: int | npt.ArrayLike, axes: int) -> int:
    """The number of neighbours of an element."""
    structure = None if np.ndim(connectivity) == 0 else np.asarray(connectivity)
    steps = steps_of(structure, None if structure is not None else connectivity, axes)
    if steps is None:
        raise ValueError("connectivity has other neighbours than those that differ along at most so many axes; pass their "
                         f"number, from 1 to {axes}")
    return NEIGHBOURS[axes][steps - 1]
