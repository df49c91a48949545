#!/usr/bin/env bash
# Files are the same bytes for strips and blocks, on any number of ranks and by any method.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir "$work/one"
one=$work/one out=$work/out

# reference IMAGE OPTION...: all files from strips on one rank.
reference() {
    image=$1 options=("${@:2}")
    run_well 1 label "$@" --quiet -o "$one/labels.png" --colour "$one/colour.png" \
        --regions "$one/regions.csv"
    run_well 1 label "$@" --quiet -o "$one/labels.npy"
}

# same RANKS DECOMPOSITION OPTION...: this run gives what the reference gave. PNG and .npy in turn.
turn=0
same() {
    local file
    local -a files=(labels.npy) results=(-o "$out/labels.npy")
    if [ $((turn % 2)) = 0 ]; then
        files=(labels.png colour.png regions.csv)
        results=(-o "$out/labels.png" --colour "$out/colour.png" --regions "$out/regions.csv")
    fi
    turn=$((turn + 1))
    run_well "$1" label "$image" "${options[@]}" --quiet --decomposition "$2" "${results[@]}" \
        "${@:3}"
    for file in "${files[@]}"; do
        holds "$file differs from that of one rank" cmp -s "$one/$file" "$out/$file"
    done
    holds "other files: $(ls -A "$out")" [ "$(find "$out" -type f | wc -l)" = "${#files[@]}" ]
    rm -f "$out"/*
}

# every: on 1 to 5 ranks.
every() {
    local grid
    for grid in 1x1 1x2 2x1 1x3 3x1 2x2 1x4 4x1 1x5; do
        same $((${grid%x*} * ${grid#*x})) "$grid"
    done
    same 4 blocks
    same 3 auto
}

reference "$data/text.png" --connectivity 8 --min-area 20
every
reference "$data/microaneurysms.png" --connectivity 4 --periodic --invert
every
same 4 2x2 --method settle
reference "$data/horse.png" --connectivity 8 --periodic --min-area 5 --invert
same 4 2x2
same 5 1x5 --method settle --packing copy --corners phases
same 4 2x2 --method settle --packing datatype --corners direct
same 4 2x2 --method settle --exchange persistent --balance chain
same 2 1x2 --method sweep
same 3 strips --method sweep --exchange persistent

# Numbers of 64 bits.
for grid in 1x2 2x2 1x5; do
    run_well 1 label "$data/text.png" --numbering seed -o "$one/seed.npy" \
        --regions "$one/seed.csv" --quiet
    run_well $((${grid%x*} * ${grid#*x})) label "$data/text.png" --numbering seed \
        -o "$out/seed.npy" --regions "$out/seed.csv" --quiet --decomposition "$grid"
    holds "seeds differ" cmp -s "$one/seed.npy" "$out/seed.npy"
    holds "regions differ" cmp -s "$one/seed.csv" "$out/seed.csv"
done
rm -f "$out"/*

# What was done is told.
run 4 label "$data/text.png" --decomposition 2x2
holds "blocks are not told" grep -q '(union) in 2 x 2 blocks' "$work/stdout"
holds "nor the ranks' own" [ "$(grep -c '^ *[0-3]  *86 x [12][0-9]* ' "$work/stdout")" = 4 ]
run 2 label "$data/text.png"
holds "strips are not told" grep -q '(union) in 2 strips' "$work/stdout"
run_well 2 label "$data/text.png" --decomposition 1x2 --json "$out/run.json" --quiet
holds "blocks in JSON" grep -q '"decomposition": *"1 x 2 blocks"' "$out/run.json"
rm -f "$out"/*

refusing=label
refuse 'decomposition' "$data/text.png" --decomposition diamonds
refuse 'exchange' "$data/text.png" --method settle --exchange pigeon
refuse 'corners' "$data/text.png" --method settle --corners round
refuse 'packing' "$data/text.png" --method settle --packing tin
refuse 'union' "$data/text.png" --packing copy
refuse 'union' "$data/text.png" --method union --corners phases
fails 2 'mpiexec -n 4' 3 label "$data/text.png" --decomposition 2x2
fails 2 'axis' 2 label "$data/text.png" --decomposition 1x1x2
finish
