#!/usr/bin/env bash
# Clusters, pictures, centres and inertia equal those of the definition in numpy, to the last pixel;
# those of scikit-learn and of scikit-image's colours, where installed, but for ties.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL
mkdir "$work/pictures"
"$python" "$(dirname "$0")/make_cluster_pngs.py" "$work/pictures" || exit 1

# compare RANKS IMAGE K WEIGHT WORD ARGUMENT...: WORD is colour, sklearn or grey.
n=0
compare() {
    local folder=$work/out/$n
    local -a how=()
    if [ "$5" = colour ]; then how=(--colour); fi
    mkdir "$folder"
    run_well "$1" cluster "$2" -k "$3" --weight "$4" "${how[@]}" "${@:6}" --quiet \
        -o "$folder/labels.npy" --mosaic "$folder/mosaic.png" --outline "$folder/outline.png" \
        --centres "$folder/centres.csv" --json "$folder/run.json"
    echo "$folder" "$2" "$3" "$4" "$5" >>"$work/runs"
    n=$((n + 1))
}

compare 2 "$work/pictures/noise.png" 30 2 sklearn
compare 1 "$work/pictures/noise.png" 64 1.25 grey --max-beats 9
compare 3 "$work/pictures/grey16.png" 20 .7 grey --max-beats 12
compare 3 "$work/pictures/grey16.png" 900 1 grey --max-beats 4
holds "no cluster has lost all its pixels" \
    [ "$(grep -c '"empty_clusters": 0' "$work/out/3/run.json")" = 0 ]
compare 1 "$work/pictures/line.png" 2 3 grey
compare 2 "$work/pictures/rgb.png" 17 .3 grey --max-beats 10
compare 2 "$data/text.png" 12 1 grey --max-beats 6
compare 2 "$work/pictures/rgb.png" 13 2 colour --max-beats 8
compare 1 "$data/coffee.png" 8 1.5 colour --max-beats 3
what="numpy's answers"
holds "the results differ from them" "$python" "$(dirname "$0")/compare_clusters.py" "$work/runs"
finish
