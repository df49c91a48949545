#!/usr/bin/env bash
# `halobeat cluster` refuses these arguments, images and files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
mkdir "$work/bad" "$work/pictures"
"$python" "$(dirname "$0")/make_bad_pngs.py" "$work/bad" "$data/brick.png" || exit 1
"$python" "$(dirname "$0")/pictures.py" cluster "$work/pictures" || exit 1
image=$data/text.png line=$work/pictures/line.png

# ---- arguments ------------------------------------------------------------------------------

refusing=cluster besides=("$image" -k 5)
bad stop-changed -.1 1 100% '0.1 %'
refuse 'how many clusters.*-k 64' "$image"
refuse '{name}' "$image" "$line" -k 5 -o "$work/out.png"
refuse '7 clusters of a picture of 6 pixels' "$line" -k 7

# Found out before anything is computed.
long=("$image" -k 2000 --max-beats 4000000000 --engine brute)
refuse 'same file' "${long[@]}" --outline "$work/x.png" --mosaic "$work/./x.png"
fails 1 'no/such' 2 cluster "${long[@]}" --centres "$work/no/such/x.json"

# ---- images ---------------------------------------------------------------------------------

echo before >"$work/out/labels.png"
results=(-k 3 -o "$work/out/labels.png" --mosaic "$work/out/mosaic.png"
    --outline "$work/out/outline.png" --centres "$work/out/centres.csv" --json "$work/out/run.json"
    --checkpoint "$work/out/state")
turn=0
for name in empty zero_width huge crc_pixels; do
    file=$work/bad/bad_$name.png
    [ -e "$file" ] || wrong "there is no $file"
    options=()
    if [ $((turn % 2)) = 1 ]; then options=(--colour); fi
    fails 1 "bad_$name.png" $((turn % 3 + 1)) cluster "$file" "${results[@]}" "${options[@]}"
    turn=$((turn + 1))
done
fails 1 'cut off' 2 cluster "$work/bad/cut_053317.png" "${results[@]}"
fails 1 'cut off' 1 cluster "$work/bad/cut_053317.png" "${results[@]}" --colour
fails 1 'nowhere.png' 5 cluster "$work/nowhere.png" "${results[@]}"
mkdir "$work/nothing"
fails 1 'directory' 2 cluster "$work/nothing" "${results[@]}"

# ---- checkpoints ----------------------------------------------------------------------------

what='checkpoints to restore'
state=$work/state colours=$work/colours
run_well 1 cluster "$image" -k 5 --weight 2 --max-beats 2 --quiet --checkpoint "$state"
run_well 1 cluster "$image" -k 5 --max-beats 1 --colour --quiet --checkpoint "$colours"
run_well 1 run heat --size 9x9 --beats 1 --quiet --checkpoint "$work/heat"
results=("${results[@]:2}")
fails 2 'another picture.*448 x 172' 2 cluster "$data/camera.png" --restore "$state" "${results[@]}"
"$python" "$(dirname "$0")/pictures.py" black 448 172 "$work/other.png"
fails 2 'another picture' 3 cluster "$work/other.png" --restore "$state" "${results[@]}"
fails 2 'clusters 6.*has 5; leave --clusters out' 2 cluster "$image" -k 6 --restore "$state"
fails 2 'weight 1.*has 2' 2 cluster "$image" --weight 1 --restore "$state"
fails 2 'colour.*made without it' 3 cluster "$image" --colour --restore "$state"
fails 2 'same file' 1 cluster "$image" --restore "$state" --json "$state"
fails 1 'run heat.*cannot be restored' 2 cluster "$image" --restore "$work/heat"
fails 1 'not a checkpoint' 2 cluster "$image" --restore "$0"
damage "$state" 4200
fails 1 'damaged' 3 cluster "$image" --restore "$work/damaged" "${results[@]}"
# Options that the checkpoint has may be given again.
run_well 2 cluster "$image" -k 5 --weight 2 --restore "$state" --max-beats 1 --quiet
run_well 2 cluster "$image" --colour --restore "$colours" --max-beats 1 --quiet
finish
