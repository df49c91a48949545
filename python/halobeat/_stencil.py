"""Beats of stencils."""

from __future__ import annotations

import ctypes
import operator
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given
from ._options import check_names, takes
from ._progress import Progress, watching
from ._ranks import get_ranks

FIRST_PAGE = 4096  # bytes at least, which are never mapped
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


@takes("heat", "beats", "shape", "dtype", "instructions", "change_threshold", "margins")
def heat(input: npt.ArrayLike, beats: int, *, output: np.ndarray | None = None, progress: Progress = None,
         **options: Any) -> np.ndarray:
    """Conduct heat for some beats.

    In an image a cell becomes the mean of its four neighbours; in a volume, a quarter of itself and an eighth of each
    of its six neighbours. Beyond edges that are not periodic it is 0, unless `edge` is given.

    Parameters
    ----------
    input : array_like
        Temperatures of 2 or 3 axes, float32 or float64; other numbers become float64.
    beats : int
        How many; fewer with `tolerance`.
    output : ndarray, optional
        Array of the same shape and type, also the input itself, to which the temperatures are written.
    progress : bool or callable, optional
        As of `label`.
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
    if array.dtype.kind in "bui":
        array = array.astype(np.float64)
    result = _output(array, output)
    array = apart(array, result)
    with watching(progress, "heat") as function:
        _halobeat.heat(get_ranks(), function, options, array, result, beats)
    return result


def _address(function: Any) -> int | None:
    """The address of a compiled function; None: it is one of Python."""
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return _checked(ctypes.cast(function, ctypes.c_void_p).value or 0)
    address = getattr(function, "address", None)  # of numba
    if isinstance(address, int):
        return _checked(address)
    try:
        if not isinstance(function, (bool, np.bool_)):
            return _checked(operator.index(function))
    except TypeError:
        if callable(function):
            return None
    raise TypeError(f"the stencil is {function!r}, and must be a function of Python, a function of ctypes, or the "
                    "address of a compiled one")


def _checked(address: int) -> int:
    """The address, if a function can be there: nothing is in the first page, nor beyond the bits of a pointer."""
    if not FIRST_PAGE <= address < 2**63:
        raise ValueError(f"the stencil's address is {address}, where no function can be; pass the function of ctypes "
                         "itself, or ctypes.cast(function, ctypes.c_void_p).value")
    return address


def _exported(path: str) -> int:
    """The address of what a shared object exports as its kernel. The object stays loaded."""
    loaded = ctypes.CDLL(path if os.sep in path else os.path.join(os.curdir, path))
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(loaded, "halo_exported_kernel"))
    except ValueError:
        raise _halobeat.FormatError(
            f'"{path}" exports no kernel; export it by HALO_KERNEL_EXPORT(its table)') from None


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
    for beat in range(beats) if beats or not converges else iter(int, 1):
        _fill_margins(old, depth, periodic)
        function(old, new[inner])
        if report is not None:
            report(beat + 1, beats)
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
        cells before the beat, and `depth` more of them on each side. Or the address of a compiled function, or one of
        ctypes or numba's cfunc, which ranks call at the same time for their parts::

            int64_t f(const void *old, void *new, const int64_t *n, const int64_t *old_stride,
                      const int64_t *new_stride);

        computes ``n[0]`` to ``n[axes - 1]`` cells; `old` and `new` are the addresses of the first of them, strides are
        bytes from a cell to the next along each axis, that of the last axis being the size of a cell. It returns how
        many cells it has changed; a negative number ends the run. Or the name of a shared object with a kernel of one
        field, as `halobeat run` loads it, which has its own depth and whether it converges. It calls no function of the
        library, or is linked with it.
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
    progress : bool or callable, optional
        As of `label`.
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
    address = _address(function) if path is None else _exported(path)
    depth, beats = operator.index(depth), operator.index(beats)
    if not 1 <= depth <= MOST_DEPTH:
        raise ValueError(f"depth is {depth}, and must be 1 to {MOST_DEPTH}")
    if beats < 0 or (beats == 0 and not converges and path is None):
        raise ValueError(f"{beats} beats: there must be 1 or more, or 0 with converges=True")
    result = _output(array, output)
    ends = _ends(periodic, axes, options)
    with watching(progress, "stencil") as report:
        if address is None:
            set_ones = [name for name, value in options.items() if value is not None]
            if set_ones:
                raise ValueError(f"{', '.join(set_ones)}: a function of Python has one rank; use a compiled one")
            result[...] = _run_python(function, array, beats, depth, ends, converges, report)  # type: ignore[arg-type]
            return result
        options.update({f"periodic_{axis}": True for axis in range(axes) if ends[axis]})
        array = apart(array, result)
        cells, into = (one.view(np.uint8) if one.dtype == bool else one for one in (array, result))
        if path is None:
            _halobeat.stencil(get_ranks(), report, options, cells, into, address, beats, depth, converges)
        else:
            options["kernel_options"] = ",".join(f"{name}={value}" for name, value in (kernel_options or {}).items()) \
                or None
            _halobeat.kernel(get_ranks(), report, options, array, result, address, beats, path)
    return result
