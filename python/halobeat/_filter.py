"""Filters: smoothing, noise, edges, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given
from ._options import check_names, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


@takes("filter")
def filter(input: npt.ArrayLike, steps: str | Sequence[str], *, output: np.ndarray | None = None, progress: Progress = None,
           **options: Any) -> np.ndarray:
    """Compute filters on an array, one after the other, in one pass over it.

    Parameters
    ----------
    input : array_like
        Array of 1 to 3 axes.
    steps : str or sequence of str
        Filters with their values, such as "gaussian:2", or several with blanks between them. docs/filters.md has all.
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
    axes_of(array)
    try:
        text = steps if isinstance(steps, str) else " ".join(steps)
    except TypeError:
        raise TypeError(f"steps is {steps!r}, and must be a text such as 'gaussian:2', or several") from None
    if output is None:
        output = np.empty(array.shape, _halobeat.filter_type(0, None, None, array, text))
    elif not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    array = apart(array, output, same=False)
    with watching(progress, "filter") as function:
        _halobeat.filter(get_ranks(), function, options, array, output, text)
    return output
