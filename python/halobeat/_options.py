"""Keywords, their texts and limits, from the tables of the library."""

from __future__ import annotations

import inspect
import operator
import re
import textwrap
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from . import _halobeat

Function = TypeVar("Function", bound=Callable[..., Any])
Row = dict[str, Any]
MARK = "{options}\n"
PROGRESS = """\
progress : bool or callable, optional
    True shows a bar of tqdm, or a line of text. A function is called about every 50 ms with what is done and how much
    there is to do, 0 if that is not known. It ends the call by an exception."""


def rows_of(table: str, *replaced: str) -> list[Row]:
    """The rows of a table, but for those that a function's own parameters replace."""
    return [row for row in _halobeat.options[table] if row["name"] not in replaced]


# The words for a value stand for these, as a type and in a docstring; other words are values themselves.
PARTS = {"VALUE": ("float", "number"), "X": ("float", "number"), "NUMBER": ("int", "int"), "NAME": ("str", "str")}


def _parts(row: Row) -> list[str]:
    """The words for a value of a text."""
    return (row["value"] or "").split("|")


def _is_range(row: Row) -> bool:
    return row["type"] == "custom" and _parts(row)[0] == "LOW..HIGH"


def annotation(row: Row) -> str:
    """The type of a keyword; None stands for the default."""
    if _is_range(row):
        return "str | tuple[float, float] | None"
    kinds = {"bool": "bool", "int": "int", "float": "float"}
    found = ["str"] + [PARTS[part][0] for part in _parts(row) if part in PARTS and row["type"] == "text"]
    return " | ".join(dict.fromkeys([kinds[row["type"]]] if row["type"] in kinds else found)) + " | None"


def default(row: Row) -> Any:
    """The default as a value of Python. The library knows it by itself, so that it need not be passed."""
    text = row["default"]
    if row["type"] == "bool":
        return text == "true"
    if row["type"] in ("int", "float") and not row["unless"]:
        try:
            number = float((text or "0").rstrip("%")) / (100 if (text or "").endswith("%") else 1)
            return int(number) if row["type"] == "int" else number
        except ValueError:
            return text
    return text


def _kind(row: Row) -> str:
    """The type as docstrings of NumPy have it."""
    if row["type"] == "choice":
        return "{" + ", ".join(repr(one) for one in row["choices"].strip("|").split("|")) + "}"
    parts = _parts(row)
    if row["type"] == "text" and all(part in PARTS or re.fullmatch("[a-z]+", part) for part in parts):
        words = [PARTS[part][1] if part in PARTS else repr(part) for part in parts]
        return " or ".join(words) if set(parts) & set(PARTS) else "{" + ", ".join(words) + "}"
    return "(low, high) or str" if _is_range(row) else {"text": "str", "custom": "str"}.get(row["type"], row["type"])


def _described(row: Row, indent: str) -> str:
    value = default(row)
    known = row["unless"] or ("" if value is None else repr(value))
    text = row["help"] + "." + (f" It takes {row['takes']}." if row["type"] in ("int", "float", "custom") else "")
    return f"{indent}{row['name']} : {_kind(row)}{known and ', default ' + known}\n" + \
        textwrap.fill(text, 120, initial_indent=indent + "    ", subsequent_indent=indent + "    ") + "\n"


def take_range(options: dict[str, Any]) -> None:
    """Make a text of a range that is a pair of numbers."""
    pair = options.get("range")
    if isinstance(pair, (tuple, list)) and len(pair) == 2:
        options["range"] = "..".join(map(_digits, pair))


def _digits(number: Any) -> str:
    try:
        return str(operator.index(number))
    except TypeError:
        return repr(float(number))


def with_progress(text: str) -> str:
    """The docstring with what all functions have in place of a line {progress}."""
    return re.sub(r"^( *)\{progress\}$", lambda mark: textwrap.indent(PROGRESS, mark[1]), text, flags=re.MULTILINE)


def described(function: Function) -> Function:
    """Complete the docstring of a function that has no keywords of a table."""
    function.__doc__ = with_progress(function.__doc__ or "")
    return function


def describe(text: str, table: str, *replaced: str) -> str:
    """The docstring with the keywords of a table in place of a line {options}, and with {progress}."""
    text = with_progress(text)
    before, mark, after = text.partition(MARK)
    if not mark:
        return text
    indent = before[len(before.rstrip(" ")):]
    return before.rstrip(" ") + "".join(_described(row, indent) for row in rows_of(table, *replaced)) + "\n" + \
        after.lstrip("\n")


def check_names(function: Callable[..., Any] | str, options: Iterable[str], names: Collection[str] | None = None,
                where: str = "") -> None:
    """Refuse keywords that are none of these names, or of those that `takes` gave the function, as the extension refuses
    what its table has no row for."""
    known = names if names is not None else function.__signature__.parameters  # type: ignore[union-attr]
    for name in options:
        if name not in known or name == "self":
            called = function if isinstance(function, str) else function.__qualname__.removesuffix(".__init__")
            its = ", ".join(one for one in known if one != "self")
            raise TypeError(f"{called}() has no option {name!r}{where}; it has {its}")


class named:
    """With ``named(function, names)``: sentences of the library about values of options have the names that a function
    of Python has for these."""

    def __init__(self, function: str, names: dict[str, str]) -> None:
        self.function = function
        self.names = names

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if kind is not ValueError:
            return
        sentence = re.sub(r"^\w+: (\w+) takes ", lambda found: f"{self.function}: "
                          f"{self.names.get(found[1], found[1])} takes ", str(error))
        if sentence != str(error):
            raise ValueError(sentence) from None


def takes(table: str, *replaced: str) -> Callable[[Function], Function]:
    """Give a function with ``**options`` the keywords of a table, but for those that its own parameters replace."""
    rows = rows_of(table, *replaced)

    def give(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        own += [inspect.Parameter(row["name"], inspect.Parameter.KEYWORD_ONLY, default=default(row),
                                  annotation=annotation(row)) for row in rows]
        function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        if function.__doc__:
            function.__doc__ = describe(function.__doc__, table, *replaced)
        return function

    return give
