"""Filters as functions, for example halobeat.filters.gaussian(image, 2).

Each has the values of its step as parameters, in the step's order, and returns what `halobeat.filter` does for the step.
Chains of steps are one pass over the array only in `halobeat.filter`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._filter import filter as _filter
from ._filter import takes_image, value_text
from ._filter_texts import docstring, signature


def _make(name: str, about: dict[str, Any]) -> Callable[..., np.ndarray]:
    rows = about["options"]
    parameters = signature(about)

    def function(*values: Any, **keywords: Any) -> np.ndarray:
        try:
            bound = parameters.bind(*values, **keywords).arguments
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        step = [name]
        for row in rows:
            value = bound.get(row["name"])
            if value is not None and row is rows[0] and takes_image(name):
                step.append(value)
            elif value is not None:
                step.append(f"{row['name']}={value_text(value)}")
        if bound.get("dtype") is not None:
            step.append(f"dtype={np.dtype(bound['dtype']).name}")
        return _filter(bound["input"], [tuple(step)], channel_axis=bound.get("channel_axis"), output=bound.get("output"),
                       progress=bound.get("progress"))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = docstring(about)
    function.__signature__ = parameters  # type: ignore[attr-defined]
    return function


__all__ = sorted(_halobeat.filters)
for _name in __all__:
    globals()[_name] = _make(_name, _halobeat.filters[_name])


def __getattr__(name: str) -> npt.NDArray[Any]:
    raise AttributeError(f"there is no filter {name!r}; halobeat.filters.__all__ lists them")
