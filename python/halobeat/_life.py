"""Life and other cellular automata."""

from __future__ import annotations

import html as markup
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat, _picture
from ._arrays import axes_of, given, listed, whole
from ._options import check_names, described, named, takes
from ._progress import Progress, watching
from ._ranks import get_ranks


MOST = 2**62  # of generations, rows and columns
SIDE = 10000
MOST_SHOWN = SIDE**2  # cells in a picture
OWN = ("_rule", "_kept", "_lock", "_process", "_grid")  # attributes of a Life


def _whole(value: int, name: str, least: int) -> int:
    value = whole(value, name)
    if not least <= value <= MOST:
        raise ValueError(f"{name} is {value}, and must be {'0' if least == 0 else '-2**62'} to 2**62")
    return value


class Life:
    """A grid of Life, or of another rule, that is kept between runs with a bit for each cell.

    Copies, also by pickle, are grids of their own, with the cells at the time. Those of a class that is made of this one
    have its further attributes, too.
    """

    @takes("life", "rule")
    def __init__(self, rule: str = "B3/S23", grid: npt.ArrayLike = ((0,),), **options: Any) -> None:
        """Take the cells of an array.

        Parameters
        ----------
        rule : str, optional
            Births and survivals, as in B3/S23 and 345/2/4, or a name such as highlife, as Golly has them.
        grid : array_like
            Cells of 2 axes: alive where they are not 0; of rules with more states than two, the states, in any type of
            numbers.
        {options}
        Examples
        --------
        >>> import halobeat as hb
        >>> glider = hb.Life("B3/S23", [[0, 1, 0], [0, 0, 1], [1, 1, 1]], topology="plane")
        >>> glider.run(400).live
        (100, 100, 3, 3)
        >>> glider.grid
        array([[0, 1, 0],
               [0, 0, 1],
               [1, 1, 1]], dtype=uint8)
        """
        check_names(Life.__init__, options)
        if not isinstance(rule, str):
            raise TypeError(f"rule is of {type(rule)}, and must be a text such as 'B3/S23'; pass cells as grid=")
        self._rule = rule
        self._kept = {name: options.get(name) for name in ("topology", "stop_when_still")}
        self._lock = threading.Lock()
        self._process = 0  # in which the last call computed
        cells = given(grid, "grid")
        axes_of(cells, "grid", 2, 2)
        with named("Life", {}):
            self._grid = _halobeat.life(get_ranks(), None, dict(options, rule=rule), cells)

    @contextmanager
    def _alone(self) -> Iterator[Any]:
        if not self._lock.acquire(blocking=False):
            if self._process != os.getpid():
                raise RuntimeError("a thread computed on this grid when this process was forked off, and has left it "
                                   "undone here; make the Life again, or fork between calls")
            raise RuntimeError("another call computes on this grid; wait for its end, or make a Life of its own")
        self._process = os.getpid()
        try:
            yield self._grid
        finally:
            self._lock.release()

    def _state(self) -> dict[str, Any]:
        with self._alone() as grid:
            return _state_of(grid)

    def __reduce__(self) -> tuple[Any, ...]:
        with self._alone() as grid:
            state = _state_of(grid)
            row, column, rows, columns = state["box"]
            cells = _cells_of(grid, row, column, (max(rows, 1), max(columns, 1)))
        options = dict(self._kept, generation=state["generation"], row=row, column=column)
        more = self.__getstate__()  # of a class that is made of this one
        own, slots = more if isinstance(more, tuple) and len(more) == 2 else (more, None)
        if isinstance(own, dict):
            own = {name: value for name, value in own.items() if name not in OWN}
        return _made_again, (type(self), self._rule, cells, options), ((own, slots) if slots else own or None)

    @described
    def run(self, generations: int, *, progress: Progress = None) -> Life:
        """Compute some generations; fewer, with stop_when_still, where nothing changes any more.

        Parameters
        ----------
        generations : int
            How many.
        {progress}

        Returns
        -------
        life : Life
            The same object. After Ctrl-C it is at the generation that it has reached.
        """
        generations = _whole(generations, "generations", 0)
        with self._alone() as grid, watching(progress, "life") as function:
            _halobeat.life_run(get_ranks(), function, None, grid, generations, None)
        return self

    @described
    def populations(self, generations: int, *, progress: Progress = None) -> np.ndarray:
        """Compute some generations, and return the number of cells that are alive after each of them.

        Parameters
        ----------
        generations : int
            How many.
        {progress}

        Returns
        -------
        populations : ndarray
            int64, an element for each generation.
        """
        generations = _whole(generations, "generations", 0)
        counts = np.zeros(max(generations, 1), np.int64)
        with self._alone() as grid, watching(progress, "life") as function:
            _halobeat.life_run(get_ranks(), function, None, grid, generations, counts)
        return counts[:generations]

    def cells(self, row: int, column: int, shape: tuple[int, int]) -> np.ndarray:
        """Return some cells; those beyond the grid are dead.

        Parameters
        ----------
        row : int
            The first row, counted from that of the array which the grid was made of.
        column : int
            The first column.
        shape : tuple of int
            Rows and columns.

        Returns
        -------
        cells : ndarray
            States, uint8.
        """
        sides = tuple(_whole(side, "a side of shape", 0) for side in listed(shape, "shape", "2 whole numbers"))
        if len(sides) != 2:
            raise ValueError(f"shape is {shape}, and must be rows and columns")
        with self._alone() as grid:
            return _cells_of(grid, _whole(row, "row", -MOST), _whole(column, "column", -MOST), sides)

    @property
    def grid(self) -> np.ndarray:
        """All cells, as a new array of uint8: on an axis that grows, those between the outermost that are alive."""
        row, column, rows, columns = self._state()["box"]
        return self.cells(row, column, (rows, columns))

    @property
    def generation(self) -> int:
        """The number of generations since the array."""
        return self._state()["generation"]

    @property
    def population(self) -> int:
        """The number of cells that are not dead."""
        return self._state()["population"]

    @property
    def live(self) -> tuple[int, int, int, int]:
        """Row, column, rows and columns of the box of all cells that are not dead."""
        return self._state()["live"]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Row, column, rows and columns of the grid."""
        return self._state()["box"]

    @property
    def still(self) -> bool:
        """The last run ended before its generations, since nothing changed."""
        return self._state()["still"]

    @property
    def rule(self) -> str:
        """The rule, in its usual notation."""
        return self._state()["rule"]

    @property
    def states(self) -> int:
        """The number of states of the rule."""
        return self._state()["states"]

    @property
    def topology(self) -> str:
        """What is beyond the edges of the grid, in words."""
        return self._state()["topology"]

    def __repr__(self) -> str:
        try:
            state = self._state()
        except RuntimeError:
            return f"<Life {self._rule}, on which another call computes>"
        return f"<Life {state['rule']}, generation {state['generation']}, population {state['population']}>"

    def _repr_html_(self) -> str:
        with self._alone() as grid:
            state = _state_of(grid)
            row, column, rows, columns = state["box"]
            shown, which = (rows, columns), ""
            if rows * columns > MOST_SHOWN:  # looking at all of them would take too long
                height = min(rows, max(SIDE, MOST_SHOWN // columns))
                shown = (height, min(columns, MOST_SHOWN // height))
                row, column = row + (rows - shown[0]) // 2, column + (columns - shown[1]) // 2
                which = f"; shown are the {shown[0]} x {shown[1]} from row {row} and column {column} on"
            cells = _picture.shrunk(lambda first, count: _cells_of(grid, row + first, column, (count, shown[1])), *shown)
        return _picture.html(cells, state["states"],
                             f"{markup.escape(state['rule'])}, generation {state['generation']}, "
                             f"population {state['population']}, {rows} x {columns} cells{which}")


def _state_of(grid: Any) -> dict[str, Any]:
    return _halobeat.life_state(0, None, None, grid)


def _cells_of(grid: Any, row: int, column: int, shape: tuple[int, ...]) -> np.ndarray:
    states = np.zeros(shape, np.uint8)
    if states.size:
        _halobeat.life_get(get_ranks(), None, None, grid, row, column, states)
    return states


def _made_again(kind: type[Life], rule: str, cells: np.ndarray, options: dict[str, Any]) -> Life:
    """A copy of a grid, which pickle makes."""
    life = kind.__new__(kind)
    Life.__init__(life, rule, cells, **options)
    return life
