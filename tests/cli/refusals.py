"""Refusals and help that the tables of options imply:
refusals.py PROGRAM FOLDER IMAGE LAUNCHER...

The program prints its tables as JSON (--options). For every row, command lines follow that must be
refused with one message that names the option or the file, and leave FOLDER as it was. Now and then
several ranks are started by LAUNCHER, of which one speaks. The help of every command names all of
its options and their choices.
"""

import json
import os
import signal
import subprocess
import sys

program, folder, image, launcher = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
RANKS_EVERY = 60  # starting several ranks takes longer
WHOLE = 2.0**53  # larger limits are those of 64 bits
UNUSABLE, FAILED = 2, 1  # exit statuses

# Command lines that would work.
WORKING = {
    "bench": ["decomposition", "--size", "9"],
    "chan-vese": [image, "-n", "2"],
    "cluster": [image, "-k", "3"],
    "label": [image],
    "life": ["soup:20x20:30%", "-g", "2"],
    "motion": [image, image],
    "paths": [image, "--from", "1,2", "--to", "9,9"],
    "run": ["heat", "--size", "9x9", "--beats", "2"],
    "snake": [image, "--init", "circle:32,32,25"],
    "synthetic": ["--size", "5x30", "--beats", "2"],
    "tasks": ["--jobs", "/dev/null"],
    "trace": [folder + "/scene.nff"],
    "walk": [image, "--walkers", "20", "--steps", "8"],
}


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
        if first.upper() != first:
            yield first.upper()
    elif kind == "output" and row["choices"] and not row["own_parser"]:
        ending = row["choices"].strip("|").split("|")[0]
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
        ending = row["choices"].strip("|").split("|")[0] if row["choices"] else ""
        return [os.path.join(folder, "given" + ending)]
    return None


def spoken(row, value):
    """The option with a value, or without if it is a flag."""
    return f"--{row['name']}" if value == [] else f"--{row['name']}={value[0]}"


def bad_options(rows):
    """(exit status, what must be named, arguments) for one command."""
    named = {row["name"]: row for row in rows}
    arguments = [folder + "/image.png" for row in rows if row["argument"] and row["required"]]
    arguments = {"bench": ["decomposition"], "run": ["heat"]}.get(rows[0]["command"], arguments)
    yield UNUSABLE, "frobnicate", [*arguments, "--frobnicate"]
    for row in rows:
        if row["argument"]:
            if row["required"]:
                yield UNUSABLE, None, []
            continue
        option = "--" + row["name"]
        if row["type"] == "flag":
            yield UNUSABLE, option, [f"{option}=yes", *arguments]
        else:
            yield UNUSABLE, option, [*arguments, option]
        for value in bad_values(row):
            yield UNUSABLE, option, [f"{option}={value}", *arguments]
        for alias in (row["aliases"] or "").split("|"):
            for value in list(bad_values(row))[:1] if alias else []:
                yield UNUSABLE, f"--{alias}", [f"--{alias}={value}", *arguments]
        own = good_value(row)
        if own is None:
            continue
        if row["needs"]:
            yield UNUSABLE, option, [spoken(row, own), *arguments]
        for other in (row["excludes"] or "").split("|"):
            value = good_value(named[other]) if other in named else None
            if value is not None:
                excluded = any(r["argument"] and other in (r["excludes"] or "").split("|") for r in rows)
                yield UNUSABLE, option, [spoken(row, own), spoken(named[other], value),
                                         *([] if excluded else arguments)]


def outputs_of(rows):
    """(option, ending, what else has to be given) of each file that is written. What --frames names
    is a folder, motion keeps no log, and a grid has no timeline."""
    for row in rows:
        if row["name"] == "timeline" and row["command"] == "synthetic":
            continue
        if row["name"] == "balance-log" and row["command"] != "motion":
            yield "--balance-log", ".csv", ["--balance", "lb1"]
        elif row["type"] == "output" and not row["hidden"] and row["name"] != "frames":
            needs = ["--values"] if row["needs"] == "values" else []
            yield "--" + row["name"], (row["choices"] or ".x").strip("|").split("|")[0], needs


# Outputs of a run of many images, and those of a run of one.
MANY, ONE = ("--timeline", "--table"), ("--movie", "--checkpoint", "--balance-log")


def beside(outputs, i):
    """The output before the one at i that can be asked for with it."""
    for step in range(1, len(outputs)):
        kinds = {outputs[i][0] in MANY, outputs[i - step][0] in MANY}
        alone = {outputs[i][0] in ONE, outputs[i - step][0] in ONE}
        if kinds == {False} or alone == {False}:
            return outputs[i - step]
    return outputs[i - 1]


def bad_files(rows):
    """The same, of files that cannot be written, or would be written over each other or over what is
    read: one is the target of links with all the endings."""
    line, outputs = WORKING[rows[0]["command"]], list(outputs_of(rows))
    reads = [path for path in (image, folder + "/scene.nff") if path in line]
    if any(row["name"] == "load-trace" for row in rows):
        reads.append(folder + "/trace")
    for i, (option, ending, more) in enumerate(outputs):
        missing, directory = "no/such/x" + ending, f"{folder}/folder{ending}"
        os.makedirs(directory, exist_ok=True)
        yield FAILED, "no/such/x", [*line, *more, option, missing]
        yield FAILED, "folder", [*line, *more, option, directory]
        other, other_ending, besides = beside(outputs, i)
        yield UNUSABLE, "same file", [*line, *more, *besides, option, link(folder + "/old", ending),
                                      other, link(folder + "/old", other_ending)]
        for path in reads:
            trace = ["--load-trace", path] if path.endswith("/trace") else []
            yield UNUSABLE, "same file", [*line, *more, *trace, option, link(path, ending)]


def link(path, ending):
    name = f"{folder}/{os.path.basename(path)}-link{ending}"
    if not os.path.lexists(name):
        os.symlink(path, name)
    return name


def contents():
    """All files of the folder."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isdir(path):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def start(ranks, *line):
    command = [*(launcher if ranks else []), program, *line]
    for _ in range(5):
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=120, cwd=folder)
        # MPICH's mpiexec dies of this on a busy machine if the program ends before it has been told
        # that there is no standard input.
        if not ranks or run.returncode != -signal.SIGPIPE:
            break
    return run


def refused(command, status, name, line, ranks):
    """What is wrong with how it is refused, or None."""
    before = contents()
    run = start(ranks, command, *line)
    said = [text for text in run.stderr.splitlines() if text.startswith(f"halobeat {command}: ")]
    if run.returncode != status:
        return f"status {run.returncode}: {run.stderr[-300:]}"
    if len(said) != 1:
        return f"{len(said)} messages: {run.stderr[-300:]}"
    if name is not None and name not in said[0]:
        return f"{name} is not named: {said[0]}"
    if run.stdout:
        return f"standard output: {run.stdout[:100]}"
    if contents() != before:
        return "files have changed"
    return None


def faults_of_help(command, rows):
    """What is wrong with the help that several ranks print."""
    run = start(True, command, "--help")
    lines = run.stdout.splitlines()
    if run.returncode != 0 or run.stderr:
        yield f"status {run.returncode}, standard error: {run.stderr[:100]}"
    if [line.startswith(f"Usage: halobeat {command}") for line in lines].count(True) != 1:
        yield "not one copy"
    if any(len(line) > 80 for line in lines):
        yield "lines beyond 80 columns"
    text = " ".join(run.stdout.split())
    for row in rows:
        if row["hidden"]:
            continue
        words = [row["name"] if row["argument"] else "--" + row["name"]]
        words += (row["choices"] or "").strip("|").split("|")
        yield from (f"nothing about {word}" for word in words if word not in text)
    yield from (f"nothing about {word}" for word in ["Exit status"] if word not in text)
    if not any(line.startswith(f"  {command} ") for line in start(False, "--help").stdout.splitlines()):
        yield "no such command in the help of the program"


def main():
    rows = json.loads(subprocess.run([program, "--options"], capture_output=True, check=True).stdout)
    scene = "v from 0 0 5 at 0 0 0 up 0 1 0 angle 40 hither 1 resolution 9 9 f 1 1 1 1 0 9 0 1 s 0 0 0 1\n"
    for name, text in (("trace", "0 0 1\n"), ("old", "before\n"), ("scene.nff", scene)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    commands = sorted({row["command"] for row in rows})
    count = wrong = 0
    for command in commands:
        own = [row for row in rows if row["command"] == command]
        for fault in faults_of_help(command, own):
            wrong += 1
            print(f"halobeat {command} --help: {fault}")
        for status, name, line in [*bad_options(own), *bad_files(own)]:
            count += 1
            fault = refused(command, status, name, line, count % RANKS_EVERY == 0)
            if fault is not None:
                wrong += 1
                print(f"halobeat {command} {' '.join(line)}: {fault}")
    print(f"{count} command lines of {len(commands)} commands, {wrong} not refused as they should be")
    if count < 50 * len(commands):
        print("that is too few: the tables have been misread")
        return 1
    return 1 if wrong else 0


sys.exit(main())
