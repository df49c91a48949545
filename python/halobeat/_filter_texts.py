"""Parameters and texts of filters, from the table of the library."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

from ._options import PROGRESS, Row, default

PAIRS = {"S|S,S,S": "float or sequence of float", "LOW,HIGH": "(low, high) or str", "FILE|NUMBER": "array_like or number",
         "FILE": "array_like"}


def _type(row: Row) -> str:
    """The type of a value, for the docstring."""
    if row["type"] == "choice":
        return "{" + ", ".join(repr(one) for one in row["choices"].strip("|").split("|")) + "}"
    return PAIRS.get(row["value"], "float, sequence or str" if row["type"] in ("text", "custom") else row["type"])


def _annotation(row: Row) -> str:
    """The annotation of a value."""
    if row["value"] in ("FILE", "FILE|NUMBER"):
        return "npt.ArrayLike"
    kind = row["type"] if row["type"] in ("float", "int", "bool") else "Any"
    if row["type"] == "choice": # such as an axis, all or 0
        kind = "int | str" if any(one.lstrip("-").isdigit() for one in row["choices"].split("|")) else "str"
    return kind if kind == "Any" or row["required"] or default(row) is not None else f"{kind} | None"


def _parameters(rows: list[Row]) -> Iterator[inspect.Parameter]:
    kinds = inspect.Parameter
    yield kinds("input", kinds.POSITIONAL_OR_KEYWORD, annotation="npt.ArrayLike")
    for row in rows:
        if row["required"]:
            yield kinds(row["name"], kinds.POSITIONAL_OR_KEYWORD, annotation=_annotation(row))
        else:
            yield kinds(row["name"], kinds.POSITIONAL_OR_KEYWORD, default=default(row), annotation=_annotation(row))
    yield kinds("dtype", kinds.KEYWORD_ONLY, default=None, annotation="npt.DTypeLike")
    yield kinds("channel_axis", kinds.KEYWORD_ONLY, default=None, annotation="int | None")
    yield kinds("output", kinds.KEYWORD_ONLY, default=None, annotation="np.ndarray | None")
    yield kinds("progress", kinds.KEYWORD_ONLY, default=None, annotation="Any")


def _described(row: Row) -> str:
    value = "" if row["required"] else ", optional"
    known = row["unless"] or ("" if row["required"] or default(row) is None else repr(default(row)))
    text = row["help"] + "." + (f" Default: {known}." if known else "")
    return f"{row['name']} : {_type(row)}{value}\n" + textwrap.indent(textwrap.fill(text, 112), "    ") + "\n"


def docstring(about: dict[str, Any]) -> str:
    rows = "".join(_described(row) for row in about["options"])
    return (textwrap.fill(about["help"] + f". As {about['authority']}; docs/filters.md names the differences.", 116) +
            "\n\nParameters\n----------\ninput : array_like\n    Array of 1 to 3 axes.\n" + rows +
            "dtype : dtype, optional\n    Type of the result, if the filter can make several.\n"
            "channel_axis : int, optional\n    Axis of colours or other channels, each of which is filtered by itself.\n"
            "output : ndarray, optional\n    Array to which the result is written.\n" + PROGRESS +
            "\n\nReturns\n-------\nresult : ndarray\n    The filtered array, which is `output` if that is given.\n")


def signature(about: dict[str, Any]) -> inspect.Signature:
    """The parameters of a filter, with the annotations of the file of types."""
    return inspect.Signature(list(_parameters(about["options"])), return_annotation="np.ndarray")
