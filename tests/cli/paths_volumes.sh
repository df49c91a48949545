#!/usr/bin/env bash
# Distances and paths through volumes are those of scikit-image, on any number of ranks, and what is for images only is
# refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy skimage

"$python" - "$work" <<'PYTHON' || wrong "volumes"
import sys
import numpy as np
rng = np.random.default_rng(3)
costs = rng.integers(1, 30, (13, 19, 27)).astype("f4")
costs[rng.random(costs.shape) < .2] = -1
sources = np.zeros(costs.shape, "u1")
for i, place in enumerate([(0, 0, 0), (3, 4, 5), (12, 0, 26)]):
    costs[place] = 2
    sources[place] = i + 1
costs[12, 18, 26] = 1
np.save(f"{sys.argv[1]}/costs.npy", costs)
np.save(f"{sys.argv[1]}/sources.npy", sources)
costs[11:, 17:, 25:] = -1
costs[12, 18, 26] = 1
np.save(f"{sys.argv[1]}/walled.npy", costs)
PYTHON
printf 'x,y,z\n0,0,0\n5,4,3\n26,0,12\n' >"$work/sources.csv"

search=("$work/costs.npy" --barrier negative --quiet --cell-size '1,.5,2.25' --to '26,18,12' --to '3,3,3')
number=0
while read -r ranks neighbours options; do
    number=$((number + 1))
    out=$work/out/$number
    mkdir "$out"
    # shellcheck disable=SC2086 # words
    run_well "$ranks" paths "${search[@]}" --from "$work/sources.csv" $options --neighbours "$neighbours" \
        -o "$out/d.npy" --nearest "$out/n.npy" --path "$out/p.csv" --json "$out/run.json"
    echo "$neighbours" >"$out/neighbours"
done <<TABLE
1 6
1 18
1 26
2 26
3 26 --method settle --quota 20
3 18 --decomposition 1x3x1
4 6 --decomposition blocks
4 26 --decomposition 2x2 --exchange neighbour
3 26 --balance lb1
TABLE

# The same sources one by one and in a volume; a search that was stopped; planes in files of their own.
out=$work/out
run_well 3 paths "${search[@]}" --from 0,0,0 --from 5,4,3 --from 26,0,12 -o "$out/one.npy" --nearest "$out/one-n.npy"
run_well 2 paths "${search[@]}" --from "$work/sources.npy" -o "$out/mask.npy" --nearest "$out/mask-n.npy"
run_well 2 paths "${search[@]}" --from "$work/sources.csv" --quota 50 --beats 3 --method settle --checkpoint "$work/state"
run_well 3 paths "${search[@]}" --from "$work/sources.csv" --restore "$work/state" -o "$out/rest.npy"
run_well 2 paths "${search[@]}" --from "$work/sources.csv" -o "$out/d%02d.npy" --nearest "$out/colours/" \
    --report "$out/page.html"

"$python" - "$out" "$work" "$number" <<'PYTHON' || wrong "results are others"
import glob, itertools, json, sys
import numpy as np
from skimage.graph import MCP_Geometric
out, work, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
costs = np.load(f"{work}/costs.npy").astype(float)
sides, sources = (2.25, .5, 1), [(0, 0, 0), (3, 4, 5), (12, 0, 26)]
wanted = {}
for number, most in ((6, 1), (18, 2), (26, 3)):
    steps = [step for step in itertools.product((-1, 0, 1), repeat=3) if 0 < np.abs(step).sum() <= most]
    wanted[number] = MCP_Geometric(costs, offsets=steps, sampling=sides).find_costs(sources)[0]
first = {}
for i in range(1, count + 1):
    neighbours = int(open(f"{out}/{i}/neighbours").read())
    distances, nearest = np.load(f"{out}/{i}/d.npy"), np.load(f"{out}/{i}/n.npy")
    np.testing.assert_array_equal(distances, wanted[neighbours], str(i))
    table = np.genfromtxt(f"{out}/{i}/p.csv", delimiter=",", names=True)
    assert table.dtype.names == ("target", "step", "x", "y", "z", "distance")
    assert ((nearest == 0) == np.isinf(distances)).all() and nearest.max() == 3
    results = first.setdefault(neighbours, (nearest, open(f"{out}/{i}/p.csv").read()))
    assert (results[0] == nearest).all() and results[1] == open(f"{out}/{i}/p.csv").read(), i
    for target, end in ((1, (12, 18, 26)), (2, (3, 3, 3))):
        path = table[table["target"] == target]
        cells = np.column_stack([path["z"], path["y"], path["x"]]).astype(int)
        assert tuple(cells[-1]) == end and tuple(cells[0]) == sources[nearest[end] - 1]
        values = costs[tuple(cells.T)]
        steps = np.sqrt(((np.diff(cells, axis=0) * sides) ** 2).sum(axis=1)) * (values[1:] + values[:-1]) / 2
        np.testing.assert_allclose(np.cumsum(steps), path["distance"][1:])
        np.testing.assert_array_equal(path["distance"], distances[tuple(cells.T)])
    facts = json.load(open(f"{out}/{i}/run.json"))
    assert facts["cell_size"] == [1, .5, 2.25] and facts["cells"] == costs.size
    assert facts["target_distances"][0] == {"x": 26, "y": 18, "z": 12, "distance": distances[12, 18, 26]}
for name in ("one", "mask", "rest"):
    np.testing.assert_array_equal(np.load(f"{out}/{name}.npy"), wanted[26], name)
for name in ("one-n", "mask-n"):
    np.testing.assert_array_equal(np.load(f"{out}/{name}.npy"), first[26][0], name)
planes = np.array([np.load(name) for name in sorted(glob.glob(f"{out}/d??.npy"))])
np.testing.assert_array_equal(planes, wanted[26])
assert len(glob.glob(f"{out}/colours/*.png")) == len(costs)
PYTHON

run 2 paths "$work/walled.npy" --barrier negative --from 0,0,0 --to 26,18,12 --quiet
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no word about the target' grep -q 'target 26,18,12 (1 of 1 targets are unreachable)' "$work/stderr"
finish
