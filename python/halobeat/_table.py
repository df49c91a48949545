"""Tables of results."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

SHOWN = 20  # rows in a notebook


class Table(dict):
    """Columns by name: a dict of arrays of one length, as scikit-image's tables are, for pandas.DataFrame(table).

    Notebooks show it as a table.
    """

    def _repr_html_(self) -> str:
        rows = len(next(iter(self.values()))) if self else 0
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in self)
        lines = ["<tr>" + "".join(f"<td>{_text(column[i])}</td>" for column in self.values()) + "</tr>"
                 for i in range(min(rows, SHOWN))]
        more = f"<p>{rows} rows; the first {SHOWN} are shown.</p>" if rows > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, np.floating) else str(value)


def table_of(columns: list[tuple[str, str, bytearray]]) -> Table:
    """The columns that the library has returned."""
    return Table((name, np.frombuffer(data, code)) for name, code, data in columns)
