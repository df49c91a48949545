#!/usr/bin/env bash
# Objects that touch become regions of their own, with any number of ranks and in blocks; all outputs are of these.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
out=$work/out
check=$(dirname "$0")/split_check.py
"$python" "$check" make "$work"

split() { # ranks, input, name, options
    run_well "$1" label "$work/$2.npy" -q -o "$out/$3.npy" --regions "$out/$3.csv" "${@:4}"
}
for ranks in 1 2 5; do
    split "$ranks" disks disks -t 1 --split distance:.5 --contacts "$out/contacts.csv" --colour "$out/colour.png"
    split "$ranks" disks disks1 -t 1 --split distance:1
    split "$ranks" volume volume -t 128 --split distance:0.5
    split "$ranks" bright bright -t 0 --split intensity:10
    split "$ranks" dark dark -t 256 --invert --split intensity:10
    holds "other parts with $ranks ranks" "$python" "$check" compare "$work" "$out"
    run_well "$ranks" label "$work/bright.npy" -t local:4 -c 4 --split intensity --min-area 9 -q -o "$out/local.npy"
    [ "$ranks" != 1 ] || cp "$out/local.npy" "$work/local.npy"
    holds "other parts of a local threshold with $ranks ranks" cmp -s "$out/local.npy" "$work/local.npy"
done
split 4 disks disks -t 1 --split distance:.5 --decomposition 2x2 --json "$out/run.json"
split 4 disks disks1 -t 1 --split distance:1 --balance lb1
holds "other parts in blocks" "$python" "$check" compare "$work" "$out"
holds "no peaks in the summary" grep -q '"peaks": 14' "$out/run.json"
finish
