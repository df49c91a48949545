"""Distances of `halobeat paths` beside those of other programs, to the last bit:
paths_peers.py skimage PROGRAM FOLDER IMAGE... MPIEXEC ARGUMENT...
paths_peers.py grass PROGRAM FOLDER IMAGE

Costs are an image's greys and an array of random ones, with barriers."""

import os
import subprocess
import sys

import numpy

BARRIER = 7


def find(program, costs, out, sources, neighbours, ranks=()):
    places = [word for y, x in sources for word in ("--from", f"{x},{y}")]
    subprocess.run([*ranks, program, "paths", costs, *places, "--barrier", str(BARRIER), "--neighbours",
                    str(neighbours), "--quiet", "-o", out], check=True, stdin=subprocess.DEVNULL)
    return numpy.load(out)


def random_costs(folder):
    draw = numpy.random.default_rng(5)
    costs = draw.lognormal(1, 2, (83, 120))
    costs[draw.random(costs.shape) < 0.2] = BARRIER
    path = os.path.join(folder, "random.npy")
    numpy.save(path, costs)
    return path, costs


def places_of(costs):
    free = numpy.argwhere(costs != BARRIER)
    return [tuple(int(v) for v in free[len(free) * i // 5]) for i in (1, 3)]


def compare(what, found, expected):
    differ = int((found != expected).sum())
    reached = int(numpy.isfinite(expected).sum())
    print(f"{what}: {differ} cells differ, {reached} of {expected.size} are reached")
    return differ != 0 or reached < expected.size // 2


def skimage_faults(program, folder, arguments):
    import skimage.io
    from skimage.graph import MCP_Geometric

    images = [name for name in arguments if name.endswith(".png")]
    ranks = arguments[len(images) :]
    inputs = [(path, skimage.io.imread(path).astype(float)) for path in images] + [random_costs(folder)]
    for path, costs in inputs:
        for neighbours in (4, 8):
            sources = places_of(costs)
            blocked = numpy.where(costs == BARRIER, -1, costs)
            search = MCP_Geometric(blocked, fully_connected=neighbours == 8)
            expected, _ = search.find_costs(sources)
            for start in ((), ranks):
                found = find(program, path, os.path.join(folder, "d.npy"), sources, neighbours, start)
                yield compare(f"{path}, {neighbours} neighbours", found, expected)


SCRIPT = """
set -e
r.in.bin -d input=costs.bin output=costs rows={rows} cols={columns} north={rows} south=0 east={columns} \
west=0 bytes=8 anull=-1 --o --q
g.region raster=costs
r.cost {flag} input=costs output=distances start_coordinates={places} --o --q
r.out.bin -f input=distances output=distances.bin bytes=8 null=-1 --o --q
"""


def grass_faults(program, folder, arguments):
    program = os.path.abspath(program)
    os.chdir(folder)
    subprocess.run(["grass", "-c", "XY", "location", "-e"], check=True, capture_output=True)
    import skimage.io

    for path, costs in [(arguments[0], skimage.io.imread(arguments[0]).astype(float)),
                        random_costs(folder)]:
        rows, columns = costs.shape
        numpy.where(costs == BARRIER, -1, costs).tofile("costs.bin")
        sources = places_of(costs)
        places = ",".join(f"{x + 0.5},{rows - y - 0.5}" for y, x in sources)
        for neighbours, flag in ((8, ""), (16, "-k")):
            script = SCRIPT.format(rows=rows, columns=columns, flag=flag, places=places)
            subprocess.run(["grass", "location/PERMANENT", "--exec", "bash", "-c", script], check=True,
                           capture_output=True)
            expected = numpy.fromfile("distances.bin").reshape(costs.shape)
            expected[expected == -1] = numpy.inf
            found = find(program, path, "d.npy", sources, neighbours)
            yield compare(f"{path}, {neighbours} neighbours", found, expected)


def main():
    peer = {"skimage": skimage_faults, "grass": grass_faults}[sys.argv[1]]
    faults = list(peer(sys.argv[2], sys.argv[3], sys.argv[4:]))
    return len(faults) < 4 or any(faults)


sys.exit(main())
