#!/usr/bin/env bash
# "-" is standard input and output: the same bytes as in files, with summaries on standard error.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# piped RANKS INPUT ARGUMENT...: run with the file INPUT through a pipe, on so many threads; leaves $status,
# $work/stdout and $work/stderr.
piped() {
    local ranks=$1 input=$2
    shift 2
    what="halobeat $* ($ranks ranks, from a pipe)"
    status=0
    timeout -k 5 "$limit" env HALOBEAT_RANKS="$ranks" "$program" "$@" < <(exec cat "$input") \
        >"$work/stdout" 2>"$work/stderr" || status=$?
    check_sanitizers
    holds "exit status $status" [ "$status" = 0 ]
}

image=$data/brick.png
run_well 1 label "$image" --quiet -o "$work/labels.png" --regions "$work/regions.csv"
run_well 1 label "$image" --quiet -o "$work/labels.npy"
for ranks in 1 2 3; do
    piped "$ranks" "$image" label - -o -
    holds 'other labels' cmp -s "$work/stdout" "$work/labels.png"
    holds 'no summary on standard error' grep -q '^written  *standard output$' "$work/stderr"
    piped "$ranks" "$image" label - --quiet -o -.npy
    holds 'other labels' cmp -s "$work/stdout" "$work/labels.npy"
    piped "$ranks" "$image" label - --quiet --regions - -o "$work/out/l.png"
    holds 'other regions' cmp -s "$work/stdout" "$work/regions.csv"
    holds 'another picture' cmp -s "$work/out/l.png" "$work/labels.png"
    piped "$ranks" "$image" label - --json -
    holds 'no JSON' [ "$(head -c 1 "$work/stdout")$(tail -c 2 "$work/stdout")" = '{}' ]
    run "$ranks" label "$image" --quiet -o -
    holds 'other labels' cmp -s "$work/stdout" "$work/labels.png"
done

# Patterns, arrays, scenes and lists of places come through pipes as well.
pattern=$data/patterns/glider-gun.rle
run_well 1 life "$pattern" -n 60 --quiet -o "$work/gun.rle"
piped 2 "$pattern" life - -n 60 --quiet -o -
holds 'another pattern' cmp -s "$work/stdout" "$work/gun.rle"
run_well 1 trace "$data/scenes/room.nff" --size 40x40 --quiet -o "$work/room.png"
piped 2 "$data/scenes/room.nff" trace - --size 40x40 --quiet -o -
holds 'another picture' cmp -s "$work/stdout" "$work/room.png"
run_well 1 walk "$data/rock.png" --walkers 100 --steps 20 --quiet -o "$work/walk.csv"
piped 2 "$data/rock.png" walk - --walkers 100 --steps 20 --quiet -o -
holds 'another table' cmp -s "$work/stdout" "$work/walk.csv"
run_well 1 chan-vese "$image" --init "$data/grass.png" -n 3 --quiet -o "$work/inside.npy"
piped 2 "$data/grass.png" chan-vese "$image" --init - -n 3 --quiet -o -.npy
holds 'another inside' cmp -s "$work/stdout" "$work/inside.npy"
printf '10,20\n30,40\n' >"$work/places.csv"
run_well 1 paths "$image" --from 1,1 --to "$work/places.csv" --quiet --path "$work/path.csv"
piped 1 "$work/places.csv" paths "$image" --from 1,1 --to - --quiet --path -
holds 'another path' cmp -s "$work/stdout" "$work/path.csv"

run_well 1 motion "$image" "$data/grass.png" -k 4 --quiet -o "$work/flow.flo" --vectors "$work/vectors.csv"
piped 2 "$image" motion - "$data/grass.png" -k 4 --quiet -o -
holds 'another flow' cmp -s "$work/stdout" "$work/flow.flo"
piped 1 "$image" motion - "$data/grass.png" -k 4 --quiet --vectors -
holds 'other vectors' cmp -s "$work/stdout" "$work/vectors.csv"

run_well 1 run heat --size 20x30 -n 3 --quiet -o "$work/heat.npy"
run_well 1 run heat --input "$work/heat.npy" -n 4 --quiet -o "$work/later.npy"
piped 2 "$work/heat.npy" run heat --input - -n 4 --quiet -o -.npy
holds 'another grid' cmp -s "$work/stdout" "$work/later.npy"

# Open MPI hands standard input on to rank 0; MPICH's ranks are refused it, below.
if [ "$launcher" = openmpi ]; then
    what='a pipe under mpiexec'
    # Now and then this mpiexec (4.1.4) crashes where it reads its input: it is started again.
    for _ in 1 2 3 4 5; do
        timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" -n 2 "$program" label - --quiet -o - \
            < <(exec cat "$image") >"$work/stdout" 2>"$work/stderr"
        grep -q orte_iof_hnp_read_local_handler "$work/stderr" || break
    done
    holds 'other labels' cmp -s "$work/stdout" "$work/labels.png"
fi

# More than pipes hold, in and out, read and written slowly.
what='a large image through pipes'
run_well 1 life soup:2000x1500:35% -n 1 --quiet -o "$work/large.npy"
run_well 1 label "$work/large.npy" --quiet -o "$work/large-labels.npy"
for ranks in 1 3; do
    { head -c 1000000 && sleep 0.1 && cat; } <"$work/large.npy" |
        HALOBEAT_RANKS=$ranks timeout -k 5 "$limit" "$program" label - --quiet -o -.npy 2>"$work/stderr" |
        { head -c 100000 && sleep 0.1 && cat; } >"$work/stdout"
    holds "status ${PIPESTATUS[*]}" [ "${PIPESTATUS[*]}" = '0 0 0' ]
    holds 'other labels' cmp -s "$work/stdout" "$work/large-labels.npy"
done

# These pipes are refused.
fails 2 'one file can go to standard output' 2 label "$image" -o - --json -
fails 2 'one file can go to standard output' 1 label "$image" -o -.npy --colour -
fails 2 'one file can go to standard output' 1 motion "$image" "$image" -o - --vectors -
fails 2 'one file can come from standard input' 1 chan-vese - --init -
fails 2 'one file can come from standard input' 1 paths - --from 1,1 --to -
for ending in mhd zarr; do
    fails 2 'this format is several files' 2 label "$image" -o "-.$ending"
    fails 2 'this format is several files' 1 run heat --size 9x9 -n 1 -o "-.$ending"
done
# A pipe can be read once, and colours are read after greys.
mkfifo "$work/fifo"
timeout 30 dd if="$data/chelsea.png" of="$work/fifo" 2>/dev/null &
fails 1 'fifo.*no plain file.*save it' 1 snake "$work/fifo" --init circle:32,32,25 --overlay "$work/out/x.png"
wait
fails 2 'checkpoint takes the name of a file, not "-"' 1 life "$pattern" --checkpoint -
fails 2 'frames takes the name of a folder' 1 life "$pattern" -n 1 --frames -
if [ "$launcher" = mpich ]; then
    fails 2 'standard input cannot be read under mpiexec.*start the program without mpiexec' 2 label -
fi

# A program that begins without standard output or input: no other file gets their numbers, and what is said is whole.
what='closed standard output'
for ranks in 1 3; do
    status=0
    timeout -k 5 "$limit" env HALOBEAT_RANKS=$ranks "$program" filter "$image" median:1 -o - </dev/null \
        2>"$work/stderr" >&- || status=$?
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds 'no word about it' grep -q 'cannot write to standard output: Bad file descriptor; write to a file' "$work/stderr"
    status=0
    printf 'P5\n2 2\n255\nabcd' | timeout -k 5 "$limit" env HALOBEAT_RANKS=$ranks "$program" filter - median:1 -o - \
        2>"$work/stderr" >&- || status=$?
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds 'no word about frames' grep -q 'cannot write to standard output: Bad file descriptor' "$work/stderr"
    status=0
    timeout -k 5 "$limit" env HALOBEAT_RANKS=$ranks "$program" label "$image" --quiet -o "$work/out/l.png" \
        2>"$work/stderr" <&- >&- || status=$?
    holds "exit status $status, not 0" [ "$status" = 0 ]
    holds 'other labels' cmp -s "$work/out/l.png" "$work/labels.png"
done

# A reader that goes away.
what='a reader that goes away'
for ranks in 1 3; do
    HALOBEAT_RANKS=$ranks "$program" label "$data/astronaut.png" --quiet -o -.npy 2>"$work/stderr" </dev/null |
        head -c 10 >/dev/null
    status=${PIPESTATUS[0]}
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds 'no word about it' grep -q 'cannot write to standard output: Broken pipe' "$work/stderr"
done
holds 'files are left' [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name '.halobeat-output*' -newer "$work/labels.png" \
    -user "$(id -u)" 2>/dev/null | while read -r file; do fuser -s "$file" 2>/dev/null || echo "$file"; done)" ]
finish
