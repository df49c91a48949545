"""Keywords, their texts and limits, from the tables of the library."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from . import _halobeat

Function = TypeVar("Function", bound=Callable[..., Any])
MARK = "    {options}\n"
ANNOTATIONS = {"bool": "bool", "int": "int", "float": "float", "choice": "str", "text": "str | float"}


def _type(row: dict[str, str]) -> str:
    if row["type"] == "choice":
        return "{" + ", ".join(repr(one) for one in row["choices"].strip("|").split("|")) + "}"
    if row["type"] == "text":
        word = row["value"].partition("|")[2]
        return f"number or {word!r}" if word else "number or str"
    return row["type"]


def _default(row: dict[str, str]) -> Any:
    """The default as a value of Python; the library knows it by itself, so that it need not be passed."""
    text = row["default"]
    if row["type"] == "bool":
        return text == "true"
    if row["type"] == "int":
        return int(text or 0) if (text or "0").lstrip("-").isdigit() else text
    if row["type"] == "float":
        return float(text or 0) if "%" not in (text or "") else float(text.rstrip("%")) / 100
    return text


def _wrapped(text: str, indent: str) -> str:
    import textwrap
    return textwrap.fill(text, 116, initial_indent=indent, subsequent_indent=indent)


def _described(row: dict[str, str]) -> str:
    default = _default(row)
    text = row["help"] + "."
    if row["type"] in ("int", "float"):
        text += f" It takes {row['takes']}."
    known = row["unless"] or ("" if default is None else repr(default))
    known = known and ", default " + known
    return f"    {row['name']} : {_type(row)}{known}\n{_wrapped(text, ' ' * 8)}\n"


def takes(table: str, *replaced: str) -> Callable[[Function], Function]:
    """Give a function with ``**options`` the keywords of a table, but for those that its own parameters replace.

    Its docstring has a line ``{options}`` where they are described.
    """
    rows = [row for row in _halobeat.options[table] if row["name"] not in replaced]

    def give(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        own += [inspect.Parameter(row["name"], inspect.Parameter.KEYWORD_ONLY, default=_default(row),
                                  annotation=ANNOTATIONS[row["type"]] + " | None") for row in rows]
        function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        if function.__doc__:
            function.__doc__ = function.__doc__.replace(MARK, "".join(map(_described, rows)))
        return function

    return give
