"""Files of images and volumes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _halobeat
from ._arrays import axes_of, given
from ._failures import named_files, named_options
from ._options import takes
from ._progress import Progress, watching


class ImageInfo(dict):
    """What a file says about its image: a dict, which notebooks show as a table.

    ``spacing`` is by axis of the array, None where it is not known; ``unit`` that of spacing and origin, or ""; ``origin``
    and ``direction`` the place of the first element's centre and the directions of x, y and z, or None.
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
                     origin=place[0] if place else None, direction=place[1] if place else None, note=about["note"])


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


@takes("imread", "colours", "solid")
def imread(path: str | os.PathLike[str], *, colours: bool | None = None, return_info: bool = False,
           progress: Progress = None, **options: Any) -> Any:
    """Read an image or a volume: PNG, TIFF, JPEG, PNM, NumPy, NIfTI, MetaImage, NRRD, MRC, zarr, HDF5 and others.

    Parameters
    ----------
    path : str or path
        File, folder of slices, pattern such as slice-%04d.png, or folder of zarr; also with what to read behind it, as
        x.tif:c=1,t=0. The format is found by the content.
    colours : bool, optional
        Colours become red, green and blue in the last axis, unless this is False: then greys, by Rec. 709 luma. Pixels
        with alpha are blended with black. By default arrays, as of .npy, are read as they are, whatever their last axis
        is; True and False take a last axis of 3 or 4 elements of uint8 or uint16 for the colours of pixels.
    return_info : bool, optional
        Return what the file says of its image, too.
    progress : bool or callable, optional
        As of `label`.
    {options}
    Returns
    -------
    image : ndarray
        Elements of the file's type; bool for those of 1 bit.
    info : ImageInfo
        Only with `return_info`: a dict with spacing, unit, origin and others.
    """
    reading = _Reading(colours)
    options["solid"] = colours is None
    with watching(progress, "imread") as function, named_options(), named_files(read=path):
        for _ in range(2):
            options["colours"] = bool(reading.colours)
            _halobeat.imread(0, function, options, path, reading)
            if reading.memory is not None:
                break
    array = reading.array()
    return (array, _info(reading.about, array.shape)) if return_info else array


class _Opened(Exception):
    """Ends the reading of a file of which only the head is wanted."""


def axes_of_file(path: str | os.PathLike[str]) -> int:
    """The number of axes of an image or a volume. Exceptions as of `imread`."""
    axes = []

    def take(about: dict[str, Any]) -> None:
        axes.append(about["axes"])
        raise _Opened

    try:
        _halobeat.imread(0, None, {}, path, take)
    except _Opened:
        pass
    return int(axes[0])


def _spacing_options(spacing: float | Sequence[float | None], axes: int) -> dict[str, float | None]:
    sides = np.broadcast_to(np.asarray(spacing, dtype=object), (axes,)).tolist()
    known = np.array([side for side in sides if side is not None], dtype=float)
    if not (np.isfinite(known) & (known > 0)).all():
        raise ValueError(f"spacing is {spacing!r}, and must be distances above 0, or None where it is not known")
    return dict(zip(("spacing_x", "spacing_y", "spacing_z"), sides[::-1]))


@takes("imwrite", "spacing_x", "spacing_y", "spacing_z")
def imwrite(path: str | os.PathLike[str], array: npt.ArrayLike, *, colours: bool | None = None,
            spacing: float | Sequence[float | None] | None = None, progress: Progress = None, **options: Any) -> None:
    """Write an image or a volume in the format that the ending of the name says.

    Parameters
    ----------
    path : str or path
        Name that ends in .png, .tif, .npy, .nii, .nii.gz, .mha, .mhd, .nrrd, .zarr, .h5, .pgm, .ppm or .raw. The file
        appears when it is complete.
    array : array_like
        Image or volume; the formats have different types.
    colours : bool, optional
        The last of 3 axes has red, green and blue. By default, if it has 3 elements of uint8 and the name ends in .png,
        .ppm or .tif.
    spacing : float or sequence of float, optional
        Distance of elements along each axis; None where it is not known, as in what `imread` returns: written as 1 if
        other axes have one.
    progress : bool or callable, optional
        As of `label`.
    {options}
    """
    image = given(array, "array")
    axes = axes_of(image, "array")
    name = os.fspath(path)
    if image.size == 0:
        raise ValueError(f"array has the shape {image.shape}, and no elements to write")
    if colours is None:
        colours = axes == 3 and image.shape[-1] == 3 and image.dtype == np.uint8 and \
            os.path.splitext(name)[1] in (".png", ".ppm", ".tif", ".tiff")
    elif colours and axes != 3:
        raise ValueError(f"array has {axes} axes, and colours need 3")
    if spacing is not None:
        options.update(_spacing_options(spacing, axes - bool(colours)))
    options["unit"] = options.get("unit") or None
    if image.dtype == bool:
        image = image.astype(np.uint8) * np.uint8(255 if name.endswith(".png") else 1)
    image = np.ascontiguousarray(image, image.dtype.newbyteorder("="))
    with watching(progress, "imwrite") as function, named_options(), named_files(written=path):
        _halobeat.imwrite(0, function, options, name, image, bool(colours))
