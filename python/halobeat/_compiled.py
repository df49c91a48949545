"""Addresses of compiled functions and kernels."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import sys
import threading
from typing import Any

import numpy as np

from . import _halobeat

FIRST_PAGE = 4096  # bytes at least, which are never mapped


def address_of(function: Any) -> int | None:
    """The address of a compiled function; None: it is one of Python."""
    found = _of_ctypes(function)
    if found is None:
        found = _of_cffi(function)
    if found is None:
        found = getattr(function, "address", None)  # of numba
    if isinstance(found, int):
        return _checked(found)
    try:
        if not isinstance(function, (bool, np.bool_)):
            return _checked(operator.index(function))
    except TypeError:
        if callable(function):
            return None
    raise TypeError(f"the stencil is {function!r}, and must be a function of Python, a function of ctypes, of cffi or by "
                    "numba's cfunc, or the address of a compiled one")


def _of_ctypes(function: Any) -> int | None:
    if isinstance(function, (ctypes._CFuncPtr, ctypes.c_void_p)):  # type: ignore[attr-defined]
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    return None


def _of_cffi(function: Any) -> int | None:
    """The address of a pointer to a function, of void, or of a number; cffi is loaded if it is of cffi."""
    cffi: Any = sys.modules.get("_cffi_backend")
    if cffi is None:
        return None
    if isinstance(getattr(function, "__self__", None), cffi.Lib):  # Python can call it, with numbers only
        raise TypeError(f"the stencil is {function!r}, which cffi calls; pass its address: "
                        f"ffi.addressof(lib, {function.__name__!r})")
    if not isinstance(function, cffi.FFI.CData):
        return None
    ffi = cffi.FFI()
    kind = ffi.typeof(function)
    if kind.kind == "primitive" or kind.kind == "function" or kind is ffi.typeof("void *"):
        return int(ffi.cast("uintptr_t", function))
    raise TypeError(f"the stencil is {function!r}, and must be a pointer to a function")


def _checked(address: int) -> int:
    """The address, if a function can be there: nothing is in the first page, nor beyond the bits of a pointer."""
    if not FIRST_PAGE <= address < 2**63:
        raise ValueError(f"the stencil's address is {address}, where no function can be; pass the function of ctypes "
                         "itself, or ctypes.cast(function, ctypes.c_void_p).value")
    return address


class _Kept:
    """With it, exceptions of functions behind addresses go to the calls that they are of, and not to
    sys.unraisablehook, which prints them. Several threads may be in it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.calls = 0
        self.previous: Any = None
        self.hook: Any = None

    def __enter__(self) -> None:
        with self.lock:
            self.calls += 1
            if self.calls == 1:
                self.previous = sys.unraisablehook
                self.hook = functools.partial(_halobeat.callbacks_keep, self.previous)
                sys.unraisablehook = self.hook

    def __exit__(self, *_: Any) -> None:
        with self.lock:
            self.calls -= 1
            if self.calls == 0 and sys.unraisablehook is self.hook:  # nobody has set another one since
                sys.unraisablehook = self.previous


exceptions_kept = _Kept()


def exported(path: str) -> int:
    """The address of what a shared object exports as its kernel. The object stays loaded."""
    loaded = ctypes.CDLL(path if os.sep in path else os.path.join(os.curdir, path))
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(loaded, "halo_exported_kernel"))
    except ValueError:
        raise _halobeat.FormatError(
            f'"{path}" exports no kernel; export it by HALO_KERNEL_EXPORT(its table)') from None


def options_text(kernel_options: dict[str, Any] | None) -> str | None:
    """The options of a kernel as a text of the library."""
    words = []
    for name, value in (kernel_options or {}).items():
        text = str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
        if "," in text:
            raise ValueError(f"kernel_options has {value!r} for {name}, and values have no commas")
        words.append(f"{name}={text}")
    return ",".join(words) or None
