"""What the runs of tests/compare told, by both programs: told.py json|summary|messages OUT

json: the keys of --json, command by command, and the values that are no measurements.
summary: the lines on standard output with # for numbers, command by command, and their order.
messages: exit status and standard error of what tests/compare.d/record has recorded.
Prints a line "FAILED ..." for each difference that must not be, "differs ..." for each other, and
last what was compared.
"""

import collections
import difflib
import itertools
import json
import os
import re
import sys

# Values that are measured, or are decided by what was measured.
MEASURED = re.compile(
    r"seconds|per_second|nanoseconds|ns_per_pixel|peak_memory|peak_data|imbalance|efficiency|_share$|\bidc$"
    r"|slowness\[\]\.|links\[\]|^(measurements|models|predictions|winners)\[\]|chance_of_unreal"
    r"|\.pieces$|\.clusters$|planned_pieces|_pieces$"
)
NO_MEASUREMENT = re.compile(r"^(foreground_share|stop_changed_share|image\..*)$")
# The balancers of the library that plan by measured loads.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../partition/balance/balance.h")) as file:
    LIST = re.search(r"#define HALO_BALANCER_LIST\(X\)((?:.*\\\n)+.*)", file.read()).group(1)
BALANCERS = re.findall(r"X\((\w+), LOADS\)", LIST)
# Values that only some arguments leave to measurements: pattern of arguments, pattern of keys.
DECIDED = [
    (r" --balance (" + "|".join(BALANCERS) + ")", r"^balance\.|^exchange\.|rank_table\[\]|^beats$"),
    (r"^life (?!.*--halo-depth \d)", r"^halo_depth$|^grid\.|^exchange\.|^rank_table"),
    (r" --decomposition auto", r"parts|decomposition|box|rows|^exchange\."),
    (r"^motion ", r"^exchange\."),
    (r"^walk ", r"^tasks\."),
]
# Lines of summaries about how a machine feels: there are too many kinds of each, and a quiet machine has
# nothing to say.
MOODS = re.compile(r"^(slowness|link|balance|balancing|balancers|wait|efficiency)\b")


def flat(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, path + "." + key if path else key)
    elif isinstance(value, list):
        yield path + "[]", len(value)
        for inner in value:
            yield from flat(inner, path + "[]")
    else:
        yield path, value


def grouped(pairs):
    values = collections.defaultdict(list)
    for key, value in pairs:
        values[key].append(value)
    return values


def text(path, otherwise=""):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return otherwise


def runs(out):
    """Name, arguments and both folders of every run."""
    for name in sorted(os.listdir(os.path.join(out, "old"))):
        folders = [os.path.join(out, side, name) for side in ("old", "new")]
        if os.path.exists(os.path.join(folders[0], ".arguments")):
            yield name, text(os.path.join(folders[0], ".arguments")).strip(), folders


def measured(key, arguments):
    if NO_MEASUREMENT.search(key):
        return False
    return MEASURED.search(key) or any(
        re.search(who, arguments) and re.search(what, key) for who, what in DECIDED
    )


class Differences:
    """The same difference in many runs is told once."""

    def __init__(self):
        self.runs = collections.defaultdict(list)

    def add(self, run, words):
        self.runs[words].append(run)

    def tell(self):
        for words, names in self.runs.items():
            more = " and %d other runs" % (len(names) - 1) if len(names) > 1 else ""
            print("differs %s (%s%s)" % (words, names[0], more))


def first_difference(old, new):
    pairs = itertools.zip_longest(old, new, fillvalue="nothing")
    return next((json.dumps(a), json.dumps(b)) for a, b in pairs if a != b)


def kind_of(value):
    """Measured numbers may happen to be whole, or not known."""
    if isinstance(value, bool):
        return "flag"
    return "number" if value is None or isinstance(value, (int, float)) else type(value).__name__


def compare_json(out):
    found, values, keys, count = Differences(), Differences(), set(), 0
    for name, arguments, folders in runs(out):
        sides = []
        for folder in folders:
            content = text(os.path.join(folder, ".json"), "{}")
            try:
                sides.append(grouped(flat(json.loads(content))))
            except ValueError as error:
                found.add(name, "%s is no JSON: %s" % (os.path.relpath(folder, out), error))
                sides.append({})
        old, new = sides
        command = arguments.split()[0]
        keys |= set(old)
        for key in sorted(set(old) | set(new)):
            if key not in new:
                found.add(name, "%s: no key %s any more" % (command, key))
            elif key not in old:
                found.add(name, "%s: a new key %s" % (command, key))
            elif old[key] != new[key] and not measured(key, arguments):
                was, now = first_difference(old[key], new[key])
                values.add(name, "%s: %s is %s, was %s" % (command, key, now, was))
            elif kind_of(old[key][0]) != kind_of(new[key][0]):
                kinds = (kind_of(new[key][0]), kind_of(old[key][0]))
                values.add(name, "%s: %s is a %s, was a %s" % (command, key, *kinds))
            elif not measured(key, arguments):
                count += len(old[key])
    found.tell()
    values.tell()
    print("%d keys; %d values are the same" % (len(keys), count))


def shapes(output, bench):
    """Lines of a summary, put together again, without numbers and units of time and size."""
    for line in re.sub(r"\n {11}(?! )(?!.*  )", " ", output).splitlines():
        if bench or MOODS.match(line):
            yield line.split(" ")[0]
            continue
        line = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", re.sub(r"\b[0-9a-f]{16}\b", "#", line))
        line = re.sub(r"# (ns|us|ms|s|bytes|B|[KMG]i?B|[KMG] \w+/s|\w+/s)\b", "# unit", line)
        yield re.sub(r"  +", "  ", line.strip())


def compare_summary(out):
    found, lines = Differences(), collections.defaultdict(dict)
    for name, arguments, folders in runs(out):
        command = arguments.split()[0]
        orders = []
        for side, folder in zip(("old", "new"), folders):
            order = []
            for line in shapes(text(os.path.join(folder, ".stdout")), command == "bench"):
                lines[command, line].setdefault(side, name)
                word = line.split(" ")[0]
                if order[-1:] != [word] and not MOODS.match(line):
                    order.append(word)
            orders.append(order)
        if sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]:
            found.add(name, "%s: lines in another order: %s" % (command, " ".join(orders[1])))
    for (command, line), sides in lines.items():
        if MOODS.match(line):
            continue
        if "new" not in sides:
            found.add(sides["old"], "%s: no line any more: %s" % (command, line))
        elif "old" not in sides:
            found.add(sides["new"], "%s: a new line: %s" % (command, line))
    found.tell()
    print("%d kinds of lines" % len(lines))


def recorded(folder):
    """By arguments, and their number of turns: exit status and what was said."""
    turns, calls = collections.Counter(), {}
    for name in sorted(os.listdir(folder)):
        call, status, said = text(os.path.join(folder, name)).split("\n", 2)
        turns[call] += 1
        calls[call, turns[call]] = (status, said)
    return calls


def tell_lines(sign, said):
    for line in said.splitlines():
        print("    %s%s" % (sign, line))


def tell_difference(old, new):
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0):
        if not line.startswith(("---", "+++", "@@")):
            print("    " + line)


def compare_messages(out):
    count = statuses = 0
    for script in sorted(os.listdir(os.path.join(out, "old", "messages"))):
        folders = [os.path.join(out, side, "messages", script) for side in ("old", "new")]
        if script.endswith(".log"):
            continue
        old, new = map(recorded, folders)
        for key in sorted(set(old) | set(new)):
            call = "%s.sh: %s" % (script, key[0][:300])
            count += 1
            if key not in new or key not in old:
                side = "old" if key in old else "new"
                print("differs %s\n    only run with the %s program" % (call, side))
            elif old[key][0] != new[key][0]:
                print("FAILED  %s\n    exit status %s, was %s" % (call, new[key][0], old[key][0]))
                tell_lines("-", old[key][1])
                tell_lines("+", new[key][1])
            elif old[key] != new[key]:
                print("differs " + call)
                tell_difference(old[key][1], new[key][1])
            statuses += old.get(key, ("0",))[0] != "0"
    print("%d calls, of which %d have failed before" % (count, statuses))


PARTS = {"json": compare_json, "summary": compare_summary, "messages": compare_messages}
PARTS[sys.argv[1]](sys.argv[2])
