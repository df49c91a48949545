"""Filters: smoothing, noise, edges, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, whole
from ._options import check_names, takes
from ._progress import Progress, part_of, watching
from ._ranks import get_ranks

# Steps name the arrays that are their second images as the extension does.
NAMES = [f"array{i}" for i in range(8)]


def value_text(value: Any) -> str:
    """A value as a step has it."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, (tuple, list, np.ndarray)):
        text = ",".join(value_text(one) for one in value)
    elif isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    else:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    if not text or any(one in ": \t\n" for one in text):
        raise ValueError(f"{value!r} is no value of a filter")
    return text


def takes_image(name: str) -> bool:
    """Is the first value of a filter a second image?"""
    rows = _halobeat.filters.get(name, {"options": []})["options"]
    return bool(rows) and (rows[0]["value"] or "").startswith("FILE")


def _step_text(step: Any, arrays: list[np.ndarray]) -> str:
    """The text of a step, whose array is added to those that there are."""
    if isinstance(step, str):
        return step
    name, *values = step if isinstance(step, (tuple, list)) and step else (None,)
    if not isinstance(name, str):
        raise TypeError(f"{step!r} is no step: it begins with the name of a filter")
    texts = [name]
    for place, value in enumerate(values):
        if place == 0 and takes_image(name) and not isinstance(value, str) and np.ndim(value) > 0:
            array = given(value, f"the image of {name}")
            known = [i for i, one in enumerate(arrays) if one is array]
            if not known and len(arrays) == len(NAMES):
                raise ValueError(f"steps have more than {len(NAMES)} images besides the first; call it twice")
            if not known:
                arrays.append(array)
            texts.append(NAMES[known[0] if known else -1 + len(arrays)])
        else:
            texts.append(value_text(value))
    return ":".join(texts)


def _text_of(steps: Any, arrays: list[np.ndarray]) -> str:
    """The text of all steps; a tuple is a single one unless it consists of steps."""
    if isinstance(steps, str):
        return steps
    try:
        alone = isinstance(steps, tuple) and not all(isinstance(one, (str, tuple)) for one in steps)
        return " ".join(_step_text(one, arrays) for one in ([steps] if alone else steps))
    except TypeError as error:
        if isinstance(steps, (tuple, list)):
            raise
        raise TypeError(f"steps is {steps!r}, and must be a text such as 'gaussian:2', or several") from error


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
def filter(input: npt.ArrayLike, steps: str | Sequence[Any], *, channel_axis: int | None = None,
           output: np.ndarray | None = None, progress: Progress = None, **options: Any) -> np.ndarray:
    """Compute filters on an array, one after the other, in one pass over it.

    Parameters
    ----------
    input : array_like
        Array of 1 to 3 axes.
    steps : str, tuple or sequence of them
        Filters with their values, such as "gaussian:2", or several with blanks between them. docs/filters.md has all.
        A tuple is a step, too, such as ("gaussian", 2); an array in it is the second image of filters that have one:
        ("subtract", dark).
    channel_axis : int, optional
        Axis of colours or other channels, each of which is filtered by itself. Without it, arrays have none.
    output : ndarray, optional
        Array of the input's shape and of the type that the last step makes, to which the result is written.
    {progress}
    {options}
    Returns
    -------
    result : ndarray
        The filtered array, which is `output` if that is given.

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
    seconds: list[np.ndarray] = []
    text = _text_of(steps, seconds)
    output = _output(channels, array, text, output)
    channels = _channels(apart(array, output, same=False), channel_axis)
    seconds = [apart(one, output, same=False) for one in seconds]
    results = _channels(output, channel_axis)
    with watching(progress, "filter") as function:
        for i, (one, result) in enumerate(zip(channels, results)):
            others = [np.moveaxis(second, channel_axis, 0)[i]
                      if channel_axis is not None and second.shape == array.shape else second for second in seconds]
            _halobeat.filter(get_ranks(), part_of(function, i, len(channels)), options, one, result, text, *others,
                             *[None] * (len(NAMES) - len(others)))
    return output
