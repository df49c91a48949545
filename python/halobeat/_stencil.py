"""Beats of stencils."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, whole
from ._compiled import address_of, exceptions_kept, exported, options_text
from ._options import check_names, takes
from ._progress import Progress, watching
from ._ranks import get_ranks

INTERVAL = .05  # seconds between reports of progress, as the library's
MOST_BEATS = 2**63  # are too many
MOST_DEPTH = 2**20  # of a compiled stencil and of one of Python


def _output(array: np.ndarray, output: np.ndarray | None) -> np.ndarray:
    if output is None:
        return np.empty(array.shape, array.dtype.newbyteorder("="))
    if not isinstance(output, np.ndarray):
        raise TypeError(f"output is {output!r}, and must be an array")
    wanted = array.dtype.newbyteorder("=")
    if output.dtype.newbyteorder("=") != wanted or output.shape != array.shape:
        raise ValueError(f"output has {output.dtype} of the shape {output.shape}, and must have {wanted} of the shape "
                         f"{array.shape}, as the input")
    if not output.flags.writeable:
        raise ValueError("output is read-only; make a copy of it to write to")
    return output


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}, and must be True or False")
    return bool(value)


def _ends(periodic: bool | Sequence[bool], axes: int, options: dict[str, Any]) -> list[bool]:
    """Which axes are periodic, by `periodic` and by the options periodic_0 to periodic_2, which are taken away."""
    if isinstance(periodic, (bool, np.bool_)):
        flags = [bool(periodic)] * axes
    else:
        if not isinstance(periodic, (list, tuple, np.ndarray)) or len(periodic) != axes:
            raise TypeError(f"periodic is {periodic!r}, and must be True, False, or {axes} of these: one for each axis")
        flags = [_flag(one, "an element of periodic") for one in periodic]
    for axis in range(axes if options else 0):
        value = options.pop(f"periodic_{axis}", None)
        flags[axis] = flags[axis] or (value is not None and _flag(value, f"periodic_{axis}"))
    return flags


def _name_ends(ends: list[bool], options: dict[str, Any]) -> None:
    options.update({f"periodic_{axis}": True for axis, wraps in enumerate(ends) if wraps})


def _check_beats(beats: int, ends_by_itself: bool, how: str) -> None:
    if whole(beats, "beats") < 0 or beats == 0 and not ends_by_itself:
        raise ValueError(f"{beats} beats: there must be 1 or more, or 0 with {how}")
    if beats >= MOST_BEATS:
        raise ValueError(f"{beats} beats: there must be fewer than 2**63")


@takes("heat", "beats", "shape", "dtype", "instructions", "change_threshold", "margins")
def heat(input: npt.ArrayLike, beats: int, *, periodic: bool | Sequence[bool] = False,
         output: np.ndarray | None = None, progress: Progress = None, **options: Any) -> np.ndarray:
    """Conduct heat for some beats.

    In an image a cell becomes the mean of its four neighbours; in a volume, a quarter of itself and an eighth of each
    of its six neighbours. Beyond edges that are not periodic it is 0, unless `edge` is given.

    Parameters
    ----------
    input : array_like
        Temperatures of 2 or 3 axes, float32 or float64; other numbers become float64.
    beats : int
        How many; fewer with `tolerance`, and then 0 stands for as many as it takes.
    periodic : bool or sequence of bool, optional
        Opposite ends of all axes are neighbours, or those of axes whose element is True.
    output : ndarray, optional
        Array of the same shape and type, also the input itself, to which the temperatures are written.
    {progress}
    {options}
    Returns
    -------
    temperatures : ndarray
        A new array; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> plate = np.zeros((3, 5))
    >>> plate[1, 2] = 4
    >>> hb.heat(plate, 1)
    array([[0., 0., 1., 0., 0.],
           [0., 1., 0., 1., 0.],
           [0., 0., 1., 0., 0.]])
    """
    check_names(heat, options)
    array = given(input)
    axes_of(array, "input", 2, 3)
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    _check_beats(beats, bool(options.get("tolerance")), "a tolerance above 0")
    result = _output(array, output)
    array = apart(array, result)
    if periodic is not False or options:
        _name_ends(_ends(periodic, array.ndim, options), options)
    with watching(progress, "heat") as function:
        _halobeat.heat(get_ranks(), function, options, array, result, beats)
    return result


def _fill_margins(cells: np.ndarray, depth: int, periodic: list[bool]) -> None:
    """Cells beyond each edge become those at the opposite one; they are 0 otherwise, and stay so."""
    for axis, wraps in enumerate(periodic):
        if wraps and depth:
            line = np.moveaxis(cells, axis, 0)
            inner = len(line) - 2 * depth
            for i in range(depth):
                line[i] = line[depth + (i - depth) % inner]
                line[depth + inner + i] = line[depth + i % inner]


def _run_python(function: Callable[..., Any], array: np.ndarray, beats: int, depth: int, periodic: list[bool],
                converges: bool, report: Any) -> np.ndarray:
    """All cells at once in each beat; NumPy computes them."""
    inner = tuple(slice(depth, depth + n) for n in array.shape)
    old = np.zeros([n + 2 * depth for n in array.shape], array.dtype.newbyteorder("="))
    old[inner] = array
    new = np.zeros_like(old)
    due = 0.
    for beat in range(beats) if beats or not converges else iter(int, 1):
        _fill_margins(old, depth, periodic)
        cells = new[inner]
        returned = function(old, cells)
        if isinstance(returned, np.ndarray) and not np.may_share_memory(returned, cells):
            raise TypeError("the stencil's function returned an array, which is not looked at; write it to its second "
                            "parameter: new[...] = cells")
        if report is not None and (time.monotonic() >= due or beat + 1 == beats):
            report(beat + 1, beats)
            due = time.monotonic() + INTERVAL
        if converges and np.array_equal(old[inner], new[inner]):
            break
        old, new = new, old
    return old[inner]


@takes("stencil", "beats", "margins", "change_threshold")
def stencil(function: Callable[..., Any] | int | str | os.PathLike[str], input: npt.ArrayLike, beats: int, *,
            depth: int = 1, periodic: bool | Sequence[bool] = False, converges: bool = False,
            kernel_options: dict[str, Any] | None = None, output: np.ndarray | None = None,
            progress: Progress = None, **options: Any) -> np.ndarray:
    """Compute beats of a stencil of one's own.

    Parameters
    ----------
    function : callable, int, str or path
        A function of Python, ``f(old, new)``: `new` is an array of the input's shape to be filled in, `old` has the
        cells before the beat, and `depth` more of them on each side. It is called once a beat, on this thread; an
        exception ends the run. An array that it returns is refused, since it is not looked at.

        Or a compiled function: of ctypes, of cffi (``ffi.callback``, ``ffi.addressof(lib, "f")``), by numba's cfunc, or
        its address, which ranks call at the same time for their parts::

            int64_t f(const void *old, void *new, const int64_t *n, const int64_t *old_stride,
                      const int64_t *new_stride);

        computes ``n[0]`` to ``n[axes - 1]`` cells; `old` and `new` are the addresses of the first of them, strides are
        bytes from a cell to the next along each axis, that of the last axis being the size of a cell. It returns how
        many cells it has changed; a negative number ends the run. If it is one of Python, which ctypes, cffi or numba
        calls, an exception ends the run, and is raised here, also that of Ctrl-C; not what ``onerror`` of cffi takes.

        Or the name of a shared object with a kernel of one field, as `halobeat run` loads it, which has its own depth
        and whether it converges. It calls no function of the library, or is linked with it.
    input : array_like
        Cells of 1 to 3 axes.
    beats : int
        How many. 0 with `converges`: until nothing changes.
    depth : int, optional
        How far away the cells are that a cell depends on, 1 to 1048576.
    periodic : bool or sequence of bool, optional
        Opposite ends of all axes are neighbours, or those of axes whose element is True; beyond those of others cells
        are 0.
    converges : bool, optional
        End after a beat that changes nothing.
    kernel_options : dict, optional
        Options of the kernel of a shared object, by name.
    output : ndarray, optional
        Array of the same shape and type, also the input itself, to which cells are written.
    {progress}
    {options}
    Returns
    -------
    cells : ndarray
        A new array; `output`, if that is given.

    Examples
    --------
    >>> import halobeat as hb, numpy as np
    >>> def spread(old, new):
    ...     np.maximum(old[:-2], old[2:], out=new)
    >>> hb.stencil(spread, [0, 0, 0, 7, 0, 0, 0], 2)
    array([0, 7, 0, 7, 0, 7, 0])
    """
    check_names(stencil, options)
    array = given(input)
    axes = axes_of(array)
    path = os.fspath(function) if isinstance(function, (str, os.PathLike)) else None
    address = address_of(function) if path is None else exported(path)
    depth, beats = whole(depth, "depth"), whole(beats, "beats")
    if not 1 <= depth <= MOST_DEPTH:
        raise ValueError(f"depth is {depth}, and must be 1 to {MOST_DEPTH}")
    if path is None and kernel_options:
        raise ValueError("kernel_options are for the kernel of a shared object; a function gets none: leave them out")
    if path is not None and (depth != 1 or converges):
        raise ValueError("the kernel of a shared object has its own depth, and whether it converges; leave out depth and "
                         "converges")
    _check_beats(beats, converges or path is not None, "converges=True")
    result = _output(array, output)
    ends = _ends(periodic, axes, options)
    with watching(progress, "stencil") as report:
        if address is None:
            set_ones = [name for name, value in options.items() if value is not None]
            if set_ones:
                raise ValueError(f"{', '.join(set_ones)}: a function of Python has one rank; use a compiled one")
            result[...] = _run_python(function, array, beats, depth, ends, converges, report)  # type: ignore[arg-type]
            return result
        _name_ends(ends, options)
        array = apart(array, result)
        cells, into = (one.view(np.uint8) if one.dtype == bool else one for one in (array, result))
        if path is None:
            with exceptions_kept:
                _halobeat.stencil(get_ranks(), report, options, cells, into, address, beats, depth, converges)
        else:
            options["kernel_options"] = options_text(kernel_options)
            _halobeat.kernel(get_ranks(), report, options, array, result, address, beats, path)
    return result
