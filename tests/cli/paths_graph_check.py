"""Distances, nearest sources and paths of `halobeat paths GRAPH.gr`, beside Dijkstra's algorithm:
paths_graph_check.py PROGRAM FOLDER LAUNCHER...

Random graphs with several arcs between two vertices, loops, and arcs of weight 0; every method on one
rank and, started by LAUNCHER, on several.
"""

import csv
import gzip
import heapq
import json
import math
import os
import random
import struct
import subprocess
import sys

from checks import check, finish

program, folder, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
METHODS = [[], ["--method", "central"], ["--method", "central", "--quota", "1"],
           ["--method", "decentral"], ["--method", "async", "--quota", "2"]]
DETECTORS = ["safra", "ack-tree", "fixed-energy", "dual-ring"]


def path_of(name):
    return os.path.join(folder, name)


def run(ranks, *words):
    start = launcher if ranks > 1 else []
    done = subprocess.run([*start, program, "paths", *words, "-q"], capture_output=True, text=True)
    check(f"{words}: {done.stderr}", done.returncode in (0, 1) and "rank" not in done.stderr)
    return done.returncode


def rows(name):
    with open(path_of(name), newline="") as file:
        return list(csv.reader(file))[1:]


def load(name, kind):
    with open(path_of(name), "rb") as file:
        data = file.read()
    size = struct.unpack("<H", data[8:10])[0]
    body = data[10 + size :]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(kind)}{kind}", body))


def dijkstra(count, arcs, sources, farthest):
    after = [[] for _ in range(count + 1)]
    for tail, head, weight in arcs:
        after[tail].append((head, weight))
    distances = [math.inf] * (count + 1)
    heap = []
    for s in sources:
        distances[s] = 0.0
        heap.append((0.0, s))
    while heap:
        distance, v = heapq.heappop(heap)
        if distance > distances[v]:
            continue
        for head, weight in after[v]:
            if distance + weight < distances[head] and distance + weight <= farthest:
                distances[head] = distance + weight
                heapq.heappush(heap, (distances[head], head))
    return distances


def check_paths(arcs, distances, sources, targets):
    ways = {}
    for target, step, vertex, distance in rows("p.csv"):
        way = ways.setdefault(int(target), [])
        check("steps count", int(step) == len(way))
        check("a distance on the way", float(distance) == distances[int(vertex)])
        way.append(int(vertex))
    known = {}
    for tail, head, weight in arcs:
        known.setdefault((tail, head), set()).add(weight)
    for i, target in enumerate(targets, 1):
        if math.isinf(distances[target]):
            check("a way to where none leads", i not in ways)
            continue
        way = ways[i]
        check("the ends of a way", way[0] in sources and way[-1] == target)
        for tail, head in zip(way, way[1:]):
            check(f"no tight arc {tail} {head}",
                  any(distances[tail] + w == distances[head] for w in known.get((tail, head), [])))


def nearest(arcs, distances, sources):
    numbers = [0] * len(distances)
    for i, s in reversed(list(enumerate(sources, 1))):
        numbers[s] = i
    tight = [(t, h) for t, h, w in arcs
             if not math.isinf(distances[h]) and distances[t] + w == distances[h]]
    changes = True
    while changes:
        changes = False
        for tail, head in tight:
            if numbers[tail] and (not numbers[head] or numbers[tail] < numbers[head]):
                numbers[head], changes = numbers[tail], True
    return numbers[1:]


def run_all(count, arcs, sources, targets, farthest):
    distances = dijkstra(count, arcs, sources, farthest)
    lost = any(math.isinf(distances[t]) for t in targets)
    limit = [] if math.isinf(farthest) else ["--max-distance", repr(farthest)]
    ends = ["--from", ",".join(map(str, sources))]
    for t in targets:
        ends += ["--to", str(t)]
    ways = [(1, m) for m in [*METHODS, ["--method", "bucket"]]] + [(3, m) for m in METHODS]
    for ranks, method in ways:
        status = run(ranks, path_of("g.gr"), *ends, *limit, *method, "-o", path_of("d.npy"),
                     "--nearest", path_of("n.npy"), "--path", path_of("p.csv"), "--json",
                     path_of("j.json"))
        check(f"{method} on {ranks}: status", status == (1 if lost else 0))
        check(f"{method} on {ranks}: distances", load("d.npy", "d") == distances[1:])
        check(f"{method} on {ranks}: sources", load("n.npy", "i") == nearest(arcs, distances, sources))
        check_paths(arcs, distances, sources, targets)
        with open(path_of("j.json")) as file:
            facts = json.load(file)
        check("facts", facts["vertices"] == count and facts["arcs"] == len(arcs)
              and facts["reached_vertices"] == sum(not math.isinf(d) for d in distances[1:])
              and facts["relaxed_arcs"] >= sum(not math.isinf(distances[t]) for t, _, _ in arcs)
              * math.isinf(farthest))


random.seed(3)
for count, arc_count, scale, farthest in [(1, 0, 1, math.inf), (40, 90, 1, math.inf),
                                          (150, 900, 0.1, 1.5), (200, 260, 1, math.inf)]:
    arcs = [(random.randint(1, count), random.randint(1, count), random.randint(0, 9) * scale)
            for _ in range(arc_count)]
    text = f"c made\np sp {count} {len(arcs)}\n" + "".join(f"a {t} {h} {w!r}\n" for t, h, w in arcs)
    with open(path_of("g.gr"), "w") as file:
        file.write(text)
    run_all(count, arcs, [random.randint(1, count) for _ in range(2)],
            [random.randint(1, count) for _ in range(3)], farthest)

# The same from a packed file, places from files, and as texts.
with gzip.open(path_of("g.gr.gz"), "wt") as file:
    file.write(text)
with open(path_of("from.csv"), "w") as file:
    file.write("vertex\n3\r\n\n7\n")
distances = dijkstra(count, arcs, [3, 7], math.inf)
for detector in DETECTORS:
    run(3, path_of("g.gr.gz"), "--from", path_of("from.csv"), "-o", path_of("d.csv"),
        "--nearest", path_of("n.txt"), "--method", "decentral", "--detector", detector)
    check(f"{detector}: a table", [float(d) for _, d in rows("d.csv")] == distances[1:])
    with open(path_of("n.txt")) as file:
        check("a text", [int(line) for line in file] == nearest(arcs, distances, [3, 7]))
finish(1000)
