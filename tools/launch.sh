# shellcheck shell=bash
# Sourced by ./run. Starts the program. Needs $root and fail().
: "${root:?}"

# launch PRESET COMMAND...: ends this shell with the program's exit status. Ranks are threads of the program,
# which it starts itself; those of Open MPI, and of commands that cannot do so, are processes of mpiexec.
launch() {
    local preset=$1
    shift
    local program=$root/build/$preset/bin/halobeat
    if [ "$preset" = simgrid ]; then
        local status=0
        simulate "${HALOBEAT_PLATFORM:-uniform}" "$program" "$@" || status=$?
        exit "$status"
    fi
    if [ "$preset" != openmpi ] && has_threads "$program" "$@"; then exec "$program" "$@"; fi
    launch_processes "$preset" "$program" "$@"
}

# has_threads PROGRAM COMMAND...: does this command take --ranks? So does what is no command.
has_threads() {
    local help
    help=$("$1" "${2:-}" --help 2>/dev/null </dev/null) || return 0
    [[ $help == *'-j, --ranks'* || $help == *'Commands:'* ]]
}

# launch_processes PRESET PROGRAM COMMAND...: as many as there are usable cores, by the preset's mpiexec.
launch_processes() {
    local preset=$1 program=$2 ranks cores
    shift 2
    cores=$(usable_cores)
    ranks=${HALOBEAT_RANKS:-$cores}
    [[ $ranks =~ ^[1-9][0-9]{0,5}$ ]] ||
        fail 2 "HALOBEAT_RANKS is '$ranks', but must be a number of ranks: 1, 2, 3, ..."

    tell_terminal
    pass_input
    # mpiexec would swallow the standard input of a calling loop, and stop when in the background.
    if [ "$preset" = openmpi ]; then
        exec mpiexec.openmpi -q --oversubscribe --allow-run-as-root --bind-to none \
            -n "$ranks" "$program" "$@" </dev/null
    fi
    local -a binding=()
    if [ "$ranks" -gt 1 ] && [ "$ranks" = "$cores" ] && [ "$ranks" = "$(nproc_allowed)" ]; then
        binding=(-bind-to "user:$(allowed_cpus)")
    fi
    # mpiexec dies of a thousand arguments.
    if [ $# -gt 900 ]; then
        arguments=$(mktemp)
        trap 'rm -f "$arguments"' EXIT
        printf '%s\0' "$@" >"$arguments"
        set -- --arguments "$arguments"
    fi
    outlive_hangups mpiexec.mpich "${binding[@]}" -n "$ranks" env --default-signal=HUP "$program" "$@"
}

# outlive_hangups COMMAND...: MPICH's launcher dies when the terminal is closed, and its ranks are killed
# before they can save anything. Here it ignores that, in a process group of its own, and is asked to end
# by SIGTERM, which it hands on. Under nohup there is nothing to outlive.
outlive_hangups() {
    local child status code
    if [[ $(trap -p HUP) == *"''"* ]]; then
        if [ -z "${arguments:-}" ]; then exec "$@" </dev/null; fi
        "$@" </dev/null && exit || exit
    fi
    set -m
    (trap '' HUP && exec setpriv --pdeathsig TERM "$@") </dev/null &
    child=$!
    set +m
    # shellcheck disable=SC2064 # the child of now
    trap "kill -TERM -- -$child" HUP TERM
    # shellcheck disable=SC2064
    trap "kill -INT -- -$child" INT
    # shellcheck disable=SC2064
    trap "kill -TSTP -- -$child; kill -STOP $$; kill -CONT -- -$child" TSTP
    while :; do
        status=0
        wait "$child" || status=$?
        # A signal ends the waiting, not the child, whose status is there when nobody has asked yet.
        if ! kill -0 "$child" 2>/dev/null; then
            [ "$status" -le 128 ] || wait "$child" 2>/dev/null
            code=$?
            if [ "$status" -gt 128 ] && [ "$code" != 127 ]; then status=$code; fi
            exit "$status"
        fi
    done
}

# mpiexec hands its standard input on without waiting for whoever reads it, and ends the job when a pipe is
# full. A rank that is to read it opens that of this process.
pass_input() {
    local input
    exec {input}<&0
    export HALOBEAT_STDIN=/proc/$BASHPID/fd/$input
}

# Under mpiexec every rank's standard output and error are pipes: the program cannot see the
# terminal, so it is told of it and of its size.
tell_terminal() {
    local size='' out
    # Inside $( ) standard output is the substitution's own.
    exec {out}>&1
    if [ -t 2 ]; then
        export HALOBEAT_STDERR_TTY=1
        size=$(stty size 0<&2 2>/dev/null) || true
    fi
    if [ -t 1 ]; then
        export HALOBEAT_STDOUT_TTY=1
        size=$(stty size 0<&"$out" 2>/dev/null) || true
    fi
    exec {out}>&-
    if [ -t 1 ] || [ -t 2 ]; then
        LINES=${size% *} COLUMNS=${size#* }
        export LINES=${LINES:-24} COLUMNS=${COLUMNS:-80}
    fi
}

# usable_cores: what the affinity mask allows, or the control group's share of time if that is less. The
# program counts in the same way (src/base/cores.h).
usable_cores() {
    local cores limit
    cores=$(nproc_allowed)
    limit=$(cgroup_cores)
    if [ -n "$limit" ] && [ "$limit" -lt "$cores" ]; then cores=$limit; fi
    echo "$cores"
}

# nproc also heeds OMP_NUM_THREADS, which is about threads and not ranks.
nproc_allowed() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# cgroup_cores: the cores that the tightest limit above this process leaves, rounded up, or nothing.
cgroup_cores() {
    local controllers path base folder quota period cores least=''
    while IFS=: read -r _ controllers path; do
        case ,$controllers, in
            ,,) base=/sys/fs/cgroup ;;
            *,cpu,*) base=/sys/fs/cgroup/cpu ;;
            *) continue ;;
        esac
        while :; do
            folder=$base${path%/}
            quota='' period=''
            if [ -r "$folder/cpu.max" ]; then
                read -r quota period <"$folder/cpu.max" || true
            elif [ -r "$folder/cpu.cfs_quota_us" ]; then
                read -r quota <"$folder/cpu.cfs_quota_us" || true
                read -r period <"$folder/cpu.cfs_period_us" || true
            fi
            if [[ $quota =~ ^[1-9][0-9]*$ && $period =~ ^[1-9][0-9]*$ ]]; then
                cores=$(((quota + period - 1) / period))
                if [ -z "$least" ] || [ "$cores" -lt "$least" ]; then least=$cores; fi
            fi
            if [ -z "${path%/}" ]; then break; fi
            path=${path%/*}
        done
    done </proc/self/cgroup 2>/dev/null || true
    echo "$least"
}

# allowed_cpus: the affinity mask as 0,1,5. mpiexec's own -bind-to core starts at core 0 whatever
# the mask says, so two jobs on two halves of a machine would share one half.
allowed_cpus() {
    local range list=''
    for range in $(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status | tr , ' '); do
        list+=$(seq -s , "${range%-*}" "${range#*-}"),
    done
    echo "${list%,}"
}
