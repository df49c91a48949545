"""Segmentation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, given
from ._options import takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("morphological_chan_vese", "init")
def morphological_chan_vese(image: npt.ArrayLike, num_iter: int,
                            init_level_set: str | npt.ArrayLike = "checkerboard", *,
                            output: np.ndarray | None = None, progress: Progress = None,
                            **options: Any) -> np.ndarray:
    """Segment an image by morphological active contours without edges, as skimage.segmentation does.

    The level set is scikit-image's, element for element, for images of uint8, uint16 and bool. Others become greys of
    16 bits, where elements that are about as far from one mean as from the other may differ.

    Parameters
    ----------
    image : array_like
        Image of 2 axes.
    num_iter : int
        Number of iterations; fewer are computed where no further one would change anything.
    init_level_set : str or array_like, optional
        "checkerboard", "checkerboard:SIZE", "disk" or "disk:X,Y,R"; or an array that is above 0 inside.
    output : ndarray, optional
        Array of the image's shape, of bool, uint8 or int8, to which the level set is written.
    progress : bool or callable, optional
        As of `label`.
    {options}
    Returns
    -------
    level_set : ndarray
        1 inside and 0 outside, int8; `output`, if that is given.
    """
    array = given(image, "image")
    initial = None
    if isinstance(init_level_set, str):
        options["init"] = init_level_set
    else:
        initial = given(init_level_set, "init_level_set")
    if output is None:
        output = np.empty(array.shape, np.int8)
    elif not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    else:
        array = apart(array, output, same=False)
        initial = None if initial is None else apart(initial, output)
    with watching(progress, "chan_vese") as function:
        _halobeat.morphological_chan_vese(get_ranks(), function, options, array, initial, output, num_iter)
    return output
