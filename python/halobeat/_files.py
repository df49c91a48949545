"""Files of images and volumes."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import HALF, axes_of, given, numbers_of
from ._failures import named_files, named_options
from ._options import check_names, takes
from ._progress import Progress, watching


class ImageInfo(dict):
    """What a file says about its image: a dict, which notebooks show as a table.

    ``spacing`` is by axis of the array, None where it is not known; ``unit`` that of spacing and origin, or ""; ``origin``
    and ``direction`` the place of the first element's centre and the directions of x, y and z, or None; ``anatomical``
    if their components point to the left, the back and the head of a patient.
    """

    def _repr_html_(self) -> str:
        import html
        rows = "".join(f"<tr><td>{name}</td><td>{html.escape(str(value))}</td></tr>" for name, value in self.items())
        return f"<table>{rows}</table>"


def _info(about: dict[str, Any], shape: tuple[int, ...]) -> ImageInfo:
    place = about["place"]
    spacing = tuple(side or None for side in about["spacing"][:about["axes"]][::-1])
    return ImageInfo(format=about["format"], kind=about["kind"], shape=shape, bits=about["bits"],
                     channels=about["channels"], spacing=spacing, unit=about["unit"],
                     origin=place[0] if place else None, direction=place[1] if place else None,
                     anatomical=about["anatomical"], note=about["note"])


class _Reading:
    """Makes the array that the rows of a file are read to."""

    def __init__(self, colours: bool | None) -> None:
        self.colours = colours
        self.about: dict[str, Any] = {}
        self.memory: np.ndarray | None = None
        self.shape: tuple[int, ...] = ()

    def __call__(self, about: dict[str, Any]) -> np.ndarray | None:
        self.about = about
        if about["colourful"] and self.colours is None and not about["colours"]:
            self.colours = True
            return None  # open it once more, for colours
        planes, height, width = about["planes"], about["height"], about["width"]
        self.shape = {1: (height,), 2: (height, width), 3: (planes, height, width)}[about["axes"]]
        if about["colours"]:
            self.shape += (3,)
            self.memory = np.empty(self.shape, f"u{about['cell_bits'] // 8}")
        elif about["cell_bits"] == 1:
            self.memory = np.empty((planes * height, about["row_bytes"]), np.uint8)
        else:
            self.memory = np.empty(self.shape, about["dtype"])
        return self.memory

    def array(self) -> np.ndarray:
        assert self.memory is not None
        if self.about["cell_bits"] != 1:
            return self.memory
        bits = np.unpackbits(self.memory, axis=1, count=self.about["width"], bitorder="little")
        return bits.view(bool).reshape(self.shape)


def _raw_options(shape: int | Sequence[int] | None, dtype: npt.DTypeLike, options: dict[str, Any]) -> dict[str, Any]:
    """Options for a file without a header."""
    if shape is None:
        if dtype is not None or options.get("offset"):
            raise ValueError("dtype and offset are of a file without a header; give its shape, too")
        return {"dtype": "u1"}  # so that messages tell of shape and dtype
    sizes = [operator.index(size) for size in (shape if np.ndim(shape) else (shape,))]  # type: ignore[union-attr]
    if not 1 <= len(sizes) <= 3 or min(sizes) < 1:
        raise ValueError(f"shape is {tuple(sizes)}, and must be 1 to 3 numbers of elements")
    planes, height, width = [0] * (3 - len(sizes)) + sizes if len(sizes) > 1 else (0, sizes[0], 1)
    return {"planes": planes, "height": height, "width": width,
            "dtype": np.dtype("u1" if dtype is None else dtype).str.lstrip("|")}


@takes("imread", "colours", "solid", "planes", "height", "width", "dtype")
def imread(path: str | os.PathLike[str], *, colours: bool | None = None, shape: int | Sequence[int] | None = None,
           dtype: npt.DTypeLike = None, return_info: bool = False, progress: Progress = None, **options: Any) -> Any:
    """Read an image or a volume, of any format that the program reads.

    These are PNG, TIFF, JPEG, PNM, NumPy's .npy and .npz, NIfTI, MetaImage, NRRD, MRC, HDF5, zarr, ASCII grids, and
    samples without a header.

    Parameters
    ----------
    path : str or path
        File, folder of slices, pattern such as slice-%04d.png, or folder of zarr; also with what to read behind it, as
        x.tif:c=1,t=0, or a level of OME-Zarr as x.ome.zarr/1. The format is found by the content.
    colours : bool, optional
        Colours become red, green and blue in the last axis, unless this is False: then greys, by Rec. 709 luma. Pixels
        with alpha are blended with black. By default arrays, as of .npy, are read as they are, whatever their last axis
        is; True and False take a last axis of 3 or 4 elements of uint8 or uint16 for the colours of pixels.
    shape : int or sequence of int, optional
        Of a file without a header, which ends with the last element.
    dtype : dtype, optional
        Type of its elements; uint8 by default.
    return_info : bool, optional
        Return what the file says of its image, too.
    {progress}
    {options}
    Returns
    -------
    image : ndarray
        Elements of the file's type; bool for those of 1 bit, float32 for float16, also where `dtype` says that. Its axes
        are those that the file has, also of one element, and 3 for a folder of slices; a TIFF file of one page is an
        image of 2 axes.
    info : ImageInfo
        Only with `return_info`: a dict with spacing, unit, origin and others.
    """
    check_names(imread, options)
    reading = _Reading(colours)
    options.update(_raw_options(shape, dtype, options), solid=colours is None)
    with watching(progress, "imread") as function, named_options(), named_files(read=path):
        for _ in range(2):
            options["colours"] = bool(reading.colours)
            _halobeat.imread(0, function, options, path, reading)
            if reading.memory is not None:
                break
    array = reading.array()
    if shape is not None:
        array = array.reshape(shape)  # of one axis, too
    return (array, _info(reading.about, array.shape)) if return_info else array


BYTES = (".png", ".pgm", ".pnm")  # where True becomes white
NIFTI = (".nii", ".gz")


class _Opened(Exception):
    """Ends the reading of a file of which only the head is wanted."""


CHOSEN = ("series", "page", "time", "channel", "as_stored", "follow_links")


def axes_of_file(path: str | os.PathLike[str], program: dict[str, Any] | None = None) -> int:
    """The number of axes of an image or a volume, read with these options of the program. Exceptions as of `imread`."""
    program = program or {}
    if program.get("stack"):
        return 3
    if program.get("shape") is not None:
        return len(re.findall(r"\d+", str(program["shape"])))
    options = {name: program[name] for name in CHOSEN if name in program}
    options["solid"] = bool(program.get("volume"))
    axes = []

    def take(about: dict[str, Any]) -> None:
        axes.append(about["axes"])
        raise _Opened

    try:
        _halobeat.imread(0, None, options, path, take)
    except _Opened:
        pass
    return int(axes[0])


def _spacing_options(spacing: float | Sequence[float | None], axes: int) -> dict[str, float | None]:
    sides = np.asarray(spacing, dtype=object)
    sides = np.broadcast_to(sides, (axes,)) if sides.ndim == 0 else sides
    known = numbers_of([side for side in sides.flat if side is not None], "spacing")
    if sides.shape != (axes,) or not (np.isfinite(known) & (known > 0)).all():
        raise ValueError(f"spacing is {spacing!r}, and must be {axes} distances above 0, or None where it is not known")
    return dict(zip(("spacing_x", "spacing_y", "spacing_z"), sides.tolist()[::-1]))


def _place(origin: Any, direction: Any) -> np.ndarray | None:
    """The origin, and the directions of x, y and z, of length 1."""
    if origin is None and direction is None:
        return None
    place = np.zeros((4, 3))
    place[1:] = np.eye(3)
    for name, value, rows in (("origin", origin, place[0]), ("direction", direction, place[1:])):
        if value is not None:
            given_rows = numbers_of(value, name)
            if given_rows.shape != rows.shape or not np.isfinite(given_rows).all():
                raise ValueError(f"{name} is {value!r}, and must be {'3 numbers' if rows.ndim == 1 else '3 directions of 3'}"
                                 " numbers, as of imread's info")
            rows[...] = given_rows
    lengths = np.linalg.norm(place[1:], axis=1)
    if not lengths.all() or abs(np.linalg.det(place[1:] / lengths[:, None])) < 1e-6:
        raise ValueError(f"direction is {direction!r}, and must be 3 directions that do not lie in a plane")
    place[1:] /= lengths[:, None]
    return place


@takes("imwrite", "spacing_x", "spacing_y", "spacing_z")
def imwrite(path: str | os.PathLike[str], array: npt.ArrayLike, *, colours: bool | None = None,
            info: Mapping[str, Any] | None = None, spacing: float | Sequence[float | None] | None = None,
            origin: Sequence[float] | None = None, direction: Sequence[Sequence[float]] | None = None,
            progress: Progress = None, **options: Any) -> None:
    """Write an image or a volume, in any format that the program writes.

    Formats store what they have a place for (docs/formats.md).

    Parameters
    ----------
    path : str or path
        Name whose ending says the format: .png, .tif, .tiff, .npy, .nii, .nii.gz, .mha, .mhd, .nrrd, .ome.zarr, .zarr,
        .h5, .hdf5, .pgm, .ppm, .pnm or .raw; or IMAGE.zarr/labels/NAME, a label layer of an image of OME-Zarr. The file appears when it is complete.
    array : array_like
        Image or volume; the formats have different types. bool stays what it is in .npy, .zarr and .h5, becomes 0 and 255
        in .png, .pgm and .pnm, and 0 and 1 in others. float16 stays what it is in .raw, and is written as float32 to
        others.
    colours : bool, optional
        The last of 3 axes has red, green and blue. By default, if it has 3 elements of uint8 and the name ends in .png,
        .ppm, .pnm or .tif.
    info : ImageInfo, optional
        What `imread` returned of the image that this one was made of, and which lies in the same place: its spacing, unit,
        origin and direction, unless they are given, too.
    spacing : float or sequence of float, optional
        Distance of elements along each axis; None where it is not known: written as 1 if other axes have one.
    origin : sequence of float, optional
        Place of the first element's centre, as x, y and z.
    direction : sequence of sequence of float, optional
        Directions in which x, y and z of the array point.
    {progress}
    {options}
    """
    check_names(imwrite, options)
    image = given(array, "array")
    axes = axes_of(image, "array")
    name = os.fspath(path)
    ending = os.path.splitext(os.fsdecode(name))[1].lower()
    if image.size == 0:
        raise ValueError(f"array has the shape {image.shape}, and no elements to write")
    if colours is None:
        colours = axes == 3 and image.shape[-1] == 3 and image.dtype == np.uint8 and \
            ending in (".png", ".ppm", ".pnm", ".tif", ".tiff")
    elif colours and axes != 3:
        raise ValueError(f"array has {axes} axes, and colours need 3")
    if colours and ending in NIFTI and image.dtype.name in ("uint8", "uint16") and \
            (image.itemsize, image.shape[-1]) != (1, 3):
        raise ValueError(f"{os.fsdecode(name)}: NIfTI has colours of 3 elements of uint8, and not {image.shape[-1]} of "
                         f"{image.dtype.name}; convert them, or use a name ending in .nrrd, .mha or .npy")
    if info is not None:
        if not isinstance(info, Mapping):
            raise TypeError(f"info is {info!r}, and must be what imread returns with return_info=True")
        spacing, origin, direction = (info.get(key) if value is None else value for key, value in
                                      (("spacing", spacing), ("origin", origin), ("direction", direction)))
        options = {"unit": info.get("unit"), "anatomical": info.get("anatomical")} | options
    if spacing is not None:
        options.update(_spacing_options(spacing, axes - bool(colours)))
    options["unit"] = options.get("unit") or None
    if ending == ".raw" and np.asarray(array).dtype.num == HALF.num:
        image = np.asarray(array, HALF).view(np.uint16)  # the library has no type for them
    if image.dtype == bool and ending in BYTES:
        image = image.astype(np.uint8) * np.uint8(255)
    image = np.ascontiguousarray(image, image.dtype.newbyteorder("="))
    with watching(progress, "imwrite") as function, named_options(), named_files(written=path):
        _halobeat.imwrite(0, function, options, name, image, bool(colours), _place(origin, direction))
