#!/usr/bin/env bash
# `halobeat chan-vese` refuses these arguments, level sets and files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
pictures=$(dirname "$0")/pictures.py
image=$work/image.png
"$python" "$pictures" make 40 30 8 "$image"
"$python" "$pictures" make 30 40 8 "$work/other.png"
"$python" "$pictures" make 40 31 8 "$work/higher.png"

refusing=chan-vese
besides=("$image")
bad init square checkerboard: checkerboard:0 checkerboard:5x disk:1,2 disk:1,2,0 disk:1,2,3,4 \
    disk:1,2,nan
bad until moved
refuse '{name}' "$image" "$image" -o "$work/out.png"
refuse 'needs --every N' "$image" --until still --movie "$work/out/a.png"
refuse 'same file' "$image" --init "$work/other.png" --overlay "$work/other.png"
refuse 'unknown\|unrecognized\|invalid' "$image" --periodic

# Level sets of another size, no files, files that are no pictures.
fails 2 'other.png.*30 x 40 pixels.*40 x 30' 2 chan-vese "$image" --init "$work/other.png"
fails 1 'no/such.png' 3 chan-vese no/such.png
fails 1 'no/such.png' 2 chan-vese "$image" --init no/such.png -o "$work/out/a.png"
cp "$0" "$work/script.png"
fails 1 'script.png' 2 chan-vese "$image" --init "$work/script.png"
fails 1 'script.png' 1 chan-vese "$work/script.png"
fails 1 'no/such' 2 chan-vese "$image" -o "no/such/a.png"
head -c 500 "$image" >"$work/short.png"
fails 1 'short.png' 2 chan-vese "$work/short.png" -o "$work/out/a.png" --overlay "$work/out/b.png"

# A checkpoint cannot be restored with these options.
run_well 2 chan-vese "$image" -n 3 --smoothing 2 --quiet --checkpoint "$work/out/state"
state=(--restore "$work/out/state")
refuse 'smoothing 1.*has 2.*leave' "$image" "${state[@]}" --smoothing 1
refuse 'lambda1 3.*has 1.*leave' "$image" "${state[@]}" --lambda1 3
refuse 'lambda2 .5.*has 1.*leave' "$image" "${state[@]}" --lambda2 .5
refuse 'init cannot be given with --restore' "$image" "${state[@]}" --init disk
run_well 3 chan-vese "$image" "${state[@]}" --smoothing 2 --lambda1 1 --quiet
fails 2 'another picture' 2 chan-vese "$work/other.png" "${state[@]}"
fails 2 'another picture' 1 chan-vese "$work/higher.png" "${state[@]}"
run_well 1 run heat --size 20x20 --beats 1 --quiet --checkpoint "$work/heat"
fails 1 'halobeat run heat.*cannot be restored' 2 chan-vese "$image" --restore "$work/heat"
fails 1 'not a checkpoint' 2 chan-vese "$image" --restore "$0"
damage "$work/out/state" 4200
fails 1 'damaged' 3 chan-vese "$image" --restore "$work/damaged"
finish
