"""Random walkers."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import axes_of, given
from ._options import check_names, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


class Estimate(NamedTuple):
    """A number, and half of its 95 % confidence interval, negative where there are too few walkers to tell."""

    value: float
    error: float


class Interval(NamedTuple):
    """A number, and the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Walk:
    """What the walkers of `random_walk` have found; a tuple has an element for each axis.

    Attributes
    ----------
    walkers : int
        Number of walkers.
    steps : int
        Steps of each.
    porosity : float
        Share of the medium that is fluid.
    tortuosity : tuple of Interval
        How much slower than in the fluid alone the mean square of displacements grows; NaN for confined walkers.
    diffusivity : tuple of Estimate
        Half of the growth of the spread, cells^2 per step.
    relative : tuple of Estimate
        The same beside that in the fluid alone.
    effective : tuple of Estimate
        The same, times the share of cells with walkers.
    linear : tuple of bool
        The spread has become linear: the steps were enough.
    confined : tuple of bool
        The walkers stay where they are.
    tensor : ndarray
        Relative diffusivities by axis and axis.
    records : ndarray
        Steps, mean and mean square of displacements, by record and axis.
    """

    walkers: int
    steps: int
    porosity: float
    tortuosity: tuple[Interval, ...]
    diffusivity: tuple[Estimate, ...]
    relative: tuple[Estimate, ...]
    effective: tuple[Estimate, ...]
    linear: tuple[bool, ...]
    confined: tuple[bool, ...]
    tensor: np.ndarray
    records: np.ndarray

    def __init__(self, found: dict[str, Any]) -> None:
        """Take the results of a call.

        Parameters
        ----------
        found : dict
            The library's results.
        """
        axes = found["axes"]
        self.walkers, self.steps = found["walkers"], found["steps"]
        self.porosity = found["fluid"] / found["cells"]
        self.tortuosity = tuple(Interval(*axis["tortuosity"]) for axis in axes)
        self.diffusivity = tuple(Estimate(*axis["diffusivity"]) for axis in axes)
        self.relative = tuple(Estimate(*axis["relative"]) for axis in axes)
        self.effective = tuple(Estimate(*axis["effective"]) for axis in axes)
        self.linear = tuple(axis["linear"] for axis in axes)
        self.confined = tuple(axis["confined"] for axis in axes)
        self.tensor = np.frombuffer(found["tensor"], float).reshape(len(axes), len(axes))
        self.records = np.frombuffer(found["records"], float).reshape(-1, len(axes), 3)

    def __repr__(self) -> str:
        values = ", ".join(f"{one.value:.4g}" for one in self.tortuosity)
        return f"<Walk of {self.walkers} walkers, {self.steps} steps: tortuosity {values}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{axis}</td><td>{self.tortuosity[axis].value:.5g} ({self.tortuosity[axis].low:.5g} to "
            f"{self.tortuosity[axis].high:.5g})</td><td>{one.value:.5g} ± {one.error:.2g}</td>"
            f"<td>{self.effective[axis].value:.5g} ± {self.effective[axis].error:.2g}</td></tr>"
            for axis, one in enumerate(self.relative))
        return (f"<p>{self.walkers} walkers, {self.steps} steps, porosity {self.porosity:.4g}</p><table><thead><tr>"
                "<th>axis</th><th>tortuosity</th><th>relative diffusivity</th><th>effective diffusivity</th></tr>"
                f"</thead><tbody>{rows}</tbody></table>")


@takes("random_walk", "walkers", "steps")
def random_walk(medium: npt.ArrayLike, walkers: int | None = None, steps: int | None = None, *,
                progress: Progress = None, **options: Any) -> Walk:
    """Let random walkers diffuse in the pores of a medium, and find its tortuosity and diffusivity.

    Parameters
    ----------
    medium : array_like
        Medium of 2 or 3 axes: elements that are not 0 are fluid, others solid.
    walkers : int, optional
        Number of walkers, 100000 by default.
    steps : int, optional
        Steps of each, 8192 by default.
    {progress}
    {options}
    Returns
    -------
    walk : Walk
        Tortuosity, diffusivity and others by axis.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> hb.random_walk(np.ones((8, 8)), 2000, 100).porosity
    1.0
    """
    check_names(random_walk, options)
    for name, count in (("walkers", walkers), ("steps", steps)):
        if count is not None and operator.index(count) < 1:
            raise ValueError(f"{name} is {count}, and must be 1 or more; leave it out for the default")
    options.update(walkers=walkers, steps=steps)
    array = given(medium, "medium")
    axes_of(array, "medium", 2, 3)
    with watching(progress, "walk") as function:
        return Walk(_halobeat.random_walk(get_ranks(), function, options, array))
