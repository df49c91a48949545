# shellcheck shell=bash
# Sourced. Runs programs of the preset simgrid on simulated clusters. Needs $root, the top of the
# repository.
: "${root:?}"

# Virtual time is then what the platform file says: delays and speeds as they stand there, no
# corrections for one cluster's TCP, and computing that costs nothing but what is charged. Looking for
# messages costs nothing either: SimGrid charges a tenth of a millisecond for each MPI_Test and
# MPI_Iprobe, and more the more of them fail, so that programs that wait by them get on in time. Here
# waiting blocks, and what looks for messages does so between pieces of work that are charged: tasks
# would take six times as long as their work.
simulation_flags=(
    --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=network/TCP-gamma:0
    --cfg=network/weight-S:0 --cfg=smpi/simulate-computation:no --cfg=smpi/host-speed:1Gf
    --cfg=smpi/wtime:0 --cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=smpi/coll-selector:mpich
    --log=root.thresh:error)

# platforms: the names of all, one a line.
platforms() {
    local file
    for file in "$root"/data/platforms/*.hosts; do
        basename "$file" .hosts
    done
}

# platform_ranks NAME: how many machines its host file lists.
platform_ranks() { wc -l <"$root/data/platforms/$1.hosts"; }

# Changed by those who need another platform, another host file, or more flags.
simulation_platform=''
simulation_hosts=''
simulation_more=()

# simulate PLATFORM PROGRAM [ARGUMENT...]: one rank on each machine, or on the first $HALOBEAT_RANKS.
simulate() {
    local name=$1 program=$2
    shift 2
    local folder=$root/data/platforms argument
    local file=${simulation_platform:-$folder/${name%-loaded}.xml} hosts=${simulation_hosts:-$folder/$name.hosts}
    if [ ! -f "$hosts" ]; then
        echo "there is no platform '$name'; there are: $(platforms | paste -s -d ' ')" >&2
        return 2
    fi
    for argument in "$@"; do
        # smpirun puts the arguments into one string, and the shell takes it apart again.
        case $argument in
            *[[:space:]*?[]* | '')
                echo "smpirun cannot pass on '$argument': blanks, empty text and * ? [ get lost" >&2
                return 2
                ;;
        esac
    done
    # A deadlock, and a rank that aborts, end with status 0: what was printed tells. smpirun starts
    # the program in the background, where it must not read the terminal.
    local output status=0
    output=$(mktemp) || return 1
    timeout "${HALOBEAT_SIMULATION_LIMIT:-600}" smpirun -quiet \
        -np "${HALOBEAT_RANKS:-$(wc -l <"$hosts")}" -platform "$file" -hostfile "$hosts" \
        "${simulation_flags[@]}" "${simulation_more[@]}" "$program" "$@" \
        </dev/null 2>"$output" || status=$?
    cat "$output" >&2
    if grep -q -e Deadlock -e 'MPI_Abort' "$output"; then status=1; fi
    rm -f "$output"
    return "$status"
}

# simulate_paper BUILD_FOLDER [ARGUMENT...]: the table of the paper on LB1 and LB2, or what its arguments say.
simulate_paper() {
    local simulation_hosts=$root/tests/sim/paper.hosts
    HALOBEAT_RANKS='' simulate laboratory "$1/bin/sim_paper" "${@:2}"
}

# balancers_of PROGRAM: the balancers that the program has, one a line; without random, which balances nothing.
balancers_of() {
    HALOBEAT_RANKS=1 simulate uniform "$1" --options |
        sed -n '/"name": "balance"/,/"offers"/s/.*"offers": "|\(.*\)".*/\1/p' | sort -u | tr '|' '\n' | grep -vx random
}
