#!/usr/bin/env bash
# `halobeat cluster --connected` and `--compactness`: superpixels in one piece each.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy scipy
out=$work/out here=$(dirname "$0")

# connected SHARE K OPTION...: beside the definition, and the same files on several ranks.
connected() {
    local share=$1 k=$2 ending ranks
    shift 2
    what="$*, K $k, min-size $share"
    run_well 1 cluster "$@" -k "$k" -o "$work/clusters.npy" --quiet
    for ranks in 1 2 3 5; do
        run_well "$ranks" cluster "$@" -k "$k" --connected --min-size "$share" --quiet \
            -o "$out/labels$ranks.npy" --mosaic "$out/mosaic$ranks.png" --json "$out/run$ranks.json" \
            --outline "$out/outline$ranks.png" --centres "$out/centres$ranks.csv" --balance random \
            --balance-every 1
        for ending in labels,npy mosaic,png outline,png centres,csv; do
            holds "another ${ending%,*} on $ranks ranks" \
                cmp -s "$out/${ending%,*}1.${ending#*,}" "$out/${ending%,*}$ranks.${ending#*,}"
        done
    done
    holds 'not by the definition' "$python" "$here/check_connected.py" "$work/clusters.npy" \
        "$out/labels1.npy" "$out/centres1.csv" "$out/run1.json" "$share" "$k"
}

connected .5 60 "$data/text.png" --weight 4
connected .1 200 "$data/coffee.png" --colour --beats 12
connected 1 9 "$data/cell.png" --compactness .05 --beats 20

what='results of --connected'
run_well 1 cluster "$data/text.png" -k 60 --weight 4 --connected --checkpoint "$work/state" \
    -o "$out/whole.png"
holds 'nothing about pieces' grep -q 'connected  [0-9]* superpixels in one piece each; before' \
    <(unbroken)
# A checkpoint is of the clusters, with or without.
run_well 3 cluster "$data/text.png" --restore "$work/state" --connected -o "$out/again.png" --quiet
holds 'other superpixels of a checkpoint' cmp -s "$out/whole.png" "$out/again.png"
run_well 2 cluster "$data/text.png" --restore "$work/state" -o "$out/clusters.npy" --quiet
run_well 1 cluster "$data/text.png" -k 60 --weight 4 -o "$out/clusters1.npy" --quiet
holds 'the checkpoint has other clusters' cmp -s "$out/clusters.npy" "$out/clusters1.npy"
# Clusters by place alone are rectangles already.
run_well 2 cluster "$data/text.png" -k 60 --weight 0 -o "$out/plain.npy" --quiet
run_well 2 cluster "$data/text.png" -k 60 --weight 0 --connected -o "$out/same.npy" --quiet
holds 'rectangles were changed' cmp -s "$out/plain.npy" "$out/same.npy"

# With 6 x 1 pixels and 2 clusters, the width of a cluster is the root of 3: W is that by M and 255.
what='--compactness'
"$python" "$here/pictures.py" cluster "$work" || exit 1
run_well 2 cluster "$work/line.png" -k 2 --compactness .1 --json "$out/run.json" --quiet
run_well 2 cluster "$work/line.png" -k 2 --compactness 10 --colour --json "$out/colour.json" --quiet
holds 'another weight' "$python" - "$out" <<'PYTHON'
import json, math, sys
run, colour = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("run", "colour"))
assert math.isclose(run["weight"], math.sqrt(3) / .1 / 255, rel_tol=1e-7), run["weight"]
assert math.isclose(colour["weight"], math.sqrt(3) / 10, rel_tol=1e-7), colour["weight"]
assert run["compactness"] == .1 and run["connected"] is False and run["superpixels"] is None
PYTHON
run_well 1 cluster "$data/text.png" -k 60 --compactness .2 --beats 3 --checkpoint "$work/state" \
    --quiet
run_well 1 cluster "$data/text.png" --restore "$work/state" -o "$out/part.npy" --quiet
run_well 2 cluster "$data/text.png" -k 60 --compactness .2 -o "$out/whole.npy" --quiet
holds 'another result of a checkpoint' cmp -s "$out/part.npy" "$out/whole.npy"
run_well 2 cluster "$data/text.png" -k 60 --compactness .2 --checkpoint "$work/state" --resume --quiet \
    -o "$out/resumed.npy"
holds 'another result of --resume' cmp -s "$out/resumed.npy" "$out/whole.npy"
fails 2 'compactness cannot be given with --restore' 2 cluster "$data/text.png" --compactness .2 \
    --restore "$work/state"

what='what cannot be'
fails 2 'min-size needs --connected' 1 cluster "$data/text.png" -k 5 --min-size 10%
fails 2 'compactness cannot be given with --weight' 2 cluster "$data/text.png" -k 5 --compactness 1 \
    --weight 1
fails 2 'compactness takes a number from 1e-06 to 1000000, not "0"' 1 cluster "$data/text.png" -k 5 --compactness 0
fails 2 'compactness 1e-05 stands for a weight of .*use 0.0.* or more' 2 cluster "$data/text.png" \
    -k 5 --compactness 1e-5
fails 2 'superpixels of 0 pixels or more; there are labels for 65536' 3 cluster "$data/coffee.png" \
    -k 50 --weight 200 --beats 3 --connected --min-size 0
finish
