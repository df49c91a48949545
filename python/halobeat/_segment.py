"""Segmentation."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given
from ._options import check_names, named, take_range, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("morphological_chan_vese", "beats", "init", "smoothing", "lambda1", "lambda2")
def morphological_chan_vese(image: npt.ArrayLike, num_iter: int,
                            init_level_set: str | npt.ArrayLike = "checkerboard", smoothing: int = 1,
                            lambda1: float = 1, lambda2: float = 1,
                            iter_callback: Callable[[np.ndarray], Any] | None = None, *,
                            output: np.ndarray | None = None, progress: Progress = None,
                            **options: Any) -> np.ndarray:
    """Segment an image by morphological active contours without edges, as skimage.segmentation does.

    The level set is scikit-image's, element for element, for images of uint8, uint16 and bool. Others become greys of
    16 bits, where elements that are about as far from one mean as from the other may differ. (The curvature operators
    of scikit-image alternate from call to call within a process; those of a call here begin as its first call does.)

    Parameters
    ----------
    image : array_like
        Image of 2 axes.
    num_iter : int
        Number of iterations; fewer are computed where no further one would change anything.
    init_level_set : str or array_like, optional
        "checkerboard", "checkerboard:SIZE", "disk" or "disk:X,Y,R"; or an array of the image's shape that is above 0
        inside.
    smoothing : int, optional
        How often the border is smoothed in an iteration, 0 to 64.
    lambda1 : float, optional
        Weight of the variance of greys inside, 0 or 1e-9 to 1e9.
    lambda2 : float, optional
        The same outside.
    iter_callback : callable, optional
        A function that is called with the level set: the first one, and that after each iteration. It is the array
        that is returned in the end, and changes: copy what is to be kept. Calls take longer with it.
    output : ndarray, optional
        Array of the image's shape, of bool, uint8 or int8, to which the level set is written.
    {progress}
    {options}
    Returns
    -------
    level_set : ndarray
        1 inside and 0 outside, int8; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> image = np.zeros((20, 20), np.uint8)
    >>> image[4:15, 3:12] = 200
    >>> hb.morphological_chan_vese(image, 50, "disk", smoothing=0).sum() == 11 * 9
    True
    """
    check_names(morphological_chan_vese, options)
    take_range(options)
    array = given(image, "image")
    axes_of(array, "image", 2, 2)
    if operator.index(num_iter) < 0:
        raise ValueError(f"num_iter is {num_iter}, and must be 0 or more")
    if output is None:
        output = np.empty(array.shape, np.int8)
    elif not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    array = apart(array, output, same=False)
    for name, value in (("smoothing", smoothing), ("lambda1", lambda1), ("lambda2", lambda2)):
        if value != 1:  # the default
            options[name] = value
    initial = _initial(init_level_set, array, output, options)
    with watching(progress, "chan_vese") as function, named("morphological_chan_vese", {"init": "init_level_set"}):
        if iter_callback is None:
            _halobeat.morphological_chan_vese(get_ranks(), function, options, array, initial, output, num_iter)
        else:
            _step(array, initial, output, num_iter, options, iter_callback, function)
    return output


def _initial(init_level_set: str | npt.ArrayLike, array: np.ndarray, output: np.ndarray, options: dict[str, Any]
             ) -> np.ndarray | None:
    """The first level set, or None: the options say what it is."""
    if isinstance(init_level_set, str):
        options["init"] = init_level_set
        return None
    initial = given(init_level_set, "init_level_set")
    if initial.shape != array.shape:
        raise ValueError(f"init_level_set has the shape {initial.shape}, and image {array.shape}; they must be the same")
    return apart(initial, output)


def _step(array: np.ndarray, initial: np.ndarray | None, output: np.ndarray, num_iter: int, options: dict[str, Any],
          iter_callback: Callable[[np.ndarray], Any], function: Any) -> None:
    """Compute the iterations one by one, each with the operators that it has in a single call."""
    first = options.get("first_beat") or 0
    _halobeat.morphological_chan_vese(get_ranks(), None, options, array, initial, output, 0)
    iter_callback(output)
    for done in range(num_iter):
        options["first_beat"] = first + done
        _halobeat.morphological_chan_vese(get_ranks(), None, options, array, output, output, 1)
        iter_callback(output)
        if function is not None:
            function(done + 1, num_iter)
