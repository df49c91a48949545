"""Filters: smoothing, noise, edges, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, whole
from ._options import check_names, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


def _channels(array: np.ndarray, axis: int | None, name: str = "input") -> np.ndarray:
    """The arrays that are filtered one by one, along the first axis."""
    if axis is None:
        axes_of(array, name)
        return array[np.newaxis]
    axes_of(array, name, 2, 4)
    if not -array.ndim <= whole(axis, "channel_axis") < array.ndim:
        raise ValueError(f"channel_axis is {axis}, and {name} has axes 0 to {array.ndim - 1}")
    return np.moveaxis(array, axis, 0)


def _output(channels: np.ndarray, array: np.ndarray, text: str, output: np.ndarray | None) -> np.ndarray:
    """The array for the result."""
    one = channels[0] if len(channels) else np.empty(channels.shape[1:], array.dtype)
    if output is None:
        return np.empty(array.shape, _halobeat.filter_type(0, None, None, one, text))
    if not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    if output.shape != array.shape:
        raise ValueError(f"output has the shape {output.shape}, and input {array.shape}; they must be the same")
    return output


@takes("filter")
def filter(input: npt.ArrayLike, steps: str | Sequence[str], *, channel_axis: int | None = None,
           output: np.ndarray | None = None, progress: Progress = None, **options: Any) -> np.ndarray:
    """Compute filters on an array, one after the other, in one pass over it.

    Parameters
    ----------
    input : array_like
        Array of 1 to 3 axes.
    steps : str or sequence of str
        Filters with their values, such as "gaussian:2", or several with blanks between them. docs/filters.md has all.
    channel_axis : int, optional
        Axis of colours or other channels, each of which is filtered by itself. Without it, arrays have none.
    output : ndarray, optional
        Array of the input's shape and of the type that the last step makes, to which the result is written.
    {progress}
    {options}
    Returns
    -------
    result : ndarray
        `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> image = np.zeros((5, 5), np.uint8)
    >>> image[2, 2] = 200
    >>> hb.filter(image, "gaussian:1 invert")[2, 2]
    223
    """
    check_names(filter, options)
    array = given(input)
    channels = _channels(array, channel_axis)
    try:
        text = steps if isinstance(steps, str) else " ".join(steps)
    except TypeError:
        raise TypeError(f"steps is {steps!r}, and must be a text such as 'gaussian:2', or several") from None
    output = _output(channels, array, text, output)
    channels = _channels(apart(array, output, same=False), channel_axis)
    for one, result in zip(channels, _channels(output, channel_axis)):
        with watching(progress, "filter") as function:
            _halobeat.filter(get_ranks(), function, options, one, result, text)
    return output
