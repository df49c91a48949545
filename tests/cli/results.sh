#!/usr/bin/env bash
# The same bytes in every file, on any number of ranks and by any method, vote, way of waiting and
# instruction set.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir "$work/one"
one=$work/one out=$work/out

# reference IMAGE OPTION...: all files from one rank, started without mpiexec.
reference() {
    run_well 1 label "$@" --quiet -o "$one/labels.png" --colour "$one/colour.png" \
        --regions "$one/regions.csv"
    run_well 1 label "$@" --quiet -o "$one/labels.npy" --regions "$one/regions.json"
    holds "PNG and .npy differ" "$tools/same_pixels" "$one/labels.png" "$one/labels.npy"
}

# same RANKS METHOD VOTE INSTRUCTIONS IMAGE OPTION...: this run gives what the reference gave. PNG
# and .npy in turn.
turn=0
same() {
    local ranks=$1 how=(--method "$2" --vote "$3" --instructions "$4") file
    local -a files=(labels.npy regions.json)
    shift 4
    if [ $((turn % 2)) = 0 ]; then files=(labels.png colour.png regions.csv); fi
    turn=$((turn + 1))
    local -a results=(-o "$out/${files[0]}" --regions "$out/${files[-1]}")
    if [ "${#files[@]}" = 3 ]; then results+=(--colour "$out/colour.png"); fi
    run_well "$ranks" label "$@" "${how[@]}" "${results[@]}" --quiet
    for file in "${files[@]}"; do
        holds "$file differs from that of one rank" cmp -s "$one/$file" "$out/$file"
    done
    holds "other files: $(ls -A "$out")" [ "$(find "$out" -type f | wc -l)" = "${#files[@]}" ]
    rm -f "$out"/*
}

# What this machine has, so that a set it lacks is not an error.
fast=plain faster=plain
for set in avx2 avx512; do
    if "$program" label "$data/microaneurysms.png" --quiet --instructions "$set" 2>/dev/null; then
        if [ "$set" = avx2 ]; then fast=avx2; fi
        faster=$set
    else
        echo "skipped: $set, which this machine lacks"
    fi
done

configurations=('--connectivity 4' '--connectivity 8 --min-area 20'
    '--connectivity 4 --periodic --invert' '--connectivity 8 --periodic --invert --min-area 5')
c=0
for image in "$data"/*.png; do
    case ${image##*/} in
        horse.png | microaneurysms.png | text.png) small=yes count=4 ;;
        *) small=no count=1 ;;
    esac
    for ((i = 0; i < count; i++, c++)); do
        read -r -a options <<<"${configurations[c % 4]}"
        reference "$image" "${options[@]}"
        same 2 union tree "$fast" "$image" "${options[@]}"
        same 5 union broadcast "$faster" "$image" "${options[@]}"
        same 3 settle coordinator plain "$image" "${options[@]}"
        if [ "$small" = yes ] && [ "$i" = $((c % 3)) ]; then
            same 2 sweep allreduce "$fast" "$image" "${options[@]}"
            same 5 sweep tree plain "$image" "${options[@]}"
        fi
    done
done

# Seeds are 64-bit numbers, and every way of waiting gives them.
for wait in spin yield sleep auto; do
    run_well 1 label "$data/text.png" --numbering seed -o "$one/seed.npy" --quiet --wait "$wait"
    run_well 2 label "$data/text.png" --numbering seed -o "$out/seed.npy" --quiet --wait "$wait" \
        --method settle
    holds "seeds differ" cmp -s "$one/seed.npy" "$out/seed.npy"
done
rm -f "$out"/*

# A percentage and a value that mean the same.
reference "$data/text.png" --threshold 51
same 2 union allreduce auto "$data/text.png" --threshold 20%
same 3 union allreduce auto "$data/text.png" --threshold 50.5
finish
