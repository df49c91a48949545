#!/usr/bin/env bash
# ./run bench threads: ranks that are threads beside the same program under mpiexec, in turn: messages,
# votes and halos, whole commands, more ranks than cores, starts, memory, many pictures, and the kernel of
# README.md. It takes about four minutes on a quiet machine.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
unset HALOBEAT_RANKS
begin threads "$@"
rounds=${rounds:-$(either 5 2)} unit=seconds
side=$(either 16384 4096) grid=$(either 8192 2048) picture=$(either 4096 2048) small=$(either 1024 512)
pictures=$(either 10000 1000)
half=$((picture * picture / 65536)) # planes of a volume of 256 x 256 cells each
cores=$(nproc)
program=$bin/halobeat

# Memory, where there is a disk of it: the commands are compared, not the disk.
files=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "$work")" threads.XXXXXX)
trap 'rm -rf "$files"' EXIT

# ---- What is read ------------------------------------------------------------------------------

soup() { "$program" life "soup:$1x$1:50%:1" -n 2 -q -o "$2" >"$work/log" 2>&1 || failed soup "$1"; }

# The same bytes as a volume: a header of NumPy, and what follows one of 128 bytes.
make_volume() {
    soup "$picture" "$files/plane.npy"
    {
        printf '\x93NUMPY\x01\x00\x76\x00'
        printf '%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': ($half, 256, 256), }"
        tail -c +129 "$files/plane.npy"
    } >"$files/volume.npy"
}

# One picture many times, split from a file of all.
make_pictures() {
    local bytes
    soup 128 "$files/small.png"
    bytes=$(stat -c %s "$files/small.png")
    mkdir "$files/in"
    cp "$files/small.png" "$files/all"
    while [ "$(stat -c %s "$files/all")" -lt $((pictures * bytes)) ]; do
        cat "$files/all" "$files/all" >"$files/more"
        mv "$files/more" "$files/all"
    done
    head -c $((pictures * bytes)) "$files/all" |
        split -b "$bytes" -d -a 5 --additional-suffix=.png - "$files/in/"
    rm "$files/all"
}

# The kernel of README.md as a program, linked with the library of this build.
make_kernel() {
    local into=$files/installed
    cmake --install "$(dirname "$bin")" --prefix "$into" >"$work/log" 2>&1 || failed cmake --install
    # shellcheck disable=SC2016 # the backquotes are Markdown's
    sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '/^```/d' >"$files/kernel.c"
    local where
    where=$(dirname "$(find "$into" -name halobeat.pc)")
    # shellcheck disable=SC2046 # words
    PKG_CONFIG_PATH=$where cc -std=c11 -O3 "$files/kernel.c" -o "$files/kernel" \
        $(PKG_CONFIG_PATH=$where pkg-config --cflags --libs halobeat) \
        -Wl,-rpath,"$(dirname "$where")" 2>"$work/log" || failed cc
}

# ---- Measuring ---------------------------------------------------------------------------------

# both KEY RANKS PROGRAM ARGUMENT...: on threads, and under mpiexec. A run before them is not counted: on a
# virtual machine whoever takes memory first waits until the host gives it, for seconds where it is a gigabyte.
both() {
    local key=$1 ranks=$2
    "$3" "${@:4}" -j "$ranks" >"$work/log" 2>&1 || failed "$3" "${@:4}"
    wall_seconds "$3" "${@:4}" -j "$ranks"
    keep "$key-threads" "seconds=$taken"
    wall_seconds mpiexec.mpich -n "$ranks" "${@:3}"
    keep "$key-mpi" "seconds=$taken"
}

repeated() {
    local i
    for ((i = 0; i < 10; i++)); do "$@" || return; done
}

both_pictures() {
    rm -rf "$files/out" && mkdir "$files/out"
    both "$@" "$program" label "$files/in/*.png" -q -o "$files/out/{name}.png"
}

# alone KEY RANKS PROGRAM ARGUMENT...: on threads, of which MPI would have too many processes.
alone() {
    wall_seconds "${@:3}" -j "$2"
    keep "$1" "seconds=$taken"
}

# start KEY RANKS COMMAND...: the mean of ten.
start() {
    wall_seconds repeated "${@:3}"
    keep "$1" "seconds=$(calculate "$taken / 10")"
}

# micro KEY MEASURE WAY: microseconds, from the table of halobeat bench in $work/table.
micro() {
    local us
    us=$(awk -v measure="$2" -v way="$3" 'index($0, measure) == 1 {
        rest = substr($0, 28); if (index(rest, way) == 1) { split(substr(rest, 25), f, " "); print f[3]; exit }
    }' "$work/table")
    [ -z "$us" ] || keep "$1" "seconds=${us}e-6"
}

# micros END RANKS HALO_MODE COMMAND...: what halobeat bench measures.
micros() {
    local end=$1 mode=$3
    {
        "${@:4}" bench exchange --ranks "$2" --repeat 3
        "${@:4}" bench vote --ranks "$2" --repeat 3
    } >"$work/table" 2>"$work/log" || failed "${@:4}"
    micro "message-$end" message 'one way'
    micro "swap1-$end" swap '1 message each way'
    micro "swap8-$end" swap '8 messages each way'
    micro "halo-$end" 'halo of 2 rows' "$mode"
    micro "corners-$end" 'halo with corners' "$mode direct"
    micro "vote-$end" vote allreduce
    micro "tree-$end" vote tree
}

# memory RANKS: the most that the process held, in MiB.
memory() {
    "$program" label "$files/large.png" -q -j "$1" --json "$work/run.json" >"$work/log" 2>&1 ||
        failed label
    # The first figure is that of the process; those of ranks follow.
    calculate "$(sed -n 's/.*"peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/run.json" | head -n 1) / 1048576" %.1f
}

# ---- The table ---------------------------------------------------------------------------------

# line KEY TEXT [RATIO] [SECONDS]: threads, MPI, their ratio, and what is asked of the ratio or of threads.
line() {
    local threads mpi ratio missed='' asked=''
    threads=$(median "$1-threads") mpi=$(median "$1-mpi")
    [ -n "$threads" ] || return 0
    ratio=$([ -z "$mpi" ] || calculate "$threads / $mpi" %.2f)
    if [ -n "${3:-}" ]; then
        asked="at most $3 of MPI's"
        [ "$(calculate "($ratio > $3)" %d)" = 0 ] || missed=missed
    fi
    if [ -n "${4:-}" ]; then
        asked+="${asked:+, }at most $(shown "$4")"
        [ "$(calculate "($threads > $4)" %d)" = 0 ] || missed=missed
    fi
    printf '%-44s %10s %10s %6s  %s %s\n' "$2" "$(shown "$threads")" "${mpi:+$(shown "$mpi")}" \
        "$ratio" "$asked" "$missed"
    result "$1-threads" halobeat 2
    [ -z "$mpi" ] || result "$1-mpi" mpi 2
}

# shown SECONDS: with a unit.
shown() {
    awk -v s="$1" 'BEGIN { if (s < 1e-4) printf "%.3g us", 1e6 * s; else if (s < .1) printf "%.3g ms", 1e3 * s
        else printf "%.3g s", s }'
}

soup "$picture" "$files/picture.png"
soup "$small" "$files/sweeps.png"
soup "$side" "$files/large.png"
make_volume
make_pictures
make_kernel

one_small=("$program" label "$files/small.png" -q -o "$files/o.png")
way label 2 '' both "$program" label "$files/picture.png" -q -o "$files/o.npy" --regions "$files/o.csv"
way life 2 '' both "$program" life "soup:${side}x$side:35%:1" -n 200 -q
way heat 2 '' both "$program" run heat --size "${grid}x$grid" -n 40 -q
way cluster 2 '' both "$program" cluster "$data/coffee.png" --colour -k 300 -q --mosaic "$files/o.png"
way chan-vese 2 '' both "$program" chan-vese "$data/camera.png" -q --overlay "$files/o.png"
way paths 2 '' both "$program" paths "$data/gravel.png" --from 256,256 --to 10,10 -q --overlay "$files/o.png"
way volume 2 '' both "$program" label "$files/volume.npy" -q --regions "$files/o.csv"
way kernel "$cores" '' both "$files/kernel" --size "${picture}x$picture" -n 40 -q
way start-threads "$cores" '' start "${one_small[@]}"
way start-mpi "$cores" '' start mpiexec.mpich -n "$cores" "${one_small[@]}"
way help-threads 1 '' start taskset -c 0 "$program" --help
most=1 way sweeps64 64 '' both "$program" label "$files/sweeps.png" -q --method sweep --regions "$files/o.csv"
most=1 way heat64 64 '' both "$program" run heat --size "${small}x$small" -n 1000 -q
most=1 way thousand-threads 1000 '' alone "${one_small[@]}"
half_rounds=$(((rounds + 1) / 2))
most=$half_rounds way threads 2 '' micros shared "$program"
most=$half_rounds way mpi 2 '' micros p2p mpiexec.mpich -n 2 "$program"
most=$half_rounds way pictures 2 '' both_pictures
measure_ways
one=$(memory 1) eight=$(memory 8)

printf '\n%-44s %10s %10s %6s  %s\n' "medians of $rounds, 2 ranks" threads MPI ratio asked
line message 'message of 1 byte, one way' 1
line swap1 'a message each way' 1
line swap8 '8 messages each way' 1
line halo 'halo of 2 rows of 16 KiB' '' 1e-6
line corners 'halo with corners'
line vote 'vote by allreduce, 4 numbers' '' .3e-6
line tree 'vote by a tree'
line label "label $picture x $picture, PNG to .npy and CSV" .98
line life "life $side x $side, 200 generations" .98
line heat "heat $grid x $grid, 40 beats" .98
line cluster 'cluster coffee.png, 300' .98
line chan-vese 'chan-vese camera.png' .98
line paths 'paths gravel.png' .98
line volume "label $half x 256 x 256, .npy to CSV" .98
line kernel "README's kernel, $picture x $picture, all cores" 1
line sweeps64 "label $small x $small by sweeps, 64 ranks" .5
line heat64 "heat $small x $small, 1000 beats, 64 ranks" .5
line thousand 'label 128 x 128, 1000 ranks' '' 1
line pictures "label $pictures pictures of 128 x 128" '' 1.3
line start 'label 128 x 128, all cores' '' .005
line help '--help, one core' '' .004
printf '%-44s %6s MiB on 8 ranks, %s on 1; at most %s\n' "memory, label $side x $side" "$eight" "$one" \
    "$(calculate "$one + 8" %.1f)"
finish
