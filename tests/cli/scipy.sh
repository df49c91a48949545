#!/usr/bin/env bash
# Labels, areas, boxes, centroids and mean greys equal those of scipy on the real images.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy numpy PIL

configurations=('--connectivity 4' '--connectivity 8' '--connectivity 4 --invert --min-area 10'
    '--connectivity 8 --threshold 40% --min-area 3')
n=0
for image in "$data"/*.png; do
    for i in 0 1; do
        read -r -a options <<<"${configurations[(n + i) % 4]}"
        folder=$work/out/$n.$i
        mkdir "$folder"
        common=("$image" "${options[@]}" --quiet)
        run_well $((n % 3 + 1)) label "${common[@]}" -o "$folder/labels.png" \
            --regions "$folder/regions.csv" --colour "$folder/colour.png" --json "$folder/run.json"
        run_well $(((n + 1) % 3 + 1)) label "${common[@]}" -o "$folder/labels.npy" \
            --regions "$folder/regions.json"
        echo "$folder" "$image" "${options[@]}" >>"$work/runs"
    done
    n=$((n + 1))
done
what="scipy's answers"
holds "the results differ from them" "$python" "$(dirname "$0")/compare_scipy.py" "$work/runs"
finish
