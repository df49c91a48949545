"""Life and other cellular automata."""

from __future__ import annotations

import html as markup
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat, _picture
from ._arrays import given
from ._options import takes
from ._progress import Progress, watching
from ._ranks import get_ranks


class Life:
    """A grid of Life, or of another rule, that is kept between runs with a bit for each cell."""

    @takes("life", "rule")
    def __init__(self, rule: str = "B3/S23", grid: npt.ArrayLike = ((0,),), **options: Any) -> None:
        """Take the cells of an array.

        Parameters
        ----------
        rule : str, optional
            Births and survivals, as in B3/S23 and 345/2/4, or a name such as highlife, as Golly has them.
        grid : array_like
            Cells of 2 axes: alive where they are not 0; of rules with more states than two, the states.
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
        options["rule"] = rule
        self._lock = threading.Lock()
        self._grid = _halobeat.life(get_ranks(), None, options, given(grid, "grid"))

    @contextmanager
    def _alone(self) -> Iterator[Any]:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another call computes on this grid; wait for its end, or make a Life of its own")
        try:
            yield self._grid
        finally:
            self._lock.release()

    def _state(self) -> dict[str, Any]:
        with self._alone() as grid:
            return _halobeat.life_state(0, None, None, grid)

    def run(self, generations: int, *, progress: Progress = None) -> Life:
        """Compute some generations; fewer, with stop_when_still, where nothing changes any more.

        Parameters
        ----------
        generations : int
            How many.
        progress : bool or callable, optional
            As of `label`.

        Returns
        -------
        life : Life
            The same object. After Ctrl-C it is at the generation that it has reached.
        """
        with self._alone() as grid, watching(progress, "life") as function:
            _halobeat.life_run(get_ranks(), function, None, grid, generations, None)
        return self

    def populations(self, generations: int, *, progress: Progress = None) -> np.ndarray:
        """Compute some generations, and return the number of cells that are alive after each of them.

        Parameters
        ----------
        generations : int
            How many.
        progress : bool or callable, optional
            As of `label`.

        Returns
        -------
        populations : ndarray
            int64, an element for each generation.
        """
        counts = np.zeros(max(generations, 1), np.int64)
        with self._alone() as grid, watching(progress, "life") as function:
            _halobeat.life_run(get_ranks(), function, None, grid, generations, counts)
        return counts[:max(generations, 0)]

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
        states = np.zeros(shape, np.uint8)
        if states.size:
            with self._alone() as grid:
                _halobeat.life_get(get_ranks(), None, None, grid, row, column, states)
        return states

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
        state = self._state()
        return f"<Life {state['rule']}, generation {state['generation']}, population {state['population']}>"

    def _repr_html_(self) -> str:
        state = self._state()
        row, column, rows, columns = state["box"]
        most = 10000  # a plane may have grown to a size that no picture shows
        cells = self.cells(row, column, (min(rows, most), min(columns, most)))
        return _picture.html(cells, state["states"],
                             f"{markup.escape(state['rule'])}, generation {state['generation']}, "
                             f"population {state['population']}, {rows} x {columns} cells")
