"""What the program's tables of options imply: refusals and help of every command and every option.

The program prints its tables as JSON (--options). For every row, command lines follow that must be refused by a
message that names the option, the file or what is missing. Command lines that work are the examples of the help, with
other images; so neither a new option nor a new command needs a line here."""

import json
import os
import re
import shlex
import subprocess

WHOLE = 2.0**53  # larger limits are those of 64 bits
UNUSABLE, FAILED = 2, 1  # exit statuses
IMAGE, OTHER, SCENE, STATE = "image.png", "other.png", "scene.nff", "state-"
SCENE_TEXT = "v from 0 0 5 at 0 0 0 up 0 1 0 angle 40 hither 1 resolution 9 9 f 1 1 1 1 0 9 0 1 s 0 0 0 1\n"
LAUNCH_EVERY = 25  # a launcher takes its time
MORE = os.environ.get("HALOBEAT_TEST_MORE")  # see `more` in lib.sh


def number(value):
    return str(int(value)) if value == int(value) else repr(value)


def listed(row, key):
    return [word for word in (row[key] or "").split("|") if word]


def first_ending(row, otherwise=""):
    return (listed(row, "choices") or [otherwise])[0]


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
        first = listed(row, "choices")[0]
        yield first + "x"
        if first.upper() != first:
            yield first.upper()
    elif kind == "output" and row["choices"] and not row["own_parser"]:
        ending = first_ending(row)
        yield from ["", ending, ending[1:], "file" + ending + "x", f"file{ending}.unknown", "file"]
    elif kind in ("input", "text", "output"):
        yield ""


class Turns:
    """Which of the ways to misuse a row are tried: all for the first command that has the row, and for others, which
    share it, one of them in turn. HALOBEAT_TEST_MORE: all for all."""

    def __init__(self):
        self.known, self.turns = set(), 0

    def of(self, row, ways):
        key = json.dumps({name: row[name] for name in ("name", "type", "min", "max", "word", "choices", "own_parser")})
        if key not in self.known or MORE:
            self.known.add(key)
            return ways
        self.turns += 1
        return [ways[self.turns % len(ways)]]


def good_value(row):
    """A value that the row takes, or None if only its own parser knows; [] for a flag."""
    kind = row["type"]
    if kind == "flag":
        return []
    if row["default"] is not None:
        return [row["default"]]
    if kind == "choice":
        return [listed(row, "choices")[0]]
    if kind in ("integer", "real", "share") and not row["own_parser"]:
        return [number(row["min"])]
    if kind in ("output", "input", "text"):
        return ["given" + first_ending(row)]
    return None


def spoken(row, value):
    """The option with a value, or without if it is a flag."""
    return f"--{row['name']}" if value == [] else f"--{row['name']}={value[0]}"


class Command:
    """A command: its rows, and the words of an example of its help, with images that are here."""

    def __init__(self, runs, name, rows):
        self.name, self.rows = name, [row for row in rows if row["command"] == name]
        self.named = {row["name"]: row for row in self.rows}
        self.help = runs.start(1, [name, "--help"]).stdout
        self.examples = re.findall(rf"^  halobeat {name} (.*(?:\n   +.*)*)", self.help, re.MULTILINE)
        self.arguments, self.options = self.read_example()
        self.line = [*self.arguments, *self.options]

    def read_example(self):
        """Arguments of the first example, and the options that the command cannot do without."""
        words = shlex.split(self.examples[0]) if self.examples else []
        arguments, options = [], []
        for word in words:
            if word.startswith("-") or not any(row["argument"] and row["required"] for row in self.rows):
                break
            arguments.append({".png": IMAGE, ".nff": SCENE}.get(os.path.splitext(word)[1], word))
        for row in self.rows:
            if row["required"] and not row["argument"]:
                options += [spoken(row, self.value_of(row))]
            elif row["name"] == "beats":
                options += ["--beats=2"]
        return arguments, options

    def value_of(self, row):
        """The value of an option in an example of the help, or another that is good; None if there is none."""
        shown = re.search(rf"(?:--{row['name']}|-{row['letter'] or '-'})[ =](\S+)", " ".join(self.examples))
        return [shown[1]] if shown and row["type"] != "flag" else good_value(row)

    def beside(self, other, words):
        """Those of the words of the example that another option does not exclude."""
        excluded = [row for row in self.rows if other in listed(row, "excludes")]
        if any(row["argument"] for row in excluded):
            return []
        names = tuple(f"--{row['name']}=" for row in excluded)
        return [word for word in words if not word.startswith(names)]

    def without(self, row):
        """The words of the example without one of its options."""
        return [word for word in self.line if not word.startswith(f"--{row['name']}=")]


def bad_names(command):
    """(exit status, what must be named, words) for names that no option has, or several."""
    yield UNUSABLE, "--frobnicate", [*command.line, "--frobnicate"]
    letters = {row["letter"] for row in command.rows} | {"h"}
    unknown = next(letter for letter in "ZYXWVU" if letter not in letters)
    yield UNUSABLE, f"'{unknown}'", [*command.line, f"-{unknown}"]
    names = [row["name"] for row in command.rows if not row["argument"]]
    for name in names:
        for length in range(1, len(name)):
            if 1 < sum(other.startswith(name[:length]) for other in names) and name[:length] not in names:
                yield UNUSABLE, "ambiguous", [*command.line, f"--{name[:length]}"]
                return


def bad_options(command, turns):
    """The same for values of options, and options that miss or exclude others."""
    for row in command.rows:
        if row["required"]:
            words = [] if row["argument"] else command.without(row)
            yield UNUSABLE, row["required"], words
        if row["argument"]:
            continue
        option, rest = "--" + row["name"], [*command.arguments, *command.without(row)[len(command.arguments):]]
        ways = [[f"{option}=yes", *rest] if row["type"] == "flag" else [*rest, option]]
        ways += [[f"{option}={value}", *rest] for value in bad_values(row)]
        yield from ((UNUSABLE, option, words) for words in turns.of(row, ways))
        for alias in listed(row, "aliases"):
            for value in list(bad_values(row))[:1]:
                yield UNUSABLE, f"--{alias}", [f"--{alias}={value}", *rest]
        own = good_value(row)
        if own is None:
            continue
        if row["needs"]:
            yield UNUSABLE, option, [spoken(row, own), *rest]
        for other in listed(row, "excludes"):
            value = good_value(command.named[other]) if other in command.named else None
            if value is not None:
                yield UNUSABLE, option, [spoken(row, own), spoken(command.named[other], value),
                                         *command.beside(other, rest)]
    if command.arguments and not any(row["argument"] and row["repeats"] for row in command.rows):
        yield UNUSABLE, "one argument too many", [*command.line, *(["more"] * 2)]


def bad_inputs(command):
    """The same for files that cannot be read."""
    for name in ("no/such.png", "nothing", "text", "cut.png"):
        for i, word in enumerate(command.line):
            if word in (IMAGE, SCENE):
                yield FAILED, name, [*command.line[:i], name, *command.line[i + 1:]]
    if "restore" in command.named:
        yield from bad_checkpoints(command)


def bad_checkpoints(command):
    """The same for checkpoints that cannot be restored, or have other values of options than are given."""
    takes_arguments = not any(row["argument"] and "restore" in listed(row, "excludes") for row in command.rows)
    dropped = {row["name"] for row in command.rows
               if "restore" in listed(row, "instead") or "restore" in listed(row, "excludes") or row["saved"]}
    line = [word for word in command.options if re.match("--([^=]*)", word)[1] not in dropped]
    line = [*command.arguments, *line] if takes_arguments else line
    foreign = "life" if command.name != "life" else "chan-vese"
    for message, file in (("no/such", "no/such"), ("not a checkpoint", "text"), ("damaged", "damaged-" + command.name),
                          (f"of `halobeat {foreign}`", STATE + foreign)):
        yield FAILED, message, [*line, "--restore=" + file]
    if line.count(IMAGE) == 1:
        yield UNUSABLE, "another picture", [*(OTHER if word == IMAGE else word for word in line),
                                            f"--restore={STATE}{command.name}"]
    for row in command.rows:
        value = other_value(row) if row["saved"] and not row["needs"] else None
        if value is not None and "restore" not in listed(row, "excludes"):
            yield UNUSABLE, "the checkpoint", [*line, spoken(row, value), f"--restore={STATE}{command.name}"]


def other_value(row):
    """A good value that is not the default; None where only its own parser knows one."""
    if row["type"] == "flag":
        return []
    if row["own_parser"] or row["type"] not in ("integer", "real", "share", "choice"):
        return None
    values = listed(row, "choices") or [number(row["min"]), number(row["min"] + (.5 if row["type"] == "share" else 1))]
    return [next(value for value in reversed(values) if value != row["default"])]


def outputs_of(command):
    """(option, ending, what else has to be given) of each file that is written. What --frames and --steps name
    is a folder, motion keeps no log, and a grid has no timeline."""
    for row in command.rows:
        if row["name"] == "timeline" and command.name == "synthetic":
            continue
        if row["name"] == "balance-log" and command.name != "motion":
            yield "--balance-log", ".csv", ["--balance", "lb1"]
        elif row["type"] == "output" and row["name"] not in ("frames", "steps"):
            needed = [command.named[name] for name in listed(row, "needs")[:1]]
            needs = [spoken(other, command.value_of(other)) for other in needed]
            yield "--" + row["name"], first_ending(row, ".x"), needs


# Outputs of a run of many images, and those of a run of one.
MANY, ONE = ("--timeline", "--table", "--contact-sheet"), ("--movie", "--checkpoint", "--balance-log")


def beside(outputs, i):
    """The output before the one at i that can be asked for with it."""
    for step in range(1, len(outputs)):
        kinds = {outputs[i][0] in MANY, outputs[i - step][0] in MANY}
        alone = {outputs[i][0] in ONE, outputs[i - step][0] in ONE}
        if kinds == {False} or alone == {False}:
            return outputs[i - step]
    return outputs[i - 1]


def bad_outputs(command, folder):
    """The same for files that cannot be written, or would be written over each other or over what is read: one is
    the target of links with all the endings."""
    line, outputs = command.line, list(outputs_of(command))
    reads = [path for path in (IMAGE, SCENE) if path in line]
    reads += ["trace"] if "load-trace" in command.named else []
    for i, (option, ending, more) in enumerate(outputs):
        os.makedirs(f"{folder}/folder{ending}", exist_ok=True)
        yield FAILED, "no/such/x", [*line, *more, option, "no/such/x" + ending]
        yield FAILED, "folder", [*line, *more, option, "folder" + ending]
        other, other_ending, besides = beside(outputs, i)
        yield UNUSABLE, "same file", [*line, *more, *besides, option, link(folder, "old", ending),
                                      other, link(folder, "old", other_ending)]
        for path in reads:
            trace = ["--load-trace", path] if path == "trace" else []
            yield UNUSABLE, "same file", [*line, *more, *trace, option, link(folder, path, ending)]


def link(folder, path, ending):
    name = f"{path}-link{ending}"
    if not os.path.lexists(f"{folder}/{name}"):
        os.symlink(path, f"{folder}/{name}")
    return name


def faults_of_help(runs, command):
    """What is wrong with the help that several ranks print."""
    run = runs.start(3, [command.name, "--help"])
    lines = run.stdout.splitlines()
    if run.returncode != 0 or run.stderr:
        yield f"status {run.returncode}, standard error: {run.stderr[:100]}"
    if [line.startswith(f"Usage: halobeat {command.name}") for line in lines].count(True) != 1:
        yield "not one copy"
    if any(len(line) > 80 for line in lines):
        yield "lines beyond 80 columns"
    text = " ".join(run.stdout.split())
    words = ["Exit status"]
    for row in command.rows:
        words += [row["name"] if row["argument"] else "--" + row["name"], *listed(row, "choices")]
    yield from (f"nothing about {word}" for word in words if word not in text)
    if not any(line.startswith(f"  {command.name} ") for line in runs.start(1, ["--help"]).stdout.splitlines()):
        yield "no such command in the help of the program"


def make_files(runs):
    pictures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures.py")
    for name, size in ((IMAGE, ("640", "500")), (OTHER, ("500", "640"))):
        subprocess.run(["/usr/bin/env", "python3", pictures, "make", *size, "8", name], cwd=runs.folder, check=True)
    with open(os.path.join(runs.folder, IMAGE), "rb") as file:
        start = file.read(500)
    for name, data in (("trace", b"0 0 1\n"), ("old", b"before\n"), ("text", b"no picture\n"), ("cut.png", start),
                       (SCENE, SCENE_TEXT.encode())):
        with open(os.path.join(runs.folder, name), "wb") as file:
            file.write(data)
    os.mkdir(os.path.join(runs.folder, "nothing"))


def make_checkpoint(runs, command):
    """The checkpoint of the example, and a damaged one."""
    run = runs.start(1, [command.name, *command.line, "--quiet", f"--checkpoint={STATE}{command.name}"])
    if run.returncode != 0:
        runs.complain(f"the first example of halobeat {command.name} --help does not work: {run.stderr[:300]}")
        return
    with open(os.path.join(runs.folder, STATE + command.name), "rb") as file:
        data = bytearray(file.read())
    data[len(data) // 2] ^= 1
    with open(os.path.join(runs.folder, "damaged-" + command.name), "wb") as file:
        file.write(data)


def check_rows(runs):
    make_files(runs)
    rows = json.loads(subprocess.run([runs.program, "--options"], capture_output=True, check=True).stdout)
    commands = [Command(runs, name, rows) for name in sorted({row["command"] for row in rows})]
    for command in commands:
        if "restore" in command.named:
            make_checkpoint(runs, command)
    tried, last, turns = 0, None, Turns()
    for command in commands:
        for fault in faults_of_help(runs, command):
            runs.complain(f"halobeat {command.name} --help: {fault}")
        for status, name, line in [*bad_names(command), *bad_options(command, turns), *bad_inputs(command),
                                   *bad_outputs(command, runs.folder)]:
            tried += 1
            # One of the bad values of an option is tried on several ranks, or of every fourth option.
            several = tried % LAUNCH_EVERY == 0 if runs.launcher else (name, status) != last and (MORE or tried % 4 == 0)
            last = name, status
            runs.check(status, re.escape(name), [command.name, *line], (1, 3) if several else (1,))
    print(f"{tried} command lines of {len(commands)} commands")
    if tried < 50 * len(commands):
        runs.complain("that is too few: the tables have been misread")
