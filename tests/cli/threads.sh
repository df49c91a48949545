#!/usr/bin/env bash
# Ranks that are threads of the program, as many as there are usable cores where nothing else is said:
# results are those of one rank, whatever their number, and what cannot be is refused in one sentence.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

picture=$data/brick.png small=$data/microaneurysms.png
unset HALOBEAT_RANKS

# threads N ARGUMENT...: a command on N threads, without a launcher.
threads() { run 1 "$2" --ranks "$1" "${@:3}"; }

# ---- the same files -------------------------------------------------------------------------------

# Under a sanitizer the least and the most: threads meet there as in all others.
counts=(1 2 3 5 8 64)
if [ -n "${HALOBEAT_TEST_LIMIT:-}" ]; then counts=(3 64); fi
declare -A compared=([bench]='it writes only what it measures')

# same NAME ARGUMENT...: the command writes NAME; `@` in the arguments is its path.
same() {
    local name=$1 count
    shift
    compared[$1]=yes
    run_well 1 "${@//@/$work/one-$name}" --quiet --ranks 1
    for count in "${counts[@]}"; do
        threads "$count" "${@//@/$work/many-$name}" --quiet
        holds "exit status $status: $(cat "$work/stderr")" [ "$status" = 0 ]
        holds "another $name" cmp -s "$work/one-$name" "$work/many-$name"
        rm -f "$work/many-$name"
    done
}
same labels.png label "$picture" -o @
same regions.csv label "$picture" -c 8 --properties all --regions @
same local.npy label "$picture" -t local:3 -o @
same life.rle life "$data/patterns/glider-gun.rle" -n 200 -o @
same cluster.png cluster "$data/coffee.png" -k 8 -n 5 -o @
same inside.npy chan-vese "$picture" -n 30 -o @
same contours.csv snake "$data/cell.png" --init grid:3x3 -n 9 -o @
same smooth.npy filter "$picture" gaussian:2 threshold:otsu fill_holes -o @
same distances.tif distance "$picture" -t otsu -o @
same basins.npy watershed "$small" --markers minima:20 -o @
same measured.csv measure "$small" -i "$small" --properties all --regions @
same flow.flo motion "$small" "$small" -k 9 --radius 3 -o @
same distances.npy paths "$small" --from 3,4 -o @
same walks.csv walk "$data/rock.png" --walkers 500 --steps 512 -o @
same picture.png trace "$data/scenes/five-balls.nff" --size 90x80 -o @
same cells.npy run heat --size 40x90 -n 9 -o @
same all.csv label "$data/brick.png" "$data/cell.png" "$data/text.png" --regions @

# Commands that write no file: a digest of all cells, and what jobs print.
compared[synthetic]=yes compared[tasks]=yes digest=''
for count in 1 "${counts[@]}"; do
    threads "$count" synthetic --size 30x90 -n 9 --work 9 --quiet --json "$work/out/run.json"
    holds "status $status" [ "$status" = 0 ]
    holds "another digest" [ "$(told digest)" = "${digest:=$(told digest)}" ]
    rm -f "$work/out/run.json"
    threads "$count" tasks --keep-order --quiet echo ::: {1..70}
    holds "another output" cmp -s "$work/stdout" <(seq 70)
done
list_commands
for command in "${all_commands[@]}"; do
    what=$command
    holds 'its results are not compared' [ -n "${compared[$command]:-}" ]
done

# Checkpoints go from one kind of ranks to the other.
run_well 1 life "$data/patterns/glider-gun.rle" -n 90 -q -o "$work/all.rle"
threads 3 life "$data/patterns/glider-gun.rle" -n 40 -q --checkpoint "$work/state"
holds "status $status" [ "$status" = 0 ]
if [ "$launcher" = none ]; then
    threads 2 life --restore "$work/state" -n 50 -q -o "$work/rest.rle"
else
    run_well 2 life --restore "$work/state" -n 50 -q -o "$work/rest.rle"
fi
holds "going on under mpiexec" cmp -s "$work/all.rle" "$work/rest.rle"

# ---- what is reported -----------------------------------------------------------------------------

threads 3 label "$picture" -v --json "$work/run.json"
holds "no line says 3 ranks" grep -q 'on 3 ranks' "$work/stdout"
holds "no 3 ranks in JSON" [ "$("$python" -c 'import json, sys
print(json.load(open(sys.argv[1]))["ranks"])' "$work/run.json" 2>&1)" = 3 ]

# Measurements of ranks that are threads; what only MPI has is not here.
run_well 1 bench vote --ranks 1,3 --repeat 1 --beats 20 --json "$work/out/run.json"
holds "$(told ranks_started) ranks" [ "$(told ranks_started)" = 3 ]
if more; then # as without MPI, of which without_mpi.sh tells
    run 1 bench exchange -j 2 --repeat 1 --beats 20
    holds 'bare MPI between threads' grep -q '^halo of 2 messages *bare MPI .*not here$' "$work/stdout"
fi
rm -f "$work"/out/*

# Standard input and output, which no launcher stands between.
run_well 1 label "$picture" -q -o "$work/file.png"
"$program" label --ranks 3 - -q -o -.png <"$picture" >"$work/piped.png"
holds "another picture through pipes" cmp -s "$work/file.png" "$work/piped.png"

# ---- how many there are ---------------------------------------------------------------------------

# counted RANKS TRANSPORT COMMAND...: what goes before the program gives so many ranks.
counted() {
    local said
    what="${*:3}"
    "${@:3}" "$program" label "$picture" -q --json "$work/out/run.json" </dev/null 2>"$work/stderr" ||
        wrong "$(cat "$work/stderr")"
    said="$(told ranks) $(told transport)"
    holds "$said, not $1 $2" [ "$said" = "$1 $2" ]
}
# Cores of the affinity mask, or what the tightest quota of this process's control groups leaves of their time.
cores=$("$python" - <<'PYTHON'
import math, os

cores = len(os.sched_getaffinity(0))
for line in open("/proc/self/cgroup"):
    _, controllers, path = line.rstrip("\n").split(":", 2)
    if controllers and "cpu" not in controllers.split(","):
        continue
    top, names = ("cpu", ["cpu.cfs_quota_us", "cpu.cfs_period_us"]) if controllers else ("", ["cpu.max"])
    parts = path.strip("/").split("/")
    for i in range(len(parts) + 1):
        folder = os.path.join("/sys/fs/cgroup", top, *parts[:i])
        try:
            quota, period = " ".join(open(os.path.join(folder, name)).read() for name in names).split()
        except OSError:
            continue
        if quota not in ("max", "-1"):
            cores = min(cores, math.ceil(int(quota) / int(period)))
print(cores)
PYTHON
)
run_well 1 --version
holds "not $cores: $(grep '^may use' "$work/stdout")" grep -q "^may use $cores cores\? here$" "$work/stdout"
counted "$cores" threads env
counted "$cores" threads env HALOBEAT_RANKS=
counted "$cores" threads env OMP_NUM_THREADS=1 SLURM_NTASKS=8 SLURM_PROCID=0
counted 1 threads taskset -c "$(sed -n 's/^Cpus_allowed_list:\s*\([0-9]*\).*/\1/p' /proc/self/status)"
counted 3 threads env HALOBEAT_RANKS=3
if [ "$launcher" != none ]; then
    counted 2 mpi env HALOBEAT_RANKS=5 "$mpiexec" "${flags[@]}" -n 2
    counted 1 mpi "$mpiexec" "${flags[@]}" -n 1
fi
HALOBEAT_RANKS=3 threads 2 label "$picture" -q --json "$work/out/run.json"
holds "$(told ranks) ranks, not 2" [ "$(told ranks)" = 2 ]

# A control group that leaves less time than the 64 cores of the machine have. (AddressSanitizer wants to be loaded
# first, unless told that it need not.)
groups=$work/groups
mkdir -p "$groups/job"
echo 0::/job >"$groups/cgroup"
echo "36 35 0:31 / $groups rw shared:9 - cgroup2 cgroup rw" >"$groups/mountinfo"
for allowed in '1 100000' '1 30000' '2 100001' '64 max'; do
    echo "${allowed#* } 100000" >"$groups/job/cpu.max"
    counted "${allowed% *}" threads env ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" MANY_CORES=64 \
        MANY_CORES_GROUPS="$groups" LD_PRELOAD="$tools/many_cores.so"
done

# ---- more cores than the data can use -------------------------------------------------------------

# many_cores RANKS ARGUMENT...: on a machine with 64 cores there are so many ranks if nobody asks for another
# number, and the command writes what one rank does; `@` in the arguments is the file. $parts are cut.
many_cores() {
    local ranks=$1
    local -a cut=(${parts:+--decomposition "$parts"})
    shift
    run_well 1 "${@//@/$work/one.npy}" --quiet --ranks 1
    what="halobeat $* ${cut[*]} (64 cores)" status=0
    # AddressSanitizer wants to be loaded first, unless told that it need not.
    timeout -k 5 "$limit" env ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0" MANY_CORES=64 \
        LD_PRELOAD="$tools/many_cores.so" "$program" "${@//@/$work/many.npy}" "${cut[@]}" --quiet \
        --json "$work/out/run.json" </dev/null 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 0 ]
    holds "$(told ranks) ranks" [ "$(told ranks)" = "$ranks" ]
    holds 'another file' cmp -s "$work/one.npy" "$work/many.npy"
    rm -f "$work/one.npy" "$work/many.npy" "$work/out/run.json"
}
# Rows of the picture, or of all, are fewer than 64 halos or squares.
{
    echo P5 40 90 255
    head -c 3600 "$data/text.png"
} >"$work/tall.pgm"
{
    echo P5 900 70 255
    head -c 63000 "$data/camera.png"
} >"$work/wide.pgm"
many_cores 64 label "$work/wide.pgm" -t local:3 -o @
many_cores 64 label "$work/tall.pgm" -t local:12 --periodic -o @
many_cores 64 label "$work/wide.pgm" -t local:50 -o @
many_cores 64 run heat --size 40x100 -n 9 --halo-depth 4 -o @
many_cores 64 run heat --size 9x2 -n 9 --halo-depth 4 --periodic all -o @
many_cores 64 run heat --size 40x9 -n 9 --halo-depth 2 --balance random --balance-every 1 -o @
many_cores 64 run heat --size 9x9 -n 9 --halo-depth 5 --decomposition blocks -o @
many_cores 64 run heat --size 9x9 -n 9 --halo-depth 5 --decomposition auto -o @
many_cores 64 run heat3d --size 5x4x3 -n 9 --halo-depth 3 -o @
many_cores 64 life soup:64x30:0.5 -n 30 --halo-depth 11 -o @
many_cores 64 life soup:64x30:0.5:3 --topology plane -n 90 --halo-depth 11 -o @
# Parts that are asked for are as many ranks.
parts=2x3 many_cores 6 run heat --size 9x9 -n 9 -o @
parts=2x3 many_cores 6 label "$work/wide.pgm" -o @
parts=2x3x2 many_cores 12 run heat3d --size 9x9x9 -n 9 -o @

# ---- what is refused ------------------------------------------------------------------------------

# refused WORDS ARGUMENT...: status 2 and one sentence with these words.
refused() {
    local words=$1
    shift
    run 1 "$@"
    holds "exit status $status" [ "$status" = 2 ]
    holds "no \"$words\" in: $(cat "$work/stderr")" grep -q -e "$words" "$work/stderr"
}
refused 'from 1 to 4096, not "0"' label "$picture" -j 0
refused 'from 1 to 4096, not "100000"' label "$picture" -j 100000
refused 'from 1 to 4096, not "-3"' label "$picture" -j -3
refused 'from 1 to 4096, not "many"' label "$picture" --ranks many
refused 'takes at least 2 ranks; ask for them (--ranks 2)' bench exchange --ranks 1
refused 'from 1 to 4096, not 5000' bench vote --ranks 5000
for number in 0 x -1 4097 '2 '; do
    HALOBEAT_RANKS=$number refused "HALOBEAT_RANKS is \"$number\", .* from 1 to 4096; unset it" label "$picture"
done
# launched PROCESSES RANKS WORDS: --ranks is refused under mpiexec, once, at the end with these words.
launched() {
    what="--ranks $2 on $1 processes" status=0
    timeout "$limit" "$mpiexec" "${flags[@]}" -n "$1" "$program" label "$picture" --ranks "$2" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds "$(messages)" [ "$(messages | grep -c '^halobeat label: ')" = 1 ]
    holds "$(messages)" grep -q "^halobeat label: --ranks $2 makes threads of one process, .* has started $3\$" "$work/stderr"
}
if [ "$launcher" != none ]; then
    launched 1 1 '1 process as the only rank; leave it out'
    launched 1 4 '1 process as the only rank; leave it out, or start as many with mpiexec -n 4'
    launched 2 2 '2 processes as ranks; leave it out'
    launched 2 1 '2 processes as ranks; leave it out, or start as many with mpiexec -n 1'
fi

# Every rank leaves with one message when a file cannot be read or written.
threads 5 label "$work/missing.png"
holds "$(messages)" [ "$status,$(grep -c . "$work/stderr")" = 1,1 ]
threads 5 label "$picture" -o "$work/no-folder/labels.png"
holds "$(messages)" [ "$status,$(grep -c . "$work/stderr")" = 1,1 ]

# Many more than there are cores, or than there may be threads. (Sanitizers take megabytes for each.)
if [ -z "${HALOBEAT_TEST_LIMIT:-}" ]; then
    threads 1000 label "$picture" -q -o "$work/thousand.png"
    case $status in
        0) holds 'other labels' cmp -s "$work/file.png" "$work/thousand.png" ;;
        *) holds "$(cat "$work/stderr")" grep -q 'allows no more than .* threads' "$work/stderr" ;;
    esac
fi

# With little address space there are fewer ranks than cores, and as many as can compute.
# (Sanitizers take more than there is.)
if [ -z "${HALOBEAT_TEST_LIMIT:-}" ]; then
    for kib in 60000 100000 200000 800000; do
        what="halobeat label with ulimit -v $kib (64 cores)" status=0
        (
            export MANY_CORES=64 LD_PRELOAD=$tools/many_cores.so
            ulimit -v "$kib" && "$program" label "$picture" -q -o "$work/little.png"
        ) 2>"$work/stderr" || status=$?
        holds "exit status $status" [ "$status" = 0 ]
        holds "$(cat "$work/stderr")" grep -q 'allows too few threads for 64 ranks: this run has [0-9]*; raise the limit' "$work/stderr"
        holds 'other labels' cmp -s "$work/file.png" "$work/little.png"
    done
fi

# No threads are left: no rank begins.
if [ "$launcher" = mpich ] && [ -z "${HWLOC_PLUGINS_PATH:-}" ]; then
    status=0
    (ulimit -v 400000 && "$program" label --ranks 200 "$picture" -q -o "$work/none.png") \
        2>"$work/stderr" || status=$?
    holds "exit status $status: $(cat "$work/stderr")" [ "$status" = 1 ]
    holds "$(cat "$work/stderr")" grep -q 'allows no more than .* threads' "$work/stderr"
    holds "an output" [ ! -e "$work/none.png" ]
    # As many as can begin leave too little to compute with.
    what='64 ranks with ulimit -v 1000000' status=0
    (ulimit -v 1000000 && "$program" life soup:100x100:35% -n 5 --ranks 64 -q) 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 1 ]
    holds "$(cat "$work/stderr")" grep -q 'out of memory.*limited (ulimit -v): use fewer ranks (-j)' "$work/stderr"
    holds 'not one message' [ "$(grep -c . "$work/stderr")" = 1 ]
fi

# limited PROCESSES ARGUMENT...: as a user of whom no others run, who may have so many threads.
limited() {
    what="halobeat ${*:2} with ulimit -u $1" status=0
    (cd "$open" && timeout "$limit" setpriv --reuid=54321 --regid=54321 --clear-groups \
        prlimit --nproc="$1" ./halobeat "${@:2}" >"$work/stdout" 2>"$work/stderr") || status=$?
}
if [ "$(id -u)" = 0 ] && [ -z "${HALOBEAT_TEST_LIMIT:-}" ] && has setpriv util-linux 'a user with few threads' &&
    setpriv --reuid=54321 --regid=54321 --clear-groups true; then
    open=$(mktemp -d)
    trap 'rm -rf "$open"; clean_up' EXIT
    cp "$program" "$open/halobeat"
    cp "$picture" "$open/picture.png"
    chmod 777 "$open"
    for most in 2 3 5; do # one is the monitor's
        limited "$most" label picture.png -j 8 -q -o labels.png
        holds "exit status $status" [ "$status" = 1 ]
        holds "$(cat "$work/stderr")" grep -qx \
            "halobeat label: the system allows no more than $((most - 1)) threads\\?, and 8 ranks need one each; .*" "$work/stderr"
        holds 'an output' [ ! -e "$open/labels.png" ]
    done
    limited 1 label picture.png -q -o labels.png
    holds "exit status $status: $(cat "$work/stderr")" [ "$status" = 0 ]
    holds 'other labels' cmp -s "$work/file.png" "$open/labels.png"
    if [ "$(nproc)" -gt 1 ]; then
        holds "$(cat "$work/stderr")" grep -q 'allows too few threads for .* ranks: this run has 1; raise' "$work/stderr"
    fi
    rm -rf "$open"
    trap clean_up EXIT
fi
finish
