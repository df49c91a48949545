"""Random jobs and random faults: ./run soak starts it, which gives the first three arguments.

  ./run soak [MINUTES]       until the time is up (default: 10)
  ./run soak --jobs N        N cases, of which none depends on time
  --seed N                   begin with this case (default: another one each time)
  --kinds KIND,...           only these: same, interrupted, no_room, no_memory, forged, call_fails, host_fails
  --threads, --processes     ranks are only these: without it, one or the other in each case
  --refused                  tell which drawn jobs were refused, and why
  ./run soak --case SEED     one case again; its files stay

Every case has a seed, from which all of it follows but, without --jobs, the times of signals. Prints for
each case that goes wrong the command that failed, and the one that tries it again, and counts of all at the
end.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

REPORT_EVERY = 60  # seconds
MOST_KEPT = 5  # folders of cases that went wrong


def tables_of(program):
    """Rows of options, command by command."""
    rows = collections.defaultdict(list)
    schedules = schedules_in(subprocess.check_output([program, "tasks", "--help"], text=True))
    for row in json.loads(subprocess.check_output([program, "--options"])):
        rows[row["command"]].append(row)
        if row["name"] == "schedule":
            row["offers"] = "|".join(schedules)
    motion = subprocess.check_output([program, "motion", "--help"], text=True)
    own = re.search(r"balancers\s+of\s+`halobeat\s+motion`\s+are\s([^.]*)\.", motion)[1]
    for row in rows["motion"]:
        if row["name"] == "balance":
            names = row["offers"].strip("|").split("|")
            row["offers"] = "|".join(name for name in names if re.search(rf"\b{name}\b", own))
    return rows


def schedules_in(text):
    """A line of the list begins with NAME, NAME:PARAMETER or NAME[:PARAMETER]."""
    found = re.findall(r"^  ([a-z-]+)(:\w+)?(?:\[\S*\])?: ", text.split("\nSchedules:\n")[1], re.MULTILINE)
    return [name + (":2" if parameter else "") for name, parameter in found]


def print_counts(counts, began):
    print(f"after {(time.monotonic() - began) / 60:.0f} minutes", flush=True)
    for name, count in sorted(counts.items()):
        skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
        print(f"  {name:<12} {count['good']} good, {count['wrong']} wrong{skipped}", flush=True)


def try_case(seed, options, counts, refused):
    from cases import random_case

    folder = tempfile.mkdtemp(prefix="halobeat-soak-")
    name, wrong = random_case(seed, options, folder, refused)
    keeps = options.case is not None
    if wrong is None:
        counts[name]["good"] += 1
    elif wrong.startswith("skipped"):
        counts[name]["skipped"] += 1
        counts[wrong]["skipped"] += 1
    else:
        counts[name]["wrong"] += 1
        keeps = keeps or sum(count["wrong"] for count in counts.values()) <= MOST_KEPT
        print(f"WRONG {name}: {wrong}\n    again: {options.again} --case {seed}"
              f"{f'; files: {folder}' if keeps else ''}", flush=True)
    if not keeps:
        shutil.rmtree(folder, ignore_errors=True)
    elif wrong is None:
        print(f"{name}: good; files: {folder}")


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    for name in ("program", "mpiexec", "tools"):
        parser.add_argument(name)
    parser.add_argument("minutes", nargs="?", type=float, default=10)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--case", type=int)
    parser.add_argument("--counted", action="store_true")
    parser.add_argument("--kinds", type=lambda text: text.split(","))
    parser.add_argument("--threads", action="store_true", default=None)
    parser.add_argument("--processes", action="store_false", dest="threads")
    parser.add_argument("--refused", action="store_true")
    options = parser.parse_args()
    os.environ["HALOBEAT_RANKS"] = "1"  # of what is started neither by a launcher nor with threads
    options.program, options.tools = (os.path.abspath(path) for path in (options.program, options.tools))
    options.mpiexec, options.python = options.mpiexec.split(), sys.executable
    options.source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    options.tables = tables_of(options.program)
    options.counted = options.counted or options.jobs is not None
    options.again = " ".join(["./run soak", *(["--counted"] if options.counted else []),
                              *(["--kinds", ",".join(options.kinds)] if options.kinds else []),
                              *{None: [], True: ["--threads"], False: ["--processes"]}[options.threads]])
    library = os.path.join(options.tools, "fail_nth.so")

    def failing(point, folder, sites=None):
        return ["env", f"LD_PRELOAD={library}", f"FAIL_NTH={point}", f"FAIL_FOLDER={folder}",
                *([f"FAIL_SITES={sites}"] if sites else [])]

    options.failing = failing
    return options


def main():
    options = arguments()
    try:
        import h5py, numpy, PIL, tifffile  # noqa: E401, F401 what inputs are made with
    except ImportError as missing:
        print(f"skipped: the whole test, not installed: python3-{missing.name.lower()}")
        sys.exit(77)
    counts, refused = collections.defaultdict(collections.Counter), collections.Counter()
    began = reported = time.monotonic()
    seed, end = options.seed, began + 60 * options.minutes
    if options.case is not None:
        try_case(options.case, options, counts, refused)
    elif options.jobs is not None:
        for case in range(seed, seed + options.jobs):
            try_case(case, options, counts, refused)
    else:
        while time.monotonic() < end:
            try_case(seed, options, counts, refused)
            seed += 1
            if time.monotonic() - reported > REPORT_EVERY:
                reported = time.monotonic()
                print_counts(counts, began)
    print_counts(counts, began)
    for text, count in refused.most_common() if options.refused else []:
        print(f"refused {count}: status {text}")
    sys.exit(any(count["wrong"] for count in counts.values()))


if __name__ == "__main__":
    main()
