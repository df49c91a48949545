"""Properties of regions that functions of the user find."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Property = Callable[..., Any]
WITH_INTENSITY = 2  # parameters


def _parameters(function: Property) -> int:
    """The number of parameters without defaults."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in kinds and one.default is one.empty for one in inspect.signature(function).parameters.values())


def needs_intensity(functions: Sequence[Property], has_intensity: bool, known: Sequence[str]) -> None:
    """Refuse functions that cannot be called, or whose columns would have the names of others."""
    names = set(known)
    for function in functions:
        name = getattr(function, "__name__", None)
        if not callable(function):
            raise TypeError(f"extra_properties has {function!r}, and must have functions")
        if not isinstance(name, str):
            raise TypeError(f"extra_properties has {function!r}, which has no name for its column; set its __name__")
        count = _parameters(function)
        if not 1 <= count <= WITH_INTENSITY:
            raise TypeError(f"{name} in extra_properties has {count} parameters, and must have one, the region, or two, "
                            "with the intensities")
        if count == WITH_INTENSITY and not has_intensity:
            raise ValueError(f"{name} in extra_properties is of intensities, and there are none; pass intensity_image")
        if name in names:
            raise ValueError(f"{name} in extra_properties has the name of "
                             f"{'a property' if name in known else 'another one there'}; set its __name__ to another one")
        names.add(name)


def _regions(labels: np.ndarray, table: dict[str, np.ndarray]) -> Iterator[tuple[tuple[slice, ...], np.ndarray]]:
    """The bounding box of each region, and what of it is the region."""
    ends = [table[f"bbox-{i}"].tolist() for i in range(2 * labels.ndim)]
    for row, label in enumerate(table["label"]):
        box = tuple(slice(ends[axis][row], ends[axis + labels.ndim][row]) for axis in range(labels.ndim))
        yield box, labels[box] == label


def _call(function: Property, region: np.ndarray, channels: Sequence[np.ndarray], several: bool) -> Any:
    if _parameters(function) < WITH_INTENSITY:
        return function(region)
    found = [function(region, values * region) for values in channels]
    return np.stack(found, axis=-1) if several else found[0]


def _sample(function: Property, axes: int, channels: int, several: bool) -> np.ndarray | None:
    """What it returns for a small region, which says the type of a column as scikit-image has it: with intensities that
    are floats, also where those of the image are whole numbers."""
    region = np.zeros((3,) * axes, bool)
    region[(slice(1, None),) * axes] = True
    try:
        return np.asarray(_call(function, region, [np.random.default_rng(1).random(region.shape)] * channels, several))
    except Exception:  # it may want more of a region than this one has
        return None


def extra_columns(function: Property, labels: np.ndarray, channels: Sequence[np.ndarray | None], several: bool,
                  table: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The columns of what a function returns for each region."""
    values = [one for one in channels if one is not None]
    found = [_call(function, region, [one[box] for one in values], several) for box, region in _regions(labels, table)]
    sample = _sample(function, labels.ndim, len(values), several)
    name = function.__name__
    shapes = {np.shape(one) for one in found} or {sample.shape if sample is not None else ()}
    if len(shapes) > 1:
        column = np.empty(len(found), object)
        for row, one in enumerate(found):
            column[row] = one
        return {name: column}
    shape = shapes.pop()
    rows = np.array(found).reshape(len(found), *shape) if found else np.zeros((0, *shape))
    if sample is not None:
        rows = rows.astype(np.promote_types(rows.dtype, sample.dtype) if found else sample.dtype, copy=False)
    columns = np.moveaxis(rows, 0, -1)  # [place]: an element of each region
    return {"-".join(map(str, (name, *place))): columns[place] for place in np.ndindex(shape)}
