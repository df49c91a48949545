#!/usr/bin/env bash
# No text of a user or a file controls the terminal: names of files with escape sequences and line feeds, values and
# options, in the messages and summaries of every command, of one image, many, jobs and ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
odd=$'\ec\e]0;t\a\r\nFORGED\x7f\xc2\x9b\x9b' # not with the [ of patterns
out=$work/out/$odd in=$work/$odd
cp "$data/brick.png" "$in.png"
cp "$data/gravel.png" "$in 2.png"
cp "$data/rock.png" "$in rock.png"
cp "$data/scenes/five-balls.nff" "$in.nff"
printf 'x = 3, y = 1, rule = B3/S23\n3o!\n' >"$in.rle"
printf 'p sp 3 2\na 1 2 4\na 2 3 1\n' >"$in.gr"
printf 'not an image' >"$in bad.png"

# harmless: what was printed has no control characters but line feeds, of UTF-8 and of 8 bits, and no line of its own.
# shellcheck disable=SC2317 # called by holds
harmless() {
    cat "$work/stdout" "$work/stderr" >"$work/printed"
    [ -s "$work/printed" ] && ! grep -q -a '^FORGED' "$work/printed" &&
        ! grep -q -a -P '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]' "$work/printed"
}

# prints STATUS RANKS ARGUMENT...
prints() {
    : >"$work/printed"
    run "${@:2}"
    what=$(printf '%q ' "$what")
    holds "exit status $status, not $1" [ "$status" = "$1" ]
    holds "control characters: $(tr -d '\0' <"$work/printed" | cat -v | head -n 3)" harmless
}

prints 0 1 label "$in.png" -o "$out.npy" --colour "$out.png" --regions "$out.csv" --json "$out.json" --verbose
prints 0 2 label "$in.png" "$in 2.png" -o "$work/out/{name}.npy" --regions "$out.csv" --journal "$out.j" --verbose
rm "$in 2.png"
rm "$out.npy"
prints 1 2 label "$in.png" "$in 2.png" -o "$work/out/{name}.npy" --regions "$out.csv" --journal "$out.j" --verbose
prints 1 1 label "$in.png" "$in bad.png" -o "$work/out/{name}.npy" --table "$out.csv"
prints 1 1 label "$in.png" --table "$out.csv" --journal "$in.rle"
prints 0 1 cluster "$in.png" -k 5 -n 2 -o "$out.png" --centres "$out.csv"
prints 0 1 chan-vese "$in.png" -n 2 -o "$out.png"
prints 0 1 snake "$in.png" --init circle:90,90,50 -n 2 -o "$out.csv"
prints 0 1 motion "$in.png" "$in.png" -k 20 -o "$out.flo"
prints 0 2 life "$in.rle" -n 2 -o "$out.rle" --checkpoint "$out.halo"
prints 0 1 life --restore "$out.halo" -n 2 -o "$out.rle"
prints 0 1 walk "$in rock.png" --walkers 100 --steps 20 -o "$out.csv"
prints 0 1 trace "$in.nff" --size 30x20 -o "$out.png"
prints 0 1 run heat --size 20x20 -n 3 -o "$out.png" --log "$out-log.csv"
prints 0 1 synthetic --size 20x20 -n 2 --json "$out.json"
prints 0 1 synthetic --tasks 5 --work 10 --journal "$out.tasks"
prints 0 1 paths "$in.png" --from 1,1 --to 9,9 -o "$out.npy"
prints 0 1 paths "$in.gr" --from 1 -o "$out.csv"
prints 1 2 tasks --joblog "$out.log" -- "false '$odd'" ::: "$odd"
prints 1 1 tasks --joblog "$in.rle" -- true ::: a
printf '%s\0' label "$in missing.png" >"$in.arguments"
prints 1 1 --arguments "$in.arguments"
prints 2 1 --arguments "$in"
prints 2 2 --arguments "$in.rle" # it does not end with a 0 byte
holds 'no remedy' grep -q 'does not end with a 0 byte.*write it with' "$work/stderr"
prints 2 1 $'\e[2J'
prints 2 1 label $'\e[2J'
prints 2 1 "$odd"
prints 2 2 "$odd"
list_commands
for command in "${all_commands[@]}"; do
    prints 2 1 "$command" "--$odd=1"
    [ "$command" != tasks ] || continue # it reads standard input, in which there is nothing
    run 1 "$command" "$in bad.png" --quiet
    holds "control characters" harmless
done
for command in label run tasks; do
    prints 2 2 "$command" "-$odd"
    prints 2 1 "$command" "--wait=$odd"
    prints 2 1 "$command" "--quiet=$odd"
    prints 2 1 "$command" "--p=$odd"
    prints 2 1 "$command" "--schedule=$odd" --shape "$odd"
done
finish
