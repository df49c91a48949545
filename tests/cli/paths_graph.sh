#!/usr/bin/env bash
# `halobeat paths` of graphs: results are what Dijkstra's algorithm finds; what cannot be used is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

what='the definition'
start_any 3
holds 'some results are others' "$python" "$(dirname "$0")/paths_graph_check.py" "$program" "$work" \
    "${starter[@]}"

refusing=paths
graph=$work/a.gr
printf 'c three\np sp 3 2\na 1 2 4\na 2 3 1.5\n' >"$graph"
refuse 'vertex 4 for a source: vertices of the graph are 1 to 3' "$graph" --from 4
refuse 'vertex 0 for a target' "$graph" --from 1 --to 0
refuse 'from takes.*-1' "$graph" --from=-1
refuse 'a picture of sources is for rasters' "$graph" --from "$data/rice.png"
for given in --neighbours=8 --barrier=nan --cell-size=2 --beats=3 --decomposition=strips \
    --exchange=p2p --balance=diffusion --checkpoint="$work/state" --overlay="$work/out/o.png"; do
    refuse "is a graph, and .*${given%%=*}.* is for rasters" "$graph" --from 1 "$given"
done
refuse 'method settle is for rasters' "$graph" --from 1 --method settle
refuse 'detector needs --method async or decentral, not central' "$graph" --from 1 --method central \
    --detector safra
refuse 'a graph has no picture' "$graph" --from 1 --nearest "$work/out/n.png"
fails 2 'bucket is for one rank, and there are 2' 2 paths "$graph" --from 1 --method bucket
"$python" "$(dirname "$0")/pictures.py" make 40 30 8 "$work/grey.png"
refuse 'from takes.*not "17"' "$work/grey.png" --from 17
refuse 'to takes.*not "1,2,3"' "$work/grey.png" --from 1,1 --to 1,2,3
refuse 'of rasters it is an array' "$work/grey.png" --from 1,1 -o "$work/out/d.csv"

# A target that no arc leads to: the rest is there.
run 2 paths "$graph" --from 2 --to 3,1 -q -o "$work/d.txt" --path "$work/p.csv"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no word about it' grep -q 'vertex 1 (1 of 2 targets are unreachable)' "$work/stderr"
holds 'other distances' [ "$(cat "$work/d.txt")" = 'inf
0
1.5' ]
holds 'no path to the other' [ "$(cat "$work/p.csv")" = 'target,step,vertex,distance
1,0,2,0
1,1,3,1.5' ]

# wrong_graph PATTERN TEXT: a file that has this text.
turns=0
wrong_graph() {
    printf '%b' "$2" >"$graph"
    fails 1 "$1" $((turns++ % 3 + 1)) paths "$graph" --from 1
}
wrong_graph 'no line p' 'c nothing\n'
wrong_graph 'line 1.*stands before' 'a 1 2 3\n'
wrong_graph 'line 3.*no vertex 9' 'p sp 3 2\na 1 2 4\na 2 9 1\n'
wrong_graph 'line 2.*negative' 'p sp 3 1\na 1 2 -4\n'
wrong_graph 'has 1 arcs, and its line p says 2' 'p sp 3 2\na 1 2 4\n'
wrong_graph 'line 3.*more arcs than the 1' 'p sp 3 1\na 1 2 4\na 1 2 4\n'
fails 1 'no/such' 2 paths no/such.gr --from 1
printf 'p sp 3 1\na 1 2 4\n' >"$graph"
printf '1,2\n' >"$work/from.csv"
fails 1 'line 1: this is no place; each line has a vertex' 2 paths "$graph" --from "$work/from.csv"
finish
