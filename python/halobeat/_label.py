"""Labelling of connected regions."""

from __future__ import annotations

import os
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import apart, axes_of, given, whole
from ._failures import named_files
from ._files import axes_of_file
from ._options import check_names, takes
from ._processes import handle_of, together
from ._program import check_options, run_program, words_of
from ._progress import Progress, watching
from ._ranks import get_ranks

NEIGHBOURS = ((), (2,), (4, 8), (6, 18, 26))  # by axes, and by the steps along axes that neighbours may be away
# The same steps by the numbers that cc3d takes, also of volumes for arrays of fewer axes.
STEPS = ({}, {4: 1, 6: 1, 8: 1, 18: 1, 26: 1}, {4: 1, 6: 1, 8: 2, 18: 2, 26: 2}, {6: 1, 18: 2, 26: 3})


class StructureError(ValueError, AssertionError):
    """A structure that is not symmetric. scipy raises AssertionError; it is an argument that is wrong."""


def _checked(structure: npt.ArrayLike, axes: int) -> np.ndarray:
    wanted = np.asarray(structure, dtype=bool)
    if wanted.ndim != axes:
        raise RuntimeError("structure and input must have equal rank")
    if any(n != 3 for n in wanted.shape):
        raise ValueError(f"structure has the shape {wanted.shape}, and structure dimensions must be equal to 3")
    if not np.array_equal(wanted, np.flip(wanted)):
        raise StructureError("structuring element is not symmetric: with an element that is a neighbour, that at the "
                             "opposite side of the centre must be one; pass structure | numpy.flip(structure)")
    return wanted


def _steps_of_structure(structure: npt.ArrayLike, axes: int) -> int | None:
    """How many steps along axes a neighbour of this structure may be away; None if it is another one."""
    wanted = _checked(structure, axes)
    away = np.abs(np.indices(wanted.shape) - 1).sum(axis=0)
    for steps in range(1, axes + 1):
        if np.array_equal(wanted | (away == 0), away <= steps):
            return steps
    return None


def steps_of(structure: npt.ArrayLike | None, connectivity: int | None, axes: int) -> int | None:
    """How many steps along axes a neighbour may be away; None if the structure is another one."""
    if structure is not None:
        if connectivity is not None:
            raise ValueError("structure and connectivity both say which elements are neighbours; pass one of them")
        return _steps_of_structure(structure, axes)
    if connectivity is None:
        return 1
    number = whole(connectivity, "connectivity")
    steps = STEPS[axes].get(number, number)
    if not 1 <= steps <= axes:
        neighbours = " or ".join(map(str, NEIGHBOURS[axes]))
        raise ValueError(f"connectivity is {number}, and must be from 1 to {axes}, the number of axes: it is the "
                         "greatest number of steps along axes between neighbours, as scikit-image has it; or the number "
                         f"of neighbours, as cc3d has it: {neighbours}")
    return steps


def _taken(input: npt.ArrayLike, output: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """The array, and that of the labels if it is given."""
    array = given(input)
    if not isinstance(output, np.ndarray):
        return array, None
    if output.shape != array.shape:
        raise ValueError(f"output has the shape {output.shape}, and must have that of input, {array.shape}")
    return array, output


def neighbours_of(structure: npt.ArrayLike | None, connectivity: int | None, array: np.ndarray,
                  name: str = "input") -> dict[str, Any]:
    """The options that say which elements are neighbours."""
    steps = steps_of(structure, connectivity, axes_of(array, name))
    if steps is None:
        return {"structure": "".join("1" if one else "0" for one in np.asarray(structure, dtype=bool).flat)}
    return {"connectivity": NEIGHBOURS[array.ndim][steps - 1]}


def written(labels: np.ndarray, count: int, output: Any) -> np.ndarray:
    """Labels from 1 to `count` in the array, or of the type, that `output` is."""
    result = output if isinstance(output, np.ndarray) else np.empty(labels.shape, np.int32 if output is None else output)
    if result.shape != labels.shape:
        raise ValueError(f"output has the shape {result.shape}, and must have that of input, {labels.shape}")
    if result.dtype.kind not in "fiub" or result.dtype.type(count) != count:
        raise RuntimeError(f"{count} regions are more than labels of {result.dtype} can be; use labels of int32 or int64")
    result[...] = labels
    return result


def _labels(array: np.ndarray, into: np.ndarray | None, output: Any, size: int,
            options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Where labels are written to, by default of the type that scipy chooses, and the array that is read then."""
    if into is not None:
        return into, apart(array, into, same=not options.get("values"))
    standard = np.int32 if size < 2**31 - 2 else np.intp
    return np.empty(array.shape, standard if output is None else output), array


def _label_strips(comm: Any, input: npt.ArrayLike, structure: npt.ArrayLike | None, output: Any,
                  connectivity: int | None, progress: Progress, options: dict[str, Any]) -> Any:
    handle = handle_of(comm)

    def prepare() -> tuple[np.ndarray, np.ndarray | None]:
        _check_names(options)
        array, into = _taken(input, output)
        options.update(neighbours_of(structure, connectivity, array))
        return array, into

    array, into = together(comm, prepare)
    size = comm.allreduce(array.size)
    labels, array = together(comm, lambda: _labels(array, into, output, size, options))
    with watching(progress if comm.rank == 0 else None, "label") as function:
        count = _halobeat.label(handle, function, options, array, labels)
    return count if into is not None else (labels, count)


def _label_scalar(array: np.ndarray, structure: npt.ArrayLike | None, output: Any, connectivity: int | None,
                  options: dict[str, Any]) -> Any:
    """An array of no axes has one element, and no neighbours."""
    if structure is not None and np.asarray(structure).ndim > 0:
        raise RuntimeError("structure and input must have equal rank")
    steps_of(structure if connectivity is not None else None, connectivity, 1)
    count = _halobeat.label(1, None, options, array.reshape(1), None)
    if isinstance(output, np.ndarray):
        output[...] = count
        return count
    return np.full((), count, np.int32 if output is None else output), count


def _label_file(path: str, structure: npt.ArrayLike | None, out: str | os.PathLike[str] | None,
                threshold: str | float | None, connectivity: int | None, progress: Progress,
                options: dict[str, Any]) -> int:
    periodic = [axis for axis in range(3) if options.pop(f"periodic_{axis}", None) and not options.get("periodic")]
    check_options("label", options)
    if structure is not None or connectivity is not None or periodic:
        axes = axes_of_file(path, options)
        if max(periodic, default=0) >= axes:
            raise ValueError(f"{path} has {axes} axes, and no axis {max(periodic)} to be periodic")
        steps = steps_of(structure, connectivity, axes)
        if steps is None:
            raise ValueError("regions of files have the neighbours of connectivity=1 to the number of axes, and no other "
                             "structure; read the file by imread, and label the array")
        options["connectivity"] = NEIGHBOURS[axes][steps - 1] if axes > 1 else None
        options["periodic_axes"] = ",".join("zyx"[3 - axes + axis] for axis in periodic) or None
    if threshold is None and not options.get("values"):
        threshold = "nonzero"
    options.update(output=out, threshold=threshold)
    result = run_program("label", path, words_of("label", options), 1 + (out is not None), progress)
    if "regions" not in result:
        raise ValueError(f"{path} stands for several images; label one after the other, or run halobeat label")
    return int(result["regions"])


def _check_names(options: dict[str, Any]) -> None:
    for name in ("return_num", "return_N"):  # of scikit-image and of cc3d
        if name in options:
            raise TypeError(f"label() has no option {name!r}, since it always returns the number of regions, too; leave it "
                            "out: labels, n = label(...)")
    of_files = ("out", "threshold")
    known = label.__signature__.parameters  # type: ignore[attr-defined]
    check_names(label, options, [name for name in known if name not in of_files])


@overload
def label(input: npt.ArrayLike, structure: npt.ArrayLike | None, output: np.ndarray, *,
          connectivity: int | None = None, comm: Any = None, progress: Progress = None, **options: Any) -> int: ...
@overload
def label(input: npt.ArrayLike, structure: npt.ArrayLike | None = None, *, output: np.ndarray,
          connectivity: int | None = None, comm: Any = None, progress: Progress = None, **options: Any) -> int: ...
@overload
def label(input: str | os.PathLike[str], structure: npt.ArrayLike | None = None, *,
          out: str | os.PathLike[str] | None = None, threshold: str | float | None = None,
          connectivity: int | None = None, progress: Progress = None, **program: Any) -> int: ...
@overload
def label(input: npt.ArrayLike, structure: npt.ArrayLike | None = None, output: npt.DTypeLike | None = None, *,
          out: None = None, threshold: None = None,
          connectivity: int | None = None, comm: Any = None, progress: Progress = None, **options: Any) -> \
    tuple[np.ndarray, int]: ...


@takes("label", "connectivity", "structure")
def label(input: npt.ArrayLike | os.PathLike[str], structure: npt.ArrayLike | None = None,
          output: npt.DTypeLike | np.ndarray | None = None, *, out: str | os.PathLike[str] | None = None,
          threshold: str | float | None = None, connectivity: int | None = None, comm: Any = None,
          progress: Progress = None, **options: Any) -> Any:
    """Label the connected regions of an array, as scipy.ndimage.label does.

    Elements that are not 0 are foreground, NaN among them; with `values`, regions are neighbouring elements of equal
    value. Regions are numbered from 1 in the order of their first elements.

    Parameters
    ----------
    input : array_like, str or path
        Array of 1 to 3 axes of whole numbers, float16, float32, float64 or bool, in any layout; it is not copied. Or the
        name of a file, as of `imread`, which the program halobeat labels without having all of it in memory: whatever
        options ``halobeat label --help`` has are keywords then, such as ``fill_holes=True`` for ``--fill-holes``.
    structure : array_like, optional
        Which elements are neighbours: an array of 3 elements along each axis, symmetric about its centre. Others than
        those of scipy.ndimage.generate_binary_structure take several times as long.
    output : dtype or ndarray, optional
        Type of the labels, int32 unless there may be more; or an array of the input's shape, also the input itself,
        to which they are written.
    out : str or path, optional
        Only for files: the file that labels are written to, in the format that the ending of its name says (.zarr, .tif,
        .npy, .nii, .h5 and others). Without it regions are counted.
    threshold : str or float, optional
        Only for files: the foreground, as of the option ``--threshold`` of the program: "nonzero", the default, where
        NaN and missing elements are background; 110, elements of 110 and more; "40%", those of 40 % of white or
        of the range, and more; "10..90", of 10 to 90, both among them; "otsu".
    connectivity : int, optional
        The same as `structure`, as scikit-image has it: neighbours are at most so many steps along axes away, from 1
        (the default: 4 neighbours in an image, 6 in a volume) to ``input.ndim`` (8, 26). Or the number of neighbours, as
        cc3d has it: 4 or 8, and 6, 18 or 26, which are 4 and 8 in an image.
    comm : mpi4py.MPI.Intracomm, optional
        All ranks of this communicator call the function at the same time, each with its strip, along axis 0, of one
        larger array; strips follow one another by ranks, and may be empty. Results are those of the whole array. It
        takes a libhalobeat_mpi that was built with the MPI of mpi4py. `progress` and Ctrl-C are those of rank 0; if a
        rank fails, all do.
    {progress}
    {options}
    Returns
    -------
    labels : ndarray
        Array of the input's shape: 0 in the background, and numbers of regions. It is not returned if `output` is an
        array, or the input a file.
    num_features : int
        Number of regions.

    Examples
    --------
    >>> import halobeat as hb
    >>> labels, n = hb.label([[1, 1, 0, 1], [0, 0, 0, 1]])
    >>> n
    2
    >>> labels
    array([[1, 1, 0, 2],
           [0, 0, 0, 2]], dtype=int32)
    """
    if isinstance(input, (str, os.PathLike)):
        if output is not None or comm is not None:
            raise ValueError("labels of a file are written to a file, by one process; name it by out=, in place of "
                             "output or comm")
        with named_files(read=input, written=out):
            return _label_file(os.fspath(input), structure, out, threshold, connectivity, progress, options)
    if out is not None or threshold is not None:
        raise ValueError("out and threshold are for files; of an array, write labels to output=, and pass array >= "
                         "110 or the like, as threshold=110 is of files")
    if comm is not None:
        return _label_strips(comm, input, structure, output, connectivity, progress, options)
    if options:
        _check_names(options)
    array, into = _taken(input, output)
    if array.ndim == 0:
        return _label_scalar(array, structure, output, connectivity, options)
    options.update(neighbours_of(structure, connectivity, array))
    labels, array = _labels(array, into, output, array.size, options)
    if progress is None:
        count = _halobeat.label(get_ranks(), None, options, array, labels)
    else:
        with watching(progress, "label") as function:
            count = _halobeat.label(get_ranks(), function, options, array, labels)
    return count if into is not None else (labels, count)
