#!/usr/bin/env bash
# label --colour: regions that touch have different colours, also if their numbers are 255 apart, and the
# pictures are the same for any number of ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL
check=$(dirname "$0")/check_colours.py
"$python" "$check" make "$work" || exit 1

# parted NAME ENDING NEEDED OPTION...: an image of that name, on any number of ranks.
parted() {
    local name=$1 ending=$2 needed=$3 ranks ways
    local -a words=(label "$work/$name.npy" -q --colour "$work/out/$name$ending" "${@:4}")
    rm -f "$work/out"/*
    run_well 1 "${words[@]}" -o "$work/labels.npy"
    holds 'regions of one colour touch' "$python" "$check" "$work/out/$name${ending/\%d/0}" "$work/labels.npy" "$needed"
    listing >"$work/listing"
    while read -r ranks ways; do
        rm -f "$work/out"/*
        # shellcheck disable=SC2086 # several words
        run_well "$ranks" "${words[@]}" $ways
        holds 'another picture' cmp -s <(listing) "$work/listing"
    done <<'TABLE'
2
3 --decomposition blocks
4 --decomposition blocks
5
TABLE
}

parted hub .png 100 --values --background none
parted squares .ppm 100 --values
parted noise .png 5 -t 50% -c 4
parted noise .tif 5 -t 50% -c 4 --numbering seed
parted volume -%d.png 10 --values
finish
