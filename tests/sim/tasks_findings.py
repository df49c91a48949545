"""Which of the study's findings come out in what `./run sim tasks` ran; see tasks.sh.

usage: tasks_findings.py report FOLDER PART...   prints them with the numbers, also to findings.txt
       tasks_findings.py check FOLDER            fails if what has a reason does not hold in quick
"""

import math
import os
import sys

import tasks


def mean_of(runs, **wanted):
    """Geometric mean of ratios."""
    logs = [math.log(run["ratio"]) for run in runs
            if all(run.get(key) == value for key, value in wanted.items())]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def idc_of(runs, **wanted):
    found = [run["IDC"] for run in runs
             if all(run.get(key) == value for key, value in wanted.items())]
    return sum(found) / len(found) if found else math.nan


def findings(runs):
    """(what the study found, the numbers, does it come out?)"""
    def cluster(part, schedule, **more):
        return mean_of(runs, part=part, schedule=schedule, mode="once", **more)

    yield from program_findings(runs)
    loaded = [part for part in tasks.ENVIRONMENTS if part != "SC"
              and any(run["part"] == part for run in runs)]
    have = {run["part"] for run in runs}
    if "SC" in have:
        a, b = (cluster("SC", name, application="termions") for name in ("static", "fixed:1"))
        yield ("SC, equal tasks: static is as good as any", f"{a:.3f} against {b:.3f} of fixed:1",
               a < 1.05 * b)
        if any(run["application"] == "room" for run in runs):
            a, b = (cluster("SC", name, application="room") for name in ("static", "factoring"))
            yield ("SC, uneven tasks: static loses 7 to 42 %", f"{a:.2f} against {b:.2f} of factoring",
                   a > 1.07 * b)
        if any(run["machines"] == 16 and run["part"] == "SC" for run in runs):
            a, b, c = (100 * idc_of(runs, part="SC", schedule=name, machines=16, mode=mode,
                                    application="5balls")
                       for name, mode in (("fixed:8", "rests"), ("fixed:1", "rests"),
                                          ("fixed:8", "once")))
            yield ("SC, 16 machines: fixed:8 ends badly, IDC 22 %",
                   f"IDC {a:.0f} % against {b:.0f} % of fixed:1 with a master that only hands out; "
                   f"{c:.0f} % with one that works", a > 10)
    for part in loaded:
        names = [name for name in dict.fromkeys(run["schedule"] for run in runs
                                                if run["part"] == part)]
        order = sorted(names, key=lambda name: cluster(part, name))
        a, b = cluster(part, "static"), cluster(part, "weighted-factoring:start")
        yield (f"{part}: static is the worst, or near it",
               f"{a:.2f}, place {order.index('static') + 1} of {len(order)}; "
               f"worst {order[-1]} {cluster(part, order[-1]):.2f}",
               order.index("static") >= len(order) - 3)
        if "static-weighted" in names:
            c = cluster(part, "static-weighted")
            yield (f"{part}: static-weighted is better than static, and worse than weighted factoring",
                   f"{c:.2f}, static {a:.2f}, weighted-factoring:start {b:.2f}", b < c < a)
        c, d = cluster(part, "guided"), cluster(part, "fixed:1")
        yield (f"{part}: guided is hurt by uneven load", f"{c:.2f} against {d:.2f} of fixed:1",
               c > 1.2 * d)
        if part != "0.1.2.3":
            c = cluster(part, "fixed:8")
            yield (f"{part}: fixed:8 loses at the end", f"{c:.2f} against {d:.2f} of fixed:1",
                   c > 1.03 * d)
        c = cluster(part, "weighted-factoring:batch") if "weighted-factoring:batch" in names else b
        yield (f"{part}: weighted factoring by measured load is good",
               f"start {b:.2f}, batch {c:.2f}, best {order[0]} {cluster(part, order[0]):.2f}",
               min(b, c) < 1.15 * cluster(part, order[0]))
    if {"LL.LL.HL.HL", "LH.LH.HH.HH"} <= have:
        a, b = (cluster(part, "adaptive", machines=16) / cluster(part, "fixed:1", machines=16)
                for part in ("LL.LL.HL.HL", "LH.LH.HH.HH"))
        yield ("fast changes hurt adaptive on 16 machines",
               f"{b:.2f} times fixed:1 with high variation, {a:.2f} with low", b > 1.05 * a)
        a, b = (cluster(part, "weighted-factoring") / cluster(part, "weighted-factoring:batch")
                for part in ("LL.LL.HL.HL", "LH.LH.HH.HH"))
        yield ("weights by the clock alone are worse than by the load",
               f"{a:.2f} times with low variation, {b:.2f} with high", min(a, b) > 1.05)
        a, b = (cluster(part, "static") / cluster(part, "static-weighted")
                for part in ("LL.LL.HL.HL", "LH.LH.HH.HH"))
        yield ("high variation makes static-weighted less worth", f"gain {a:.2f}, then {b:.2f}", b < a)
    if "grid" in have:
        yield from grid_findings(runs)


# The study compares these schedules, as far as it has them.
MASTERS = ["fixed:1", "fixed:8", "guided", "factoring", "weighted-factoring",
           "weighted-factoring:start", "weighted-factoring:batch", "adaptive"]


def order_of(runs, size):
    """The study's strategies, the best first, by the mean over applications and environments."""
    names = ["static", "static-weighted"] + MASTERS
    return sorted(names, key=lambda name: mean_of(runs, size=size, schedule=name))


def program_findings(runs):
    """The same of walk and trace, at both sizes."""
    cluster = [run for run in runs
               if run.get("size") in tasks.SIZES and run["environment"] != "grid"]
    for size in dict.fromkeys(run["size"] for run in cluster):
        def of(environment, schedule, application, size=size):
            return mean_of(cluster, environment=environment, schedule=schedule, size=size,
                           application=application)
        have = list(dict.fromkeys(run["environment"] for run in cluster if run["size"] == size))
        if "SC" in have:
            a, b = of("SC", "static", "walk"), of("SC", "fixed:1", "walk")
            yield (f"walk, {size}: static is as good as any without load",
                   f"{a:.3f} against {b:.3f} of fixed:1", a < 1.05 * b)
            a, b = of("SC", "static", "balls"), of("SC", "fixed:1", "balls")
            yield (f"balls, {size}: most are alike without load, static too",
                   f"{a:.2f} against {b:.2f} of fixed:1", a < 1.05 * b)
            a = of("SC", "static", "room")
            gains = {name: 100 * (1 - of("SC", name, "room") / a) for name in MASTERS}
            yield (f"room, {size}: master-worker strategies gain 7 to 42 % beside static",
                   ", ".join(f"{name} {gain:.0f}" for name, gain in gains.items()) + " %",
                   min(gains.values()) > 7)
            worst = min(gains, key=gains.get)
            yield (f"room, {size}: fixed:1 is the worst of them, with 16 machines",
                   f"{of('SC', 'fixed:1', 'room'):.2f}; the worst is {worst} with "
                   f"{of('SC', worst, 'room'):.2f}", worst == "fixed:1")
        for application in ("walk", "balls", "room"):
            loaded = [name for name in have if name != "SC"]
            worst = [max(["static"] + MASTERS, key=lambda name, e=environment: of(e, name, application))
                     for environment in loaded]
            if loaded:
                yield (f"{application}, {size}: static is the worst under load",
                       f"in {worst.count('static')} of {len(loaded)}; worst: {', '.join(worst)}",
                       worst.count("static") == len(loaded))
    if all(any(run["size"] == size for run in cluster) for size in tasks.SIZES):
        orders = [order_of(cluster, size) for size in tasks.SIZES]
        pairs = [(orders[1].index(a) - orders[1].index(b)) > 0 for i, a in enumerate(orders[0])
                 for b in orders[0][i + 1:]]
        yield ("more tasks of walkers, and more work in a tile: the order stays",
               f"{sum(pairs)} of {len(pairs)} pairs change; {' < '.join(orders[0])}; then "
               f"{' < '.join(orders[1])}", sum(pairs) <= len(pairs) / 5)


def grid_findings(runs):
    def grid(latency, schedule, **more):
        return mean_of(runs, part="grid", latency=latency, schedule=schedule, **more)

    near, far = tasks.GRID_LATENCIES
    for name in ("static", "guided", "factoring"):
        a = grid(near, name)
        if not math.isnan(a):
            b = grid(near, "weighted-factoring")
            yield (f"grid: {name} is bad", f"{a:.2f} against {b:.2f} of weighted-factoring", a > 1.2 * b)
    for name in ("fixed:1", "fixed:8"):
        a, b = (grid(latency, name, application="termions", master="slow") for latency in (near, far))
        yield (f"grid, termions: {name} is slower at 250 ms", f"{b:.2f} against {a:.2f}", b > a)
    a, b = grid(far, "adaptive"), grid(far, "adaptive-latency")
    yield ("grid, 250 ms: counting latency helps adaptive", f"{b:.2f} against {a:.2f}", b <= a)
    weighted = ["static-weighted", "weighted-factoring", "weighted-factoring:start",
                "weighted-factoring:batch", "adaptive", "adaptive-latency"]
    for application in ("termions", "5balls", "synthetic"):
        pairs = [(grid(near, name, application=application, master="slow"),
                  grid(far, name, application=application, master="slow")) for name in weighted]
        pairs = [pair for pair in pairs if not math.isnan(pair[0])]
        if pairs:
            faster = sum(far_ratio < near_ratio for near_ratio, far_ratio in pairs)
            says = "faster" if application != "synthetic" else "slower"
            yield (f"grid, {application}, slow master: most are {says} at 250 ms than at 2.5",
                   f"{faster} of {len(pairs)} that weigh are faster",
                   (faster > len(pairs) / 2) == (says == "faster"))


def report(folder, parts):
    text = "".join(f"{'comes out' if holds else 'DOES NOT '}  {what}: {numbers}\n"
                   for what, numbers, holds in findings(list(tasks.results(folder, parts))))
    with open(os.path.join(folder, "findings.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print("\nWhat the study found:\n" + text, end="")


def check(folder, parts):
    """What must hold, with its reason, whatever else changes."""
    runs, faults = list(tasks.results(folder, parts or ["quick"])), []

    def must(condition, text):
        if not condition:
            faults.append(text)

    def of(part, schedule, latency=None):
        return next(run["ratio"] for run in runs if run["part"] == part
                    and run["schedule"] == schedule and run.get("latency") == latency)

    near, far = tasks.GRID_LATENCIES
    check_programs(folder, runs, must)
    for run in runs: # the ideal of a rank that becomes slow is for tasks of mean cost until then
        must(run["ratio"] > (.93 if "late" in run.get("case", "") or "stops" in run.get("case", "")
                             else .999), f"{tasks.name_of(run)} is faster than the ideal: {run['ratio']:.3f}")
        must(run["part"] != "robustness" or run["ratio"] <= 1.1,
             f"the default, {tasks.name_of(run)}: {run['ratio']:.3f} times the ideal")
    # Nobody is slowed: all that can be lost is the last chunk. Equal shares of equal tasks are best.
    for schedule in tasks.QUICK:
        must(of("SC", schedule) < 1.1, f"SC, {schedule}: {of('SC', schedule):.3f}")
    must(of("SC", "static") < 1.02, f"SC, static: {of('SC', 'static'):.3f}")
    # The machine with three other programs does an eighth of the tasks at a quarter of the speed.
    expected = 4 * (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    must(abs(of("0.1.2.3", "static") / expected - 1) < .02,
         f"0.1.2.3, static: {of('0.1.2.3', 'static'):.3f} and not {expected:.3f}")
    for part in ("0.1.2.3", "LH.LH.HH.HH"):
        worst = max(tasks.QUICK, key=lambda schedule: of(part, schedule))
        must(worst == "static", f"{part}: {worst} is worse than static")
        # The first chunk of guided is as large as that of static; only others are less.
        for schedule in ("fixed:1", "fixed:8", "weighted-factoring:start", "adaptive", "mfsc"):
            must(of(part, schedule) < of(part, "guided"), f"{part}: {schedule} is worse than guided")
        must(of(part, "fixed:1") < of(part, "fixed:8"), f"{part}: fixed:8 is better than fixed:1")
    # A far machine needs half a second for a task's way there and back, and .3 for the task itself.
    must(of("grid", "fixed:1", far) > 1.3 * of("grid", "fixed:1", near), "grid: latency is for nothing")
    for schedule in ("weighted-factoring:start", "adaptive", "adaptive-latency"):
        must(of("grid", schedule, far) < of("grid", "fixed:1", far),
             f"grid, 250 ms: {schedule} is worse than fixed:1")
    must(of("grid", "adaptive-latency", far) <= 1.01 * of("grid", "adaptive", far),
         "grid, 250 ms: adaptive-latency is worse than adaptive")
    sys.exit("\n".join(faults) or None)


def tree_steps(journal):
    """Of each tile: the last of the five counts that what was found begins with."""
    steps = {}
    with open(journal, encoding="ascii") as file:
        for line in file.readlines()[2:]:
            tile, _, found = line.split()
            steps[int(tile)] = int.from_bytes(bytes.fromhex(found[64:80]), sys.byteorder)
    return [steps[tile] for tile in sorted(steps)]


def check_programs(folder, runs, must):
    """walk and trace on four machines; that their results are the same bytes is checked elsewhere."""
    ratios = {(run["application"], run["schedule"]): run["ratio"] for run in runs if "size" in run}
    recorded = next(run["recorded"] for run in runs if run["application"] == "room" and "size" in run)
    steps = tree_steps(os.path.join(folder, recorded + ".journal"))
    # Static gives each machine a quarter of the tiles: the one with the expensive ones is waited for.
    quarter = len(steps) // 4
    expected = 4 * max(sum(steps[i * quarter:(i + 1) * quarter]) for i in range(4)) / sum(steps)
    must(abs(ratios["room", "static"] / expected - 1) < .02,
         f"room, static: {ratios['room', 'static']:.3f} and not {expected:.3f}")
    must(ratios["walk", "static"] < 1.05, f"walk, static: {ratios['walk', 'static']:.3f}")
    must(ratios["room", "fixed:1"] < 1.1, f"room, fixed:1: {ratios['room', 'fixed:1']:.3f}")
    must(ratios["room", "fixed:1"] < ratios["room", "factoring"] < ratios["room", "static"],
         "room: factoring is not between one tile at a time and static")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("report", "check"):
        sys.exit(__doc__)
    {"report": report, "check": check}[sys.argv[1]](sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    main()
