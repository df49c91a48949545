"""Times of both programs in turn: speed.py OUT DATA OLD NEW ROUNDS [PATTERN]

Each round runs both, the one that comes first in turn, pinned to one core, or one rank a core. Two
times count: that on the processor (user and system, of all ranks), which other programs on the
machine disturb least, and what the program itself says about the phase in which it computes. Of
both, the ratio old/new of the medians and of the minima: 1 is as fast as before, less is slower.
The noise is how far a side's median is above its minimum. A side that is slower by both ratios is
told of as a difference if the noise is less than 2 %; where it is more the machine was too busy to
tell, and a row of more noise than that proves nothing in either direction.
"""

import fnmatch
import json
import os
import statistics
import subprocess
import sys

# Name, ranks, how often in a row, key of the seconds of computing, arguments. Half a second to one
# and a half of a processor of 2024.
CASES = [
    ("label", 1, 2, "labelling_seconds", "label OUT/speed/soup.png -c 8"),
    ("label-sweep", 1, 4, "labelling_seconds", "label DATA/brick.png --method sweep"),
    ("life", 1, 1, "generations_seconds", "life soup:2048x2048:35%:1 -n 50000 --halo-depth 16"),
    ("heat", 1, 1, "beats_seconds", "run heat --size 1000x1000 --beats 2500 --halo-depth 8"),
    ("heat-plain", 1, 1, "beats_seconds", "run heat --size 1000x1000 --beats 1000 --halo-depth 1"),
    ("heat3d", 1, 1, "beats_seconds", "run heat3d --size 120x120x120 --beats 600 --halo-depth 1"),
    ("cluster", 1, 1, "beats_seconds", "cluster DATA/coffee.png --colour -k 4000 --weight 4 --beats 2000"),
    ("cluster-brute", 1, 1, "beats_seconds",
     "cluster DATA/grass.png -k 300 --engine brute --beats 6"),
    ("chan-vese", 1, 1, "beats_seconds", "chan-vese DATA/camera.png -n 50000"),
    ("snake", 1, 12, "beats_seconds", "snake DATA/cell.png --init grid:24x20 --beats 1000"),
    ("motion", 1, 5, "total_seconds", "motion DATA/camera.png DATA/grass.png -k 400 --radius 60"),
    ("exchange", 2, 1, "beats_seconds", "run heat --size 64x64 --beats 40000 --halo-depth 1"),
    ("exchange-columns", 2, 1, "beats_seconds",
     "run heat --size 64x64 --beats 40000 --halo-depth 1 --decomposition 1x2 --packing copy"),
]
ENOUGH = 0.98


def cores():
    return sorted(os.sched_getaffinity(0))


def find(told, key):
    return told[key] if key in told else told["phases"].get(key, float("nan"))


def measure(program, ranks, times, key, arguments, where):
    """Seconds on the processor, and of computing by its own account."""
    mine = cores()
    bound = "user:" + ",".join(map(str, mine[:ranks]))
    start = ["mpiexec.mpich", "-bind-to", bound, "-n", str(ranks)]
    processor = computing = 0
    for _ in range(times):
        process = subprocess.Popen(
            (start if ranks > 1 else []) + [program, *arguments, "--quiet", "--json", where],
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, mine[-1:] if ranks == 1 else mine[:ranks]),
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            return None
        processor += usage.ru_utime + usage.ru_stime
        with open(where, encoding="utf-8") as file:
            computing += find(json.load(file), key)
    return processor, computing


def ratios(samples, which):
    old, new = ([sample[which] for sample in samples[side]] for side in (0, 1))
    return statistics.median(old) / statistics.median(new), min(old) / min(new)


def noise_of(seconds):
    return statistics.median(seconds) / min(seconds) - 1


def main(out, data, old, new, rounds, pattern="*"):
    folder, programs = os.path.join(out, "speed"), (old, new)
    os.makedirs(folder, exist_ok=True)
    soup, where = os.path.join(folder, "soup.png"), os.path.join(folder, "run.json")
    make = [old, "life", "soup:16384x16384:35%:1", "-n", "20", "-o", soup, "-q"]
    subprocess.run(make, check=True)
    head = "%-18s %9s %9s  %8s %8s %7s  %8s %8s"
    print(head % ("", "processor", "seconds", "old/new", "", "", "computes", "old/new"))
    print(head % ("", "old", "new", "medians", "minima", "noise", "medians", "minima"))
    for name, ranks, times, key, words in CASES:
        if not fnmatch.fnmatch(name, pattern):
            continue
        if ranks > len(cores()):
            print("%-18s skipped: there are fewer than %d cores" % (name, ranks))
            continue
        arguments = words.replace("OUT", out).replace("DATA", data).split()
        samples = ([], [])
        for turn in range(int(rounds)):
            for side in (0, 1) if turn % 2 == 0 else (1, 0):
                one = measure(programs[side], ranks, times, key, arguments, where)
                if one is None:
                    print("differs %s: %s has failed: %s" % (name, ("old", "new")[side], words))
                    break
                samples[side].append(one)
        if len(samples[0]) + len(samples[1]) < 2 * int(rounds):
            continue
        median, least = ratios(samples, 0)
        noise = max(noise_of([sample[0] for sample in side]) for side in samples)
        slower = max(median, least) < ENOUGH
        verdict = "  too noisy" if noise > 1 - ENOUGH else "  slower" if slower else ""
        middle = [statistics.median(sample[0] for sample in side) for side in samples]
        row = (name, *middle, median, least, 100 * noise, *ratios(samples, 1), verdict)
        print("%-18s %9.3f %9.3f  %8.3f %8.3f %5.1f %%  %8.3f %8.3f%s" % row, flush=True)
        if verdict == "  slower":
            print("differs %s: is slower than before" % name)
    os.remove(soup)


main(*sys.argv[1:])
