"""Refusals that the tables of options imply: refusals.py PROGRAM FOLDER LAUNCHER...

The program prints its tables as JSON (--options). For every row, command lines follow that must be
refused with status 2 and one message that names the option. Now and then several ranks are started
by LAUNCHER, of which one speaks.
"""

import json
import os
import subprocess
import sys

program, folder, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
RANKS_EVERY = 60  # starting several ranks takes longer
WHOLE = 2.0**53  # larger limits are those of 64 bits


def number(value):
    return str(int(value)) if value == int(value) else repr(value)


def bad_values(row):
    """Values that the row's type does not take."""
    low, high = row["min"], row["max"] if row["max"] > row["min"] else None
    kind = row["type"]
    if kind == "integer":
        yield from ["", "x", "1.5", " 7", "+7", "7 ", "0x7", "1e3", "9" * 20]
        if not (row["word"] and low <= 1):
            yield number(low - 1)
        if high is not None and high < WHOLE:
            yield number(high + 1)
    elif kind == "real":
        yield from ["", "x", "nan", "inf", "1,5", " 1", "1 ", "0x1", "1e999", "--1"]
        if low <= 0:
            yield number(low - 1) if low < 0 else "-0.5"
        else:
            yield number(low / 2)
        if high is not None:
            yield number(high * 2)
    elif kind == "share":
        yield from ["", "x", "nan", "-0.1", "101%", "1.5", "5%%", "0x1"]
    elif kind == "choice":
        yield from ["", "nonsense"]
        first = row["choices"].strip("|").split("|")[0]
        yield first + "x"
        yield first.upper()
    elif kind == "output" and row["choices"] and not row["own_parser"]:
        ending = row["choices"].split("|")[0]
        yield from ["", ending, "file" + ending + "x", "file"]
    elif kind in ("input", "text", "output"):
        yield ""


def good_value(row):
    """A value that the row takes, or None if only its own parser knows."""
    kind = row["type"]
    if kind == "flag":
        return []
    if row["default"] is not None:
        return [row["default"]]
    if kind == "choice":
        return [row["choices"].strip("|").split("|")[0]]
    if kind in ("integer", "real", "share") and not row["own_parser"]:
        return [number(row["min"])]
    if kind in ("output", "input", "text"):
        ending = row["choices"].split("|")[0] if row["choices"] else ""
        return [os.path.join(folder, "given" + ending)]
    return None


def cases(rows):
    """(what must be named, command line) for one command."""
    named = {row["name"]: row for row in rows}
    arguments = [folder + "/image.png" for row in rows if row["argument"] and row["required"]]
    if rows[0]["command"] == "bench":
        arguments = ["decomposition"]
    for row in rows:
        if row["argument"]:
            continue
        option = "--" + row["name"]
        for value in bad_values(row):
            yield option, [f"{option}={value}", *arguments]
        for alias in (row["aliases"] or "").split("|"):
            for value in list(bad_values(row))[:1] if alias else []:
                yield f"--{alias}", [f"--{alias}={value}", *arguments]
        own = good_value(row)
        if own is None:
            continue
        line = [option, *own] if own == [] else [f"{option}={own[0]}"]
        if row["needs"]:
            yield option, [*line, *arguments]
        for other in (row["excludes"] or "").split("|"):
            value = good_value(named[other]) if other in named else None
            if value is not None:
                more = [f"--{other}"] if value == [] else [f"--{other}={value[0]}"]
                yield option, [*line, *more, *arguments]
    for row in rows:
        if row["argument"] and row["required"]:
            yield None, []


def refused(command, name, line, ranks):
    """What is wrong with how it is refused, or None."""
    start = launcher if ranks else []
    run = subprocess.run([*start, program, command, *line], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=120, cwd=folder)
    said = [text for text in run.stderr.splitlines() if text.startswith(f"halobeat {command}: ")]
    if run.returncode != 2:
        return f"status {run.returncode}: {run.stderr[-300:]}"
    if len(said) != 1:
        return f"{len(said)} messages: {run.stderr[-300:]}"
    if name is not None and name not in said[0]:
        return f"{name} is not named: {said[0]}"
    if run.stdout:
        return f"standard output: {run.stdout[:100]}"
    return None


def main():
    rows = json.loads(subprocess.run([program, "--options"], capture_output=True, check=True).stdout)
    commands = sorted({row["command"] for row in rows})
    count = wrong = 0
    for command in commands:
        for name, line in cases([row for row in rows if row["command"] == command]):
            count += 1
            fault = refused(command, name, line, count % RANKS_EVERY == 0)
            if fault is not None:
                wrong += 1
                print(f"halobeat {command} {' '.join(line)}: {fault}")
    print(f"{count} command lines of {len(commands)} commands, {wrong} not refused as they should be")
    if count < 50 * len(commands):
        print("that is too few: the tables have been misread")
        return 1
    return 1 if wrong else 0


sys.exit(main())
