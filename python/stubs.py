"""Makes __init__.pyi and filters.pyi of the package from its sources and from the tables of options: stubs.py PACKAGE.

NumPy need not be there: the package itself is not imported, only its extension and _options."""

import ast
import importlib
import re
import sys
import textwrap
import types
from pathlib import Path

HEAD = '''# Made by python/stubs.py from the sources of the package and the library's tables of options.
import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Union, overload

import numpy as np
import numpy.typing as npt

'''


def load(folder):
    """The modules _halobeat and _options, without __init__."""
    package = types.ModuleType("halobeat")
    package.__path__ = [str(folder)]
    sys.modules["halobeat"] = package
    return importlib.import_module("halobeat._halobeat"), importlib.import_module("halobeat._options")


def definitions(folder):
    """Functions and classes by name, and other assignments, of all sources; and the overloads of functions."""
    found, overloads = {}, {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and "overload" in map(ast.unparse, node.decorator_list):
                overloads.setdefault(node.name, []).append(node)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, node)
    return found, overloads


def public(folder):
    for node in ast.parse((folder / "__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    raise SystemExit("__init__.py has no __all__")


def table_of(node):
    """The arguments of a decorator takes(...): the table and what is left out of it."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "takes":
            return [ast.literal_eval(one) for one in decorator.args]
    return None


def function(node, options, indent=""):
    """A function with its keywords, and without its body."""
    table = table_of(node)
    if table is not None:
        if node.args.kwarg.arg == "options":  # by another name, it takes others besides
            node.args.kwarg = None
        for row in options.rows_of(*table):
            node.args.kwonlyargs.append(ast.arg(row["name"], ast.parse(options.annotation(row), mode="eval").body))
            node.args.kw_defaults.append(ast.Constant(options.default(row)))
    kept = [one for one in node.decorator_list if not isinstance(one, ast.Call) and ast.unparse(one) != "described"]
    lines = [f"{indent}@{ast.unparse(one)}\n" for one in kept]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    text = ast.get_docstring(node, clean=False)
    body = " ..."
    if text:
        text = options.with_progress(text) if table is None else options.describe(text, *table)
        body = f'\n{indent}    """{text}"""'
    return "".join(lines) + f"{indent}def {node.name}({ast.unparse(node.args)}){returns}:{body}\n"


def overloaded(node, ways, options):
    """Each way to call a function, with its keywords; the last one, the most general, has the text.

    An array also stands for its dtype, and a str may be an array: ways overlap, the first one counts, and mypy is told so.
    """
    for way in ways:
        way.decorator_list += node.decorator_list
        way.body = [ast.Expr(ast.Constant(...))]
    ways[-1].body = node.body
    texts = [function(way, options) for way in ways]
    return "".join(text.replace("@overload\n", "@overload  # type: ignore[misc]\n") for text in texts[:-1]) + texts[-1]


def stub(node, ways, options):
    if isinstance(node, ast.FunctionDef):
        return overloaded(node, ways, options) if ways else function(node, options)
    lines = [f"class {node.name}" + (f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else "") + ":\n"]
    text = ast.get_docstring(node, clean=False)
    if text:
        lines.append(f'    """{text}"""\n')
    for one in node.body:
        if isinstance(one, ast.AnnAssign):
            lines.append(f"    {ast.unparse(one.target)}: {ast.unparse(one.annotation)}\n")
        elif isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name.startswith("__")):
            lines.append(function(one, options, "    "))
    return "".join(lines)


def filters(folder, extension):
    """Writes the types of halobeat.filters, whose functions are made of the library's table."""
    texts = importlib.import_module("halobeat._filter_texts")
    text = ast.get_docstring(ast.parse((folder / "filters.py").read_text()), clean=False)
    parts = [f'"""{text}"""\n\nfrom typing import Any\n\nimport numpy as np\nimport numpy.typing as npt\n\n']
    for name in sorted(extension.filters):
        about = extension.filters[name]
        written = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(texts.signature(about)))
        parts.append(f'def {name}{written}:\n    """{textwrap.indent(texts.docstring(about), "    ").strip()}\n    """\n\n')
    text = "".join(parts).rstrip("\n") + "\n"
    ast.parse(text)
    (folder / "filters.pyi").write_text(text)


def main(folder):
    extension, options = load(folder)
    known, overloads = definitions(folder)
    parts = [HEAD, f"Progress = {ast.unparse(known['Progress'].value)}\n\n"]
    for name in public(folder):
        if name in known and not isinstance(known[name], ast.Assign):
            parts.append(stub(known[name], overloads.get(name), options) + "\n")
        elif name == "__version__":
            parts.append("__version__: str\n\n")
        elif (folder / f"{name}.py").exists():
            parts.append(f"from halobeat import {name} as {name}\n\n")
        else:
            base = getattr(extension, name).__base__.__name__
            parts.append(f'class {name}({base}):\n    """{getattr(extension, name).__doc__}"""\n\n')
    text = "".join(parts).rstrip("\n") + "\n"
    ast.parse(text)
    (folder / "__init__.pyi").write_text(text)
    filters(folder, extension)


main(Path(sys.argv[1]).resolve())
