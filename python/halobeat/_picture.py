"""Pictures that notebooks show."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Sequence

import numpy as np

MOST = 400  # pixels of a side
STRIP = 2**22  # cells at a time


def _shrunk(cells: np.ndarray) -> np.ndarray:
    """At most MOST pixels a side, each the largest of its cells."""
    return _shrunk_by(cells, [-(-n // MOST) for n in cells.shape])


def _shrunk_by(cells: np.ndarray, steps: Sequence[int]) -> np.ndarray:
    for axis, step in enumerate(steps):
        if step > 1:
            cells = np.maximum.reduceat(cells, np.arange(0, cells.shape[axis], step), axis=axis)
    return cells


def shrunk(read: Callable[[int, int], np.ndarray], rows: int, columns: int) -> np.ndarray:
    """The same of an array whose rows `read(first, count)` returns, some at a time."""
    step = -(-rows // MOST) or 1
    count = step * max(1, STRIP // max(step * columns, 1))
    strips = [_shrunk_by(read(first, min(count, rows - first)), (step, -(-columns // MOST)))
              for first in range(0, rows, count)]
    return np.concatenate(strips) if strips else np.zeros((0, columns), np.uint8)


def png(greys: np.ndarray) -> bytes:
    """A PNG file of an image of uint8."""
    rows, columns = greys.shape
    lines = np.zeros((rows, columns + 1), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = greys

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(lines.tobytes(), 6)) + chunk(b"IEND", b"")


def html(cells: np.ndarray, states: int, caption: str) -> str:
    """An image of cells as HTML: states from black on white."""
    if cells.size == 0:
        return f"<p>{caption}</p>"
    small = _shrunk(cells).astype(np.float64)
    greys = np.round(255 * (1 - small / max(states - 1, 1))).astype(np.uint8)
    scale = max(1, MOST // max(greys.shape))
    data = base64.b64encode(png(greys)).decode()
    return (f'<figure style="margin:0"><img width="{scale * greys.shape[1]}" height="{scale * greys.shape[0]}" '
            f'style="image-rendering:pixelated;border:1px solid #ccc" src="data:image/png;base64,{data}"/>'
            f"<figcaption>{caption}</figcaption></figure>")
