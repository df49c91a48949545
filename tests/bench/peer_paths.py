"""Distances from one source in the middle of a raster by scikit-image's MCP_Geometric.

usage: peer_paths.py COSTS SIZE NEIGHBOURS

COSTS is a file of one byte a cost, 0 for barriers, as `bench paths save=COSTS` writes it. Prints ns per
cell of the search alone.
"""

import sys
import time

import numpy as np
from skimage.graph import MCP_Geometric


def main():
    size, neighbours = int(sys.argv[2]), int(sys.argv[3])
    costs = np.fromfile(sys.argv[1], np.uint8).reshape(size, size).astype(float)
    costs[costs == 0] = -1
    search = MCP_Geometric(costs, fully_connected=neighbours == 8)
    middle = size // 2 | 1
    wall, cpu = time.perf_counter(), time.process_time()
    distances, _ = search.find_costs([(middle, middle)])
    per = 1e9 / costs.size
    wall, cpu = (time.perf_counter() - wall) * per, (time.process_time() - cpu) * per
    reached = np.isfinite(distances).mean()
    print(f"program=skimage ns={wall:.4f} cpu_ns={cpu:.4f} reached={reached:.4f}")


main()
