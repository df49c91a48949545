"""Random jobs and random faults until the time is up: soak.py PROGRAM MPIEXEC [MINUTES | --case SEED]

Every case has a seed, from which all of it follows but the times of signals. Prints a line for each that
goes wrong, with the command that tries it again, and counts of all at the end. ./run soak starts it.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import random_case  # noqa: E402

REPORT_EVERY = 60  # seconds


def tables_of(program):
    rows = collections.defaultdict(list)
    for row in json.loads(subprocess.check_output([program, "--options"])):
        rows[row["command"]].append(row)
    return rows


def print_counts(counts, began):
    print(f"after {(time.monotonic() - began) / 60:.0f} minutes", flush=True)
    for name, count in sorted(counts.items()):
        skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
        print(f"  {name:<12} {count['good']} good, {count['wrong']} wrong{skipped}", flush=True)


def try_case(seed, options, counts):
    folder = tempfile.mkdtemp(prefix="halobeat-soak-")
    try:
        name, wrong = random_case(seed, options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if wrong is None:
        counts[name]["good"] += 1
    elif wrong.startswith("skipped"):
        counts[name]["skipped"] += 1
    else:
        counts[name]["wrong"] += 1
        print(f"WRONG {name}: {wrong}\n    again: ./run soak --case {seed}", flush=True)


def main():
    program, mpiexec, *rest = sys.argv[1:]
    options = SimpleNamespace(program=program, mpiexec=mpiexec.split(), python=sys.executable,
                              source=os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")),
                              tables=tables_of(program))
    counts = collections.defaultdict(collections.Counter)
    began = time.monotonic()
    if rest[:1] == ["--case"]:
        try_case(int(rest[1]), options, counts)
    else:
        end = began + 60 * float(rest[0] if rest else 10)
        seed, reported = time.time_ns() % 10**9, began
        while time.monotonic() < end:
            try_case(seed, options, counts)
            seed += 1
            if time.monotonic() - reported > REPORT_EVERY:
                reported = time.monotonic()
                print_counts(counts, began)
    print_counts(counts, began)
    sys.exit(any(count["wrong"] for count in counts.values()))


if __name__ == "__main__":
    main()
