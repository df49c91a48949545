"""Shortest paths."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat, _picture
from ._arrays import axes_of, given
from ._options import described
from ._progress import Progress, watching
from ._ranks import get_ranks

STOP = np.dtype([("target", "i8"), ("step", "i8"), ("row", "i8"), ("column", "i8"), ("distance", "f8")])


def _steps(axes: int, squares: tuple[int, ...]) -> np.ndarray:
    """The steps with these squares of their lengths."""
    cells = itertools.product(range(-2, 3), repeat=axes)
    return np.array(sorted(cell for cell in cells if sum(part * part for part in cell) in squares), np.int8)


# Steps to the neighbours of a cell, by the number of axes and that of neighbours: the default first.
STEPS = {1: {8: _steps(1, (1,)), 4: _steps(1, (1,)), 16: _steps(1, (1,))},
         2: {8: _steps(2, (1, 2)), 4: _steps(2, (1,)), 16: _steps(2, (1, 2, 5))},
         3: {26: _steps(3, (1, 2, 3)), 6: _steps(3, (1,)), 18: _steps(3, (1, 2))}}


def _places(places: npt.ArrayLike, costs: np.ndarray, name: str) -> np.ndarray:
    """Indices of places, one place a row, which may be counted from the end, as NumPy does."""
    indices = np.asarray(places)
    if indices.size == 0:
        raise ValueError(f"{name} has no cell; pass the index of one, such as {(0,) * costs.ndim}")
    if indices.dtype.kind not in "iu":
        raise TypeError(f"{name} has {indices.dtype}, and must have whole numbers: indices of cells")
    if indices.dtype.kind == "u" and indices.max() >= 2**63:  # which would become negative
        raise ValueError(f"{name} has {indices.max()}, and costs have the shape {costs.shape}")
    indices = indices.astype(np.int64)
    if indices.ndim != 2 and indices.size % costs.ndim == 0:  # a single place; or numbers of cells along one axis
        indices = indices.reshape(-1, costs.ndim)
    if indices.ndim != 2 or indices.shape[1] != costs.ndim:
        raise ValueError(f"{name} has indices of the shape {indices.shape}, and costs have {costs.ndim} "
                         f"{'axes' if costs.ndim > 1 else 'axis'}; pass one index for each, such as {(0,) * costs.ndim}")
    if not (indices.view(np.uint64) >= costs.shape).any():  # negative ones are large then
        return indices
    wrapped = np.where(indices < 0, indices + costs.shape, indices)
    outside = ((wrapped < 0) | (wrapped >= costs.shape)).any(axis=1)
    if outside.any():
        raise ValueError(f"{name} has {_text(indices[outside][0])}, and costs have the shape {costs.shape}")
    return wrapped


def _text(index: np.ndarray) -> str:
    return str(tuple(index.tolist()))


def _refuse_barriers(starts: np.ndarray, costs: np.ndarray) -> None:
    values = costs[tuple(starts.T)]
    barred = ~((values >= 0) & (values < np.inf))
    if barred.any():
        raise ValueError(f"starts has {_text(starts[barred][0])}, whose cost is {values[barred][0]}: a barrier, as "
                         "negative and infinite costs and NaN are; start beside it") from None


def _pairs(places: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Rows and columns, as the library has places: rows of 3 axes are numbered through all planes."""
    if costs.ndim == 1:
        places = np.column_stack([np.zeros_like(places), places])
    elif costs.ndim == 3:
        places = np.column_stack([places[:, 0] * costs.shape[1] + places[:, 1], places[:, 2]])
    return np.ascontiguousarray(places)


def _indices(stops: np.ndarray, costs: np.ndarray) -> list[tuple[int, ...]]:
    """The reverse: the indices of the cells of a path."""
    row, column = stops["row"], stops["column"]
    parts = {1: (column,), 2: (row, column), 3: (*np.divmod(row, costs.shape[-2] if costs.ndim > 1 else 1), column)}
    return list(zip(*(part.tolist() for part in parts[costs.ndim])))


def _neighbours(offsets: npt.ArrayLike | None, fully_connected: bool, neighbours: int | None, axes: int) -> int:
    """The number of neighbours that has these steps."""
    if offsets is not None:
        if neighbours is not None:
            raise ValueError("offsets and neighbours are given; leave one of them out")
        steps = {tuple(step) for step in np.atleast_2d(np.asarray(offsets)).tolist()}
        for count, known in STEPS[axes].items():
            if steps == {tuple(step) for step in known.tolist()}:
                return count
        raise ValueError("offsets must be the steps to the " + (
            "2 neighbours of a cell; leave it out",
            "4 neighbours of a cell, to all 8, or to these and by a knight's moves; leave it out, and set neighbours to "
            "4, 8 or 16",
            "6 neighbours of a cell, to 18 or to all 26; leave it out, and set neighbours to 6, 18 or 26")[axes - 1])
    if neighbours is None:
        return list(STEPS[axes])[0 if fully_connected else 1]
    if neighbours not in STEPS[axes]:
        raise ValueError(f"neighbours is {neighbours!r}, and must be " + ("6, 18 or 26" if axes == 3 else "4, 8 or 16"))
    return neighbours


def _sides(sampling: npt.ArrayLike | None, axes: int) -> dict[str, float]:
    """The distances of cells along each axis, as the library names them."""
    if sampling is None:
        return {}
    sides = np.asarray(sampling, dtype=float)
    if sides.shape != (axes,) or not ((sides >= 1e-9) & (sides <= 1e9)).all():
        raise ValueError(f"sampling is {sampling!r}, and must be {axes} distances from 1e-9 to 1e9")
    return {f"spacing_{axis}": side for axis, side in enumerate(sides.tolist())}


MANY = 1000  # ends: looking for their limits would take too long
SMALL = 2**16  # cells: a search of all of them takes less time than looking for limits


def _straight(costs: np.ndarray, start: np.ndarray, end: np.ndarray, options: dict[str, Any]) -> float:
    """The cost of a path without detours, which is not shorter than the shortest; infinite if a barrier is on it."""
    away = np.abs(end - start)
    single = options["neighbours"] in (4, 6, 18)  # along one axis after the other
    step = np.arange((away.sum() if single else away.max()) + 1)
    before = np.cumsum(away) - away if single else np.zeros_like(away)
    done = [np.clip(step - first, 0, one) for first, one in zip(before, away)]
    values = costs[tuple(first + sign * count for first, sign, count in zip(start, np.sign(end - start), done))]
    if not ((values >= 0) & (values < np.inf)).all():
        return np.inf
    sides = [options.get(f"spacing_{axis}", 1) for axis in range(len(away))]
    lengths = np.sqrt(sum((side * np.diff(count)) ** 2 for side, count in zip(sides, done)))
    values = values.astype(np.float64)
    return float((lengths * (values[1:] + values[:-1])).sum() / 2)


def _farthest(costs: np.ndarray, starts: np.ndarray, ends: np.ndarray, every: bool, options: dict[str, Any]) -> float:
    """A distance that all ends, or the nearest one, have at most; infinite if none is known."""
    if len(ends) > MANY or len(starts) > MANY:
        return np.inf
    nearest = [starts[np.abs(starts - end).max(axis=1).argmin()] for end in ends]
    limits = [_straight(costs, start, end, options) for start, end in zip(nearest, ends)]
    return (max(limits) if every else min(limits)) * (1 + 1e-9)  # of sums in another order


class MCP_Geometric:
    """Distances and shortest paths on an array of costs, as skimage.graph.MCP_Geometric finds them.

    `find_costs` finds the distances of all cells from some starts, and `traceback` then the path to any cell. A step
    costs its length times the mean of the costs of its two cells. Distances are scikit-image's to the last bit. Of
    several shortest paths the one that is found may be another one.
    """

    def __init__(self, costs: npt.ArrayLike, offsets: npt.ArrayLike | None = None, fully_connected: bool = True,
                 sampling: npt.ArrayLike | None = None, *, neighbours: int | None = None) -> None:
        """Take the costs, which must not change while the object is used.

        Parameters
        ----------
        costs : array_like
            Costs of 1 to 3 axes. Cells of negative and infinite costs and NaN are barriers.
        offsets : sequence of tuple of int, optional
            Steps to the neighbours of a cell, which must be those that `neighbours` stands for.
        fully_connected : bool, optional
            Steps also lead to the diagonal neighbours.
        sampling : sequence of float, optional
            Distances of cells along each axis; 1 by default.
        neighbours : {4, 8, 16, 6, 18, 26}, optional
            In place of `offsets` and `fully_connected`; 16 adds a knight's moves. Of 3 axes 6, 18 or 26.

        Examples
        --------
        >>> import halobeat as hb
        >>> search = hb.MCP_Geometric([[1, 9, 1], [1, 9, 1], [1, 1, 1]], fully_connected=False)
        >>> distances, _ = search.find_costs([(0, 0)])
        >>> distances
        array([[0., 5., 6.],
               [1., 6., 5.],
               [2., 3., 4.]])
        >>> search.traceback((1, 2))
        [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2)]
        """
        self.costs = given(costs, "costs")
        count = _neighbours(offsets, fully_connected, neighbours, axes_of(self.costs, "costs"))
        self._options: dict[str, Any] = {"neighbours": count, **_sides(sampling, self.costs.ndim)}
        self._starts: np.ndarray | None = None
        self._found: np.ndarray | None = None

    @property
    def offsets(self) -> np.ndarray:
        """The steps to the neighbours of a cell, one a row."""
        return STEPS[self.costs.ndim][self._options["neighbours"]]

    @described
    def find_costs(self, starts: npt.ArrayLike, ends: npt.ArrayLike | None = None, find_all_ends: bool = True,
                   max_coverage: float = 1.0, max_cumulative_cost: float | None = None, max_cost: None = None, *,
                   nearest: bool = False, progress: Progress = None) -> tuple[np.ndarray, np.ndarray | None]:
        """Find the distance of every cell from the nearest of some starts.

        Parameters
        ----------
        starts : sequence of tuple of int
            Indices of the starts, none of which is a barrier.
        ends : sequence of tuple of int, optional
            Indices of cells: those farther away than the last of them count as not reached. Takes less time where they
            are near.
        find_all_ends : bool, optional
            False: those farther away than the first of `ends` count so.
        max_coverage : float, optional
            Only 1.
        max_cumulative_cost : float, optional
            Cells farther away than this, which is above 0, are not reached.
        max_cost : None, optional
            Only None: make cells of a larger cost barriers.
        nearest : bool, optional
            Find which start is the nearest, too.
        {progress}

        Returns
        -------
        cumulative_costs : ndarray
            Distances, float64; infinite where no path leads.
        nearest : ndarray or None
            Only with `nearest`, and not scikit-image's array of steps: number of the nearest start, from 1 on, int32; 0
            where no path leads. None otherwise.
        """
        if max_coverage != 1:
            raise ValueError(f"max_coverage is {max_coverage}, and must be 1; leave it out, and limit the search by "
                             "max_cumulative_cost")
        if max_cost is not None:
            raise ValueError("max_cost is given; leave it out, and make cells of a larger cost barriers: "
                             "numpy.where(costs > max_cost, -1, costs)")
        places = _places(starts, self.costs, "starts")
        targets = None if ends is None else _places(ends, self.costs, "ends")
        options = dict(self._options, max_distance=_limit(max_cumulative_cost))
        if targets is not None and self.costs.size > SMALL:
            limit = _farthest(self.costs, places, targets, find_all_ends, self._options)
            if 0 < limit < (options["max_distance"] or np.inf):
                options["max_distance"] = limit
        distances = np.empty(self.costs.shape)
        numbers = np.empty(self.costs.shape, np.int32) if nearest else None
        with watching(progress, "paths") as function:
            try:
                _halobeat.paths(get_ranks(), function, options, self.costs, _pairs(places, self.costs), distances,
                                numbers)
            except ValueError:
                _refuse_barriers(places, self.costs)  # whose places have names of Python then
                raise
        if targets is not None:
            to_ends = distances[tuple(targets.T)]
            beyond = distances > (to_ends.max() if find_all_ends else to_ends.min())
            distances[beyond] = np.inf
            if numbers is not None:
                numbers[beyond] = 0
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
        place = _places(np.reshape(np.asarray(end), (1, -1)), self.costs, "end")
        try:
            trail = _halobeat.paths_trace(get_ranks(), None, self._options, self.costs, self._found,
                                          _pairs(self._starts, self.costs), _pairs(place, self.costs))
        except ValueError as error:
            if "not those of these costs" not in str(error):
                raise
            raise ValueError("costs, or the distances that find_costs returned, have changed since; call find_costs "
                             "again") from None
        stops = np.frombuffer(trail, STOP)
        if len(stops) == 0:
            raise ValueError(f"no path leads to {_text(place[0])}")
        return _indices(stops, self.costs)

    def _words(self) -> str:
        shape = " x ".join(map(str, self.costs.shape))
        found = "" if self._starts is None else f", distances from {_counted(len(self._starts), 'start')}"
        return f"{shape} costs of {self.costs.dtype}, {len(self.offsets)} neighbours{found}"

    def __repr__(self) -> str:
        return f"<MCP_Geometric of {self._words()}>"

    def _repr_html_(self) -> str:
        if self._found is None:
            return f"<p>MCP_Geometric of {self._words()}</p>"
        found = self._found[len(self._found) // 2] if self.costs.ndim == 3 else self._found
        return _picture.html(_shades(found), SHADES, self._words() + ": white is near, black is not reached" +
                             (", the plane in the middle" if self.costs.ndim == 3 else ""))


SHADES = 256


def _shades(distances: np.ndarray) -> np.ndarray:
    """Some distances, at most a picture's worth, as shades from 0 to 200, and 255 where no path leads."""
    some = np.atleast_2d(distances)
    some = some[tuple(slice(None, None, -(-n // _picture.MOST)) for n in some.shape)]
    reached = np.isfinite(some)
    most = some.max(where=reached, initial=0) or 1
    return np.where(reached, 200 * np.where(reached, some, 0) / most, SHADES - 1).astype(np.uint8)


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _limit(max_cumulative_cost: float | None) -> float | None:
    """The largest distance, None: there is no limit."""
    if max_cumulative_cost is None or max_cumulative_cost == np.inf:
        return None
    if not 0 < max_cumulative_cost <= 1e300:
        raise ValueError(f"max_cumulative_cost is {max_cumulative_cost}, and must be above 0, and at most 1e300; leave "
                         "it out to reach all cells")
    return max_cumulative_cost


@described
def route_through_array(array: npt.ArrayLike, start: npt.ArrayLike, end: npt.ArrayLike, fully_connected: bool = True,
                        geometric: bool = True, *, sampling: npt.ArrayLike | None = None, progress: Progress = None
                        ) -> tuple[list[tuple[int, ...]], float]:
    """Find the shortest path between two cells, as skimage.graph.route_through_array does with geometric=True.

    Parameters
    ----------
    array : array_like
        Costs of 1 to 3 axes, as of `MCP_Geometric`.
    start : tuple of int
        Index of the first cell.
    end : tuple of int
        Index of the last one.
    fully_connected : bool, optional
        Steps also lead to the diagonal neighbours.
    geometric : bool, optional
        Only True: steps cost their length times the mean of the costs of their cells.
    sampling : sequence of float, optional
        Distances of cells along each axis; 1 by default.
    {progress}

    Returns
    -------
    path : list of tuple of int
        Indices of the cells. Of several shortest paths, it may be another one than scikit-image's.
    cost : float
        Its cost, which is scikit-image's to the last bit.

    Examples
    --------
    >>> import halobeat as hb
    >>> hb.route_through_array([[1, 9, 1], [1, 9, 1], [1, 1, 1]], (0, 0), (0, 2), fully_connected=False)
    ([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)], 6.0)
    """
    if not geometric:
        raise ValueError("geometric is False, and sums of costs without lengths of steps are not found here; leave it "
                         "out, or use skimage.graph.route_through_array")
    costs = given(array, "array")
    axes_of(costs, "array")
    search = MCP_Geometric(costs, None, fully_connected, sampling)
    starts = _places(np.reshape(np.asarray(start), (1, -1)), search.costs, "start")
    ends = np.reshape(np.asarray(end), (1, -1)) if costs.size > SMALL else None
    distances, _ = search.find_costs(starts, ends, progress=progress)
    path = search.traceback(end)
    return path, float(distances[path[-1]])
