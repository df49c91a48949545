#!/usr/bin/env bash
# The log of decisions among a command's other files: nothing is lost where two names mean one file,
# however they are spelled. (refusals.sh tries every output with every other.)
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

out=$work/out soup=soup:60x40:35%:4
cp "$data/microaneurysms.png" "$out/in.png"
cp "$data/patterns/glider-gun.rle" "$out/gun.rle"
printf '0 0 1\n' >"$out/trace.txt"
run_well 1 life "$soup" -n 5 --checkpoint "$out/c.halo" --quiet
ln -s in.png "$out/link.png"
ln "$out/c.halo" "$out/second.halo"

# one_file NAME ARGUMENT...: refused by argument, since NAME is there twice; on one rank, which plans
# nothing, and on three.
one_file() {
    local name=$1 ranks
    shift
    for ranks in 1 3; do
        fails 2 "$name.*are the same file" "$ranks" "$@" --quiet
        holds "a rank's number" [ "$(grep -c 'rank [0-9]' "$work/stderr")" = 0 ]
    done
}
chain=(--balance chain --balance-log)
# shellcheck disable=SC2034 # by its name
label=(label "$out/in.png") life=(life "$soup" -n 5) synthetic=(synthetic --size 5x30 --beats 5)

# Inputs.
for name in in.png link.png ../out/in.png; do
    one_file "$name" "${label[@]}" "${chain[@]}" "$out/$name"
done
one_file gun.rle life "$out/gun.rle" -n 5 "${chain[@]}" "$out/gun.rle"
for name in c.halo second.halo; do
    one_file "$name" life --restore "$out/c.halo" -n 5 "${chain[@]}" "$out/$name"
done
one_file c.halo life --restore "$out/c.halo" -n 5 --checkpoint "$out/c.halo" "${chain[@]}" \
    "$out/c.halo"

# A log of an earlier run stays, too, where the command cannot begin.
echo 'one rank: nothing to balance' >"$out/log.txt"
fails 1 'no-file.png' 2 label "$out/no-file.png" "${chain[@]}" "$out/log.txt"
fails 1 'no-file.rle' 2 life "$out/no-file.rle" "${chain[@]}" "$out/log.txt"
fails 1 'no/such.*' 2 "${synthetic[@]}" --json "$work/no/such/x.json" "${chain[@]}" "$out/log.txt"

# These may be named: a log of its own, one on stderr beside everything, a checkpoint that goes on.
cp "$out/trace.txt" "$work/trace.txt"
for command in label life synthetic; do
    declare -n words=$command
    run_well 2 "${words[@]}" --load-trace "$out/trace.txt" --json "$out/$command.json" \
        "${chain[@]}" "$out/$command.csv" --quiet
    holds "no log" [ -s "$out/$command.csv" ]
    holds "no report" [ -s "$out/$command.json" ]
done
holds "another trace" cmp -s "$work/trace.txt" "$out/trace.txt"
run_well 2 life --restore "$out/c.halo" --checkpoint "$out/c.halo" -n 5 "${chain[@]}" \
    "$out/log.txt" --quiet
finish
