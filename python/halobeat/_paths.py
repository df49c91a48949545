"""Shortest paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import given
from ._progress import Progress, watching
from ._ranks import get_ranks

STOP = np.dtype([("target", "i8"), ("step", "i8"), ("row", "i8"), ("column", "i8"), ("distance", "f8")])


def _places(places: npt.ArrayLike, costs: np.ndarray, name: str) -> np.ndarray:
    """Rows and columns of places, which may be counted from the end, as NumPy does."""
    indices = np.asarray(places)
    if indices.size and indices.dtype.kind not in "iu":
        raise TypeError(f"{name} are {indices.dtype}, and must be whole numbers: indices of cells")
    indices = indices.astype(np.int64)
    if indices.ndim != 2:  # a single place; or numbers of cells along one axis
        indices = indices.reshape(-1, costs.ndim)
    if indices.shape[1] != costs.ndim:
        raise ValueError(f"{name} have {indices.shape[1]} indices each, and costs {costs.ndim} axes")
    indices = np.where((indices < 0) & (indices >= -np.array(costs.shape)), indices + costs.shape, indices)
    if costs.ndim == 1:
        indices = np.column_stack([np.zeros_like(indices), indices])
    return np.ascontiguousarray(indices)


class MCP_Geometric:
    """Distances and shortest paths on an array of costs, as skimage.graph.MCP_Geometric finds them.

    A step costs its length times the mean of the costs of its two cells. Distances are scikit-image's to the last bit.
    """

    def __init__(self, costs: npt.ArrayLike, *, fully_connected: bool = True, neighbours: int | None = None,
                 sampling: npt.ArrayLike | None = None) -> None:
        """Take the costs, which must not change while the object is used.

        Parameters
        ----------
        costs : array_like
            Costs of 1 or 2 axes. Cells of negative and infinite costs and NaN are barriers.
        fully_connected : bool, optional
            Steps also lead to the diagonal neighbours.
        neighbours : {4, 8, 16}, optional
            The same by number; 16 adds a knight's moves.
        sampling : sequence of float, optional
            Distances of cells along each axis; 1 by default.
        """
        self.costs = given(costs, "costs")
        if not 1 <= self.costs.ndim <= 2:
            raise ValueError(f"costs have {self.costs.ndim} axes, and must have 1 or 2: pass one plane at a time")
        options: dict[str, Any] = {
            "neighbours": (8 if fully_connected else 4) if neighbours is None else neighbours}
        if sampling is not None:
            sides = np.asarray(sampling, dtype=float)
            if sides.shape != (self.costs.ndim,) or not (sides > 0).all():
                raise ValueError(f"sampling is {sampling!r}, and must be {self.costs.ndim} distances above 0")
            options["cell_width"] = sides[-1]
            if self.costs.ndim == 2:
                options["cell_height"] = sides[0]
        self._options = options
        self._starts: np.ndarray | None = None
        self._found: np.ndarray | None = None

    def find_costs(self, starts: npt.ArrayLike, *, max_cumulative_cost: float | None = None, nearest: bool = False,
                   progress: Progress = None) -> tuple[np.ndarray, np.ndarray | None]:
        """Find the distance of every cell from the nearest of some starts.

        Parameters
        ----------
        starts : sequence of tuple of int
            Indices of the starts.
        max_cumulative_cost : float, optional
            Cells farther away than this, which is above 0, are not reached.
        nearest : bool, optional
            Find which start is the nearest, too.
        progress : bool or callable, optional
            As of `label`.

        Returns
        -------
        cumulative_costs : ndarray
            Distances, float64; infinite where no path leads.
        nearest : ndarray or None
            Number of the nearest start, from 1 on, int32; 0 where no path leads.
        """
        if max_cumulative_cost is not None and not max_cumulative_cost > 0:
            raise ValueError(f"max_cumulative_cost is {max_cumulative_cost}, and must be above 0; leave it out to "
                             "reach all cells")
        places = _places(starts, self.costs, "starts")
        options = dict(self._options, max_distance=max_cumulative_cost)
        distances = np.empty(self.costs.shape)
        numbers = np.empty(self.costs.shape, np.int32) if nearest else None
        with watching(progress, "paths") as function:
            _halobeat.paths(get_ranks(), function, options, self.costs, places, distances, numbers)
        self._starts, self._found = places, distances
        return distances, numbers

    def traceback(self, end: npt.ArrayLike) -> list[tuple[int, ...]]:
        """Return the indices of the cells of the path to a cell from the nearest start, both included.

        Parameters
        ----------
        end : tuple of int
            Index of the cell.

        Returns
        -------
        path : list of tuple of int
        """
        if self._starts is None or self._found is None:
            raise ValueError("there are no distances yet; call find_costs(starts) first")
        ends = _places(np.reshape(np.asarray(end), (1, -1)), self.costs, "the end")
        stops = np.frombuffer(_halobeat.paths_trace(get_ranks(), None, self._options, self.costs, self._found,
                                                    self._starts, ends), STOP)
        if len(stops) == 0:
            raise ValueError(f"no path leads to {tuple(np.ravel(end).tolist())}")
        if self.costs.ndim == 1:
            return [(column,) for column in stops["column"].tolist()]
        return list(zip(stops["row"].tolist(), stops["column"].tolist()))


def route_through_array(array: npt.ArrayLike, start: npt.ArrayLike, end: npt.ArrayLike, *,
                        fully_connected: bool = True, sampling: npt.ArrayLike | None = None
                        ) -> tuple[list[tuple[int, ...]], float]:
    """Find the shortest path between two cells, as skimage.graph.route_through_array does with geometric=True.

    Parameters
    ----------
    array : array_like
        Costs of 1 or 2 axes.
    start : tuple of int
        Index of the first cell.
    end : tuple of int
        Index of the last one.
    fully_connected : bool, optional
        Steps also lead to the diagonal neighbours.
    sampling : sequence of float, optional
        Distances of cells along each axis; 1 by default.

    Returns
    -------
    path : list of tuple of int
        Indices of the cells.
    cost : float
        Its cost.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.route_through_array([[1, 9, 1], [1, 9, 1], [1, 1, 1]], (0, 0), (0, 2), fully_connected=False)
    ([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)], 6.0)
    """
    search = MCP_Geometric(array, fully_connected=fully_connected, sampling=sampling)
    distances, _ = search.find_costs(np.reshape(np.asarray(start), (1, -1)))
    path = search.traceback(end)
    return path, float(distances[path[-1]])
