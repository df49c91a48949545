"""Distances from vertices of a graph by scipy's dijkstra.

usage: peer_graph.py GRAPH.gr SOURCE...

GRAPH.gr is a file as `bench graph save=GRAPH.gr` writes it, and sources are numbered from 0 on. Of
several arcs between two vertices the shortest counts. Prints milliseconds a source, of the search alone.
"""

import sys
import time

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra


def shortest_arcs(path):
    with open(path) as file:
        vertices = int(file.readline().split()[2])
        arcs = np.loadtxt(file, dtype=np.int64, usecols=(1, 2, 3))
    arcs = arcs[np.lexsort((arcs[:, 2], arcs[:, 1], arcs[:, 0]))]
    first = np.ones(len(arcs), bool)
    first[1:] = (arcs[1:, :2] != arcs[:-1, :2]).any(axis=1)
    tails, heads, weights = arcs[first].T
    return csr_matrix((weights.astype(float), (tails - 1, heads - 1)), shape=(vertices, vertices))


def main():
    graph, sources = shortest_arcs(sys.argv[1]), [int(word) for word in sys.argv[2:]]
    wall, cpu = time.perf_counter(), time.process_time()
    total = 0.0
    for source in sources:
        distances = dijkstra(graph, indices=source)
        total += distances[np.isfinite(distances)].sum()
    per = 1e3 / len(sources)
    wall, cpu = (time.perf_counter() - wall) * per, (time.process_time() - cpu) * per
    print(f"program=scipy ms={wall:.4f} cpu_ms={cpu:.4f} total={total:.0f}")


main()
