"""What `./run sim tasks` runs, and what came of it; see tasks.sh.

usage: tasks.py plan FOLDER PART...   lines "KEY PLATFORM RANKS TRACE|- OPTION..." of all runs
       tasks.py record FOLDER PART... lines "KEY COMMAND OPTION..." of the runs of programs whose
                                      results the others find in the journal FOLDER/KEY.journal
       tasks.py report FOLDER PART... tables, as text on standard output and as CSV and gnuplot's data
                                      in FOLDER
PART: an environment of the cluster (SC, 0.1.2.3, LL.LH.HL.HH, LL.LL.HL.HL, LH.LH.HH.HH), grid,
robustness; walk and trace in them: programs-SC, ..., programs-grid; or quick, what the tests run.
"""

import bisect
import csv
import json
import math
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# The names of the study, where it has one.
STUDY = {"static": "Est", "static-weighted": "EstNWS", "fixed:1": "MEBF1", "fixed:8": "MEBF8",
         "guided": "MERB1", "factoring": "MERB2", "weighted-factoring": "MERB3",
         "weighted-factoring:start": "MERB4", "weighted-factoring:batch": "MERB5",
         "adaptive": "MERB6a", "adaptive-latency": "MERB6b", "hierarchical:3,15": "MEH"}
SCHEDULES = [
    "static", "static-weighted", "fixed:1", "fixed:8", "uniform:64", "guided", "guided:1987", "tss",
    "factoring", "factoring:1992", "weighted-factoring", "weighted-factoring:start",
    "weighted-factoring:batch", "adaptive", "adaptive-latency", "awf-b", "awf-c", "awf-d", "awf-e",
    "af", "fsc", "mfsc", "exponential:2", "diffusive:2", "diffusive:2,random", "pipeline"]
CLUSTER_MACHINES = 16
MACHINES = [4, 8, 16]
FLOPS_A_STEP = 16
PENTIUM = 1715e6

# The cluster's tasks: 20 ms of one machine, an image's line of 40 and of 8 ms on average.
STEPS_20_MS = round(.02 * PENTIUM / FLOPS_A_STEP)
APPLICATIONS = {
    "termions": f"--tasks 1000 --work {STEPS_20_MS} --profile random:ratio=1.1 --bytes 100",
    "5balls": f"--tasks 500 --work {round(1.6 * STEPS_20_MS)} --profile hills:ratio=1.8 --bytes 16",
    "room": f"--tasks 500 --work {round(.1 * STEPS_20_MS)} --profile hills:ratio=12,seed=3 --bytes 16",
}
ENVIRONMENTS = {
    "SC": "each machine is ours alone",
    "0.1.2.3": "of each four machines one runs no other program, one 1, one 2, one 3",
    "LL.LH.HL.HH": "loads of Low or High mean and variation, one of each kind in four machines",
    "LL.LL.HL.HL": "two of each four machines with low, two with high load, and low variation",
    "LH.LH.HH.HH": "two of each four machines with low, two with high load, and high variation",
}

# Walkers and rays, which take what is counted: operations of src/cli/walk and src/cli/trace. A task of
# walkers takes 12.7 ms of one of the cluster's machines, a tile of 16 subpixels the same in the even scene
# and 2.8 ms in the uneven one.
FLOPS_A_WALKER_STEP, FLOPS_A_TREE_STEP = 1.3, 100
WALKERS_A_TASK, WALKER_STEPS = 1024, 16384
SIZES = ["1000 tasks, 16 subpixels", "2000 tasks, 64 subpixels"]
SCENES = {"balls": "five-balls", "room": "room"}


def walk(tasks, steps):
    return (f"walk data/rock.png --walkers {WALKERS_A_TASK * tasks} --steps {steps} --every {steps}",
            "csv")


def trace(scene, side):
    return f"trace data/scenes/{SCENES[scene]}.nff --subpixels {side}", "png"


PROGRAMS = { # by size and application: the command, and the ending of its result
    SIZES[0]: {"walk": walk(1000, WALKER_STEPS), "balls": trace("balls", 4), "room": trace("room", 4)},
    SIZES[1]: {"walk": walk(2000, WALKER_STEPS), "balls": trace("balls", 8), "room": trace("room", 8)},
    "quick": {"walk": walk(1000, 512), "room": trace("room", 4)},
}

# The grid's tasks: two seconds of its slow machines.
SLOW, FAST = 398e6, 2650e6
STEPS_2_S = round(2 * SLOW / FLOPS_A_STEP)
GRID_APPLICATIONS = {
    "termions": f"--tasks 2000 --work {STEPS_2_S} --profile random:ratio=1.1 --bytes 100",
    "5balls": f"--tasks 500 --work {round(3.2 * STEPS_2_S)} --profile hills:ratio=1.8 --bytes 16",
    "synthetic": f"--tasks 2000 --work {STEPS_2_S} --bytes 50000",
}
# A chain of 30 machines is many times slower than all others, and long to simulate.
GRID_SCHEDULES = [name for name in SCHEDULES if name != "pipeline"] + ["hierarchical:3,15"]
GRID_MASTERS = {"slow": "two-sites", "fast": "two-sites-fast"}
GRID_LATENCIES = {"2.5 ms": "near", "250 ms": "far"}

# Cases in which the default schedule should be near the ideal: 1 ms a task.
STEPS_1_MS = round(1e-3 * 1e9 / FLOPS_A_STEP)
COSTS = {
    "equal": f"--work {STEPS_1_MS}",
    "exponential": f"--work {STEPS_1_MS // 93} --profile exponential:ratio=1000",
    "room": f"--work {STEPS_1_MS // 5} --profile hills:ratio=12,seed=3",
    "ramp": f"--work {STEPS_1_MS // 2} --profile linear:ratio=3",
}
CASES = { # ranks, slow ranks by name
    "P=2, one 3x slow": (2, "--slow 1:3"),
    "P=4, one 3x slow": (4, "--slow 3:3"),
    "P=4, even": (4, ""),
    "P=4, one 10x slower late": (4, "--slow 3:10@125"),
    "P=4, one stops": (4, "--slow 3:100000@60"),
}


def loads_of(name):
    """Of a class of loads: [(second, [load of each machine])]."""
    rows = []
    with open(os.path.join(ROOT, "data", "loads", name + ".load"), encoding="ascii") as file:
        for line in file:
            if not line.startswith("#"):
                words = [float(word) for word in line.split()]
                rows.append((words[0], words[1:]))
    return rows


def loads_in(environment):
    """For each machine of the cluster: [(second, load)]."""
    if environment == "SC":
        return [[(0., 0.)] for _ in range(CLUSTER_MACHINES)]
    names, found = environment.split("."), []
    for machine in range(CLUSTER_MACHINES):
        name = names[machine % 4]
        if name.isdigit():
            found.append([(0., float(name))])
        else:
            track = 2 * (machine // 4) + machine % 2
            found.append([(second, loads[track]) for second, loads in loads_of(name)])
    return found


def write_trace(folder, environment, machines):
    path = os.path.join(folder, f"{environment}-{machines}.trace")
    with open(path, "w", encoding="ascii") as file:
        for machine, loads in enumerate(loads_in(environment)[:machines]):
            for second, load in loads:
                file.write(f"{second:.1f} {machine} {load:.2f}\n")
    return path


# ---- what is run ---------------------------------------------------------------------------------

def key_of(*words):
    return "_".join(word.replace(" ", "").replace("=", "").replace(":", "-").replace(",", "-")
                    for word in words)


def cluster_runs(environment, machines=MACHINES, schedules=SCHEDULES, applications=APPLICATIONS,
                 modes=None):
    for count in machines:
        for application in applications:
            for schedule in schedules:
                both = count == 8 and application == "termions"
                # If the study's master hands out only, fixed:8 ends badly.
                rests = environment == "SC" and count == 16 and schedule in ("fixed:1", "fixed:8")
                for mode in modes or ["once"] + ["again"] * both + ["rests"] * rests:
                    yield {"part": environment, "machines": count, "application": application,
                           "schedule": schedule, "mode": mode, "platform": "pentium",
                           "options": APPLICATIONS[application],
                           "trace": None if environment == "SC" else environment}


def grid_runs(schedules=None, applications=GRID_APPLICATIONS, masters=GRID_MASTERS):
    for application in applications:
        for latency, near in GRID_LATENCIES.items():
            for master in masters if application == "termions" else ["slow"]:
                for schedule in schedules or GRID_SCHEDULES:
                    yield {"part": "grid", "machines": 30, "application": application,
                           "schedule": schedule, "mode": "once", "latency": latency,
                           "master": master, "platform": f"{GRID_MASTERS[master]}-{near}",
                           "options": GRID_APPLICATIONS[application] + " --master-rests",
                           "trace": None}


def robustness_runs(schedules=None):
    for case, (ranks, slow) in CASES.items():
        for cost, options in COSTS.items():
            for schedule in schedules or SCHEDULES:
                for mode in ["again", "once"] if schedule == "mfsc" and "stops" not in case else [
                        "again"]:
                    yield {"part": "robustness", "machines": ranks, "application": cost,
                           "case": case, "schedule": schedule, "mode": mode, "platform": "even",
                           "options": f"--tasks 1000 {options} {slow}".strip(), "trace": None}


def program_runs(environment, schedules=None, sizes=None, machines=None):
    """walk and trace, on the most machines of the cluster, or on the grid."""
    grid = environment == "grid"
    # The study had the larger one on the grid.
    for size in sizes or (SIZES[1:] if grid else SIZES):
        for application, (command, ending) in PROGRAMS[size].items():
            for latency in GRID_LATENCIES if grid else [None]:
                for schedule in schedules or (GRID_SCHEDULES if grid else SCHEDULES):
                    run = {"part": f"programs-{environment}", "environment": environment,
                           "machines": machines or (30 if grid else CLUSTER_MACHINES),
                           "application": application, "size": size, "schedule": schedule,
                           "mode": "once", "platform": "pentium", "options": command,
                           "ending": ending, "recorded": key_of("journal", application, size),
                           "trace": None if environment in ("SC", "grid") else environment}
                    if grid:
                        run.update(latency=latency, master="slow", platform=f"two-sites-{GRID_LATENCIES[latency]}")
                        run["options"] += " --master-rests"
                    yield run


QUICK = ["static", "fixed:1", "fixed:8", "guided", "weighted-factoring:start", "adaptive",
         "adaptive-latency", "mfsc"]


def runs_of(parts):
    for part in parts:
        if part == "grid":
            yield from grid_runs()
        elif part == "robustness":
            yield from robustness_runs()
        elif part == "quick":
            for environment in ["SC", "0.1.2.3", "LH.LH.HH.HH"]:
                yield from cluster_runs(environment, [8], QUICK, ["termions"], ["once"])
            yield from grid_runs(["fixed:1", "weighted-factoring:start", "adaptive",
                                  "adaptive-latency"], ["termions"], ["slow"])
            yield from (run for run in robustness_runs(["mfsc"]) if run["mode"] == "again")
            yield from program_runs("SC", ["static", "fixed:1", "factoring"], ["quick"], 4)
        elif part.startswith("programs-") and part[9:] in [*ENVIRONMENTS, "grid"]:
            yield from program_runs(part[9:])
        elif part in ENVIRONMENTS:
            yield from cluster_runs(part)
        else:
            print(f"./run sim tasks knows no '{part}'; there are: {' '.join(ENVIRONMENTS)} grid "
                  "robustness quick, and programs- before an environment or grid", file=sys.stderr)
            sys.exit(2)


def name_of(run):
    return key_of(run["part"], run.get("case", ""), run.get("latency", ""), run.get("master", ""),
                  run.get("size", ""), str(run["machines"]), run["application"], run["schedule"], run["mode"])


def plan(folder, parts):
    traces = {}
    for run in runs_of(parts):
        wanted = (run["trace"], run["machines"])
        if run["trace"] and wanted not in traces:
            traces[wanted] = write_trace(folder, *wanted)
        trace = traces.get(wanted, "-")
        once = {"once": "--once", "again": "", "rests": "--once --master-rests"}[run["mode"]]
        command = run["options"]
        if "recorded" in run:
            command += f' --replay {folder}/{run["recorded"]}.journal -o {folder}/{name_of(run)}.{run["ending"]}'
        else:
            command = f"synthetic {command}"
        print(name_of(run), run["platform"], run["machines"], trace, command, "--schedule",
              run["schedule"], once)


def record(folder, parts):
    """What each program finds, once."""
    for name, run in {run["recorded"]: run for run in runs_of(parts) if "recorded" in run}.items():
        command = run["options"].replace(" --master-rests", "")
        print(name, command, f'--journal {folder}/{name}.journal -o {folder}/{name}.{run["ending"]}')


# ---- the ideal -----------------------------------------------------------------------------------

def finished_at(work, speeds):
    """When machines with speeds [[(second, operations in a second)]] have done `work`, if all of
    them compute all the time and no task is too long."""
    times = sorted({second for track in speeds for second, _ in track})
    done = 0.
    for i, begin in enumerate(times):
        rate = sum(track[bisect.bisect(track, (begin, math.inf)) - 1][1] for track in speeds)
        end = times[i + 1] if i + 1 < len(times) else math.inf
        if done + rate * (end - begin) >= work:
            return begin + (work - done) / rate
        done += rate * (end - begin)
    return math.inf


def operations_of(run, found):
    """Of all tasks."""
    if "recorded" not in run:
        return found["steps"] * FLOPS_A_STEP
    if run["application"] == "walk":
        return found["tasks"]["finished"] * WALKERS_A_TASK * found["steps"] * FLOPS_A_WALKER_STEP
    return found["cost"]["steps"] * FLOPS_A_TREE_STEP


def ideal_of(run, operations):
    if run.get("environment", run["part"]) == "grid":
        # One machine only hands out.
        slow = 14 if run["master"] == "slow" else 15
        return operations / (slow * SLOW + (29 - slow) * FAST)
    if run["part"] == "robustness":
        speed, ranks = 1e9, run["machines"]
        speeds = [[(0., speed)] for _ in range(ranks)]
        words = run["options"].split()
        if "--slow" in words:
            slow = words[words.index("--slow") + 1].split(":")[1]
            factor, _, tasks = slow.partition("@")
            # From so many tasks on, of average cost.
            since = int(tasks or 0) * operations / 1000 / speed
            speeds[-1] = [(0., speed), (since, speed / float(factor))] if since else [
                (0., speed / float(factor))]
        return finished_at(operations, speeds)
    machines = loads_in(run.get("environment", run["part"]))[run["mode"] == "rests":run["machines"]]
    return finished_at(operations, [[(second, PENTIUM / (1 + load)) for second, load in track]
                                    for track in machines])


def is_right(folder, run, found):
    """Of programs: the same bytes as computed by one rank; tasks.sh has compared them."""
    if "recorded" not in run:
        return found["checked"]
    return os.path.exists(os.path.join(folder, name_of(run) + ".same"))


def results(folder, parts):
    for run in runs_of(parts):
        name = name_of(run)
        try:
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
                found = json.load(file)
        except (OSError, ValueError):
            sys.exit(f"{name}: no result; see {folder}/{name}.txt")
        if not is_right(folder, run, found) or found["tasks"]["failed"] > 0:
            sys.exit(f"{name}: a wrong result")
        tasks = found["tasks"]
        run["seconds"] = tasks["seconds"]
        run["IDC"] = tasks["imbalance"]
        run["requests"] = tasks["requests"]
        run["ideal"] = ideal_of(run, operations_of(run, found))
        run["ratio"] = run["seconds"] / run["ideal"]
        yield run


# ---- tables --------------------------------------------------------------------------------------

def column_of(run):
    if "size" in run:
        return ", ".join(filter(None, (run["application"], run["size"], run.get("latency"))))
    if run["part"] == "grid":
        return f'{run["application"]}, {run["latency"]}, {run["master"]} master'
    if run["part"] == "robustness":
        return f'{run["case"]}, {run["application"]}' + (", once" if run["mode"] == "once" else "")
    return f'{run["application"]}, {run["machines"]} machines' + (
        {"once": "", "again": ", again", "rests": ", master rests"}[run["mode"]])


def label_of(schedule):
    return f"{schedule} ({STUDY[schedule]})" if schedule in STUDY else schedule


def write_csv(path, runs):
    fields = ["part", "case", "application", "size", "machines", "latency", "master", "mode", "schedule",
              "seconds", "ideal", "ratio", "IDC", "requests"]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fields, extrasaction="ignore", restval="")
        writer.writeheader()
        for run in runs:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float) else value
                             for key, value in run.items()})


def write_table(title, runs, out):
    """Rows: schedules; columns: the applications and so on; seconds as ratios to the ideal."""
    columns = list(dict.fromkeys(column_of(run) for run in runs))
    if runs[0]["part"] == "robustness":
        columns.sort(key=lambda column: column.endswith("once"))
    schedules = list(dict.fromkeys(run["schedule"] for run in runs))
    cells = {(run["schedule"], column_of(run)): run for run in runs}
    print(f"\n{title}", file=out)
    print("Seconds as ratios to the ideal, all work over the sum of speeds:", file=out)
    for number, column in enumerate(columns):
        ideal = next(run["ideal"] for run in runs if column_of(run) == column)
        print(f"  {number + 1:2} {column}: {ideal:.4g} s", file=out)
    print(f"{'':34}" + "".join(f"{n + 1:7}" for n in range(len(columns))), file=out)
    for schedule in schedules:
        line = f"{label_of(schedule):34}"
        for column in columns:
            run = cells.get((schedule, column))
            line += f"{run['ratio']:7.2f}" if run else f"{'-':>7}"
        print(line, file=out)


# ---- pictures' data ------------------------------------------------------------------------------

def write_data(path, runs, groups):
    """A block for each application: a line for each schedule, a column for each of `groups`."""
    applications = list(dict.fromkeys(run["application"] for run in runs))
    schedules = list(dict.fromkeys(run["schedule"] for run in runs))
    with open(path, "w", encoding="utf-8") as file:
        for application in applications:
            for schedule in schedules:
                values = [next((run["ratio"] for run in runs
                                if run["application"] == application
                                and run["schedule"] == schedule and matches(run)), math.nan)
                          for _, matches in groups]
                print(f'"{schedule}"', *(f"{value:.4f}" for value in values), file=file)
            print("\n", file=file)
    return applications


def groups_of(part):
    if part == "programs-grid":
        return [(latency, lambda run, l=latency: run["latency"] == l) for latency in GRID_LATENCIES]
    if part.startswith("programs-"):
        return [(size, lambda run, s=size: run["size"] == s) for size in SIZES + ["quick"]]
    if part == "grid":
        return [(f"{latency}, {master} master",
                 lambda run, l=latency, m=master: run["latency"] == l and run["master"] == m)
                for master in GRID_MASTERS for latency in GRID_LATENCIES]
    if part == "robustness":
        return [(case, lambda run, c=case: run["case"] == c and run["mode"] == "again")
                for case in CASES]
    return [(f"{count} machines",
             lambda run, c=count: run["machines"] == c and run["mode"] == "once")
            for count in MACHINES]


# ---- report --------------------------------------------------------------------------------------

def title_of(part):
    if part.startswith("programs-"):
        return "halobeat walk and trace, " + title_of(part[9:])
    return (f"{part}: {ENVIRONMENTS[part]}" if part in ENVIRONMENTS else
            "grid: 15 machines of 398 MHz and 15 of 2.65 GHz" if part == "grid" else
            "robustness: 1000 tasks of 1 ms, idle ranks do unfinished tasks again")


def report(folder, parts):
    runs = list(results(folder, parts))
    for part in dict.fromkeys(run["part"] for run in runs):
        mine = [run for run in runs if run["part"] == part]
        write_csv(os.path.join(folder, part + ".csv"), mine)
        with open(os.path.join(folder, part + ".table"), "w", encoding="utf-8") as file:
            write_table(title_of(part), mine, file)
        with open(os.path.join(folder, part + ".table"), encoding="utf-8") as file:
            print(file.read(), end="")
        groups = [(name, matches) for name, matches in groups_of(part) if any(map(matches, mine))]
        applications = write_data(os.path.join(folder, part + ".data"), mine, groups)
        with open(os.path.join(folder, part + ".labels"), "w", encoding="utf-8") as file:
            print(title_of(part), "|".join(applications), "|".join(name for name, _ in groups),
                  sep="\n", file=file)


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("plan", "record", "report"):
        sys.exit(__doc__)
    {"plan": plan, "record": record, "report": report}[sys.argv[1]](sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    main()
